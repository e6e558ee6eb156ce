"""Sync of orders: by the hub's list, by its feed, and by the ids that documents quote; killable at any moment.

What comes first matters: the feed is read before the list, so that an order that the list shows is at least as new
as its item in the feed and need not be asked for again. Each page, and each batch of answers, is one transaction.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from confere.archive.accounts import preferences
from confere.archive.accounts.accounts import Account
from confere.archive.accounts.preferences import Preferences
from confere.archive.accounts.recorded_run import booked
from confere.archive.clock import from_text, utc_text
from confere.archive.hub import coverage, shortfalls
from confere.archive.orders import order_requests
from confere.archive.store import Archive
from confere.errors import Cancelled, message
from confere.hub.orders.orders import HubOrder
from confere.hub.session import HubSession
from confere.intake.account_work import AGAIN, ago
from confere.intake.feeds.feed_reading import FeedReading
from confere.intake.listing.hub_clock import Begun
from confere.intake.listing.hub_traits_store import recall, remember
from confere.intake.orders.order_details import BATCH, OrderFetcher
from confere.intake.orders.order_listing import list_orders
from confere.intake.orders.order_rereading import reread_orders
from confere.intake.orders.order_writer import OrdersRequest, OrdersResult, Work
from confere.intake.orders.return_listing import bring_returns
from confere.sales.hub_feeds import HubFeed
from confere.system.processes.cancellation import Stop
from confere.system.progress import Meter, Reporter, Silent

MOST_UNFINISHED = 500  # older orders that may still move, asked for in one run
ASK_AGAIN = timedelta(days=1)  # such an order is asked for once in this time


def sync_orders(
    archive: Archive,
    session: HubSession,
    account: Account,
    request: OrdersRequest | None = None,
    *,
    reporter: Reporter | None = None,
    stop: Stop | None = None,
) -> OrdersResult:
    """Bring the orders of `account` up to date. Raises `HubError` when the hub itself fails; what came is kept."""
    request = request or OrdersRequest()
    result = OrdersResult()
    before = session.requests
    asked = {"full": request.full, "only_failed": request.only_failed, "ids": list(request.ids)}
    with booked(archive, "orders", account.id, asked, account.name, result) as run:
        try:
            _run(
                Work(
                    archive=archive,
                    session=session,
                    account=account,
                    run_id=run.id,
                    result=result,
                    stop=stop,
                    full=request.full,
                    request=request,
                ),
                reporter or Silent(),
            )
            _tell_shortfalls(archive, account, result)
            run.outcome = "partial" if result.failed else "done"
        except Cancelled:
            result.stopped = True
            run.outcome = "stopped"
        finally:
            result.requests = session.requests - before
    return result


def _tell_shortfalls(archive: Archive, account: Account, result: OrdersResult) -> None:
    """What stands of lists that were short counts as failed, whatever this run listed."""
    with archive.reading() as transaction:
        for of in (coverage.ORDERS, coverage.RETURNS):
            for entry in shortfalls.every(transaction, account.id, of):
                result.short += 1
                result.fail(account.name, entry.what)


def _run(work: Work, reporter: Reporter) -> None:
    listing = Meter(reporter, message("Listing orders of {account}", account=work.account.name))
    asking = Meter(reporter, message("Asking for orders of {account}", account=work.account.name))
    asker = OrderFetcher(work, asking)
    reread_orders(work.archive, work.account.id, stop=work.stop)
    with work.archive.reading() as transaction:
        recall(transaction, work.account.id, work.session)
    try:
        if work.request.ids:
            asker.ask(work.request.ids)
        elif work.request.only_feed:
            feed = _feed(work)
            feed.look()
            _process(feed, work, asker)
        elif work.request.only_failed:
            asker.ask(_failed(work))
        else:
            _all(work, asker, listing, reporter)
    finally:
        asker.close()
        remember(work.archive, work.account.id, work.session)
        listing.finish()
        asking.finish()


def _all(work: Work, asker: OrderFetcher, listing: Meter, reporter: Reporter) -> None:
    wanted = _wanted(work)
    feed = _feed(work)
    if not (work.request.from_at or work.request.to_at):
        feed.look()
    listed = list_orders(work, listing)
    asker.ask(listed)
    _write_listed(work, [entry for name, entry in listed.items() if entry is not None and name in asker.withheld])
    if work.request.from_at or work.request.to_at:
        return
    _process(feed, work, asker)
    asker.ask(_failed(work))
    days = wanted.relist_days if work.result.has_list else 0  # without a list nothing else shows that one moved
    until = from_text(Begun.now(work.session, work.account).until(work.session))
    with work.archive.reading() as transaction:
        quoted = order_requests.quoted_unknown(transaction, work.account.id, absent_before=ago(AGAIN))
        moving = order_requests.unfinished(
            transaction,
            work.account.id,
            created_before=utc_text(until - timedelta(days=days)),
            limit=MOST_UNFINISHED,
            asked_before=ago(ASK_AGAIN),
            absent_before=ago(AGAIN),
        )
    asker.ask(quoted)
    asker.ask(moving)
    bring_returns(work, Meter(reporter, message("Listing returns of {account}", account=work.account.name)))


def _wanted(work: Work) -> Preferences:
    with work.archive.reading() as transaction:
        return preferences.get(transaction, work.account.id)


def _feed(work: Work) -> FeedReading:
    return FeedReading(work, HubFeed.ORDERS, work.request.feed, marks=_wanted(work).marks(HubFeed.ORDERS))


def _process(feed: FeedReading, work: Work, asker: OrderFetcher) -> None:
    try:
        feed.process(lambda hub_ids: asker.ask(hub_ids, again=True), work.listed)
    finally:
        result = work.result
        result.has_feed, result.in_feed, result.is_feed_cut = feed.is_offered, feed.shown, feed.is_cut


def _write_listed(work: Work, found: Sequence[HubOrder]) -> None:
    """What the list says of changed orders that the hub does not give: less than is kept, and newer."""
    for start in range(0, len(found), BATCH):
        with work.archive.writing() as transaction:
            work.result.count(work.write(transaction, found[start : start + BATCH]))


def _failed(work: Work) -> list[str]:
    with work.archive.reading() as transaction:
        return [hub_id for hub_id, _ in order_requests.failures(transaction, work.account.id)]
