"""What the archive knows of its own completeness: months, companies, and what was listed but is not here.

Whose document a listed one is can only be told from its key, which names the emitter. So what another establishment
of the same account emitted is left out, and what a third party emitted counts for each of them: it may be theirs.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from confere.archive import message_encoding
from confere.archive.transaction import Row, Transaction
from confere.archive.vault import missing_contents
from confere.errors import Message
from confere.fiscal import periods

DETAIL_KIND = "detail"
"""Kind of a download that is no XML: the record itself has to be asked for its items."""
_KEY = 44
_MONTH: Final = re.compile("[0-9]{4}-(?:0[1-9]|1[0-2])")

# A hub's words for the file that is the document itself, and not an event of it.
_AUTHORIZATIONS = "('AUTHORIZATION','AUTHORIZED','AUTORIZACAO','AUTORIZADA','AUTORIZADO')"

# Whether the archive has, from elsewhere, the very document that entry `w` of the queue was to bring. The entry has
# to say that it is the authorization or, where it says nothing of the kind, has to be the only file of its record:
# any other may be an event, which no document stands in for. A document without its protocol is not that one.
_CAME_ELSEWHERE = (
    "(EXISTS (SELECT 1 FROM document d WHERE d.access_key = h.access_key AND d.is_current = 1"
    " AND d.cstat IS NOT NULL AND d.state != 'rejected')"
    f" AND (coalesce(w.kind, '') COLLATE NOCASE IN {_AUTHORIZATIONS}"
    " OR coalesce(w.kind, h.type, '') = coalesce(h.type, '') COLLATE NOCASE"
    " AND NOT EXISTS (SELECT 1 FROM download o WHERE o.hub_document_id = w.hub_document_id AND o.id != w.id"
    f" AND (o.kind IS NOT '{DETAIL_KIND}' OR o.state != 'done'))))"
)

_UNREADABLE = "w.content_id IN (SELECT id FROM content WHERE problem IS NOT NULL)"
# What is to be downloaded of an account.
_OPEN: Final = (
    "FROM download w JOIN hub_document h ON h.id = w.hub_document_id WHERE w.account_id = ? AND w.state != 'done'"
    f" AND (w.content_id IS NULL OR NOT {_UNREADABLE}) AND NOT {_CAME_ELSEWHERE}"
)


class Lack(StrEnum):
    """Why a listed document is not in the archive: three different words."""

    NOT_DOWNLOADED = "not_downloaded"  # queued, or failed and queued again with nothing to show for it
    NOT_OFFERED = "not_offered"  # listed, but the hub named no file for it
    UNREADABLE = "unreadable"  # here as received, and cannot be read; a sync may still be asking for it


@dataclass(frozen=True, slots=True)
class LackingDocument:
    """One of them. `name` is its access key or, without one, the hub's id or the download's."""

    name: str
    reason: Message | None


@dataclass(frozen=True, slots=True)
class Lacking:
    """How many documents lack for this reason, and the first of them; of those to download, how many were tried."""

    lack: Lack
    count: int
    first: tuple[LackingDocument, ...]
    failed: int = 0


@dataclass(frozen=True, slots=True)
class ListedMonth:
    """The part of the hub's list that a question is about. Times are UTC text as the archive writes it.

    `others` are the account's further establishments: what they emitted is not this company's. `records` are the
    account's records of the month, where somebody read them already (`records_of_month`).
    """

    account_id: int
    month: str  # YYYY-MM
    from_at: str
    to_at: str
    others: tuple[str, ...] = ()
    records: tuple[int, ...] | None = None

    @property
    def condition(self) -> str:
        """SQL: whether the record `h` is of the month, by its key or, without one, by the record's time."""
        return _OF_MONTH if self.records is None else _OF_RECORDS

    @property
    def values(self) -> dict[str, str]:
        """What `condition` names."""
        if self.records is not None:
            return {"records": json.dumps(self.records)}
        return {"year_month": _year_month(self), "from_at": self.from_at, "to_at": self.to_at}


_OF_RECORDS: Final = "h.id IN (SELECT value FROM json_each(:records))"
_OF_MONTH: Final = (
    "h.id IN (SELECT id FROM hub_document WHERE substr(access_key, 3, 4) = :year_month"
    f" OR coalesce(length(access_key), 0) != {_KEY})"
    f" AND (length(h.access_key) = {_KEY} OR h.created_at BETWEEN :from_at AND :to_at)"
)


