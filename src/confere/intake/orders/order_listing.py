"""The list of orders: what of it is written down, and which of its orders are asked for one by one."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from confere.archive.accounts.hub_facts import HAS_LIST, LIST_ASKED
from confere.archive.clock import from_text
from confere.archive.hub import coverage
from confere.archive.orders import order_requests, orders
from confere.archive.transaction import Transaction
from confere.errors import HubNotFound, HubRefusedRequest, HubRefusedToken, message
from confere.hub.listing.date_filters import DatesRefused
from confere.hub.orders import orders as hub_orders
from confere.hub.orders.orders import HubOrder, OrderPage
from confere.intake.listing.date_filter_check import orders_honour
from confere.intake.listing.engine import PAGE, ListReader, PageWritten
from confere.intake.listing.listing_errors import FilterIgnored, Moved, SeamOpen
from confere.intake.listing.listing_window import ListingWindow
from confere.intake.orders.order_completeness import ListedOrder, PageFields
from confere.intake.orders.order_windows import plan
from confere.intake.orders.order_writer import NoList, Work
from confere.system.progress import Meter


def list_orders(work: Work, meter: Meter) -> dict[str, HubOrder | None]:
    """List what is new and what may have moved; the ids of orders whose list entry is not the whole order.

    With each what the list says of it where the archive has the order: all there is to know of its change, if the hub
    does not give the order itself. A hub without a list is remembered as such, and asked again after a week.
    """
    if work.is_without(HAS_LIST, LIST_ASKED):
        work.result.has_list = False
        return {}
    listing = _OrderList(work, meter)
    try:
        listing.read_due(lambda transaction: plan(transaction, work.account.id, work.request))
        work.result.has_list = True
    except NoList:
        work.result.has_list = False
    work.learn(HAS_LIST, LIST_ASKED, work.result.has_list)
    return listing.partial


class _OrderList(ListReader[OrderPage]):
    """The list of orders; `partial` are ids of orders of which the list does not give everything."""

    list_name = hub_orders.LIST
    axis = coverage.ORDERS
    abandoned_on = (FilterIgnored, SeamOpen, Moved, DatesRefused)  # a page that is refused is asked for again

    def __init__(self, work: Work, meter: Meter) -> None:
        super().__init__(work.archive, work.session, work.account, work.run_id)
        self._work = work
        self._meter = meter
        self._identities: set[str] = set()
        self.partial: dict[str, HubOrder | None] = {}

    def _of_days(self, first: datetime | None, last: datetime | None) -> Iterator[OrderPage]:
        return hub_orders.orders(self._session, first, last, limit=PAGE, stop=self._work.stop)

    def _newest(self, transaction: Transaction, _axis: str) -> str | None:
        return order_requests.newest_creation(transaction, self._account.id)

    def _is_honestly_empty(self, window: ListingWindow) -> bool:
        """Whether days that a person asked for are empty, and not just the answer: the dates are proven elsewhere."""
        if window.method != coverage.ASKED:
            return False
        with self._archive.reading() as transaction:
            known = order_requests.newest_creation(transaction, self._account.id)
        at = None if known is None else from_text(known)
        return orders_honour(self._session, at, window.after, window.before, stop=self._work.stop)

    def _tell_date_filter(self, date_filter: str) -> None:
        self._work.result.date_filter = date_filter

    def _pages(self, window: ListingWindow, offset: int) -> Iterator[OrderPage]:
        """The pages. Raises `NoList`, `FilterIgnored` and `DatesRefused` for what the hub says to the first."""
        pages = hub_orders.orders(
            self._work.session,
            window.after,
            window.before,
            offset=offset,
            limit=PAGE,
            stop=self._work.stop,
        )
        try:
            first = next(pages, None)
        except HubNotFound as error:
            raise NoList from error
        except HubRefusedToken as error:
            if error.status != 403:
                raise
            raise NoList from error
        except DatesRefused:
            raise
        except HubRefusedRequest as error:
            if window.dated:
                raise FilterIgnored from error
            raise NoList from error
        if first is not None:
            yield first
            yield from pages

    def _write(self, transaction: Transaction, page: OrderPage, window: ListingWindow) -> PageWritten:
        work = self._work
        listed = [item for item in page.items if item.hub_id]
        known = orders.newest(
            transaction, work.archive.vault, work.account.id, {item.order.hub_id: item.raw for item in listed}
        )
        fields = PageFields(listed if any(order.raw is not None for order in known.values()) else ())
        whole_ones, unchanged = [], []
        for item in listed:
            before = known.get(item.order.hub_id)
            is_new = before is None or before.raw is not None
            shown = ListedOrder.WHOLE
            if before is not None and before.raw is not None:
                shown = fields.shown(item, before.raw)
            if before is not None and shown is ListedOrder.LESS:
                unchanged.append(before.order_id)
            elif shown is ListedOrder.LESS_AND_OTHER or (
                is_new and not item.order.items
            ):  # none is whole without items
                self.partial[item.order.hub_id] = item if before is not None else None
            else:
                whole_ones.append(item)
        order_requests.seen(transaction, work.run_id, unchanged)
        recorded = work.write(transaction, whole_ones)
        work.result.count(recorded)
        work.listed.update(item.order.hub_id for item in whole_ones)
        newest = None if window.landmark is None else from_text(window.landmark.at)
        created = [item.created_at for item in page.items if item.created_at is not None]
        shows_landmark = newest is not None and any(moment >= newest for moment in created)
        return PageWritten(recorded.new, shows_landmark)

    def _show(self, page: OrderPage) -> None:
        for item in page.items:
            if not item.hub_id and item.identity not in self._identities:
                self._work.result.fail("?", message("The hub lists an order without an id: it cannot be kept."))
        known = len(self._identities)
        self._identities.update(item.identity for item in page.items)
        self._work.result.listed = len(self._identities)
        self._meter.advance(len(self._identities) - known, total=page.total)
