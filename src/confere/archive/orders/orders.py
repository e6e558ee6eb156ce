"""Orders in the archive: every version of their JSON as received, and the newest one as rows.

What the hub says wins over what a file says: a file's version of an order that the hub gave is left out.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Final

from sqlalchemy import ColumnElement, func, select

from confere.archive.list_selection import ONE, VALUES
from confere.archive.message_encoding import storable
from confere.archive.orders.order_rows import FILE as FILE
from confere.archive.orders.order_rows import (
    FIRST_SAID,
    SAID,
    ReceivedOrder,
    canonical_digest,
    item_of,
    item_rows,
    order_said,
)
from confere.archive.orders.order_rows import HUB as HUB
from confere.archive.schema.schema import account, link, order_item, order_version, sales_order
from confere.archive.transaction import Row, Transaction
from confere.archive.vault.reader import VaultReader
from confere.archive.vault.vault import Blob, Family, VaultWriter, digest_of, find
from confere.sales.order import OrderItem


@dataclass(frozen=True, slots=True)
class RecordedOrders:
    """What recording did. `outranked`: a file's word of orders that the hub has spoken of, left out."""

    new: int = 0
    changed: int = 0
    same: int = 0
    outranked: int = 0


@dataclass(frozen=True, slots=True)
class SaleRow:
    """An order or a return as it stands. `created_at` is UTC text, `created_on` its day in America/Sao_Paulo.

    `content_id` is the JSON of its newest version; `total` in centavos.
    """

    id: int
    hub_id: str
    content_id: int
    created_at: str | None
    created_on: str
    status: str | None
    total: int | None
    first_run_id: int
    last_run_id: int
    seen_at: str


@dataclass(frozen=True, slots=True)
class OrderRow(SaleRow):
    """An order as it stands, money in centavos. `links` counts the documents linked to it."""

    account_id: int
    account: str
    source: str
    marketplace: str | None
    marketplace_id: str | None
    gross: int | None
    discount: int | None
    freight: int | None
    buyer_tax_id: str | None
    buyer_name: str | None
    uf: str | None
    invoice_key: str | None
    invoice_series: int | None
    invoice_number: int | None
    invoice_at: str | None
    invoice_on: str
    shipped_at: str | None
    delivered_at: str | None
    partner_id: str | None
    marketplace_number: str | None
    interest: int | None
    fulfillment: str | None
    updated_at: str | None
    transmission_status: str | None
    transmission_message: str | None
    carrier: str | None
    tracking_number: str | None
    ready_by: str | None
    estimated_at: str | None
    links: int


@dataclass(frozen=True, slots=True)
class OrderVersion:
    """A version of an order; `raw` comes by `Archive.content(content_id)`."""

    position: int
    content_id: int
    sha256: str  # of its bytes as received
    source: str
    seen_at: str
    run_id: int


@dataclass(frozen=True, slots=True)
class NewestVersion:
    """`order_id` is the archive's number of the order; `raw` is None where it is the very version that was received."""

    order_id: int
    raw: bytes | None


NUMBERS = ("marketplace_id", "marketplace_number", "partner_id")
"""Columns of numbers that an order is called by beside the hub's id, the most telling first."""
ORDER: Final = sales_order.alias("o")
_ACCOUNT, _LINK = account.alias("a"), link.alias("l")
_OF_ORDER = (_LINK.c.account_id == ORDER.c.account_id, _LINK.c.order_hub_id == ORDER.c.hub_id)
_SPECIAL: Final[dict[str, ColumnElement[Any]]] = {
    "account": _ACCOUNT.c.name.label("account"),
    "links": select(func.count()).where(*_OF_ORDER).correlate(ORDER).scalar_subquery().label("links"),
}
ROWS: Final = select(
    *(_SPECIAL[entry.name] if entry.name in _SPECIAL else ORDER.c[entry.name] for entry in fields(OrderRow))
).select_from(ORDER.join(_ACCOUNT, _ACCOUNT.c.id == ORDER.c.account_id))
"""Every order as an `OrderRow`; `ORDER` is the table that conditions and orders speak of."""
IS_LINKED: Final = select(ONE).where(*_OF_ORDER).correlate(ORDER).exists()
"""The condition of an order that a document is linked to it."""
_BEFORE_RUNS = 3 + FIRST_SAID  # the content, its digest and source, and what is said
_ASSIGNED = ("content_id", "digest", "source", *SAID, "last_run_id", "seen_at")