@dataclass(frozen=True, slots=True)
class ListedEver:
    """Everything that the account's hub listed; see `ListedMonth`."""

    account_id: int
    others: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MonthCount:
    """A month (`YYYY-MM`) and how many current documents a company has in it."""

    month: str
    documents: int


def months_of(transaction: Transaction, company: str) -> tuple[MonthCount, ...]:
    """The months in which `company` has documents, oldest first; documents without a date are in none."""
    return tuple(
        transaction.fetch_as(
            MonthCount,
            "SELECT substr(issued_on, 1, 7) AS month, count(*) AS documents FROM belonging"
            " WHERE tax_id = ? AND issued_on > ''"
            " GROUP BY 1 ORDER BY 1",
            (company,),
        )
    )


def months_waiting(transaction: Transaction, company: str | None) -> dict[str, int]:
    """By month (`YYYY-MM`), how many listed files, of documents and events, are not downloaded yet, failed ones too.

    As `lacking` counts them: not those whose document came from elsewhere, nor what is here and cannot be read.
    The month is that of the key or, without one, of the hub's record, in Brasília. `company`: of the accounts that may
    hold its documents, without what other establishments of them emitted; None for all.
    """
    owned = (
        " AND (:company IS NULL OR (NOT EXISTS (SELECT 1 FROM establishment e WHERE e.account_id = a.id)"
        " OR EXISTS (SELECT 1 FROM establishment e WHERE e.account_id = a.id AND e.tax_id = :company))"
        f" AND (coalesce(length(h.access_key), 0) != {_KEY} OR substr(h.access_key, 7, 14) NOT IN"
        " (SELECT substr('00000000000000' || e.tax_id, -14)"
        " FROM establishment e WHERE e.account_id = a.id AND e.tax_id != :company)))"
    )
    counts: Counter[str] = Counter()
    for month, hour, count in transaction.fetch(
        f"SELECT CASE WHEN length(h.access_key) = {_KEY}"
        " THEN '20' || substr(h.access_key, 3, 2) || '-' || substr(h.access_key, 5, 2) END AS month,"
        f" CASE WHEN length(h.access_key) = {_KEY} THEN NULL ELSE substr(h.created_at, 1, 13) END AS hour,"
        " count(*)"
        " FROM download w JOIN hub_document h ON h.id = w.hub_document_id JOIN account a ON a.id = w.account_id"
        f" WHERE w.state != 'done' AND a.removed_at IS NULL AND (w.content_id IS NULL OR NOT {_UNREADABLE})"
        f" AND NOT {_CAME_ELSEWHERE}{owned} GROUP BY 1, 2",
        {"company": company},
    ):
        if month is None:
            at = periods.in_brasilia(f"{hour}:00:00+00:00")  # of Brasília's offsets all are whole hours
            month = None if at is None else f"{at.year:04d}-{at.month:02d}"
        if month is not None and _MONTH.fullmatch(month):
            counts[month] += count
    return dict(counts)


def undated(transaction: Transaction, company: str) -> int:
    """How many documents of `company` have no date that can be read, so that no month has them."""
    return int(transaction.scalar("SELECT count(*) FROM belonging WHERE tax_id = ? AND issued_on = ''", (company,)))


def companies(transaction: Transaction) -> tuple[str, ...]:
    """The establishments of the accounts in use; where there are none, everybody who emitted a document."""
    tax_ids = transaction.column(
        "SELECT DISTINCT e.tax_id FROM establishment e JOIN account a ON a.id = e.account_id"
        " WHERE a.removed_at IS NULL ORDER BY e.tax_id"
    ) or transaction.column(
        "SELECT DISTINCT tax_id FROM taxpayer WHERE tax_id IS NOT NULL"
        " AND id IN (SELECT emitter_id FROM document WHERE is_current = 1) ORDER BY 1"
    )
    return tuple(tax_ids)


def newest_hub_moment(transaction: Transaction) -> str | None:
    """The latest time (UTC text) that a hub spoke of or was listed up to: what "now" is for its documents."""
    times = (
        transaction.scalar("SELECT max(to_at) FROM coverage WHERE finished_at IS NOT NULL"),
        transaction.scalar("SELECT max(max(coalesce(created_at, ''), coalesce(updated_at, ''))) FROM hub_document"),
    )
    return max((moment for moment in times if moment), default=None)


def not_downloaded(transaction: Transaction, account_id: int) -> int:
    """How many files of the account are to be downloaded, in any month: as `lacking` counts them."""
    return int(transaction.scalar(f"SELECT count(*) {_OPEN}", (account_id,)))


