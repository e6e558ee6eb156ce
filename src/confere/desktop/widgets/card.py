"""What pages are made of: cards with a heading, labels of a rank, links, and rows made anew."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QLayout, QPushButton, QVBoxLayout, QWidget

from confere.desktop.theme.measures import GAP, WIDE_GAP
from confere.desktop.widgets.plain_text import Label

_GONE = "gone"  # the property of a widget that Qt has yet to delete


class Card(QFrame):
    """A frame with a heading; what it shows goes into `body`."""

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("card", True)
        self.setAccessibleName(title)
        self.head = QHBoxLayout()
        self.head.setSpacing(GAP)
        self.heading = label(title, "heading")
        self.head.addWidget(self.heading)
        self.head.addStretch(1)
        self.body = QVBoxLayout()
        self.body.setSpacing(GAP)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(WIDE_GAP, 14, WIDE_GAP, 14)
        layout.setSpacing(GAP + 2)
        layout.addLayout(self.head)
        layout.addLayout(self.body, 1)


def label(
    text: str = "", rank: str = "", *, wraps: bool = False, right: bool = False, selectable: bool = False
) -> QLabel:
    """A label of plain text; `rank` is one of the style sheet's."""
    made = Label(text)
    made.setWordWrap(wraps)
    if rank:
        made.setProperty("rank", rank)
    if selectable:
        made.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    if right:
        made.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    return made


def button(text: str, act: Callable[[], None], look: str = "", name: str = "") -> QPushButton:
    """A button that does `act`; `name` says to a screen reader what its text leaves out."""
    made = QPushButton(text.replace("&", "&&"))
    if look:
        made.setProperty("look", look)
    if look == "link":
        made.setProperty("flush", True)
        made.setCursor(Qt.CursorShape.PointingHandCursor)
    made.setAccessibleName(name or text)
    made.clicked.connect(lambda: act())
    return made


@contextmanager
def focus_kept(card: QWidget) -> Iterator[None]:
    """While a card is made anew: who was on its third button is on its third button afterwards."""
    focused = card.window().focusWidget()
    before = _buttons(card)
    place = before.index(focused) if isinstance(focused, QPushButton) and focused in before else None
    yield
    after = _buttons(card)
    if place is not None and after:
        successor = after[min(place, len(after) - 1)]
        successor.show()  # a layout shows what it was given only later, and what is hidden takes no focus
        successor.setFocus()


def _buttons(card: QWidget) -> list[QPushButton]:
    return [found for found in card.findChildren(QPushButton) if not found.property(_GONE)]


def clear(layout: QLayout) -> None:
    """Take everything out of a layout; what it held goes when Qt comes to it, so a button may clear its own row."""
    while (item := layout.takeAt(0)) is not None:
        widget, inner = item.widget(), item.layout()
        if widget is not None:
            for gone in (widget, *widget.findChildren(QWidget)):
                gone.setProperty(_GONE, True)
            widget.hide()
            widget.deleteLater()
        elif inner is not None:
            clear(inner)
            inner.deleteLater()
