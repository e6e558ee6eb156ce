"""The parts that settings and dialogs are laid out with: cards, labelled fields that say what is wrong, plain texts."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QLineEdit, QScrollArea, QVBoxLayout, QWidget

from confere.desktop.theme.measures import GAP, WIDE_GAP
from confere.desktop.widgets.plain_text import Label

WIDEST = 860  # of a column of settings: longer lines are hard to read


def text(words: str = "", rank: str = "", *, selectable: bool = False) -> QLabel:
    """A label that wraps and takes its words as they are."""
    label = Label()
    label.setText(words)
    label.setWordWrap(True)
    if rank:
        label.setProperty("rank", rank)
    if selectable:
        label.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
    return label


def set_rank(label: QLabel, rank: str) -> None:
    """Give a label another rank of the style sheet."""
    if label.property("rank") != rank:
        label.setProperty("rank", rank)
        _polish(label)


class FormCard(QFrame):
    """A framed group under a heading; what it holds goes into `body`."""

    def __init__(self, title: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("card", True)
        self.body = QVBoxLayout(self)
        self.body.setContentsMargins(WIDE_GAP, 14, WIDE_GAP, WIDE_GAP)
        self.body.setSpacing(12)
        if title:
            self.body.addWidget(text(title, "heading"))


class FieldWithButton(QWidget):
    """A field and the button that belongs to it: named and focused as the field."""

    def __init__(self, field: QWidget, button: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(field, 1)
        row.addWidget(button)
        self.setFocusProxy(field)


class FormField(QWidget):
    """A control under its name, with a hint and, while something is wrong, the sentence that says so."""

    def __init__(self, title: str, control: QWidget, hint: str = "", parent: QWidget | None = None) -> None:
        """`control` may be a group of controls; its focus proxy is then the one that the name belongs to."""
        super().__init__(parent)
        self.control = control
        self._target = control.focusProxy() or control
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        label = Label(title)
        label.setWordWrap(True)
        label.setBuddy(self._target)
        layout.addWidget(label)
        if not self._target.accessibleName():
            self._target.setAccessibleName(title)
        layout.addWidget(control)
        self._hint = text(hint, "muted")
        layout.addWidget(self._hint)
        self._hint.setVisible(bool(hint))  # in the layout: what is shown outside one is a window of its own
        self._problem = text("", "bad")
        self._problem.hide()
        layout.addWidget(self._problem)

    @property
    def problem(self) -> str:
        """What is wrong, or empty."""
        return self._problem.text()

    def tell(self, problem: str) -> None:
        """Say what is wrong under the control; empty where all is well."""
        if problem == self._problem.text():
            return
        self._problem.setText(problem)
        self._problem.setVisible(bool(problem))
        self._target.setAccessibleDescription(problem)
        mark_wrong(self._target, bool(problem))

    def set_hint(self, hint: str) -> None:
        self._hint.setText(hint)
        self._hint.setVisible(bool(hint))


class SettingsSection(QScrollArea):
    """One part of the settings: a column of cards that scrolls when the window is low."""

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title = title
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(title)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        inside = QWidget()
        inside.setProperty("plain", True)
        self.column = QWidget(inside)
        self.column.setMaximumWidth(WIDEST)
        outer = QVBoxLayout(inside)
        outer.setContentsMargins(WIDE_GAP, WIDE_GAP, WIDE_GAP, WIDE_GAP)
        row = QHBoxLayout()  # a vertical one would ask how high the column is at a width that it never has
        row.addWidget(self.column, 1)
        row.addStretch()
        outer.addLayout(row)
        outer.addStretch(1)
        self.body = QVBoxLayout(self.column)
        self.body.setContentsMargins(0, 0, GAP, 0)
        self.body.setSpacing(WIDE_GAP)
        self.body.addWidget(text(title, "title"))
        self.setWidget(inside)

    def arrive(self) -> None:
        """The section was come to; it looks again at what it shows."""

    def archive_changed(self) -> None:
        """Something was written to the archive while it is shown."""


def mark_wrong(control: QWidget, wrong: bool) -> None:
    """Draw the control as one that holds something wrong, or as usual again."""
    if isinstance(control, QLineEdit) and bool(control.property("wrong")) != wrong:
        control.setProperty("wrong", wrong)
        _polish(control)


def _polish(widget: QWidget) -> None:
    """Qt reads properties of the style sheet once; this makes it look again."""
    widget.style().unpolish(widget)
    widget.style().polish(widget)
