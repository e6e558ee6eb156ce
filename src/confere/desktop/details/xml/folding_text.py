"""A text whose parts fold away, laid out only around what is looked at."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QRectF
from PySide6.QtGui import QTextBlock, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from confere.desktop.details.xml.xml_folds import Folded, Regions, regions_of

STRETCH = 60_000
"""Characters laid out at once, so that showing a text never holds the window up."""
BEFORE = 8_000  # laid out above a place that was found
_START = QTextCursor.MoveOperation.Start
_END = QTextCursor.MoveOperation.End
_KEEP = QTextCursor.MoveMode.KeepAnchor
_LONGEST_CLOSING = 60  # characters of a closing tag that are shown beside what is folded


class FoldingText(QPlainTextEdit):
    """Folds and unfolds by lines of the whole text; what is folded or far away is not in the widget."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._folded = Folded("", regions_of(""))
        self._from, self._to = 0, 0  # what is laid out of what is seen
        self._is_laying = False
        self._first_line = 0  # the number, in what is seen, of the first line that is laid out
        self.verticalScrollBar().valueChanged.connect(self._scrolled)

    # -- folding ---------------------------------------------------------------------------------------------

    def is_folded(self, line: int) -> bool:
        """Whether what hangs under this line of the whole text is folded away."""
        return self._folded.is_folded(line)

    def toggle(self, line: int) -> None:
        """Fold what hangs under `line`, or show it again."""
        if not (self._folded.unfold(line) or self._folded.fold(line)):
            return
        self._again(line)

    def fold_here(self) -> None:
        """Fold the innermost part around the cursor that is open."""
        around = self._folded.regions.around(self._line_here())
        head = next((line for line in around if not self._folded.is_folded(line)), None)
        if head is not None:
            self._folded.fold(head)
            self._again(head)

    def unfold_here(self) -> None:
        """Show again what is folded under the cursor's line."""
        line = self._line_here()
        if self._folded.unfold(line):
            self._again(line)

    def fold_all(self) -> None:
        """Fold every part, but for the outermost one."""
        place = self._folded.regions.starts[self._line_here()]
        self._folded.fold_all()
        self._stand_at(self._folded.to_seen(place), anew=True)

    def unfold_all(self) -> None:
        """Show everything again."""
        place = self._folded.regions.starts[self._line_here()]
        self._folded.unfold_all()
        self._stand_at(self._folded.to_seen(place), anew=True)

    def heads_seen(self) -> Iterator[tuple[int, float]]:
        """The lines on the screen under which others fold, with the height of the middle of each."""
        for line, block in self.lines_seen():
            if self._folded.regions.is_head(line):
                yield line, self.room_of(block).top() + self.fontMetrics().height() / 2 + 1

    def head_at(self, height: float) -> int | None:
        """The line at this height of the screen, if others fold under it."""
        for line, block in self.lines_seen():
            room = self.room_of(block)
            if room.top() <= height < room.bottom():
                return line if self._folded.regions.is_head(line) else None
        return None

    def room_of(self, block: QTextBlock) -> QRectF:
        """Where a line stands on the screen."""
        return self.blockBoundingGeometry(block).translated(self.contentOffset())

    def lines_seen(self) -> Iterator[tuple[int, QTextBlock]]:
        """What is on the screen: the numbers of the lines in the whole text."""
        block = self.firstVisibleBlock()
        bottom = self.viewport().height()
        while block.isValid() and self.room_of(block).top() <= bottom:
            yield self._line_of(block), block
            block = block.next()

    def closing_of(self, line: int) -> str:
        """The tag that closes what hangs under `line`; empty where none does, or a long one."""
        regions = self._folded.regions
        end = regions.ends[line]
        text = self._folded.whole[regions.starts[end] : regions.starts[end + 1]].strip()
        return text if text.startswith("</") and len(text) <= _LONGEST_CLOSING else ""

    # -- what is laid out ------------------------------------------------------------------------------------

    def _again(self, line: int) -> None:
        """What hangs under `line` came or went: all above it stays where it is on the screen."""
        self._stand_at(self._folded.to_seen(self._folded.regions.starts[line]), anew=False)

    def _stand_at(self, place: int, *, anew: bool) -> None:
        """Lay out what is seen now, with the cursor at `place`; `anew`: nothing of it stands where it stood."""
        scrolled = self.verticalScrollBar().value()
        if anew or place < self._from:
            self._lay_out(self._line_end(max(place - BEFORE, 0)))
        else:
            self._lay_out(self._from, place)
            self.verticalScrollBar().setValue(scrolled)
        cursor = self.textCursor()
        cursor.setPosition(self._position_of(place))
        self.setTextCursor(cursor)
        self.ensureCursorVisible()

    def _lay_out(self, start: int, through: int = 0) -> None:
        """Show a stretch from `start` on, beyond `through`, and nothing else."""
        text = self._folded.text
        self._from, self._to = start, self._line_end(max(start, through) + STRETCH)
        self._first_line = text.count("\n", 0, start)
        self._is_laying = True  # the scroll bar moves meanwhile, of which nothing follows
        self.setPlainText(text[self._from : self._to])
        self._is_laying = False

    def _scrolled(self, place: int) -> None:
        if self._is_laying:
            return
        bar = self.verticalScrollBar()
        near = 2 * bar.pageStep()
        text = self._folded.text
        if self._to < len(text) and place >= bar.maximum() - near:
            start, self._to = self._to, self._line_end(self._to + STRETCH)
            self._insert(_END, text[start : self._to])
        elif self._from > 0 and place <= near:
            end, self._from = self._from, self._line_end(max(self._from - STRETCH, 0))
            self._first_line = text.count("\n", 0, self._from)
            lines = bar.maximum()
            self._insert(_START, text[self._from : end])
            bar.setValue(place + bar.maximum() - lines)

    def _insert(self, where: QTextCursor.MoveOperation, text: str) -> None:
        cursor = QTextCursor(self.document())
        cursor.movePosition(where)
        cursor.insertText(text)

    def _select(self, start: int, end: int) -> None:
        if start < self._from or end > self._to:
            self._lay_out(self._line_end(max(start - BEFORE, 0)))
        cursor = self.textCursor()
        cursor.setPosition(self._position_of(start))
        cursor.setPosition(self._position_of(end), _KEEP)
        self.setTextCursor(cursor)
        self.ensureCursorVisible()

    def _line_end(self, place: int) -> int:
        """The end of the line before `place`, if it is near; cutting a line in two would show a line that is none."""
        text = self._folded.text
        if place <= 0 or place >= len(text):
            return max(min(place, len(text)), 0)
        return text.rfind("\n", max(place - BEFORE // 2, 0), place) + 1 or place

    def _position_of(self, place: int) -> int:
        """Where the widget has what is seen at `place`: it counts in UTF-16."""
        return len(self._folded.text[self._from : place].encode("utf-16-le", "surrogatepass")) // 2

    def _place_of(self, position: int) -> int:
        shown = self._folded.text[self._from : self._to].encode("utf-16-le", "surrogatepass")
        return self._from + len(shown[: 2 * position].decode("utf-16-le", "ignore"))

    # -- lines on the screen ---------------------------------------------------------------------------------

    def _line_of(self, block: QTextBlock) -> int:
        """The number of its line in the whole text."""
        number = min(self._first_line + block.blockNumber(), len(self._folded.lines) - 1)
        return self._folded.lines[number]

    def _line_here(self) -> int:
        return self._line_of(self.textCursor().block())

    def _use(self, text: str, regions: Regions | None) -> None:
        """Hold another text, all of it unfolded, and show nothing of it yet."""
        plain = text.replace("\r\n", "\n").replace("\r", "\n")  # as the widget counts them
        if regions is None or plain != text:
            regions = regions_of(plain)
        self._folded = Folded(plain, regions)
