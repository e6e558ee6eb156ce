"""The overview agrees with the list, tells four kinds of lacking apart, and knows what was listed."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest

from confere.app.accounts import accounts
from confere.app.accounts.freshness import Lacks, unlisted_days
from confere.app.archive_session import OpenArchive
from confere.app.context import Workspace
from confere.app.documents import browse
from confere.app.documents.not_offered import not_offered
from confere.app.overview.overview import Overview, StepKind, overview
from confere.app.packages import export
from confere.archive.accounts import runs
from confere.archive.documents import recorder as paper_room
from confere.archive.documents.search.document_search import DocumentQuery
from confere.archive.hub import download_queue
from confere.archive.hub.coverage import ASKED, FOREVER, Span
from confere.archive.transaction import Transaction
from confere.archive.vault.vault import Blob, digest_of
from confere.errors import UsageFault
from confere.export.months import month_of
from confere.fiscal.periods import BRASILIA
from confere.system.messages import render
from tests.app.made import BEFORE, MONTH, account, fail, listed, named_by_hub, synced, workspace_at
from tests.archive.papers import EMITTER, RECIPIENT, cancellation, note, store

NOW = datetime(2026, 11, 10, 9, 0, tzinfo=BRASILIA)
END = "2026-11-10T11:00:00.000+00:00"
STRANGER = "33000167000101"


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return workspace_at(tmp_path)


@pytest.fixture
def opened(workspace: Workspace) -> Iterator[OpenArchive]:
    found = OpenArchive(workspace)
    yield found
    found.close()


def kinds(found: Overview) -> dict[tuple[str, str], tuple[int, int, int]]:
    return {
        (kind.type, kind.direction): (kind.totals.count, kind.totals.worth, kind.totals.void_count)
        for kind in found.kinds
    }


def steps(found: Overview) -> list[StepKind]:
    return [step.kind for step in found.steps]


def test_where_nothing_is_it_teaches(tmp_path: Path) -> None:
    found = overview(OpenArchive(Workspace.at(tmp_path / "none")), None, MONTH, now=NOW)
    assert found.empty
    assert steps(found) == [StepKind.CONNECT, StepKind.IMPORT, StepKind.TRY]
    assert not (tmp_path / "none").exists()


def test_what_is_no_month_is_refused(opened: OpenArchive) -> None:
    with pytest.raises(UsageFault, match="2026-13"):
        overview(opened, None, "2026-13")


def test_the_month_of_a_company(workspace: Workspace, opened: OpenArchive) -> None:
    with workspace.writing("test") as archive:
        account(archive)
    for company in (EMITTER, None):
        found = overview(opened, company, MONTH, now=NOW)
        assert kinds(found) == {("nfe", "out"): (2, 250, 1)}
        assert (found.total.count, found.total.worth, found.total.void_count, found.total.void_worth) == (
            2,
            250,
            1,
            1000,
        )
        assert [(part.when, part.totals.worth, part.totals.void_count) for part in found.slices] == [
            ("2026-10-05", 0, 1),
            ("2026-10-07", 250, 0),
        ]
        assert found.before is not None and (found.before.count, found.before.worth) == (1, 1000)
        assert not found.empty
    assert kinds(overview(opened, RECIPIENT, MONTH, now=NOW)) == {("nfe", "in"): (2, 250, 1)}
    assert kinds(overview(opened, STRANGER, MONTH, now=NOW)) == {}


def test_without_an_account_the_paper_says_which_way_it_went(opened: OpenArchive) -> None:
    found = overview(opened, None, MONTH, now=NOW)
    assert kinds(found) == {("nfe", "out"): (2, 250, 1)}
    assert steps(found) == [StepKind.CONNECT]


def test_all_time_is_shown_by_month(opened: OpenArchive) -> None:
    found = overview(opened, None, None, now=NOW)
    assert [(part.when, part.totals.count) for part in found.slices] == [(BEFORE, 1), (MONTH, 2)]
    assert found.before is None
    assert found.total.count == found.documents_ever == 3


@pytest.mark.parametrize("company", [EMITTER, RECIPIENT, None])
@pytest.mark.parametrize("month", [MONTH, None])
def test_the_sums_are_those_of_the_list(
    workspace: Workspace, opened: OpenArchive, company: str | None, month: str | None
) -> None:
    with workspace.writing("test") as archive:
        account(archive)
        store(archive, note(20, emitter=STRANGER), note(21, cstat="301"), note(22, cstat=None, total="7.77"))
    found = overview(opened, company, month, now=NOW)
    days = (f"{month}-01", f"{month}-31") if month else (None, None)
    for direction in ("in", "out"):
        query = DocumentQuery(company=company, from_day=days[0], to_day=days[1], direction=direction)
        said = browse.totals(opened, query)
        ours = [kind.totals for kind in found.kinds if kind.direction == direction]
        assert sum(entry.count for entry in ours) == said.count
        assert sum(entry.worth for entry in ours) == said.worth
        assert sum(entry.void_worth for entry in ours) == said.void_worth
    assert found.total == browse.totals(opened, DocumentQuery(company=company, from_day=days[0], to_day=days[1]))


def test_an_absurd_worth_hides_nothing(workspace: Workspace, opened: OpenArchive) -> None:
    with workspace.writing("test") as archive, archive.writing() as transaction:
        transaction.execute("UPDATE document SET total = ? WHERE state != 'cancelled'", (2**63 - 1,))
    assert overview(opened, None, None, now=NOW).total.worth == 2 * (2**63 - 1)


def test_how_fresh_an_account_is(workspace: Workspace, opened: OpenArchive) -> None:
    with workspace.writing("test") as archive:
        shop = account(archive)
    (never,) = overview(opened, EMITTER, MONTH, now=NOW).accounts
    assert (never.account, never.synced_at, never.listed_until, never.whole) == ("shop", None, None, False)
    assert len(never.unlisted_days) == 31
    assert steps(overview(opened, EMITTER, MONTH, now=NOW))[0] is StepKind.FIRST_SYNC
    with workspace.writing("test") as archive:
        listed(archive, shop, FOREVER, "2026-10-30T03:00:00.000+00:00")
        listed(archive, shop, FOREVER, END, finished=False)
        synced(archive, shop, "partial")
    (fresh,) = overview(opened, EMITTER, MONTH, now=NOW).accounts
    assert fresh.outcome == "partial"
    assert fresh.synced_at is not None
    assert fresh.listed_until == datetime(2026, 10, 30, 0, 0, tzinfo=BRASILIA)
    assert (fresh.whole, fresh.interrupted) == (True, 1)
    assert fresh.unlisted_days == ("2026-10-30", "2026-10-31")
    assert overview(opened, STRANGER, MONTH, now=NOW).accounts == ()


def test_a_company_may_be_named_with_its_mask(workspace: Workspace, opened: OpenArchive) -> None:
    export.export(workspace, export.ExportChoice(export.PackageOptions(MONTH), "11.222.333/0001-81"))
    assert overview(opened, EMITTER, MONTH, now=NOW).exported_at is not None


def test_what_is_not_authentic_is_told_of_the_company_and_month_and_of_all_others_apart(
    workspace: Workspace, opened: OpenArchive
) -> None:
    with workspace.writing("test") as archive, archive.writing() as transaction:
        transaction.execute("UPDATE document SET verdict = 2 WHERE number IN (1, 3)")  # of October and of September

    def told(company: str | None, month: str | None) -> list[tuple[int, bool]]:
        steps = overview(opened, company, month).steps
        return [(step.count, step.is_elsewhere) for step in steps if step.kind is StepKind.NOT_AUTHENTIC]

    assert told(None, None) == told(EMITTER, None) == [(2, False)]
    assert told(EMITTER, MONTH) == told(None, MONTH) == [(1, False), (1, True)]
    assert told(EMITTER, "2026-08") == told("99999999000191", None) == [(2, True)]


def test_a_listing_beyond_a_gap_does_not_reach_back(workspace: Workspace, opened: OpenArchive) -> None:
    with workspace.writing("test") as archive:
        shop = account(archive)
        listed(archive, shop, FOREVER, "2026-06-30T03:00:00.000+00:00")
        listed(archive, shop, "2026-10-01T03:00:00.000+00:00", "2026-11-01T02:59:59.999+00:00", method=ASKED)
        synced(archive, shop)
    (fresh,) = overview(opened, None, MONTH, now=NOW).accounts
    assert (fresh.whole, fresh.listed_until) == (True, datetime(2026, 6, 30, tzinfo=BRASILIA))
    assert fresh.unlisted_days == ()
    (fresh,) = overview(opened, None, BEFORE, now=NOW).accounts
    assert len(fresh.unlisted_days) == 30


def test_only_a_listing_of_everything_makes_an_account_fresh(workspace: Workspace, opened: OpenArchive) -> None:
    with workspace.writing("test") as archive:
        shop = account(archive)
        listed(archive, shop, FOREVER, END)
        ended = synced(archive, shop)
        with archive.writing() as transaction:
            transaction.execute("UPDATE coverage SET finished_at = '2026-10-01T12:00:00.000+00:00'")
            transaction.execute("UPDATE run SET finished_at = ? WHERE id = ?", ("2026-10-01T12:00:00.000+00:00", ended))
        before = overview(opened, None, None, now=NOW)
        listed(archive, shop, "2026-10-01T03:00:00.000+00:00", "2026-11-01T02:59:59.999+00:00", method=ASKED)
        with archive.writing() as transaction:
            again = runs.start(transaction, "sync", shop.id, {"narrowed": "", "full": False, "only_failed": True})
            runs.finish(transaction, again, "done", {})
    after = overview(opened, None, None, now=NOW)
    assert before.accounts[0].synced_at == after.accounts[0].synced_at == datetime(2026, 10, 1, 9, tzinfo=BRASILIA)
    for found in (before, after):
        (step,) = [step for step in found.steps if step.kind is StepKind.SYNC]
        assert step.count == 40


def test_an_account_that_moved_is_to_be_listed(workspace: Workspace, opened: OpenArchive) -> None:
    with workspace.writing("test") as archive:
        shop = account(archive)
        listed(archive, shop, FOREVER, END)
        synced(archive, shop)
    assert StepKind.SYNC not in steps(overview(opened, None, None, now=NOW))
    accounts.change(workspace, "shop", accounts.AccountChange(address="https://hub.example.org"))
    moved = overview(opened, None, None, now=NOW)
    assert StepKind.TOKEN in steps(moved)  # the token was given for the other address
    assert not {StepKind.SYNC, StepKind.FIRST_SYNC} & set(steps(moved))
    (step,) = (step for step in moved.steps if step.kind is StepKind.TOKEN)
    assert "https://hub.example.org" in render(step.what)
    assert accounts.use_token_at(workspace, "shop", "https://hub.example.org") is None  # nor was any given before
    assert StepKind.SYNC in steps(overview(opened, None, None, now=NOW))


@pytest.mark.parametrize("month", [MONTH, None])
def test_a_record_without_key_or_file_lacks_too(workspace: Workspace, opened: OpenArchive, month: str | None) -> None:
    with workspace.writing("test") as archive:
        shop = account(archive)
        named_by_hub(archive, shop, 70, items=(), keyless=True)
        named_by_hub(archive, shop, 71, items=("an event",), keyless=True)
        named_by_hub(archive, shop, 72, items=(), keyless=True, day="2026-12-09")
    lacks = overview(opened, None, month, now=NOW).accounts[0].lacks
    assert lacks == Lacks(waiting=1, not_offered=1 if month else 2)
    (lacking,) = [entry for entry in not_offered(opened) if entry.access_key == "h70"]
    assert lacking.account == "shop"
    with workspace.writing("test") as archive, archive.writing() as transaction:
        (queued,) = download_queue.open_items(transaction, shop.id, 0, 10)
        # Any file will do: nobody can tell whether it is the document.
        download_queue.mark_done(transaction, [(queued.id, transaction.scalar("SELECT content_id FROM event"))])
    lacks = overview(opened, None, month, now=NOW).accounts[0].lacks
    assert lacks == Lacks(not_offered=1 if month else 2)


def test_a_listing_that_runs_is_not_interrupted(workspace: Workspace, opened: OpenArchive) -> None:
    with workspace.writing("sync") as archive:
        shop = account(archive)
        synced(archive, shop, None)
        listed(archive, shop, FOREVER, END, finished=False)
        (fresh,) = overview(opened, None, MONTH, now=NOW).accounts
        assert (fresh.syncing, fresh.interrupted) == (True, 0)
    (fresh,) = overview(opened, None, MONTH, now=NOW).accounts
    assert (fresh.syncing, fresh.interrupted) == (False, 1)


def test_a_demonstration_has_a_calendar_of_its_own(workspace: Workspace, opened: OpenArchive) -> None:
    with workspace.writing("test") as archive:
        demo = account(archive, "demo-7-2000", "embedded")
        listed(archive, demo, FOREVER, "2026-10-20T03:00:00.000+00:00")
        synced(archive, demo)
    later = datetime(2030, 1, 1, tzinfo=BRASILIA)
    found = overview(opened, None, MONTH, now=later)
    assert found.accounts[0].unlisted_days == ()
    (step,) = [step for step in found.steps if step.kind is StepKind.EXPORT]
    assert step.month == BEFORE  # October is not over there


@pytest.mark.parametrize("month", [MONTH, None])
def test_four_words_for_what_lacks(workspace: Workspace, opened: OpenArchive, month: str | None) -> None:
    with workspace.writing("test") as archive:
        shop = account(archive)
        listed(archive, shop, FOREVER, END)
        synced(archive, shop)
        named_by_hub(archive, shop, 1, items=("one",))  # here already, from elsewhere
        for number in (50, 51, 52):
            named_by_hub(archive, shop, number, items=(f"waits-{number}",))
        for number in (60, 61):
            named_by_hub(archive, shop, number, items=(f"fails-{number}",))
            fail(archive, shop, f"fails-{number}")
        named_by_hub(archive, shop, 70, items=())
        named_by_hub(archive, shop, 80, items=("broken",))
        blob = Blob(b"<broken", digest_of(b"<broken"), problem="this is not XML")
        with archive.writing() as transaction:
            recorded = paper_room.record(transaction, archive.vault_writer, [paper_room.NewPaper(blob, None)])
        fail(archive, shop, "broken", recorded.content_ids[0])
    found = overview(opened, EMITTER, month, now=NOW)
    assert found.lacks == Lacks(waiting=3, failed=2, not_offered=1, unreadable=1)
    assert found.lacks.count == 7
    assert found.unreadable_files == 1
    assert {StepKind.RETRY, StepKind.ASK, StepKind.LOOK} <= set(steps(found))
    if month:
        assert overview(opened, EMITTER, BEFORE, now=NOW).lacks == Lacks()


def test_what_only_events_speak_of_is_known_of_a_company(workspace: Workspace, opened: OpenArchive) -> None:
    with workspace.writing("test") as archive:
        store(archive, cancellation(99))
    assert overview(opened, EMITTER, MONTH, now=NOW).events_without_document == 1
    assert overview(opened, EMITTER, BEFORE, now=NOW).events_without_document == 0


def test_a_month_is_to_be_handed_over_once(workspace: Workspace, opened: OpenArchive) -> None:
    with workspace.writing("test") as archive:
        account(archive)
    found = overview(opened, EMITTER, MONTH, now=NOW)
    assert StepKind.EXPORT in steps(found)
    assert found.exported_at is None
    with workspace.writing("test") as archive, archive.writing() as transaction:
        exported(transaction, BEFORE, outcome="failed")
        exported(transaction, MONTH, outcome="partial")
    found = overview(opened, EMITTER, MONTH, now=NOW)
    assert StepKind.EXPORT not in steps(found)
    assert found.exported_at is not None
    assert StepKind.EXPORT in steps(overview(opened, EMITTER, BEFORE, now=NOW))
    # A month that is not over shows what is still to do of the one before.
    assert StepKind.EXPORT not in steps(overview(opened, EMITTER, "2026-11", now=NOW))
    earlier = datetime(2026, 10, 10, tzinfo=BRASILIA)
    (step,) = [step for step in overview(opened, EMITTER, MONTH, now=earlier).steps if step.kind is StepKind.EXPORT]
    assert step.month == BEFORE


def exported(
    transaction: Transaction,
    month: str,
    at: str = "2026-11-05T12:00:00+00:00",
    *,
    outcome: str = "done",
    profile: str = "with-cancellations",
) -> None:
    number = runs.start(transaction, "export", None, {"company": EMITTER, "month": month, "profile": profile})
    runs.finish(transaction, number, outcome, {})
    transaction.execute("UPDATE run SET finished_at = ? WHERE id = ?", (at, number))


def test_cancelled_documents_alone_are_no_month_handed_over(workspace: Workspace, opened: OpenArchive) -> None:
    with workspace.writing("test") as archive:
        account(archive)
        with archive.writing() as transaction:
            exported(transaction, MONTH, profile="cancellations")
    found = overview(opened, EMITTER, MONTH, now=NOW)
    assert (found.exported_at, StepKind.EXPORT in steps(found)) == (None, True)
    with workspace.writing("test") as archive, archive.writing() as transaction:
        exported(transaction, MONTH, profile="authorizations")
    assert StepKind.EXPORT not in steps(overview(opened, EMITTER, MONTH, now=NOW))


@pytest.mark.parametrize(("environment", "due"), [("production", True), ("embedded", False)])
def test_a_package_of_half_a_month_is_not_all_of_it(
    workspace: Workspace, opened: OpenArchive, environment: str, due: bool
) -> None:
    with workspace.writing("test") as archive:
        shop = account(archive, "shop", environment)
        listed(archive, shop, FOREVER, "2026-11-05T12:00:00.000+00:00")
        with archive.writing() as transaction:
            exported(transaction, MONTH, "2026-10-15T12:00:00+00:00")
    found = overview(opened, EMITTER, MONTH, now=NOW)
    assert found.exported_at == datetime(2026, 10, 15, 9, tzinfo=BRASILIA)
    assert (StepKind.EXPORT in steps(found)) == due  # a demonstration's calendar is not ours


def test_the_first_month_of_the_calendar_has_none_before(opened: OpenArchive) -> None:
    assert overview(opened, None, "2000-01", now=NOW).before is None


def test_days_are_listed_where_one_listing_covers_them_whole() -> None:
    month = month_of(MONTH)
    spans = [
        Span("2026-10-01T03:00:00.000+00:00", "2026-10-05T02:59:59.999+00:00"),
        Span("2026-10-06T12:00:00.000+00:00", "2026-10-31T00:00:00.000+00:00"),
    ]
    assert unlisted_days(spans, month, NOW) == ("2026-10-05", "2026-10-06", "2026-10-30", "2026-10-31")
    assert unlisted_days(spans, month, datetime(2026, 10, 30, 15, tzinfo=BRASILIA)) == ("2026-10-05", "2026-10-06")
    assert unlisted_days((), month, None) == ()
    assert unlisted_days((), month, datetime(2026, 9, 30, tzinfo=BRASILIA)) == ()
