"""The checklist's lines about what hubs listed, each from values: whose record it is, what was counted, what to do."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from confere.app.accounts.account_status import AccountStanding
from confere.app.closing import listing_lines
from confere.app.closing.account_month import AccountMonth, ListedSpans
from confere.app.closing.checklist_line import ChecklistLine, LineCode, LineState, RemedyKind
from confere.app.orders.unowned_orders import UnownedOrders
from confere.archive.accounts.accounts import Account, Establishment
from confere.archive.hub.completeness import Lack, LackingDocument
from confere.archive.hub.coverage import FOREVER, Span
from confere.archive.hub.events_without_file import RecordLackingFiles
from confere.archive.hub.record_balance import AccountSum
from confere.archive.hub.shortfalls import Shortfall
from confere.errors import message
from confere.export.months import month_of
from confere.sales.declarations import Declaration, Declared
from tests.archive.papers import key

OWN, OTHER, STRANGER = "11222333000181", "11222333000262", "33000167000101"
MONTH = month_of("2026-10")
WHOLE = Span(MONTH.from_at, MONTH.to_at)
READ = datetime(2026, 11, 2, 12, tzinfo=UTC)
EVERY = ListedSpans((WHOLE,), READ, None)
NEVER = ListedSpans((), None, None)
STANDING = AccountStanding(READ, 1, ())


def month(**parts: Any) -> AccountMonth:
    """An account with two establishments of which everything was listed and archived."""
    account = Account(1, "loja", "production", "https://hub.example", "hub", {}, _establishments())
    made = AccountMonth(account, MONTH, STANDING, EVERY, EVERY, EVERY, True, True, AccountSum(3, 3), ())
    return replace(made, **parts)


def _establishments() -> tuple[Establishment, ...]:
    return tuple(Establishment(tax_id) for tax_id in (OWN, OTHER))


def record(number: int, emitter: str | None) -> RecordLackingFiles:
    access_key = None if emitter is None else key(number, emitter=emitter)
    return RecordLackingFiles(number, "loja", access_key or f"hub-{number}", access_key, ())


def lines(found: AccountMonth, company: str = OWN) -> dict[LineCode, ChecklistLine]:
    every = list(listing_lines.of_records(found, company))
    assert len({line.code for line in every}) == len(every)
    return {line.code: line for line in every}


# -- whose record it is --------------------------------------------------------------------------------------


def test_a_record_without_a_file_is_told_to_whom_it_may_belong() -> None:
    """Not what another establishment emitted, and nothing without a key; what a stranger emitted may be anyone's."""
    records = (record(1, OWN), record(2, OTHER), record(3, STRANGER), record(4, None))
    found = month(without_file=records)
    mine, theirs = (lines(found, company)[LineCode.EVENT_WITHOUT_FILE] for company in (OWN, OTHER))
    assert mine.proof.names == (records[0].name, records[2].name)
    assert theirs.proof.names == (records[1].name, records[2].name)
    assert (mine.state, mine.account, mine.proof.counts, mine.proof.named) == (
        LineState.PROBLEM,
        "loja",
        {"documents": 2},
        2,
    )
    assert str(mine.what) == (
        "Documents with events for which the hub of account loja offers no file: 2."
    )  # fmt: skip
    assert LineCode.EVENT_WITHOUT_FILE not in lines(month(without_file=(record(2, OTHER), record(4, None))))


@pytest.mark.parametrize(
    ("lack", "code", "kind", "command"),
    [
        (Lack.NOT_DOWNLOADED, LineCode.NOT_DOWNLOADED, RemedyKind.SYNC, "confere sync --account loja --retry"),
        (Lack.NOT_OFFERED, LineCode.NOT_OFFERED, RemedyKind.NOT_OFFERED, ""),
        (Lack.UNREADABLE, LineCode.UNREADABLE, RemedyKind.UNREADABLE, "confere list --unreadable"),
    ],
)
def test_what_lacks_is_told_to_whom_it_may_belong(lack: Lack, code: LineCode, kind: RemedyKind, command: str) -> None:
    """A document that lacks several files is one; what has no key may be anybody's."""
    names = [key(1, emitter=OWN), key(1, emitter=OWN), key(2, emitter=OTHER), "hub-7"]
    found = month(lacking={lack: tuple(LackingDocument(name, None) for name in names)})
    line = lines(found)[code]
    assert line.proof.names == (names[0], names[3])
    assert (line.proof.named, line.proof.counts, line.proof.command) == (2, {"documents": 2}, command)
    assert (line.state, line.account, line.remedy_kind) == (LineState.PROBLEM, "loja", kind)
    assert "loja" in str(line.what) and str(line.what).endswith(": 2.")
    assert line.remedy is not None
    others = {other for other in (LineCode.NOT_DOWNLOADED, LineCode.NOT_OFFERED, LineCode.UNREADABLE) if other != code}
    assert not others & lines(found).keys()
    only_theirs = month(lacking={lack: (LackingDocument(names[2], None),)})
    assert lines(only_theirs).keys() == {LineCode.CONSERVATION}


