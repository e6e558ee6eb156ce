"""An order in full as sections of facts: money, payments, buyer, shipment, transmission, and what belongs to it."""

from __future__ import annotations

from confere.app.documents.view.facts import BAD, MUTED, PLAIN, STRONG, Fact, FactLine, Section, fact, figure, section
from confere.app.labels import labels
from confere.app.labels.marketplace_labels import hub_word
from confere.app.labels.reconciliation_labels import shipper_word, status_word
from confere.app.orders.browse_orders import OrderDetail
from confere.fiscal.law import field_text
from confere.fiscal.periods import in_brasilia
from confere.hub.json import json_values
from confere.sales.order import TRANSMISSION_ERROR, Order, OrderInvoice, OrderPayment, Tracking
from confere.system import formatting
from confere.system.messages import render, t

_DAY = len("2026-12-31")
_MONEY_NAMES = frozenset(("gross", "discount", "freight", "total", "interestValue", "price", "value"))
_PERSONAL = ("buyer.", "shipping.")
_PLACES = frozenset(("shipping.city", "shipping.state", "shipping.country"))
_CODE_NAMES = frozenset(
    ("marketPlaceStatus", "marketPlaceShipmentStatus", "transmissionStatus", "deliveryStatus", "method", "status")
)
_TIME_NAMES = frozenset(("createdAt", "lastUpdate", "date"))


def of_money(detail: OrderDetail) -> tuple[Section, ...]:
    """What it came to, how it was paid, and how it stands; of these the sections that have anything to say."""
    order = detail.shown.order
    return _told(
        _money(order),
        _payments(order),
        _status(order),
        _transmission(order),
        section(
            t("Returns"),
            *(
                fact(
                    returned.hub_id,
                    " · ".join(filter(None, (hub_word(returned.status), formatting.money(returned.total)))),
                )
                for returned in detail.shown.returns
            ),
        ),
        _trail(detail),
    )


def of_shipment(detail: OrderDetail, *, hidden: bool = False) -> tuple[Section, ...]:
    """Its way, its invoice, its buyer and what it is called; `hidden` names no natural person."""
    order = detail.shown.order
    return _told(
        _shipment(order.tracking or Tracking()),
        _invoice(order.invoice or OrderInvoice()),
        _buyer(order, hidden=hidden),
        _numbers(detail),
    )


def moment_text(written: str | None) -> str:
    """A time of the order in Brasília, where its days are counted; a day stays as it is."""
    at = in_brasilia(written) if written and len(written) > _DAY else None
    return formatting.moment(at or written)


def value_text(path: str, written: str | None, *, hidden: bool = False) -> str:
    """A value of an order's JSON for people: money, times and statuses in their words, others as written.

    `hidden` says nothing of the buyer and the address.
    """
    if written is None:
        return "–"
    if hidden and path.startswith(_PERSONAL) and path not in _PLACES:
        return "•••"
    name = path.rpartition(".")[2]
    if path == "status":
        return status_word(written)
    if name in _CODE_NAMES:
        return hub_word(written) or written
    if name in _MONEY_NAMES:
        cents = json_values.cents(written)
        return written if cents is None else formatting.money(cents)
    return moment_text(written) if name in _TIME_NAMES or name.endswith("Date") else written


def _told(*sections: Section) -> tuple[Section, ...]:
    return tuple(one for one in sections if one.facts)


def _status(order: Order) -> Section:
    return section(
        t("Status"),
        fact(t("Status"), status_word(order.status), STRONG),
        fact(t("Status at the marketplace"), hub_word(order.marketplace_status)),
        fact(t("Status of the shipment"), hub_word(order.shipment_status)),
        fact(t("Shipped by"), shipper_word(order.fulfillment)),
        fact(t("Created"), moment_text(order.created_at)),
        fact(t("Last change at the hub"), moment_text(order.updated_at)),
    )


def _transmission(order: Order) -> Section:
    failed = (order.transmission_status or "").upper() == TRANSMISSION_ERROR
    return section(
        t("Transmission"),
        fact(t("Status"), hub_word(order.transmission_status), BAD if failed else PLAIN),
        fact(t("Message"), order.transmission_message, BAD if failed else MUTED),
    )


def _money(order: Order) -> Section:
    return section(
        t("Money"),
        figure(t("Goods"), formatting.money(order.gross_cents)),
        figure(t("Discount"), formatting.money(order.discount_cents)),
        figure(t("Freight"), formatting.money(order.freight_cents)),
        figure(t("Interest"), formatting.money(order.interest_cents)),
        figure(t("Total"), formatting.money(order.total_cents), STRONG),
    )


def _payments(order: Order) -> Section:
    return section(t("Payments"), *map(_payment, order.payments))


def _payment(payment: OrderPayment) -> Fact | None:
    fees = (
        (t("marketplace's fee"), payment.marketplace_fee_cents),
        (t("payment gateway's fee"), payment.gateway_fee_cents),
    )
    lines = [FactLine(" · ".join(filter(None, (formatting.money(payment.amount_cents), hub_word(payment.status)))))]
    lines += [FactLine(f"{name}: {formatting.money(cents)}", MUTED) for name, cents in fees if cents]
    return Fact(hub_word(payment.method) or t("Payment"), tuple(lines))


def _shipment(way: Tracking) -> Section:
    return section(
        t("Shipment"),
        fact(t("Ready by"), moment_text(way.ready_by)),
        fact(t("Shipped"), moment_text(way.shipped_at)),
        fact(t("Expected"), moment_text(way.estimated_at)),
        fact(t("Delivered"), moment_text(way.delivered_at)),
        fact(t("Carrier"), way.carrier),
        fact(t("Tracking number"), way.number),
        fact(t("Tracking address"), way.url),
    )


def _invoice(invoice: OrderInvoice) -> Section:
    key = invoice.access_key
    return section(
        t("Invoice, as the order says"),
        fact(t("Number"), labels.number_word(invoice.series, invoice.number)),
        Fact(t("Access key"), (FactLine(labels.key_groups(key), link=key),)) if key else None,
        fact(t("Issued"), moment_text(invoice.issued_at)),
    )


def _buyer(order: Order, *, hidden: bool) -> Section:
    buyer, place = order.buyer, order.shipping
    code = field_text.postal_code(place.postal_code)
    address = ", ".join(
        filter(None, (None if hidden else place.address, place.city, place.uf, None if hidden else code))
    )
    return section(
        t("Buyer"),
        fact(t("Name"), labels.person_name(buyer.name, buyer.tax_id, hidden)),
        fact("CPF/CNPJ", labels.tax_id_word(buyer.tax_id, hidden)),
        fact(t("E-mail"), None if hidden else buyer.email),
        fact(t("Phone"), None if hidden else buyer.phone),
        fact(t("Delivered to"), address),
    )


def _numbers(detail: OrderDetail) -> Section:
    row, order = detail.shown.row, detail.shown.order
    number = order.marketplace_number
    return section(
        t("Numbers"),
        fact(t("At the hub"), row.hub_id),
        fact(t("At the marketplace"), order.marketplace_id),
        fact(t("Number that the marketplace shows"), None if number == order.marketplace_id else number),
        fact(t("Number in the seller's system"), order.partner_id),
        fact(t("Account"), row.account),
    )


def _trail(detail: OrderDetail) -> Section:
    """What was sent to the order and what became of it, newest first; requests as they left."""
    return section(
        t("Sent to the hub"),
        *(
            Fact(formatting.moment(line.at), (FactLine(render(line.what)), FactLine(line.note or "", MUTED)))
            for line in detail.trail
        ),
    )
