"""One order in full for people: its parties, money, items, invoice, way, and what it belongs to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.console import RenderableType
from rich.text import Text

from confere.app.labels.marketplace_labels import hub_word, marketplace_word
from confere.app.labels.reconciliation_labels import evidence_line, shipper_word, status_word
from confere.cli import tables
from confere.cli.render import labels
from confere.errors import NC_
from confere.fiscal.periods import in_brasilia
from confere.system import formatting
from confere.system.messages import render, t
from confere.system.plain_text import plain

if TYPE_CHECKING:
    from confere.app.orders.orders import OrderRow, ShownOrder
    from confere.sales.order import Order


def orders(rows: tuple[OrderRow, ...], *, hidden: bool = False) -> RenderableType:
    """A list of orders, one a line; `hidden` names no natural person."""
    return tables.table(
        (t("Order"), t("Created"), t("Status"), t("Marketplace"), t("Buyer"), t("Total"), t("Invoice")),
        [
            (
                row.hub_id,
                formatting.date(row.created_on),
                status_word(row.status),
                " ".join(filter(None, (marketplace_word(row.marketplace), row.marketplace_id))),
                labels.party_word(row.buyer_tax_id, row.buyer_name, hidden),
                formatting.money(row.total),
                row.invoice_key or _invoice_word(row) or (t("linked") if row.links else ""),
            )
            for row in rows
        ],
        right=(5,),
    )


def parts(found: ShownOrder, *, versions: bool) -> Iterator[RenderableType]:
    """The whole sheet."""
    row, order = found.row, found.order
    yield Text(f"{t('Order')} {plain(row.hub_id)}", style="bold")
    yield tables.facts(_head(row, order))
    yield from _items(order)
    if order.payments:
        yield from _titled(t("Payments"))
        yield _payments(order)
    yield from _invoice(order)
    yield from _way(order)
    yield from _belonging(found)
    if versions:
        yield from _titled(t("Versions"))
        yield tables.table(
            (t("Seen"), t(NC_("source", "From")), "SHA-256"),
            [(_moment(entry.seen_at), source_word(entry.source), entry.sha256) for entry in found.versions],
        )


def source_word(source: str) -> str:
    """Where a version of an order came from."""
    return {"hub": t("hub"), "file": t("file")}.get(source, source)


def _head(row: OrderRow, order: Order) -> list[tuple[str, object]]:
    buyer, shipping = order.buyer, order.shipping
    place = " - ".join(filter(None, (shipping.city, shipping.uf)))
    return [
        (t("Account"), row.account),
        (t(NC_("source", "From")), source_word(row.source)),
        (t("Created"), _moment(order.created_at)),
        (t("Status"), status_word(order.status)),
        (t("Marketplace"), marketplace_word(order.marketplace)),
        (t("Number at the marketplace"), order.marketplace_id),
        (t("Number that the marketplace shows"), _other(order.marketplace_number, order.marketplace_id)),
        (t("Number in the seller's system"), order.partner_id),
        (t("Status at the marketplace"), hub_word(order.marketplace_status)),
        (t("Status of the shipment"), hub_word(order.shipment_status)),
        (t("Transmission"), " ".join(filter(None, (hub_word(order.transmission_status), order.transmission_message)))),
        (t("Goods"), formatting.money(order.gross_cents)),
        (t("Discount"), formatting.money(order.discount_cents)),
        (t("Freight"), formatting.money(order.freight_cents)),
        (t("Interest"), formatting.money(order.interest_cents)),
        (t("Total"), formatting.money(order.total_cents)),
        (t("Shipped by"), shipper_word(order.fulfillment)),
        (t("Last change at the hub"), _moment(order.updated_at)),
        (t("Buyer"), buyer.name),
        ("CPF/CNPJ", labels.tax_id_word(buyer.tax_id) if buyer.tax_id else None),
        (t("E-mail"), buyer.email),
        (t("Phone"), buyer.phone),
        (t("Delivered to"), ", ".join(filter(None, (shipping.address, place, shipping.postal_code)))),
    ]


def _other(number: str | None, told: str | None) -> str | None:
    """A number, unless it was told already."""
    return None if number == told else number


def _payments(order: Order) -> RenderableType:
    """With the fees of each where any is known."""
    charged = any(entry.marketplace_fee_cents or entry.gateway_fee_cents for entry in order.payments)
    fees = (t("Marketplace's fee"), t("Payment gateway's fee")) if charged else ()
    return tables.table(
        (t("Method"), t("Status"), t("Amount"), *fees),
        [
            (
                hub_word(entry.method) or "",
                hub_word(entry.status) or "",
                formatting.money(entry.amount_cents),
                *(
                    (formatting.money(entry.marketplace_fee_cents), formatting.money(entry.gateway_fee_cents))
                    if charged
                    else ()
                ),
            )
            for entry in order.payments
        ],
        right=(2, 3, 4) if charged else (2,),
    )


def _items(order: Order) -> Iterator[RenderableType]:
    if not order.items:
        return
    yield from _titled(t("Items"))
    yield tables.table(
        ("SKU", "EAN", t("Description"), t("Quantity"), t("Unit"), t("Discount"), t("Total")),
        [
            (
                entry.code or "",
                entry.ean or "",
                entry.description or "",
                "" if entry.quantity is None else f"{entry.quantity:f}",
                formatting.money(entry.unit_cents),
                formatting.money(entry.discount_cents),
                formatting.money(entry.total_cents),
            )
            for entry in order.items
        ],
        right=(3, 4, 5, 6),
    )


def _invoice(order: Order) -> Iterator[RenderableType]:
    if order.invoice is None:
        return
    yield from _titled(t("Invoice, as the order says"))
    yield tables.facts(
        [
            (t("Series"), order.invoice.series),
            (t("Number"), order.invoice.number),
            (t("Access key"), order.invoice.access_key),
            (t("Issued"), _moment(order.invoice.issued_at)),
        ]
    )


def _way(order: Order) -> Iterator[RenderableType]:
    way = order.tracking
    if way is None:
        return
    yield from _titled(t("Shipment"))
    yield tables.facts(
        [
            (t("Ready by"), _moment(way.ready_by)),
            (t("Shipped"), _moment(way.shipped_at)),
            (t("Expected"), _moment(way.estimated_at)),
            (t("Delivered"), _moment(way.delivered_at)),
            (t("Carrier"), way.carrier),
            (t("Tracking number"), way.number),
            (t("Address"), way.url),
        ]
    )


def _belonging(found: ShownOrder) -> Iterator[RenderableType]:
    if found.documents:
        linked = {entry.key: entry for entry in found.links}
        yield from _titled(t("Documents"))
        for entry in found.documents:
            yield tables.facts(
                [
                    (labels.type_word(entry.type), entry.access_key),
                    (t("Issued"), formatting.moment(entry.issued_at)),
                    (t("Total"), formatting.money(entry.total)),
                    (t("State"), labels.state_word(entry.state)),
                    *(
                        (t("Why linked"), render(reason))
                        for link in filter(None, [linked.get(entry.access_key or "")])
                        for reason in link.evidence
                    ),
                ]
            )
    if found.returns:
        yield from _titled(t("Returns"))
        yield tables.table(
            (t(NC_("goods", "Return")), t("Created"), t("Status"), t("Total"), t("Access key")),
            [
                (
                    entry.hub_id,
                    formatting.date(entry.created_on),
                    hub_word(entry.status) or "",
                    formatting.money(entry.total),
                    entry.access_key or "",
                )
                for entry in found.returns
            ],
            right=(3,),
        )
    if found.findings:
        yield from _titled(t("Findings"))
        for finding in found.findings:
            told = evidence_line(finding.found.evidence)
            yield Text(plain(f"{finding.found.rule}  {formatting.money(finding.found.amount)}  {told}"))


def _moment(written: str | None) -> str:
    """A time of the order in Brasília, where its days and what is found of it are counted; a day stays as it is."""
    at = in_brasilia(written) if written and len(written) > len("2026-12-31") else None
    return formatting.moment(at or written)


def _titled(title: str) -> Iterator[RenderableType]:
    yield ""
    yield Text(title, style="bold")


def _invoice_word(row: OrderRow) -> str:
    if row.invoice_number is None:
        return ""
    return labels.number_word(row.invoice_series, row.invoice_number)
