"""Paints the graph of relations: cards for what is here, hollow ones for what is not, arrows with their words."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen, QPolygonF

from confere.desktop.details.graph.graph_geometry import BESIDE_STATE, SIDES, Arrow, Geometry
from confere.desktop.details.graph.graph_nodes import Drawing, Node, NodeKind
from confere.desktop.theme.theme import Look
from confere.desktop.widgets.pill import pill_colours
from confere.system import formatting
from confere.system.messages import t

_ANTIALIAS = QPainter.RenderHint.Antialiasing
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_MIDDLE = Qt.AlignmentFlag.AlignCenter
_ELIDE = Qt.TextElideMode.ElideRight
_NO_PEN = Qt.PenStyle.NoPen
_NO_BRUSH = Qt.BrushStyle.NoBrush
_DASHES = Qt.PenStyle.DashLine
_FLAT = Qt.PenCapStyle.FlatCap
_ICON = 15
_ROUND = 7.0
_BAR = 4.0
_HEAD = 7.0
_SMALLEST = 7.0  # points
_STATE_SHARE = 0.75  # of a line; the rest tells the operation, or its beginning


@dataclass(frozen=True, slots=True)
class Fonts:
    """The fonts of a graph, from that of its widget."""

    plain: QFont
    bold: QFont
    small: QFont

    @classmethod
    def of(cls, font: QFont, share: float = 1.0) -> Fonts:
        """From `font`, at a `share` of its size."""
        plain = QFont(font)
        if share != 1.0:
            plain.setPointSizeF(max(font.pointSizeF() * share, _SMALLEST))
        bold, small = QFont(plain), QFont(plain)
        bold.setBold(True)
        small.setPointSizeF(max(plain.pointSizeF() - 1.5, _SMALLEST))
        return cls(plain, bold, small)


class GraphPainter:
    """Paints one drawing; `focused` is the node that the keyboard is on, `hovered` the one under the mouse."""

    def __init__(self, look: Look, fonts: Fonts, density: float) -> None:
        self._look, self._fonts, self._density = look, fonts, density
        self._plain = QFontMetricsF(fonts.plain)
        self._bold = QFontMetricsF(fonts.bold)
        self._small = QFontMetricsF(fonts.small)

    def paint(
        self,
        painter: QPainter,
        drawing: Drawing,
        geometry: Geometry,
        *,
        focused: str | None,
        has_focus: bool,
        hovered: str | None,
    ) -> None:
        painter.setRenderHint(_ANTIALIAS)
        for line in geometry.lines:
            self._arrow(painter, line, focused in (line.arc.source, line.arc.target))
        for node in drawing.nodes:
            rect = geometry.cards[node.id]
            if node.kind is NodeKind.DOCUMENT:
                self._document(painter, node, rect, node.id == hovered)
                if node.more:
                    self._stub(painter, node, rect)
            else:
                self._small_card(painter, node, rect, node.id == hovered)
            if node.id == focused and has_focus:
                painter.setPen(QPen(QColor(self._look.colours.accent), 2))
                painter.setBrush(_NO_BRUSH)
                painter.drawRoundedRect(rect.adjusted(-3, -3, 3, 3), _ROUND + 3, _ROUND + 3)
        for line in geometry.lines:
            self._words(painter, line, focused in (line.arc.source, line.arc.target))

    def _arrow(self, painter: QPainter, line: Arrow, is_near: bool) -> None:
        colours = self._look.colours
        ink = QColor(colours.muted if is_near else colours.strong_line)
        if line.arc.of_order and not line.arc.certain:
            painter.setPen(QPen(ink, 1, _DASHES, _FLAT))
        else:
            painter.setPen(QPen(ink, 1.4))
        painter.setBrush(_NO_BRUSH)
        painter.drawPath(line.path)
        if not line.arc.of_order:
            end = line.path.pointAtPercent(1)
            before = line.path.pointAtPercent(line.path.percentAtLength(max(line.path.length() - _HEAD, 0)))
            way = end - before
            across = QPointF(-way.y(), way.x()) * 0.5
            painter.setPen(_NO_PEN)
            painter.setBrush(ink)
            painter.drawPolygon(QPolygonF([end, before + across, before - across]))

    def _words(self, painter: QPainter, line: Arrow, is_near: bool) -> None:
        if line.words.isEmpty():
            return
        colours = self._look.colours
        painter.setFont(self._fonts.small)
        painter.fillRect(line.words, QColor(colours.surface))
        painter.setPen(QColor(colours.text if is_near else colours.muted))
        painter.drawText(line.words, _MIDDLE, self._small.elidedText(line.arc.words, _ELIDE, line.words.width()))

    def _document(self, painter: QPainter, node: Node, rect: QRectF, is_hovered: bool) -> None:
        colours = self._look.colours
        self._frame(painter, node, rect, is_hovered)
        if not node.absent:
            _, ink = pill_colours(colours, node.tone)
            painter.save()
            painter.setClipRect(QRectF(rect.left(), rect.top(), _BAR, rect.height()))
            painter.setPen(_NO_PEN)
            painter.setBrush(QColor(ink if node.tone != "neutral" else colours.strong_line))
            painter.drawRoundedRect(rect, _ROUND, _ROUND)
            painter.restore()
        inner = rect.adjusted(SIDES / 2 + 1, 9, 1 - SIDES / 2, -9)
        first = QRectF(inner.left(), inner.top(), inner.width(), self._plain.height())
        self._head(painter, node, first)
        second = first.translated(0, first.height() + 1)
        if node.absent:
            self._absent(painter, node, second)
            return
        room = second
        painter.setFont(self._fonts.plain)
        if node.state:
            state = self._plain.elidedText(node.state, _ELIDE, second.width() * _STATE_SHARE)
            painter.setPen(QColor(pill_colours(colours, node.tone)[1]))
            painter.drawText(second, _RIGHT, state)
            room = second.adjusted(0, 0, -self._plain.horizontalAdvance(state) - BESIDE_STATE, 0)
        self._text(painter, node.subtitle, room, self._fonts.plain, self._plain, colours.text)
        third = second.translated(0, second.height() + 1)
        painter.setPen(QColor(colours.muted))
        painter.drawText(third, _LEFT, node.date)
        painter.setPen(QColor(colours.text))
        painter.drawText(third, _RIGHT, node.value)

    def _absent(self, painter: QPainter, node: Node, rect: QRectF) -> None:
        """What is known of one that is not here, that it is not, and its key."""
        colours, line = self._look.colours, rect
        if node.subtitle:
            self._text(painter, node.subtitle, line, self._fonts.plain, self._plain, colours.muted)
            line = QRectF(line.left(), line.bottom(), line.width(), self._small.height())
        font, metrics = (self._fonts.small, self._small) if node.subtitle else (self._fonts.plain, self._plain)
        self._text(painter, t("not in the archive"), line, font, metrics, colours.warn)
        line = QRectF(line.left(), line.bottom(), line.width(), self._small.height())
        for text in node.key:
            self._text(painter, text, line, self._fonts.small, self._small, colours.muted)
            line = line.translated(0, self._small.height())

    def _frame(self, painter: QPainter, node: Node, rect: QRectF, is_hovered: bool) -> None:
        colours = self._look.colours
        if node.absent:
            painter.setPen(QPen(QColor(colours.muted), 1.2, _DASHES, _FLAT))
            painter.setBrush(_NO_BRUSH if not is_hovered else QColor(colours.raised))
        elif node.is_self:
            painter.setPen(QPen(QColor(colours.accent), 1.6))
            painter.setBrush(QColor(colours.accent_soft))
        else:
            painter.setPen(QPen(QColor(colours.strong_line), 1))
            painter.setBrush(QColor(colours.raised if is_hovered else colours.surface))
        painter.drawRoundedRect(rect, _ROUND, _ROUND)

    def _head(self, painter: QPainter, node: Node, rect: QRectF) -> None:
        colours = self._look.colours
        role = "muted" if node.absent else "text"
        top = rect.center().y() - _ICON / 2
        painter.drawPixmap(
            QPointF(rect.left(), top), self._look.picture(node.icon, role, _ICON, self._density)
        )  # fmt: skip
        room = rect.adjusted(_ICON + 6, 0, 0, 0)
        if node.events:
            count = formatting.count(node.events)
            width = self._small.horizontalAdvance(count)
            painter.setFont(self._fonts.small)
            painter.setPen(QColor(colours.muted))
            painter.drawText(room, _RIGHT, count)
            left = room.right() - width - _ICON - 2
            painter.drawPixmap(QPointF(left, top), self._look.picture("event", "muted", _ICON, self._density))
            room = room.adjusted(0, 0, -width - _ICON - 8, 0)
        self._text(
            painter, node.title, room, self._fonts.bold, self._bold, colours.muted if node.absent else colours.text
        )

    def _small_card(self, painter: QPainter, node: Node, rect: QRectF, is_hovered: bool) -> None:
        """An order, or what stands for those that are not drawn."""
        colours = self._look.colours
        is_order = node.kind is NodeKind.ORDER
        if node.absent:
            painter.setPen(QPen(QColor(colours.muted), 1.2, _DASHES, _FLAT))
        else:
            painter.setPen(QPen(QColor(colours.line if is_order and not is_hovered else colours.strong_line), 1))
        is_filled = (is_order and not node.absent) or is_hovered
        painter.setBrush(QColor(colours.raised if is_filled else colours.surface))
        painter.drawRoundedRect(rect, _ROUND * 2, _ROUND * 2)
        inner = rect.adjusted(SIDES / 2, 6, -SIDES / 2, -6)
        height = self._plain.height()
        first = QRectF(inner.left(), inner.top(), inner.width(), height)
        has_two = bool(node.subtitle or node.value)
        if not has_two:
            first.moveCenter(QPointF(first.center().x(), rect.center().y()))
        self._text(painter, node.title, first, self._fonts.plain, self._plain, colours.text)
        if has_two:
            second = first.translated(0, height)
            painter.setFont(self._fonts.small)
            painter.setPen(QColor(colours.text))
            painter.drawText(second, _RIGHT, node.value)
            room = second.adjusted(0, 0, -self._small.horizontalAdvance(node.value) - BESIDE_STATE, 0)
            self._text(painter, node.subtitle, room, self._fonts.small, self._small, colours.muted)

    def _stub(self, painter: QPainter, node: Node, rect: QRectF) -> None:
        """How many more are tied to this one: a tag on the lower edge of its card."""
        colours = self._look.colours
        text = f"+{formatting.count(node.more)}"
        width, height = self._small.horizontalAdvance(text) + 10, self._small.height()
        tag = QRectF(rect.right() - width - 8, rect.bottom() - height / 2, width, height)
        painter.setPen(QPen(QColor(colours.strong_line), 1))
        painter.setBrush(QColor(colours.surface))
        painter.drawRoundedRect(tag, height / 2, height / 2)
        painter.setFont(self._fonts.small)
        painter.setPen(QColor(colours.muted))
        painter.drawText(tag, _MIDDLE, text)

    @staticmethod
    def _text(painter: QPainter, text: str, rect: QRectF, font: QFont, metrics: QFontMetricsF, colour: str) -> None:
        painter.setFont(font)
        painter.setPen(QColor(colour))
        painter.drawText(rect, _LEFT, metrics.elidedText(text, _ELIDE, rect.width()))
