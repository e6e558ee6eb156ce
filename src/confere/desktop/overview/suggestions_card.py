"""The card of what to do next: each step in words, with the button that does it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from confere.app.accounts.freshness import AccountFreshness
from confere.app.overview.overview import NextStep, StepKind
from confere.app.overview.suggestions import calm_text
from confere.desktop.theme.measures import GAP, ICON
from confere.desktop.theme.theme import Look
from confere.desktop.widgets.card import Card, button, clear, focus_kept, label
from confere.desktop.widgets.plain_text import Label
from confere.errors import N_, NC_, Message
from confere.system.messages import render, t

# Of each kind the drawing and what its button says.
_FACES = {
    StepKind.CONNECT: ("link", N_("Connect…")),
    StepKind.TOKEN: ("lock", N_("Token…")),
    StepKind.TRY: ("play", NC_("button", "Open")),
    StepKind.IMPORT: ("import", N_("Choose files…")),
    StepKind.FIRST_SYNC: ("sync", N_("Sync")),
    StepKind.RESUME: ("sync", N_("Sync")),
    StepKind.LOOK_AT_SYNC: ("error", N_("Look")),
    StepKind.SYNC: ("sync", N_("Sync")),
    StepKind.SHORT: ("sync", N_("Sync")),
    StepKind.DOWNLOAD: ("sync", N_("Sync")),
    StepKind.RETRY: ("retry", N_("Retry")),
    StepKind.ASK: ("info", N_("Look")),
    StepKind.REPAIR: ("sync", N_("Sync")),
    StepKind.LOOK: ("warning", N_("Look")),
    StepKind.REREAD: ("retry", N_("Read again")),
    StepKind.NOT_AUTHENTIC: ("authentic", N_("Look")),
    StepKind.FINDINGS: ("reconcile", N_("Look")),
    StepKind.EXPORT: ("export", N_("Export…")),
    StepKind.BACKUP: ("lock", N_("Back up")),
    StepKind.BACKUP_ALARM: ("warning", N_("Look")),
}


class StepsCard(Card):
    """`taken` tells the step whose button was pressed."""

    taken = Signal(object)

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(t("What to do next"), parent)
        self._look = look
        self._marks: list[tuple[QLabel, str, str]] = []
        self._steps: tuple[NextStep, ...] | None = None
        self._calm: tuple[Message, bool] | None = None
        self._rows = QVBoxLayout()
        self._rows.setSpacing(GAP + 2)
        self.body.addLayout(self._rows)
        self.body.addStretch(1)
        look.changed.connect(self._paint)

    def put(self, steps: Sequence[NextStep], accounts: Sequence[AccountFreshness]) -> None:
        """Show these; the same ones stay as they are, so that no button goes from under the mouse.

        Where there are none, `accounts` tell whether that is because all is well.
        """
        calm = calm_text(accounts)
        if (tuple(steps), calm) == (self._steps, self._calm):
            return
        self._steps, self._calm = tuple(steps), calm
        with focus_kept(self):
            self._fill(self._steps, *calm)
        self._paint()

    def _fill(self, steps: tuple[NextStep, ...], calm: Message, is_well: bool) -> None:
        clear(self._rows)
        self._marks.clear()
        for place, step in enumerate(steps):
            self._rows.addLayout(self._row(step, first=place == 0))
        if not steps:
            row = QHBoxLayout()
            row.setSpacing(GAP)
            row.addWidget(self._mark("check", "good") if is_well else self._mark("info", "muted"))
            row.addWidget(label(render(calm), "good" if is_well else "muted", wraps=True), 1)
            self._rows.addLayout(row)

    def _row(self, step: NextStep, *, first: bool) -> QHBoxLayout:
        drawing, verb = _FACES[step.kind]
        text = render(step.what)
        row = QHBoxLayout()
        row.setSpacing(GAP + 2)
        row.addWidget(self._mark(drawing, "muted"), 0, Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(label(text, wraps=True), 1)
        does = button(render(Message(verb)), lambda: self.taken.emit(step), "primary" if first else "", text)
        row.addWidget(does, 0, Qt.AlignmentFlag.AlignVCenter)
        return row

    def _mark(self, drawing: str, role: str) -> QLabel:
        mark = Label()
        self._marks.append((mark, drawing, role))
        return mark

    def _paint(self) -> None:
        for mark, drawing, role in self._marks:
            mark.setPixmap(self._look.icon(drawing, role).pixmap(ICON, ICON))
