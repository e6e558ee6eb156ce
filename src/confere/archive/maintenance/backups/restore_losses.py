"""Counts what an archive holds and a backup of it does not: what is lost where the backup takes its place.

Both files are only read. What is compared has an identity that no restore or rebuild changes: the SHA-256 of a
content, the hash of a closing, a hub's id, the time and kind of an act.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final, NamedTuple

from confere.archive import database_words
from confere.archive.driver import hardened
from confere.archive.file_uri import file_uri
from confere.archive.maintenance.backups import backup_check
from confere.archive.maintenance.backups.backup_check import OnStep
from confere.archive.maintenance.backups.copy_counts import ON_FINDINGS
from confere.archive.maintenance.backups.copy_counts import LossKind as LossKind
from confere.archive.reconciliation.decisions import LINKING

_NEEDED: Final = ("info", "document")  # tables of every archive


FETCHED: Final = frozenset({LossKind.DOCUMENTS, LossKind.EVENTS, LossKind.ORDERS})
"""What a sync brings again, where a hub has it."""


class Loss(NamedTuple):
    """How many of a kind; None where that could not be read. `newest` is UTC text, when the newest came or was made."""

    kind: LossKind
    number: int | None
    newest: str | None = None


class _Comparison(NamedTuple):
    """How one kind is counted: rows of `source` under `condition`, without those that `known` finds in the backup.

    `tables` are those it reads: of older formats some are missing, and then there is nothing of the kind. In the backup
    they are called `known_…`.
    """

    tables: tuple[str, ...]
    newest: str
    source: str
    condition: str
    known: str


# When what a content holds came: its first arrival.
_ARRIVED: Final = (
    "(SELECT min(r.started_at) FROM arrival a JOIN run r ON r.id = a.run_id WHERE a.content_id = x.content_id)"
)
_SAME_CONTENT: Final = (
    "SELECT 1 FROM known_content c CROSS JOIN known_{table} d ON d.content_id = c.id AND d.position = x.position"
    " WHERE c.digest_head = own.digest_head AND c.digest = own.digest"
)


def _read_of(table: str) -> _Comparison:
    """What was read of contents: a document or an event is the same where its content and its place in it are."""
    return _Comparison(
        (table, "content", "arrival", "run"),
        _ARRIVED,
        f"{table} x JOIN content own ON own.id = x.content_id",
        "x.is_current = 1",
        _SAME_CONTENT.format(table=table),
    )


def _said_by(table: str, kinds: tuple[str, ...]) -> _Comparison:
    """Words of acts of these kinds. An act that is taken back counts where it stands in the backup, and comes back."""
    same = "SELECT 1 FROM known_act k WHERE k.id = a.id AND k.at = a.at AND k.kind = a.kind"
    return _Comparison(
        (table, "act"),
        "coalesce(a.undone_at, a.at)",
        f"{table} x JOIN act a ON a.id = x.act_id",
        f"a.kind IN {kinds!r} AND (a.undone_at IS NULL OR EXISTS ({same} AND k.undone_at IS NULL))",
        f"{same} AND (k.undone_at IS NULL) = (a.undone_at IS NULL)",
    )


_COMPARISONS: Final = {
    LossKind.DECISIONS: _said_by("finding_act", ON_FINDINGS),
    LossKind.LINKS: _said_by("decision", LINKING),
    LossKind.CLOSINGS: _Comparison(
        ("closing",), "x.at", "closing x", "1", "SELECT 1 FROM known_closing k WHERE k.head = x.head"
    ),
    LossKind.SIGN_OFFS: _Comparison(
        ("signoff",),
        "x.at",
        "signoff x",
        "x.withdrawn_at IS NULL",
        "SELECT 1 FROM known_signoff k WHERE k.month = x.month AND k.company = x.company AND k.at = x.at"
        " AND k.reviewer = x.reviewer AND k.withdrawn_at IS NULL",
    ),
    LossKind.TAGS: _Comparison(
        ("tag",), "x.created_at", "tag x", "1", "SELECT 1 FROM known_tag k WHERE k.folded = x.folded"
    ),
    LossKind.TAGGED: _Comparison(
        ("document_tag", "tag", "content"),
        "x.tagged_at",
        "document_tag x JOIN tag t ON t.id = x.tag_id JOIN content own ON own.id = x.content_id",
        "1",
        "SELECT 1 FROM known_tag k CROSS JOIN known_content c CROSS JOIN known_document_tag d"
        " ON d.tag_id = k.id AND d.content_id = c.id AND d.position = x.position"
        " WHERE k.folded = t.folded AND c.digest_head = own.digest_head AND c.digest = own.digest",
    ),
    LossKind.SEARCHES: _Comparison(
        ("saved_search",),
        "x.created_at",
        "saved_search x",
        "1",
        "SELECT 1 FROM known_saved_search k WHERE k.folded = x.folded AND k.words = x.words AND k.filters = x.filters",
    ),
    LossKind.ACCOUNTS: _Comparison(
        ("account",),
        "x.created_at",
        "account x",
        "x.removed_at IS NULL",
        "SELECT 1 FROM known_account k WHERE k.name = x.name AND k.removed_at IS NULL",
    ),
    LossKind.DOCUMENTS: _read_of("document"),
    LossKind.EVENTS: _read_of("event"),
    LossKind.ORDERS: _Comparison(
        ("sales_order", "account", "run"),
        "(SELECT r.started_at FROM run r WHERE r.id = x.first_run_id)",
        "sales_order x JOIN account a ON a.id = x.account_id",
        "1",
        "SELECT 1 FROM known_account k CROSS JOIN known_sales_order o ON o.account_id = k.id"
        " WHERE k.name = a.name AND o.hub_id = x.hub_id",
    ),
}


def losses(present: Path, backup: Path, *, on_step: OnStep | None = None) -> tuple[Loss, ...] | None:
    """What the archive `present` holds and the whole backup does not, kind by kind, also where that is nothing.

    None where nothing of the archive can be read, or it is none of Confere's. Raises what `on_step` raises.
    """
    try:
        with (
            closing(hardened(sqlite3.connect(f"{file_uri(present)}?mode=ro", uri=True))) as connection,
            backup_check.stoppable(connection, on_step),
        ):
            connection.execute("ATTACH ? AS copy", (backup_check.copy_uri(backup),))
            ours = _tables(connection, "main")
            if not ours.issuperset(_NEEDED):
                return None
            _name_backup(connection, ours)
            counted = tuple(_count(connection, ours, kind, comparison) for kind, comparison in _COMPARISONS.items())
            return None if all(loss.number is None for loss in counted) else counted
    except (sqlite3.Error, UnicodeDecodeError) as error:
        database_words.why(error)
        return None


def _name_backup(connection: sqlite3.Connection, ours: set[str]) -> None:
    """Call the tables of the backup `known_…`; one that its older format lacks is empty."""
    theirs = _tables(connection, "copy")
    connection.execute("PRAGMA temp_store = MEMORY")
    for table in {table for comparison in _COMPARISONS.values() for table in comparison.tables} & ours:
        rows = f"copy.{table}" if table in theirs else f"main.{table} WHERE 0"
        connection.execute(f"CREATE TEMP VIEW known_{table} AS SELECT * FROM {rows}")


def _count(connection: sqlite3.Connection, ours: set[str], kind: LossKind, comparison: _Comparison) -> Loss:
    if not ours.issuperset(comparison.tables):
        return Loss(kind, 0)
    sql = (
        f"SELECT count(*), max({comparison.newest}) FROM {comparison.source}"
        f" WHERE {comparison.condition} AND NOT EXISTS ({comparison.known})"
    )
    try:
        number, newest = connection.execute(sql).fetchone()
    except sqlite3.DatabaseError as error:
        if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_INTERRUPT:
            raise
        database_words.why(error)  # its words go to the log
        return Loss(kind, None)
    return Loss(kind, int(number), newest)


def _tables(connection: sqlite3.Connection, schema: str) -> set[str]:
    return {name for (name,) in connection.execute(f"SELECT name FROM {schema}.sqlite_master WHERE type = 'table'")}