@pytest.mark.parametrize("tax_id", ["52998224725", OTHER])
def test_a_key_names_its_emitter_and_nothing_else_does(tax_id: str) -> None:
    account = replace(month().account, establishments=(Establishment(OWN), Establishment(tax_id)))
    found = month(account=account)
    theirs = key(5, emitter=f"{tax_id:0>14}")
    assert not found.is_whose(theirs, OWN)
    assert found.is_whose(theirs, tax_id)
    assert found.is_whose(theirs[:-1], OWN)
    assert found.is_whose(key(5, emitter=STRANGER), OWN)


# -- each record accounted for -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("balance", "state", "what"),
    [
        (AccountSum(3, 3), LineState.OK, "All 3 records that account loja listed are archived."),
        (AccountSum(1, 1), LineState.OK, "1 record that account loja listed is archived."),
        (
            AccountSum(3, 2, 1),
            LineState.WARNING,
            "Records that account loja listed: 3; archived: 2, waiting: 1, refused with a reason: 0.",
        ),
        (
            AccountSum(3, 2, 0, 1),
            LineState.WARNING,
            "Records that account loja listed: 3; archived: 2, waiting: 0, refused with a reason: 1.",
        ),
        (
            AccountSum(3, 2, 0, 0, 1, ("k",)),
            LineState.PROBLEM,
            "Records that account loja listed: 3; neither archived, waiting nor refused: 1.",
        ),
    ],
)
def test_the_balance_of_records(balance: AccountSum, state: LineState, what: str) -> None:
    line = lines(month(balance=balance))[LineCode.CONSERVATION]
    assert (line.state, str(line.what), line.account) == (state, what, "loja")
    assert line.proof.counts == {
        "listed": balance.listed,
        "archived": balance.archived,
        "waiting": balance.waiting,
        "refused": balance.refused,
        "lost": balance.lost,
    }
    is_lost = state is LineState.PROBLEM
    assert (line.proof.names, line.proof.named) == ((("k",), 1) if is_lost else ((), 0))
    assert (line.proof.command, line.remedy_kind) == (("confere doctor", RemedyKind.SYNC) if is_lost else ("", None))


def test_nothing_was_listed_and_nothing_can_be_counted() -> None:
    line = lines(month(balance=AccountSum(), documents=NEVER))[LineCode.CONSERVATION]
    assert (line.state, str(line.what)) == (
        LineState.NOT_CHECKED,
        "Account loja listed nothing yet: there is nothing to count.",
    )


# -- lists ---------------------------------------------------------------------------------------------------


def of_lists(**parts: Any) -> dict[LineCode, ChecklistLine]:
    return {line.code: line for line in listing_lines.of_lists(month(**parts))}


def test_lists_that_have_the_whole_month() -> None:
    found = of_lists()
    assert list(found) == [LineCode.DOCUMENTS_LISTED, LineCode.ORDERS_LISTED, LineCode.RETURNS_LISTED]
    for line, name in zip(found.values(), ("fiscal documents", "orders", "returns"), strict=True):
        assert line.state is LineState.OK
        assert str(line.what) == f"The {name} of account loja are listed through the last day of October 2026."
        assert (line.remedy, line.remedy_kind, line.proof.command) == (None, None, "")
        assert (line.proof.counts, line.proof.names) == ({"days_not_listed": 0}, ())
        assert line.proof.from_at is not None and line.proof.to_at is not None
        assert (line.proof.from_at.isoformat(), line.proof.since) == ("2026-10-01T00:00:00-03:00", READ)


def test_a_list_that_was_read_long_ago_is_an_alarm_of_documents_alone() -> None:
    old = of_lists(standing=replace(STANDING, days=STANDING.stale_after))
    assert old[LineCode.DOCUMENTS_LISTED].state is LineState.WARNING
    assert f"read {STANDING.stale_after} days ago" in str(old[LineCode.DOCUMENTS_LISTED].what)
    assert old[LineCode.ORDERS_LISTED].state is old[LineCode.RETURNS_LISTED].state is LineState.OK
    fresh = of_lists(standing=replace(STANDING, days=STANDING.stale_after - 1))
    assert fresh[LineCode.DOCUMENTS_LISTED].state is LineState.OK


