"""A reconciliation of a sandbox's world: booked, repeatable, killable, and never against a person's word."""

from __future__ import annotations

import random
import sqlite3
import subprocess
import sys
import textwrap
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import openpyxl
import pytest

from confere.app.accounts import accounts
from confere.app.accounts.accounts import NewAccount
from confere.app.accounts.sync import SyncRequest, sync_accounts
from confere.app.archive_session import OpenArchive
from confere.app.context import EMBEDDED, Workspace
from confere.app.labels.reconciliation_labels import state_word
from confere.app.maintenance import reindex
from confere.app.orders import orders as orders_use_case
from confere.app.reconciliation import decisions as decisions_use_case
from confere.app.reconciliation import queries, spreadsheet_report
from confere.app.reconciliation import reconcile as reconcile_use_case
from confere.app.reconciliation.queries import FindingFilter, FindingQuery, FindingState
from confere.app.reconciliation.reconcile import AccountResult, reconcile
from confere.archive.accounts import accounts as account_records
from confere.archive.accounts import runs
from confere.archive.reconciliation import decisions
from confere.errors import Message, NotInArchive, UsageFault
from confere.sales.links import LinkKind, PersonsWord
from confere.system.messages import render
from confere.system.processes.cancellation import Stop
from confere.system.progress import Progress
from confere.system.settings import HIDE_PEOPLE
from sandbox_hub.options import SandboxOptions
from sandbox_hub.server import RunningHub, running
from tests.app.made import account
from tests.app.sandboxed import copied, dump

ACCOUNT = "world"
NOW = datetime(2026, 11, 1, 3, tzinfo=UTC)
DECIDED = 20


@pytest.fixture(scope="module")
def hub() -> Iterator[RunningHub]:
    with running(SandboxOptions(documents=150, seed=23, forget=True)) as found:
        yield found


