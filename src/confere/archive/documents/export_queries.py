"""What a company hands over for a month, read in steps: lean rows of its documents and their events.

The list of a month is taken once, as ids in the order of the day of issue (`document_ids`); everything else is read
for some hundreds of them at a time, each in a transaction of its own, so that no reader holds the write-ahead log
back. What a row says is what was true when its step was read.
`CROSS JOIN` tells SQLite to begin with the few events asked for, not with all that belongs to the company.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from confere.archive.authenticity.verdict_codes import failed_in
from confere.archive.named_rows import Named
from confere.archive.transaction import CHUNK, Transaction
from confere.fiscal.periods import local_date
from confere.fiscal.state_evidence import is_refused

_IDS_AT_ONCE = 5000


class DocumentSheet(NamedTuple):
    """A document of the company that has a content of its own.

    `direction` is as the company sees the document: in or out. `documents_in_file` counts what the same content holds
    (a lot has many), `events_in_file` events that stand in it on their own; an event inside its document's `nfeProc`
    does not count. `verdict` is as `verdicts.verdict_of` reads it; None: not checked yet.
    """

    id: int
    content_id: int
    digest: bytes
    size: int
    type: str
    access_key: str | None
    model: str | None
    issued_on: str
    state: str
    direction: str
    documents_in_file: int
    events_in_file: int
    verdict: int | None
    series: int | None
    number: int | None
    issued_at: str | None
    emitter_tax_id: str | None
    recipient_tax_id: str | None
    cstat: str | None


class EventSheet(NamedTuple):
    """An event that came in a file of its own, with the `type`, `model`, day and `state` of its document.

    The fields that it shares with `DocumentSheet` mean the same. `occurred_at` is the time of its registration where
    it tells no other (cancellations of the time before events).
    """

    id: int
    content_id: int
    digest: bytes
    size: int
    type: str
    access_key: str
    model: str | None
    issued_on: str
    state: str
    direction: str
    documents_in_file: int
    events_in_file: int
    verdict: int | None
    code: str | None
    sequence: int | None
    occurred_at: str | None
    registered: int


class OtherCopy(NamedTuple):
    """Bytes of the same document or event that are not the current ones. `code` and `sequence` are an event's."""

    access_key: str
    code: str | None
    sequence: int | None
    digest: bytes
    size: int


class DocumentGroup(NamedTuple):
    """Current documents of one type, direction (as the company sees it) and state; `worth` in centavos."""

    type: str
    direction: str
    state: str
    documents: int
    worth: int


class Arrivals(NamedTuple):
    """Where contents came from, by their number, and when the run began that brought the newest, as UTC text."""

    sources: dict[int, tuple[str, ...]]
    newest: str | None


_IN_FILE = (
    "(SELECT count(*) FROM document o WHERE o.content_id = c.id) AS documents_in_file,"
    " (SELECT count(*) FROM event o WHERE o.content_id = c.id AND o.embedded = 0) AS events_in_file"
)


def document_ids(transaction: Transaction, company: str, first_day: str, last_day: str) -> Iterator[tuple[int, ...]]:
    """The current documents of `company` issued from `first_day` to `last_day` (`YYYY-MM-DD`, both included).

    By day of issue, then in the order of arrival; in stretches. The same set as `DocumentQuery(company=…,
    from_day=…, to_day=…)` has.
    """
    day, number = first_day, -1
    while True:
        rows = transaction.fetch(
            "SELECT issued_on, document_id FROM belonging WHERE tax_id = ? AND (issued_on, document_id) > (?, ?)"
            " AND issued_on <= ? ORDER BY issued_on, document_id LIMIT ?",
            (company, day, number, last_day, _IDS_AT_ONCE),
        )
        if rows:
            yield tuple(document_id for _, document_id in rows)
            day, number = rows[-1]
        if len(rows) < _IDS_AT_ONCE:
            return


def documents(transaction: Transaction, company: str, wanted: Sequence[int]) -> tuple[DocumentSheet, ...]:
    """These documents as `company` has them, in the order asked for."""
    rows = {
        row.id: row
        for row in _fetch_in(
            transaction,
            DocumentSheet,
            "SELECT d.id, c.id AS content_id, c.digest, c.size, d.type, d.access_key, d.model, d.issued_on, d.state,"
            f" coalesce(b.direction, 'in') AS direction, {_IN_FILE}, d.verdict, d.series, d.number, d.issued_at,"
            " s.tax_id AS emitter_tax_id, r.tax_id AS recipient_tax_id, d.cstat"
            " FROM document d JOIN content c ON c.id = d.content_id LEFT JOIN taxpayer s ON s.id = d.emitter_id"
            " LEFT JOIN taxpayer r ON r.id = d.recipient_id LEFT JOIN belonging b"
            " ON b.tax_id = ? AND b.issued_on = d.issued_on AND b.document_id = d.id WHERE d.id IN {}",
            company,
            wanted,
        )
    }
    return tuple(rows[number] for number in wanted if number in rows)


