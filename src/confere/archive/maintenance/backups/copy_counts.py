"""How many of each kind a copy of the archive holds, by month: what tells a copy that holds more than a newer one.

A count by month alone tells a loss that new documents outnumber. The month is one that no later reading or answer
changes: that in the access key, of the first run that brought an order, of the act itself. No count names anybody.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final, NamedTuple

from confere.archive import database_words
from confere.archive.accounts import audit_chain
from confere.archive.closing.act_texts import ERASED
from confere.archive.reconciliation.decisions import LINKING, SETTLING
from confere.archive.reconciliation.reviews import ASSIGN

ON_FINDINGS: Final = (*SETTLING, "note", ASSIGN)
"""The acts that are a person's word on findings."""


class LossKind(StrEnum):
    """What is counted, in the order in which it is said: first what no sync brings back."""

    DECISIONS = "decisions"  # words of a person on findings, and who is to settle them
    LINKS = "links"  # words of a person on what belongs together
    CLOSINGS = "closings"  # of months, and reopenings
    SIGN_OFFS = "sign_offs"  # that stand
    TAGS = "tags"
    TAGGED = "tagged"  # documents that bear a tag
    SEARCHES = "searches"  # saved ones, new or changed
    ACCOUNTS = "accounts"
    DOCUMENTS = "documents"
    EVENTS = "events"
    ORDERS = "orders"


Counts = Mapping[str, Mapping[str, int]]
"""By the kind (`LossKind`) and the month, `YYYY-MM`; an empty month is that of what has none."""

_BY_KEY: Final = (
    "SELECT CASE WHEN substr(access_key, 3, 4) GLOB '[0-9][0-9][0-9][0-9]'"
    " THEN '20' || substr(access_key, 3, 2) || '-' || substr(access_key, 5, 2) ELSE '' END, count(*)"
    " FROM {table} WHERE is_current = 1 GROUP BY 1"
)
_BY_ACT: Final = (
    "SELECT substr(a.at, 1, 7), count(*) FROM {table} x JOIN act a ON a.id = x.act_id WHERE a.kind IN {kinds!r}"
    " GROUP BY 1"
)
_BY_MOMENT: Final = "SELECT substr({column}, 1, 7), count(*) FROM {table} GROUP BY 1"
GUARDED: Final[Mapping[LossKind, str]] = {
    LossKind.DOCUMENTS: _BY_KEY.format(table="document"),
    LossKind.EVENTS: _BY_KEY.format(table="event"),
    LossKind.ORDERS: (
        "SELECT substr(r.started_at, 1, 7), count(*) FROM sales_order o LEFT JOIN run r ON r.id = o.first_run_id"
        " GROUP BY 1"
    ),
    LossKind.DECISIONS: _BY_ACT.format(table="finding_act", kinds=ON_FINDINGS),
    LossKind.LINKS: _BY_ACT.format(table="decision", kinds=LINKING),
    LossKind.CLOSINGS: _BY_MOMENT.format(table="closing", column="at"),
    LossKind.SIGN_OFFS: _BY_MOMENT.format(table="signoff", column="at"),
    LossKind.ACCOUNTS: _BY_MOMENT.format(table="account", column="created_at"),
}
"""What no command of Confere's lessens: nothing deletes these, and what is taken back, withdrawn or removed keeps its
row. Tags and saved searches, which a person deletes, are not among them."""
_LAST_LINE: Final = (
    "SELECT id, hash FROM audit WHERE action NOT IN (?, ?) AND hash IS NOT NULL ORDER BY id DESC LIMIT 1"
)


@dataclass(frozen=True, slots=True)
class CopyCounts:
    """What a copy holds, and the last line of the audit trail in it: its number, and its hash in hex.

    Lines that the erasure of a person adds to a copy itself are no line of the archive's and do not count.
    """

    counts: Counts = field(default_factory=dict)
    audit_line: int = 0
    audit_head: str | None = None


class Fall(NamedTuple):
    """A kind of which there were more; `month` is empty where all of the kind are counted."""

    kind: str
    month: str
    had: int
    has: int


def count(connection: sqlite3.Connection) -> CopyCounts:
    """Count in the archive or copy that is open; a kind that its older format lacks, or that cannot be read, is left
    out."""
    counts: dict[str, dict[str, int]] = {}
    for kind, sql in GUARDED.items():
        rows = _rows(connection, sql)
        if rows is not None:
            counts[kind.value] = {str(month or ""): int(number) for month, number in rows}
    last = _rows(connection, _LAST_LINE, (audit_chain.TEXT_ERASED, ERASED))
    if not last or not isinstance(last[0][1], bytes):
        return CopyCounts(counts)
    return CopyCounts(counts, int(last[0][0]), last[0][1].hex())


def total(counts: Counts, kind: str) -> int:
    """All of a kind."""
    return sum(counts.get(kind, {}).values())


def falls(older: Counts, newer: Counts) -> tuple[Fall, ...]:
    """Of what `older` holds more: by month, and as a whole where no month tells it. Kinds that one of them did not
    count are left out."""
    found: list[Fall] = []
    for kind in (kind.value for kind in GUARDED):
        if kind not in older or kind not in newer:
            continue
        had, has = older[kind], newer[kind]
        months = [Fall(kind, month, had[month], has.get(month, 0)) for month in sorted(had) if month]
        fallen = [fall for fall in months if fall.had > fall.has]
        if not fallen and total(older, kind) > total(newer, kind):
            fallen = [Fall(kind, "", total(older, kind), total(newer, kind))]
        found += fallen
    return tuple(found)


def highest(one: Counts, other: Counts) -> Counts:
    """Of each kind and month the greater number."""
    return {
        kind: {
            month: max(one.get(kind, {}).get(month, 0), other.get(kind, {}).get(month, 0))
            for month in {**one.get(kind, {}), **other.get(kind, {})}
        }
        for kind in {**one, **other}
    }


def _rows(
    connection: sqlite3.Connection, sql: str, parameters: tuple[object, ...] = ()
) -> list[tuple[Any, Any]] | None:
    try:
        return connection.execute(sql, parameters).fetchall()
    except sqlite3.DatabaseError as error:
        if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_INTERRUPT:
            raise
        database_words.why(error)  # its words go to the log
        return None
