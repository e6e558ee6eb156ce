"""The bar above the findings: how many are selected, what is at stake in them, and saving them as files."""

from __future__ import annotations

from itertools import chain
from operator import attrgetter

from confere.desktop.dialogs.saving import selection_saver
from confere.desktop.dialogs.saving.selection_actions import SelectionActions
from confere.desktop.dialogs.saving.selection_saver import SavableList
from confere.desktop.jobs.job_requests import SavedList
from confere.desktop.reconcile.findings_table import FindingList
from confere.desktop.reconcile.reconciliation_text import findings_count
from confere.desktop.services import Services
from confere.system import formatting
from confere.system.messages import t


class FindingsBar(SelectionActions):
    """Belongs to the list."""

    def __init__(self, services: Services, findings: FindingList) -> None:
        super().__init__(
            services,
            findings,
            SavableList(SavedList.FINDINGS, findings_count, t("findings")),
            (*selection_saver.document_commands(), selection_saver.table_command()),
            findings.selected_ids,
            findings.ask_every,
            dragged=findings.table,
        )
        self._findings, self._count = findings, 0
        findings.counted.connect(self._have_count)
        findings.marked.connect(self._say)

    def _have_count(self, count: int) -> None:
        self._count = count
        self._say()

    def _say(self) -> None:
        rows, spans = self._findings.rows, self._findings.table.selected_spans()
        selected = chain.from_iterable(rows[span.start : span.stop] for span in spans)
        amount = sum(filter(None, map(attrgetter("stored.found.amount"), selected)))  # of thousands, at each change
        self.show_counts(self._count, sum(map(len, spans)), formatting.money(amount))
