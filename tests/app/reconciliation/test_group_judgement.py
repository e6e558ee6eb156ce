"""Deciding and judging the group at once leaves what deciding and running everything leaves, also after undo."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from confere.app.accounts import accounts as changing
from confere.app.accounts.accounts import AccountChange
from confere.app.archive_session import OpenArchive
from confere.app.context import Workspace
from confere.app.reconciliation import decisions, queries
from confere.app.reconciliation.decisions import Acted
from confere.app.reconciliation.reconcile import reconcile
from confere.archive.accounts import accounts, preferences
from confere.archive.reconciliation import links, near_misses
from confere.archive.reconciliation.finding_search import FindingFilter, page
from confere.errors import UsageFault
from confere.sales.findings import FindingState
from tests.app import business, sandboxed
from tests.app.sandboxed import copied
from tests.archive.papers import key

ACCOUNT = "world"
NOW = datetime(2026, 11, 1, 3, tzinfo=UTC)
STEPS = 9


@pytest.fixture(scope="module")
def reconciled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    workspace = copied(sandboxed.synced(tmp_path_factory), tmp_path_factory.mktemp("reconciled") / "home")
    own_companies(workspace)
    reconcile(workspace, as_of=NOW)
    return workspace.home.root


def own_companies(workspace: Workspace) -> None:
    """Whoever issued sales of this world is an establishment of its account."""
    with workspace.reading() as archive, archive.reading() as transaction:
        emitters = transaction.column(
            "SELECT DISTINCT t.tax_id FROM document d JOIN taxpayer t ON t.id = d.emitter_id WHERE d.operation = 'sale'"
        )
    changing.change(workspace, ACCOUNT, AccountChange(tax_ids=tuple(emitters)))


@pytest.fixture
def workspace(reconciled: Path, tmp_path: Path) -> Workspace:
    return copied(reconciled, tmp_path / "home")


def state(workspace: Workspace) -> dict[str, Any]:
    """Everything that a run writes, without which run wrote it."""
    with workspace.reading() as archive, archive.reading() as transaction:
        owner = accounts.named(transaction, ACCOUNT)
        found = page(transaction, owner.id, FindingFilter(states=tuple(FindingState)), -1, 0)
        return {
            "links": links.every(transaction, owner.id),
            "ties": [stored.tie for stored in links.ties(transaction, owner.id)],
            "suggestions": near_misses.suggestions(transaction, owner.id),
            "explained": sorted(near_misses.explained(transaction, owner.id), key=str),
            "findings": {
                entry.fingerprint: (entry.found, entry.state, entry.note, entry.is_changed, entry.is_stale)
                for entry in found
            },
        }


def names(workspace: Workspace) -> tuple[list[tuple[str, str]], list[str], list[str], list[int]]:
    """Linked pairs, orders, sales' keys and finding numbers to decide about."""
    with workspace.reading() as archive, archive.reading() as transaction:
        owner = accounts.named(transaction, ACCOUNT)
        pairs = [(entry.order_id, entry.key) for entry in links.every(transaction, owner.id)]
        orders = transaction.column("SELECT hub_id FROM sales_order WHERE account_id = ? ORDER BY id", (owner.id,))
        keys = transaction.column(
            "SELECT access_key FROM document WHERE is_current = 1 AND access_key IS NOT NULL ORDER BY id"
        )
        open_ones = [entry.id for entry in page(transaction, owner.id, FindingFilter(), -1, 0)]
        return pairs, list(orders), list(keys), open_ones


def decide(workspace: Workspace, dice: random.Random) -> Acted | None:
    """One decision drawn at random: mostly on what is linked, sometimes between any order and any document."""
    pairs, orders, keys, open_ones = names(workspace)
    linked = dice.choice(pairs)
    ways: list[Callable[[], Acted]] = [
        lambda: decisions.unlink(workspace, ACCOUNT, [linked]),
        lambda: decisions.confirm(workspace, ACCOUNT, [linked]),
        lambda: decisions.link(workspace, ACCOUNT, [(dice.choice(orders), linked[1])]),
        lambda: decisions.link(workspace, ACCOUNT, [(dice.choice(orders), dice.choice(keys))]),
        lambda: decisions.merge(workspace, ACCOUNT, [linked[0], dice.choice(orders)], [linked[1]]),
        lambda: decisions.split(workspace, ACCOUNT, [linked[0]], [linked[1]]),
        lambda: decisions.explain(workspace, [dice.choice(open_ones)], "agreed"),
        lambda: decisions.undo(workspace, ACCOUNT),
        lambda: decisions.redo(workspace, ACCOUNT),
    ]
    try:
        return dice.choice(ways)()
    except UsageFault:  # nothing to undo
        return None


def assert_like_a_run(workspace: Workspace, folder: Path) -> None:
    whole = copied(workspace.home.root, folder)
    reconcile(whole, as_of=NOW)
    at_once, after_run = state(workspace), state(whole)
    for part, value in after_run.items():
        assert at_once[part] == value, part


def walk(workspace: Workspace, folder: Path, seed: int, steps: int) -> int:
    """Decide so often, each time compared with a whole run; how many decisions moved a finding."""
    dice, moving = random.Random(seed), 0
    for step in range(steps):
        acted = decide(workspace, dice)
        moving += acted is not None and bool(acted.judged.changes)
        assert_like_a_run(workspace, folder / f"{seed} {step}")
    return moving


