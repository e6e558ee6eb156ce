"""Closing a month, or opening it again, judges R20 and R23 at once, as the next reconciliation would."""

from __future__ import annotations

import json
import shutil
from contextlib import closing
from pathlib import Path

import pytest

from confere.app.archive_session import OpenArchive
from confere.app.closing import close_month
from confere.app.closing.close_month import CloseRequest
from confere.app.context import Workspace
from confere.app.reconciliation import queries
from confere.app.reconciliation.queries import FindingFilter, FindingQuery, FindingRow, FindingState
from confere.app.reconciliation.reconcile import reconcile
from confere.app.reconciliation.review import signoffs
from confere.archive.reconciliation.findings import StoredCounts
from confere.cli.main import run
from tests.app.closing import closed_world
from tests.app.closing.closed_world import COMPANY, MONTH

BEFORE = "2026-09"  # over, never closed, with documents of both companies
RULES = ("R20", "R23")


@pytest.fixture(scope="module")
def reconciled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folders of `closed_world`, each reconciled."""
    folder = Path(shutil.copytree(closed_world.made(tmp_path_factory), tmp_path_factory.mktemp("judged") / "worlds"))
    for name in ("closed", "later"):
        reconcile(Workspace.at(folder / name))
    return folder


@pytest.fixture
def workspace(reconciled: Path, tmp_path: Path) -> Workspace:
    return Workspace.at(Path(shutil.copytree(reconciled / "closed", tmp_path / "home")))


@pytest.fixture
def later(reconciled: Path, tmp_path: Path) -> Workspace:
    """Two cancellations and three late documents came after the month was closed."""
    return Workspace.at(Path(shutil.copytree(reconciled / "later", tmp_path / "later")))


def _found(workspace: Workspace, month: str, *states: FindingState) -> list[FindingRow]:
    wanted = states or (FindingState.OPEN, FindingState.NOT_CHECKED)
    with closing(OpenArchive(workspace)) as opened:
        query = FindingQuery("", FindingFilter(month, rules=RULES, states=wanted))
        return list(queries.findings(opened, query, limit=200))


def _agrees_with_a_run(workspace: Workspace) -> None:
    (result,) = reconcile(workspace).runs
    assert result.stored == StoredCounts(), "a whole run finds the same"


def test_a_month_just_closed_is_not_never_closed(workspace: Workspace) -> None:
    assert {row.finding.rule for row in _found(workspace, BEFORE)} == set(RULES)
    judged = close_month.close(workspace, CloseRequest(BEFORE, COMPANY, allow_incomplete=True)).judged
    assert (judged.changes, judged.reworded) == ((), 2), "the other company of the account is still to be closed"
    assert not any(COMPANY in str(sentence) for row in _found(workspace, BEFORE) for sentence in row.finding.evidence)
    _agrees_with_a_run(workspace)
    judged = close_month.close(workspace, CloseRequest(BEFORE, allow_incomplete=True)).judged
    assert {(change.rule, change.what) for change in judged.changes} == {(rule, "gone") for rule in RULES}
    assert _found(workspace, BEFORE) == []
    assert {row.finding.rule for row in _found(workspace, "2026-08")} == set(RULES), "other months are as they were"
    _agrees_with_a_run(workspace)
    assert close_month.close(workspace, CloseRequest(BEFORE)).judged.changes == (), "it stands closed already"


def test_a_month_opened_again_is_not_held_against_what_was_filed(
    later: Workspace, capsys: pytest.CaptureFixture[str]
) -> None:
    late = [row for row in _found(later, MONTH) if COMPANY in row.finding.subject]
    others = {row.id for row in _found(later, MONTH)} - {row.id for row in late}
    assert others and {row.finding.rule for row in late} == set(RULES)
    signed = signoffs.sign(later, COMPANY, MONTH, "Ana")
    assert signed.stands
    arguments = ["close", "--reopen", "--reason", "late notes", "--period", MONTH, "--company", COMPANY]
    assert run([*arguments, "--json", "--lang", "en", "--home", str(later.home.root)]) == 0
    judged = json.loads(capsys.readouterr().out)["judged"]
    assert {change["finding"] for change in judged["changes"]} == {row.id for row in late}
    assert {change["change"] for change in judged["changes"]} == {"gone"}
    assert any(change["amount_before"] for change in judged["changes"])
    assert len(judged["withdrawn_signoffs"]) == 1
    assert judged["said"][0].startswith("Findings of the month: ")
    assert {row.id for row in _found(later, MONTH)} == others, "the month of the other company stands closed"
    _agrees_with_a_run(later)


def test_the_command_says_what_changed(workspace: Workspace, capsys: pytest.CaptureFixture[str]) -> None:
    home = str(workspace.home.root)
    assert run(["close", "--period", BEFORE, "--incomplete", "--lang", "en", "--home", home]) == 0
    assert "Findings of the month: Gone: Taxes unlike the closed month; Gone: Late document." in capsys.readouterr().out
    arguments = ["close", "--reopen", "--reason", "x", "--period", BEFORE, "--lang", "en", "--home", home]
    assert run(arguments) == 0
    assert "Findings of the month: New: Taxes unlike the closed month; New: Late document." in capsys.readouterr().out
    assert {row.finding.rule for row in _found(workspace, BEFORE)} == set(RULES)


def test_the_history_of_a_finding_names_the_closing(workspace: Workspace) -> None:
    close_month.close(workspace, CloseRequest(BEFORE, allow_incomplete=True))
    row = _found(workspace, BEFORE, FindingState.RESOLVED)[0]
    with closing(OpenArchive(workspace)) as opened:
        told = [str(line.what) for line in queries.side_by_side(opened, row.id).history]
    assert any(what.startswith("The month of ") and what.endswith(" was closed.") for what in told)
    assert not any("no longer found it" in what for what in told), "no run closed it"


def test_without_a_run_the_next_one_judges(tmp_path_factory: pytest.TempPathFactory, tmp_path: Path) -> None:
    source = closed_world.made(tmp_path_factory) / "closed"
    workspace = Workspace.at(Path(shutil.copytree(source, tmp_path / "home")))
    judged = close_month.close(workspace, CloseRequest(BEFORE, allow_incomplete=True)).judged
    assert (judged.changes, judged.not_judged) == ((), ("loja",))


def test_a_month_that_no_run_covers_is_said_to_wait_for_one(
    tmp_path_factory: pytest.TempPathFactory, tmp_path: Path
) -> None:
    source = closed_world.made(tmp_path_factory) / "closed"
    workspace = Workspace.at(Path(shutil.copytree(source, tmp_path / "home")))
    reconcile(workspace, period=MONTH)
    judged = close_month.close(workspace, CloseRequest(BEFORE, allow_incomplete=True)).judged
    assert (judged.changes, judged.not_judged) == ((), ("loja",))
