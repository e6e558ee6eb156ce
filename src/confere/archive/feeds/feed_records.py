"""Records that a feed named: the newest version of each as a row, every version of its JSON in the vault."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from confere.archive import message_encoding
from confere.archive.message_encoding import storable
from confere.archive.orders.order_rows import canonical_digest
from confere.archive.orders.orders import Contents
from confere.archive.schema.schema import feed_record, feed_record_version
from confere.archive.schema.table_rows import row_of
from confere.archive.transaction import Row, Transaction
from confere.archive.vault.vault import VaultWriter, digest_of
from confere.errors import Message
from confere.sales.hub_feeds import HubFeed


class FeedOutcome(StrEnum):
    """What became of the question for a record; `NAMED`: the hub has no address where it could be read."""

    FOUND = "found"
    ABSENT = "absent"
    FAILED = "failed"
    NAMED = "named"


@dataclass(frozen=True, slots=True)
class NamedRecord:
    """A record that a feed named, with its JSON as received where the hub gave it. `changed_at`: UTC text."""

    hub_id: str
    outcome: FeedOutcome
    changed_at: str
    raw: bytes | None = None
    reason: Message | None = None


@dataclass(frozen=True, slots=True)
class FeedRecordCounts:
    """How many records of a feed the archive knows, and how many versions of them it holds."""

    records: int = 0
    versions: int = 0


def record(
    transaction: Transaction,
    vault: VaultWriter,
    account_id: int,
    run_id: int,
    feed: HubFeed,
    received: Sequence[NamedRecord],
) -> int:
    """Write these down, each once; of how many another version came than before, or, without any, how many are new.

    A record that did not come this time keeps the version it had.
    """
    latest = {storable(entry.hub_id): entry for entry in received}
    known = {
        row.hub_id: row
        for row in transaction.named_in(
            "SELECT hub_id, id, digest, content_id, first_run_id FROM feed_record"
            f" WHERE account_id = {int(account_id)} AND feed = '{feed.value}' AND hub_id IN {{}}",
            latest,
        )
    }
    contents = Contents(transaction, vault)
    digests = {name: canonical_digest(entry.raw) for name, entry in latest.items() if entry.raw is not None}
    changed = [name for name, digest in digests.items() if name not in known or known[name].digest != digest]
    for name in changed:
        contents.want(latest[name].raw or b"")
    held = contents.put()
    content_ids = {name: held[digest_of(latest[name].raw or b"")] for name in changed}
    make = row_of(feed_record)
    rows: list[Row] = []
    versions: list[tuple[int, str]] = []
    for name, entry in latest.items():
        before = known.get(name)
        number = before.id if before is not None else transaction.new_ids(feed_record, 1)[0]
        rows.append(
            make(
                id=number,
                account_id=account_id,
                feed=feed.value,
                hub_id=name,
                content_id=content_ids.get(name, None if before is None else before.content_id),
                digest=digests.get(name, None if before is None else before.digest),
                outcome=entry.outcome.value,
                reason=None if entry.reason is None else message_encoding.kept(entry.reason),
                changed_at=entry.changed_at,
                first_run_id=run_id if before is None else before.first_run_id,
                last_run_id=run_id,
            )
        )
        if name in content_ids:
            versions.append((number, name))
    transaction.execute_many("DELETE FROM feed_record WHERE id = ?", [(row.id,) for row in known.values()])
    transaction.insert(feed_record, rows)
    _keep_versions(
        transaction, run_id, [(number, content_ids[name], latest[name].changed_at) for number, name in versions]
    )
    named = (name for name, entry in latest.items() if entry.outcome is FeedOutcome.NAMED and name not in known)
    return len(changed) + sum(1 for _ in named)


def failed(transaction: Transaction, account_id: int, feed: HubFeed) -> tuple[str, ...]:
    """The ids of records that did not come when they were asked for last."""
    return tuple(
        transaction.column(
            "SELECT hub_id FROM feed_record WHERE account_id = ? AND feed = ? AND outcome = ? ORDER BY id",
            (account_id, feed.value, FeedOutcome.FAILED.value),
        )
    )


def counts(transaction: Transaction, account_id: int) -> dict[str, FeedRecordCounts]:
    """What the archive has of each feed, by the feed's name."""
    rows = transaction.named(
        "SELECT r.feed, count(DISTINCT r.id) AS records, count(v.position) AS versions FROM feed_record r"
        " LEFT JOIN feed_record_version v ON v.record_id = r.id WHERE r.account_id = ? GROUP BY r.feed",
        (account_id,),
    )
    # Products are kept with the catalog.
    of_products = transaction.scalar(
        "SELECT count(*) FROM feed_record r"
        " JOIN catalog_product p ON p.account_id = r.account_id AND p.hub_id = r.hub_id"
        " JOIN catalog_version v ON v.product_id = p.id WHERE r.account_id = ? AND r.feed = ?",
        (account_id, HubFeed.PRODUCTS.value),
    )
    beside = {HubFeed.PRODUCTS.value: int(of_products or 0)}
    return {row.feed: FeedRecordCounts(row.records, row.versions + beside.get(row.feed, 0)) for row in rows}


def _keep_versions(transaction: Transaction, run_id: int, found: Sequence[tuple[int, int, str]]) -> None:
    """`found`: number of the record, of the content, and when it was seen."""
    last: dict[int, int] = dict(
        transaction.fetch_in(
            "SELECT record_id, max(position) FROM feed_record_version WHERE record_id IN {} GROUP BY record_id",
            {number for number, _, _ in found},
        )
    )
    transaction.insert(
        feed_record_version,
        [(number, last.get(number, -1) + 1, content_id, seen_at, run_id) for number, content_id, seen_at in found],
    )
