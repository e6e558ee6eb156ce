"""Asks before a month is closed: what will be frozen, what lacks, who prepared and who reviewed it; and why it is
opened again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from PySide6.QtWidgets import QDialog, QLineEdit, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from confere.app.closing.close_month import ClosePreview
from confere.app.labels.labels import documents_word, month_word, tax_id_word
from confere.desktop.core.window_memory import Memory
from confere.desktop.theme.measures import WIDE_GAP
from confere.desktop.widgets.dialog_buttons import buttons_of
from confere.desktop.widgets.form import FormField, text
from confere.system import formatting
from confere.system.messages import render, t

_WIDTH = 520
_MOST_LACKS = 8
_TOTALS = ("documents", "events", "out_total", "in_total")
_PREPARER, _REVIEWER = "closing/preparer", "closing/reviewer"


class CloseDialog(QDialog):
    """Names are remembered for the next month. `incomplete`: whether something lacks, which Close accepts then."""

    def __init__(self, previews: Sequence[ClosePreview], memory: Memory, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._memory = memory
        month = month_word(previews[0].month)
        self.setWindowTitle(t("Close {month}", month=month))
        self.setMinimumWidth(_WIDTH)
        self.incomplete = any(preview.lacks for preview in previews)
        self.preparer, self.reviewer = QLineEdit(memory.text(_PREPARER)), QLineEdit(memory.text(_REVIEWER))
        column = QVBoxLayout(self)
        column.setContentsMargins(WIDE_GAP, WIDE_GAP, WIDE_GAP, WIDE_GAP)
        column.setSpacing(WIDE_GAP)
        column.addWidget(
            text(
                t(
                    "What is in the archive now is frozen as what was filed: documents with their hashes and states,"
                    " events, links, findings, terms. Later changes are told against it."
                ),
                "muted",
            )
        )
        column.addWidget(text(_frozen(previews)))
        if self.incomplete:
            column.addWidget(text(t("The month is not complete:"), "bad"))
            column.addWidget(text("\n".join(_lacks(previews))))
        column.addWidget(FormField(t("Prepared by"), self.preparer))
        column.addWidget(FormField(t("Reviewed by"), self.reviewer))
        does = QPushButton(t("Close it all the same") if self.incomplete else t("Close the month"))
        column.addWidget(buttons_of(self, does))
        self.resize(_WIDTH, column.heightForWidth(_WIDTH))  # else lines that wrap are given too little
        self.preparer.setFocus()

    def accept(self) -> None:
        """Remember who signs, too."""
        self._memory.put(_PREPARER, self.preparer.text().strip())
        self._memory.put(_REVIEWER, self.reviewer.text().strip())
        super().accept()


class ReopenDialog(QDialog):
    """Takes no reopening without a reason."""

    def __init__(self, month: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(t("Open {month} again", month=month_word(month)))
        self.setMinimumWidth(_WIDTH)
        self.reason = QPlainTextEdit()
        self.reason.setTabChangesFocus(True)
        self.reason.setFixedHeight(84)
        self._does = QPushButton(t("Open it again"))
        column = QVBoxLayout(self)
        column.setContentsMargins(WIDE_GAP, WIDE_GAP, WIDE_GAP, WIDE_GAP)
        column.setSpacing(WIDE_GAP)
        column.addWidget(
            text(
                t("What was filed stays kept. The reason stands in the chain of closings and in the audit trail."),
                "muted",
            )
        )
        column.addWidget(FormField(t("Why is it opened again?"), self.reason))
        column.addWidget(buttons_of(self, self._does))
        self.reason.textChanged.connect(self._say)
        self.reason.setFocus()
        self._say()

    @property
    def why(self) -> str:
        return " ".join(self.reason.toPlainText().split())

    def _say(self) -> None:
        self._does.setEnabled(bool(self.why))


def _frozen(previews: Sequence[ClosePreview]) -> str:
    """What would be kept of the company, or of all companies together: a dialog has no room for a line of each."""
    sums = Counter[str]()
    for preview in previews:
        sums.update({name: preview.totals[name] for name in _TOTALS})
    whose = tax_id_word(previews[0].company)
    if len(previews) > 1:
        whose = t("{count} companies", count=formatting.count(len(previews)))
    return t(
        "{company}: {documents} (their events: {events}); outgoing {out}, incoming {in_}, in effect.",
        company=whose,
        documents=documents_word(sums["documents"]),
        events=formatting.count(sums["events"]),
        out=formatting.money(sums["out_total"]),
        in_=formatting.money(sums["in_total"]),
    )


def _lacks(previews: Sequence[ClosePreview]) -> list[str]:
    """The first sentences about what lacks, of several companies with whose it is."""
    every = [
        f"• {tax_id_word(preview.company)}: {render(lack)}" if len(previews) > 1 else f"• {render(lack)}"
        for preview in previews
        for lack in preview.lacks
    ]
    left = len(every) - _MOST_LACKS
    return every if left <= 0 else [*every[:_MOST_LACKS], t("… and {count} more", count=formatting.count(left))]
