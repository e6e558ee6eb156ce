"""The use case "read the hub's feeds": which there are, what they brought, and reading them now."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from confere.app.accounts import hub_contract
from confere.app.accounts.account_choice import one_account
from confere.app.accounts.account_status import standing
from confere.app.context import Workspace
from confere.app.sandbox.sandbox_accounts import awake
from confere.archive.accounts import accounts, preferences
from confere.archive.accounts.accounts import Account
from confere.archive.accounts.hub_facts import of_feed
from confere.archive.feeds import feed_records, published_prices
from confere.archive.feeds.feed_records import FeedRecordCounts
from confere.archive.store import Archive
from confere.hub.contract.feed_terms import FeedTerms, feed_terms
from confere.hub.session import HubSession
from confere.intake.feeds.feed_figures import OTHER_FEEDS, FeedFailure, FeedsRequest
from confere.intake.feeds.feed_figures import FeedResult as FeedResult
from confere.intake.feeds.feed_figures import FeedsResult as FeedsResult
from confere.intake.feeds.feed_sync import sync_feeds
from confere.intake.orders.order_sync import sync_orders
from confere.intake.orders.order_writer import OrdersRequest, OrdersResult
from confere.sales.hub_feeds import HubFeed as HubFeed
from confere.system.paths import Home
from confere.system.processes.cancellation import Stop
from confere.system.progress import Reporter
from confere.system.secrets import token_store


@dataclass(frozen=True, slots=True)
class FeedLine:
    """A feed of an account. `is_offered` is None where nobody has asked yet. `read_at` is in the zone of Brasília, None
    for never; `days` how many days ago where that grows old.

    `records` were named by it and are known, `versions` of them are kept; `gives_records`: the hub lets them be read.
    """

    account: str
    feed: HubFeed
    is_offered: bool | None
    is_marked: bool
    gives_records: bool
    read_at: datetime | None
    days: int | None
    records: int | None
    versions: int | None


@dataclass(frozen=True, slots=True)
class FeedList:
    """The feeds of accounts; `prices` are published prices that are known, each change one, by account."""

    lines: tuple[FeedLine, ...]
    prices: Mapping[str, int]


def listing(workspace: Workspace, account: str | None = None) -> FeedList:
    """Every feed of the account, or of all, as it stands; asks no hub."""
    lines: list[FeedLine] = []
    prices: dict[str, int] = {}
    with workspace.reading() as archive, archive.reading() as transaction:
        chosen = accounts.every(transaction) if account is None else (accounts.named(transaction, account),)
        for each in chosen:
            contract = hub_contract.kept(workspace.home, each).contract
            ages = {age.feed: age for age in standing(transaction, each).feeds}
            known = feed_records.counts(transaction, each.id)
            wanted = preferences.get(transaction, each.id)
            prices[each.name] = published_prices.count(transaction, each.id)
            for feed in HubFeed:
                terms, age = feed_terms(contract, feed), ages.get(feed)
                is_offered = each.facts.get(of_feed(feed).has)
                if contract is not None and not terms.is_offered:
                    is_offered = False
                kept = None if feed is HubFeed.ORDERS else known.get(feed.value, FeedRecordCounts())
                lines.append(
                    FeedLine(
                        account=each.name,
                        feed=feed,
                        is_offered=is_offered if isinstance(is_offered, bool) else None,
                        is_marked=wanted.marks(feed),
                        gives_records=terms.record is not None,
                        read_at=None if age is None else age.read_at,
                        days=None if age is None else age.days,
                        records=None if kept is None else kept.records,
                        versions=None if kept is None else kept.versions,
                    )
                )
    return FeedList(tuple(lines), prices)


def read(
    workspace: Workspace,
    account: str | None,
    feeds: tuple[HubFeed, ...],
    *,
    reporter: Reporter | None = None,
    stop: Stop | None = None,
    prompt: token_store.Prompt | None = None,
) -> FeedsResult:
    """Read these feeds of one account now, and keep what they name.

    Items are marked only where the account says so. Raises `UsageFault` where it is not clear which account is meant,
    and `HubError`.
    """
    with workspace.writing("feeds") as archive:
        with archive.reading() as transaction:
            chosen = one_account(transaction, account)
        note = reporter.note if reporter is not None else None
        with (
            awake(workspace, chosen, reporter) as woken,
            workspace.session(archive, woken, stop=stop, prompt=prompt, note=note) as session,
        ):
            return read_with(archive, session, woken, workspace.home, feeds, reporter=reporter, stop=stop)


def read_with(
    archive: Archive,
    session: HubSession,
    account: Account,
    home: Home,
    feeds: tuple[HubFeed, ...],
    *,
    full: bool = True,
    reporter: Reporter | None = None,
    stop: Stop | None = None,
) -> FeedsResult:
    """As `read`, by a session that is open. `full`: also ask for those that the hub did not have."""
    terms = terms_of(home, account, session.base)
    result = FeedsResult()
    if HubFeed.ORDERS in feeds:
        request = OrdersRequest(full=full, feed=terms[HubFeed.ORDERS], only_feed=True)
        result = _of_orders(sync_orders(archive, session, account, request, reporter=reporter, stop=stop))
    others = tuple(feed for feed in OTHER_FEEDS if feed in feeds)
    if others and not result.stopped:
        wanted = FeedsRequest(others, terms, full)
        result = result.plus(sync_feeds(archive, session, account, wanted, reporter=reporter, stop=stop))
    return result


def terms_of(home: Home, account: Account, address: str) -> dict[HubFeed, FeedTerms]:
    """How the feeds of the account's hub, which is at `address` now, are read and marked."""
    contract = hub_contract.of_account(home, account, address=address).contract
    return {feed: feed_terms(contract, feed) for feed in HubFeed}


def _of_orders(result: OrdersResult) -> FeedsResult:
    figures = FeedResult(
        HubFeed.ORDERS,
        is_offered=result.has_feed,
        items=result.in_feed,
        fetched=result.asked - result.absent - result.failed,
        changed=result.new + result.changed,
        absent=result.absent,
        failed=result.failed,
        marked=result.marked,
        is_cut=result.is_feed_cut,
        lost=[FeedFailure(entry.order_id, entry.reason) for entry in result.failures],
    )
    return replace(FeedsResult([figures]), requests=result.requests, seconds=result.seconds, stopped=result.stopped)