def test_random_decisions_judged_at_once_are_as_after_a_run(workspace: Workspace, tmp_path: Path) -> None:
    assert walk(workspace, tmp_path, 4, STEPS) >= 3


@pytest.mark.exhaustive
@pytest.mark.parametrize("seed", range(40))
def test_many_random_decisions_judged_at_once(workspace: Workspace, tmp_path: Path, seed: int) -> None:
    walk(workspace, tmp_path, seed, 15)


@pytest.fixture(scope="module")
def pair(reconciled: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """An order with its sale of which no finding speaks, and whose parting brings R1 and R2."""
    workspace = copied(reconciled, tmp_path_factory.mktemp("pair") / "home")
    for pair in names(workspace)[0]:
        acted = decisions.unlink(workspace, ACCOUNT, [pair])
        if [(change.what, change.rule) for change in acted.judged.changes] == [("new", "R1"), ("new", "R2")]:
            return pair
        decisions.undo(workspace, ACCOUNT)
    raise AssertionError("no such pair in this world")


def test_a_decision_says_what_it_changed_and_undo_takes_it_back(workspace: Workspace, pair: tuple[str, str]) -> None:
    before = state(workspace)
    acted = decisions.unlink(workspace, ACCOUNT, [pair])
    told = {(change.what, change.rule): change for change in acted.judged.changes}
    assert acted.judged.is_done and acted.waiting == 0
    assert told["new", "R2"].keys == (pair[1],)
    assert told["new", "R2"].amount_before is None and (told["new", "R2"].amount or 0) > 0
    undone = decisions.undo(workspace, ACCOUNT)
    assert {(change.what, change.rule) for change in undone.judged.changes} == {("gone", "R1"), ("gone", "R2")}
    after = state(workspace)
    assert after["links"] == before["links"]
    gone = {name for name, entry in after["findings"].items() if entry[1] is FindingState.RESOLVED}
    assert {name: entry for name, entry in after["findings"].items() if name not in gone} == before["findings"]
    again = decisions.redo(workspace, ACCOUNT)
    assert {(change.what, change.rule) for change in again.judged.changes} == {("new", "R1"), ("new", "R2")}


def test_what_a_decision_closed_has_the_decision_in_its_history(workspace: Workspace, pair: tuple[str, str]) -> None:
    brought = decisions.unlink(workspace, ACCOUNT, [pair]).judged.changes
    number = next(change.id for change in brought if change.rule == "R2")
    decisions.link(workspace, ACCOUNT, [pair])
    opened = OpenArchive(workspace)
    with closing(opened):
        side = queries.side_by_side(opened, number)
    told = [str(line.what) for line in side.history]
    assert any(line.startswith(f"Order {pair[0]} was linked") for line in told)
    assert not any(line.startswith("Resolved:") for line in told)
    assert side.finding is not None
    assert str(side.finding.resolved_by).startswith("Resolved by the links that ")


def test_what_a_decision_brought_is_dated_by_it(workspace: Workspace, pair: tuple[str, str]) -> None:
    brought = decisions.unlink(workspace, ACCOUNT, [pair]).judged.changes
    number = next(change.id for change in brought if change.rule == "R2")
    with closing(OpenArchive(workspace)) as opened:
        side = queries.side_by_side(opened, number)
        run = queries.runs(opened, ACCOUNT, 1)[0]
    (cut,) = (line for line in side.history if str(line.what).startswith(f"Order {pair[0]} was separated"))
    found = next(line for line in side.history if str(line.what).startswith("Found"))
    assert side.finding is not None and side.finding.since is not None
    assert found.at == side.finding.since >= cut.at > run.entry.started_at
    assert str(found.what) == "Found when links were decided."


def test_what_came_since_the_run_is_left_to_the_next_one(workspace: Workspace, pair: tuple[str, str]) -> None:
    """Other terms, like new orders, change findings that the decision has nothing to do with."""
    with workspace.writing("test") as archive, archive.writing() as transaction:
        owner = accounts.named(transaction, ACCOUNT)
        wanted = preferences.get(transaction, owner.id)
        preferences.set(
            transaction, owner.id, replace(wanted, terms=replace(wanted.terms, high_from=1, freight_by_cte=False))
        )
    before = state(workspace)
    acted = decisions.unlink(workspace, ACCOUNT, [pair])
    assert {change.rule for change in acted.judged.changes} == {"R2"}, "R1 counts this order in the month's summary"
    after = state(workspace)
    assert {name: after["findings"][name] for name in before["findings"]} == before["findings"]


def test_findings_wait_where_the_newest_run_was_of_other_rules(tmp_path: Path) -> None:
    workspace = business.workspace_at(tmp_path / "made")
    acted = decisions.link(workspace, business.ACCOUNT, [("o3", key(4))])
    assert not acted.judged.is_done and acted.waiting == 1


def test_a_month_that_no_run_looked_at_gets_no_findings(
    tmp_path_factory: pytest.TempPathFactory, tmp_path: Path
) -> None:
    workspace = copied(sandboxed.synced(tmp_path_factory), tmp_path / "home")
    own_companies(workspace)
    reconcile(workspace, period="2026-10", as_of=NOW)
    pairs, _, _, _ = names(workspace)
    acted = decisions.unlink(workspace, ACCOUNT, pairs)
    with workspace.reading() as archive, archive.reading() as transaction:
        months = set(transaction.column("SELECT DISTINCT period FROM finding"))
    assert months == {"2026-10"}
    assert acted.judged.changes
