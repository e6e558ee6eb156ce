"""Events of a hub's history for which it offers no file, and the archive has none from elsewhere."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from confere.archive.hub.downloads import DETAIL_KIND
from confere.archive.transaction import Row, Transaction

_ALIKE = 6  # letters that a file's kind and an event's status share: CANCELLATION, CANCELLED

# Records whose history is longer than the files they named, once nothing of them is still to be asked.
_FEWER = (
    "SELECT h.id, a.name, h.access_key, h.hub_id, h.identity, e.lines, coalesce(f.files, 0) FROM hub_document h"
    " JOIN account a ON a.id = h.account_id"
    " JOIN (SELECT hub_document_id, count(*) AS lines FROM hub_history GROUP BY hub_document_id) e"
    " ON e.hub_document_id = h.id"
    " LEFT JOIN (SELECT hub_document_id, count(*) AS files FROM download"
    f" WHERE kind IS NOT '{DETAIL_KIND}' GROUP BY hub_document_id) f ON f.hub_document_id = h.id"
    " WHERE e.lines > coalesce(f.files, 0) AND h.problem IS NULL AND NOT EXISTS (SELECT 1 FROM download w"
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


def events_without_file(transaction: Transaction, account_id: int | None = None) -> tuple[RecordLackingFiles, ...]:
    """Those of an account, or of all accounts in use, by the archive's order of records.

    An event counts as here where its file was downloaded, or where the archive has an event or document of the
    record's key with its protocol from elsewhere. Which event a file belongs to that no line of the history links
    to is told by its kind, else the oldest are taken to have theirs.
    """
    where = " AND a.removed_at IS NULL" if account_id is None else " AND h.account_id = ?"
    rows = transaction.fetch(f"{_FEWER}{where} ORDER BY h.id", () if account_id is None else (account_id,))
    if not rows:
        return ()
    history: dict[int, list[Row]] = defaultdict(list)
    for number, *line in transaction.fetch_in(
        "SELECT hub_document_id, status, at, protocol, item_id FROM hub_history WHERE hub_document_id IN {}"
        " ORDER BY hub_document_id, position",
        [row[0] for row in rows],
    ):
        history[number].append(tuple(line))
    files: dict[int, list[Row]] = defaultdict(list)
    for number, item_id, kind in transaction.fetch_in(
        f"SELECT hub_document_id, item_id, kind FROM download WHERE kind IS NOT '{DETAIL_KIND}'"
        " AND hub_document_id IN {}",
        [row[0] for row in rows],
    ):
        files[number].append((item_id, kind))
    protocols = _protocols(transaction, {row[2] for row in rows if row[2]})
    shared = set(
        transaction.column_in(
            "SELECT DISTINCT item_id FROM download WHERE item_id IN {}",
            {line[3] for lines in history.values() for line in lines if line[3]},
        )
    )
    found = []
    for number, account, key, hub_id, identity, _, _ in rows:
        events = _without(history[number], files[number], shared, protocols.get(key, set()))
        if events:
            found.append(RecordLackingFiles(number, account, key or hub_id or identity, key, events))
    return tuple(found)


def _protocols(transaction: Transaction, keys: set[str]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for table in ("event", "document"):
        for key, protocol in transaction.fetch_in(
            f"SELECT access_key, protocol FROM {table} WHERE protocol IS NOT NULL AND access_key IN {{}}", keys
        ):
            found[key].add(protocol)
    return found


def _without(
    lines: Sequence[Row], files: Sequence[Row], shared: set[str], protocols: set[str]
) -> tuple[EventWithoutFile, ...]:
    linked = {line[3] for line in lines if line[3]}
    others = [(kind or "").casefold()[:_ALIKE] for item_id, kind in files if item_id not in linked]
    left = [line for line in lines if line[3] not in shared]
    for kind in list(others):
        line = next((line for line in left if kind and (line[0] or "").casefold()[:_ALIKE] == kind), None)
        if line is not None:
            left.remove(line)
            others.remove(kind)
    left = [line for line in left[len(others) :] if line[2] not in protocols]
    return tuple(EventWithoutFile(status, at, protocol) for status, at, protocol, _ in left)
