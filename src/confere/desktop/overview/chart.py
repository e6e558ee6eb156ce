"""The bar chart of a month, painted by hand: stacked by type, read with the mouse or the arrow keys."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleEvent,
    QBrush,
    QColor,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from confere.app.labels.labels import type_word
from confere.desktop.overview.chart_data import Bar, BarPart, sentence, short_name
from confere.desktop.theme.palettes import Colours
from confere.desktop.theme.theme import Look
from confere.system import formatting
from confere.system.messages import t

HIGHEST = 220  # pixels: what is beside and below it is not to be pushed off the screen
_LINES = 4  # that the scale is parted into, at most
_GAP = 8
_WIDEST_BAR = 46.0
_SHARE = 0.68  # of a bar in the room that it has
_SWATCH = 10
_STEPS = (1, 2, 5)
_CENTS = 100
_NO_CENTS = ",00"
_INKS = {"nfe": "accent", "cte": "bar_cte", "nfce": "bar_nfce", "mdfe": "bar_mdfe", "cteos": "bar_cteos"}


class BarMeasure(StrEnum):
    """What the height of a bar stands for."""

    COUNT = "count"
    WORTH = "worth"


class DayChart(QWidget):
    """`pointed` tells the bar under the mouse or the keyboard's (None for none), `chosen` the one to open."""

    pointed = Signal(object)
    chosen = Signal(object)

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._bars: tuple[Bar, ...] = ()
        self._measure = BarMeasure.COUNT
        self._at: int | None = None
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMaximumHeight(HIGHEST)
        self.setAccessibleName(t("Documents by day"))
        look.changed.connect(self.update)

    @property
    def bars(self) -> tuple[Bar, ...]:
        return self._bars

    @property
    def current(self) -> Bar | None:
        """The bar that is pointed at."""
        return self._bars[self._at] if self._at is not None else None

    def put(self, bars: Sequence[Bar]) -> None:
        """Show these; what is pointed at stays so where it still is."""
        before = self.current
        self._bars = tuple(bars)
        names = [bar.when for bar in self._bars]
        self._at = names.index(before.when) if before is not None and before.when in names else None
        self._describe()
        self.pointed.emit(self.current)
        self.update()

    def measure(self, measure: BarMeasure) -> None:
        """Let heights be counts or worth."""
        self._measure = measure
        self.update()

    def point(self, place: int | None) -> None:
        """Point at this bar."""
        if place != self._at:
            self._at = place
            self._describe()
            self.pointed.emit(self.current)
            self.update()

    def bar_rect(self, place: int) -> QRectF:
        """Where this bar stands, from top to bottom of the chart."""
        plot = self._plot()
        room = plot.width() / max(len(self._bars), 1)
        return QRectF(plot.left() + place * room, plot.top(), room, plot.height())

    def sizeHint(self) -> QSize:
        line = self.fontMetrics().height()
        return QSize(line * 34, min(line * 15, HIGHEST))

    def minimumSizeHint(self) -> QSize:
        line = self.fontMetrics().height()
        return QSize(line * 16, min(line * 10, HIGHEST))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.point(self._place(event.position()))

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        if not self.hasFocus():
            self.point(None)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        place = self._place(event.position())
        if event.button() == Qt.MouseButton.LeftButton and place is not None:
            self.chosen.emit(self._bars[place])

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.point(None)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        last = len(self._bars) - 1
        keys = Qt.Key
        moves = {
            keys.Key_Left: max((self._at if self._at is not None else last + 1) - 1, 0),
            keys.Key_Right: min((self._at if self._at is not None else -1) + 1, last),
            keys.Key_Home: 0,
            keys.Key_End: last,
        }
        key = keys(event.key())
        if last >= 0 and key in moves:
            self.point(moves[key])
        elif key in (keys.Key_Return, keys.Key_Enter, keys.Key_Space) and self.current is not None:
            self.chosen.emit(self.current)
        elif key == keys.Key_Escape and self._at is not None:
            self.point(None)
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setClipRegion(event.region())
        colours = self._look.colours
        self._paint_legend(painter, colours)
        top = self._top()
        self._paint_scale(painter, colours, top)
        for place in range(len(self._bars)):
            self._paint_bar(painter, colours, place, top)
        self._paint_names(painter, colours)
        if self.hasFocus():
            painter.setPen(QPen(QColor(colours.accent), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        painter.end()

    def _plot(self) -> QRectF:
        metrics = self.fontMetrics()
        left = metrics.horizontalAdvance(self._scale_word(self._top())) + 2 * _GAP
        above, below = metrics.height() + 2 * _GAP, metrics.height() + _GAP
        return QRectF(left, above, max(self.width() - left - _GAP, 1), max(self.height() - above - below, 1))

    def _place(self, where: QPointF) -> int | None:
        plot = self._plot()
        if not self._bars or not plot.left() <= where.x() < plot.right() or where.y() < plot.top():
            return None
        return min(int((where.x() - plot.left()) / plot.width() * len(self._bars)), len(self._bars) - 1)

    def _height(self, part: BarPart | Bar) -> int:
        return part.count if self._measure is BarMeasure.COUNT else part.worth

    def _top(self) -> int:
        """The end of the scale: a round number, a whole one in documents and reais."""
        unit = 1 if self._measure is BarMeasure.COUNT else _CENTS
        highest = max((self._height(bar) for bar in self._bars), default=0)
        return _round_up(-(-highest // unit)) * unit

    def _scale_word(self, value: int) -> str:
        return (
            formatting.count(value) if self._measure is BarMeasure.COUNT else formatting.money(value)[: -len(_NO_CENTS)]
        )

    def _paint_legend(self, painter: QPainter, colours: Colours) -> None:
        metrics = painter.fontMetrics()
        x, middle = self._plot().left(), _GAP + metrics.height() / 2
        for kind in dict.fromkeys(part.type for bar in self._bars for part in bar.parts):
            word = type_word(kind)
            painter.fillRect(QRectF(x, middle - _SWATCH / 2, _SWATCH, _SWATCH), _ink(colours, kind))
            x = self._paint_word(painter, colours, x + _SWATCH + 6, middle, word) + 2 * _GAP
        if any(bar.unlisted for bar in self._bars):
            painter.fillRect(QRectF(x, middle - _SWATCH / 2, _SWATCH, _SWATCH), _hatch(colours))
            self._paint_word(painter, colours, x + _SWATCH + 6, middle, t("never listed whole"))

    def _paint_word(self, painter: QPainter, colours: Colours, x: float, middle: float, word: str) -> float:
        metrics = painter.fontMetrics()
        painter.setPen(QColor(colours.muted))
        painter.drawText(QPointF(x, middle + metrics.ascent() / 2 - metrics.descent() / 4), word)
        return x + metrics.horizontalAdvance(word)

    def _paint_scale(self, painter: QPainter, colours: Colours, top: int) -> None:
        plot, metrics = self._plot(), painter.fontMetrics()
        lines = _lines(top if self._measure is BarMeasure.COUNT else top // _CENTS)
        for number in range(lines + 1):
            y = round(plot.bottom() - plot.height() * number / lines) + 0.5
            painter.setPen(QPen(QColor(colours.strong_line if number == 0 else colours.line), 1))
            painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y))
            painter.setPen(QColor(colours.muted))
            box = QRectF(0, y - metrics.height() / 2, plot.left() - _GAP, metrics.height())
            painter.drawText(
                box,
                Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter,
                self._scale_word(top * number // lines),
            )

    def _paint_bar(self, painter: QPainter, colours: Colours, place: int, top: int) -> None:
        bar, room = self._bars[place], self.bar_rect(place)
        if place == self._at:
            painter.fillRect(room, QColor(colours.accent_soft))
        if bar.unlisted:
            painter.fillRect(room, _hatch(colours))
        width = min(room.width() * _SHARE, _WIDEST_BAR)
        bottom = room.bottom()
        for part in bar.parts:
            height = room.height() * self._height(part) / top
            if height > 0:
                height = max(height, 1.5)  # a single document among thousands is still to be seen
                box = QRectF(room.center().x() - width / 2, bottom - height, width, height)
                painter.fillRect(box, _ink(colours, part.type))
                bottom -= height + (0.75 if height > 3 else 0)

    def _paint_names(self, painter: QPainter, colours: Colours) -> None:
        metrics = painter.fontMetrics()
        names = [short_name(bar) for bar in self._bars]
        widest = max((metrics.horizontalAdvance(name) for name in names), default=0)
        every = max(1, -(-(widest + _GAP) * len(names) // max(int(self._plot().width()), 1)))
        for place, name in enumerate(names):
            # The name of the bar that is pointed at takes the room of those beside it.
            crowded = self._at is not None and 0 < abs(place - self._at) < every
            if place == self._at or (place % every == 0 and not crowded):
                room = self.bar_rect(place)
                painter.setPen(QColor(colours.text if place == self._at else colours.muted))
                box = QRectF(room.center().x() - widest, room.bottom() + 4, 2 * widest, metrics.height())
                painter.drawText(box, Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop, name)

    def _describe(self) -> None:
        bar = self.current
        text = (
            sentence(bar)
            if bar is not None
            else t("Use the arrow keys to read day by day, Enter to see the documents.")
        )
        self.setAccessibleDescription(text)
        QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.DescriptionChanged))


def _ink(colours: Colours, kind: str) -> QColor:
    return QColor(getattr(colours, _INKS.get(kind, "muted")))


def _hatch(colours: Colours) -> QBrush:
    return QBrush(QColor(colours.strong_line), Qt.BrushStyle.BDiagPattern)


def _round_up(highest: int) -> int:
    """The next 1, 2 or 5 with noughts of which the scale's lines fall on whole numbers."""
    if highest <= _LINES:
        return max(highest, 1)
    step = 1
    while True:
        for part in _STEPS:
            if part * step * _LINES >= highest:
                return part * step * -(-highest // (part * step))
        step *= 10


def _lines(top: int) -> int:
    """How many steps of 1, 2 or 5 the scale up to `top` has."""
    if top <= _LINES:
        return top
    step = 1
    while True:
        for part in _STEPS:
            if part * step * _LINES >= top:
                return max(top // (part * step), 1)
        step *= 10
