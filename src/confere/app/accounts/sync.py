"""The use case "bring accounts up to date", the same for every face and for schedulers."""

from __future__ import annotations

from dataclasses import replace

from confere.app.accounts.account_choice import usual_accounts
from confere.app.accounts.feeds import terms_of
from confere.app.authenticity.verify import judge_events
from confere.app.context import Workspace
from confere.app.sandbox.sandbox_accounts import awake, learn_roots
from confere.archive.accounts import accounts
from confere.archive.accounts.accounts import Account
from confere.archive.hub.record_balance import AccountSum
from confere.archive.store import Archive
from confere.errors import HubError, SecretUnavailable, UsageFault, message
from confere.hub.session import HubSession
from confere.intake.documents.document_sync import FailedItem as FailedItem
from confere.intake.documents.document_sync import SyncResult as SyncResult
from confere.intake.documents.document_sync import sync
from confere.intake.documents.sync_request import SyncRequest as SyncRequest
from confere.intake.feeds.feed_figures import FeedsRequest
from confere.intake.feeds.feed_sync import sync_feeds
from confere.intake.orders.order_sync import sync_orders
from confere.intake.orders.order_writer import FailedOrder as FailedOrder
from confere.intake.orders.order_writer import OrdersRequest
from confere.intake.orders.order_writer import OrdersResult as OrdersResult
from confere.sales.hub_feeds import HubFeed
from confere.system.paths import Home
from confere.system.processes.cancellation import Stop
from confere.system.progress import Reporter
from confere.system.secrets import token_store


def sync_accounts(
    workspace: Workspace,
    names: tuple[str, ...] = (),
    request: SyncRequest | None = None,
    *,
    reporter: Reporter | None = None,
    stop: Stop | None = None,
    prompt: token_store.Prompt | None = None,
) -> SyncResult:
    """Sync these accounts, or all of them; the figures are added up.

    Raises `UsageFault` where there is no account, and `HubError` or `SecretUnavailable` where no account could be
    synced; where only some could not, they stand among the failures.
    """
    total: SyncResult | None = None
    failures: list[HubError | SecretUnavailable] = []
    with workspace.writing("sync") as archive:
        with archive.reading() as transaction:
            chosen = [accounts.named(transaction, name) for name in names] or usual_accounts(transaction)
        if not chosen:
            raise UsageFault(
                message("There is no account to sync."),
                message("Add one with `confere account add`, or try `confere demo`."),
            )
        for account in chosen:
            if stop is not None and stop.is_set:
                break
            try:
                result = sync_account(workspace, archive, account, request, reporter=reporter, stop=stop, prompt=prompt)
            except (HubError, SecretUnavailable) as error:
                if len(chosen) == 1:
                    raise
                # One hub that is down must not keep the night's run from the others.
                failures.append(error)
                why = message("{what} {remedy}", what=error.what, remedy=error.remedy or "")
                result = SyncResult(failed=1, failures=[FailedItem(account.name, why, is_account=True)])
            total = result if total is None else _added(total, result)
    if failures and len(failures) == len(chosen):
        raise failures[0]
    return total or SyncResult(stopped=True)


def sync_account(
    workspace: Workspace,
    archive: Archive,
    account: Account,
    request: SyncRequest | None = None,
    *,
    reporter: Reporter | None = None,
    stop: Stop | None = None,
    prompt: token_store.Prompt | None = None,
) -> SyncResult:
    """Sync one account with the archive open, and judge the events that came; its hub is named where it fails.

    Raises `HubError` or `SecretUnavailable`.
    """
    try:
        note = reporter.note if reporter is not None else None
        with (
            awake(workspace, account, reporter) as woken,
            workspace.session(archive, woken, stop=stop, prompt=prompt, note=note) as session,
        ):
            learn_roots(archive, woken)
            return _sync(archive, session, woken, workspace.home, request or SyncRequest(), reporter, stop)
    except (HubError, SecretUnavailable) as error:
        # Whoever reads it later, or has several, must know whose hub it was.
        error.what = message("{account}: {what}", account=account.name, what=error.what)
        raise
    finally:
        judge_events(archive, workspace.home, stop)