@pytest.mark.parametrize(
    ("spans", "what"),
    [
        (NEVER, "The fiscal documents of account loja were never listed."),
        (
            ListedSpans((Span(FOREVER, "2026-10-20T12:00:00.000+00:00"),), READ, None, ("2026-10-21",)),
            "The fiscal documents of account loja were listed up to 2026-10-20 09:00, which is before the end of"
            " October 2026.",
        ),
        (
            ListedSpans(
                (Span("2026-10-05T00:00:00.000+00:00", MONTH.to_at),), READ, None, ("2026-10-01", "2026-10-02")
            ),
            "The fiscal documents of account loja were not listed for the whole of October 2026.",
        ),
    ],
)
def test_lists_that_have_not_the_whole_month(spans: ListedSpans, what: str) -> None:
    line = of_lists(documents=spans)[LineCode.DOCUMENTS_LISTED]
    assert (line.state, line.remedy_kind) == (LineState.PROBLEM, RemedyKind.SYNC)
    assert str(line.what) == what
    assert line.proof.names == spans.holes and line.proof.named == len(spans.holes)
    assert line.proof.counts == {"days_not_listed": len(spans.holes)}
    assert line.proof.command == "confere sync --account loja --from 2026-10-01 --to 2026-10-31"
    assert line.proof.since == spans.listed_at
    assert (line.proof.from_at is None) == (not spans.spans or spans.spans[-1].from_at == FOREVER)
    assert (line.proof.to_at is None) == (not spans.spans)


def test_a_month_that_a_person_declared_complete() -> None:
    word = Declaration(
        *(1, "loja", Declared.DOCUMENTS, MONTH.text, (), "a.xlsx", "00", "2026-11-03T10:00:00.000+00:00", "ana"),
    )  # fmt: skip
    line = of_lists(documents=ListedSpans((), None, word))[LineCode.DOCUMENTS_LISTED]
    assert line.state is LineState.OK
    assert "declared complete by ana on" in str(line.what)
    assert (line.remedy, line.remedy_kind, line.proof.command) == (None, None, "")


def test_lists_that_nobody_asked_for_and_lists_that_there_are_not() -> None:
    unasked = of_lists(orders=None, returns=None, has_orders=None, has_returns=None)
    assert unasked.keys() == {LineCode.DOCUMENTS_LISTED, LineCode.ORDERS_LISTED}
    line = unasked[LineCode.ORDERS_LISTED]
    assert (line.state, str(line.what)) == (
        LineState.NOT_CHECKED,
        "The orders of account loja were never listed.",
    )
    assert line.remedy_kind is RemedyKind.SYNC
    assert LineCode.RETURNS_LISTED in of_lists(returns=None, has_returns=None)
    assert of_lists(orders=None, returns=None, has_orders=False).keys() == {LineCode.DOCUMENTS_LISTED}
    assert LineCode.RETURNS_LISTED not in of_lists(returns=None, has_returns=False)


def test_a_list_that_was_short() -> None:
    short = Shortfall(
        *("documents", "created", FOREVER, MONTH.to_at, "pages", 7, 2, 9, "2026-11-01T10:00:00.000+00:00"),
        "2026-11-01T10:00:00.000+00:00",
    )
    line = of_lists(shortfalls=(short,))[LineCode.LIST_SHORT]
    assert (line.state, line.proof.counts, line.remedy_kind) == (
        LineState.PROBLEM,
        {"missing": 2, "shown": 7},
        RemedyKind.SYNC,
    )
    assert line.proof.from_at is None
    begun = of_lists(shortfalls=(replace(short, from_at=MONTH.from_at),))[LineCode.LIST_SHORT]
    assert begun.proof.from_at is not None


# -- what is of nobody ---------------------------------------------------------------------------------------


def test_orders_of_no_company() -> None:
    assert list(listing_lines.of_no_company(month())) == []
    (one,) = listing_lines.of_no_company(month(of_no_company=UnownedOrders(1, 12_345, ("9",))))
    (many,) = listing_lines.of_no_company(month(of_no_company=UnownedOrders(2, 12_345, ("9", "10"))))
    assert "One order of account loja" in str(one.what)
    assert "2 orders of account loja" in str(many.what)
    for line, count in ((one, 1), (many, 2)):
        assert "123" in str(line.what)
        assert (line.state, line.proof.counts, line.proof.named) == (LineState.WARNING, {"orders": count}, count)
        assert (line.remedy_kind, line.account) == (RemedyKind.ORDERS, "loja")
        assert "--month 2026-10" in line.proof.command or "2026-10" in line.proof.command


def test_a_company_that_no_account_lists() -> None:
    line = listing_lines.without_account(OWN)
    assert (line.code, line.state, line.account) == (LineCode.DOCUMENTS_LISTED, LineState.NOT_CHECKED, "")
    assert OWN in str(line.what)
    assert line.remedy == message("Connect the account of its hub, or add the company to the account that has it.")
