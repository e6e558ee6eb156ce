"""The line below the list: how many findings there are, and what was decided just now, with the way back."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QWidget

from confere.app.labels.reconciliation_labels import judgement_sentence
from confere.app.reconciliation.decisions import Acted
from confere.app.reconciliation.review import signoffs
from confere.app.reconciliation.review.signoffs import MonthSignOff
from confere.desktop.reconcile.decisions.decision_commands import Command, Commands
from confere.desktop.reconcile.reconciliation_text import findings_count
from confere.desktop.theme.measures import GAP, WIDE_GAP
from confere.desktop.widgets.card import button
from confere.desktop.widgets.elided_labels import Elided
from confere.system import formatting
from confere.system.messages import ngettext, render, t


class Footer(QFrame):
    """Always as high, so that nothing moves when something was decided."""

    def __init__(self, commands: Commands, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._listed = self._selected = self._awaiting = 0
        self._signed = ""
        self.count = Elided()
        self.count.setProperty("rank", "muted")
        self.told = Elided()
        # Each has the room that its text needs, and they share what there is only where that is too little.
        for line, policy in ((self.count, QSizePolicy.Policy.Maximum), (self.told, QSizePolicy.Policy.Preferred)):
            line.setSizePolicy(policy, QSizePolicy.Policy.Preferred)
            line.setMinimumWidth(1)
        self.undo = button(t("Undo"), commands[Command.UNDO].trigger, "link")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(WIDE_GAP - 4, 2, GAP, 2)
        layout.setSpacing(GAP)
        layout.addWidget(self.count)
        layout.addSpacing(WIDE_GAP)
        layout.addWidget(self.told, 1)
        layout.addWidget(self.undo)
        self.setMinimumHeight(self.undo.sizeHint().height() + 5)
        self.undo.hide()

    def say_listed(self, count: int, awaiting_closing: int = 0) -> None:
        """How many there are, and how many of those that are shown only the month's closing lets be checked."""
        self._listed, self._awaiting = count, awaiting_closing
        self._say()

    def say_selected(self, count: int) -> None:
        self._selected = count
        self._say()

    def say_signed(self, signoff: MonthSignOff | None) -> None:
        """Who signed the month, or that it no longer stands."""
        self._signed = "" if signoff is None else render(signoffs.sentence(signoff))
        self._say()

    def tell(self, acted: Acted, *, can_be_undone: bool) -> None:
        """What was done and what it changed; or what the next run will look at again."""
        text = " ".join(filter(None, (render(acted.what), judgement_sentence(acted.judged))))
        text = " ".join((text, *map(render, acted.withdrawn)))
        if acted.waiting:
            text = f"{text} {t('The next run looks again at {what}.', what=findings_count(acted.waiting))}"
        self.told.setText(text)
        self.undo.setVisible(can_be_undone)

    def _say(self) -> None:
        text = findings_count(self._listed)
        if self._selected > 1:
            text = f"{text} · {ngettext('{count} selected', '{count} selected', self._selected)}"
        elif self._awaiting:
            # The checklist and a signature do not count these.
            waits = t("{count} only once the month is closed", count=formatting.count(self._awaiting))
            text = f"{text} · {waits}"
        self.count.setText(f"{text} · {self._signed}" if self._signed else text)