def _sync(
    archive: Archive,
    session: HubSession,
    account: Account,
    home: Home,
    request: SyncRequest,
    reporter: Reporter | None,
    stop: Stop | None,
) -> SyncResult:
    """Documents, then orders and feeds by the same session; where only these fail, what came of documents is told."""
    result = SyncResult()
    if request.documents:
        result = sync(archive, session, account, request, reporter=reporter, stop=stop)
    wanted = _orders(request)
    if wanted is None or result.stopped:
        return result
    terms = terms_of(home, account, session.base)
    wanted = replace(wanted, feed=terms[HubFeed.ORDERS])
    try:
        result.orders = sync_orders(archive, session, account, wanted, reporter=reporter, stop=stop)
        if not (result.orders.stopped or _is_narrowed(request)):
            feeds = FeedsRequest(terms=terms, full=request.full)
            result.feeds = sync_feeds(archive, session, account, feeds, reporter=reporter, stop=stop)
    except HubError as error:
        if not request.documents:
            raise
        result.failed += 1
        why = message("{what} {remedy}", what=error.what, remedy=error.remedy or "")
        result.failures.append(FailedItem(account.name, why, is_account=True))
        return result
    result.stopped = result.orders.stopped or (result.feeds is not None and result.feeds.stopped)
    return result


def _is_narrowed(request: SyncRequest) -> bool:
    """Whether only a part is asked for: what changed elsewhere can wait for a whole sync."""
    return bool(request.from_at or request.to_at or request.narrowed or request.only_failed)


def _orders(request: SyncRequest) -> OrdersRequest | None:
    """What is asked of orders; None where the request is about certain documents alone."""
    if not request.orders or request.type is not None or request.marketplace is not None:
        return None
    ids = () if request.order_id is None else (request.order_id,)
    return OrdersRequest(request.from_at, request.to_at, request.full, request.only_failed, ids)


def _added(left: SyncResult, right: SyncResult) -> SyncResult:
    return SyncResult(
        listed=left.listed + right.listed,
        new=left.new + right.new,
        updated=left.updated + right.updated,
        downloaded=left.downloaded + right.downloaded,
        already=left.already + right.already,
        failed=left.failed + right.failed,
        requests=left.requests + right.requests,
        seconds=left.seconds + right.seconds,
        throttled=left.throttled + right.throttled,
        gone=left.gone + right.gone,
        stopped=left.stopped or right.stopped,
        date_filter=_worse(left.date_filter, right.date_filter),
        failures=left.failures + right.failures,
        orders=_added_orders(left.orders, right.orders),
        feeds=left.feeds.plus(right.feeds) if left.feeds and right.feeds else left.feeds or right.feeds,
        not_understood=left.not_understood + right.not_understood,
        nameless=left.nameless + right.nameless,
        without_file=left.without_file + right.without_file,
        never_shown=left.never_shown + right.never_shown,
        no_records=left.no_records + right.no_records,
        shortfalls=left.shortfalls + right.shortfalls,
        newly_without_file=left.newly_without_file or right.newly_without_file,
        conservation=_added_sums(left.conservation, right.conservation),
    )


def _added_sums(left: AccountSum, right: AccountSum) -> AccountSum:
    return AccountSum(
        left.listed + right.listed,
        left.archived + right.archived,
        left.waiting + right.waiting,
        left.refused + right.refused,
        left.lost + right.lost,
        left.lost_names + right.lost_names,
    )


def _worse(left: str, right: str) -> str:
    """What to tell of the date filters of two hubs: the one that was of less use."""
    return next((word for word in ("refused", "ignored") if word in (left, right)), right)


def _added_orders(left: OrdersResult | None, right: OrdersResult | None) -> OrdersResult | None:
    if left is None or right is None:
        return left or right
    sums = {
        name: getattr(left, name) + getattr(right, name)
        for name in (
            "listed", "new", "changed", "asked", "absent", "failed", "short", "marked", "returns", "requests",
            "seconds", "failures",
        )
    }  # fmt: skip
    return OrdersResult(
        **sums,
        stopped=left.stopped or right.stopped,
        has_list=None if left.has_list != right.has_list else left.has_list,
        date_filter=_worse(left.date_filter, right.date_filter),
    )


__all__ = [
    "Account",
    "FailedItem",
    "FailedOrder",
    "OrdersResult",
    "SyncRequest",
    "SyncResult",
    "sync_account",
    "sync_accounts",
]
