"""Asks whose findings are, until when, and who signs a month, and has it written."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from functools import partial

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from confere.app.context import Workspace
from confere.app.labels.labels import month_word, tax_id_word
from confere.app.labels.reconciliation_labels import closing_sentence
from confere.app.reconciliation.decisions import Acted
from confere.app.reconciliation.queries import FindingRow
from confere.app.reconciliation.review import assignments, signoffs
from confere.desktop.reconcile.decisions.decision_dialogs import Deciders
from confere.desktop.reconcile.decisions.decision_writer import DecisionWriter
from confere.desktop.reconcile.decisions.review_dialogs import AssignDialog, SignDialog
from confere.desktop.reconcile.page_state import PageState
from confere.desktop.reconcile.reconciliation_text import findings_count
from confere.desktop.services import Services
from confere.desktop.widgets.dialog_buttons import keep_draft
from confere.errors import message
from confere.system import formatting
from confere.system.messages import t


class Reviewers(QObject):
    """Belongs to one page. Both are acts that undo takes back, although neither says anything of a finding itself."""

    def __init__(self, services: Services, writer: DecisionWriter, deciders: Deciders, page: QWidget) -> None:
        super().__init__(page)
        self._services, self._writer, self._deciders, self._page = services, writer, deciders, page

    def assign(self, rows: Sequence[FindingRow]) -> None:
        """Whose these are, and until when."""
        if not rows:
            return
        one = rows[0].stored
        known = assignments.assignees(self._services.opened)
        words = t("{what}: who is to settle it, and by which day.", what=findings_count(len(rows)))
        dialog = AssignDialog(words, one.assignee or "", one.due_on, known, self._page.window())
        drafts = self._services.memory.drafts
        keep_draft(dialog, drafts, ("assign", *(row.id for row in rows)), dialog.who)
        ids: dict[str, list[int]] = {}  # by account: an act, and what undo takes back, is of one
        for row in rows:
            ids.setdefault(row.account, []).append(row.id)

        def accepted() -> None:
            for own in ids.values():
                self._writer.do(partial(_assigned, self._services.workspace, own, dialog.assignee, dialog.due_on))

        self._deciders.open_dialog(dialog, accepted)

    def sign(self, standing: PageState) -> None:
        """Sign the month in use of the company in use."""
        company, month = self._services.scope.company, self._services.scope.month
        if company is None or month is None:
            return
        found = signoffs.signable(self._services.opened, company, month)  # whatever the page is narrowed to
        words = t(
            "The findings of {month} of {company} as they are now: {decided} of {total} decided. The signature is"
            " withdrawn by itself as soon as one of them changes.",
            month=month_word(month),
            company=tax_id_word(company),
            decided=formatting.count(found.decided),
            total=formatting.count(found.count),
        )
        words = " ".join(filter(None, (words, closing_sentence(found.awaiting_closing))))
        before = "" if standing.signoff is None else standing.signoff.reviewer
        dialog = SignDialog(words, before, self._page.window())
        keep_draft(dialog, self._services.memory.drafts, ("sign", company, month), dialog.who, dialog.what)

        def accepted() -> None:
            signing = partial(_signed, self._services.workspace, company, month, account=standing.account or None)
            self._writer.do(partial(signing, dialog.reviewer, dialog.note))

        self._deciders.open_dialog(dialog, accepted)


def _assigned(workspace: Workspace, ids: Sequence[int], assignee: str | None, due_on: date | None) -> Acted:
    done = assignments.assign(workspace, ids, assignee, due_on)
    if done.assignee is None:
        what = message("Nobody is to settle it.")
    else:
        what = message("Assigned to {who}.", who=done.assignee)
    return Acted(done.act, what, findings=done.findings, account=done.account)


def _signed(
    workspace: Workspace, company: str, month: str, reviewer: str, note: str | None, *, account: str | None
) -> Acted:
    signed = signoffs.sign(workspace, company, month, reviewer, note, account)
    return Acted(signed.act, signoffs.sentence(signed), account=signed.account)
