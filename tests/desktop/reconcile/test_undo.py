"""Undo where the findings of several accounts are listed together: it takes back what was decided in this window."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from confere.app.context import Workspace
from confere.app.reconciliation import decisions, queries
from confere.desktop.reconcile.decisions.act_history import ActHistory
from confere.desktop.reconcile.decisions.decision_commands import Command
from confere.errors import UsageFault
from tests.desktop.conftest import Made
from tests.desktop.reconcile.test_page import decided, page_of, settle

OTHER = "other"


@pytest.fixture
def pair(home: Path) -> tuple[int, int]:
    """A finding of the account of the demonstration, and one of a second account, which was ignored yesterday."""
    with closing(sqlite3.connect(home / "archive.sqlite3")) as db, db:
        number = db.execute("SELECT id FROM finding WHERE state = 'open' ORDER BY id").fetchone()[0]
        _copy(db, "account", 1, id=2, name=OTHER)
        run = db.execute("SELECT last_run_id FROM finding WHERE id = ?", (number,)).fetchone()[0]
        _copy(db, "run", run, id=900, account_id=2)
        _copy(db, "finding", number, id=9001, account_id=2, fingerprint="copy", first_run_id=900, last_run_id=900)
    decisions.ignore(Workspace.at(home), [9001], "yesterday")
    return number, 9001


def _copy(db: sqlite3.Connection, table: str, number: int, **other: object) -> None:
    db.row_factory = sqlite3.Row
    row = dict(db.execute(f"SELECT * FROM {table} WHERE id = ?", (number,)).fetchone()) | other
    marks = ", ".join("?" * len(row))
    db.execute(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({marks})", tuple(row.values()))
    db.row_factory = None


def _state(made: Made, number: int) -> str:
    return queries.finding(made.services.opened, number).stored.state.value


@pytest.mark.parametrize("by_key", [False, True])
def test_undo_takes_back_what_was_decided_here_whatever_row_is_current(
    qtbot: QtBot, pair: tuple[int, int], made: Made, by_key: bool
) -> None:
    ours, theirs = pair
    made.services.scope.choose(None, None)
    page = page_of(qtbot, made)
    page.findings.stand_on(ours)
    settle(qtbot, page)
    page.deciders.explain_with(page.findings.selected, "as agreed")
    decided(qtbot, page)
    assert _state(made, ours) == "explained"
    page.writer.use(OTHER)  # the list moved on to a row of the other account
    settle(qtbot, page)
    if by_key:
        page.commands[Command.UNDO].trigger()
    else:
        page.footer.undo.click()
    decided(qtbot, page)
    assert (_state(made, ours), _state(made, theirs)) == ("open", "ignored")
    page.commands[Command.REDO].trigger()
    decided(qtbot, page)
    assert _state(made, ours) == "explained"


def test_what_was_decided_elsewhere_since_is_not_taken_back_instead(pair: tuple[int, int], home: Path) -> None:
    workspace, history = Workspace.at(home), ActHistory(Workspace.at(home))
    ours, _ = pair
    first = history.do(lambda: decisions.explain(workspace, [ours], "here"))
    second = decisions.note(workspace, [ours], "at the command line")
    assert first.account is not None and history.accounts(OTHER) == (first.account, OTHER)
    with pytest.raises(UsageFault):
        history.undo(OTHER)
    assert decisions.undo(workspace, first.account).act == second.act
    assert history.undo(OTHER).account == OTHER  # nothing of this window is left
    assert history.redo(None).account == OTHER
    assert history.accounts(None) == (OTHER, None)
