"""Records of a hub of which no file was understood: named with the reason until a sync or a newer reader reads them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace

from confere.archive import message_encoding
from confere.archive.hub.download_queue import DETAIL_KIND
from confere.archive.named_rows import NamedRow
from confere.archive.transaction import Row, Transaction
from confere.errors import Message, message

_COLUMNS = "h.id, a.name AS account, h.access_key, h.hub_id, h.identity, h.problem"


@dataclass(frozen=True, slots=True)
class FilesNamed:
    """What a record says of its files: how many it names, how many in no way that is understood; and its events.

    `nameless` records have neither an id nor a key, so that nothing more can be asked of them.
    """

    files: int
    unread: int
    events: int
    nameless: bool = False


@dataclass(frozen=True, slots=True)
class UnreadRecord:
    """One of them. `name` is its access key or, without one, the hub's id or its own identity."""

    hub_document_id: int
    account: str
    name: str
    access_key: str | None
    hub_id: str | None
    problem: Message


def judge(transaction: Transaction, records: Mapping[int, FilesNamed]) -> None:
    """Set or clear the problem of these records, by what their newest answer says and what was queued for them."""
    files: dict[int, int] = dict(
        transaction.fetch_in(
            f"SELECT hub_document_id, count(*) FROM download WHERE kind IS NOT '{DETAIL_KIND}'"
            " AND hub_document_id IN {} GROUP BY hub_document_id",
            records,
        )
    )
    refuse(
        transaction,
        {
            number: _problem(replace(record, files=max(record.files, files.get(number, 0))))
            for number, record in records.items()
        },
    )


def refuse(transaction: Transaction, problems: Mapping[int, Message | None]) -> None:
    """Write why these records are not understood; None clears it."""
    wanted = {number: None if why is None else message_encoding.kept(why) for number, why in problems.items()}
    changed: list[Row] = [
        (wanted[number], number)
        for number, before in transaction.fetch_in("SELECT id, problem FROM hub_document WHERE id IN {}", wanted)
        if before != wanted[number]
    ]
    transaction.execute_many("UPDATE hub_document SET problem = ? WHERE id = ?", changed)


def without_files(transaction: Transaction, account_id: int) -> dict[int, str | None]:
    """The account's records of which no file was understood or ever named, with what each is asked for by, if any."""
    return dict(
        transaction.fetch(
            "SELECT h.id, coalesce(h.hub_id, h.access_key) FROM hub_document h WHERE h.account_id = ?"
            " AND (h.problem IS NOT NULL OR NOT EXISTS (SELECT 1 FROM download w WHERE w.hub_document_id = h.id"
            f" AND w.kind IS NOT '{DETAIL_KIND}'))",
            (account_id,),
        )
    )


def count(transaction: Transaction, account_id: int) -> int:
    return int(
        transaction.scalar(
            "SELECT count(*) FROM hub_document WHERE account_id = ? AND problem IS NOT NULL", (account_id,)
        )
    )


def records(transaction: Transaction, account_id: int | None = None, limit: int = 1000) -> tuple[UnreadRecord, ...]:
    """Those of an account, or of all accounts in use; oldest first."""
    condition = "a.removed_at IS NULL" if account_id is None else "h.account_id = ?"
    rows = transaction.named(
        f"SELECT {_COLUMNS} FROM hub_document h"
        f" JOIN account a ON a.id = h.account_id WHERE h.problem IS NOT NULL AND {condition} ORDER BY h.id LIMIT ?",
        (limit,) if account_id is None else (account_id, limit),
    )
    return tuple(map(_record, rows))


def _record(row: NamedRow) -> UnreadRecord:
    name = row.access_key or row.hub_id or row.identity
    return UnreadRecord(row.id, row.account, name, row.access_key, row.hub_id, message_encoding.read(row.problem))


def called(transaction: Transaction, name: str) -> tuple[UnreadRecord, ...]:
    """Those that go by this access key, id or identity."""
    rows = transaction.named(
        f"SELECT {_COLUMNS} FROM hub_document h"
        " JOIN account a ON a.id = h.account_id WHERE h.problem IS NOT NULL"
        " AND ? IN (h.access_key, h.hub_id, h.identity) ORDER BY h.id",
        (name,),
    )
    return tuple(map(_record, rows))


def newest(transaction: Transaction, hub_document_ids: Collection[int]) -> Iterator[tuple[int, int]]:
    """`(record, content)` of the newest answers of the list and of the detail about these records, oldest first."""
    rows = list(
        transaction.fetch_in(
            "SELECT max(id), hub_document_id, content_id FROM hub_record WHERE hub_document_id IN {}"
            " GROUP BY hub_document_id, source",
            hub_document_ids,
        )
    )
    for _, number, content_id in sorted(rows):
        yield number, content_id


def _problem(record: FilesNamed) -> Message | None:
    if record.unread:
        return message(
            "The hub names files of this document in a way that Confere does not understand: {count}.",
            count=record.unread,
        )
    if record.files:
        return None
    if record.nameless:
        return message("The hub's list gives neither files nor an id or a key for this document.")
    if record.events:
        return message(
            "The hub names no file of this document, although its history has events: {count}.", count=record.events
        )
    return message("The hub names no file of this document.")
