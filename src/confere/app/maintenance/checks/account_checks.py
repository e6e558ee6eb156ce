"""What a check-up says of each account: what of its hub's lists is here, how old that is, and what is missing."""

from __future__ import annotations

from confere.app.accounts import hub_contract
from confere.app.accounts.account_status import FEED_KEPT_DAYS, AccountStanding, FeedAge, standing
from confere.app.labels import hub_trait_labels
from confere.app.labels.feed_labels import feed_word
from confere.app.maintenance.checks.check_result import Examination, some
from confere.archive.accounts import accounts
from confere.archive.accounts.accounts import Account
from confere.archive.clock import from_text
from confere.archive.hub import coverage, download_queue, hub_traits, no_longer_listed, shortfalls
from confere.archive.hub.record_balance import unproven
from confere.archive.store import Archive
from confere.archive.transaction import Transaction
from confere.errors import message, nmessage
from confere.fiscal.periods import BRASILIA
from confere.system import formatting
from confere.system.paths import Home
from confere.system.processes.command_text import argument


def of_accounts(archive: Archive, home: Home, stale_after: int, found: Examination) -> None:
    """Every account in use; `stale_after` is how many days ago a listing may be."""
    with archive.reading() as transaction:
        for account in accounts.every(transaction):
            _of_account(transaction, account, stale_after, found)
            _of_contract(transaction, home, account, found)


def _of_account(transaction: Transaction, account: Account, stale_after: int, found: Examination) -> None:
    spans = coverage.covered(transaction, account.id, coverage.CREATED)
    whole = bool(spans) and spans[0].from_at == coverage.FOREVER
    waiting = download_queue.count_open(transaction, account.id)
    absent = no_longer_listed.count(transaction, account.id)
    stands = standing(transaction, account, stale_after=stale_after)
    doubtful = unproven(transaction, account.id)
    found.facts.setdefault("accounts", {})[account.name] = {
        "covered": [[span.from_at, span.to_at] for span in spans],
        "whole": whole,
        "waiting": waiting,
        "gone": absent,
        "listed_at": None if stands.listed_at is None else stands.listed_at.isoformat(),
        "listed_days": stands.days,
        "feed_read_at": None if stands.order_feed is None else stands.order_feed.read_at.isoformat(),
        "feed_days": None if stands.order_feed is None else stands.order_feed.days,
        "feeds": {feed.feed.value: {"read_at": feed.read_at.isoformat(), "days": feed.days} for feed in stands.feeds},
        "unproven": [name for name, _ in doubtful],
        "short": [entry.figures for entry in shortfalls.every(transaction, account.id)],
    }
    _of_gone(account, absent, found)
    for feed in stands.ending_feeds:
        _of_feed(account, feed, found)
    for short in stands.short:
        what = message("{account}: {what} {remedy}", account=account.name, what=short, remedy=shortfalls.REMEDY)
        found.add("account", False, what)
    if doubtful:
        what = message(
            "{account}: documents of which what came is not the document itself: {count} ({names}).",
            account=account.name,
            count=formatting.count(len(doubtful)),
            names=some(tuple(name for name, _ in doubtful)),
        )
        found.add("account", False, what)
    if not whole and not stands.short:
        what = message("{account} was never listed as a whole; sync it without dates.", account=account.name)
        found.add("account", False, what)
    elif waiting and download_queue.count_forbidden(transaction, account.id) == waiting:
        what = message(
            "{account}: the hub does not let the token read the records of some documents (403): {count}. Another sync"
            " alone does not bring them; ask the hub to let it.",
            account=account.name,
            count=formatting.count(waiting),
        )
        found.add("account", False, what)
    elif aside := download_queue.set_aside(transaction, account.id):
        what = message(
            "{account}: what ended the program was set aside: {count} ({names}). `confere sync --retry` tries again.",
            account=account.name,
            count=formatting.count(len(aside)),
            names=some(aside),
        )
        found.add("account", False, what)
    elif waiting:
        found.add(
            "account",
            False,
            nmessage(
                "{count} download of {account} is still open; sync it again.",
                "{count} downloads of {account} are still open; sync it again.",
                waiting,
                account=account.name,
            ),
        )
    elif whole:
        until = formatting.moment(from_text(spans[0].to_at).astimezone(BRASILIA))
        _of_age(account, stands, until, found, is_here=not doubtful)


