"""Open findings where people look anyway: on the overview by account and rule, and on the documents that they name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from confere.app.archive_session import OpenArchive
from confere.app.context import Workspace
from confere.app.documents import browse
from confere.app.documents.browse import DocumentQuery, FindingMark
from confere.app.overview.overview import overview
from confere.app.reconciliation import decisions, queries
from confere.app.reconciliation.open_findings import AccountFindings
from confere.app.reconciliation.queries import FindingFilter, FindingQuery, FindingState
from confere.archive.accounts import accounts, runs
from confere.archive.accounts.accounts import Account
from confere.archive.documents.search.document_query import Lookup
from confere.archive.store import Archive
from confere.sales.findings import Severity
from tests.app import business
from tests.app.business import ACCOUNT, OCTOBER, SEPTEMBER_KEY, a_finding
from tests.app.made import account
from tests.app.sandboxed import copied
from tests.archive.papers import EMITTER, key

FOUND = (
    *business.FOUND,
    a_finding("R6", "o4", severity=Severity.LOW, amount=90_000),
    a_finding("R14", keys=(key(2),), severity=Severity.MEDIUM, amount=None),
    a_finding("R10", "o2", keys=(key(2), key(4)), severity=Severity.MEDIUM, amount=700),
)


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Before its first run."""
    return business.workspace_at(tmp_path_factory.mktemp("bare"), reconciled=False).home.root


@pytest.fixture
def workspace(bare: Path, tmp_path: Path) -> Workspace:
    return copied(bare, tmp_path / "home")


def writing(workspace: Workspace, do: Callable[[Archive, Account], object]) -> None:
    with workspace.writing("test") as archive:
        with archive.reading() as transaction:
            owner = accounts.named(transaction, ACCOUNT)
        do(archive, owner)


def reconciled(workspace: Workspace, period: str | None = None) -> None:
    """A run of this month, or of all, that finds what is to be found."""

    def run(archive: Archive, owner: Account) -> None:
        number = business.run(archive, owner, found=FOUND)
        with archive.writing() as transaction:
            month = "null" if period is None else f'"{period}"'
            transaction.execute("UPDATE run SET parameters = ? WHERE id = ?", (f'{{"period": {month}}}', number))

    writing(workspace, run)


def booked(workspace: Workspace, kind: str, outcome: str | None, **counts: Any) -> None:
    """A run of another kind that ended so; one that was cut off with None."""

    def book(archive: Archive, owner: Account) -> None:
        with archive.writing() as transaction:
            number = runs.start(transaction, kind, None if kind == "import" else owner.id, {})
            if outcome is not None:
                runs.finish(transaction, number, outcome, counts)

    writing(workspace, book)


def shown(opened: OpenArchive, month: str | None = None, company: str | None = None) -> AccountFindings:
    (found,) = overview(opened, company, month).findings
    return found


@pytest.mark.parametrize("month", [None, OCTOBER, "2026-09"])
def test_the_overview_counts_what_the_desk_shows(workspace: Workspace, opened: OpenArchive, month: str | None) -> None:
    reconciled(workspace)
    found = shown(opened, month)
    on_desk = {
        group.rule: group for group in queries.groups(opened, FindingQuery(ACCOUNT, FindingFilter(month))) if group.open
    }
    assert {group.rule: (group.open, group.amount) for group in found.groups} == {
        rule: (group.open, group.amount) for rule, group in on_desk.items()
    }
    assert (
        found.open
        == queries.count(opened, FindingQuery(ACCOUNT, FindingFilter(month, states=(FindingState.OPEN,))))
        > 0
    )
    assert found.not_checked == queries.count(
        opened, FindingQuery(ACCOUNT, FindingFilter(month, states=(FindingState.NOT_CHECKED,)))
    )
    assert found.amount == sum(group.amount for group in on_desk.values())


def test_the_gravest_come_first_then_the_greatest_amount(workspace: Workspace, opened: OpenArchive) -> None:
    reconciled(workspace)
    found = shown(opened)
    assert [(group.rule, group.severity.value, group.amount) for group in found.groups] == [
        ("R3", "high", 1200),
        ("R1", "high", 1000),
        ("R2", "high", 1000),
        ("R10", "medium", 700),
        ("R14", "medium", 0),
        ("R6", "low", 90_000),
    ]
    assert (found.grave, found.not_checked) == (3, 1)
    (step,) = [step for step in overview(opened, None, None).steps if step.kind == "findings"]
    assert step.count == found.grave