@dataclass(slots=True)
class _Known:
    id: int
    digest: bytes
    source: str
    first_run_id: int
    has_row: bool  # in the archive before this batch


def record(
    transaction: Transaction, vault: VaultWriter, account_id: int, run_id: int, received: Sequence[ReceivedOrder]
) -> RecordedOrders:
    """Write these orders down, in their order; a version with the bytes of the newest one is no new version."""
    known = _known(transaction, account_id, {storable(entry.order.hub_id) for entry in received})
    contents = Contents(transaction, vault)
    counts = {"new": 0, "changed": 0, "same": 0, "outranked": 0}
    latest: dict[int, tuple[ReceivedOrder, bytes, _Known]] = {}
    versions: list[tuple[int, ReceivedOrder]] = []
    seen: dict[int, str] = {}
    for entry in received:
        name = storable(entry.order.hub_id)
        digest = canonical_digest(entry.raw)
        before = known.get(name)
        if before is None:
            before = known[name] = _Known(
                transaction.new_ids(sales_order, 1)[0], digest, entry.source, run_id, has_row=False
            )
            counts["new"] += 1
        elif entry.source == FILE and before.source == HUB:
            counts["outranked"] += 1
            continue
        elif before.digest == digest and before.source == entry.source:
            counts["same"] += 1
            seen[before.id] = entry.seen_at
            continue
        else:
            counts["changed"] += 1
            before.digest, before.source = digest, entry.source
        latest[before.id] = (entry, digest, before)
        versions.append((before.id, entry))
        contents.want(entry.raw)
    held = contents.put()
    _write(transaction, account_id, run_id, latest, held)
    transaction.execute_many(
        "UPDATE sales_order SET last_run_id = ?, seen_at = ? WHERE id = ?",
        [(run_id, seen_at, number) for number, seen_at in seen.items()],
    )
    _keep_versions(transaction, run_id, versions, held)
    return RecordedOrders(**counts)


def one(transaction: Transaction, account_id: int, hub_id: str) -> OrderRow | None:
    """The order that the hub calls so; by another number of it where no order has that id."""
    for name in ("hub_id", *NUMBERS):
        called_so = ROWS.where(ORDER.c.account_id == account_id, ORDER.c[name] == storable(hub_id))
        order = transaction.first_as(OrderRow, called_so.order_by(ORDER.c.id).limit(1))
        if order is not None:
            return order
    return None


def named(transaction: Transaction, account_id: int, hub_ids: Collection[str]) -> dict[str, OrderRow]:
    """The orders with these ids of the hub, by id."""
    rows = ROWS.where(ORDER.c.account_id == account_id, ORDER.c.hub_id.in_(VALUES))
    found = transaction.fetch_in_as(OrderRow, rows, {storable(name) for name in hub_ids})
    return {order.hub_id: order for order in found}


def newest(
    transaction: Transaction, vault: VaultReader, account_id: int, received: Mapping[str, bytes]
) -> dict[str, NewestVersion]:
    """The newest versions of the orders among `received` (JSON by id) that the hub told of before, by id."""
    names = {storable(hub_id): hub_id for hub_id in received}
    rows = transaction.named_in(
        f"SELECT hub_id, id, digest, content_id FROM sales_order WHERE account_id = {int(account_id)}"
        " AND source = 'hub' AND hub_id IN {}",
        names,
    )
    versions: dict[str, NewestVersion] = {}
    for row in list(rows):
        hub_id = names[row.hub_id]
        is_same = row.digest == canonical_digest(received[hub_id])
        versions[hub_id] = NewestVersion(row.id, None if is_same else vault.get(transaction, row.content_id))
    return versions


def items(transaction: Transaction, order_id: int) -> tuple[OrderItem, ...]:
    """The items of an order, by the archive's number of it."""
    rows = transaction.named(
        "SELECT code, ean, description, quantity, unit, discount, gross, total FROM order_item"
        " WHERE order_id = ? ORDER BY position",
        (order_id,),
    )
    return tuple(map(item_of, rows))


