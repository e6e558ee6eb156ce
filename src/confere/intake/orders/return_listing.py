"""Returns that the hub has booked: listed page by page, where it has a list of them.

Its dates are trusted only as far as nothing is lost by it: a hub that ignores them gives everything, and an answer
without a single return is asked again without dates.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from confere.archive.accounts.hub_facts import HAS_RETURNS, RETURNS_ASKED
from confere.archive.clock import utc_now
from confere.archive.hub import coverage
from confere.archive.orders import returns
from confere.archive.orders.order_rows import ReceivedReturn
from confere.archive.transaction import Transaction
from confere.errors import message
from confere.hub.orders import returns as hub_returns
from confere.hub.orders.returns import ReturnPage
from confere.intake.account_work import OF_ONE_PATH
from confere.intake.listing.engine import ListReader, PageWritten
from confere.intake.listing.listing_window import ListingWindow
from confere.intake.orders.erased_persons import returns_without_erased
from confere.intake.orders.order_windows import returns_plan
from confere.intake.orders.order_writer import NoList, Work
from confere.system.progress import Meter


def bring_returns(work: Work, meter: Meter) -> None:
    """List new returns and those that may have changed; a hub without a list is asked again after a week."""
    if work.is_without(HAS_RETURNS, RETURNS_ASKED):
        return
    try:
        _ReturnList(work, meter).read_due(
            lambda transaction: returns_plan(transaction, work.account.id, full=work.request.full)
        )
    except NoList:
        work.learn(HAS_RETURNS, RETURNS_ASKED, False)
    except OF_ONE_PATH as error:
        work.go_on_without(HAS_RETURNS, RETURNS_ASKED, error)
    else:
        work.learn(HAS_RETURNS, RETURNS_ASKED, True)


class _ReturnList(ListReader[ReturnPage]):
    list_name = hub_returns.LIST
    axis = coverage.RETURNS
    is_dated = False

    def __init__(self, work: Work, meter: Meter) -> None:
        super().__init__(work.archive, work.session, work.account, work.run_id)
        self._work = work
        self._meter = meter
        self._without_id: set[str] = set()

    def _pages(self, window: ListingWindow, offset: int) -> Iterator[ReturnPage]:
        pages = hub_returns.returns(self._session, window.after, window.before, offset=offset, stop=self._work.stop)
        if pages is None:
            raise NoList
        yield from pages

    def _of_days(self, first: datetime | None, last: datetime | None) -> Iterator[ReturnPage]:
        return iter(hub_returns.returns(self._session, first, last, stop=self._work.stop) or ())

    def _learn(self, *, dates: str | None = None, date_filter: str | None = None) -> None:  # noqa: ARG002
        """That it takes no dates; how it filters by them no answer has proven."""
        super()._learn(dates=dates)

    def _write(self, transaction: Transaction, page: ReturnPage, _window: ListingWindow) -> PageWritten:
        seen_at = utc_now()
        received = [ReceivedReturn(item.entry, item.raw, seen_at) for item in page.items if item.entry.hub_id]
        recorded = returns.record(
            transaction,
            self._archive.vault_writer,
            self._account.id,
            self._run_id,
            returns_without_erased(transaction, self._account.id, received),
        )
        self._work.result.returns += recorded.new + recorded.changed
        return PageWritten(recorded.new)

    def _show(self, page: ReturnPage) -> None:
        for item in page.items:
            if not item.entry.hub_id and item.identity not in self._without_id:
                self._without_id.add(item.identity)
                self._work.result.fail("?", message("The hub lists a return without an id: it cannot be kept."))
        self._meter.advance(len(page.items), total=page.total)
