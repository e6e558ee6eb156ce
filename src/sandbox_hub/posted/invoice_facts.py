"""The facts of a posted order's invoice: its goods from the catalog, its buyer from the order, its XML."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime
from decimal import Decimal

from sandbox_hub.catalog.catalog import Catalog
from sandbox_hub.paper.amounts import apportion
from sandbox_hub.paper.document_factory import Authority, event_xml, note_xml
from sandbox_hub.paper.facts import NATIONAL, UNIT, Address, EventFacts, NoteFacts, SaleItem, Taxpayer
from sandbox_hub.posted.invoices import FIRST_INVOICE, Invoice, Invoices
from sandbox_hub.posted.posted_orders import PostedItem, PostedOrder
from sandbox_hub.world.documents.operations import cfop, operation
from sandbox_hub.world.parties.cities import capital_of, city_in
from sandbox_hub.world.parties.products import Taxing
from sandbox_hub.world.parties.tax_ids import tax_id_holds
from sandbox_hub.world.scenarios import Subtype
from sandbox_hub.world.world import Occurrence, World

_GENERIC_NCM = "00000000"  # goods of which the catalog says none
_PAYMENTS = {"CREDIT_CARD": "03", "DEBIT_CARD": "04", "BOLETO": "15", "PIX": "17"}
_OTHER_PAYMENT = "99"
_LONGEST_ORDER_CODE = 15  # xPed
_FIRST_SERIAL = 9_000_000_000  # of protocols; the world's own stay far below
_GTIN = re.compile(r"[0-9]{8}|[0-9]{12,14}", re.ASCII)


class CannotInvoice(ValueError):
    """The order lacks what an invoice needs; its text says what, in Portuguese."""


def items_of(world: World, catalog: Catalog, order: PostedOrder, company: int) -> tuple[SaleItem, ...]:
    """The lines of an order's invoice, with what the catalog says now of their goods.

    Raises CannotInvoice where the order has no buyer to name.
    """
    buyer = recipient(order)
    far = buyer.address.uf != world.cast.companies[company].address.uf
    own = [item.discount_cents for item in order.items]
    # By what is left of each line, not by its gross value: no line is discounted by more than it is worth.
    discounts = apportion(order.discount_cents - sum(own), [item.total_cents for item in order.items], own)
    return tuple(
        replace(_item(catalog, item, far=far, fulfilment=order.fulfilment), discount_cents=discount)
        for item, discount in zip(order.items, discounts, strict=True)
    )


def _item(catalog: Catalog, item: PostedItem, *, far: bool, fulfilment: bool) -> SaleItem:
    sold = catalog.world_goods(item.code)
    taxing = Taxing.RESALE if sold is None else sold.taxing
    operation_code = cfop(Subtype.SALE, taxing, far=far, fulfilment=fulfilment)
    quantity = Decimal(item.amount)
    if sold is not None:
        return SaleItem(
            code=item.code,
            description=sold.description,
            ncm=sold.ncm,
            cfop=operation_code,
            quantity=quantity,
            unit_price_cents=item.unit_cents,
            ean=sold.ean,
            cest=sold.cest,
        )
    product_id = catalog.product_of_code(item.code)
    product = None if product_id is None else catalog.product(product_id)
    if product is None:
        raise CannotInvoice(f"O SKU {item.code[:60]} não está mais cadastrado.")
    sku = next(sku for sku in product["skus"] if sku["partnerId"] == item.code)
    ean = sku.get("ean")
    return SaleItem(
        code=item.code,
        description=sku["title"].strip() or item.code,
        ncm=(product.get("nbm") or {"id": _GENERIC_NCM})["id"].replace(".", ""),
        cfop=operation_code,
        quantity=quantity,
        unit_price_cents=item.unit_cents,
        ean=ean if ean is not None and _GTIN.fullmatch(ean) else None,
        unit=(sku.get("unit") or "").strip() or UNIT,
        origin=int((product.get("origin") or {"id": NATIONAL})["id"]),
    )


def recipient(order: PostedOrder) -> Taxpayer:
    """The buyer as an invoice names it. Raises CannotInvoice where the order does not say who and where."""
    buyer, shipping = order.buyer, order.shipping
    tax_id = re.sub(r"[^0-9A-Za-z]", "", buyer.get("document", "")).upper()
    if not tax_id_holds(tax_id):
        raise CannotInvoice("O pedido não tem um comprador com CPF ou CNPJ válido.")
    if not buyer.get("name", "").strip():
        raise CannotInvoice("O pedido não tem o nome do comprador.")
    uf = shipping.get("state", "").strip().upper()
    capital = capital_of(uf)
    if capital is None:
        raise CannotInvoice("O pedido não tem um endereço de entrega com a sigla de um estado brasileiro.")
    name = shipping.get("city", "").strip()
    place = city_in(uf, name) or capital
    street, _, rest = shipping.get("address", "").partition(",")
    number, _, district = rest.partition(" - ")
    postal_code = re.sub(r"[^0-9]", "", shipping.get("zipCode", ""))
    phone = re.sub(r"[^0-9]", "", buyer.get("phone", ""))
    address = Address(
        street=_long_enough(street, "Endereço não informado"),
        number=number.strip() or "S/N",
        district=_long_enough(district, "Centro"),
        city_code=place.code,
        city=_long_enough(name, place.name),
        uf=uf,
        postal_code=postal_code if len(postal_code) == 8 else place.postal_prefix + "00000",
        phone=phone if 6 <= len(phone) <= 14 else None,
    )
    return Taxpayer(tax_id, buyer["name"].strip(), address)


def note_facts(world: World, invoices: Invoices, order: PostedOrder, invoice: Invoice) -> NoteFacts:
    """The facts of an invoice, which goes out as the marketplace's orders do."""
    numbered = invoice.numbered
    emitter = world.cast.companies[numbered.company]
    issued = invoices.issued_at(numbered)
    marketplace = world.cast.marketplaces[order.marketplace]
    code = order.code
    method = order.payments[0].get("method", "") if order.payments else ""
    return NoteFacts(
        series=numbered.series,
        number=numbered.number,
        code=f"{numbered.code:08d}",
        issued_at=issued,
        operation=operation(Subtype.SALE),
        emitter=emitter,
        recipient=recipient(order),
        items=invoice.items,
        protocol=protocol(world, invoice, 0),
        received_at=issued,
        freight_cents=order.freight_cents,
        other_cents=order.interest_cents,
        freight_mode=2,
        payment=_PAYMENTS.get(method, _OTHER_PAYMENT),
        intermediary=marketplace.intermediary(emitter),
        external_id=f"SALE-{Subtype.SALE}-{order.id}-1",
        order_code=code if len(code) <= _LONGEST_ORDER_CODE else None,
        notes=f"Pedido {code} no marketplace {marketplace.name}. Dúvidas: consulte o vendedor.",
    )