def earlier_event_ids(transaction: Transaction, company: str, first_day: str, last_day: str) -> tuple[int, ...]:
    """Current events of these days whose document is of an earlier day and belongs to `company`, oldest first."""
    rows = transaction.fetch(
        "SELECT e.id, coalesce(e.occurred_at, e.registered_at) FROM event e"
        " CROSS JOIN document d ON d.access_key = e.access_key AND d.is_current = 1"
        " CROSS JOIN belonging b ON b.tax_id = ? AND b.issued_on = d.issued_on AND b.document_id = d.id"
        " WHERE e.is_current = 1 AND e.embedded = 0 AND d.issued_on < ?"
        " AND substr(coalesce(e.occurred_at, e.registered_at), 1, 10)"
        " BETWEEN date(?, '-1 day') AND date(?, '+1 day') ORDER BY e.id",
        (company, first_day, first_day, last_day),
    )
    found: list[int] = []
    for number, occurred_at in rows:  # the day is the one its author wrote, which only a reader of zones can tell
        day = local_date(occurred_at)
        if day is not None and first_day <= day.isoformat() <= last_day:
            found.append(number)
    return tuple(found)


def events(transaction: Transaction, company: str, access_keys: Collection[str]) -> tuple[EventSheet, ...]:
    """Current events of these documents of `company`, by key, then in the order of arrival."""
    return _events(transaction, company, "e.access_key IN {}", access_keys)


def events_by_id(transaction: Transaction, company: str, wanted: Sequence[int]) -> tuple[EventSheet, ...]:
    """These events of documents of `company`."""
    return _events(transaction, company, "e.id IN {}", wanted)


def refused_events(transaction: Transaction, ids: Collection[int]) -> frozenset[int]:
    """Of these events those that are authentic but for that the authority refused them."""
    return frozenset(
        number
        for number, registered, cstat, lines in transaction.fetch_in(
            "SELECT e.id, e.registered, e.cstat, v.lines FROM event e JOIN verdict v ON v.content_id = e.content_id"
            " AND v.kind = 1 AND v.position = e.position WHERE e.id IN {}",
            ids,
        )
        if is_refused(bool(registered), cstat, failed_in(lines))
    )


def other_copies(transaction: Transaction, access_keys: Collection[str]) -> Iterator[OtherCopy]:
    """Documents of these keys, each of a current document, and events of theirs, kept beside the current ones."""
    several = transaction.column_in(  # by the index alone: nearly every key has one document
        "SELECT access_key FROM document WHERE access_key IN {} GROUP BY access_key HAVING count(*) > 1", access_keys
    )
    yield from transaction.fetch_in_as(
        OtherCopy,
        "SELECT d.access_key, NULL AS code, NULL AS sequence, c.digest, c.size FROM document d"
        " JOIN content c ON c.id = d.content_id WHERE d.is_current = 0 AND d.access_key IN {}"
        " ORDER BY d.access_key, d.id",
        list(several),
    )
    yield from transaction.fetch_in_as(
        OtherCopy,
        "SELECT e.access_key, e.code, e.sequence, c.digest, c.size FROM event e JOIN content c ON c.id = e.content_id"
        " WHERE e.is_current = 0 AND e.embedded = 0 AND e.access_key IN {} ORDER BY e.access_key, e.id",
        access_keys,
    )


def arrivals(transaction: Transaction, content_ids: Collection[int]) -> Arrivals:
    """How these contents arrived."""
    sources: dict[int, tuple[str, ...]] = {}
    run_ids: set[int] = set()
    for content_id, source, run_id in transaction.fetch_in(
        "SELECT content_id, source, run_id FROM arrival WHERE content_id IN {} ORDER BY content_id, source", content_ids
    ):
        sources[content_id] = (*sources.get(content_id, ()), source)
        run_ids.add(run_id)
    started = [
        row[0]
        for row in transaction.fetch_in(
            "SELECT started_at FROM run WHERE id IN {}",
            sorted(run_ids)[-1:],  # later runs have higher numbers
        )
    ]
    return Arrivals(sources, max(started, default=None))


