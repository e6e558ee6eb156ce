"""What was listed: orders and documents each have windows of their own."""

from __future__ import annotations

import pytest

from confere.archive.hub import coverage
from confere.archive.store import Archive
from tests.archive.listed import add_accounts

FROM, TO = "2026-10-01T00:00:00.000+00:00", "2026-10-02T00:00:00.000+00:00"


@pytest.mark.parametrize("method", [coverage.SCAN, coverage.WINDOW])
def test_an_interrupted_listing_is_gone_on_with_or_forgotten_along_its_own_axis(archive: Archive, method: str) -> None:
    add_accounts(archive)
    with archive.writing() as transaction:
        begun = {
            axis: coverage.begin(transaction, 1, 1, axis=axis, from_at=FROM, to_at=TO, narrowed="", method=method)
            for axis in (coverage.CREATED, coverage.ORDERS, coverage.RETURNS)
        }
        whole = method == coverage.SCAN
        assert coverage.unfinished(transaction, 1) == (begun[coverage.CREATED] if whole else None)
        for axis in (coverage.ORDERS, coverage.RETURNS):
            assert coverage.unfinished(transaction, 1, (axis,)) == (begun[axis] if whole else None)
        coverage.forget_interrupted(transaction, 1)
        left = {row[0] for row in transaction.fetch("SELECT axis FROM coverage")}
        assert left == (set(begun) if whole else {coverage.ORDERS, coverage.RETURNS})
        coverage.forget_interrupted(transaction, 1, (coverage.ORDERS,))
        left = {row[0] for row in transaction.fetch("SELECT axis FROM coverage")}
        assert left == (set(begun) if whole else {coverage.RETURNS})


def test_what_archives_hold_keeps_its_words() -> None:
    axes = (coverage.CREATED, coverage.UPDATED, coverage.ORDERS, coverage.RETURNS)
    methods = (coverage.WINDOW, coverage.SCAN, coverage.RELIST, coverage.ASKED)
    assert axes == ("created", "updated", "orders", "returns")
    assert methods == ("window", "scan", "relist", "asked")
    assert coverage.FOREVER == "1970-01-01T00:00:00.000+00:00"


def test_a_listing_of_no_use_is_given_up(archive: Archive) -> None:
    add_accounts(archive)
    with archive.writing() as transaction:
        kept, given_up = (
            coverage.begin(transaction, 1, 1, axis=axis, from_at=FROM, to_at=TO, narrowed="", method=coverage.SCAN)
            for axis in (coverage.CREATED, coverage.ORDERS)
        )
        coverage.abandon(transaction, given_up.id)
        assert transaction.fetch("SELECT id FROM coverage") == [(kept.id,)]


SHOP, OTHER = 1, 2
DAYS = [f"2026-10-{day:02}T00:00:00.000+00:00" for day in range(1, 32)]
LONG_AGO = "2026-10-30T00:00:00.000+00:00"  # when a listing ended: after all that it claims


def listed(
    archive: Archive,
    first: str,
    last: str,
    *,
    at: str | None = LONG_AGO,
    account: int = SHOP,
    axis: str = coverage.CREATED,
    method: str = coverage.WINDOW,
    narrowed: str = "",
    run: int = 1,
    pages: int = 1,
) -> int:
    """A window that was listed, `at` None: begun only; its number."""
    with archive.writing() as transaction:
        window = coverage.begin(
            transaction, account, run, axis=axis, from_at=first, to_at=last, narrowed=narrowed, method=method
        )
        transaction.execute("UPDATE coverage SET finished_at = ?, pages = ? WHERE id = ?", (at, pages, window.id))
    return window.id


def rows(archive: Archive) -> list[tuple[object, ...]]:
    with archive.reading() as transaction:
        return transaction.fetch("SELECT id, from_at, to_at, finished_at, run_id, pages FROM coverage ORDER BY id")


def tidy(archive: Archive) -> int:
    with archive.writing() as transaction:
        return coverage.tidy(transaction, SHOP)


def test_windows_that_touch_become_one_that_says_what_they_all_said(archive: Archive) -> None:
    add_accounts(archive)
    number = listed(archive, DAYS[0], DAYS[2], at=DAYS[25], run=1, pages=3)
    listed(archive, DAYS[2], DAYS[5], at=DAYS[28], run=4, pages=5)
    listed(archive, DAYS[3], DAYS[4], at=DAYS[27], run=3, pages=7)
    apart = listed(archive, DAYS[7], DAYS[8], at=DAYS[26], run=2, pages=1)
    assert tidy(archive) == 2
    assert rows(archive) == [
        (number, DAYS[0], DAYS[5], DAYS[28], 4, 15),
        (apart, DAYS[7], DAYS[8], DAYS[26], 2, 1),
    ]
    assert tidy(archive) == 0


