"""The margin beside an XML text: an arrow at every line under which others fold away."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QColor, QEnterEvent, QMouseEvent, QPainter, QPaintEvent, QPolygonF
from PySide6.QtWidgets import QWidget

from confere.desktop.details.xml.folding_text import FoldingText
from confere.desktop.theme.theme import Look

_NO_PEN = Qt.PenStyle.NoPen
_ANTIALIAS = QPainter.RenderHint.Antialiasing
_WIDTH = 18
_ARROW = 3.6  # half of its longer side


class Margin(QWidget):
    """Belongs to one text; a click on an arrow folds or unfolds. The keyboard has the text's own keys for it."""

    def __init__(self, text: FoldingText, look: Look) -> None:
        super().__init__(text)
        self._text, self._look = text, look
        self._pointed: int | None = None  # the line that the mouse is at
        self.setMouseTracking(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        look.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(_WIDTH, 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        colours = self._look.colours
        painter = QPainter(self)
        painter.fillRect(event.rect(), QColor(colours.surface))
        painter.setRenderHint(_ANTIALIAS)
        painter.setPen(_NO_PEN)
        for line, middle in self._text.heads_seen():
            painter.setBrush(QColor(colours.accent if line == self._pointed else colours.muted))
            painter.drawPolygon(_arrow(QPointF(_WIDTH / 2 + 1, middle), self._text.is_folded(line)))
        painter.end()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._point_at(self._text.head_at(event.position().y()))

    def leaveEvent(self, _event: QEnterEvent) -> None:  # type: ignore[override]
        self._point_at(None)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        line = self._text.head_at(event.position().y())
        if line is not None and event.button() == Qt.MouseButton.LeftButton:
            self._text.toggle(line)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        event.accept()  # the text beneath has no use for the end of a click that it did not see begin

    def _point_at(self, line: int | None) -> None:
        if line != self._pointed:
            self._pointed = line
            self.update()


def _arrow(at: QPointF, folded: bool) -> QPolygonF:
    """To the right where there is more to unfold, else downward."""
    long, short = _ARROW, _ARROW / 1.5
    if folded:
        corners = [QPointF(-short, -long), QPointF(-short, long), QPointF(short + 0.6, 0)]
    else:
        corners = [QPointF(-long, -short), QPointF(long, -short), QPointF(0, short + 0.6)]
    return QPolygonF([corner + at for corner in corners])
