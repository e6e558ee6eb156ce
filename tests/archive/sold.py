"""Orders and returns as a hub gives them, small, each with JSON of its own."""

from __future__ import annotations

import json
from decimal import Decimal

from confere.archive.accounts import runs
from confere.archive.orders import orders, returns
from confere.archive.orders.order_rows import HUB, ReceivedOrder, ReceivedReturn
from confere.archive.orders.orders import RecordedOrders
from confere.archive.store import Archive
from confere.sales.order import Buyer, Order, OrderInvoice, OrderItem, Return, Shipping, Tracking

SEEN = "2026-10-06T12:00:00.000+00:00"
MUG = OrderItem("A1", "7891000100103", "Caneca azul", Decimal("2.0000"), 500, 0, 1000, 1000)


def an_order(
    hub_id: str = "900",
    *,
    status: str = "INVOICED",
    created_at: str | None = "2026-10-05T12:00:00Z",
    items: tuple[OrderItem, ...] = (MUG,),
    invoice: OrderInvoice | None = None,
    tax_id: str | None = "11144477735",
    total: int = 1000,
    marketplace: str = "Vitrine",
) -> Order:
    return Order(
        hub_id=hub_id,
        created_at=created_at,
        status=status,
        marketplace=marketplace,
        marketplace_id=f"V-{hub_id}",
        total_cents=total,
        freight_cents=250,
        buyer=Buyer(name="Avó Maria", tax_id=tax_id),
        shipping=Shipping(uf="SP"),
        invoice=invoice,
        tracking=Tracking(shipped_at="2026-10-07T01:00:00Z"),
        items=items,
    )


def received(order: Order, *, source: str = HUB, seen_at: str = SEEN, raw: bytes | None = None) -> ReceivedOrder:
    told = json.dumps({"id": order.hub_id, "status": order.status, "total": order.total_cents, "source": source})
    return ReceivedOrder(order, raw if raw is not None else told.encode(), source, seen_at)


def record(archive: Archive, *entries: ReceivedOrder, account_id: int = 1) -> RecordedOrders:
    """In a run of its own."""
    with archive.writing() as transaction:
        run_id = runs.start(transaction, "orders", account_id, {})
        return orders.record(transaction, archive.vault_writer, account_id, run_id, entries)


def a_return(hub_id: str = "r1", *, order: str | None = "900", status: str = "DONE", total: int = 500) -> Return:
    return Return(hub_id, order, "partial", status, "2026-11-01T02:30:00Z", None, total, (MUG,))


def record_returns(archive: Archive, *entries: Return) -> RecordedOrders:
    with archive.writing() as transaction:
        run_id = runs.start(transaction, "orders", 1, {})
        came = [ReceivedReturn(entry, f'{{"id": "{entry.hub_id}{entry.status}"}}'.encode(), SEEN) for entry in entries]
        return returns.record(transaction, archive.vault_writer, 1, run_id, came)
