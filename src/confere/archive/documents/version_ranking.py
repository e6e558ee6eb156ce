"""Which content of a key comes first, and which copy of an event: one order, whatever came when.

Threads race, files are imported in any order and hubs answer in any: only what the papers and their verdicts say
decides, and at last the SHA-256.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import UTC, datetime
from typing import Final, NamedTuple

from confere.archive.authenticity.verdict_codes import failed_in, is_unchecked
from confere.archive.documents import lone_protocols
from confere.archive.named_rows import NamedRow
from confere.archive.transaction import Row, Transaction
from confere.fiscal.authenticity.verdict import NO_GATE, Check
from confere.fiscal.periods import BRASILIA
from confere.fiscal.state import AUTHORIZED

_APART: Final = NO_GATE | {Check.ENVIRONMENT}
# The verdict's line by its place in the content; and whether a record of this very key brought it.
_RANKED: Final = (
    f"SELECT d.id, v.lines, d.environment, d.cstat, {lone_protocols.ANOTHERS} AS answers_another, d.authorized_at,"
    " EXISTS (SELECT 1 FROM download w JOIN hub_document h ON h.id = w.hub_document_id"
    " WHERE w.content_id = d.content_id AND h.access_key = d.access_key) AS from_hub,"
    " c.digest, d.position FROM document d LEFT JOIN content c ON c.id = d.content_id"
    " LEFT JOIN verdict v ON v.content_id = d.content_id AND v.kind = 0 AND v.position = d.position"
    " WHERE d.id IN {}"
)
_RANKED_EVENTS: Final = (
    "SELECT e.id, v.lines, e.registered, e.embedded, c.digest, e.position FROM event e"
    " LEFT JOIN content c ON c.id = e.content_id LEFT JOIN verdict v"
    " ON v.content_id = e.content_id AND v.kind = 1 AND v.position = e.position WHERE e.id IN {}"
)


class Rank(NamedTuple):
    """What decides between the versions of a key, the first that differs first; the smallest is current."""

    verdict: int  # 0 authentic, 1 could not be checked or was not yet, 2 failed
    is_test: bool
    unauthorized: bool
    unanswered: bool
    from_elsewhere: bool  # than a record of this key
    answered_at: str
    sha256: str
    position: int


def of_documents(transaction: Transaction, document_ids: Collection[int]) -> dict[int, Rank]:
    """The rank of each of these documents."""
    return {row.id: _rank(row) for row in transaction.named_in(_RANKED, document_ids)}


def of_events(transaction: Transaction, event_ids: Collection[int]) -> dict[int, Row]:
    """The rank of each of these events; the smallest of its copies is current."""
    return {
        row.id: (
            bool(row.lines and failed_in(row.lines) - _APART),
            not row.registered,
            row.embedded,
            row.digest or b"",
            row.position,
        )
        for row in transaction.named_in(_RANKED_EVENTS, event_ids)
    }


def _rank(row: NamedRow) -> Rank:
    cstat = None if row.answers_another else row.cstat
    verdict = 1
    if row.lines is not None:
        failed = failed_in(row.lines) - _APART
        verdict = 2 if failed else int(is_unchecked(row.lines, _APART))
    return Rank(
        verdict=verdict,
        is_test=row.environment == "2",
        unauthorized=cstat not in AUTHORIZED,
        unanswered=cstat is None,
        from_elsewhere=not row.from_hub,
        answered_at=_instant(row.authorized_at),
        sha256=(row.digest or b"").hex(),
        position=row.position,
    )


def _instant(written: str | None) -> str:
    """For ordering by time, whatever the offset; what names no time comes last."""
    if not written:
        return "~"
    try:
        at = datetime.fromisoformat(written)
    except ValueError:
        return f"~{written}"
    return (at if at.tzinfo is not None else at.replace(tzinfo=BRASILIA)).astimezone(UTC).isoformat()


def difference(before: Rank, after: Rank) -> str:
    """For the audit trail: from which content to which, and the first thing in which they differ."""
    why = next(
        (name for name, old, new in zip(Rank._fields, before, after, strict=True) if old != new), Rank._fields[-1]
    )
    return f"{before.sha256} {after.sha256} {why}"
