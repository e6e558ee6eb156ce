"""What the desk shows of runs, findings, both sides and ties."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from confere.app.archive_session import OpenArchive
from confere.app.context import Workspace
from confere.app.reconciliation import decisions as decisions_use_case
from confere.app.reconciliation import queries
from confere.app.reconciliation.queries import FindingFilter, FindingQuery, FindingState, Severity
from confere.archive.accounts import accounts
from confere.archive.reconciliation import decisions
from confere.errors import NotInArchive, UsageFault
from confere.sales.links import Linked
from tests.app import business
from tests.app.business import ACCOUNT, OCTOBER, order_json, record_orders
from tests.app.made import account
from tests.app.sandboxed import copied
from tests.archive.papers import key, note, store


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    return business.workspace_at(tmp_path_factory.mktemp("desk"))


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same before its first run."""
    return business.workspace_at(tmp_path_factory.mktemp("bare"), reconciled=False).home.root


@pytest.fixture
def opened(shared: Workspace) -> Iterator[OpenArchive]:
    found = OpenArchive(shared)
    yield found
    found.close()


def test_nothing_is_shown_of_no_archive(tmp_path: Path) -> None:
    none = OpenArchive(Workspace.at(tmp_path))
    assert (queries.accounts_and_periods(none), queries.runs(none)) == ((), ())


def test_accounts_have_the_months_of_their_orders_papers_and_findings(opened: OpenArchive) -> None:
    (scope,) = queries.accounts_and_periods(opened)
    assert (scope.account, scope.periods, scope.has_run) == (ACCOUNT, (OCTOBER, "2026-09"), True)


def test_findings_are_grouped_and_listed(opened: OpenArchive) -> None:
    groups = queries.groups(opened, FindingQuery(ACCOUNT))
    assert [(entry.rule, entry.open, entry.not_checked, entry.amount) for entry in groups] == [
        ("R1", 1, 1, 1000),
        ("R2", 1, 0, 1000),
        ("R3", 1, 0, 1200),
    ]
    assert {entry.severity for entry in groups} == {Severity.HIGH}
    assert all(entry.explanation is not None for entry in groups)
    query = FindingQuery(ACCOUNT, FindingFilter(states=(FindingState.OPEN,)))
    assert [row.finding.rule for row in queries.findings(opened, query)] == ["R1", "R2", "R3"]
    assert [row.finding.rule for row in queries.findings(opened, query, 1, 1)] == ["R2"]
    assert queries.count(opened, query) == 3
    row = queries.findings(opened, FindingQuery(ACCOUNT, FindingFilter(OCTOBER, rules=("R3",))))[0]
    assert queries.finding(opened, row.id) == row
    assert (row.account, row.finding.orders, row.is_new, row.stored.is_stale) == (ACCOUNT, ("o2",), False, False)
    assert row.since is not None
    with pytest.raises(NotInArchive, match="no finding 999"):
        queries.finding(opened, 999)


def test_new_is_what_the_newest_of_several_runs_found(shared: Workspace, tmp_path: Path) -> None:
    workspace = copied(shared.home.root, tmp_path / "home")
    opened = OpenArchive(workspace)
    assert not queries.findings(opened, FindingQuery(ACCOUNT, only_new=True)), "with one run everything would be"
    with workspace.writing("test") as archive:
        with archive.reading() as transaction:
            owner = accounts.named(transaction, ACCOUNT)
        number = business.run(archive, owner, found=(*business.FOUND[:3], business.a_finding("R4", "o4")))
    (new,) = queries.findings(opened, FindingQuery(ACCOUNT, only_new=True))
    assert (new.finding.rule, new.is_new) == ("R4", True)
    assert [row.finding.rule for row in queries.findings(opened, FindingQuery(ACCOUNT, FindingFilter(run=number)))] == [
        "R1",
        "R4",
    ]
    history = queries.side_by_side(
        opened, queries.findings(opened, FindingQuery(ACCOUNT, FindingFilter(rules=("R1",))))[-1].id
    ).history
    assert [str(line.what) for line in history] == [
        f"Resolved: run {number} no longer found it.",
        f"Found by run {number - 1}.",
    ]
    opened.close()


