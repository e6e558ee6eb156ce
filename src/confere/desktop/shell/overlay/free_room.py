"""Where messages can lie over a page without covering what can be pressed there."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QAbstractButton, QAbstractScrollArea, QTabBar, QWidget

from confere.desktop.theme.measures import GAP


def controls(over: QWidget, messages: QWidget, across: range) -> list[range]:
    """From where to where, from above, the buttons and tabs of `over` stand that cross these columns of pixels.

    Those in what can be scrolled are left out, since they can be brought out from under a message.
    """
    found = []
    for widget in (*over.findChildren(QAbstractButton), *over.findChildren(QTabBar)):
        if widget.isVisible() and not messages.isAncestorOf(widget) and not _scrolls(widget, over):
            place = widget.mapTo(over, QPoint(0, 0))
            if place.x() < across.stop and place.x() + widget.width() > across.start:
                found.append(range(place.y(), place.y() + widget.height()))
    return found


def room_in(whole: range, taken: Sequence[range], wanted: int, least: int) -> range:
    """The lowest part of `whole` between what is taken that has the `wanted` pixels, else the largest part.

    All of `whole` where none has even the `least`.
    """
    parts, end = [], whole.stop
    for part in sorted(taken, key=lambda part: part.stop, reverse=True):
        parts.append(range(max(part.stop + GAP, whole.start), end))
        end = min(end, part.start - GAP)
    parts.append(range(whole.start, end))
    fitting = next((part for part in parts if len(part) >= wanted), None)
    largest = max(parts, key=len)
    return fitting or (largest if len(largest) >= min(wanted, least) else whole)


def _scrolls(widget: QWidget, over: QWidget) -> bool:
    parent = widget.parentWidget()
    while parent is not None and parent is not over:
        if isinstance(parent, QAbstractScrollArea):
            return True
        parent = parent.parentWidget()
    return False
