"""The relations of a document as a list to walk: Enter goes to the other end; what is not here has a hollow mark."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QFont, QGuiApplication, QKeyEvent, QKeySequence, QPainter, QPen
from PySide6.QtWidgets import (
    QFrame,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from confere.app.documents.view.facts import Place
from confere.app.documents.view.loaded import Loaded
from confere.desktop.details.graph import relation_groups
from confere.desktop.details.graph.relation_groups import Kin
from confere.desktop.theme.theme import Look
from confere.desktop.widgets.plain_text import as_tip
from confere.system.messages import t

_Index = QModelIndex | QPersistentModelIndex
_DISPLAY = Qt.ItemDataRole.DisplayRole
_TIP = Qt.ItemDataRole.ToolTipRole
_SPOKEN = Qt.ItemDataRole.AccessibleTextRole
KIN = int(Qt.ItemDataRole.UserRole) + 1
_ENABLED = Qt.ItemFlag.ItemIsEnabled
_SELECTABLE = Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEnabled
_NONE = Qt.ItemFlag.NoItemFlags
_ELIDE = Qt.TextElideMode.ElideRight
_ELIDE_KEY = Qt.TextElideMode.ElideMiddle  # its end tells keys apart that begin alike
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_SELECTED = QStyle.StateFlag.State_Selected
_FOCUSED = QStyle.StateFlag.State_HasFocus
_ANTIALIAS = QPainter.RenderHint.Antialiasing
_HOLLOW = Qt.BrushStyle.NoBrush
_SIDE = 12
_MARK = 4.5
_SMALLEST = 7.0  # points
_WORDS = 34  # where the words begin, right of the mark


class RelationsModel(QAbstractListModel):
    """The lines of `kinship.of`."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows: tuple[Kin, ...] = ()

    def put(self, rows: tuple[Kin, ...]) -> None:
        self.beginResetModel()
        self.rows = rows
        self.endResetModel()

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.rows)

    def data(self, index: _Index, role: int = _DISPLAY) -> Any:
        if not index.isValid():
            return None
        row = self.rows[index.row()]
        if role == _DISPLAY:
            return row.title
        if role == KIN:
            return row
        if role in (_TIP, _SPOKEN) and not row.heading:
            told = ", ".join(filter(None, (row.title, row.value, row.detail, _mark_word(row), row.claimed)))
            return as_tip(told) if role == _TIP else told
        return None

    def flags(self, index: _Index) -> Qt.ItemFlag:
        if not index.isValid():
            return _NONE
        return _ENABLED if self.rows[index.row()].heading else _SELECTABLE


class RelationList(QListView):
    """Enter or a double click asks for the other end, be it a document or an order."""

    key_wanted = Signal(str)
    order_wanted = Signal(str, str)  # the account and the hub's id

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._place: Place | None = None
        self.rows_model = RelationsModel(self)
        self.setModel(self.rows_model)
        self.setItemDelegate(_Painter(look, self))
        self.setAccessibleName(t("Relations"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setMouseTracking(True)
        self.setUniformItemSizes(False)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.doubleClicked.connect(self._go)
        look.changed.connect(self.viewport().update)

    def show_document(self, loaded: Loaded) -> None:
        """Show the relations of this one; of the same one again, who walks them stays where they are."""
        rows = relation_groups.of(loaded)
        same, self._place = loaded.place == self._place, loaded.place
        if rows == self.rows_model.rows:
            return
        before = self.currentIndex().data(KIN)
        self.rows_model.put(rows)
        if len(rows) > 1:
            self.setCurrentIndex(self.rows_model.index(rows.index(before) if same and before in rows else 1))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._go()
        elif event.matches(QKeySequence.StandardKey.Copy):
            self._copy()
        else:
            super().keyPressEvent(event)

    def _go(self) -> None:
        row = self.currentIndex().data(KIN)
        if row is not None and row.order is not None:
            self.order_wanted.emit(*row.order)
        elif row is not None and row.access_key and row.archived:
            self.key_wanted.emit(row.access_key)

    def _copy(self) -> None:
        row = self.currentIndex().data(KIN)
        if row is not None and row.copied:
            QGuiApplication.clipboard().setText(row.copied)


class _Painter(QStyledItemDelegate):
    """Two lines: what it is with its value, and its key in groups of four."""

    def __init__(self, look: Look, parent: QObject) -> None:
        super().__init__(parent)
        self._look = look

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        row = index.data(KIN)
        line = option.fontMetrics.height()
        if row.heading:
            return QSize(100, line + 22)
        lines = 1 + bool(row.detail) + (not row.archived)
        return QSize(100, lines * (line + 2) + 14)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        row: Kin = index.data(KIN)
        colours = self._look.colours
        rect: QRect = option.rect
        painter.save()
        painter.setRenderHint(_ANTIALIAS)
        if option.state & _SELECTED and not row.heading:
            painter.fillRect(rect, QColor(colours.accent_soft))
        if option.state & _FOCUSED and not row.heading:
            painter.setPen(QColor(colours.accent))
            painter.drawRect(rect.adjusted(0, 0, -1, -1))
        if row.heading:
            self._heading(painter, option, row, rect)
        else:
            self._row(painter, option, row, rect)
        painter.restore()

    def _heading(self, painter: QPainter, option: QStyleOptionViewItem, row: Kin, rect: QRect) -> None:
        font = option.font
        font.setBold(True)
        painter.setFont(font)
        painter.setPen(QColor(self._look.colours.muted))
        room = rect.adjusted(_SIDE, 8, -_SIDE, 0)
        painter.drawText(room, _LEFT, painter.fontMetrics().elidedText(row.title, _ELIDE, room.width()))

    def _row(self, painter: QPainter, option: QStyleOptionViewItem, row: Kin, rect: QRect) -> None:
        colours, metrics = self._look.colours, option.fontMetrics
        line = metrics.height()
        first = QRect(rect.left() + _WORDS, rect.top() + 7, rect.width() - _WORDS - _SIDE, line)
        ink = QColor(colours.accent if row.archived else colours.muted)
        painter.setPen(QPen(ink, 1.6))
        painter.setBrush(ink if row.archived else _HOLLOW)
        place = QPointF(rect.left() + _SIDE + 8, first.center().y() + 0.5)
        if row.access_key:
            painter.drawEllipse(place, _MARK, _MARK)
        else:  # an order
            painter.drawRect(QRectF(place.x() - _MARK, place.y() - _MARK, 2 * _MARK, 2 * _MARK))
        painter.setFont(option.font)
        painter.setPen(QColor(colours.text))
        value = metrics.horizontalAdvance(row.value) + _SIDE if row.value else 0
        room = first.adjusted(0, 0, -value, 0)
        painter.drawText(room, _LEFT, metrics.elidedText(row.title, _ELIDE, room.width()))
        painter.drawText(first, _RIGHT, row.value)
        painter.setPen(QColor(colours.muted))
        second = first.translated(0, line + 2)
        small = QFont(option.font)
        small.setPointSizeF(max(small.pointSizeF() - 1, _SMALLEST))
        painter.setFont(small)
        painter.drawText(second, _LEFT, painter.fontMetrics().elidedText(row.detail, _ELIDE_KEY, second.width()))
        painter.setFont(option.font)
        if row.access_key and not row.archived:
            painter.setPen(QColor(colours.warn))
            painter.drawText(second.translated(0, line + 2), _LEFT, _mark_word(row))


def _mark_word(row: Kin) -> str:
    return "" if row.archived or row.heading else t("not in the archive")
