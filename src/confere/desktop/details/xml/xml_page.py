"""The XML of a document and of each of its events: as received or indented, to find in, to copy and to save."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from confere.app.archive_session import OpenArchive
from confere.app.documents import browse
from confere.app.documents.view.loaded import Loaded
from confere.desktop.details import document_files
from confere.desktop.details.xml.xml_folds import Regions, regions_of
from confere.desktop.details.xml.xml_text import XmlText
from confere.desktop.dialogs.saving.save_xml import Content
from confere.desktop.services import Services
from confere.desktop.theme.measures import GAP
from confere.desktop.widgets.plain_text import Label, as_tip
from confere.system import formatting
from confere.system.messages import t

_TOPIC = "details/xml"
_INDENTED = "details/indented"
_LARGE = 20_000_000  # bytes from which nothing is indented: the tree would cost more than it helps


@dataclass(frozen=True, slots=True)
class _Read:
    received: str
    shown: str
    size: int
    regions: Regions


class XmlPage(QWidget):
    """`save_wanted` carries the `Content` to save."""

    save_wanted = Signal(object)

    def __init__(self, services: Services, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._services = services
        self._contents: tuple[Content, ...] = ()
        self._read: _Read | None = None
        self._wanted: tuple[str, bool] | None = None
        layout = QVBoxLayout(self)
        layout.setContentsMargins(GAP, GAP, GAP, GAP)
        layout.setSpacing(GAP)
        layout.addLayout(self._choice_row())
        layout.addLayout(self._find_row())
        self.text = XmlText(services.look)
        layout.addWidget(self.text, 1)
        layout.addLayout(self._foot())
        self.fold.clicked.connect(self.text.fold_all)
        self.unfold.clicked.connect(self.text.unfold_all)
        self.text.find_wanted.connect(self._find_wanted)
        self.text.next_wanted.connect(self._find_more)
        services.look.changed.connect(self._paint)
        self._paint()

    @property
    def content(self) -> Content | None:
        """What is chosen."""
        place = self.choice.currentIndex()
        return self._contents[place] if 0 <= place < len(self._contents) else None

    def show_document(self, loaded: Loaded) -> None:
        """Show the document's own XML; the same one as before keeps its choice."""
        found = document_files.of(loaded)
        before = self.content
        if found != self._contents:
            self._contents = found
            self.choice.blockSignals(True)
            self.choice.clear()
            self.choice.addItems([entry.label for entry in found])
            if before in found:
                self.choice.setCurrentIndex(found.index(before))
            self.choice.blockSignals(False)
        self.choice.setEnabled(len(found) > 1)
        self._ask()

    def show_content(self, sha256: str) -> None:
        """Show this one of the document's files."""
        for place, entry in enumerate(self._contents):
            if entry.sha256 == sha256:
                self.choice.setCurrentIndex(place)

    def _choice_row(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(GAP)
        self.choice = QComboBox()
        self.choice.setAccessibleName(t("Which XML"))
        self.choice.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.choice.setMinimumContentsLength(12)
        self.choice.currentIndexChanged.connect(self._ask)
        row.addWidget(self.choice, 1)
        self.indented = QCheckBox(t("Indented"))
        self.indented.setToolTip(t("One element a line, to read it; what is copied and saved stays as received."))
        self.indented.setChecked(self._services.memory.text(_INDENTED, "yes") == "yes")
        self.indented.toggled.connect(self._indented_toggled)
        row.addWidget(self.indented)
        return row

    def _find_row(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(4)
        self.finder = _FindField()
        self.finder.setPlaceholderText(t("Find in the XML"))
        self.finder.setAccessibleName(t("Find in the XML"))
        self.finder.setClearButtonEnabled(True)
        self.finder.textEdited.connect(self._find_anew)
        self.finder.next_wanted.connect(self._find_more)
        self.finder.left.connect(self.text_focus)
        row.addWidget(self.finder, 1)
        self._up, self._down = QToolButton(), QToolButton()
        for button, title, slot in (
            (self._up, t("Find the one before"), self._find_before),
            (self._down, t("Find the next one"), self._find_next),
        ):
            button.setProperty("look", "quiet")
            button.setToolTip(as_tip(title))
            button.setAccessibleName(title)
            button.clicked.connect(slot)
            row.addWidget(button)
        self.fold, self.unfold = QToolButton(), QToolButton()
        for button, title, tip in (
            (self.fold, t("Fold all"), t("Fold all ( / ); at the cursor: − folds, + unfolds, Enter does either")),
            (self.unfold, t("Unfold all"), t("Unfold all ( * )")),
        ):
            button.setProperty("look", "quiet")
            button.setToolTip(as_tip(tip))
            button.setAccessibleName(title)
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            row.addWidget(button)
        return row

    def _foot(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(GAP)
        self.facts = Label()
        self.facts.setProperty("rank", "muted")
        self.facts.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        row.addWidget(self.facts, 1)
        self.copy_button, self.save_button = QPushButton(t("Copy")), QPushButton(t("Save exact bytes…"))
        self.copy_button.setToolTip(t("Copy the XML as received"))
        self.copy_button.clicked.connect(self.copy)
        self.save_button.setToolTip(t("Save the file byte for byte as received"))
        self.save_button.clicked.connect(self._save)
        row.addWidget(self.copy_button)
        row.addWidget(self.save_button)
        return row

    def text_focus(self) -> None:
        """Put the focus into the text."""
        self.text.setFocus()

    def copy(self) -> None:
        """Put the XML as received into the clipboard."""
        if self._read is not None:
            QGuiApplication.clipboard().setText(self._read.received)

    def _save(self) -> None:
        if self.content is not None:
            self.save_wanted.emit(self.content)

    def _ask(self) -> None:
        content = self.content
        wanted = None if content is None else (content.sha256, self.indented.isChecked())
        if wanted == self._wanted:
            return
        self._wanted = wanted
        if wanted is None:
            self._services.reader.forget(_TOPIC)
            self._show(None)
            return
        opened = self._services.opened
        sha256, tidy = wanted
        self._services.reader.ask(_TOPIC, lambda: _read(opened, sha256, tidy), self._show, self._failed)

    def _failed(self, error: Exception) -> None:
        self._show(None)
        self._wanted = None
        self._services.faults.tell(error)

    def _show(self, found: _Read | None) -> None:
        self._read = found
        if found is None:
            self.text.show_text("")
        else:
            self.text.show_text(found.shown, found.regions)
        for button in (self.fold, self.unfold):
            button.setEnabled(self.text.can_fold)
        content = self.content
        self.facts.setText("" if found is None else formatting.size(found.size))
        self.facts.setToolTip(as_tip("" if content is None else f"SHA-256 {content.sha256}"))
        self.copy_button.setEnabled(found is not None)
        self.save_button.setEnabled(found is not None)

    def _indented_toggled(self, on: bool) -> None:
        self._services.memory.put(_INDENTED, "yes" if on else "no")
        self._ask()

    def _find_wanted(self) -> None:
        self.finder.setFocus()
        self.finder.selectAll()

    def _find_anew(self) -> None:
        self._tell(self.text.find_next(self.finder.text(), anew=True))

    def _find_more(self, backward: bool) -> None:
        self._tell(self.text.find_next(self.finder.text(), backward=backward))

    def _find_before(self) -> None:
        self._find_more(True)

    def _find_next(self) -> None:
        self._find_more(False)

    def _tell(self, found: bool) -> None:
        self.finder.setProperty("wrong", not found)
        self.finder.style().unpolish(self.finder)
        self.finder.style().polish(self.finder)
        self.finder.setToolTip(as_tip("" if found else t("It stands nowhere in this XML.")))

    def _paint(self) -> None:
        self._up.setIcon(self._services.look.icon("up"))
        self._down.setIcon(self._services.look.icon("down"))
        self.fold.setIcon(self._services.look.icon("fold"))
        self.unfold.setIcon(self._services.look.icon("unfold"))


class _FindField(QLineEdit):
    """Enter finds on, Shift+Enter back, Esc goes back to the text."""

    next_wanted = Signal(bool)
    left = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.next_wanted.emit(bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
        elif event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)


def text_of(opened: OpenArchive, sha256: str) -> str:
    """The bytes as text, decoded as their XML declares."""
    from confere.fiscal.reading import xml_indent  # lxml, which a start of the window does not wait for

    return xml_indent.text_of(browse.content(opened, sha256))


def _read(opened: OpenArchive, sha256: str, tidy: bool) -> _Read:
    from confere.fiscal.reading import xml_indent

    data = browse.content(opened, sha256)
    received = xml_indent.text_of(data)
    shown = xml_indent.indented(data) if tidy and len(data) < _LARGE else received
    # Found here, beside the window: of a large file it takes longer than a frame.
    return _Read(received, shown, len(data), regions_of(shown))