def test_the_history_of_a_finding_keeps_each_time_it_came_back(shared: Workspace, tmp_path: Path) -> None:
    workspace = copied(shared.home.root, tmp_path / "home")
    opened = OpenArchive(workspace)
    (row,) = queries.findings(opened, FindingQuery(ACCOUNT, FindingFilter(rules=("R3",))))
    decisions_use_case.explain(workspace, [row.id], "agreed")
    with workspace.writing("test") as archive:
        with archive.reading() as transaction:
            owner = accounts.named(transaction, ACCOUNT)
        gone, back, gone_again = (
            business.run(archive, owner, found=found) for found in (business.FOUND[1:], business.FOUND, ())
        )
    history = queries.side_by_side(opened, row.id).history
    assert [str(line.what) for line in history if line.actor is None] == [
        f"Resolved: run {gone_again} no longer found it.",
        f"Came back: run {back} found it again.",
        f"Resolved: run {gone} no longer found it.",
        f"Found by run {gone - 1}.",
    ]
    with opened.reading() as transaction:
        newest = decisions.to_undo(transaction, owner.id)
        acts = decisions.history(transaction, owner.id)
    assert newest is not None
    assert [(act.id, act.kind) for act in acts] == [(newest.id, "explain")], "what a run did is nobody's to undo"
    opened.close()


def test_both_sides_of_a_finding(opened: OpenArchive) -> None:
    row = queries.findings(opened, FindingQuery(ACCOUNT, FindingFilter(rules=("R3",))))[0]
    sides = queries.side_by_side(opened, row.id)
    assert sides.finding == row
    (order,) = sides.orders
    assert order.order is not None
    assert (order.order.hub_id, order.order.total_cents) == ("o2", 1000)
    assert (order.created_on, order.source, order.versions) == ("2026-10-04", "hub", 1)
    assert [(paper.key, paper.row is not None, len(paper.items)) for paper in sides.papers] == [
        (key(2), True, 1),
        (key(3), True, 1),
    ]
    assert {(entry.link.order_id, entry.link.key) for entry in sides.links} == {("o2", key(2)), ("o2", key(3))}
    assert not sides.ties
    told = {str(entry.field): entry for entry in sides.differences}
    assert told["Total"].agrees, "the cancelled one does not count"
    assert (told["Total"].order_value, told["Total"].paper_value) == ("R$ 10,00", "R$ 10,00")
    assert told["Item A1: Caneca azul"].agrees


def test_without_a_note_in_effect_only_the_newest_adds_up(bare: Path, tmp_path: Path) -> None:
    workspace = copied(bare, tmp_path / "home")
    newer = 6
    with workspace.writing("test") as archive:
        store(archive, note(newer, day="2026-10-07", cstat="110"))
        with archive.reading() as transaction:
            owner = accounts.named(transaction, ACCOUNT)
        found = business.a_finding("R3", "o2", keys=(key(3), key(newer)))
        business.run(archive, owner, linked=Linked((), ()), found=(found,))
    opened = OpenArchive(workspace)
    sides = queries.side_by_side(opened, queries.findings(opened, FindingQuery(ACCOUNT))[0].id)
    states = [paper.row.state for paper in sides.papers if paper.row is not None]
    assert states == ["cancelled", "denied"]
    told = {str(entry.field): entry for entry in sides.differences}
    assert (told["Total"].order_value, told["Total"].paper_value) == ("R$ 10,00", "R$ 10,00")
    assert told["Item A1: Caneca azul"].paper_value == "1 × R$ 10,00"
    assert told["Status"].paper_value == "cancelled, denied", "both can be seen"
    opened.close()


def test_both_sides_of_an_order_and_of_a_document(opened: OpenArchive) -> None:
    sides = queries.side_by_side_of(opened, ACCOUNT, order_id="o3")
    assert (sides.finding, [entry.order_id for entry in sides.orders], sides.papers) == (None, ["o3"], ())
    assert [tie.orders for tie in sides.ties] == [("o3", "o4")]
    assert not sides.differences
    by_key = queries.side_by_side_of(opened, ACCOUNT, key=key(1))
    assert ([entry.order_id for entry in by_key.orders], len(by_key.papers)) == (["o1"], 1)
    with pytest.raises(NotInArchive, match="neither"):
        queries.side_by_side_of(opened, ACCOUNT, order_id="nobody", key=key(99))