def invoice_xml(
    world: World,
    invoices: Invoices,
    order: PostedOrder,
    invoice: Invoice,
    occurrence: Occurrence,
    authority: Authority,
) -> bytes:
    """The bytes that the hub serves for `occurrence` of an invoice."""
    if occurrence.happening is None:
        return note_xml(note_facts(world, invoices, order, invoice), authority)
    known = datetime.fromtimestamp(occurrence.at, world.zones[invoice.numbered.company])
    event = EventFacts(
        target=invoices.key(invoice),
        code=occurrence.happening.code,
        occurred_at=known,
        author=world.cast.companies[invoice.numbered.company],
        protocol=protocol(world, invoice, occurrence.ordinal),
        received_at=known,
        text=occurrence.happening.text,
        target_protocol=protocol(world, invoice, 0),
        status=occurrence.happening.status,
        recipient=recipient(order),
    )
    return event_xml(event, authority)


def protocol(world: World, invoice: Invoice, ordinal: int) -> str:
    """nProt of its authorization (ordinal 0) or of its cancellation."""
    at = invoice.numbered.issued if ordinal == 0 or invoice.cancelled is None else invoice.cancelled
    company = invoice.numbered.company
    year = datetime.fromtimestamp(at, world.zones[company]).year % 100
    serial = _FIRST_SERIAL + (invoice.index - FIRST_INVOICE) * 8 + ordinal
    return f"1{world.cast.companies[company].address.uf_code}{year:02d}{serial:010d}"


def _long_enough(value: str, otherwise: str) -> str:
    """What the layout takes as a street, a district or a city: two characters at least."""
    return value.strip() if len(value.strip()) > 1 else otherwise
