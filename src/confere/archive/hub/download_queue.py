"""The download queue: what the hub named and the archive does not hold yet, with why it failed last."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from confere.archive import message_encoding
from confere.archive.clock import utc_now
from confere.archive.documents import recompute
from confere.archive.hub import hub_columns
from confere.archive.hub.completeness import DETAIL_KIND as DETAIL_KIND
from confere.archive.transaction import Row, Transaction
from confere.archive.vault.unfinished_reads import SET_ASIDE, why_ended, why_set_aside
from confere.errors import Message, message

_DETAIL_PREFIX = "record:"


@dataclass(frozen=True, slots=True)
class OpenDownload:
    """What is in the queue to be fetched.

    For `DETAIL_KIND`, `item_id` is the hub's id of the record, or its key where it has none. `access_key` and `hub_id`
    are of the record that names it: whose file it has to be.
    """

    item_id: str
    kind: str | None
    attempts: int
    access_key: str | None
    hub_id: str | None


@dataclass(frozen=True, slots=True)
class Queued(OpenDownload):
    """One to fetch now."""

    id: int
    hub_document_id: int
    record: bytes | None  # digest of the list's record when it was taken from the queue


@dataclass(frozen=True, slots=True)
class RequestedFiles:
    """What one record names: `items` as `(item id, kind)`; `ask_detail` is the id or key of a record to ask whole.

    `other_key` says that the record is of another document than before: what its items gave was that one's.
    """

    hub_document_id: int
    items: tuple[tuple[str, str | None], ...]
    ask_detail: str | None
    other_key: bool = False


@dataclass(frozen=True, slots=True)
class FailedDownload(OpenDownload):
    """One that failed last time and stays in the queue."""

    reason: Message
    tried_at: str | None


def in_hand_names(account_id: int) -> str:
    """How the account's downloads begin in the notes of what is in hand."""
    return f"download {account_id}/"


def in_hand_name(account_id: int, queued: Queued) -> str:
    """The name of a download in the notes of what is in hand."""
    prefix = _DETAIL_PREFIX if queued.kind == DETAIL_KIND else ""
    return f"{in_hand_names(account_id)}{prefix}{queued.item_id}"


def forbidden(item: str) -> Message:
    """Why the record of a document does not come where the hub keeps records, and not files, from the token."""
    return message(
        "The hub does not let this token read the record of {item} (403), although other requests are answered.",
        item=item,
    )


def count_forbidden(transaction: Transaction, account_id: int) -> int:
    """How many records wait that the hub keeps from the token: asking again is no use until that changes."""
    rows = transaction.fetch(
        f"SELECT reason FROM download WHERE account_id = ? AND state = 'failed' AND kind = '{DETAIL_KIND}'",
        (account_id,),
    )
    return sum(1 for (reason,) in rows if reason and message_encoding.read(reason).id == forbidden("").id)


def set_aside(transaction: Transaction, account_id: int) -> tuple[str, ...]:
    """The items that are not asked for until somebody wants them again: they ended the program, or what read them."""
    rows = transaction.fetch(
        "SELECT item_id, kind, reason FROM download WHERE account_id = ? AND state = 'failed' ORDER BY id",
        (account_id,),
    )
    known = {why_ended(SET_ASIDE).id, why_set_aside().id}
    return tuple(
        _item(item, kind) for item, kind, reason in rows if reason and message_encoding.read(reason).id in known
    )


