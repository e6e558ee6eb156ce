"""Where the cards and the arrows of a graph come to stand on the screen, from left to right or from top to bottom."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QLineF, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QFontMetricsF, QPainterPath

from confere.desktop.details.graph.graph_nodes import Arc, Drawing, Node, NodeKind

MARGIN = 12.0
SIDES = 24.0  # of a card, beside its text
BESIDE_STATE = 8.0  # between an operation and the state in the same line
_PADDING = 8.0
_CORNER = 7.0
_SLIDES = (0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8)
_ASIDE_OF_STAGE = 11.0
_NARROWEST, _WIDEST = 20, 36  # characters of a card
_BETWEEN = 10.0  # at least, of a date and the value in the same line
_WIDEST_LABEL = 150.0
_LABEL_ROOM = 22.0
_NO_LABEL = 22.0
_DOWN, _UP, _LEFT, _RIGHT = Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_Left, Qt.Key.Key_Right
_WAYS = {_DOWN: (0, 1), _UP: (0, -1), _LEFT: (-1, 0), _RIGHT: (1, 0)}
_ASIDE = 2.5  # how much worse it is to be beside the way than farther along it


@dataclass(frozen=True, slots=True)
class Arrow:
    """An arrow: its curve from the one that refers to the one it names, and where its words stand."""

    arc: Arc
    path: QPainterPath
    words: QRectF


@dataclass(frozen=True, slots=True)
class _Way:
    """Which way stages go, with the room between cards; lines are thought of as if it were from left to right."""

    across: bool
    gap: QSizeF

    def point(self, point: QPointF) -> QPointF:
        return point if self.across else QPointF(point.y(), point.x())

    def turned(self, rect: QRectF) -> QRectF:
        return rect if self.across else QRectF(rect.top(), rect.left(), rect.height(), rect.width())

    @property
    def turned_size(self) -> QSizeF:
        return self.gap if self.across else self.gap.transposed()


@dataclass(frozen=True, slots=True)
class Geometry:
    """Every card by its node's id, every arrow, and the room that all of it takes."""

    cards: Mapping[str, QRectF]
    lines: tuple[Arrow, ...]
    size: QSizeF
    across: bool  # stages go from left to right

    def at(self, point: QPointF) -> str | None:
        """The node under a point."""
        return next((name for name, rect in self.cards.items() if rect.contains(point)), None)

    def beside(self, name: str, key: int) -> str | None:
        """The nearest node in the direction of an arrow key."""
        way = _WAYS.get(Qt.Key(key))
        if way is None or name not in self.cards:
            return None
        here = self.cards[name].center()
        best: tuple[float, str] | None = None
        for other, rect in self.cards.items():
            there = rect.center() - here
            along = there.x() * way[0] + there.y() * way[1]
            aside = abs(there.x() * way[1]) + abs(there.y() * way[0])
            if other != name and along > 1 and aside <= 4 * along:
                best = min(best or (float("inf"), ""), (along + _ASIDE * aside, other))
        return best[1] if best is not None else None


def fitting(drawing: Drawing, metrics: QFontMetricsF, small: QFontMetricsF, room: QSizeF) -> Geometry:
    """From left to right, as the chain is told; from top to bottom where only that fits."""
    across = lay_out(drawing, metrics, small, across=True)
    if _overflow(across, room) <= 0:
        return across
    down = lay_out(drawing, metrics, small, across=False)
    return down if _overflow(down, room) < _overflow(across, room) else across


