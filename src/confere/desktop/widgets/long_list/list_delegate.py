"""Paints the cells of a long list: elided text, a pill for a state, drawings with a count."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPen, QPixmap
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from confere.desktop.theme import icons
from confere.desktop.theme.measures import COMPACT_ROW, GAP, ICON, ROW
from confere.desktop.theme.tag_colours import tag_colour
from confere.desktop.theme.theme import Look
from confere.desktop.widgets.long_list.list_columns import Badge
from confere.desktop.widgets.long_list.list_model import LongListModel
from confere.desktop.widgets.pill import pill_colours, pill_edge

Index = QModelIndex | QPersistentModelIndex

_LEFT: Final = (Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine).value
_RIGHT: Final = (Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine).value
# As numbers: to join two flags Python makes an enum of them, which costs more than to fill a cell.
_SELECTED: Final = QStyle.StateFlag.State_Selected.value
_FOCUSED: Final = QStyle.StateFlag.State_HasFocus.value
_ELIDE = Qt.TextElideMode.ElideRight
_NO_PEN = Qt.PenStyle.NoPen
_NO_BRUSH = Qt.BrushStyle.NoBrush
_SMOOTH = QPainter.RenderHint.Antialiasing
_MOST_CUT = 20_000
_DOT = 7  # across
_DOT_STEP = 5  # from one dot to the next, which it overlaps
_MOST_DOTS = 3


class ListDelegate(QStyledItemDelegate):
    """Draws from the model's lines directly: through `data` every cell would cost a dozen calls."""

    def __init__(self, model: LongListModel[Any, Any, Any], look: Look, parent: QWidget) -> None:
        super().__init__(parent)
        self._model = model
        self._columns = model.plan.columns
        self._look = look
        self._parent = parent
        self._cut: dict[tuple[str, int], str] = {}
        self.prepare()
        look.changed.connect(self.prepare)

    def prepare(self) -> None:
        """Take colours and fonts from the look and the list; again after either changed."""
        colours = self._look.colours
        self._text, self._muted = QPen(QColor(colours.text)), QPen(QColor(colours.muted))
        self._line, self._chosen = QColor(colours.line), QColor(colours.accent_soft)
        self._dot_edge = QPen(QColor(colours.surface), 1)
        self._ring = QPen(QColor(colours.accent), 1)
        self._pills: dict[str, tuple[QPen, QColor, QPen]] = {}
        for kind in ("good", "warn", "bad", "info", "neutral"):
            soft, ink = pill_colours(colours, kind)
            self._pills[kind] = (QPen(QColor(ink)), QColor(soft), QPen(QColor(pill_edge(colours, kind))))
        self._marks: dict[tuple[str, str, float], QPixmap] = {}
        self._plain = QFont(self._parent.font())
        self._plain.setFeature(QFont.Tag("tnum"), 1)
        self._struck = QFont(self._plain)
        self._struck.setStrikeOut(True)
        self._small = QFont(self._plain)
        self._small.setPointSizeF(max(self._plain.pointSizeF() * 0.92, 6))
        self._metrics, self._small_metrics = QFontMetrics(self._plain), QFontMetrics(self._small)
        self._cut.clear()

    @property
    def row_height(self) -> int:
        """A row's, which grows with the font."""
        usual, air = (COMPACT_ROW, 4) if self._look.is_compact else (ROW, 12)
        return max(usual, self._metrics.height() + air)

    def wanted_width(self, index: Index) -> int:
        """How wide the column must be to show this cell in full."""
        line = self._model.line(index.row())
        if line is None:
            return 0
        column = self._columns[index.column()]
        if column.mark:
            return ICON + 2 * GAP
        text = self._model.text(line, index.column())
        room = 2 * GAP + (2 * GAP if column.pill is not None else 0)
        return self._metrics.horizontalAdvance(text) + room + 2

    def sizeHint(self, _option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(self.wanted_width(index), self.row_height)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        rect, state = option.rect, option.state.value
        if state & _SELECTED:
            painter.fillRect(rect, self._chosen)
        left, top, width, height = rect.x(), rect.y(), rect.width(), rect.height()
        painter.fillRect(left, top + height - 1, width, 1, self._line)
        line = self._model.line(index.row())
        if line is not None:
            number = index.column()
            column = self._columns[number]
            text = self._model.text(line, number)
            pill = column.pill(line.row) if text and column.pill is not None else ""
            if pill:
                self._paint_pill(painter, rect, text, pill, is_chosen=bool(state & _SELECTED))
            elif text and column.badge is not None:
                badge = column.badge(line.row)
                if badge is not None:
                    self._paint_badge(painter, rect, badge)
            elif text:
                if column.dots is not None and (colours := column.dots(line.row)):
                    self._paint_dots(painter, rect, colours, at_left=column.right)
                struck = column.struck is not None and column.struck(line.row)
                painter.setPen(self._muted if struck or column.quiet else self._text)
                painter.setFont(self._struck if struck else self._plain)
                text = self._elided(text, width - 2 * GAP)
                painter.drawText(left + GAP, top, width - 2 * GAP, height - 1, _RIGHT if column.right else _LEFT, text)
        if state & _FOCUSED:
            painter.setPen(self._ring)
            painter.setBrush(_NO_BRUSH)
            painter.drawRect(left, top, width - 1, height - 2)

    def _elided(self, text: str, width: int) -> str:
        cut = self._cut.get((text, width))
        if cut is None:
            if len(self._cut) > _MOST_CUT:
                self._cut.clear()
            cut = self._cut[text, width] = self._metrics.elidedText(text, _ELIDE, width)
        return cut

    def _paint_pill(self, painter: QPainter, rect: QRect, text: str, kind: str, *, is_chosen: bool) -> None:
        pen, soft, edge = self._pills[kind]
        room = rect.width() - 2 * GAP
        text = self._small_metrics.elidedText(text, _ELIDE, room - 2 * GAP)
        width = min(self._small_metrics.horizontalAdvance(text) + 2 * GAP, room)
        height = min(self._small_metrics.height() + 4, rect.height() - 4)
        top = rect.y() + (rect.height() - 1 - height) / 2
        shape = QRectF(rect.x() + GAP, top, width, height)
        painter.setRenderHint(_SMOOTH, True)
        painter.setPen(edge if is_chosen else _NO_PEN)
        painter.setBrush(soft)
        painter.drawRoundedRect(shape.adjusted(0.5, 0, -0.5, 0), height / 2, height / 2)
        painter.setRenderHint(_SMOOTH, False)
        painter.setPen(pen)
        painter.setFont(self._small)
        painter.drawText(shape.translated(GAP, 0), _LEFT, text)

    def _paint_dots(self, painter: QPainter, rect: QRect, colours: Sequence[int], *, at_left: bool) -> None:
        """The tags of a row, the first on top; how many more there are the tooltip says."""
        shown = colours[:_MOST_DOTS]
        width = _DOT + (len(shown) - 1) * _DOT_STEP
        left = rect.x() + 3 if at_left else rect.right() - 3 - width
        top = rect.y() + (rect.height() - 1 - _DOT) / 2
        painter.setRenderHint(_SMOOTH, True)
        painter.setPen(self._dot_edge)
        for place in range(len(shown) - 1, -1, -1):
            painter.setBrush(QColor(tag_colour(shown[place], self._look.colours)))
            painter.drawEllipse(QRectF(left + place * _DOT_STEP, top, _DOT, _DOT))
        painter.setRenderHint(_SMOOTH, False)

    def _paint_badge(self, painter: QPainter, rect: QRect, badge: Badge) -> None:
        self._paint_mark(painter, rect, badge.drawing, badge.role)
        if badge.number > 1:
            painter.setPen(self._pills[badge.role][0])
            painter.setFont(self._small)
            room = QRect(rect.x() + 6 + ICON + 3, rect.y(), rect.width() - ICON - 9, rect.height() - 1)
            painter.drawText(room, _LEFT, str(badge.number))

    def _paint_mark(self, painter: QPainter, rect: QRect, drawing: str, role: str) -> None:
        density = self._parent.devicePixelRatioF()
        mark = self._marks.get((drawing, role, density))
        if mark is None:
            mark = icons.pixmap(drawing, getattr(self._look.colours, role), ICON, density)
            self._marks[drawing, role, density] = mark
        painter.drawPixmap(QPointF(rect.x() + 6, rect.y() + (rect.height() - 1 - ICON) / 2), mark)
