"""What the window's process has on screen, as plain values: windows, widgets with name, text, place and parts.

Nothing here acts on a widget. Places are in pixels of the screen, so that a mouse can be sent there at every scale.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import shiboken6
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QAccessible, QCursor, QGuiApplication
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QHeaderView,
    QLineEdit,
    QListView,
    QMenu,
    QPlainTextEdit,
    QScrollArea,
    QStyle,
    QStyleOptionToolButton,
    QTabBar,
    QTableView,
    QToolButton,
    QWidget,
)

from tests.walk.window_view import ARROW

_LONGEST = 4000  # characters of a text
_MOST_ROWS = 400  # of a list that is no table
_OVERLAY = "notices"  # the object name of what lies over the pages

Facts = dict[str, Any]


def report() -> Facts:
    """Everything that is visible now."""
    focused, active, popup = QApplication.focusWidget(), QApplication.activeWindow(), QApplication.activePopupWidget()
    windows = [widget for widget in QApplication.topLevelWidgets() if widget.isVisible()]
    return {
        "windows": [
            {
                "id": number_of(window),
                "class": type(window).__name__,
                "title": window.windowTitle(),
                "rect": _on_screen(window, window.rect()),
                "modal": window.isModal(),
                "is_menu": isinstance(window, QMenu),
            }
            for window in windows
        ],
        "widgets": [_facts(widget) for widget in _visible()],
        "focus": number_of(focused) if focused is not None else 0,
        "active": number_of(active) if active is not None else 0,
        "popup": number_of(popup) if popup is not None else 0,
        "under_mouse": _under_mouse(),
        "scale": _scale(),
        "clipboard": _clipboard(),
        **_work(),
    }


class Place(NamedTuple):
    """What a widget is called, its place in its window, and how high the content wants to be that scrolls with it."""

    called: str
    rect: list[int]
    content_height: int


def places() -> dict[int, Place]:
    """Each visible widget outside the messages, and outside the rows of lists."""
    found = {}
    for widget in _visible():
        if _is_in_message(widget) or _is_in_rows(widget):
            continue
        corner = widget.mapTo(widget.window(), QPoint(0, 0))
        rect = [corner.x(), corner.y(), widget.width(), widget.height()]
        found[number_of(widget)] = Place(_called(widget), rect, _content_height(widget))
    return found


def number_of(widget: QWidget) -> int:
    """The same for a widget as long as it lives."""
    return int(shiboken6.getCppPointer(widget)[0])


def _visible() -> list[QWidget]:
    return [widget for widget in QApplication.allWidgets() if shiboken6.isValid(widget) and widget.isVisible()]


def _facts(widget: QWidget) -> Facts:
    accessible = QAccessible.queryAccessibleInterface(widget)
    return {
        "id": number_of(widget),
        "window": number_of(widget.window()),
        "parent": number_of(widget.parentWidget()) if widget.parentWidget() is not None else 0,
        "class": type(widget).__name__,
        "kinds": [kind.__name__ for kind in type(widget).__mro__ if kind.__name__.startswith("Q")][:4],
        "object": widget.objectName(),
        "name": accessible.text(QAccessible.Text.Name) if accessible is not None else "",
        "text": _text(widget),
        "tip": widget.toolTip(),
        "rect": _on_screen(widget, widget.rect()),
        "seen": _on_screen(widget, widget.visibleRegion().boundingRect()),
        "enabled": widget.isEnabled(),
        "checked": isinstance(widget, QAbstractButton) and widget.isChecked(),
        "parts": _parts(widget),
    }


def _text(widget: QWidget) -> str:
    if isinstance(widget, QPlainTextEdit):
        return widget.toPlainText()[:_LONGEST]
    if isinstance(widget, QComboBox):
        return widget.currentText()
    if isinstance(widget, QLineEdit) and widget.echoMode() is not QLineEdit.EchoMode.Normal:
        return ""  # a token
    return str(widget.property("text") or widget.property("plainText") or "")[:_LONGEST]


def _parts(widget: QWidget) -> list[Facts]:
    """What can be clicked in it without being a widget: tabs, entries of a menu, cells, heads of columns."""
    if isinstance(widget, QToolButton) and widget.popupMode() is QToolButton.ToolButtonPopupMode.MenuButtonPopup:
        option = QStyleOptionToolButton()
        widget.initStyleOption(option)
        arrow = widget.style().subControlRect(
            QStyle.ComplexControl.CC_ToolButton, option, QStyle.SubControl.SC_ToolButtonMenu, widget
        )
        return [_part(widget, f"{widget.text()} {ARROW}", arrow)]
    if isinstance(widget, QTabBar):
        return [
            _part(widget, widget.tabText(place), widget.tabRect(place), selected=place == widget.currentIndex())
            for place in range(widget.count())
            if widget.isTabVisible(place)
        ]
    if isinstance(widget, QMenu):
        return [
            _part(widget, action.text().split("\t")[0].replace("&", ""), widget.actionGeometry(action),
                  selected=action.isChecked(), enabled=action.isEnabled())
            for action in widget.actions()
            if action.isVisible() and not action.isSeparator()
        ]  # fmt: skip
    if isinstance(widget, QHeaderView):
        return _heads(widget)
    if isinstance(widget, QAbstractItemView):
        return _cells(widget)
    return []


def _heads(header: QHeaderView) -> list[Facts]:
    if header.orientation() is not Qt.Orientation.Horizontal or header.model() is None:
        return []
    found = []
    for section in range(header.count()):
        if not header.isSectionHidden(section):
            text = header.model().headerData(section, Qt.Orientation.Horizontal) or ""
            place = QRect(header.sectionViewportPosition(section), 0, header.sectionSize(section), header.height())
            found.append(_part(header.viewport(), str(text), place))
    return found


def _cells(view: QAbstractItemView) -> list[Facts]:
    model, root, port = view.model(), view.rootIndex(), view.viewport()
    if model is None:
        return []
    first, last = 0, min(model.rowCount(root), _MOST_ROWS) - 1
    if isinstance(view, QTableView):
        first, end = view.rowAt(0), view.rowAt(port.height() - 1)
        last = end if end >= 0 else model.rowCount(root) - 1
        if first < 0:
            return []
    chosen, columns = view.selectionModel(), 1 if isinstance(view, QListView) else model.columnCount(root)
    found = []
    for row in range(first, last + 1):
        for column in range(columns):
            index = model.index(row, column, root)
            place = view.visualRect(index).intersected(port.rect())
            if place.isEmpty() or _is_hidden(view, column):
                continue
            text = str(index.data(Qt.ItemDataRole.DisplayRole) or "")
            marked = chosen is not None and chosen.isSelected(index)
            usable = bool(index.flags() & Qt.ItemFlag.ItemIsEnabled)
            part = _part(port, text, place, selected=marked, enabled=usable)
            found.append(part | {"row": row, "column": column, "current": view.currentIndex() == index,
                                 "name": str(index.data(Qt.ItemDataRole.AccessibleTextRole) or "")})  # fmt: skip
    return found


def _is_hidden(view: QAbstractItemView, column: int) -> bool:
    return isinstance(view, QTableView) and view.isColumnHidden(column)


def _part(widget: QWidget, text: str, place: QRect, *, selected: bool = False, enabled: bool = True) -> Facts:
    seen = widget.visibleRegion().boundingRect().intersected(place)
    return {
        "text": text,
        "rect": _on_screen(widget, place),
        "seen": _on_screen(widget, seen),
        "selected": selected,
        "enabled": enabled,
    }


def _on_screen(widget: QWidget, place: QRect) -> list[int]:
    corner, scale = widget.mapToGlobal(place.topLeft()), _scale()
    return [round(number * scale) for number in (corner.x(), corner.y(), place.width(), place.height())]


def _scale() -> float:
    return float(QApplication.primaryScreen().devicePixelRatio())


def _clipboard() -> list[str]:
    """The files in the clipboard."""
    data = QGuiApplication.clipboard().mimeData()
    return [url.toLocalFile() for url in data.urls()] if data is not None and data.hasUrls() else []


def _under_mouse() -> list[int]:
    """The widget below the mouse and those it is in."""
    found, at = [], QApplication.widgetAt(QCursor.pos())
    while at is not None:
        found.append(number_of(at))
        at = at.parentWidget()
    return found


def _work() -> Facts:
    """What the window still does: jobs by their kinds, and whether the archive is being read."""
    for window in QApplication.topLevelWidgets():
        services = getattr(window, "services", None)
        if type(window).__name__ == "MainWindow" and window.isVisible() and services is not None:
            jobs = [str(order.kind) for order in (*services.jobs.running, *services.jobs.waiting)]
            return {"jobs": jobs, "reads": services.reader.busy, "place": window.place.name}
    return {"jobs": [], "reads": False, "place": ""}


def _is_in_message(widget: QWidget) -> bool:
    at: QWidget | None = widget
    while at is not None:
        if at.objectName() == _OVERLAY:
            return True
        at = at.parentWidget()
    return False


def _content_height(widget: QWidget) -> int:
    """Of the page that it scrolls with; 0 where it does not scroll."""
    at = widget.parentWidget()
    while at is not None:
        outer = at.parentWidget()
        area = outer.parentWidget() if outer is not None else None
        if isinstance(area, QScrollArea) and area.widget() is at:
            return at.sizeHint().height()
        at = outer
    return 0


def _is_in_rows(widget: QWidget) -> bool:
    parent = widget.parentWidget()
    while parent is not None:
        if isinstance(parent, QAbstractItemView) and widget is not parent.viewport():
            return True
        widget, parent = parent, parent.parentWidget()
    return False


def _called(widget: QWidget) -> str:
    text = _text(widget)[:40]
    outer = widget.parentWidget()
    return f"{type(widget).__name__}({text!r}) in {type(outer).__name__}"