def lay_out(drawing: Drawing, metrics: QFontMetricsF, small: QFontMetricsF, *, across: bool) -> Geometry:
    """Measure everything by the font in use."""
    if not drawing.nodes:
        return Geometry({}, (), QSizeF(0, 0), across)
    card = card_size(drawing, metrics, small)
    widest = max((small.horizontalAdvance(arc.words) for arc in drawing.arcs), default=0.0)
    words = min(widest, _WIDEST_LABEL)
    line = small.height()
    stages = {node.id: node.stage for node in drawing.nodes}
    spans = [stages.get(arc.source, 0) - stages.get(arc.target, 0) for arc in drawing.arcs if arc.words]
    beside = any(span != 1 for span in spans)
    if across:
        gap = QSizeF(words + _LABEL_ROOM, line + 14)
    else:
        gap = QSizeF(words + _LABEL_ROOM if beside else _NO_LABEL, line + 20)
    cards: dict[str, QRectF] = {}
    for node in drawing.nodes:
        column, row = (node.stage, node.lane) if across else (node.lane, node.stage)
        x = MARGIN + column * (card.width() + gap.width())
        y = MARGIN + row * (card.height() + gap.height())
        cards[node.id] = _card(node, QRectF(x, y, card.width(), card.height()), metrics, across)
    nodes = {node.id: node for node in drawing.nodes}
    way = _Way(across, gap)
    drawn = [
        _line(arc, nodes, cards, small, way) for arc in drawing.arcs if arc.source in cards and arc.target in cards
    ]
    lines = _told_apart(drawn, list(cards.values()))
    right = max(rect.right() for rect in cards.values())
    bottom = max(rect.bottom() for rect in cards.values())
    return Geometry(cards, tuple(lines), QSizeF(right + MARGIN, bottom + MARGIN), across)


def card_size(drawing: Drawing, metrics: QFontMetricsF, small: QFontMetricsF) -> QSizeF:
    """One size for all: as wide as a key in two lines, as high as the card with most lines."""
    character = metrics.averageCharWidth()
    keys = [line for node in drawing.nodes for line in node.key]
    documents = [node for node in drawing.nodes if node.kind is NodeKind.DOCUMENT]
    named = [_second_line(node, metrics) for node in documents]
    dated = [metrics.horizontalAdvance(node.date + node.value) + _BETWEEN for node in documents]
    width = max(
        [
            character * _NARROWEST,
            min(max([*named, *dated], default=0.0), character * _WIDEST),
            *(small.horizontalAdvance(line) for line in keys),
        ]
    )
    high = 3 * metrics.height()
    if keys:
        told = any(node.key and node.subtitle for node in drawing.nodes)
        high = 2 * metrics.height() + (3 if told else 2) * small.height()
    return QSizeF(width + SIDES, high + 2 * _PADDING + 4)


def _second_line(node: Node, metrics: QFontMetricsF) -> float:
    """How wide the line of operation and state is."""
    state = metrics.horizontalAdvance(node.state) + BESIDE_STATE if node.state else 0.0
    return metrics.horizontalAdvance(node.subtitle) + state


def _card(node: Node, rect: QRectF, metrics: QFontMetricsF, across: bool) -> QRectF:
    """Orders are lower than documents and no wider than their words; both begin at the same line."""
    if node.kind is NodeKind.DOCUMENT:
        return rect
    lines = 2 if node.subtitle or node.value else 1
    height = lines * metrics.height() + _PADDING * 1.5
    below = metrics.horizontalAdvance(node.subtitle + node.value) + (_BETWEEN if node.value else 0)
    width = min(rect.width(), max(metrics.horizontalAdvance(node.title), below) + SIDES)
    return QRectF(rect.left(), rect.top() if across else rect.center().y() - height / 2, width, height)


def _line(arc: Arc, nodes: Mapping[str, Node], cards: Mapping[str, QRectF], small: QFontMetricsF, way: _Way) -> Arrow:
    source, target = cards[arc.source], cards[arc.target]
    span = nodes[arc.source].stage - nodes[arc.target].stage
    width, height = min(small.horizontalAdvance(arc.words), _WIDEST_LABEL) + 8, small.height()
    rect = QRectF(0, 0, width, height)
    if span > 1:
        path, middle = _over_others(source, target, way, [way.turned(card) for card in cards.values()])
        rect.moveCenter(middle)
    elif span != 0:
        path = _curve(source, target, way)
        rect.moveCenter(path.pointAtPercent(0.5))
    elif abs(nodes[arc.source].lane - nodes[arc.target].lane) <= 1:
        path = _straight(source, target, way)
        rect.moveCenter(path.pointAtPercent(0.5))
    else:
        path = _around(source, target, way)
        if way.across:
            rect.moveTopLeft(QPointF(source.left(), source.top() - height - 2))
        else:
            rect.moveTopLeft(QPointF(source.left() - width - 2, source.bottom() - height))
    return Arrow(arc, path, rect if arc.words else QRectF())


