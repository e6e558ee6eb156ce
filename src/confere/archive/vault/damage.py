"""Contents that are missing or fail their SHA-256: noted until their bytes are back, and asked of the hub again.

The row of a lost content is gone with its digest; its number stays, because documents, events and downloads speak of
it. Bytes that come again are known by the place they came from, or by the papers that they hold.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, NamedTuple

from confere.archive.clock import utc_now
from confere.archive.hub.download_queue import DETAIL_KIND
from confere.archive.schema.schema import vault_damage
from confere.archive.transaction import Transaction
from confere.archive.vault import missing_contents
from confere.errors import ArchiveCorrupt
from confere.fiscal.model import Paper

MISSING: Final = "missing"
DAMAGED: Final = "damaged"
NOT_GIVEN: Final = "not_given"  # the hub listed everything again and did not give it

PaperKey = tuple[str, str, str | None, int | None]
"""What a paper is known by: document or event, its access key and, of an event, its code and sequence."""


@dataclass(frozen=True, slots=True)
class BrokenContent:
    """A content whose bytes are gone or wrong, with what it is the bytes of.

    `kind` is document, event, hub_record, order or file; `name` an access key or, without one, the hub's id, the
    source it came from, or its number.
    """

    content_id: int
    reason: str
    kind: str
    name: str


class DamagedContent(NamedTuple):
    """What is noted now, to know bytes by when they come again."""

    reasons: Mapping[int, str]
    sources: Mapping[str, int]
    papers: Mapping[frozenset[PaperKey], list[int]]


def note(transaction: Transaction, reasons: Mapping[int, str]) -> None:
    """Write down that these contents are broken, and put the downloads that brought them back in the queue."""
    now = utc_now()
    transaction.insert_or_ignore(vault_damage, [(number, now, reason) for number, reason in reasons.items()])
    ids = [(number,) for number in reasons]
    transaction.execute_many("UPDATE download SET state = 'waiting' WHERE state = 'done' AND content_id = ?", ids)
    records = set(
        transaction.column_in(
            "SELECT hub_document_id FROM hub_record WHERE source = 'detail' AND content_id IN {}", reasons
        )
    )
    transaction.execute_many(
        f"UPDATE download SET state = 'waiting' WHERE hub_document_id = ? AND kind = '{DETAIL_KIND}'",
        [(number,) for number in records],
    )


def note_missing(transaction: Transaction) -> int:
    """Note what is not there at all and was not noted before; how many contents that is. Cheap."""
    known = set(transaction.column("SELECT content_id FROM vault_damage"))
    new = [number for number in missing_contents.missing(transaction) if number not in known]
    note(transaction, dict.fromkeys(new, MISSING))
    return len(new)


def clear(transaction: Transaction, content_ids: Collection[int]) -> None:
    """These contents are whole again, wherever they came from: their downloads need not bring them any more."""
    known = set(transaction.column("SELECT content_id FROM vault_damage"))
    ids = [(number,) for number in content_ids if number in known]
    transaction.execute_many("DELETE FROM vault_damage WHERE content_id = ?", ids)
    transaction.execute_many(
        "UPDATE download SET state = 'done' WHERE state = 'waiting' AND content_id = ?"
        " AND content_id IN (SELECT id FROM content WHERE problem IS NULL)",
        ids,
    )


def noted(transaction: Transaction) -> dict[int, str]:
    """What is noted as broken: number and reason."""
    return dict(transaction.fetch("SELECT content_id, reason FROM vault_damage ORDER BY content_id"))


def records_to_list(transaction: Transaction, account_id: int) -> bool:
    """Whether a record of this account's list lost its bytes, which only a listing of everything can bring back."""
    return bool(
        transaction.first(
            "SELECT 1 FROM vault_damage v CROSS JOIN hub_record r ON r.content_id = v.content_id"
            " CROSS JOIN hub_document h ON h.id = r.hub_document_id"
            f" WHERE v.reason != '{NOT_GIVEN}' AND r.source = 'list' AND h.account_id = ? LIMIT 1",
            (account_id,),
        )
    )


def give_up_records(transaction: Transaction) -> None:
    """Everything was listed: what records are still broken are older versions, which no hub gives any more."""
    transaction.execute(
        "UPDATE vault_damage SET reason = ? WHERE content_id IN (SELECT content_id FROM hub_record)", (NOT_GIVEN,)
    )


