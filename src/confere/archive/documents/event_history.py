"""What happened to documents, by the events that the archive holds of their keys and what the verdict says of each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from confere.archive.authenticity.verdict_codes import failed_in, is_answer_alone
from confere.archive.transaction import Transaction
from confere.errors import Message
from confere.fiscal.state import EVENT_CODES, StateEvent
from confere.fiscal.state_evidence import ReportedEvent, doubts

OK: Final = 0  # `verdict.result`
_CODES: Final = ",".join(f"'{code}'" for code in sorted(EVENT_CODES))
_TOLD: Final = (
    "SELECT e.access_key, e.id, e.code, e.sequence, e.registered, e.cstat, e.environment, v.lines, v.result,"
    " EXISTS (SELECT 1 FROM verdict n WHERE n.content_id = e.content_id AND n.kind = 9) AS is_unjudgeable FROM event e"
    " LEFT JOIN verdict v ON v.content_id = e.content_id AND v.kind = 1 AND v.position = e.position"
    f" WHERE e.code IN ({_CODES})"
)


@dataclass(frozen=True, slots=True)
class DisbelievedEvent:
    """An event that is not believed, or not as it stands in its file, by the number of its row, and why."""

    access_key: str
    event_id: int
    why: Message


def told(transaction: Transaction, keys: Collection[str]) -> dict[str, tuple[ReportedEvent, ...]]:
    """What is told of each of these keys, believed or not; keys of which nothing is told are left out."""
    return {key: tuple(found.values()) for key, found in _told(transaction, keys).items()}


def doubted(transaction: Transaction, keys: Collection[str]) -> tuple[DisbelievedEvent, ...]:
    """What is told of these keys and not believed, in the order of the rows."""
    found = [
        DisbelievedEvent(key, number, why)
        for key, told in _told(transaction, keys).items()
        for number, why in zip(told, doubts(list(told.values())), strict=True)
        if why is not None
    ]
    return tuple(sorted(found, key=lambda entry: entry.event_id))


def every_doubted(transaction: Transaction) -> tuple[DisbelievedEvent, ...]:
    """The same of the whole archive."""
    keys = transaction.column(
        "SELECT DISTINCT e.access_key FROM event e JOIN verdict v ON v.content_id = e.content_id AND (v.kind = 9"
        f" OR v.kind = 1 AND v.position = e.position AND v.result != 0) WHERE e.code IN ({_CODES})"
    )
    return doubted(transaction, keys)


def keys_in(transaction: Transaction, content_ids: Collection[int]) -> set[str]:
    """The keys whose state an event in these contents may change."""
    return set(
        transaction.column_in(
            f"SELECT DISTINCT access_key FROM event WHERE code IN ({_CODES}) AND content_id IN {{}}", content_ids
        )
    )


def unjudged(transaction: Transaction, after_id: int, limit: int) -> tuple[int, ...]:
    """The next contents, by number, with events that a state depends on and that nobody judged yet."""
    content_ids = transaction.column(
        "SELECT DISTINCT e.content_id FROM event e WHERE"
        f" e.content_id > ? AND e.code IN ({_CODES})"
        " AND NOT EXISTS (SELECT 1 FROM verdict v WHERE v.content_id = e.content_id) ORDER BY e.content_id LIMIT ?",
        (after_id, limit),
    )
    return tuple(content_ids)


def _told(transaction: Transaction, keys: Collection[str]) -> dict[str, dict[int, ReportedEvent]]:
    found: dict[str, dict[int, ReportedEvent]] = defaultdict(dict)
    for row in transaction.named_in(_TOLD + " AND e.access_key IN {}", keys):
        found[row.access_key][row.id] = ReportedEvent(
            StateEvent(row.code, bool(row.registered), row.cstat, row.environment, is_authentic=row.result == OK),
            sequence=row.sequence,
            failed=failed_in(row.lines) if row.lines else frozenset(),
            is_alone=is_answer_alone(row.lines or ""),
            is_unjudgeable=bool(row.is_unjudgeable),
        )
    return found
