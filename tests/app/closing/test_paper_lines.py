"""The checklist's lines about a company's own papers: what they refer to, their dates, how old their events are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from confere.app.closing import paper_lines
from confere.app.closing.account_month import AccountMonth
from confere.app.closing.checklist_line import ChecklistLine, LineCode, LineState, RemedyKind
from confere.app.closing.paper_lines import CompanyMonth
from confere.app.context import EMBEDDED
from confere.archive.closing import month_papers
from confere.archive.closing.month_papers import MonthPaper, SeenRecord
from confere.archive.store import Archive
from confere.archive.transaction import Transaction
from confere.export.months import month_of
from tests.app.closing import test_listing_lines
from tests.archive.papers import EMITTER, key, note, store

MONTH = month_of("2026-10")
NOW = datetime(2026, 11, 10, 12, tzinfo=UTC)


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    with Archive.to_write(tmp_path / "archive.sqlite3", "test") as opened:
        yield opened


def papers_of(transaction: Transaction) -> tuple[MonthPaper, ...]:
    return month_papers.papers(transaction, EMITTER, MONTH.first_day, MONTH.last_day)


# -- what they refer to --------------------------------------------------------------------------------------


def references(archive: Archive) -> ChecklistLine:
    with archive.reading() as transaction:
        return paper_lines.references(transaction, CompanyMonth(EMITTER, MONTH, papers_of(transaction), ()))


def test_everything_that_is_referred_to_is_here(archive: Archive) -> None:
    store(archive, note(1), note(2, refers=key(1)), note(3, cstat="110", refers=key(9)))
    line = references(archive)
    assert (line.code, line.state, line.remedy_kind) == (LineCode.REFERENCES, LineState.OK, None)
    assert str(line.what) == "Everything that the documents refer to is here."
    assert line.proof.counts == {"own": 0, "before_archive": 0, "of_others": 0}


def test_what_is_referred_to_and_not_here_is_told_apart(archive: Archive) -> None:
    stranger = key(7, emitter="33000167000101")
    store(archive, note(1, refers=key(5, month="2609")), note(2, refers=stranger))
    line = references(archive)
    assert line.state is LineState.WARNING
    assert line.proof.counts == {"own": 0, "before_archive": 1, "of_others": 1}
    assert line.proof.names == (key(5, month="2609"), stranger)
    assert str(line.what) == (
        "Referred to and not here: 1 from before the first document of the archive, 1 issued by others."
    )
    store(archive, note(3, refers=key(9)))
    line = references(archive)
    assert (line.state, line.remedy_kind) == (LineState.PROBLEM, RemedyKind.IMPORT)
    assert line.proof.counts == {"own": 1, "before_archive": 1, "of_others": 1}
    assert (line.proof.names, line.proof.named) == ((key(9),), 1)
    assert str(line.what) == "Documents of the company that others refer to and that are not here: 1."
    assert line.proof.command in {f"confere relations {key(number)}" for number in (1, 2, 3)}


def test_a_month_of_the_archive_is_no_earlier_one(archive: Archive) -> None:
    """The first document is of October: a note of October that is not here is missing, one of September is older."""
    store(archive, note(1, refers=key(8, month="2610")))
    assert references(archive).proof.counts == {"own": 1, "before_archive": 0, "of_others": 0}


# -- dates ---------------------------------------------------------------------------------------------------


def test_documents_without_a_date_are_in_no_month(archive: Archive) -> None:
    of = CompanyMonth(EMITTER, MONTH, (), ())
    with archive.reading() as transaction:
        assert list(paper_lines.undated(transaction, of)) == []
    store(archive, note(1).replace(b"<dhEmi>2026-10-05T10:00:00-03:00</dhEmi>", b""))
    with archive.reading() as transaction:
        (line,) = paper_lines.undated(transaction, of)
    assert (line.code, line.state, line.proof.counts, line.proof.named) == (
        LineCode.UNDATED,
        LineState.PROBLEM,
        {"documents": 1},
        1,
    )
    assert line.proof.command == f"confere list --company {EMITTER} --all"
    assert of.command("--state cancelled") == (
        f"confere list --company {EMITTER} --month 2026-10 --state cancelled --all"
    )


# -- how fresh their events are ------------------------------------------------------------------------------


def account(changed: int | None = None, environment: str = "production") -> AccountMonth:
    """An account whose changes were last listed this many days ago."""
    found = test_listing_lines.month(changes_at=None if changed is None else NOW - timedelta(days=changed))
    return replace(found, account=replace(found.account, environment=environment))


def paper(number: int, kind: str = "nfe") -> MonthPaper:
    return MonthPaper(number, key(number), kind, "55", 1, number, EMITTER, None, MONTH.first_day, "authorized", "1", 1)


def fresh(
    monkeypatch: pytest.MonkeyPatch, archive: Archive, found: AccountMonth, seen: dict[int, float], *others: MonthPaper
) -> ChecklistLine:
    """The line where the hub listed the notes of these numbers so many days ago, and `others` never."""
    records = {
        key(number): [SeenRecord(key(number), found.account.id, (NOW - timedelta(days=days)).isoformat())]
        for number, days in seen.items()
    }
    monkeypatch.setattr(month_papers, "seen_records", lambda *_: records)
    of = CompanyMonth(EMITTER, MONTH, (*map(paper, seen), *others), (found,))
    with archive.reading() as transaction:
        return paper_lines.events_fresh(transaction, of, 7, NOW)


def counts(documents: int, older: int, not_listed: int) -> dict[str, int]:
    return {"documents": documents, "older": older, "not_listed": not_listed, "days": 7}


def test_every_document_was_listed_lately(monkeypatch: pytest.MonkeyPatch, archive: Archive) -> None:
    line = fresh(monkeypatch, archive, account(), {1: 7, 2: 3}, paper(3, "other"), paper(4, "voiding"))
    assert (line.code, line.state) == (LineCode.EVENTS_FRESH, LineState.OK)
    assert str(line.what) == "The hub listed every document again in the last 7 days, with its events."
    assert line.proof.counts == counts(4, 0, 0)
    assert (line.proof.names, line.proof.named, line.proof.command) == ((), 0, "")
    assert line.proof.since == NOW - timedelta(days=7)
    assert (line.remedy, line.remedy_kind) == (None, None)


def test_documents_that_were_listed_long_ago(monkeypatch: pytest.MonkeyPatch, archive: Archive) -> None:
    line = fresh(monkeypatch, archive, account(), {1: 7.01, 2: 3})
    assert (line.state, line.remedy_kind) == (LineState.NOT_CHECKED, RemedyKind.SYNC)
    assert str(line.what) == (
        "Documents that were last listed more than 7 days ago: 1. Later events of them may be missing."
    )
    assert line.proof.counts == counts(2, 1, 0)
    assert (line.proof.names, line.proof.named) == ((key(1),), 1)
    assert line.proof.command == "confere sync --account loja --month 2026-10"
    assert line.proof.since == NOW - timedelta(days=7.01)
    assert line.remedy is not None and "confere sync --account loja" in str(line.remedy)


@pytest.mark.parametrize(("changed", "state"), [(7, LineState.WARNING), (8, LineState.NOT_CHECKED)])
def test_where_changes_were_asked_for_lately_it_is_worth_a_word(
    monkeypatch: pytest.MonkeyPatch, archive: Archive, changed: int, state: LineState
) -> None:
    assert fresh(monkeypatch, archive, account(changed), {1: 30}).state is state


def test_documents_that_no_hub_lists(monkeypatch: pytest.MonkeyPatch, archive: Archive) -> None:
    line = fresh(monkeypatch, archive, account(), {1: 1}, paper(2))
    assert (line.state, line.remedy, line.remedy_kind) == (LineState.NOT_CHECKED, None, None)
    assert str(line.what) == "Documents that no hub lists: 1. What happened to them later is not known."
    assert (line.proof.counts, line.proof.names) == (counts(2, 0, 1), (key(2),))
    both = fresh(monkeypatch, archive, account(), {1: 30}, paper(2))
    assert str(both.what) == (
        "Documents that were last listed more than 7 days ago: 1; that no hub lists: 1."
        " Later events of them may be missing."
    )
    assert (both.proof.names, both.proof.named, both.remedy_kind) == ((key(1), key(2)), 2, RemedyKind.SYNC)


def test_a_demonstration_never_grows_old_and_an_empty_month_says_so(
    monkeypatch: pytest.MonkeyPatch, archive: Archive
) -> None:
    assert fresh(monkeypatch, archive, account(environment=EMBEDDED), {1: 300}).state is LineState.OK
    empty = fresh(monkeypatch, archive, account(), {})
    assert (empty.state, str(empty.what)) == (LineState.OK, "There is no document in October 2026.")