def test_what_a_person_settled_is_open_no_more(workspace: Workspace, opened: OpenArchive) -> None:
    reconciled(workspace)
    (row,) = queries.findings(opened, FindingQuery(ACCOUNT, FindingFilter(rules=("R3",))))
    decisions.explain(workspace, [row.id], "agreed")
    assert "R3" not in {group.rule for group in shown(opened).groups}
    assert shown(opened).grave == 2


class TestHowFarTheLastRunReaches:
    def test_never(self, opened: OpenArchive) -> None:
        found = shown(opened, OCTOBER)
        assert (found.run_at, found.covered, found.stale, found.groups) == (None, False, False, ())

    @pytest.mark.parametrize(
        ("ran", "asked", "covered"),
        [
            (None, None, True),
            (None, OCTOBER, True),
            (OCTOBER, OCTOBER, True),
            (OCTOBER, "2026-09", False),
            (OCTOBER, None, False),
        ],
    )
    def test_a_run_covers_its_months(
        self, workspace: Workspace, opened: OpenArchive, ran: str | None, asked: str | None, covered: bool
    ) -> None:
        reconciled(workspace, ran)
        found = shown(opened, asked)
        assert found.run_at is not None
        assert (found.run_period, found.covered, found.stale) == (ran, covered, False)

    def test_the_run_that_covers_is_told_though_another_is_newer(
        self, workspace: Workspace, opened: OpenArchive
    ) -> None:
        reconciled(workspace)
        reconciled(workspace, "2026-09")
        assert shown(opened, OCTOBER).run_period is None
        assert shown(opened, "2026-09").run_period == "2026-09"

    @pytest.mark.parametrize(
        ("kind", "outcome", "counts", "stale"),
        [
            ("sync", "done", {"listed": 9, "downloaded": 1}, True),
            ("sync", "failed", {"updated": 1}, True),
            ("sync", "done", {"listed": 9, "already": 9, "requests": 3}, False),
            ("sync", None, {}, True),
            ("notification", "done", {"updated": 1}, True),
            ("import", "partial", {"files": 2, "events": 1}, True),
            ("import", "done", {"files": 2, "duplicates": 2}, False),
            ("orders", "done", {"listed": 5, "changed": 1}, True),
            ("orders", "done", {"listed": 5, "requests": 1}, False),
            ("orders import", "done", {"rows": 5, "new": 5}, True),
            ("catalog", "done", {"listed": 9, "changed": 1}, True),
            ("catalog", "done", {"listed": 9, "gone": 1}, True),
            ("catalog", "done", {"listed": 9, "archived": 9, "requests": 3}, False),
            ("feeds", "done", {"changed": 1, "feeds": {"products": {"changed": 1}}}, True),
            ("feeds", "done", {"changed": 7, "feeds": {"products": {"changed": 0}, "orders": {"changed": 7}}}, False),
            ("feeds", "done", {}, False),
            ("verify", "done", {"new": 5}, False),
        ],
    )
    def test_what_came_after_it(
        self,
        workspace: Workspace,
        opened: OpenArchive,
        kind: str,
        outcome: str | None,
        counts: dict[str, Any],
        stale: bool,
    ) -> None:
        booked(workspace, kind, "done", new=3, documents=3)
        reconciled(workspace)
        assert not shown(opened).stale, "what came before it was looked at"
        booked(workspace, kind, outcome, **counts)
        assert shown(opened).stale is stale
        assert shown(opened, OCTOBER).stale is stale

    @pytest.mark.parametrize("kind", ["sync", "notification"])
    def test_another_hub_of_the_same_company_brought_documents(
        self, workspace: Workspace, opened: OpenArchive, kind: str
    ) -> None:
        """They are in the books of every account of the company; those of another company are not."""
        reconciled(workspace)

        def sync(archive: Archive, name: str, tax_id: str, kind: str) -> None:
            owner = account(archive, name, "production", tax_id)
            with archive.writing() as transaction:
                runs.finish(transaction, runs.start(transaction, kind, owner.id, {}), "done", {"new": 1})

        def stale() -> bool:
            found = {entry.account: entry for entry in overview(opened, None, None).findings}
            return found[ACCOUNT].stale

        writing(workspace, lambda archive, _: sync(archive, "stranger", "11222333000262", kind))
        writing(workspace, lambda archive, _: sync(archive, "its orders", EMITTER, "orders"))
        assert not stale()
        writing(workspace, lambda archive, _: sync(archive, "second", EMITTER, kind))
        assert stale()


