"""Sums over the archive: documents by day and kind, the state of accounts, what was handed over, how much there is."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from confere.archive.archive_counts import ArchiveCounts
from confere.archive.documents.documents import prepared
from confere.archive.documents.search.document_search import DocumentQuery
from confere.archive.documents.search.sort_orders import OURS
from confere.archive.list_selection import whole
from confere.archive.transaction import Row, Transaction
from confere.fiscal.model import VOID

_VOID = ",".join(f"'{state}'" for state in sorted(VOID))
# As `fiscal.direction` has it: one's own emission follows `tpNF`, what others emit is in.
_DIRECTION = (
    "CASE WHEN d.emitter_id IN {own} THEN CASE d.direction WHEN '0' THEN 'in' ELSE 'out' END"
    " WHEN d.recipient_id IN {own} OR d.taker_id IN {own} THEN 'in'"
    " ELSE CASE d.direction WHEN '0' THEN 'in' WHEN '1' THEN 'out' END END"
)
_MOST_EXPORTS = 5000


@dataclass(frozen=True, slots=True)
class ModelTally:
    """How many current documents of one kind, and their worth in centavos.

    `when` is a day or a month, empty for documents without a date. `direction` is `in`, `out` or empty.
    """

    when: str
    type: str
    direction: str
    void: bool
    count: int
    worth: int


@dataclass(frozen=True, slots=True)
class SyncEnd:
    """How a sync ended; `at` is UTC text."""

    at: str
    outcome: str


@dataclass(frozen=True, slots=True)
class Queue:
    """The open downloads of an account, in any month."""

    waiting: int
    failed: int


@dataclass(frozen=True, slots=True)
class Exported:
    """A package of a month that was written; `at` is UTC text, `profile` says what went into it.

    `is_new`: XML was written. Without any, or where the same package stood there already, nothing left the house.
    """

    company: str
    month: str
    at: str
    profile: str = ""
    is_new: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Holdings(ArchiveCounts):
    """What the archive keeps. `versions` are documents that are not shown, another one of their key being current.

    Days are `YYYY-MM-DD` of issue, None where nothing has one; `began_at` is the UTC text of the first run.
    """

    versions: int
    first_day: str | None
    last_day: str | None
    began_at: str | None


NOTHING = Holdings(
    documents=0,
    events=0,
    contents=0,
    raw_bytes=0,
    unreadable=0,
    versions=0,
    first_day=None,
    last_day=None,
    began_at=None,
)


def tallies(
    transaction: Transaction, company: str | None, from_day: str | None, to_day: str | None
) -> tuple[ModelTally, ...]:
    """The documents of `company`, or all, issued on these days; by day where there are days, by month otherwise.

    Without a company the direction is the one that the establishments of the accounts see.
    """
    sql = prepared(transaction, DocumentQuery(company=company, from_day=from_day, to_day=to_day))
    own = OURS
    values: Row = ()
    if company is not None:
        own, values = "(SELECT id FROM taxpayer WHERE tax_id = ?)", (company, company, company)
    when = "substr(d.issued_on, 1, 7)" if from_day is None else "d.issued_on"
    rows = transaction.named(
        f"SELECT coalesce({when}, '') AS day, d.type, coalesce({_DIRECTION.format(own=own)}, '') AS direction,"
        f" d.state IN ({_VOID}) AS void, count(*) AS documents, sum(d.total >> 32) AS high,"
        f" sum(d.total & 4294967295) AS low {sql.source} GROUP BY 1, 2, 3, 4",
        (*values, *sql.parameters),
    )
    return tuple(
        ModelTally(row.day, row.type, row.direction, bool(row.void), row.documents, whole(row.high, row.low))
        for row in rows
    )


def account_names(transaction: Transaction) -> dict[int, str]:
    """The names of all accounts, those that were removed too, by their id."""
    return dict(transaction.fetch("SELECT id, name FROM account"))


def with_documents(transaction: Transaction, companies: Iterable[str], month: str) -> tuple[str, ...]:
    """Those of `companies` that have documents in `month` (`YYYY-MM`)."""
    return tuple(
        company
        for company in companies
        if transaction.first(
            "SELECT 1 FROM belonging WHERE tax_id = ? AND issued_on BETWEEN ? AND ? LIMIT 1",
            (company, f"{month}-01", f"{month}-31"),
        )
    )


def documents_of(
    transaction: Transaction, companies: Collection[str], first_day: str | None, last_day: str | None
) -> dict[str, int]:
    """How many documents each of these companies has, issued on these days (`YYYY-MM-DD`) or ever."""
    days = "" if first_day is None else f" AND issued_on BETWEEN '{first_day}' AND '{last_day}'"
    return dict(
        transaction.fetch_in(
            f"SELECT tax_id, count(*) FROM belonging WHERE tax_id IN {{}}{days} GROUP BY tax_id", companies
        )
    )


def last_sync(transaction: Transaction, account_id: int) -> SyncEnd | None:
    """The newest sync of the account that came to an end; one that only tried downloads again listed nothing."""
    return transaction.first_as(
        SyncEnd,
        "SELECT finished_at AS at, outcome FROM run WHERE kind = 'sync' AND account_id = ? AND finished_at IS NOT NULL"
        " AND NOT coalesce(json_extract(parameters, '$.only_failed'), 0) ORDER BY id DESC LIMIT 1",
        (account_id,),
    )


def last_whole_sync(transaction: Transaction, account_id: int) -> str | None:
    """When the newest sync ended that listed to its end, some downloads may have failed; UTC text."""
    moment = transaction.scalar(
        "SELECT max(finished_at) FROM run WHERE kind = 'sync' AND account_id = ? AND outcome IN ('done', 'partial')"
        " AND NOT coalesce(json_extract(parameters, '$.only_failed'), 0)",
        (account_id,),
    )
    return None if moment is None else str(moment)


def queue(transaction: Transaction, account_id: int) -> Queue:
    """What is still to be downloaded for this account."""
    waiting, failed = transaction.fetch(
        "SELECT coalesce(sum(state = 'waiting'), 0), coalesce(sum(state = 'failed'), 0) FROM download"
        " WHERE account_id = ? AND state != 'done'",
        (account_id,),
    )[0]
    return Queue(waiting, failed)


def open_windows(transaction: Transaction, account_id: int) -> int:
    """Listings of this account that have not come to their end."""
    return int(
        transaction.scalar("SELECT count(*) FROM coverage WHERE account_id = ? AND finished_at IS NULL", (account_id,))
    )


def exports(transaction: Transaction) -> tuple[Exported, ...]:
    """The packages that were written, the newest first."""
    rows = transaction.fetch(
        "SELECT parameters, finished_at, counts FROM run WHERE kind = 'export' AND outcome IN ('done', 'partial')"
        " ORDER BY id DESC LIMIT ?",
        (_MOST_EXPORTS,),
    )
    found = ((json.loads(parameters), at, json.loads(counts or "{}")) for parameters, at, counts in rows)
    return tuple(
        Exported(
            str(of.get("company", "")),
            str(of.get("month", "")),
            at,
            str(of.get("profile", "")),
            is_new=bool(counts.get("xml", True)) and not counts.get("identical"),
        )
        for of, at, counts in found
    )


def holdings(transaction: Transaction) -> Holdings:
    """How much there is; the sizes cost a walk over all contents."""
    documents = count_documents(transaction)
    contents, raw = transaction.fetch("SELECT count(*), coalesce(sum(size), 0) FROM content")[0]
    first, last = transaction.fetch(
        "SELECT (SELECT min(issued_on) FROM document WHERE is_current = 1 AND issued_on > ''),"
        " (SELECT max(issued_on) FROM document WHERE is_current = 1 AND issued_on > '')"
    )[0]
    return Holdings(
        documents=documents,
        versions=int(transaction.scalar("SELECT count(*) FROM document")) - documents,
        events=int(transaction.scalar("SELECT count(*) FROM event WHERE is_current = 1")),
        contents=contents,
        raw_bytes=raw,
        unreadable=count_unreadable(transaction),
        first_day=first,
        last_day=last,
        began_at=began_at(transaction),
    )


def count_documents(transaction: Transaction) -> int:
    """Current documents."""
    return int(transaction.scalar("SELECT count(*) FROM document WHERE is_current = 1"))


def count_unreadable(transaction: Transaction) -> int:
    """Contents that were kept and cannot be read."""
    return int(transaction.scalar("SELECT count(*) FROM content WHERE problem IS NOT NULL"))


def created_at(transaction: Transaction) -> str | None:
    """When the archive was made, as UTC text; None for one of before that was noted."""
    made = transaction.scalar("SELECT value FROM info WHERE name = 'created_at'")
    return None if made is None else str(made)


def began_at(transaction: Transaction) -> str | None:
    """When anything was first done here, as UTC text."""
    started = transaction.scalar("SELECT started_at FROM run ORDER BY id LIMIT 1")
    return None if started is None else str(started)