def _of_contract(transaction: Transaction, home: Home, account: Account, found: Examination) -> None:
    """Where the hub does not do what it publishes. What was seen is what is used: nothing has to be done."""
    contract = hub_contract.kept(home, account).contract
    if contract is None:
        return
    seen = hub_contract.seen_traits(hub_traits.read(transaction, account.id))
    rows = [row for row in hub_contract.drift(contract, seen) if row.differs]
    missing = hub_contract.missing_lists(contract)
    found.facts["accounts"][account.name]["contract"] = {
        "operations": len(contract.operations),
        "differs": [row._asdict() for row in rows],
        "missing_lists": list(missing),
    }
    for row in rows:
        what = message(
            "{account}: the hub's contract says {trait} = {declared} for its list of {list}; its answers show {seen},"
            " and that is used.",
            account=account.name,
            list=hub_trait_labels.list_name(row.list),
            trait=hub_trait_labels.trait_name(row.trait),
            declared=hub_trait_labels.trait_value(row.trait, row.declared),
            seen=hub_trait_labels.trait_value(row.trait, row.seen),
        )
        found.add("contract", True, what, attention=True)
    for name in missing:
        what = message(
            "{account}: the hub's contract has no list of {lists}; each is asked for in another way, or not at all.",
            account=account.name,
            lists=hub_trait_labels.list_name(name),
        )
        found.add("contract", True, what, attention=True)


def _of_gone(account: Account, absent: int, found: Examination) -> None:
    if not absent:
        return
    found.add(
        "account",
        True,  # kept, and nothing that could be mended
        nmessage(
            "{count} document of {account} is no longer listed by its hub; see `confere list --gone`.",
            "{count} documents of {account} are no longer listed by its hub; see `confere list --gone`.",
            absent,
            account=account.name,
        ),
        attention=True,
    )


def _of_feed(account: Account, feed: FeedAge, found: Examination) -> None:
    """The hub forgets, or has forgotten, changes that nobody has seen."""
    days = formatting.count(feed.days or 0)
    what = (
        message(
            "{account}: the feed of {feed} was last read {days} days ago, and the hub keeps it for {kept}. Run"
            " `{command}`: changes may have been lost.",
            command=f"confere sync --account {argument(account.name)} --full",
            account=account.name,
            feed=feed_word(feed.feed),
            days=days,
            kept=FEED_KEPT_DAYS,
        )
        if feed.is_over
        else message(
            "{account}: the feed of {feed} was last read {days} days ago, and the hub keeps it for {kept}. Run"
            " `{command}` before changes are lost.",
            command=f"confere sync --account {argument(account.name)}",
            account=account.name,
            feed=feed_word(feed.feed),
            days=days,
            kept=FEED_KEPT_DAYS,
        )
    )
    found.add("account", not feed.is_over, what, attention=True)


def _of_age(account: Account, stands: AccountStanding, until: str, found: Examination, *, is_here: bool) -> None:
    """Up to when the account is complete; that is no good news where nobody has looked for long."""
    if stands.is_stale:
        what = message(
            "{account} was listed up to {until}, {days} days ago: what its hub has had since is not here. Run"
            " `{command}`.",
            command=f"confere sync --account {argument(account.name)}",
            account=account.name,
            until=until,
            days=formatting.count(stands.days or 0),
        )
        found.add("account", False, what)
    elif not stands.short and is_here:
        what = message("{account} is complete up to {until}.", account=account.name, until=until)
        found.add("account", True, what)
