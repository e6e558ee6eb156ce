"""What one sync brought, what it left, and whether everything that was ever listed is accounted for."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from confere.archive.accounts import accounts
from confere.archive.accounts.accounts import Account
from confere.archive.hub import shortfalls, unreadable_records
from confere.archive.hub.events_without_file import RecordLackingFiles, events_without_file
from confere.archive.hub.record_balance import AccountSum, account_sum, unproven
from confere.archive.hub.shortfalls import Shortfall
from confere.archive.store import Archive
from confere.errors import Message, message
from confere.intake.feeds.feed_figures import FeedsResult
from confere.intake.listing.listing_figures import ListingFigures
from confere.intake.orders.order_writer import OrdersResult

UNPROVEN = "unproven"
"""Among the account's facts: whether there are records of which what came does not show the document itself."""


@dataclass(frozen=True, slots=True)
class FailedItem:
    """One download that stays in the queue, and why; or an account that could not be synced at all, by its name.

    Or a record of the hub, by its key or id, of which something is missing.
    """

    item_id: str
    reason: Message
    is_account: bool = False


@dataclass(slots=True)
class SyncResult(ListingFigures):
    """Figures of one sync of documents; `downloaded` counts XML files.

    `not_understood` counts the account's records of which no file was understood, `nameless` those among them that have
    neither an id nor a key, so that nothing can be asked of them; `without_file` the events of its
    histories for which the hub offers none, `never_shown` documents that the hub counts and never showed, `no_records`
    elements of its list that are no records; `shortfalls` are what stands of that, of this run or an earlier one;
    `newly_without_file` is set where one of those is new. `conservation` is
    what became of everything that the account's hub ever listed.
    """

    updated: int = 0
    downloaded: int = 0
    already: int = 0
    throttled: int = 0
    gone: int = 0  # listed before, and not any more
    failures: list[FailedItem] = field(default_factory=list)
    orders: OrdersResult | None = None  # of the same account's orders, a run of their own
    feeds: FeedsResult | None = None  # of its other feeds, a run of their own
    not_understood: int = 0
    nameless: int = 0
    without_file: int = 0
    never_shown: int = 0
    no_records: int = 0
    shortfalls: tuple[Shortfall, ...] = ()
    newly_without_file: bool = False
    conservation: AccountSum = field(default_factory=AccountSum)

    @property
    def lacking(self) -> bool:
        """Whether something that was ever listed is not here, or an event of it newly has no file: no success."""
        whole = self.conservation
        all_here = whole.balances and whole.archived == whole.listed
        unseen = self.never_shown or self.no_records or self.shortfalls
        return bool(self.failed or self.not_understood or self.newly_without_file or unseen) or not all_here

    def counts(self) -> dict[str, int | float | str]:
        """The figures of the documents alone, as runs and scripts want them."""
        names = (
            "listed", "new", "updated", "downloaded", "already", "failed", "requests", "throttled", "date_filter",
            "not_understood", "without_file", "gone", "never_shown", "no_records",
        )  # fmt: skip
        return {name: getattr(self, name) for name in names} | {"seconds": round(self.seconds, 3)}

    def settle(self, archive: Archive, account: Account, changed: Collection[int]) -> None:
        """Hold what came against everything that was ever listed; `changed` are the records that this sync changed."""
        with archive.reading() as transaction:
            unread = unreadable_records.records(transaction, account.id)
            lacking = events_without_file(transaction, account.id)
            self.not_understood = unreadable_records.count(transaction, account.id)
            self.nameless = sum(1 for entry in unread if entry.access_key is None and entry.hub_id is None)
            self.conservation = account_sum(transaction, account.id)
            doubtful = unproven(transaction, account.id) if self.conservation.refused else ()
            self.shortfalls = shortfalls.every(transaction, account.id, shortfalls.DOCUMENTS)
        self.failures += [FailedItem(entry.name, entry.problem) for entry in unread]
        self.without_file = sum(len(entry.events) for entry in lacking)
        new = [entry for entry in lacking if entry.hub_document_id in changed]
        self.newly_without_file = bool(new)
        self.failures += [FailedItem(entry.name, _no_file(entry)) for entry in new]
        if bool(doubtful) is not bool(account.facts.get(UNPROVEN)):
            with archive.writing() as transaction:
                accounts.learn(transaction, account.id, {UNPROVEN: bool(doubtful)})
        self.failures += [FailedItem(name, why) for name, why in doubtful]
        self.failures += [FailedItem(account.name, entry.what) for entry in self.shortfalls]
        if self.never_shown and not self.shortfalls:  # of certain documents alone: nothing of that is kept
            unseen = message(
                "The hub counts more documents than its list shows, however often it is read: {count} are missing. The"
                " next sync lists them again.",
                count=self.never_shown,
            )
            self.failures.append(FailedItem(account.name, unseen))
        if self.no_records:
            odd = message("The hub's list holds elements that are no documents: {count}.", count=self.no_records)
            self.failures.append(FailedItem(account.name, odd))
        if not self.conservation.balances:
            lost = message("It was listed, and is neither in the archive, nor waiting, nor refused with a reason.")
            self.failures += [FailedItem(name, lost) for name in self.conservation.lost_names]


def _no_file(record: RecordLackingFiles) -> Message:
    return message(
        "The hub offers no file for events of this document: {events}.",
        events=", ".join(entry.status or entry.at or "?" for entry in record.events),
    )
