"""Recent explanations as chips: one key from 1 to 9 explains what is selected again in the same words."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from confere.desktop.theme.measures import GAP
from confere.desktop.widgets.card import label
from confere.desktop.widgets.plain_text import as_tip
from confere.system.messages import t

MOST = 9
_LETTERS = 26  # of an explanation that a chip shows; the tip has all of it


class ReasonChips(QWidget):
    """`chosen` has the text. The keys hold while the keyboard is on `page`; hidden while nothing was explained yet.

    Neither keys nor chips do anything until `allow`.
    """

    chosen = Signal(str)

    def __init__(self, page: QWidget) -> None:
        super().__init__()
        self.reasons: tuple[str, ...] = ()
        self.chips: list[QPushButton] = []
        self._keys: list[QShortcut] = []
        row = QHBoxLayout(self)
        row.setContentsMargins(GAP + 4, 0, GAP, 2)
        row.setSpacing(GAP)
        row.addWidget(label(t("Explain again:"), "muted"))
        for number in range(1, MOST + 1):
            chip = QPushButton()
            chip.setProperty("look", "link")
            chip.clicked.connect(lambda _=False, place=number - 1: self._choose(place))
            chip.hide()
            row.addWidget(chip)
            self.chips.append(chip)
            key = QShortcut(QKeySequence(str(number)), page)
            key.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            key.activated.connect(lambda place=number - 1: self._choose(place))
            self._keys.append(key)
        row.addStretch(1)
        self.hide()
        self.allow(False)

    def allow(self, is_allowed: bool) -> None:
        """Whether findings are on the screen: the page has other tables too, and keys are not for what nobody sees."""
        for chip in self.chips:
            chip.setEnabled(is_allowed)
        for key in self._keys:
            key.setEnabled(is_allowed)

    def put(self, reasons: Sequence[str]) -> None:
        """Show these, the newest first."""
        self.reasons = tuple(reasons[:MOST])
        for place, chip in enumerate(self.chips):
            text = self.reasons[place] if place < len(self.reasons) else ""
            short = text if len(text) <= _LETTERS else f"{text[:_LETTERS].rstrip()}…"
            chip.setText(f"{place + 1} {short}".replace("&", "&&") if text else "")
            chip.setToolTip(as_tip(text))
            chip.setAccessibleName(t("Explain again: {reason}", reason=text) if text else "")
            chip.setVisible(bool(text) and place < _SHOWN)
        self.setVisible(bool(self.reasons))

    def _choose(self, place: int) -> None:
        if place < len(self.reasons):
            self.chosen.emit(self.reasons[place])


_SHOWN = 4  # chips that a narrow window has room for; the other keys hold all the same
