"""A chip: a button with a menu of what a list can be narrowed to, which stays open while values are ticked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from confere.desktop.widgets.plain_text import as_tip
from confere.system import formatting
from confere.system.messages import t

_MOST_OFFERED: Final = 60
_ARROW: Final = 10
_BESIDE_TEXT: Final = _ARROW + 4 + 12  # the arrow, its distance, padding and border of the style sheet
_SPARE: Final = 1
_SHORTEST: Final = 2  # values that a chip names before it counts them


@dataclass(frozen=True, slots=True)
class Offer:
    """A code to choose; `count` is how much of it there is, None where nobody counted."""

    code: str
    count: int | None = None


class ChipButton(QToolButton):
    """`changed` tells its key and the codes that are chosen now. `fixed` are offered whatever occurs."""

    changed = Signal(str, object)

    def __init__(
        self,
        key: str,
        title: str,
        word: Callable[[str], str],
        *,
        several: bool = True,
        fixed: Sequence[str] = (),
        parent: QWidget | None = None,
    ) -> None:
        """`word` says a code to people; `several` may be chosen at once."""
        super().__init__(parent)
        self.key, self._title, self._word, self._several = key, title, word, several
        self._fixed = tuple(fixed)
        self._chosen: tuple[str, ...] = ()
        self._offered: tuple[Offer, ...] = ()
        self.setProperty("look", "chip")
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setLayoutDirection(Qt.LayoutDirection.RightToLeft)  # the arrow stands behind the word
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setIconSize(QSize(_ARROW, _ARROW))
        menu = _StayingMenu(self)
        menu.setAccessibleName(title)
        menu.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        menu.setToolTipsVisible(True)
        menu.triggered.connect(self._pick)
        self.setMenu(menu)
        self._fill()
        self._say()

    def sizeHint(self) -> QSize:
        """No wider than word and arrow: all chips are to stand in one line of the smallest usual screen."""
        words = self.fontMetrics().size(Qt.TextFlag.TextShowMnemonic.value, self.text()).width()
        return QSize(words + _BESIDE_TEXT + _SPARE, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def show_chosen(self, values: tuple[str, ...]) -> None:
        """Show these as chosen, without telling."""
        if values != self._chosen:
            self._chosen = values
            self._tick()
            self._say()

    def offer(self, offered: Sequence[Offer]) -> None:
        """Let these be chosen from."""
        if tuple(offered) != self._offered:
            self._offered = tuple(offered)
            self._fill()

    def _say(self) -> None:
        title = self._title
        text = t("{filter}: {values}", filter=title, values=self._chosen_text())
        self.setText((text if self._chosen else title).replace("&", "&&"))  # of one, a letter to press is made
        self.setAccessibleName(text if self._chosen else title)
        self.setToolTip(as_tip(", ".join(map(self._word, self._chosen))))
        self.setProperty("chosen", "true" if self._chosen else "false")
        self.style().unpolish(self)
        self.style().polish(self)
        self.updateGeometry()

    def _chosen_text(self) -> str:
        """The values in words: named while they are few, else counted."""
        if len(self._chosen) <= _SHORTEST:
            return ", ".join(map(self._word, self._chosen))
        return f"{self._word(self._chosen[0])} +{len(self._chosen) - 1}"

    def _fill(self) -> None:
        menu = self.menu()
        standing = menu.activeAction().data() if menu.activeAction() else None
        menu.clear()
        counts = {entry.code: entry.count for entry in self._offered}
        # What is chosen can be given up although nothing of it occurs any more.
        codes = dict.fromkeys((*self._fixed, *list(counts)[:_MOST_OFFERED], *self._chosen))
        for code in codes:
            known = counts.get(code)
            count = "" if known is None else f"\t{formatting.count(known)}"
            action = QAction(self._word(code).replace("&", "&&") + count, menu)
            action.setCheckable(True)
            action.setData(code)
            menu.addAction(action)
            if code == standing:
                menu.setActiveAction(action)
        if not codes:
            menu.addAction(t("Nothing to choose from here")).setEnabled(False)
        menu.addSeparator()
        every = QAction(t("Show all"), menu)
        every.setData(None)
        menu.addAction(every)
        self._tick()

    def _tick(self) -> None:
        for action in self.menu().actions():
            if action.data() is not None:
                action.setChecked(action.data() in self._chosen)
            elif not action.isSeparator():
                action.setEnabled(bool(self._chosen))

    def _pick(self, action: QAction) -> None:
        code = action.data()
        if code is None:
            values: tuple[str, ...] = ()
        elif code in self._chosen:
            values = tuple(value for value in self._chosen if value != code)
        else:
            values = (*self._chosen, code) if self._several else (code,)
        self.changed.emit(self.key, values)
        self._tick()


class _StayingMenu(QMenu):
    """Stays open while values are ticked, by the mouse or by the space bar."""

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if not self._toggle(self.actionAt(event.position().toPoint())):
            super().mouseReleaseEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() != Qt.Key.Key_Space or not self._toggle(self.activeAction()):
            super().keyPressEvent(event)

    def _toggle(self, action: QAction | None) -> bool:
        if action is None or not action.isCheckable() or not action.isEnabled():
            return False
        action.trigger()
        return True