def test_what_is_not_here_is_shown_as_absent(bare: Path, tmp_path: Path) -> None:
    workspace = copied(bare, tmp_path / "home")
    with workspace.writing("test") as archive:
        with archive.reading() as transaction:
            owner = accounts.named(transaction, ACCOUNT)
        business.run(archive, owner, found=(business.a_finding("R14", "gone", keys=(key(77),)),))
    opened = OpenArchive(workspace)
    sides = queries.side_by_side(opened, queries.findings(opened, FindingQuery(ACCOUNT))[0].id)
    assert [(entry.order_id, entry.order) for entry in sides.orders] == [("gone", None)]
    assert [(entry.key, entry.row) for entry in sides.papers] == [(key(77), None)]
    opened.close()


def test_ties_are_of_the_months_of_what_they_name(opened: OpenArchive) -> None:
    assert [tie.number for tie in queries.ties(opened, ACCOUNT)] == [1]
    assert queries.ties(opened, ACCOUNT, "2026-09"), "note 5 is of September"
    assert not queries.ties(opened, ACCOUNT, "2026-08")


def test_orders_are_found_by_what_people_know(opened: OpenArchive) -> None:
    assert [(line.order.hub_id, line.keys) for line in queries.orders(opened, ACCOUNT, text="o2")] == [
        ("o2", (key(2), key(3)))
    ]
    assert len(queries.orders(opened, ACCOUNT, text="cliente", period=OCTOBER)) == 4
    assert len(queries.orders(opened, ACCOUNT, limit=2, offset=3)) == 1
    assert not queries.orders(opened, ACCOUNT, period="2026-09")


def test_the_account_is_named_where_there_are_several(shared: Workspace, tmp_path: Path) -> None:
    workspace = copied(shared.home.root, tmp_path / "home")
    opened = OpenArchive(workspace)
    assert queries.account_named(opened, None) == ACCOUNT
    with workspace.writing("test") as archive:
        account(archive, "other")
    assert queries.account_named(opened, "other") == "other"
    with pytest.raises(UsageFault, match="2 accounts"):
        queries.account_named(opened, None)
    opened.close()


def test_each_field_is_compared_as_an_accountant_would(bare: Path, tmp_path: Path) -> None:
    workspace = copied(bare, tmp_path / "home")
    with workspace.writing("test") as archive:
        store(archive, note(6, total="12.00"))
        with archive.reading() as transaction:
            owner = accounts.named(transaction, ACCOUNT)
        record_orders(
            archive,
            owner,
            order_json(
                "o6",
                status="CANCELED",
                freight=1.5,
                createdAt="2026-10-06T15:00:00Z",
                buyer={"name": "CLIENTE  AVO", "document": "***44777000***"},
                invoice={"series": "1", "number": "7", "accessKey": key(7)},
                items=[{"sku": {"partnerId": "B1", "title": "Prato"}, "amount": 2, "total": 8.5}],
            ),
        )
    decisions_use_case.link(workspace, ACCOUNT, [("o6", key(6))])
    opened = OpenArchive(workspace)
    told = {str(entry.field): entry for entry in queries.side_by_side_of(opened, ACCOUNT, order_id="o6").differences}
    assert {name: entry.agrees for name, entry in told.items()} == {
        "Series and number": False,
        "Access key": False,
        "Date": False,
        "Status": False,
        "Buyer's CNPJ or CPF": True,
        "Buyer": True,
        "Item B1: Prato": False,
        "Item A1: Caneca azul": False,
        "Goods": False,
        "Discount": True,
        "Freight": False,
        "Total": False,
    }
    assert (told["Item B1: Prato"].order_value, told["Item B1: Prato"].paper_value) == ("2 × R$ 4,25 = R$ 8,50", "")
    assert (told["Series and number"].order_value, told["Series and number"].paper_value) == ("1/7", "1/6")
    opened.close()