def name_of(transaction: Transaction, company: str) -> str | None:
    """What documents call `company`; None where none does."""
    name: str | None = transaction.scalar(
        "SELECT max(name) FROM taxpayer WHERE tax_id = ? AND name IS NOT NULL", (company,)
    )
    return name


def references_not_archived(transaction: Transaction, access_keys: Collection[str]) -> tuple[tuple[str, str], ...]:
    """`(key, key it refers to)` of these documents, where no document of the archive has the second."""
    rows = transaction.fetch_in(
        "SELECT DISTINCT r.source_key, r.target_key FROM relation r WHERE r.source_key IN {}"
        " AND NOT EXISTS (SELECT 1 FROM document d WHERE d.access_key = r.target_key)"
        " ORDER BY r.source_key, r.target_key",
        access_keys,
    )
    return tuple((source, target) for source, target in rows)


def groups(transaction: Transaction, company: str, first_day: str, last_day: str) -> tuple[DocumentGroup, ...]:
    """The documents of `document_ids` by type, direction and state: how many, and what they name together."""
    rows = transaction.fetch(
        # In two halves: SQLite's sum ends in an error beyond 63 bits, and one absurd paper must not hide all others.
        "SELECT d.type, coalesce(b.direction, 'in'), d.state, count(*), sum(d.total >> 32), sum(d.total & 4294967295)"
        " FROM belonging b JOIN document d ON d.id = b.document_id"
        " WHERE b.tax_id = ? AND b.issued_on >= ? AND b.issued_on <= ? GROUP BY 1, 2, 3 ORDER BY 1, 2, 3",
        (company, first_day, last_day),
    )
    return tuple(
        DocumentGroup(type, direction, state, documents, ((high or 0) << 32) + (low or 0))
        for type, direction, state, documents, high, low in rows
    )


def of_nobody(
    transaction: Transaction, declared: Collection[str], first_day: str, last_day: str
) -> tuple[tuple[str, str | None, int], ...]:
    """`(tax id, name, documents)` of those who issued documents of these days that belong to none of `declared`.

    Most documents first. Documents that name no emitter are nobody's.
    """
    marks = ",".join("?" * len(declared))
    rows = transaction.fetch(
        "SELECT t.tax_id, max(t.name), count(*) FROM document d JOIN taxpayer t ON t.id = d.emitter_id"
        " WHERE d.is_current = 1 AND d.issued_on BETWEEN ? AND ? AND t.tax_id IS NOT NULL"
        " AND NOT EXISTS (SELECT 1 FROM belonging b"
        f" WHERE b.tax_id IN ({marks}) AND b.issued_on = d.issued_on AND b.document_id = d.id)"
        " GROUP BY t.tax_id ORDER BY count(*) DESC, t.tax_id",
        (first_day, last_day, *declared),
    )
    return tuple((tax_id, name, count) for tax_id, name, count in rows)


def _events(
    transaction: Transaction, company: str, condition: str, wanted: Collection[object]
) -> tuple[EventSheet, ...]:
    rows = list(
        _fetch_in(
            transaction,
            EventSheet,
            "SELECT e.id, c.id AS content_id, c.digest, c.size, d.type, e.access_key, d.model, d.issued_on, d.state,"
            f" b.direction, {_IN_FILE},"
            " (SELECT v.result FROM verdict v WHERE v.content_id = e.content_id AND v.kind = 1"
            " AND v.position = e.position) AS verdict,"
            " e.code, e.sequence, coalesce(e.occurred_at, e.registered_at) AS occurred_at, e.registered FROM event e"
            " CROSS JOIN document d ON d.access_key = e.access_key AND d.is_current = 1"
            " CROSS JOIN belonging b ON b.tax_id = ? AND b.issued_on = d.issued_on AND b.document_id = d.id"
            " CROSS JOIN content c ON c.id = e.content_id"
            f" WHERE e.is_current = 1 AND e.embedded = 0 AND {condition}",
            company,
            wanted,
        )
    )
    rows.sort(key=lambda event: (event.access_key, event.id))
    return tuple(rows)


def _fetch_in(
    transaction: Transaction, kind: type[Named], sql: str, company: str, wanted: Collection[object]
) -> Iterator[Named]:
    """As `Transaction.fetch_in_as`, with the company as the first parameter."""
    listed = list(wanted)
    for start in range(0, len(listed), CHUNK):
        part = listed[start : start + CHUNK]
        yield from transaction.fetch_as(kind, sql.format(f"({','.join('?' * len(part))})"), (company, *part))
