"""What came inside something else: the bytes as received are kept beside the XML that was taken out of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from confere.archive.documents.recorder import Arrival, arrive
from confere.archive.schema.schema import wrapping
from confere.archive.transaction import Transaction
from confere.archive.vault.vault import Blob, Family, VaultWriter, digest_of, find


@dataclass(frozen=True, slots=True)
class Wrapped:
    """A content and what it came in. `layers` are outermost first; `source` is where the whole came from."""

    content_id: int
    received: bytes
    layers: tuple[str, ...]
    source: str


@dataclass(frozen=True, slots=True)
class Wrapping:
    """As kept: the SHA-256 of the bytes as received, their size, and the layers around the content."""

    sha256: str
    size: int
    layers: tuple[str, ...]


def keep(transaction: Transaction, vault: VaultWriter, run_id: int, wrapped: Sequence[Wrapped]) -> None:
    """Store the bytes as received, once each, with their arrivals. No reader is ever given them."""
    digests = [digest_of(entry.received) for entry in wrapped]
    held = find(transaction, set(digests))
    new = {digest: entry.received for entry, digest in zip(wrapped, digests, strict=True) if digest not in held}
    held.update(zip(new, vault.put(transaction, [Blob(data, d, Family.JSON) for d, data in new.items()]), strict=True))
    arrive(transaction, run_id, [Arrival(held[d], entry.source) for entry, d in zip(wrapped, digests, strict=True)])
    transaction.insert_or_ignore(
        wrapping,
        [(entry.content_id, held[d], ",".join(entry.layers)) for entry, d in zip(wrapped, digests, strict=True)],
    )


def of_content(transaction: Transaction, content_id: int) -> tuple[Wrapping, ...]:
    """What this content came in, if anything, in the order of arrival."""
    rows = transaction.fetch(
        "SELECT c.digest, c.size, w.layers FROM wrapping w JOIN content c ON c.id = w.received_id"
        " WHERE w.content_id = ? ORDER BY w.received_id",
        (content_id,),
    )
    return tuple(Wrapping(digest.hex(), size, tuple(layers.split(","))) for digest, size, layers in rows)
