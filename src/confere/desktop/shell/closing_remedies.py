"""What the buttons of the month's checklist do: a job, another page, or a command of the window."""

from __future__ import annotations

from PySide6.QtCore import QObject

from confere.app.closing.checklist_line import ChecklistLine, RemedyKind
from confere.desktop.core import activity_sections
from confere.desktop.core.actions import Action
from confere.desktop.jobs.job_requests import reconcile_order, sync_order, verify_order
from confere.desktop.overview.page_requests import DocumentsRequest
from confere.desktop.shell.navigation import Ways
from confere.desktop.shell.window import MainWindow

_NOT_AUTHENTIC = DocumentsRequest(verdicts=("failed",))
_VIEWS = {
    RemedyKind.UNREADABLE: activity_sections.UNREADABLE,
    RemedyKind.NOT_OFFERED: activity_sections.NOT_OFFERED,
}
_ACTIONS = {RemedyKind.IMPORT: Action.IMPORT_FILES, RemedyKind.EXPORT: Action.EXPORT}


class ClosingRemedies(QObject):
    """Belongs to one window."""

    def __init__(self, window: MainWindow, ways: Ways) -> None:
        super().__init__(window)
        self._window, self._ways = window, ways

    def take(self, line: ChecklistLine, company: str) -> None:
        """Do what the button of `line` says, for `company`: it comes into use where all were."""
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
            self._ways.to_rule(line.account, "")
        elif kind is RemedyKind.NOT_AUTHENTIC:
            scope.choose(company, scope.month)
            self._ways.to_documents(_NOT_AUTHENTIC)
        elif kind is RemedyKind.TERMS:
            self._window.go_to(Action.SETTINGS)
            self._window.settings.show_section("accounts")
        elif kind in _VIEWS:
            self._ways.to_activity(_VIEWS[kind])
            self._window.go_to(Action.ACTIVITY)
        elif kind in _ACTIONS:
            scope.choose(company, scope.month)
            self._window.actions_by_act[_ACTIONS[kind]].trigger()
