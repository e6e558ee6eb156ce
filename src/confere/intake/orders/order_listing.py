"""Listing orders: each page is written in one transaction with the cursor behind it, and the window is closed only
when the whole answer was held against what must be in it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

from confere.archive.accounts import preferences
from confere.archive.accounts.hub_facts import HAS_LIST, LIST_ASKED
from confere.archive.clock import from_text
from confere.archive.hub import coverage, shortfalls
from confere.archive.hub.shortfalls import Short
from confere.archive.orders import order_requests, orders
from confere.archive.transaction import Transaction
from confere.errors import HubNotFound, HubRefusedRequest, HubRefusedToken, message
from confere.hub.listing.date_filters import DatesRefused, widened
from confere.hub.orders import orders as hub_orders
from confere.hub.orders.orders import HubOrder, OrderPage
from confere.hub.traits import hub_traits as shapes
from confere.intake.listing.date_filter_check import orders_honour
from confere.intake.listing.hub_clock import Begun
from confere.intake.listing.listing_errors import FilterIgnored, Moved, SeamOpen, Sighted
from confere.intake.orders.order_completeness import ListedOrder, PageFields
from confere.intake.orders.order_windows import OrderPlan, plan, undated, whole
from confere.intake.orders.order_writer import Work
from confere.system.progress import Meter

PAGE = 100


class _NoList(Exception):
    """This hub has no list of orders, or not for this token."""


def list_orders(work: Work, meter: Meter) -> dict[str, HubOrder | None]:
    """List what is new and what may have moved; the ids of orders whose list entry is not the whole order.

    With each what the list says of it where the archive has the order: all there is to know of its change, if the hub
    does not give the order itself. A hub without a list is remembered as such, and asked again after a week.
    """
    if work.is_without(HAS_LIST, LIST_ASKED):
        work.result.has_list = False
        return {}
    listing = _Listing(work, meter)
    try:
        listing.run()
        work.result.has_list = True
    except _NoList:
        work.result.has_list = False
    work.learn(HAS_LIST, LIST_ASKED, work.result.has_list)
    return listing.partial


class _Listing:
    def __init__(self, work: Work, meter: Meter) -> None:
        self._work = work
        self._meter = meter
        self._new = 0
        self._identities: set[str] = set()
        self.partial: dict[str, HubOrder | None] = {}

    def run(self) -> None:
        if self._once().resumed is not None:  # the interrupted listing of everything; then what happened since
            self._once()

    def _once(self) -> OrderPlan:
        work = self._work
        with work.archive.writing() as transaction:
            days = preferences.get(transaction, work.account.id).relist_days
            entry = plan(transaction, work.account.id, work.request, days)
        try:
            self._list(entry, Sighted())
        except (FilterIgnored, DatesRefused) as useless:
            refused = isinstance(useless, DatesRefused)
            work.result.date_filter = shapes.REFUSED if refused else shapes.IGNORED
            self._list(undated(entry), Sighted())
            if refused:  # now that the list came without dates, it was these that the hub refused
                work.session.shapes.learn(hub_orders.LIST, dates=shapes.REFUSED)
            else:
                work.session.shapes.learn(hub_orders.LIST, date_filter=shapes.IGNORED)
        except SeamOpen:
            self._list(whole(), Sighted())
        return entry

    def _list(self, entry: OrderPlan, sighted: Sighted) -> None:
        window = entry.resumed
        begun: Begun | None = None
        came = 0
        shown = False
        try:
            for page in self._pages(entry):
                more = widened(self._work.session.shapes.of(hub_orders.LIST).dates)
                if any(entry.excludes(found, more) for found in page.items):
                    raise FilterIgnored
                begun = begun or Begun.now(self._work.session, self._work.account)
                came += len(page.items)
                shown = shown or any(entry.is_landmark(found) for found in page.items)
                sighted.note(page)
                with self._work.archive.writing() as transaction:
                    if window is None:
                        window = self._begin(transaction, entry, begun)
                    new = self._write(transaction, page)
                    coverage.advance(transaction, window.id, page.offset + len(page.items) + page.refused)
                if new and entry.resumed and page.offset + len(page.items) <= entry.resumed.offset:
                    raise SeamOpen  # nothing new can stand before the place of a resumed listing
                self._tell(page)
            if entry.dated:
                if not self._honestly_empty(entry) if not came else not shown:
                    raise FilterIgnored
                self._work.result.date_filter = shapes.HONOURED
                self._work.session.shapes.learn(hub_orders.LIST, date_filter=shapes.HONOURED)
            if entry.resumed is not None and sighted.ends_early:
                raise SeamOpen
            if entry.resumed is None and sighted.short():
                raise Moved
        except (FilterIgnored, DatesRefused, SeamOpen, Moved) as useless:
            if window is not None:
                with self._work.archive.writing() as transaction:
                    coverage.abandon(transaction, window.id)
            if not isinstance(useless, Moved):
                raise
            self._list(entry, sighted)
            return
        begun = begun or Begun.now(self._work.session, self._work.account)
        short = None if entry.resumed is not None else self._short(entry, sighted, begun.at)
        with self._work.archive.writing() as transaction:
            window = window or self._begin(transaction, entry, begun)
            to_at = self._until(transaction, entry, begun)
            if short is not None:  # nothing is claimed for it: the next sync lists it again
                coverage.abandon(transaction, window.id)
                shortfalls.note(transaction, self._work.account.id, window, short)
            elif to_at < window.from_at:  # days that are still to come
                coverage.abandon(transaction, window.id)
            else:
                coverage.finish(transaction, window.id, to_at)
                shortfalls.settle(transaction, self._work.account.id, replace(window, to_at=to_at))

    def _short(self, entry: OrderPlan, sighted: Sighted, begun: datetime) -> Short | None:
        """How the list was short of what the hub has."""

        def read(first: datetime | None, last: datetime | None) -> Iterator[OrderPage]:
            return hub_orders.orders(self._work.session, first, last, limit=PAGE, stop=self._work.stop)

        return sighted.short_of(read, begun, is_whole=entry.method == coverage.SCAN)

    def _until(self, transaction: Transaction, entry: OrderPlan, begun: Begun) -> str:
        """Up to when a listing that began at `begun` may be claimed; one that goes on with another, as that one."""
        if entry.resumed is not None:
            return entry.resumed.to_at
        newest = order_requests.newest_creation(transaction, self._work.account.id)
        moment = begun.until(self._work.session, newest)
        return min(entry.to_at, moment) if entry.to_at else moment

    def _honestly_empty(self, entry: OrderPlan) -> bool:
        """Whether days that a person asked for are empty, and not just the answer: the dates are proven elsewhere."""
        work = self._work
        if entry.method != coverage.ASKED:
            return False
        with work.archive.reading() as transaction:
            known = order_requests.newest_creation(transaction, work.account.id)
        at = None if known is None else from_text(known)
        return orders_honour(work.session, at, entry.after, entry.before, stop=work.stop)

    def _pages(self, entry: OrderPlan) -> Iterator[OrderPage]:
        """The pages. Raises `_NoList`, `FilterIgnored` and `DatesRefused` for what the hub says to the first."""
        pages = hub_orders.orders(
            self._work.session,
            entry.after,
            entry.before,
            offset=max(0, entry.resumed.offset - PAGE) if entry.resumed else 0,
            limit=PAGE,
            stop=self._work.stop,
        )
        try:
            first = next(pages, None)
        except HubNotFound as error:
            raise _NoList from error
        except HubRefusedToken as error:
            if error.status != 403:
                raise
            raise _NoList from error
        except DatesRefused:
            raise
        except HubRefusedRequest as error:
            if entry.dated:
                raise FilterIgnored from error
            raise _NoList from error
        if first is not None:
            yield first
            yield from pages

    def _begin(self, transaction: Transaction, entry: OrderPlan, begun: Begun) -> coverage.Window:
        return coverage.begin(
            transaction,
            self._work.account.id,
            self._work.run_id,
            axis=coverage.ORDERS,
            from_at=entry.from_at,
            to_at=self._until(transaction, entry, begun),
            narrowed="",
            method=entry.method,
        )

    def _write(self, transaction: Transaction, page: OrderPage) -> int:
        """Write a page down; how many of its orders are new."""
        work = self._work
        found = [entry for entry in page.items if entry.hub_id]
        kept = orders.newest(
            transaction, work.archive.vault, work.account.id, {entry.order.hub_id: entry.raw for entry in found}
        )
        fields = PageFields(found if any(before.raw is not None for before in kept.values()) else ())
        whole_ones, unchanged = [], []
        for entry in found:
            before = kept.get(entry.order.hub_id)
            is_new = before is None or before.raw is not None
            how = (
                fields.shown(entry, before.raw) if before is not None and before.raw is not None else ListedOrder.WHOLE
            )
            if before is not None and how is ListedOrder.LESS:
                unchanged.append(before.order_id)
            elif how is ListedOrder.LESS_AND_OTHER or (
                is_new and not entry.order.items
            ):  # without an item none is whole
                self.partial[entry.order.hub_id] = entry if before is not None else None
            else:
                whole_ones.append(entry)
        order_requests.seen(transaction, work.run_id, unchanged)
        recorded = work.write(transaction, whole_ones)
        work.result.count(recorded)
        work.listed.update(entry.order.hub_id for entry in whole_ones)
        return recorded.new

    def _tell(self, page: OrderPage) -> None:
        for entry in page.items:
            if not entry.hub_id and entry.identity not in self._identities:
                self._work.result.fail("?", message("The hub lists an order without an id: it cannot be kept."))
        known = len(self._identities)
        self._identities.update(entry.identity for entry in page.items)
        self._work.result.listed = len(self._identities)
        self._meter.advance(len(self._identities) - known, total=page.total)
