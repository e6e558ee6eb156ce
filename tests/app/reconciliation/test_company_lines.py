"""Of an account with several companies each has its own ties, near misses, explained differences and orders."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from confere.app.accounts import accounts as use_case
from confere.app.accounts import company_lines
from confere.app.accounts.accounts import AccountChange
from confere.app.archive_session import OpenArchive
from confere.app.context import Workspace
from confere.app.reconciliation import queries
from confere.app.reconciliation.matching import line_groups
from confere.app.reconciliation.queries import FindingFilter, FindingQuery
from confere.archive.reconciliation import near_misses
from confere.cli.main import run
from confere.desktop.reconcile.page_state import gather
from confere.errors import message
from confere.sales.findings import ExplainedDifference
from confere.sales.links import Link, Linked, LinkKind, Suggestion, Tie
from tests.app.business import ACCOUNT, OCTOBER, order_json, record_orders
from tests.app.business import run as reconciled
from tests.app.made import account
from tests.app.sandboxed import copied
from tests.archive.papers import EMITTER, key, note, store

BRANCH = "11222333000262"
THIRD = "11222333000343"
WHY = message("the buyer's tax id")


def of_branch(number: int) -> str:
    return key(number, emitter=BRANCH)


TIES = (
    Tie(("o1", "o2"), (key(1), key(2)), LinkKind.SCORED, WHY),
    Tie(("o3",), (of_branch(3), of_branch(9)), LinkKind.SCORED, WHY),
    Tie(("o4", "o6"), ("x" * 20,), LinkKind.SCORED, WHY),  # nothing tells
    Tie(("o7",), (key(5), of_branch(5)), LinkKind.SCORED, WHY),  # of both
)
PAIRS = (Suggestion("o3", of_branch(3), (WHY,), ()), Suggestion("o1", key(1), (WHY,), ()))
EXPLAINED = (
    ExplainedDifference(OCTOBER, ("o1",), (), 300, (WHY,)),  # the link of its order tells
    ExplainedDifference(OCTOBER, ("o4",), (), 200, (WHY,)),
    ExplainedDifference(OCTOBER, ("o3",), (of_branch(3),), 100, (WHY,)),
)
# By company: the orders of its ties, of its pairs and of what is explained; how many of each are of none.
LINES = {
    EMITTER: ([("o1", "o2"), ("o4", "o6"), ("o7",)], ["o1"], ["o1", "o4"], (1, 0, 1)),
    BRANCH: ([("o3",), ("o4", "o6"), ("o7",)], ["o3"], ["o4", "o3"], (1, 0, 1)),
    THIRD: ([("o4", "o6")], [], ["o4"], (1, 0, 1)),
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = Workspace.at(tmp_path_factory.mktemp("lines"))
    with found.writing("test") as archive:
        store(archive, note(1), note(2), note(3, emitter=BRANCH))
        owner = account(archive, ACCOUNT, "production", EMITTER, BRANCH, THIRD)
        record_orders(archive, owner, *(order_json(f"o{number}") for number in (1, 2, 3, 4, 6, 7)))
        linked = (
            Link("o1", key(1), LinkKind.ORDER_KEY, 100, ()),
            Link("o3", of_branch(3), LinkKind.ORDER_KEY, 100, ()),
        )
        number = reconciled(archive, owner, Linked(linked, TIES, PAIRS), ())
        with archive.writing() as transaction:
            near_misses.replace_suggestions(transaction, owner.id, number, PAIRS)
            near_misses.replace_explained(transaction, owner.id, number, EXPLAINED, None)
    return found.home.root


@pytest.fixture
def workspace(made: Path, tmp_path: Path) -> Workspace:
    return copied(made, tmp_path / "home")


@pytest.fixture
def opened(workspace: Workspace) -> Iterator[OpenArchive]:
    with closing(OpenArchive(workspace)) as archive:
        yield archive


def state(opened: OpenArchive, company: str | None) -> tuple[int, int, int, int, bool]:
    found = gather(opened, company, ACCOUNT, FindingQuery(ACCOUNT, FindingFilter(OCTOBER, company=company)))
    return found.ties, found.suggestions, found.explained, found.explained_amount, found.is_shared


@pytest.mark.parametrize("company", list(LINES))
def test_commands_and_window_have_the_lines_of_the_company(
    workspace: Workspace, opened: OpenArchive, company: str, capsys: pytest.CaptureFixture[str]
) -> None:
    def told(*words: str) -> dict[str, object]:
        options = ["--company", company, "--json", "--home", str(workspace.home.root)]
        assert run([*words, *options]) == 0
        found = json.loads(capsys.readouterr().out)
        assert (found["account"], found["company"]) == (ACCOUNT, company)
        return dict(found)

    ties, pairs, explained, of_none = LINES[company]
    lists = [told("links", "ties"), told("links", "suggestions"), told("findings", "explained")]
    assert [tuple(tie["orders"]) for tie in lists[0]["ties"]] == ties  # type: ignore[attr-defined]
    assert [pair["order"] for pair in lists[1]["suggestions"]] == pairs  # type: ignore[attr-defined]
    assert [line["orders"][0] for line in lists[2]["explained"]] == explained  # type: ignore[attr-defined]
    assert tuple(found["of_no_company"] for found in lists) == of_none
    amount = sum(line.amount for line in EXPLAINED if line.orders[0] in explained)
    assert state(opened, company) == (len(ties), len(pairs), len(explained), amount, True)


def test_all_companies_have_every_line_once(opened: OpenArchive) -> None:
    assert state(opened, None) == (len(TIES), len(PAIRS), len(EXPLAINED), 600, False)
    every = company_lines.of_company(opened, ACCOUNT, None, queries.ties(opened, ACCOUNT), line_groups.of_tie)
    assert (len(every.lines), every.of_no_company) == (len(TIES), 0)


def test_with_one_establishment_every_line_is_of_it(workspace: Workspace, opened: OpenArchive) -> None:
    use_case.change(workspace, ACCOUNT, AccountChange(tax_ids=(BRANCH,)))
    found = company_lines.of_company(opened, ACCOUNT, BRANCH, queries.ties(opened, ACCOUNT), line_groups.of_tie)
    assert (len(found.lines), found.of_no_company) == (len(TIES), 0)
    assert state(opened, BRANCH)[4] is False, "what is of the account is of the company"
    nobody = company_lines.of_company(opened, ACCOUNT, THIRD, queries.ties(opened, ACCOUNT), line_groups.of_tie)
    assert nobody.lines == ()


def test_people_are_told_how_many_are_of_no_company_and_whom_nobody_knows(
    workspace: Workspace, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["links", "ties", "--home", str(workspace.home.root), "--lang", "en", "--company"]
    assert run([*arguments, EMITTER]) == 0
    assert "1 of them is of no company that can be told" in " ".join(capsys.readouterr().err.split())
    assert run([*arguments, "34128745000152", "--account", ACCOUNT]) == 0
    assert "34.128.745/0001-52 is not a company of this archive" in " ".join(capsys.readouterr().err.split())


def test_orders_are_of_the_company(workspace: Workspace, opened: OpenArchive) -> None:
    def listed(company: str | None) -> tuple[set[str], int]:
        found = queries.orders(opened, ACCOUNT, company=company)
        return {line.order.hub_id for line in found}, queries.orders_of_no_company(opened, ACCOUNT, company)

    assert listed(None) == ({"o1", "o2", "o3", "o4", "o6", "o7"}, 0)
    assert listed(EMITTER) == ({"o1", "o2", "o4", "o6", "o7"}, 4)
    assert listed(BRANCH) == ({"o3", "o2", "o4", "o6", "o7"}, 4)
