"""The ways from one page to what another one shows: documents, files, findings, orders, parts of the activity."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt

from confere.desktop.core import activity_sections
from confere.desktop.core.actions import Action
from confere.desktop.jobs.job_requests import reconcile_order, sync_order, verify_order
from confere.desktop.overview.page_requests import DocumentsRequest
from confere.desktop.shell.window import MainWindow

if TYPE_CHECKING:
    from confere.app.closing.checklist_line import ChecklistLine
    from confere.app.reconciliation.values import FindingRow

_NOT_AUTHENTIC = DocumentsRequest(verdicts=("failed",))


class Navigation(QObject):
    """Belongs to one window."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window

    def to_documents(self, wanted: DocumentsRequest) -> None:
        """The list, narrowed to these."""
        if wanted.everywhere:
            self._window.services.scope.choose(None, None)
        self._window.go_to(Action.DOCUMENTS)
        self._window.documents.show_only(**wanted.filters)

    def to_paper(self, name: str) -> None:
        """One by its access key or the SHA-256 of its file, whatever company and month are in use."""
        window = self._window
        window.go_to(Action.DOCUMENTS)
        window.details.show()
        window.details.show_key(name)
        window.details.take_keyboard()

    def to_documents_with(self, code: str) -> None:
        """Documents of every month with an item of this code."""
        window = self._window
        window.services.scope.choose(window.services.scope.company, None)
        text = 'item:"{}"'.format(code.replace('"', " "))
        window.go_to(Action.DOCUMENTS)
        window.top.search.put(text)
        window.documents.show_only()
        window.top.search.put(text)
        window.documents.search(text)

    def to_grave_findings(self, account: str) -> None:
        """Those of the account that are the most pressing; empty for the one in use."""
        from confere.sales.findings import Severity

        self._window.go_to(Action.RECONCILE)
        self._window.reconcile.show_severity(Severity.HIGH, account or None)

    def to_rule(self, account: str, rule: str) -> None:
        """The findings of an account and a rule, empty for every rule."""
        self._window.go_to(Action.RECONCILE)
        self._window.reconcile.show_rule(rule, account)

    def to_finding(self, row: FindingRow) -> None:
        """One finding, whatever its month and its state; its month comes into use where another one was."""
        scope = self._window.services.scope
        if scope.month not in (None, row.finding.period):
            scope.choose(scope.company, row.finding.period or None)
        self._window.go_to(Action.RECONCILE)
        self._window.reconcile.findings.stand_on(row.id)
        self._window.reconcile.show_rule(row.finding.rule, row.account, row.stored.state)

    def to_order(self, account: str, order_id: str) -> None:
        """An order by the hub's id of it."""
        self._window.go_to(Action.ORDERS)
        self._window.orders.show_order(account, order_id)

    def to_orders_of_no_company(self, account: str, marketplace: str | None = None) -> None:
        """Those of the month in use that are of no company that can be told; a marketplace of None is any."""
        self._window.go_to(Action.ORDERS)
        self._window.orders.show_of_no_company(account, marketplace)

    def to_order_in_reconcile(self, account: str, order_id: str) -> None:
        """An order by the hub's id of it, beside what is linked to it."""
        self._window.go_to(Action.RECONCILE)
        self._window.reconcile.show_order(account, order_id)

    def to_search(self) -> None:
        """Where something is looked for: a long list has a search of its own, all else the one above."""
        page = self._window.long_list
        if page is not None:
            page.look_for()
            return
        self._window.spread_document(False)
        self._window.top.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._window.top.search.selectAll()

    def toggle_details(self) -> None:
        """Show or hide the details of the place in use."""
        page = self._window.long_list
        if page is not None:
            page.toggle_details()
        elif self._window.details.is_wide:
            self._window.spread_document(False)
        else:
            self._window.details.setVisible(not self._window.details.isVisible())

    def to_backups(self) -> None:
        """The section of the settings that has the backups."""
        self._window.go_to(Action.SETTINGS)
        self._window.settings.show_section("archive")

    def to_activity(self, view: str) -> None:
        """This part of it, when it is gone to."""
        self._window.activity.show_view(view)

    def to_remedy(self, line: ChecklistLine, company: str) -> None:
        """Do what the button of a line of the checklist says: a job, another page, or a command of the window."""
        from confere.app.closing.checklist_line import RemedyKind

        views = {
            RemedyKind.UNREADABLE: activity_sections.UNREADABLE,
            RemedyKind.NOT_OFFERED: activity_sections.NOT_OFFERED,
        }
        actions = {RemedyKind.IMPORT: Action.IMPORT_FILES, RemedyKind.EXPORT: Action.EXPORT}
        services = self._window.services
        scope, jobs = services.scope, services.jobs
        kind, names = line.remedy_kind, [line.account] if line.account else []
        if kind is RemedyKind.SYNC:
            jobs.start(sync_order(names))
        elif kind is RemedyKind.VERIFY:
            jobs.start(verify_order())
        elif kind is RemedyKind.RECONCILE:
            jobs.start(reconcile_order(names, scope.month))
        elif kind is RemedyKind.FINDINGS:
            scope.choose(company, scope.month)
            self.to_rule(line.account, "")
        elif kind is RemedyKind.ORDERS:
            scope.choose(company, scope.month)
            self.to_orders_of_no_company(line.account)
        elif kind is RemedyKind.NOT_AUTHENTIC:
            scope.choose(company, scope.month)
            if line.proof.named == 1 or not line.proof.is_listed:  # authentic itself, with an event that is not
                self.to_paper(line.proof.names[0])
            else:
                self.to_documents(_NOT_AUTHENTIC)
        elif kind is RemedyKind.CHANGES:
            scope.choose(company, scope.month)
            self._window.closing.tabs.setCurrentWidget(self._window.closing.changes)
        elif kind is RemedyKind.TERMS:
            self._window.go_to(Action.SETTINGS)
            self._window.settings.show_section("accounts")
        elif kind in views:
            self.to_activity(views[kind])
            self._window.go_to(Action.ACTIVITY)
        elif kind in actions:
            scope.choose(company, scope.month)
            self._window.actions_by_act[actions[kind]].trigger()