def test_windows_of_other_kinds_stay_apart(archive: Archive) -> None:
    add_accounts(archive)
    listed(archive, DAYS[0], DAYS[5])
    listed(archive, DAYS[1], DAYS[6], axis=coverage.ORDERS)
    listed(archive, DAYS[1], DAYS[6], method=coverage.SCAN)
    listed(archive, DAYS[1], DAYS[6], narrowed="order 7")
    listed(archive, DAYS[1], DAYS[6], account=OTHER)
    listed(archive, DAYS[1], DAYS[6], at=None)
    before = rows(archive)
    assert tidy(archive) == 0
    assert rows(archive) == before


def test_a_time_that_no_clock_can_have_shown_is_not_claimed(archive: Archive) -> None:
    add_accounts(archive)
    number = listed(archive, DAYS[0], DAYS[20], at=DAYS[5])
    listed(archive, DAYS[10], DAYS[20], at=DAYS[5])
    with archive.reading() as transaction:
        assert coverage.covered(transaction, SHOP, coverage.CREATED) == (coverage.Span(DAYS[0], DAYS[6]),)
    assert tidy(archive) == 1
    assert [row[:3] for row in rows(archive)] == [(number, DAYS[0], DAYS[6])]


def test_a_demonstration_may_be_ahead_of_every_clock(archive: Archive) -> None:
    add_accounts(archive)
    with archive.writing() as transaction:
        transaction.execute("UPDATE account SET environment = 'embedded' WHERE id = ?", (SHOP,))
    listed(archive, DAYS[0], DAYS[20], at=DAYS[5])
    with archive.reading() as transaction:
        assert coverage.covered(transaction, SHOP, coverage.CREATED) == (coverage.Span(DAYS[0], DAYS[20]),)
    before = rows(archive)
    assert tidy(archive) == 0
    assert rows(archive) == before


def test_what_is_covered_is_of_whole_finished_windows_of_one_account_and_axis(archive: Archive) -> None:
    add_accounts(archive)
    listed(archive, DAYS[4], DAYS[6])
    listed(archive, DAYS[0], DAYS[2])
    listed(archive, DAYS[1], DAYS[3], method=coverage.SCAN)
    listed(archive, DAYS[6], DAYS[9], at=None)
    listed(archive, DAYS[6], DAYS[9], narrowed="order 7")
    listed(archive, DAYS[6], DAYS[9], axis=coverage.UPDATED)
    listed(archive, DAYS[6], DAYS[9], account=OTHER)
    with archive.reading() as transaction:
        assert coverage.covered(transaction, SHOP, coverage.CREATED) == (
            coverage.Span(DAYS[0], DAYS[3]),
            coverage.Span(DAYS[4], DAYS[6]),
        )


def test_spans_are_merged_where_they_touch() -> None:
    span = coverage.Span
    assert coverage.merged([]) == ()
    assert coverage.merged([span("a", "c"), span("b", "b"), span("c", "e"), span("f", "g"), span("g", "h")]) == (
        span("a", "e"),
        span("f", "h"),
    )


def test_when_the_list_was_last_read(archive: Archive) -> None:
    add_accounts(archive)

    def last() -> tuple[str | None, str | None]:
        with archive.reading() as transaction:
            return coverage.last_listed(transaction, SHOP), coverage.last_relisted(transaction, SHOP)

    assert last() == (None, None)
    listed(archive, DAYS[0], DAYS[1], at=DAYS[28], method=coverage.ASKED)
    listed(archive, DAYS[0], DAYS[1], at=DAYS[29], account=OTHER)
    listed(archive, DAYS[0], DAYS[1], at=DAYS[29], axis=coverage.UPDATED)
    listed(archive, DAYS[0], DAYS[1], at=DAYS[29], narrowed="order 7")
    assert last() == (DAYS[28], None)
    listed(archive, DAYS[0], DAYS[1], at=DAYS[20])
    assert last() == (DAYS[20], None)
    listed(archive, DAYS[0], DAYS[1], at=DAYS[12], method=coverage.SCAN)
    assert last() == (DAYS[20], DAYS[12])
    listed(archive, DAYS[0], DAYS[1], at=DAYS[15], method=coverage.RELIST)
    listed(archive, DAYS[0], DAYS[1], at=DAYS[21])
    assert last() == (DAYS[21], DAYS[15])


def test_a_window_is_begun_and_gone_on_with_where_it_stopped(archive: Archive) -> None:
    add_accounts(archive)
    with archive.writing() as transaction:
        begun = coverage.begin(
            transaction, SHOP, 3, axis=coverage.CREATED, from_at=FROM, to_at=TO, narrowed="", method=coverage.SCAN
        )
        assert coverage.unfinished(transaction, SHOP) == begun
        assert coverage.unfinished(transaction, OTHER) is None
        coverage.finish(transaction, begun.id)
        assert coverage.unfinished(transaction, SHOP) is None
        assert transaction.fetch("SELECT to_at FROM coverage") == [(TO,)]
        coverage.finish(transaction, begun.id, DAYS[3])
        assert transaction.fetch("SELECT to_at FROM coverage") == [(DAYS[3],)]
        coverage.abandon(transaction, begun.id)
        assert transaction.scalar("SELECT count(*) FROM coverage") == 1
        coverage.forget(transaction, SHOP)
        assert transaction.scalar("SELECT count(*) FROM coverage") == 0
