"""From an order as it was read to rows: pure mappings, in the order of the schema's columns."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from confere.archive.clock import utc_text
from confere.archive.message_encoding import storable
from confere.archive.named_rows import NamedRow
from confere.archive.schema.schema import sales_order
from confere.archive.transaction import Row
from confere.archive.vault.vault import digest_of
from confere.fiscal.periods import BRASILIA, local_date
from confere.sales.order import READER, Order, OrderInvoice, OrderItem, Return, Tracking

HUB = "hub"
FILE = "file"
_LARGEST = 2**63  # SQLite's whole numbers
_COLUMNS = tuple(column.name for column in sales_order.columns)
_SAID_FIRST = _COLUMNS[_COLUMNS.index("created_at") : _COLUMNS.index("first_run_id")]
SAID = (*_SAID_FIRST, *_COLUMNS[_COLUMNS.index("partner_id") :])
"""The columns of `sales_order` that `order_said` gives; those before the runs' columns first."""
FIRST_SAID = len(_SAID_FIRST)
"""How many of them stand before the runs' columns."""
_AS_WRITTEN = json.JSONDecoder(parse_float=str, parse_int=str)
_SORTED = json.JSONEncoder(sort_keys=True, separators=(",", ":"))


@dataclass(frozen=True, slots=True)
class ReceivedOrder:
    """An order with its JSON as received. `source` is HUB or FILE; `seen_at` UTC text."""

    order: Order
    raw: bytes
    source: str
    seen_at: str


@dataclass(frozen=True, slots=True)
class ReceivedReturn:
    """A return with its JSON as received; `seen_at` UTC text."""

    entry: Return
    raw: bytes
    seen_at: str


def canonical_digest(raw: bytes) -> bytes:
    """SHA-256 of the JSON without its blanks and with names sorted: what differs only in these is the same version.

    Of bytes that are no JSON, of the bytes.
    """
    try:
        value = _AS_WRITTEN.decode(raw.decode(json.detect_encoding(raw), "surrogatepass"))
        told = _SORTED.encode(value).encode("ascii")
    except (ValueError, RecursionError):
        return digest_of(raw)
    return digest_of(told)


def moment_of(written: str | None) -> datetime | None:
    """A time as written, aware: without an offset it is Brasília's. None for what is no time."""
    if not written:
        return None
    try:
        found = datetime.fromisoformat(written.strip())
        found = found.replace(tzinfo=BRASILIA) if found.tzinfo is None else found
        found.astimezone(BRASILIA)
    except (ValueError, OverflowError):
        return None
    return found


def utc_of(written: str | None) -> str | None:
    """A time as written, as UTC text that sorts as time does."""
    found = moment_of(written)
    try:
        return None if found is None else utc_text(found)
    except OverflowError:
        return None


def day_in_brasilia(written: str | None) -> str:
    """The day of a moment in America/Sao_Paulo, whatever its offset; empty for what is no time."""
    found = moment_of(written)
    return "" if found is None else found.astimezone(BRASILIA).date().isoformat()


def day_of(written: str | None) -> str:
    """The local day of a paper's time: as written, UTC converted; empty for what is no time."""
    if not written:
        return ""
    found = moment_of(written)
    if found is not None and not found.utcoffset():
        return day_in_brasilia(written)
    day = local_date(written)
    return "" if day is None else day.isoformat()


def order_said(order: Order) -> Row:
    """What an order says, in the order of `SAID`."""
    invoice = order.invoice or OrderInvoice()
    tracking = order.tracking or Tracking()
    return (
        utc_of(order.created_at),
        day_in_brasilia(order.created_at),
        text_of(order.status),
        text_of(order.marketplace),
        text_of(order.marketplace_id),
        number_of(order.total_cents),
        number_of(order.gross_cents),
        number_of(order.discount_cents),
        number_of(order.freight_cents),
        text_of(order.buyer.tax_id),
        text_of(order.buyer.name),
        text_of(order.shipping.uf),
        text_of(invoice.access_key),
        number_of(invoice.series),
        number_of(invoice.number),
        text_of(invoice.issued_at),
        day_of(invoice.issued_at),
        utc_of(tracking.shipped_at),
        utc_of(tracking.delivered_at),
        text_of(order.partner_id),
        text_of(order.marketplace_number),
        number_of(order.interest_cents),
        text_of(order.fulfillment),
        utc_of(order.updated_at),
        READER,
        text_of((order.transmission_status or "").upper() or None),
        text_of(order.transmission_message),
        text_of(tracking.carrier),
        text_of(tracking.number),
        utc_of(tracking.ready_by),
        utc_of(tracking.estimated_at),
    )


def return_said(entry: Return) -> Row:
    """What a return says, in the order of `hub_return` from `order_hub_id` to `total`."""
    return (
        text_of(entry.order_id),
        text_of(entry.kind),
        text_of(entry.status),
        utc_of(entry.created_at),
        day_in_brasilia(entry.created_at),
        text_of(entry.access_key),
        number_of(entry.total_cents),
    )


def item_rows(owner: int, items: Sequence[OrderItem]) -> list[Row]:
    """Rows of `order_item` and `return_item`."""
    return [
        (
            owner,
            position,
            text_of(item.code),
            text_of(item.ean),
            text_of(item.description),
            quantity_text(item.quantity),
            number_of(item.unit_cents),
            number_of(item.discount_cents),
            number_of(item.gross_cents),
            number_of(item.total_cents),
        )
        for position, item in enumerate(items)
    ]


def item_of(row: NamedRow) -> OrderItem:
    """The item in such a row."""
    return OrderItem(
        row.code,
        row.ean,
        row.description,
        None if row.quantity is None else Decimal(row.quantity),
        row.unit,
        row.discount,
        row.gross,
        row.total,
    )


def quantity_text(quantity: Decimal | None) -> str | None:
    """A decimal as a column holds it; one that is no number, or astronomic, is none."""
    if quantity is None or not quantity.is_finite() or abs(quantity.adjusted()) > 30:
        return None
    return format(quantity, "f")


def text_of(text: str | None) -> str | None:
    return None if text is None else storable(text)


def number_of(value: int | None) -> int | None:
    """A whole number that SQLite can hold; any other one is none."""
    return value if value is not None and -_LARGEST <= value < _LARGEST else None
