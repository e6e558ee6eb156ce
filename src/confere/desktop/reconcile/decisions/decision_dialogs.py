"""Asks a person what a decision needs (a reason, which orders and documents, what to send) and has it written."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QDialog, QWidget

from confere.app.reconciliation import decisions
from confere.app.reconciliation.decisions import Pair
from confere.app.reconciliation.queries import FindingRow, LinkLine, SideBySide
from confere.desktop.core.window_memory import Draft
from confere.desktop.dialogs.invoice_dialog import invoice_dialog
from confere.desktop.reconcile.decisions.decision_commands import is_settled
from confere.desktop.reconcile.decisions.decision_writer import DecisionWriter
from confere.desktop.reconcile.decisions.link_dialog import LinkDialog
from confere.desktop.reconcile.decisions.reason_dialogs import ReasonDialog, TogetherDialog
from confere.desktop.reconcile.reconciliation_text import findings_count, paper_name
from confere.desktop.services import Services
from confere.desktop.widgets.dialog_buttons import keep_draft
from confere.errors import Message, UsageFault
from confere.system.messages import t


class Deciders(QObject):
    """`dialog` is the one that is open, or None."""

    def __init__(self, services: Services, writer: DecisionWriter, page: QWidget) -> None:
        super().__init__(page)
        self._services, self._writer, self._page = services, writer, page
        self.dialog: QDialog | None = None

    # Findings

    def explain(self, rows: Sequence[FindingRow]) -> None:
        """These are as they should be, for a reason that has to be told."""
        self._ask_reason(rows, t("Explain"), t("{what}: why it is as it should be.", what=_several(rows)),
                         t("Explain"), decisions.explain, needed=True)  # fmt: skip

    def explain_with(self, rows: Sequence[FindingRow], reason: str) -> None:
        """These are as they should be, for a reason that was told before."""
        if rows:
            self._writer.do(partial(decisions.explain, self._services.workspace, [row.id for row in rows], reason))

    def ignore(self, rows: Sequence[FindingRow]) -> None:
        """Let these rest, for a reason that has to be told."""
        self._ask_reason(rows, t("Ignore"), t("{what}: why it can rest.", what=_several(rows)), t("Ignore"),
                         decisions.ignore, needed=True)  # fmt: skip

    def note(self, rows: Sequence[FindingRow]) -> None:
        """Write something to these; an empty text takes the note away."""
        before = rows[0].stored.note or "" if len(rows) == 1 else ""
        seen = {row.id: row.stored.note for row in rows}
        self._ask_reason(rows, t("Note"), t("{what}: a note that stays with it.", what=_several(rows)), t("Keep"),
                         partial(decisions.note, seen=seen), before=before)  # fmt: skip

    def reopen(self, rows: Sequence[FindingRow]) -> None:
        """What a person has settled waits again."""
        ids = [row.id for row in rows if is_settled(row)]
        if ids:
            self._writer.do(partial(decisions.reopen, self._services.workspace, ids))

    # Links

    def link(self, account: str | None, pairs: Sequence[Pair]) -> None:
        if account is not None and pairs:
            self._writer.do(partial(decisions.link, self._services.workspace, account, tuple(pairs)))

    def unlink(self, account: str | None, links: Sequence[LinkLine]) -> None:
        if account is not None and links:
            self._writer.do(partial(decisions.unlink, self._services.workspace, account, _pairs(links)))

    def confirm(self, account: str | None, links: Sequence[LinkLine]) -> None:
        """Those that the program made and nobody has confirmed yet."""
        wanted = [entry for entry in links if not entry.manual and not entry.confirmed]
        if account is not None and wanted:
            self._writer.do(partial(decisions.confirm, self._services.workspace, account, _pairs(wanted)))

    def merge(self, account: str | None, orders: Sequence[str], keys: Sequence[str]) -> None:
        if account is not None:
            self._writer.do(partial(decisions.merge, self._services.workspace, account, tuple(orders), tuple(keys)))

    def split(self, account: str | None, orders: Sequence[str], keys: Sequence[str]) -> None:
        if account is not None:
            self._writer.do(partial(decisions.split, self._services.workspace, account, tuple(orders), tuple(keys)))

    def ask_link(self, account: str | None, side: SideBySide | None) -> None:
        """Find what belongs to what is shown."""
        if account is None or side is None:
            return
        dialog = LinkDialog(self._services, account, side, self._page.window())
        self.open_dialog(dialog, lambda: self.link(account, dialog.pairs))

    def ask_split(self, account: str | None, side: SideBySide | None) -> None:
        """Which of what is shown is a business of its own."""
        self._ask_together(
            account,
            side,
            t("Split"),
            t("What is ticked is a business of its own: every link from it to other orders and documents is cut."),
            self.split,
        )

    def ask_merge(self, account: str | None, side: SideBySide | None) -> None:
        """Which of what is shown is one business."""
        self._ask_together(
            account,
            side,
            t("Merge"),
            t("What is ticked is one business: each order is linked with each document."),
            self.merge,
        )

    def ask_write_back(self, account: str | None, orders: Sequence[str]) -> None:
        """Show what would be sent to the hub for these orders, and send it when a person says so."""
        if account is not None and orders:
            dialog = invoice_dialog(self._services, account, orders, self._page.window())
            self.open_dialog(dialog, lambda: self._services.jobs.start(dialog.order()))

    # How they are asked

    def _ask_reason(
        self,
        rows: Sequence[FindingRow],
        title: str,
        words: str,
        verb: str,
        act: Callable[..., decisions.Acted],
        *,
        needed: bool = False,
        before: str = "",
    ) -> None:
        if not rows:
            return
        ids = tuple(row.id for row in rows)
        drafts, workspace = self._services.memory.drafts, self._services.workspace
        dialog = ReasonDialog(title, words, verb, needed=needed, before=before, parent=self._page.window())
        keep_draft(dialog, drafts, (title, ids), dialog.edit)

        def write(text: str) -> decisions.Acted:
            try:
                return act(workspace, ids, text)
            except UsageFault:  # what was typed is not lost with it
                drafts[title, ids] = Draft((before,), (text,))
                raise

        self.open_dialog(dialog, lambda: self._writer.do(partial(write, dialog.text)))

    def _ask_together(
        self,
        account: str | None,
        side: SideBySide | None,
        title: str,
        words: str,
        act: Callable[[str | None, Sequence[str], Sequence[str]], None],
    ) -> None:
        if account is None or side is None or not side.orders or not side.papers:
            return
        orders = [(entry.order_id, entry.order_id) for entry in side.orders]
        papers = [(entry.key, paper_name(entry.key)) for entry in side.papers]
        dialog = TogetherDialog(title, words, title, orders, papers, self._page.window())
        self.open_dialog(dialog, lambda: act(account, dialog.orders, dialog.keys))

    def open_dialog(self, dialog: QDialog, then: Callable[[], None]) -> None:
        """Open it, and do that once it was accepted."""
        self.dialog = dialog
        dialog.finished.connect(lambda result: self._closed(dialog, result, then))
        dialog.open()

    def _closed(self, dialog: QDialog, result: int, then: Callable[[], None]) -> None:
        if result == QDialog.DialogCode.Accepted:
            then()
        if self.dialog is dialog:
            self.dialog = None
        dialog.deleteLater()


def _pairs(links: Sequence[LinkLine]) -> tuple[Pair, ...]:
    return tuple((entry.link.order_id, entry.link.key) for entry in links)


def _several(rows: Sequence[FindingRow]) -> Message | str:
    """What the decision is about: the finding by its title, or how many there are."""
    return rows[0].title if len(rows) == 1 else findings_count(len(rows))