def enqueue(transaction: Transaction, account_id: int, wanted: Sequence[RequestedFiles]) -> list[int]:
    """Queue what these records name; for each record the number of items whose XML is here already."""
    from confere.archive.schema.schema import download

    known: dict[str, str] = dict(
        transaction.fetch_in(
            f"SELECT item_id, state FROM download WHERE account_id = {int(account_id)} AND item_id IN {{}}",
            {item_id for entry in wanted for item_id, _ in entry.items},
        )
    )
    rows: list[Row] = []
    again: list[Row] = []
    superseded: list[Row] = []
    replaced: list[Row] = []
    already: list[int] = []
    for entry in wanted:
        if entry.other_key:
            for item_id in {item_id for item_id, _ in entry.items if item_id in known}:
                known[item_id] = "waiting"
                replaced.append((entry.hub_document_id, account_id, item_id))
        already.append(len([1 for item_id, _ in entry.items if known.get(item_id) == "done"]))
        for item_id, kind in entry.items:
            if item_id not in known:
                known[item_id] = "waiting"
                rows.append(_row(transaction, account_id, entry.hub_document_id, item_id, kind))
        if entry.ask_detail is not None:
            marker = _DETAIL_PREFIX + entry.ask_detail
            rows.append(_row(transaction, account_id, entry.hub_document_id, marker, DETAIL_KIND))
            again.append((account_id, marker))
            superseded.append((entry.hub_document_id, marker))
    transaction.insert_or_ignore(download, rows)
    transaction.execute_many(
        "UPDATE download SET state = 'waiting' WHERE account_id = ? AND item_id = ? AND state = 'done'", again
    )
    transaction.execute_many(  # it was asked for by its key until its id was known
        f"UPDATE download SET state = 'done' WHERE hub_document_id = ? AND item_id != ? AND kind = '{DETAIL_KIND}'"
        " AND state != 'done'",
        superseded,
    )
    transaction.execute_many(
        "UPDATE download SET state = 'waiting', hub_document_id = ? WHERE account_id = ? AND item_id = ?",
        replaced,
    )
    if replaced:
        hub_columns.settle_downloads(transaction, {hub_document_id for hub_document_id, *_ in replaced})
    return already


def _row(transaction: Transaction, account_id: int, owner: int, item_id: str, kind: str | None) -> Row:
    from confere.archive.schema.schema import download

    number = transaction.new_ids(download, 1)[0]
    return (number, account_id, owner, item_id, kind, "waiting", 0, None, None, None)


def open_items(transaction: Transaction, account_id: int, after: int, limit: int) -> tuple[Queued, ...]:
    """What is not done, in order of arrival, beginning after queue number `after`."""
    rows = transaction.named(
        "SELECT w.id, w.hub_document_id, w.item_id, w.kind, w.attempts, h.list_digest, h.access_key, h.hub_id"
        " FROM download w"
        " JOIN hub_document h ON h.id = w.hub_document_id"
        " WHERE w.account_id = ? AND w.state != 'done' AND w.id > ? ORDER BY w.id LIMIT ?",
        (account_id, after, limit),
    )
    return tuple(
        Queued(
            item_id=_item(row.item_id, row.kind),
            kind=row.kind,
            attempts=row.attempts,
            access_key=row.access_key,
            hub_id=row.hub_id,
            id=row.id,
            hub_document_id=row.hub_document_id,
            record=row.list_digest,
        )
        for row in rows
    )


def _item(item_id: str, kind: str | None) -> str:
    return item_id.removeprefix(_DETAIL_PREFIX) if kind == DETAIL_KIND else item_id


def count_open(transaction: Transaction, account_id: int) -> int:
    return int(
        transaction.scalar("SELECT count(*) FROM download WHERE account_id = ? AND state != 'done'", (account_id,))
    )


def mark_done(transaction: Transaction, done: Sequence[tuple[int, int]]) -> None:
    """Close `(queue number, content id)`."""
    now = utc_now()
    before = _contents(transaction, [number for number, _ in done])
    transaction.execute_many(
        "UPDATE download SET state = 'done', reason = NULL, tried_at = ?, content_id = ? WHERE id = ?",
        [(now, content_id, number) for number, content_id in done],
    )
    touched = before | {content_id for _, content_id in done}
    hub_columns.settle_contents(transaction, touched)
    recompute.versions_in(transaction, touched)


def mark_asked(transaction: Transaction, asked: Sequence[Queued]) -> None:
    """Close these details, but for those whose record has changed since they were asked."""
    now = utc_now()
    transaction.execute_many(
        "UPDATE download SET state = 'done', reason = NULL, tried_at = ? WHERE id = ?"
        " AND (SELECT list_digest FROM hub_document WHERE id = ?) IS ?",
        [(now, entry.id, entry.hub_document_id, entry.record) for entry in asked],
    )


