"""Events of a hub's history for which it offers no file, and the archive has none from elsewhere."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from confere.archive.hub.completeness import ListedMonth
from confere.archive.hub.download_queue import DETAIL_KIND
from confere.archive.named_rows import NamedRow
from confere.archive.transaction import Transaction

_ALIKE = 6  # letters that a file's kind and an event's status share: CANCELLATION, CANCELLED

# Records whose history is longer than the files they named, once nothing of them is still to be asked.
_FEWER = (
    "SELECT h.id, a.name AS account, h.access_key, h.hub_id, h.identity FROM hub_document h"
    " JOIN account a ON a.id = h.account_id"
    " WHERE (SELECT count(*) FROM hub_history e WHERE e.hub_document_id = h.id)"
    f" > (SELECT count(*) FROM download f WHERE f.hub_document_id = h.id AND f.kind IS NOT '{DETAIL_KIND}')"
    " AND h.problem IS NULL AND NOT EXISTS (SELECT 1 FROM download w"
    f" WHERE w.hub_document_id = h.id AND w.kind = '{DETAIL_KIND}' AND w.state != 'done')"
)


@dataclass(frozen=True, slots=True)
class EventWithoutFile:
    """One event of a history, `at` and `status` as the hub wrote them."""

    status: str | None
    at: str | None
    protocol: str | None


@dataclass(frozen=True, slots=True)
class RecordLackingFiles:
    """A record whose hub offers no file for these events. `name` is its key or, without one, the hub's id."""

    hub_document_id: int
    account: str
    name: str
    access_key: str | None
    events: tuple[EventWithoutFile, ...]


def events_without_file(
    transaction: Transaction, account_id: int | None = None, month: ListedMonth | None = None
) -> tuple[RecordLackingFiles, ...]:
    """Those of an account, or of all accounts in use, by the archive's order of records; of `month`, where it is given.

    An event counts as here where its file was downloaded, or where the archive has an event or document of the
    record's key with its protocol from elsewhere. Which event a file belongs to that no line of the history links
    to is told by its kind, else the oldest are taken to have theirs.
    """
    where = " AND a.removed_at IS NULL" if account_id is None else " AND h.account_id = :account"
    values: dict[str, object] = {} if account_id is None else {"account": account_id}
    if month is not None:
        where, values = f"{where} AND {month.condition}", {**values, **month.values}
    records = transaction.named(f"{_FEWER}{where} ORDER BY h.id", values)
    if not records:
        return ()
    history: dict[int, list[NamedRow]] = defaultdict(list)
    for line in transaction.named_in(
        "SELECT hub_document_id, status, at, protocol, item_id FROM hub_history WHERE hub_document_id IN {}"
        " ORDER BY hub_document_id, position",
        [record.id for record in records],
    ):
        history[line.hub_document_id].append(line)
    files: dict[int, list[NamedRow]] = defaultdict(list)
    for file in transaction.named_in(
        f"SELECT hub_document_id, item_id, kind FROM download WHERE kind IS NOT '{DETAIL_KIND}'"
        " AND hub_document_id IN {}",
        [record.id for record in records],
    ):
        files[file.hub_document_id].append(file)
    protocols = _protocols(transaction, {record.access_key for record in records if record.access_key})
    shared = set(
        transaction.column_in(
            "SELECT DISTINCT item_id FROM download WHERE item_id IN {}",
            {line.item_id for lines in history.values() for line in lines if line.item_id},
        )
    )
    lacking = []
    for record in records:
        key = record.access_key
        events = _without(history[record.id], files[record.id], shared, protocols.get(key, set()))
        if events:
            name = key or record.hub_id or record.identity
            lacking.append(RecordLackingFiles(record.id, record.account, name, key, events))
    return tuple(lacking)


def _protocols(transaction: Transaction, keys: set[str]) -> dict[str, set[str]]:
    protocols: dict[str, set[str]] = defaultdict(set)
    for table in ("event", "document"):
        for row in transaction.named_in(
            f"SELECT access_key, protocol FROM {table} WHERE protocol IS NOT NULL AND access_key IN {{}}", keys
        ):
            protocols[row.access_key].add(row.protocol)
    return protocols


def _without(
    lines: Sequence[NamedRow], files: Sequence[NamedRow], shared: set[str], protocols: set[str]
) -> tuple[EventWithoutFile, ...]:
    linked = {line.item_id for line in lines if line.item_id}
    others = [(file.kind or "").casefold()[:_ALIKE] for file in files if file.item_id not in linked]
    left = [line for line in lines if line.item_id not in shared]
    for kind in list(others):
        line = next((line for line in left if kind and (line.status or "").casefold()[:_ALIKE] == kind), None)
        if line is not None:
            left.remove(line)
            others.remove(kind)
    left = [line for line in left[len(others) :] if line.protocol not in protocols]
    return tuple(EventWithoutFile(line.status, line.at, line.protocol) for line in left)
