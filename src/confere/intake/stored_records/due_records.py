"""What the rows of an order, return, product or record of a feed are to be, by the JSON that the archive keeps."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from confere.archive.catalog import products
from confere.archive.derived import record_rows
from confere.archive.derived.record_rows import DueRecord, RecordTable
from confere.archive.message_encoding import storable
from confere.archive.named_rows import NamedRow
from confere.archive.orders import returns
from confere.archive.orders.order_rows import HUB, SAID, canonical_digest, item_rows, order_said, return_said
from confere.hub.catalog.catalog_reads import product_of_text
from confere.hub.json.json_reader import of_text
from confere.hub.orders.orders import order_of_text
from confere.hub.orders.returns import return_of
from confere.sales.order import READER


def order(row: NamedRow, raw: bytes) -> DueRecord | None:
    """What the newest JSON of an order gives; None for a row that an older reader made, and for what is no order.

    An order that a file told may go by the id that a hub gave it later.
    """
    if (row.reader or 0) < READER:
        return None
    said = order_of_text(raw).order
    columns = {"digest": canonical_digest(raw), **dict(zip(SAID, order_said(said), strict=True))}
    if row.source == HUB and said.hub_id:
        columns["hub_id"] = storable(said.hub_id)
    return DueRecord(columns, {"order_item": tuple(map(tuple, item_rows(row.id, said.items)))})


def hub_return(row: NamedRow, raw: bytes) -> DueRecord | None:
    """What the JSON of a return gives; None for what is no return."""
    read = return_of(of_text(raw))
    if read is None:
        return None
    columns = {
        "hub_id": storable(read.entry.hub_id),
        "digest": canonical_digest(raw),
        **dict(zip(returns.SAID, return_said(read.entry), strict=True)),
    }
    return DueRecord(columns, {"return_item": tuple(map(tuple, item_rows(row.id, read.entry.items)))})


def product(row: NamedRow, raw: bytes) -> DueRecord:
    """What the JSON of a product gives."""
    read = product_of_text(raw).product
    columns = {
        "hub_id": storable(read.hub_id),
        "digest": canonical_digest(raw),
        **products.product_said(read),
    }
    return DueRecord(columns, {"catalog_sku": products.sku_rows(row.id, row.account_id, read)})


def feed_record(row: NamedRow, raw: bytes) -> DueRecord:
    """What the archive derives of a record of a feed: its digest alone."""
    del row
    return DueRecord({"digest": canonical_digest(raw)}, {})


Due = Callable[[NamedRow, bytes], DueRecord | None]
DUE: Final[Mapping[RecordTable, Due]] = {
    record_rows.ORDERS: order,
    record_rows.RETURNS: hub_return,
    record_rows.PRODUCTS: product,
    record_rows.FEEDS: feed_record,
}
"""How each kind of record is read. `ValueError` where its JSON is none."""
