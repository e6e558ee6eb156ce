"""The text widget of the XML page: read-only, coloured, foldable, and laid out only around what is looked at."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from PySide6.QtCore import QEvent, QMimeData, QRect, QRectF, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFontDatabase,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPaintEvent,
    QResizeEvent,
    QTextBlock,
    QTextCursor,
)
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QWidget

from confere.desktop.details.xml.highlighter import XmlHighlighter
from confere.desktop.details.xml.xml_folds import Folded, Regions, regions_of
from confere.desktop.details.xml.xml_margin import Margin
from confere.desktop.details.xml.xml_marks import FoldMarks
from confere.desktop.theme.theme import Look
from confere.system.messages import t

COLOURED = 200_000
"""Characters up to which a text is coloured; colouring more would be felt."""
STRETCH = 60_000
"""Characters laid out at once, so that showing a text never holds the window up."""
_BEFORE = 8_000  # laid out above a place that was found
_START = QTextCursor.MoveOperation.Start
_END = QTextCursor.MoveOperation.End
_KEEP = QTextCursor.MoveMode.KeepAnchor
_LONGEST_CLOSING = 60  # characters of a closing tag that are shown beside what is folded


class XmlText(QPlainTextEdit):
    """`find_wanted` comes when a person presses the platform's key for finding while the text has the focus.

    Enter folds or unfolds at the cursor, as do − and +; / folds all, * unfolds all.
    """

    find_wanted = Signal()
    next_wanted = Signal(bool)  # whether backward

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._folded = Folded("", regions_of(""))
        self._from, self._to = 0, 0  # what is laid out of what is seen
        self._is_laying = False
        self._first_line = 0  # the number, in what is seen, of the first line that is laid out
        self.setReadOnly(True)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setAccessibleName(t("XML"))
        self.setTabChangesFocus(True)
        self.setUndoRedoEnabled(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWordWrapMode(self.wordWrapMode().WrapAtWordBoundaryOrAnywhere)
        font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        font.setPointSizeF(max(self.font().pointSizeF() - 0.5, 7))
        self.setFont(font)
        self.highlighter = XmlHighlighter(self.document(), look)
        self._marks = FoldMarks(self, look)
        self.margin = Margin(self, look)
        self.margin.hide()
        self._keys: dict[str, Callable[[], None]] = {
            "-": self.fold_here,
            "+": self.unfold_here,
            "=": self.unfold_here,
            "/": self.fold_all,
            "*": self.unfold_all,
        }
        self.verticalScrollBar().valueChanged.connect(self._scrolled)
        self.updateRequest.connect(self._update_margin)
        look.changed.connect(self.viewport().update)

    @property
    def can_fold(self) -> bool:
        """Whether the text has parts that fold away."""
        return self.margin.isVisibleTo(self)

    def show_text(self, text: str, regions: Regions | None = None) -> None:
        """Show `text` from its beginning, with everything unfolded; `regions` are those of the very text."""
        plain = text.replace("\r\n", "\n").replace("\r", "\n")  # as the widget counts them
        if regions is None or plain != text:
            regions = regions_of(plain)
        self._folded = Folded(plain, regions)
        foldable = self._folded.regions.any
        self.margin.setVisible(foldable)
        self.setViewportMargins(self.margin.sizeHint().width() if foldable else 0, 0, 0, 0)
        self.highlighter.use(len(text) <= COLOURED)
        self._lay_out(0)

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

    # -- finding and copying ---------------------------------------------------------------------------------

    def find_next(self, wanted: str, *, backward: bool = False, anew: bool = False) -> bool:
        """Select the next place where `wanted` stands, round the end, in any case; False where it stands nowhere.

        What is folded away is searched too, and unfolded where it is found.
        `anew` may stay on the place that is selected: the word is still being typed.
        """
        if not wanted:
            return True
        whole = self._folded.whole
        pattern = re.compile(re.escape(wanted), re.IGNORECASE)
        cursor = self.textCursor()
        seen = self._place_of(cursor.selectionStart() if backward or anew else cursor.selectionEnd())
        here = self._folded.to_whole(seen)
        if backward:
            found = self._last(pattern, here) or self._last(pattern, len(whole))
        else:
            found = pattern.search(whole, here) or pattern.search(whole)
        if found is None:
            return False
        if self._folded.show(found.start(), found.end()):
            self._lay_out(self._line_end(max(self._folded.to_seen(found.start()) - _BEFORE, 0)))
        self._select(self._folded.to_seen(found.start()), self._folded.to_seen(found.end()))
        return True

    def createMimeDataFromSelection(self) -> QMimeData:
        """What is copied: what stands between the ends of the selection, with all that is folded or not laid out."""
        cursor = self.textCursor()
        start, end = cursor.selectionStart(), cursor.selectionEnd()
        is_all = start == 0 and end == self.document().characterCount() - 1
        found = QMimeData()
        if is_all:
            found.setText(self._folded.whole)
        else:
            first, last = (self._folded.to_whole(self._place_of(place)) for place in (start, end))
            found.setText(self._folded.whole[first:last])
        return found

    # -- what Qt asks ----------------------------------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        # The window has a shortcut of its own for finding; inside the text it means the text.
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and _is_find(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Find):
            self.find_wanted.emit()
        elif event.matches(QKeySequence.StandardKey.FindPrevious):
            self.next_wanted.emit(True)
        elif event.matches(QKeySequence.StandardKey.FindNext):
            self.next_wanted.emit(False)
        elif self.can_fold and event.text() in self._keys:
            self._keys[event.text()]()
        elif self.can_fold and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.toggle(self._line_here())
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = self.createStandardContextMenu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if self.can_fold:
            menu.addSeparator()
            for title, key, act in (
                (t("Fold here"), "-", self.fold_here),
                (t("Unfold here"), "+", self.unfold_here),
                (t("Fold all"), "/", self.fold_all),
                (t("Unfold all"), "*", self.unfold_all),
            ):
                menu.addAction(title, QKeySequence(key), act)
        menu.popup(event.globalPos())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        line = self._marks.line_at(event.position())
        if line is None:
            super().mousePressEvent(event)
        else:
            self.toggle(line)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        room = self.contentsRect()
        self.margin.setGeometry(room.left(), room.top(), self.margin.sizeHint().width(), room.height())

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        self._marks.paint()

    # -- what is laid out ------------------------------------------------------------------------------------

    def _again(self, line: int) -> None:
        """What hangs under `line` came or went: all above it stays where it is on the screen."""
        self._stand_at(self._folded.to_seen(self._folded.regions.starts[line]), anew=False)

    def _stand_at(self, place: int, *, anew: bool) -> None:
        """Lay out what is seen now, with the cursor at `place`; `anew`: nothing of it stands where it stood."""
        scrolled = self.verticalScrollBar().value()
        if anew or place < self._from:
            self._lay_out(self._line_end(max(place - _BEFORE, 0)))
        else:
            self._lay_out(self._from, place)
            self.verticalScrollBar().setValue(scrolled)
        cursor = self.textCursor()
        cursor.setPosition(self._position_of(place))
        self.setTextCursor(cursor)
        self.ensureCursorVisible()
        self.margin.update()

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
            self._lay_out(self._line_end(max(start - _BEFORE, 0)))
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
        return text.rfind("\n", max(place - _BEFORE // 2, 0), place) + 1 or place

    def _last(self, pattern: re.Pattern[str], end: int) -> re.Match[str] | None:
        """The last match that ends before `end`, looked for from there backward."""
        overlap = len(pattern.pattern)
        while end > 0:
            start = max(end - STRETCH, 0)
            matches = list(pattern.finditer(self._folded.whole, start, end))
            if matches:
                return matches[-1]
            end = start + overlap if start + overlap < end and start > 0 else 0
        return None

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

    def _update_margin(self, room: QRect, scrolled: int) -> None:
        if scrolled:
            self.margin.scroll(0, scrolled)
        else:
            self.margin.update(0, room.y(), self.margin.width(), room.height())


def _is_find(event: QKeyEvent) -> bool:
    keys = QKeySequence.StandardKey
    return any(event.matches(key) for key in (keys.Find, keys.FindNext, keys.FindPrevious))