def known(transaction: Transaction) -> DamagedContent | None:
    """What bytes may come again; None where nothing is broken, which costs next to nothing to find out."""
    reasons = noted(transaction)
    if not reasons:
        return None
    sources = {
        source: number
        for number, source in transaction.fetch_in(
            "SELECT content_id, source FROM arrival WHERE content_id IN {}", reasons
        )
    }
    for number, account, item in transaction.fetch_in(
        "SELECT w.content_id, a.name, w.item_id FROM download w JOIN account a ON a.id = w.account_id"
        " WHERE w.content_id IN {}",
        reasons,
    ):
        sources.setdefault(f"hub:{account}/{item}", number)
    papers: dict[int, set[PaperKey]] = defaultdict(set)
    for number, key in transaction.fetch_in(
        "SELECT content_id, access_key FROM document WHERE access_key IS NOT NULL AND content_id IN {}", reasons
    ):
        papers[number].add(("document", key, None, None))
    for number, key, code, sequence in transaction.fetch_in(
        "SELECT content_id, access_key, code, sequence FROM event WHERE access_key IS NOT NULL AND content_id IN {}",
        reasons,
    ):
        papers[number].add(("event", key, code, sequence))
    by_papers: dict[frozenset[PaperKey], list[int]] = defaultdict(list)
    for number, held in papers.items():
        by_papers[frozenset(held)].append(number)
    return DamagedContent(reasons, sources, by_papers)


def place_for(known: DamagedContent, source: str, paper: Paper | None, taken: Collection[int]) -> int | None:
    """The number of the lost content that bytes from `source`, read as `paper`, are; None for none."""
    candidates = [known.sources.get(source)]
    if paper is not None:
        candidates += known.papers.get(frozenset(_papers_in(paper)), [])
    for number in candidates:
        if number is not None and number not in taken and known.reasons.get(number) != DAMAGED:
            return number
    return None


def named(transaction: Transaction, reasons: Mapping[int, str]) -> tuple[BrokenContent, ...]:
    """What these contents are the bytes of, by number; one that holds several papers is named by each."""
    found: dict[int, dict[tuple[str, str], None]] = defaultdict(dict)
    for sql in _NAMES:
        unnamed: Sequence[int] = [number for number in reasons if sql is _NAMES[1] or number not in found]
        with suppress(ArchiveCorrupt):  # what stands on a damaged page is named by the next who knows it
            for number, kind, name in transaction.fetch_in(sql, unnamed):
                found[number][kind, name] = None
    return tuple(
        BrokenContent(number, reason, kind, name)
        for number, reason in sorted(reasons.items())
        for kind, name in found.get(number, {("file", str(number)): None})
    )


# Each is asked of what the ones before it did not name; events also of what holds documents.
_NAMES: Final = (
    "SELECT content_id, 'document', coalesce(access_key, type || ' ' || coalesce(number, id)) FROM document"
    " WHERE content_id IN {}",
    "SELECT content_id, 'event', access_key FROM event WHERE embedded = 0 AND access_key IS NOT NULL"
    " AND content_id IN {}",
    "SELECT w.content_id, 'document', coalesce(h.access_key, h.hub_id, w.item_id) FROM download w"
    " JOIN hub_document h ON h.id = w.hub_document_id WHERE w.content_id IN {}",
    "SELECT r.content_id, 'hub_record', coalesce(h.access_key, h.hub_id, h.identity) FROM hub_record r"
    " JOIN hub_document h ON h.id = r.hub_document_id WHERE r.content_id IN {}",
    "SELECT v.content_id, 'order', o.hub_id FROM order_version v JOIN sales_order o ON o.id = v.order_id"
    " WHERE v.content_id IN {}",
    "SELECT content_id, 'order', hub_id FROM sales_order WHERE content_id IN {}",
    "SELECT content_id, 'return', hub_id FROM hub_return WHERE content_id IN {}",
    "SELECT v.content_id, 'product', p.hub_id FROM catalog_version v JOIN catalog_product p ON p.id = v.product_id"
    " WHERE v.content_id IN {}",
    "SELECT content_id, 'product', hub_id FROM catalog_product WHERE content_id IN {}",
    "SELECT content_id, 'file', source FROM arrival WHERE content_id IN {}",
)


def _papers_in(paper: Paper) -> Iterator[PaperKey]:
    for entry in paper.documents:
        if entry.access_key:
            yield "document", entry.access_key, None, None
    for happened in paper.events:
        if happened.access_key:
            yield "event", happened.access_key, happened.code, happened.sequence
