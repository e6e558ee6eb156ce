"""Returns that the hub has booked: listed page by page, where it has a list of them.

Its dates are trusted only as far as nothing is lost by it: a hub that ignores them gives everything, and an answer
without a single return is asked again without dates.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta

from confere.archive.accounts import preferences
from confere.archive.accounts.hub_facts import HAS_RETURNS, RETURNS_ASKED
from confere.archive.clock import from_text, utc_now, utc_text
from confere.archive.hub import coverage, shortfalls
from confere.archive.orders import returns
from confere.archive.orders.order_rows import ReceivedReturn
from confere.errors import message
from confere.hub.listing.date_filters import DatesRefused
from confere.hub.orders import returns as hub_returns
from confere.hub.orders.returns import ReturnPage
from confere.hub.traits import hub_traits as shapes
from confere.intake.listing.date_windows import looks_again
from confere.intake.listing.hub_clock import Begun
from confere.intake.listing.listing_errors import Sighted
from confere.intake.orders.erased_persons import returns_without_erased
from confere.intake.orders.order_writer import OF_ONE_PATH, Work
from confere.system.progress import Meter


def bring_returns(work: Work, meter: Meter) -> None:
    """List new returns and those that may have changed; a hub without a list is asked again after a week."""
    if work.is_without(HAS_RETURNS, RETURNS_ASKED):
        return
    after = None if work.request.full else _after(work)
    try:
        came = _read(work, after, meter)
        if came == 0 and after is not None:
            came = _read(work, None, meter)
    except OF_ONE_PATH as error:
        work.go_on_without(HAS_RETURNS, RETURNS_ASKED, error)
    else:
        work.learn(HAS_RETURNS, RETURNS_ASKED, came is not None)


def _after(work: Work) -> datetime | None:
    """Where to begin; None for everything."""
    with work.archive.writing() as transaction:
        coverage.tidy(transaction, work.account.id)
        if looks_again(transaction, work.account.id, coverage.RETURNS):
            return None
        spans = coverage.covered(transaction, work.account.id, coverage.RETURNS)
        days = preferences.get(transaction, work.account.id).relist_days
    if not spans or spans[0].from_at != coverage.FOREVER:
        return None
    return from_text(spans[0].to_at) - timedelta(days=max(days, 1))


def _asked(work: Work, after: datetime | None) -> Iterable[ReturnPage] | None:
    try:
        return hub_returns.returns(work.session, after, stop=work.stop)
    except DatesRefused:
        work.session.shapes.learn(hub_returns.LIST, dates=shapes.REFUSED)
        return ()  # it takes no dates: asked again without


def _read(work: Work, after: datetime | None, meter: Meter) -> int | None:
    """Read the list, again where it shows less than it says; how many returns came, None where there is no list.

    What was listed is claimed once the list is at its end and nothing of it is missing.
    """
    begun: Begun | None = None
    sighted = Sighted()
    told: set[str] = set()  # without an id
    while True:
        pages = _asked(work, after)
        if pages is None:
            return None
        for page in pages:
            begun = begun or Begun.now(work.session, work.account)
            sighted.note(page)
            _write(work, page, told, meter)
        if not sighted.short():
            break
    if after is None or sighted.shown:
        _claim(work, after, sighted, begun or Begun.now(work.session, work.account))
    return sighted.shown


def _write(work: Work, page: ReturnPage, told: set[str], meter: Meter) -> None:
    found = [entry for entry in page.items if entry.entry.hub_id]
    seen_at = utc_now()
    with work.archive.writing() as transaction:
        recorded = returns.record(
            transaction,
            work.archive.vault_writer,
            work.account.id,
            work.run_id,
            returns_without_erased(
                transaction, work.account.id, [ReceivedReturn(entry.entry, entry.raw, seen_at) for entry in found]
            ),
        )
    work.result.returns += recorded.new + recorded.changed
    for entry in page.items:
        if not entry.entry.hub_id and entry.identity not in told:
            told.add(entry.identity)
            work.result.fail("?", message("The hub lists a return without an id: it cannot be kept."))
    meter.advance(len(page.items), total=page.total)


def _claim(work: Work, after: datetime | None, sighted: Sighted, begun: Begun) -> None:
    def read(first: datetime | None, last: datetime | None) -> Iterator[ReturnPage]:
        return iter(hub_returns.returns(work.session, first, last, stop=work.stop) or ())

    short = sighted.short_of(read, begun.at, is_whole=after is None)
    with work.archive.writing() as transaction:
        window = coverage.begin(
            transaction,
            work.account.id,
            work.run_id,
            axis=coverage.RETURNS,
            from_at=coverage.FOREVER if after is None else utc_text(after),
            to_at=begun.until(work.session),
            narrowed="",
            method=coverage.SCAN if after is None else coverage.WINDOW,
        )
        if short is not None:  # nothing is claimed for it: the next sync lists it again
            coverage.abandon(transaction, window.id)
            shortfalls.note(transaction, work.account.id, window, short)
        else:
            coverage.finish(transaction, window.id)
            shortfalls.settle(transaction, work.account.id, window)