def lacking(transaction: Transaction, listed: ListedMonth | ListedEver, limit: int = 100) -> tuple[Lacking, ...]:
    """What the account's hub listed and the archive lacks; `limit` bounds the names only.

    A file that the hub does not give whole does not lack where its document came from elsewhere.
    """
    of_month, values = _asked(listed)
    open_ones = f"{_OPEN} AND {of_month}"
    # The key's index alone answers the inner question; the account is asked only of what is in the month.
    inner = "1"
    inner_values: Row = ()
    if isinstance(listed, ListedMonth):
        inner = f"substr(access_key, 3, 4) = ? OR coalesce(length(access_key), 0) != {_KEY}"
        inner_values = (_year_month(listed),)
        if listed.records is not None:
            inner, inner_values = "id IN (SELECT value FROM json_each(?))", (json.dumps(listed.records),)
    unoffered = (
        f"FROM hub_document h WHERE h.id IN (SELECT id FROM hub_document WHERE {inner})"
        f" AND +h.account_id = ? AND {of_month}"
        " AND NOT EXISTS (SELECT 1 FROM document d WHERE d.access_key = h.access_key)"
        " AND NOT EXISTS (SELECT 1 FROM download w LEFT JOIN content c ON c.id = w.content_id"
        " WHERE w.hub_document_id = h.id AND (w.state != 'done' OR c.problem IS NOT NULL"
        # Of a record without a key nobody can tell which of its files is the document: any will do.
        f" OR w.content_id IS NOT NULL AND coalesce(length(h.access_key), 0) != {_KEY}"
        " OR EXISTS (SELECT 1 FROM document d WHERE d.content_id = w.content_id)))"
    )
    unreadable = (
        "FROM download w JOIN hub_document h ON h.id = w.hub_document_id WHERE w.account_id = ?"
        f" AND {_UNREADABLE} AND {of_month} AND NOT {_CAME_ELSEWHERE}"
    )
    queued = (listed.account_id, *values)
    found = (
        _lacking(
            transaction,
            Lack.NOT_DOWNLOADED,
            "coalesce(h.access_key, h.hub_id, w.item_id), w.reason",
            open_ones,
            queued,
            "w.id",
            limit,
            failed="coalesce(sum(w.state = 'failed'), 0)",
        ),
        _lacking(
            transaction,
            Lack.NOT_OFFERED,
            "coalesce(h.access_key, h.hub_id, h.identity), NULL",
            unoffered,
            (*inner_values, listed.account_id, *values),
            "h.id",
            limit,
        ),
        _lacking(
            transaction,
            Lack.UNREADABLE,
            "coalesce(h.access_key, h.hub_id, w.item_id), (SELECT problem FROM content WHERE id = w.content_id)",
            unreadable,
            queued,
            "w.id",
            limit,
        ),
    )
    return tuple(entry for entry in found if entry.count)


def records_of_month(transaction: Transaction, month: str, from_at: str, to_at: str) -> dict[int, tuple[int, ...]]:
    """By account, the numbers of the records of a month (`YYYY-MM`, from the first to the last instant in UTC text).

    One walk over the index of keys, for whoever asks of several accounts.
    """
    records: dict[int, list[int]] = defaultdict(list)
    listed = ListedMonth(0, month, from_at, to_at)
    for account_id, number in transaction.fetch(
        f"SELECT h.account_id, h.id FROM hub_document h WHERE {listed.condition} ORDER BY h.id", listed.values
    ):
        records[account_id].append(number)
    return {account_id: tuple(numbers) for account_id, numbers in records.items()}


def bytes_missing(
    transaction: Transaction,
    company: str,
    first_day: str,
    last_day: str,
    damaged: Collection[int] = (),
    absent: Collection[int] | None = None,
) -> tuple[str, ...]:
    """Keys of the documents of `company` issued in these days whose bytes, or an event's of them, are gone or damaged.

    Of events of these days on documents of earlier ones too. Without a key, the type and number. `damaged` are
    contents that were found to be so just now; `absent` what `missing_contents.broken` said, for whoever asks of
    several companies.
    """
    broken = sorted({*(missing_contents.broken(transaction) if absent is None else absent), *damaged})
    if not broken:
        return ()
    owned = (
        "d.is_current = 1 AND (EXISTS (SELECT 1 FROM belonging b WHERE b.tax_id = ? AND b.issued_on = d.issued_on"
        " AND b.document_id = d.id) OR substr(d.access_key, 7, 14) = ?)"
    )
    listed = json.dumps(broken)
    owner = (company, company.zfill(14))
    rows = transaction.column(
        "SELECT coalesce(d.access_key, d.type || ' ' || coalesce(d.number, d.id)) FROM document d"
        f" WHERE d.content_id IN (SELECT value FROM json_each(?)) AND {owned} AND d.issued_on BETWEEN ? AND ?"
        " UNION SELECT d.access_key FROM event e CROSS JOIN document d ON d.access_key = e.access_key"
        " WHERE e.content_id IN (SELECT value FROM json_each(?)) AND e.is_current = 1 AND e.embedded = 0"
        f" AND {owned} AND (d.issued_on BETWEEN ? AND ? OR substr(coalesce(e.occurred_at, e.registered_at), 1, 10)"
        " BETWEEN ? AND ?) ORDER BY 1",
        (listed, *owner, first_day, last_day, listed, *owner, first_day, last_day, first_day, last_day),
    )
    return tuple(rows)


