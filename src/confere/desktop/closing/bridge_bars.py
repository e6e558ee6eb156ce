"""The bars of the bridge: each line's amount, drawn from where the line before left off."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRectF
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QStyleOptionViewItem

from confere.app.closing.bridge import MonthBridge
from confere.desktop.theme.theme import Look
from confere.desktop.widgets.pill import PillDelegate
from confere.desktop.widgets.table import TableModel
from confere.sales.bridge import BridgeLine, BridgePart

_MARGIN = 8
_THIN = 2.0  # of a bar whose amount is too small to be seen
_WHOLE = (BridgePart.START, BridgePart.SUBTOTAL, BridgePart.END)


@dataclass(frozen=True, slots=True)
class BridgeRow:
    """A line as the table has it. `start` and `end` are where its bar begins and ends, as shares of the longest; both
    are None beside the sum."""

    line: BridgeLine
    label: str
    start: float | None
    end: float | None

    @property
    def kind(self) -> str:
        """The colour of its bar: totals, what adds, what takes away."""
        if self.line.code.part in _WHOLE:
            return "accent"
        return "good" if self.line.amount >= 0 else "warn"


def rows_of(made: MonthBridge) -> list[BridgeRow]:
    """The lines that have anything, with their bars."""
    running = 0
    ends: list[tuple[int, int] | None] = []
    for line in made.shown:
        if line.code.part is BridgePart.MEMO:
            ends.append(None)
            continue
        before = 0 if line.code.part in _WHOLE else running
        running = before + line.amount
        ends.append((before, running))
    low = min((min(each) for each in ends if each), default=0)
    reach = max(1, max((max(each) for each in ends if each), default=0) - low)
    return [
        BridgeRow(
            line,
            made.label(line.code),
            None if each is None else (each[0] - low) / reach,
            None if each is None else (each[1] - low) / reach,
        )
        for line, each in zip(made.shown, ends, strict=True)
    ]


class BarDelegate(PillDelegate):
    """Paints the bar of a row in its column."""

    def __init__(self, look: Look, model: TableModel[BridgeRow], parent: QObject | None = None) -> None:
        super().__init__(look, parent)
        self._model = model

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        super().paint(painter, option, index)
        rows: Sequence[BridgeRow] = self._model.rows
        row = rows[index.row()]
        if row.start is None or row.end is None:
            return
        rect = option.rect
        width = rect.width() - 2 * _MARGIN
        left, right = sorted((row.start * width, row.end * width))
        bar = QRectF(rect.left() + _MARGIN + left, rect.top() + rect.height() * 0.3, right - left, rect.height() * 0.4)
        if bar.width() < _THIN and row.line.amount:
            bar.setWidth(_THIN)
        painter.fillRect(bar, QColor(getattr(self._look.colours, row.kind)))
