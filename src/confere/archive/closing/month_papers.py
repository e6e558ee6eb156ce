"""The documents of a company and month as a checklist counts them, and what is known of each by its key."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from typing import Final, NamedTuple

from confere.archive.authenticity.verdict_codes import failed_in
from confere.archive.authenticity.verdicts import EVENT
from confere.archive.transaction import Transaction
from confere.fiscal.state_evidence import is_refused

TEST_ENVIRONMENT: Final = "2"  # tpAmb

_EVENT_VERDICTS: Final = (
    "SELECT e.access_key, e.code, e.sequence, e.description, v.result AS verdict, v.lines,"
    " CASE e.registered WHEN 0 THEN e.cstat END AS refusal,"
    " EXISTS (SELECT 1 FROM event r WHERE r.access_key = e.access_key AND r.code = e.code AND r.registered = 1)"
    " AS is_known FROM event e LEFT JOIN verdict v"
    f" ON v.content_id = e.content_id AND v.kind = {EVENT} AND v.position = e.position"
    " WHERE e.is_current = 1 AND e.embedded = 0 AND {} IN {{}}"
)


class MonthPaper(NamedTuple):
    """A current document of the company. `judged` is as `verdicts.verdict_of` reads it; None: not checked yet."""

    row: int
    access_key: str | None
    kind: str  # nfe, cte, …
    model: str | None
    series: int | None
    number: int | None
    emitter: str | None
    moment: str | None  # of issue, as written
    day: str
    stands: str  # its state
    tp_amb: str | None
    judged: int | None

    @property
    def name(self) -> str:
        """Its key or, without one, its type and number."""
        return self.access_key or f"{self.kind} {self.number or self.row}"


class SeenRecord(NamedTuple):
    """When an account's hub last listed a document: the end of that run, as UTC text."""

    access_key: str
    account_id: int
    seen_at: str


class MissingTarget(NamedTuple):
    """A document of the month, and the key of one that it refers to and that is not here."""

    source_key: str
    target_key: str
    kind: str


class EventVerdict(NamedTuple):
    """An event of a document, with its verdict as `verdicts.verdict_of` reads it; None: not checked yet.

    `lines` are those of the verdict as they are kept, `refusal` is cStat of an answer that registered nothing.
    `is_known`: a registered event of the same code is here.
    """

    access_key: str
    code: str | None
    sequence: int | None
    description: str | None
    verdict: int | None
    lines: str | None
    refusal: str | None
    is_known: int

    @property
    def is_refused(self) -> bool:
        """Whether it is authentic but for that the authority refused it."""
        return self.lines is not None and is_refused(False, self.refusal, failed_in(self.lines))


def papers(transaction: Transaction, company: str, first_day: str, last_day: str) -> tuple[MonthPaper, ...]:
    """The current documents of `company` issued on these days (`YYYY-MM-DD`, both included), by day."""
    return tuple(
        transaction.fetch_as(
            MonthPaper,
            "SELECT d.id AS row, d.access_key, d.type AS kind, d.model, d.series, d.number, e.tax_id AS emitter,"
            " d.issued_at AS moment, d.issued_on AS day, d.state AS stands, d.environment AS tp_amb,"
            " d.verdict AS judged FROM belonging b CROSS JOIN document d ON d.id = b.document_id"
            " LEFT JOIN taxpayer e ON e.id = d.emitter_id"
            " WHERE b.tax_id = ? AND b.issued_on BETWEEN ? AND ? ORDER BY b.issued_on, b.document_id",
            (company, first_day, last_day),
        )
    )


def undated(transaction: Transaction, company: str) -> tuple[str, ...]:
    """Keys, or type and number, of the documents of `company` without a date that can be read."""
    return tuple(
        transaction.column(
            "SELECT coalesce(d.access_key, d.type || ' ' || coalesce(d.number, d.id)) FROM belonging b"
            " CROSS JOIN document d ON d.id = b.document_id WHERE b.tax_id = ? AND b.issued_on = '' ORDER BY d.id",
            (company,),
        )
    )


def seen_records(transaction: Transaction, keys: Collection[str]) -> dict[str, list[SeenRecord]]:
    """By key, the records that hubs of accounts in use still list, each with the run that last saw it."""
    found: dict[str, list[SeenRecord]] = defaultdict(list)
    for row in transaction.fetch_in_as(
        SeenRecord,
        "SELECT h.access_key, h.account_id, coalesce(r.finished_at, r.started_at) AS seen_at FROM hub_document h"
        " JOIN account a ON a.id = h.account_id AND a.removed_at IS NULL LEFT JOIN run r ON r.id = h.last_run_id"
        " WHERE h.gone_since IS NULL AND h.access_key IN {}",
        keys,
    ):
        found[row.access_key].append(row)
    return found


def event_verdicts(transaction: Transaction, keys: Collection[str]) -> tuple[EventVerdict, ...]:
    """The current events of these documents that came as bytes of their own."""
    return tuple(transaction.fetch_in_as(EventVerdict, _EVENT_VERDICTS.format("e.access_key"), keys))


def event_verdicts_by_id(transaction: Transaction, ids: Collection[int]) -> tuple[EventVerdict, ...]:
    """These events, as `event_verdicts`."""
    return tuple(transaction.fetch_in_as(EventVerdict, _EVENT_VERDICTS.format("e.id"), ids))


def missing_targets(
    transaction: Transaction, keys: Collection[str], kinds: Collection[str]
) -> tuple[MissingTarget, ...]:
    """What these documents refer to, in one of these ways, and the archive does not hold."""
    wanted = frozenset(kinds)
    return tuple(
        target
        for target in transaction.fetch_in_as(
            MissingTarget,
            "SELECT r.source_key, r.target_key, r.kind FROM relation r WHERE NOT EXISTS"
            " (SELECT 1 FROM document d WHERE d.access_key = r.target_key) AND r.source_key IN {}",
            keys,
        )
        if target.kind in wanted
    )


def first_month(transaction: Transaction, company: str) -> str | None:
    """The month (`YYYY-MM`) of the oldest document of `company` that has a date."""
    day: str | None = transaction.scalar(
        "SELECT min(issued_on) FROM belonging WHERE tax_id = ? AND issued_on > ''", (company,)
    )
    return None if day is None else day[:7]


def unreadable_files(transaction: Transaction) -> int:
    """How many contents cannot be read that no hub's list led to: imported files, of whatever company and month."""
    return int(
        transaction.scalar(
            "SELECT count(*) FROM content c WHERE c.problem IS NOT NULL"
            " AND NOT EXISTS (SELECT 1 FROM download w WHERE w.content_id = c.id)"
        )
    )