def versions(transaction: Transaction, order_id: int) -> tuple[OrderVersion, ...]:
    """Every version of an order, the newest first, by the archive's number of it."""
    rows = transaction.named(
        "SELECT v.position, v.content_id, c.digest, v.source, v.seen_at, v.run_id FROM order_version v"
        " JOIN content c ON c.id = v.content_id WHERE v.order_id = ? ORDER BY v.position DESC",
        (order_id,),
    )
    return tuple(
        OrderVersion(row.position, row.content_id, row.digest.hex(), row.source, row.seen_at, row.run_id)
        for row in rows
    )


def documents_of(transaction: Transaction, account_id: int, hub_id: str) -> tuple[int, ...]:
    """Current documents that are linked to an order, that it names, or that the hub says are its: oldest first."""
    name = storable(hub_id)
    rows = transaction.column(
        "SELECT id FROM document WHERE is_current = 1 AND access_key IN ("
        "SELECT access_key FROM link WHERE account_id = ? AND order_hub_id = ?"
        " UNION SELECT access_key FROM hub_document WHERE account_id = ? AND order_id = ?"
        " UNION SELECT invoice_key FROM sales_order WHERE account_id = ? AND hub_id = ?) ORDER BY issued_on, id",
        (account_id, name) * 3,
    )
    return tuple(rows)


class Contents:
    """Bytes on their way into the vault, each once; `put` gives their numbers by SHA-256."""

    def __init__(self, transaction: Transaction, vault: VaultWriter) -> None:
        self._transaction = transaction
        self._vault = vault
        self._wanted: dict[bytes, bytes] = {}

    def want(self, raw: bytes) -> None:
        self._wanted[digest_of(raw)] = raw

    def put(self) -> dict[bytes, int]:
        held = find(self._transaction, self._wanted)
        new = {digest: raw for digest, raw in self._wanted.items() if digest not in held}
        ids = self._vault.put(self._transaction, [Blob(raw, digest, Family.JSON) for digest, raw in new.items()])
        return {**held, **dict(zip(new, ids, strict=True))}


def _known(transaction: Transaction, account_id: int, names: Collection[str]) -> dict[str, _Known]:
    rows = transaction.named_in(
        "SELECT hub_id, id, digest, source, first_run_id FROM sales_order"
        f" WHERE account_id = {int(account_id)} AND hub_id IN {{}}",
        names,
    )
    return {row.hub_id: _Known(row.id, row.digest, row.source, row.first_run_id, has_row=True) for row in rows}


def _write(
    transaction: Transaction,
    account_id: int,
    run_id: int,
    latest: dict[int, tuple[ReceivedOrder, bytes, _Known]],
    held: dict[bytes, int],
) -> None:
    inserts: list[Row] = []
    updates: list[Row] = []
    stale: list[Row] = []
    lines: list[Row] = []
    for number, (entry, digest, before) in latest.items():
        said = (held[digest_of(entry.raw)], digest, entry.source, *order_said(entry.order))
        if before.has_row:
            updates.append((*said, run_id, entry.seen_at, number))
        else:
            name = storable(entry.order.hub_id)
            runs = (before.first_run_id, run_id, entry.seen_at)
            inserts.append((number, account_id, name, *said[:_BEFORE_RUNS], *runs, *said[_BEFORE_RUNS:]))
        if entry.order.items:  # a record without any says nothing of them
            stale.append((number,))  # a new one may get the number of one whose row was lost
            lines += item_rows(number, entry.order.items)
    transaction.insert(sales_order, inserts)
    assignments = ", ".join(f"{name} = ?" for name in _ASSIGNED)
    transaction.execute_many(f"UPDATE sales_order SET {assignments} WHERE id = ?", updates)
    transaction.execute_many("DELETE FROM order_item WHERE order_id = ?", stale)
    transaction.insert(order_item, lines)


def _keep_versions(
    transaction: Transaction, run_id: int, found: Sequence[tuple[int, ReceivedOrder]], held: dict[bytes, int]
) -> None:
    last: dict[int, int] = dict(
        transaction.fetch_in(
            "SELECT order_id, max(position) FROM order_version WHERE order_id IN {} GROUP BY order_id",
            {number for number, _ in found},
        )
    )
    rows: list[Row] = []
    for number, entry in found:
        last[number] = last.get(number, -1) + 1
        rows.append((number, last[number], held[digest_of(entry.raw)], entry.source, entry.seen_at, run_id))
    transaction.insert(order_version, rows)