def _told_apart(lines: Sequence[Arrow], cards: Sequence[QRectF]) -> list[Arrow]:
    """Words slide along their own line until they lie on no card and on no other words."""
    found: list[Arrow] = []
    taken: list[QRectF] = []
    for line in lines:
        if line.words.isEmpty():
            found.append(line)
            continue
        places = [line.words, *(_centred(line, place) for place in _SLIDES)]
        places += [line.words.translated(step * (line.words.width() + 4), 0) for step in (1, 2)]
        apart = [place for place in places if not any(place.intersects(other) for other in taken)] or places
        free = (place for place in apart if not any(place.intersects(card) for card in cards))
        best = next(free, apart[0])
        taken.append(best)
        found.append(replace(line, words=best))
    return found


def _centred(line: Arrow, place: float) -> QRectF:
    rect = QRectF(line.words)
    rect.moveCenter(line.path.pointAtPercent(place))
    return rect


def _curve(source: QRectF, target: QRectF, way: _Way) -> QPainterPath:
    """Between two stages beside each other: out of the side that looks to the other, and into it."""
    one, other = way.turned(source), way.turned(target)
    back = one.center().x() > other.center().x()
    start = QPointF(one.left() if back else one.right(), one.center().y())
    end = QPointF(other.right() if back else other.left(), other.center().y())
    bend = QPointF((start.x() - end.x()) / 2, 0)
    path = QPainterPath(way.point(start))
    path.cubicTo(way.point(start - bend), way.point(end + bend), way.point(end))
    return path


def _over_others(source: QRectF, target: QRectF, way: _Way, cards: Sequence[QRectF]) -> tuple[QPainterPath, QPointF]:
    """Over stages between them: through the free room between two rows. Its words stand in the middle of that."""
    one, other = way.turned(source), way.turned(target)
    gap = way.turned_size
    first, last = one.left() - gap.width() * 0.6, other.right() + gap.width() * 0.3
    below = one.bottom() + gap.height() / 2
    half = (one.height() + gap.height()) / 2  # rows that stand between two others are half a row off
    level = next(
        (
            level
            for level in (below, below - half, below + half)
            if not any(card.intersects(QRectF(last, level - 1, first - last, 2)) for card in cards)
        ),
        below,
    )
    out, into = one.top() + one.height() * 0.8, other.top() + other.height() * 0.8
    corners = [
        QPointF(one.left(), out),
        QPointF(first, out),
        QPointF(first, level),
        QPointF(last, level),
        QPointF(last, into),
        QPointF(other.right(), into),
    ]
    return _rounded([way.point(corner) for corner in corners]), way.point(QPointF((first + last) / 2, level))


def _rounded(corners: Sequence[QPointF]) -> QPainterPath:
    """A line with round corners."""
    path = QPainterPath(corners[0])
    for before, corner, after in zip(corners, corners[1:], corners[2:], strict=False):
        path.lineTo(_towards(corner, before))
        path.quadTo(corner, _towards(corner, after))
    path.lineTo(corners[-1])
    return path


def _towards(corner: QPointF, other: QPointF) -> QPointF:
    """A little way from a corner to another one."""
    way = QLineF(corner, other)
    way.setLength(min(_CORNER, way.length() / 2))
    return way.p2()


def _straight(source: QRectF, target: QRectF, way: _Way) -> QPainterPath:
    """Between neighbours of one stage. Both begin at the same line, and the lower of them tells the height."""
    one, other = way.turned(source), way.turned(target)
    back = one.center().y() > other.center().y()
    level = one.center().x()
    path = QPainterPath(way.point(QPointF(level, one.top() if back else one.bottom())))
    path.lineTo(way.point(QPointF(level, other.bottom() if back else other.top())))
    return path


def _around(source: QRectF, target: QRectF, way: _Way) -> QPainterPath:
    """Between two of one stage with others between them: along the outside."""
    one, other = way.turned(source), way.turned(target)
    if way.across:
        side = min(one.left(), other.left()) - _ASIDE_OF_STAGE
        ends = (one.left(), other.left())
    else:
        side = max(one.right(), other.right()) + _ASIDE_OF_STAGE
        ends = (one.right(), other.right())
    out, into = one.center().y(), other.bottom() - other.height() * 0.2
    corners = [QPointF(ends[0], out), QPointF(side, out), QPointF(side, into), QPointF(ends[1], into)]
    return _rounded([way.point(corner) for corner in corners])


def _overflow(found: Geometry, room: QSizeF) -> float:
    return max(0.0, found.size.width() - room.width()) + max(0.0, found.size.height() - room.height())
