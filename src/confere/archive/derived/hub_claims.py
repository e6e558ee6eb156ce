"""Relations that hubs claim: what differs from their records, and making it as they say."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator
from typing import Final, NamedTuple

from confere.archive.derived.difference import WHOLE_ROW, ValueDifference
from confere.archive.documents.recorder import CLAIMED_BY_HUB, UNSPECIFIED, claim_relations
from confere.archive.transaction import Transaction

_KEYS: Final = (  # each with the first of its records
    "SELECT access_key FROM hub_document h WHERE id BETWEEN ? AND ? AND access_key IS NOT NULL"
    " AND NOT EXISTS (SELECT 1 FROM hub_document o WHERE o.access_key = h.access_key AND o.id < h.id)"
)
_VERSIONS: Final = (
    "SELECT h.access_key, r.content_id FROM hub_document h JOIN hub_record r ON r.hub_document_id = h.id"
    " WHERE h.access_key IN {}"
)
_STORED: Final = f"SELECT source_key, target_key FROM relation WHERE claims & {CLAIMED_BY_HUB} AND source_key IN {{}}"


class HubClaim(NamedTuple):
    """A pair of keys that a hub's records relate and that is not stored (`is_due`), or the other way round."""

    source_key: str
    target_key: str
    is_due: bool

    @property
    def difference(self) -> ValueDifference:
        return ValueDifference("relation", self.source_key, WHOLE_ROW)


def first_keys(transaction: Transaction, first: int, last: int) -> list[str]:
    """The access keys whose first record is one of those numbered from `first` to `last`."""
    return transaction.column(_KEYS, (first, last))


def versions(transaction: Transaction, keys: Collection[str]) -> Iterator[tuple[str, int]]:
    """Each key with the content of every version of its records."""
    yield from transaction.fetch_in(_VERSIONS, keys)


def stored(transaction: Transaction, keys: Collection[str]) -> dict[str, set[str]]:
    """What hubs relate these keys to, as it is stored."""
    targets: dict[str, set[str]] = defaultdict(set)
    for source, target in transaction.fetch_in(_STORED, keys):
        targets[source].add(target)
    return targets


def write(transaction: Transaction, claims: Collection[HubClaim]) -> None:
    """Let hubs claim what their records say, and no more; what XML claims stays."""
    due = {(claim.source_key, claim.target_key, UNSPECIFIED): None for claim in claims if claim.is_due}
    claim_relations(transaction, due, CLAIMED_BY_HUB)
    transaction.execute_many(
        f"UPDATE relation SET claims = claims & ~{CLAIMED_BY_HUB} WHERE source_key = ? AND target_key = ?",
        [(claim.source_key, claim.target_key) for claim in claims if not claim.is_due],
    )
    transaction.execute("DELETE FROM relation WHERE claims = 0")