def test_absurd_amounts_are_counted_too(workspace: Workspace, opened: OpenArchive) -> None:
    """A hub may tell totals of which ten come to more than a database can hold."""
    most = 10**18
    absurd = tuple(a_finding("R1", f"o{number}", amount=most) for number in range(12))
    beyond = a_finding("R2", "o1", amount=10**19)
    for _ in range(2):  # found a second time it is the same
        writing(workspace, lambda archive, owner: business.run(archive, owner, found=(*absurd, beyond)))
    assert shown(opened).amount == 12 * most + 2**63 - 1
    assert sum(group.amount for group in queries.groups(opened, FindingQuery(ACCOUNT))) == shown(opened).amount


def test_the_accounts_are_those_of_the_company(workspace: Workspace, opened: OpenArchive) -> None:
    with workspace.writing("test") as archive:
        account(archive, "branch", "production", "11222333000262")
    assert [entry.account for entry in overview(opened, None, None).findings] == ["branch", ACCOUNT]
    assert [entry.account for entry in overview(opened, EMITTER, None).findings] == [ACCOUNT]
    assert overview(opened, "99999999000191", None).findings == (), "no account has it: nothing is reconciled"


class TestDocumentsNamedByFindings:
    def test_rows_say_which_open_findings_name_them(self, workspace: Workspace, opened: OpenArchive) -> None:
        reconciled(workspace)
        rows = browse.first(opened, DocumentQuery())
        marks = {row.access_key: row.findings for row in rows}
        assert marks == {
            key(1): (),
            key(2): (FindingMark("R3", "high"), FindingMark("R10", "medium"), FindingMark("R14", "medium")),
            key(3): (FindingMark("R3", "high"),),
            key(4): (FindingMark("R10", "medium"),),
            SEPTEMBER_KEY: (FindingMark("R2", "high"),),
        }
        ids = [row.id for row in rows]
        assert browse.rows(opened, ids) == rows
        assert browse.named(opened, key(2)).row == next(row for row in rows if row.access_key == key(2))
        (r3,) = queries.findings(opened, FindingQuery(ACCOUNT, FindingFilter(rules=("R3",))))
        decisions.ignore(workspace, [r3.id], "known")
        assert not browse.named(opened, key(3)).row.findings  # type: ignore[union-attr]

    @pytest.mark.parametrize("company", [None, EMITTER])
    @pytest.mark.parametrize("sort", ["issued", "total"])
    def test_a_list_is_narrowed_to_them(
        self, workspace: Workspace, opened: OpenArchive, company: str | None, sort: str
    ) -> None:
        reconciled(workspace)

        def listed(**wanted: object) -> set[str | None]:
            query = DocumentQuery(company=company, sort=sort, **wanted)  # type: ignore[arg-type]
            rows = browse.first(opened, query)
            assert list(browse.snapshot(opened, query)) == [row.id for row in rows]
            assert browse.totals(opened, query).count == len(rows)
            return {row.access_key for row in rows}

        assert listed(with_findings=True) == {key(2), key(3), key(4), SEPTEMBER_KEY}
        assert listed(with_findings=False) == {key(1)}
        assert listed(with_findings=True, from_day="2026-10-01") == {key(2), key(3), key(4)}
        assert listed(with_findings=True, states=("cancelled",)) == {key(3)}
        assert listed(with_findings=True, matching=Lookup("words", "caneca"), total_from=10**9) == set()

    def test_those_of_an_account_that_went_do_not_count(self, workspace: Workspace, opened: OpenArchive) -> None:
        reconciled(workspace)
        with workspace.writing("test") as archive, archive.writing() as transaction:
            accounts.remove(transaction, ACCOUNT)
        assert not browse.snapshot(opened, DocumentQuery(with_findings=True))
        assert not any(row.findings for row in browse.first(opened, DocumentQuery()))
        assert not overview(opened, None, None).findings
