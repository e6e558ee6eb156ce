"""What stands behind a folded line of an XML text: a sign for what is hidden, and the tag that closes it."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QTextBlock

from confere.desktop.details.xml.folding_text import FoldingText
from confere.desktop.theme.theme import Look

_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_CENTER = Qt.AlignmentFlag.AlignCenter
_NO_PEN = Qt.PenStyle.NoPen
_ANTIALIAS = QPainter.RenderHint.Antialiasing
_ELLIPSIS = "⋯"
_GAP = 6


class FoldMarks:
    """Painted over the text, of which they are no part: copied they never are."""

    def __init__(self, text: FoldingText, look: Look) -> None:
        self._text, self._look = text, look

    def paint(self) -> None:
        """Paint those on the screen."""
        colours = self._look.colours
        painter = QPainter(self._text.viewport())
        painter.setRenderHint(_ANTIALIAS)
        painter.setFont(self._text.font())
        for line, block in self._text.lines_seen():
            if self._text.is_folded(line):
                room = self.room(block, line)
                pill = QRectF(room.left(), room.top() + 2, self._wide(f" {_ELLIPSIS} "), room.height() - 4)
                painter.setPen(_NO_PEN)
                painter.setBrush(QColor(colours.neutral_soft))
                painter.drawRoundedRect(pill, 4, 4)
                painter.setPen(QColor(colours.muted))
                painter.drawText(pill, _CENTER, _ELLIPSIS)
                painter.drawText(room.adjusted(pill.width() + 2, 0, 0, 0), _LEFT, self._text.closing_of(line))
        painter.end()

    def line_at(self, place: QPointF) -> int | None:
        """The folded line whose mark stands there."""
        for line, block in self._text.lines_seen():
            if self._text.is_folded(line) and self.room(block, line).contains(place):
                return line
        return None

    def room(self, block: QTextBlock, line: int) -> QRectF:
        """Where the mark behind a folded line stands on the screen."""
        top_left, layout = self._text.room_of(block).topLeft(), block.layout()
        last = layout.lineAt(layout.lineCount() - 1)
        width = self._wide(f" {_ELLIPSIS} {self._text.closing_of(line)}") + _GAP + 2
        left = top_left.x() + last.x() + last.naturalTextWidth() + _GAP
        return QRectF(left, top_left.y() + last.y(), width, last.height())

    def _wide(self, text: str) -> float:
        return float(self._text.fontMetrics().horizontalAdvance(text))
