"""Returns that the hub has booked: listed page by page, where it has a list of them.

Its dates are trusted only as far as nothing is lost by it: a hub that ignores them gives everything, and an answer
without a single return is asked again without dates.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from confere.archive import coverage, preferences, returns
from confere.archive.clock import from_text, utc_now, utc_text
from confere.archive.order_rows import ReceivedReturn
from confere.errors import message
from confere.hub import returns as hub_returns
from confere.hub import shape as shapes
from confere.hub.dates import DatesRefused
from confere.hub.returns import ReturnPage
from confere.intake.erased import returns_without_erased
from confere.intake.order_work import HAS_RETURNS, OF_ONE_PATH, RETURNS_ASKED, Work
from confere.intake.request import now
from confere.system.jobs import Meter


def bring_returns(work: Work, meter: Meter) -> None:
    """List new returns and those that may have changed; a hub without a list is asked again after a week."""
    if work.is_without(HAS_RETURNS, RETURNS_ASKED):
        return
    after = None if work.request.full else _after(work)
    try:
        pages = _asked(work, after)
        if pages is not None and not _write(work, pages, after, meter) and after is not None:
            pages = _asked(work, None)
            if pages is not None:
                _write(work, pages, None, meter)
    except OF_ONE_PATH as error:
        work.go_on_without(HAS_RETURNS, RETURNS_ASKED, error)
    else:
        work.learn(HAS_RETURNS, RETURNS_ASKED, pages is not None)


def _after(work: Work) -> datetime | None:
    """Where to begin; None for everything."""
    with work.archive.reading() as transaction:
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


def _write(work: Work, pages: Iterable[ReturnPage], after: datetime | None, meter: Meter) -> int:
    """Write the pages down; how many returns came. What was listed is claimed once the list is at its end."""
    came = 0
    hub_now: datetime | None = None
    for page in pages:
        hub_now = hub_now or work.session.server_time or now()
        came += len(page.items)
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
        for _ in range(len(page.items) - len(found)):
            work.result.fail("?", message("The hub lists a return without an id: it cannot be kept."))
        meter.advance(len(page.items), total=page.total)
    if after is None or came:
        with work.archive.writing() as transaction:
            window = coverage.begin(
                transaction,
                work.account.id,
                work.run_id,
                axis=coverage.RETURNS,
                from_at=coverage.FOREVER if after is None else utc_text(after),
                to_at=utc_text(hub_now or work.session.server_time or now()),
                narrowed="",
                method=coverage.SCAN if after is None else coverage.WINDOW,
            )
            coverage.finish(transaction, window.id)
    return came
