"""Selected rows of a table are dragged out of it; a drag from any other row still selects, as it always did."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication, QTableView

_LEFT = Qt.MouseButton.LeftButton


class RowDrag(QObject):
    """Belongs to `table`. `started` comes when the mouse pulls at what is selected.

    Qt's own drag would ask for the index of every selected cell, which stands still for seconds with many rows.
    """

    started = Signal()

    def __init__(self, table: QTableView) -> None:
        super().__init__(table)
        self._table = table
        self._pressed: QPoint | None = None
        self._is_passing_on = False
        table.viewport().installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if self._is_passing_on or not isinstance(event, QMouseEvent):
            return False
        match event.type():
            case QEvent.Type.MouseButtonPress:
                return self._press(event)
            case QEvent.Type.MouseMove:
                return self._move(event)
            case QEvent.Type.MouseButtonRelease:
                return self._release(event)
            case _:
                return False

    def _press(self, event: QMouseEvent) -> bool:
        index = self._table.indexAt(event.position().toPoint())
        is_plain = event.button() == _LEFT and event.modifiers() == Qt.KeyboardModifier.NoModifier
        if not (is_plain and index.isValid() and self._table.selectionModel().isSelected(index)):
            self._pressed = None
            return False
        self._pressed = event.position().toPoint()
        self._table.setFocus(Qt.FocusReason.MouseFocusReason)
        return True

    def _move(self, event: QMouseEvent) -> bool:
        if self._pressed is None:
            return False
        way = (event.position().toPoint() - self._pressed).manhattanLength()
        if event.buttons() & _LEFT and way >= QApplication.startDragDistance():
            self._pressed = None
            self.started.emit()
        return True

    def _release(self, event: QMouseEvent) -> bool:
        """It was a click: what the press would have done is done now."""
        if self._pressed is None:
            return False
        self._pressed = None
        press = QMouseEvent(
            QEvent.Type.MouseButtonPress,
            event.position(),
            event.globalPosition(),
            _LEFT,
            _LEFT,
            Qt.KeyboardModifier.NoModifier,
        )
        self._is_passing_on = True
        QApplication.sendEvent(self._table.viewport(), press)
        self._is_passing_on = False
        return False
