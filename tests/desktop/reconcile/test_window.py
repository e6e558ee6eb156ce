"""Reconciling from the window: the job runs beside it, is told, and its findings lead to their documents."""

from __future__ import annotations

from pathlib import Path

from pytestqt.qtbot import QtBot

from confere.app.documents import browse
from confere.desktop.core.actions import Action
from confere.desktop.jobs.job import JobKind
from tests.desktop.rooms import Open, ended


def test_a_run_is_started_told_and_leads_to_documents(qtbot: QtBot, open_window: Open, home: Path) -> None:
    room = open_window(home)
    window = room.window
    qtbot.waitUntil(lambda: window.services.scope.month is not None)  # the newest one is chosen by itself
    month = window.services.scope.month
    window.go_to(Action.RECONCILE)
    page = window.reconcile
    qtbot.waitUntil(lambda: bool(page.findings.rows))
    before = len(page.standing.runs)
    window.actions_by_act[Action.RECONCILE_NOW].trigger()
    assert not window.actions_by_act[Action.RECONCILE_NOW].isEnabled()
    outcome = ended(qtbot, room)
    assert (outcome.order.kind, outcome.done) == (JobKind.RECONCILE, True)
    assert outcome.order.arguments == ("reconcile", "--summary", "--account", page.account, "--period", month)
    assert "Reconciled" in room.told
    qtbot.waitUntil(lambda: len(page.standing.runs) == before + 1)
    assert window.actions_by_act[Action.RECONCILE_NOW].isEnabled()
    key = next(
        row.finding.keys[0]
        for row in page.findings.rows
        if row.finding.keys and browse.id_of(window.services.opened, row.finding.keys[0])
    )
    page.paper_wanted.emit(key)
    assert window.place is Action.DOCUMENTS
    qtbot.waitUntil(lambda: window.details.current is not None)
    window.overview.findings_wanted.emit("")
    assert window.place is Action.RECONCILE
    assert page.filters.filters.severities == ("high",)