@pytest.fixture(scope="module")
def synced(hub: RunningHub, tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("world")
    workspace = Workspace.at(home)
    tax_ids = tuple(entry["cnpj"] for entry in hub.info["companies"])
    accounts.add(workspace, NewAccount(ACCOUNT, hub.address, "test", EMBEDDED, tax_ids), hub.token)
    sync_accounts(workspace)
    return home


@pytest.fixture(scope="module")
def reconciled(synced: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same after its first run."""
    workspace = copied(synced, tmp_path_factory.mktemp("reconciled") / "home")
    one(workspace)
    return workspace.home.root


def one(workspace: Workspace, period: str | None = None) -> AccountResult:
    (done,) = reconcile(workspace, period=period, as_of=NOW).runs
    return done


def test_a_run_is_booked_with_all_that_it_was_made_of(reconciled: Path) -> None:
    workspace = Workspace.at(reconciled)
    with workspace.reading() as archive, archive.reading() as transaction:
        (run,) = runs.of_kind(transaction, "reconcile")
    assert (run.outcome, run.parameters["period"], run.parameters["as_of"]) == (
        "done",
        None,
        "2026-11-01T03:00:00+00:00",
    )
    assert set(run.parameters["rules"]) == set(queries.RULES)
    assert run.parameters["terms"]["tolerance"] == 1
    assert run.counts["automatic"] == sum(run.counts["kinds"].values()) > 100
    assert run.counts["open"] == sum(states.get("open", 0) for states in run.counts["rules"].values())
    with closing(OpenArchive(workspace)) as opened:
        (line,) = queries.runs(opened, ACCOUNT)
        assert (line.entry.id, line.period, line.as_of, line.compared) == (run.id, None, NOW, None)
        assert line.open_findings == queries.count(
            opened, FindingQuery(ACCOUNT, FindingFilter(states=(FindingState.OPEN,)))
        )
        kinds = {entry.link.kind for entry in queries.links(opened, ACCOUNT)}
    assert {LinkKind.ORDER_KEY, LinkKind.QUOTED, LinkKind.SCORED, LinkKind.REFERENCE} <= kinds


def test_the_same_run_again_changes_nothing(reconciled: Path, tmp_path: Path) -> None:
    workspace = copied(reconciled, tmp_path / "home")
    before = dump(workspace.home.root)
    again = one(workspace)
    assert not again.changed
    assert dump(workspace.home.root) == before
    with closing(OpenArchive(workspace)) as opened:
        newest = queries.runs(opened, ACCOUNT)[0]
        assert newest.compared is not None
        told = (newest.compared.new, newest.compared.resolved, newest.compared.reopened, newest.compared.rules)
        assert (newest.compared.previous, told) == (again.previous, (0, 0, 0, ()))
        assert not queries.findings(opened, FindingQuery(ACCOUNT, only_new=True))


def test_month_by_month_it_finds_what_it_finds_at_once(synced: Path, reconciled: Path, tmp_path: Path) -> None:
    workspace = copied(synced, tmp_path / "home")
    with closing(OpenArchive(workspace)) as opened:
        (scope,) = queries.accounts_and_periods(opened)
    for period in scope.periods:
        done = one(workspace, period)
        assert done.previous is None, "the run before is of the same month"
        with closing(OpenArchive(workspace)) as opened:
            mine = queries.count(opened, FindingQuery(ACCOUNT, FindingFilter(period)))
            assert mine == sum(entry.count for entry in done.rules)
    with closing(OpenArchive(workspace)) as opened, closing(OpenArchive(Workspace.at(reconciled))) as whole:
        found = {
            row.stored.fingerprint: row.stored.state for row in queries.findings(opened, FindingQuery(ACCOUNT), 0, -1)
        }
        assert found == {
            row.stored.fingerprint: row.stored.state for row in queries.findings(whole, FindingQuery(ACCOUNT), 0, -1)
        }
        assert queries.links(opened, ACCOUNT) == queries.links(whole, ACCOUNT)


def test_its_now_is_the_hubs_where_the_hub_is_a_demonstration(synced: Path, tmp_path: Path) -> None:
    workspace = copied(synced, tmp_path / "home")
    (done,) = reconcile(workspace, last_month=True).runs
    assert (done.period, done.as_of.year) == ("2026-10", 2026)
    with workspace.writing("test") as archive:
        real = account(archive, "real")
        with archive.reading() as transaction:
            machine = reconcile_use_case.now_of(transaction, real)
    assert abs((machine - datetime.now(UTC)).total_seconds()) < 60
    assert [entry.account for entry in reconcile(workspace, as_of=NOW).runs] == ["real"], "invented ones when named"


@pytest.mark.parametrize(
    ("now", "month"), [("2026-11-01T02:59:59+00:00", "2026-09"), ("2026-11-01T03:00:00+00:00", "2026-10"),
                       ("2026-01-15T00:00:00+00:00", "2025-12")],
)  # fmt: skip
def test_the_month_before_is_of_brasilia(now: str, month: str) -> None:
    assert reconcile_use_case.month_before(datetime.fromisoformat(now)) == month


def test_it_refuses_what_makes_no_sense(tmp_path: Path, reconciled: Path) -> None:
    with pytest.raises(UsageFault, match="no account"):
        reconcile(Workspace.at(tmp_path))
    with pytest.raises(UsageFault, match="not a month"):
        reconcile(copied(reconciled, tmp_path / "home"), period="2026-13")


def test_stopped_it_has_changed_nothing(synced: Path, tmp_path: Path) -> None:
    workspace = copied(synced, tmp_path / "home")
    stop = Stop()

    class Stopping:
        def progress(self, progress: Progress) -> None:
            if progress.done >= 2:
                stop.set()

        def note(self, note: Message) -> None:
            """Ignore it."""

    before = dump(workspace.home.root)
    result = reconcile(workspace, as_of=NOW, reporter=Stopping(), stop=stop)
    assert result.stopped
    assert dump(workspace.home.root) == before
    with workspace.reading() as archive, archive.reading() as transaction:
        assert runs.of_kind(transaction, "reconcile")[0].outcome == "stopped"
    assert one(workspace).previous is None, "what was stopped is nothing to compare with"


KILLED = textwrap.dedent(
    """
    import os, signal, sys
    from datetime import UTC, datetime
    from confere.app.reconciliation import reconcile
    from confere.app.context import Workspace
    from confere.archive.reconciliation import findings

    store = findings.store
    def killed(*given, **named):
        store(*given, **named)  # in the middle of the transaction
        os.kill(os.getpid(), getattr(signal, "SIGKILL", signal.SIGTERM))
    findings.store = killed
    reconcile.reconcile(Workspace.at(sys.argv[1]), as_of=datetime(2026, 11, 1, 3, tzinfo=UTC))
    """
)


def test_killed_it_has_changed_nothing_and_ends_the_same(synced: Path, reconciled: Path, tmp_path: Path) -> None:
    workspace = copied(synced, tmp_path / "home")
    before = dump(workspace.home.root)
    done = subprocess.run([sys.executable, "-c", KILLED, str(workspace.home.root)], check=False, capture_output=True)
    assert done.returncode != 0
    assert dump(workspace.home.root) == before
    one(workspace)
    with closing(OpenArchive(workspace)) as opened, closing(OpenArchive(Workspace.at(reconciled))) as whole:
        assert [line.entry.outcome for line in queries.runs(opened)] == ["done", "interrupted"]
        found = [row.stored.fingerprint for row in queries.findings(opened, FindingQuery(ACCOUNT), 0, -1)]
        assert found == [row.stored.fingerprint for row in queries.findings(whole, FindingQuery(ACCOUNT), 0, -1)]


def deciding_steps(workspace: Workspace) -> bool:
    """Whether there is something to undo."""
    with closing(OpenArchive(workspace)) as opened:
        return decisions_use_case.steps(opened, ACCOUNT).undo is not None


def decide_at_random(workspace: Workspace, seed: int) -> dict[tuple[str, str], PersonsWord]:
    """Twenty acts of a person: links of what is not linked, cuts of what is, findings ignored."""
    dice = random.Random(seed)
    said: dict[tuple[str, str], PersonsWord] = {}
    with closing(OpenArchive(workspace)) as opened:
        linked = [(entry.link.order_id, entry.link.key) for entry in queries.links(opened, ACCOUNT)]
        numbers = [row.id for row in queries.findings(opened, FindingQuery(ACCOUNT), 0, -1)]
    names, keys = sorted({pair[0] for pair in linked}), sorted({pair[1] for pair in linked})
    kinds = [dice.choice(("link", "unlink", "ignore", "undo")) for _ in range(DECIDED - 3)]
    for what in (*kinds, "link", "unlink", "ignore"):
        if what == "link":
            pair = (dice.choice(names), dice.choice(keys))
            decisions_use_case.link(workspace, ACCOUNT, [pair])
        elif what == "unlink":
            pair = dice.choice(linked)
            decisions_use_case.unlink(workspace, ACCOUNT, [pair])
        elif what == "ignore":
            decisions_use_case.ignore(workspace, [dice.choice(numbers)], f"reason {dice.random()}")
        elif deciding_steps(workspace):
            decisions_use_case.undo(workspace, ACCOUNT)
    with workspace.reading() as archive, archive.reading() as transaction:
        owner = account_records.named(transaction, ACCOUNT)
        for entry in decisions.standing(transaction, owner.id):
            said[entry.order_id, entry.key] = entry.word
    return said


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_what_a_person_said_survives_a_sync_a_run_and_reading_again(
    hub: RunningHub, reconciled: Path, tmp_path: Path, seed: int
) -> None:
    workspace = copied(reconciled, tmp_path / "home")
    said = decide_at_random(workspace, seed)
    assert {PersonsWord.LINK, PersonsWord.UNLINK} <= set(said.values())
    acts = dump(workspace.home.root, "act", "decision", "finding_act")
    with closing(OpenArchive(workspace)) as opened:
        settled = {
            row.stored.fingerprint: (row.stored.state, row.stored.note, row.stored.author)
            for row in queries.findings(
                opened, FindingQuery(ACCOUNT, FindingFilter(states=(FindingState.IGNORED,))), 0, -1
            )
        }
    assert settled

    def hold() -> None:
        assert dump(workspace.home.root, "act", "decision", "finding_act") == acts
        with closing(OpenArchive(workspace)) as opened:
            linked = {
                (entry.link.order_id, entry.link.key): entry.link.kind for entry in queries.links(opened, ACCOUNT)
            }
            for pair, word in said.items():
                assert linked.get(pair) == (LinkKind.PERSON if word is PersonsWord.LINK else None), pair
            now = {row.stored.fingerprint: row for row in queries.findings(opened, FindingQuery(ACCOUNT), 0, -1)}
        for fingerprint, told in settled.items():
            row = now[fingerprint]
            assert (row.stored.note, row.stored.author) == told[1:]
            assert row.stored.state in (told[0], FindingState.RESOLVED), "a link may have settled it for good"

    hold()
    sync_accounts(workspace, (ACCOUNT,), SyncRequest(full=True))
    hold()
    one(workspace)
    hold()
    reindex.reindex(workspace, everything=True)
    hold()
    assert not one(workspace).changed, "after a run that knew what was said, nothing is left to do"
    hold()
    with closing(OpenArchive(workspace)) as opened:
        assert not [row for row in queries.findings(opened, FindingQuery(ACCOUNT), 0, -1) if row.stored.is_stale]


def test_the_report_is_read_by_others(reconciled: Path, tmp_path: Path) -> None:
    workspace = copied(reconciled, tmp_path / "home")
    with closing(OpenArchive(workspace)) as opened:
        first = queries.findings(opened, FindingQuery(ACCOUNT, FindingFilter(states=(FindingState.OPEN,))))[0]
        links = queries.links(opened, ACCOUNT)
        amounts = {row.rule: row.amount for row in queries.groups(opened, FindingQuery(ACCOUNT))}
        suggestions, by_rule = queries.suggestions(opened, ACCOUNT), queries.explained(opened, ACCOUNT)
        goods, taxes = queries.stock(opened, ACCOUNT), queries.taxes(opened, ACCOUNT)
    decisions_use_case.note(workspace, [first.id], "=cmd|' /C calc'!A0")
    path = spreadsheet_report.report(workspace, [(ACCOUNT, None)], tmp_path / "report.xlsx")
    book = openpyxl.load_workbook(path)
    assert len(book.sheetnames) == 8
    summary, found, linked, ties, suggested, explained, stock, pivot = (book[name] for name in book.sheetnames)
    assert ("Run" in {summary.cell(line, 1).value for line in range(1, 30)}) or summary.cell(1, 2).value == ACCOUNT
    told = {row[1]: row[5] for row in summary.iter_rows(values_only=True) if row[1] in amounts and row[3] is not None}
    assert {rule: round(float(amount) * 100) for rule, amount in told.items()} == amounts
    heads = [cell.value for cell in found[1]]
    notes = [row[heads.index("Note")] for row in found.iter_rows()]
    notes = [cell for cell in notes if cell.value == "=cmd|' /C calc'!A0"]
    assert [cell.data_type for cell in notes] == ["s"]
    assert linked.max_row == len(links) + 1
    assert suggested.max_row == len(suggestions) + 1
    assert explained.max_row == len(by_rule) + 1
    assert stock.max_row == len(goods) + 1
    assert pivot.max_row == len(taxes) + 1
    assert ties.freeze_panes == "A2"
    one_month = openpyxl.load_workbook(
        spreadsheet_report.report(workspace, [(ACCOUNT, "2026-10")], tmp_path / "month.xlsx")
    )
    assert 1 < one_month[book.sheetnames[2]].max_row < linked.max_row
    with pytest.raises(UsageFault, match=r"\.xlsx"):
        spreadsheet_report.report(workspace, [(ACCOUNT, None)], tmp_path / "report.xls")


def test_the_head_of_a_months_report_agrees_with_its_tables(reconciled: Path, tmp_path: Path) -> None:
    workspace, period = copied(reconciled, tmp_path / "home"), "2026-10"
    path = spreadsheet_report.report(workspace, [(ACCOUNT, period)], tmp_path / "month.xlsx")
    book = openpyxl.load_workbook(path)
    summary, findings, links = (list(book[name].values) for name in ("Summary", "Findings", "Links"))
    break_at = next(number for number, row in enumerate(summary) if row[0] is None)
    head: dict[object, object] = {row[0]: row[1] for row in summary[:break_at]}
    rules = [dict(zip(summary[break_at + 1], row, strict=True)) for row in summary[break_at + 2 :]]
    rows = [dict(zip(findings[0], row, strict=True)) for row in findings[1:]]
    states = Counter(row["State"] for row in rows)
    assert rows and {row["Month"] for row in rows} == {period}
    open_now = head["Open findings of the month"]
    assert open_now == sum(row["Still open"] for row in rules) == states[state_word(FindingState.OPEN)] > 0
    assert head["Findings of the month not checked"] == sum(row["Not checked"] for row in rules)
    assert head["Findings of the month not checked"] == states[state_word(FindingState.NOT_CHECKED)]
    assert head["Links of the month"] == len(links) - 1 > 0
    with closing(OpenArchive(workspace)) as opened:
        run = queries.runs(opened, ACCOUNT)[0]
    assert run.period is None and run.entry.counts, "the run was of all months: what it counted is not of this one"
    assert not {render(label) for label, _ in run.entry.counts} & head.keys()


@pytest.mark.parametrize("hidden", [False, True])
def test_the_report_names_orders_as_the_marketplace_does_and_buyers_as_the_setting_allows(
    reconciled: Path, tmp_path: Path, hidden: bool
) -> None:
    workspace = copied(reconciled, tmp_path / "home")
    workspace.settings.set(HIDE_PEOPLE, hidden)
    with closing(OpenArchive(workspace)) as opened:
        shown = [row for row in queries.findings(opened, FindingQuery(ACCOUNT), 0, -1) if len(row.finding.orders) == 1]
    orders = {row.id: orders_use_case.show(workspace, row.finding.orders[0], account=ACCOUNT).row for row in shown}
    people = (number for number, row in orders.items() if row.buyer_name and len(row.buyer_tax_id or "") == 11)
    person = next(people)
    with sqlite3.connect(workspace.home.archive) as plain:
        plain.execute(
            "UPDATE sales_order SET marketplace_id = '=1+1', buyer_name = '=Ana Lima' WHERE id = ?",
            (orders[person].id,),
        )
    found = openpyxl.load_workbook(spreadsheet_report.report(workspace, [(ACCOUNT, None)], tmp_path / "r.xlsx"))[
        "Findings"
    ]
    heads = [cell.value for cell in found[1]]
    line = next(row for row in found.iter_rows() if row[heads.index("Number of the finding")].value == str(person))
    told = [line[heads.index(name)] for name in ("Number at the marketplace", "Buyer")]
    assert [cell.value for cell in told] == ["=1+1", "=. L." if hidden else "=Ana Lima"]
    assert {cell.data_type for cell in told} == {"s"}


def test_the_chain_of_goods_leads_to_their_balance(reconciled: Path) -> None:
    with closing(OpenArchive(Workspace.at(reconciled))) as opened:
        rows = queries.stock(opened, ACCOUNT)
        assert rows
        for row in rows:
            chain = queries.stock_chain(opened, ACCOUNT, row.subject)
            assert chain.row == row
            counted = [move for move in chain.moves if move.movement.counted]
            stood = chain.moves[-1].movement.balance
            assert sum(move.movement.quantity for move in counted) == row.line.balance == stood
            sold = -sum(move.movement.quantity for move in counted if move.column == "sold")
            assert sold == row.line.sold
        with pytest.raises(NotInArchive, match="No goods"):
            queries.stock_chain(opened, ACCOUNT, "nothing/of/this")