def ask_again(transaction: Transaction, account_id: int) -> None:
    """Queue once more the details of the account's records of which nothing was understood."""
    transaction.execute(
        f"UPDATE download SET state = 'waiting' WHERE account_id = ? AND kind = '{DETAIL_KIND}' AND state = 'done'"
        " AND hub_document_id IN (SELECT id FROM hub_document WHERE account_id = ? AND problem IS NOT NULL)",
        (account_id, account_id),
    )


def mark_failed(transaction: Transaction, failed: Sequence[tuple[int, Message, int | None]]) -> None:
    """Keep `(queue number, reason, content id)` queued with the reason; the next sync tries again.

    The content is what the hub gave where that cannot be read; None where nothing came.
    """
    now = utc_now()
    before = _contents(transaction, [number for number, _, _ in failed])
    transaction.execute_many(
        "UPDATE download SET state = 'failed', attempts = attempts + 1, reason = ?, tried_at = ?, content_id ="
        # What the vault lost is still known by the number that its papers speak of.
        " coalesce(?, CASE WHEN content_id IN (SELECT content_id FROM vault_damage) THEN content_id END) WHERE id = ?",
        [(message_encoding.kept(reason), now, content_id, number) for number, reason, content_id in failed],
    )
    hub_columns.settle_contents(transaction, before)


def note_ends(transaction: Transaction, account_id: int, ended: Mapping[str, int]) -> None:
    """Count the attempts with which the whole program ended: by their names in the notes of what is in hand."""
    now = utc_now()
    start = len(in_hand_names(account_id))
    known = message_encoding.kept(why_set_aside())
    transaction.execute_many(
        "UPDATE download SET state = 'failed', attempts = attempts + 1, reason = ?, tried_at = ?"
        " WHERE account_id = ? AND item_id = ? AND state != 'done' AND coalesce(reason, '') NOT IN (?, ?)",
        [
            (reason, now, account_id, name[start:], reason, known)
            for name, ends in ended.items()
            for reason in [message_encoding.kept(why_ended(ends))]
        ],
    )


def reasons(transaction: Transaction, numbers: Collection[int]) -> dict[int, Message]:
    """Why these entries of the queue failed last."""
    rows = transaction.fetch_in("SELECT id, reason FROM download WHERE reason IS NOT NULL AND id IN {}", numbers)
    return {number: message_encoding.read(reason) for number, reason in rows}


def _contents(transaction: Transaction, numbers: Sequence[int]) -> set[int]:
    """What these entries of the queue brought until now: another document's, where the record is of another one."""
    rows = transaction.column_in("SELECT content_id FROM download WHERE content_id IS NOT NULL AND id IN {}", numbers)
    return set(rows)


def failures(transaction: Transaction, account_id: int, limit: int = 1000) -> tuple[FailedDownload, ...]:
    """What failed last time, oldest first."""
    rows = transaction.named(
        "SELECT w.item_id, h.access_key, h.hub_id, w.attempts, w.reason, w.tried_at, w.kind FROM download w"
        " JOIN hub_document h ON h.id = w.hub_document_id"
        " WHERE w.account_id = ? AND w.state != 'done' AND w.state = 'failed' ORDER BY w.id LIMIT ?",
        (account_id, limit),
    )
    return tuple(
        FailedDownload(
            item_id=_item(row.item_id, row.kind),
            kind=row.kind,
            attempts=row.attempts,
            access_key=row.access_key,
            hub_id=row.hub_id,
            reason=message_encoding.read(row.reason or ""),
            tried_at=row.tried_at,
        )
        for row in rows
    )


def close_restored(transaction: Transaction, content_id: int) -> None:
    """The content of a download is back: it is done, unless what came cannot be read."""
    transaction.execute(
        "UPDATE download SET state = 'done', reason = NULL WHERE content_id = ? AND state != 'done'"
        " AND content_id NOT IN (SELECT id FROM content WHERE problem IS NOT NULL)",
        (content_id,),
    )