def not_belonging(transaction: Transaction, company: str, first_day: str, last_day: str) -> tuple[str, ...]:
    """Keys of documents of these days that are the company's by their own fields and that its list does not have.

    By their key's emitter, their parties, or a voiding's emitter. Without a key, the type and number.
    """
    ids = transaction.column(
        "SELECT coalesce(d.access_key, d.type || ' ' || coalesce(d.number, d.id)) FROM document d"
        # First what nearly every document fails by, and what an index tells without the document's row.
        " WHERE d.is_current = 1 AND d.issued_on BETWEEN :first AND :last"
        " AND NOT EXISTS (SELECT 1 FROM belonging b WHERE b.tax_id = :company AND b.issued_on = d.issued_on"
        " AND b.document_id = d.id) AND (substr(d.access_key, 7, 14) = :padded"
        " OR d.emitter_id IN (SELECT id FROM taxpayer WHERE tax_id = :company)"
        " OR d.recipient_id IN (SELECT id FROM taxpayer WHERE tax_id = :company)"
        " OR d.taker_id IN (SELECT id FROM taxpayer WHERE tax_id = :company)"
        " OR EXISTS (SELECT 1 FROM voiding v WHERE v.document_id = d.id AND v.emitter = :company)) ORDER BY 1",
        {"company": company, "padded": company.zfill(14), "first": first_day, "last": last_day},
    )
    return tuple(ids)


def keys_without_document(transaction: Transaction, company: str, month: str) -> tuple[str, ...]:
    """Keys that `company` emitted in `month` and that only events speak of: their document is not in the archive."""
    rows = transaction.column(
        "SELECT DISTINCT e.access_key FROM event e WHERE substr(e.access_key, 3, 4) = ?"
        " AND substr(e.access_key, 7, 14) = ? AND length(e.access_key) = ?"
        " AND NOT EXISTS (SELECT 1 FROM document d WHERE d.access_key = e.access_key) ORDER BY e.access_key",
        (month[2:4] + month[5:7], company.zfill(14), _KEY),
    )
    return tuple(rows)


def _asked(listed: ListedMonth | ListedEver) -> tuple[str, Row]:
    """The condition on `h` for a month: by its key; where the hub gave none, by the time of its record."""
    others = tuple(tax_id.zfill(14) for tax_id in listed.others)
    emitters = f" AND substr(h.access_key, 7, 14) NOT IN ({','.join('?' * len(others))})" if others else ""
    keyed, keyless = f"length(h.access_key) = {_KEY}", f"coalesce(length(h.access_key), 0) != {_KEY}"
    if isinstance(listed, ListedEver):
        return f"(({keyed}{emitters}) OR {keyless})", others
    condition = (
        f"(({keyed} AND substr(h.access_key, 3, 4) = ?{emitters}) OR ({keyless} AND h.created_at BETWEEN ? AND ?))"
    )
    return condition, (_year_month(listed), *others, listed.from_at, listed.to_at)


def _year_month(listed: ListedMonth) -> str:
    return listed.month[2:4] + listed.month[5:7]


def _lacking(
    transaction: Transaction,
    lack: Lack,
    columns: str,
    source: str,
    values: Row,
    order: str,
    limit: int,
    failed: str = "0",
) -> Lacking:
    count, tried = transaction.fetch(f"SELECT count(*), {failed} {source}", values)[0]
    rows: Sequence[Row] = ()
    if count and limit:
        rows = transaction.fetch(f"SELECT {columns} {source} ORDER BY {order} LIMIT ?", (*values, limit))
    first = tuple(LackingDocument(name, message_encoding.read(reason) if reason else None) for name, reason in rows)
    return Lacking(lack, count, first, tried)
