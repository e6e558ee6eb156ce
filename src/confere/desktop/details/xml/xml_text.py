"""The text widget of the XML page: read-only, coloured, foldable, and laid out only around what is looked at."""

from __future__ import annotations

import re
from collections.abc import Callable

from PySide6.QtCore import QEvent, QMimeData, QRect, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFontDatabase,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QFrame, QWidget

from confere.desktop.details.xml.folding_text import BEFORE, STRETCH, FoldingText
from confere.desktop.details.xml.highlighter import XmlHighlighter
from confere.desktop.details.xml.xml_folds import Regions
from confere.desktop.details.xml.xml_margin import Margin
from confere.desktop.details.xml.xml_marks import FoldMarks
from confere.desktop.theme.theme import Look
from confere.system.messages import t

COLOURED = 200_000
"""Characters up to which a text is coloured; colouring more would be felt."""


class XmlText(FoldingText):
    """`find_wanted` comes when a person presses the platform's key for finding while the text has the focus.

    Enter folds or unfolds at the cursor, as do − and +; / folds all, * unfolds all.
    """

    find_wanted = Signal()
    next_wanted = Signal(bool)  # whether backward

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
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
        self.updateRequest.connect(self._update_margin)
        look.changed.connect(self.viewport().update)

    @property
    def can_fold(self) -> bool:
        """Whether the text has parts that fold away."""
        return self.margin.isVisibleTo(self)

    def show_text(self, text: str, regions: Regions | None = None) -> None:
        """Show `text` from its beginning, with everything unfolded; `regions` are those of the very text."""
        self._use(text, regions)
        foldable = self._folded.regions.any
        self.margin.setVisible(foldable)
        self.setViewportMargins(self.margin.sizeHint().width() if foldable else 0, 0, 0, 0)
        self.highlighter.use(len(text) <= COLOURED)
        self._lay_out(0)

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
            self._lay_out(self._line_end(max(self._folded.to_seen(found.start()) - BEFORE, 0)))
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

    def _stand_at(self, place: int, *, anew: bool) -> None:
        super()._stand_at(place, anew=anew)
        self.margin.update()

    def _update_margin(self, room: QRect, scrolled: int) -> None:
        if scrolled:
            self.margin.scroll(0, scrolled)
        else:
            self.margin.update(0, room.y(), self.margin.width(), room.height())


def _is_find(event: QKeyEvent) -> bool:
    keys = QKeySequence.StandardKey
    return any(event.matches(key) for key in (keys.Find, keys.FindNext, keys.FindPrevious))
