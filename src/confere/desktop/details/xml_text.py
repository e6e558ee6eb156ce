"""The text widget of the XML page: read-only, coloured, and of a large file laid out only around what is looked at."""

from __future__ import annotations

import re

from PySide6.QtCore import QEvent, QMimeData, Qt, Signal
from PySide6.QtGui import QFontDatabase, QKeyEvent, QKeySequence, QTextCursor
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QWidget

from confere.desktop.details.highlighter import XmlHighlighter
from confere.desktop.look.theme import Look
from confere.system.messages import t

COLOURED = 200_000
"""Characters up to which a text is coloured; colouring more would be felt."""
STRETCH = 60_000
"""Characters laid out at once, so that showing a text never holds the window up."""
_BEFORE = 8_000  # laid out above a place that was found
_START = QTextCursor.MoveOperation.Start
_END = QTextCursor.MoveOperation.End
_KEEP = QTextCursor.MoveMode.KeepAnchor


class XmlText(QPlainTextEdit):
    """`find_wanted` comes when a person presses the platform's key for finding while the text has the focus."""

    find_wanted = Signal()
    next_wanted = Signal(bool)  # whether backward

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = ""
        self._from, self._to = 0, 0  # what of it is laid out
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
        self.verticalScrollBar().valueChanged.connect(self._scrolled)

    def show_text(self, text: str) -> None:
        """Show `text` from its beginning."""
        self._text = text.replace("\r\n", "\n").replace("\r", "\n")  # as the widget counts them
        self.highlighter.use(len(text) <= COLOURED)
        self._lay_out(0)

    def find_next(self, wanted: str, *, backward: bool = False, anew: bool = False) -> bool:
        """Select the next place where `wanted` stands, round the end, in any case; False where it stands nowhere.

        `anew` may stay on the place that is selected: the word is still being typed.
        """
        if not wanted:
            return True
        pattern = re.compile(re.escape(wanted), re.IGNORECASE)
        cursor = self.textCursor()
        here = self._place_of(cursor.selectionStart() if backward or anew else cursor.selectionEnd())
        if backward:
            found = self._last(pattern, here) or self._last(pattern, len(self._text))
        else:
            found = pattern.search(self._text, here) or pattern.search(self._text)
        if found is None:
            return False
        self._select(found.start(), found.end())
        return True

    def createMimeDataFromSelection(self) -> QMimeData:
        """What is copied: all of the text where all that is laid out is selected."""
        cursor = self.textCursor()
        end = self.document().characterCount() - 1
        if cursor.selectionStart() == 0 and cursor.selectionEnd() == end:
            found = QMimeData()
            found.setText(self._text)
            return found
        return super().createMimeDataFromSelection()

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
        else:
            super().keyPressEvent(event)

    def _lay_out(self, start: int) -> None:
        """Show a stretch from `start` on, and nothing else."""
        self._from, self._to = start, self._line_end(start + STRETCH)
        self.setPlainText(self._text[self._from : self._to])

    def _scrolled(self, place: int) -> None:
        bar = self.verticalScrollBar()
        near = 2 * bar.pageStep()
        if self._to < len(self._text) and place >= bar.maximum() - near:
            start, self._to = self._to, self._line_end(self._to + STRETCH)
            self._insert(_END, self._text[start : self._to])
        elif self._from > 0 and place <= near:
            end, self._from = self._from, self._line_end(max(self._from - STRETCH, 0))
            lines = bar.maximum()
            self._insert(_START, self._text[self._from : end])
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
        if place <= 0 or place >= len(self._text):
            return max(min(place, len(self._text)), 0)
        return self._text.rfind("\n", max(place - _BEFORE // 2, 0), place) + 1 or place

    def _last(self, pattern: re.Pattern[str], end: int) -> re.Match[str] | None:
        """The last match that ends before `end`, looked for from there backward."""
        overlap = len(pattern.pattern)
        while end > 0:
            start = max(end - STRETCH, 0)
            matches = list(pattern.finditer(self._text, start, end))
            if matches:
                return matches[-1]
            end = start + overlap if start + overlap < end and start > 0 else 0
        return None

    def _position_of(self, place: int) -> int:
        """Where the widget has what stands at `place` of the text: it counts in UTF-16."""
        return len(self._text[self._from : place].encode("utf-16-le", "surrogatepass")) // 2

    def _place_of(self, position: int) -> int:
        shown = self._text[self._from : self._to].encode("utf-16-le", "surrogatepass")
        return self._from + len(shown[: 2 * position].decode("utf-16-le", "ignore"))


def _is_find(event: QKeyEvent) -> bool:
    keys = QKeySequence.StandardKey
    return any(event.matches(key) for key in (keys.Find, keys.FindNext, keys.FindPrevious))
