"""POST /orders: an order comes to the hub, as a marketplace creates it.

The specification shows the order's fields and not which of them are needed: items alone are (each with its SKU and
amount). What is not said is worked out (prices from the catalog, sums from the items); what is said must agree with
the rest to the centavo, else it is 422. A buyer and an address are only needed for an invoice.
"""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from starlette.responses import Response

from sandbox_hub.environment import Environment
from sandbox_hub.posted.posted_orders import PostedItem, PostedOrder
from sandbox_hub.web.body_check import check_body
from sandbox_hub.web.orders.order_bodies import moment_of
from sandbox_hub.web.orders.order_updates import read_invoice, read_tracking
from sandbox_hub.web.orders.order_views import order_view
from sandbox_hub.web.request_handling import Call
from sandbox_hub.web.responses import bad_request, bad_value, created
from sandbox_hub.world.filters import OrderQuery
from sandbox_hub.world.orders.order_changes import Change
from sandbox_hub.world.orders.order_lifecycle import Status
from sandbox_hub.world.parties.tax_ids import tax_id_holds
from sandbox_hub.world.timeline import DAY, utc_time

_TEXTS = ("partnerId", "marketPlaceId", "marketPlaceStatus", "marketPlaceShipmentStatus")
_INVOICED = (Status.INVOICED, Status.PAID_WAITING_DELIVERY, Status.CONCLUDED)
_SHIPPED = (Status.PAID_WAITING_DELIVERY, Status.CONCLUDED)
_MOST_CENTS = 10**11
Body = dict[str, Any]


async def create_order(call: Call) -> Response:
    """POST /orders: 201 with the order in full."""
    call.query()
    body = _without_nulls(check_body(await call.json_body(), "NewOrder"))
    environment = call.environment
    order = _read(environment, body)
    environment.post(order, _first_change(environment, order, body))
    environment.save()
    return created(order_view(environment, order))


def _read(environment: Environment, body: Body) -> PostedOrder:
    now = environment.world.now
    placed = moment_of(body["createdAt"], "createdAt") if "createdAt" in body else now
    if placed > now + DAY:
        raise bad_value("O campo createdAt está no futuro.")
    items = tuple(_item(environment, given, f"items[{n}]") for n, given in enumerate(body["items"]))
    lines = sum(item.discount_cents for item in items)
    gross = sum(item.gross_cents for item in items)
    discount = _cents(body.get("discount"), lines)
    if not lines <= discount <= gross:
        raise bad_value("O campo discount deve ser no mínimo a soma dos descontos dos itens e no máximo o valor bruto.")
    if gross > _MOST_CENTS:
        raise bad_value("O valor dos itens é grande demais.")
    order = PostedOrder(
        id=environment.orders.posted.next_id(),
        posted=now,
        created=min(placed, now),
        status=Status(body.get("status", Status.PENDING)),
        marketplace=_marketplace(environment, body.get("marketPlace")),
        items=items,
        discount_cents=discount,
        freight_cents=_cents(body.get("freight"), 0),
        interest_cents=_cents(body.get("interestValue"), 0),
        fulfilment=body.get("fulfillment", False),
        texts={name: body[name] for name in _TEXTS if body.get(name)},
        buyer=_buyer(body.get("buyer", {})),
        shipping=body.get("shipping", {}),
        payments=tuple(body.get("payments", ())),
    )
    _agree("gross", body.get("gross"), order.gross_cents)
    _agree("total", body.get("total"), order.total_cents)
    _check_code(environment, order, body)
    return order


def _item(environment: Environment, given: Body, path: str) -> PostedItem:
    code = given["sku"]["partnerId"]
    product_id = environment.catalog.product_of_code(code)
    product = None if product_id is None else environment.catalog.product(product_id)
    if product is None:
        raise bad_value(f"{path}: o SKU {code[:60]} não está cadastrado.", "Cadastre-o antes com POST /products.")
    price = next(sku["price"] for sku in product["skus"] if sku["partnerId"] == code)
    unit = given.get("unit", given.get("price", price))
    amount = Decimal(repr(given["amount"])).quantize(Decimal("0.0001"), ROUND_HALF_UP).normalize()
    if amount <= 0:
        raise bad_value(f"O campo {path}.amount deve ter no máximo quatro casas decimais e ser maior que 0.")
    item = PostedItem(code, format(amount, "f"), _cents(unit, 0), _cents(given.get("discount"), 0))
    if item.discount_cents > item.gross_cents:
        raise bad_value(f"O campo {path}.discount é maior que o valor do item.")
    _agree(f"{path}.gross", given.get("gross"), item.gross_cents)
    _agree(f"{path}.total", given.get("total"), item.total_cents)
    return item


def _agree(name: str, told: float | None, right: int) -> None:
    if told is not None and _cents(told, 0) != right:
        raise bad_value(f"O campo {name} não confere com os itens.", f"Esperado: {right / 100:.2f}")


def _marketplace(environment: Environment, name: str | None) -> int:
    names = environment.world.marketplaces
    if name is None:
        return 0
    if name not in names:
        raise bad_value(f"Valor inválido para marketPlace: {name[:60]}.", "Aceitos: " + ", ".join(names))
    return names.index(name)


def _buyer(given: Body) -> dict[str, str]:
    document = given.get("document", "")
    plain = "".join(letter for letter in document if letter.isalnum())
    if given.get("documentType") in ("CPF", "CNPJ") and not tax_id_holds(plain):
        raise bad_value("O campo buyer.document não é um CPF ou CNPJ válido.", "O dígito verificador não confere.")
    return given


def _check_code(environment: Environment, order: PostedOrder, body: Body) -> None:
    """The marketplace's own number is there once: a second posting of the same order is refused."""
    if "marketPlaceNumber" in body and body["marketPlaceNumber"] != order.code:
        raise bad_value("O campo marketPlaceNumber deve ser igual a marketPlaceId.")
    query = OrderQuery(marketplace=environment.world.marketplaces[order.marketplace], marketplace_id=order.code)
    known = environment.orders.posted.of_code(order.marketplace, order.code)
    if known is not None or len(environment.orders.select(query)):
        raise bad_value(f"Já existe um pedido com marketPlaceId {order.code[:60]} neste marketplace.")


def _first_change(environment: Environment, order: PostedOrder, body: Body) -> Change | None:
    """The invoice and the tracking that came with the order."""
    now = environment.world.now
    invoice = read_invoice(body["invoice"], now) if body.get("invoice") else None
    tracking = read_tracking(body.get("tracking", {}))
    if order.status in _INVOICED and invoice is None:
        raise bad_request(f"O campo invoice é obrigatório para um pedido em {order.status}.")
    if order.status in _SHIPPED and "shippedDate" not in tracking:
        tracking["shippedDate"] = tracking.get("date", utc_time(now))
    return Change(now, None, invoice, tracking) if invoice or tracking else None


def _cents(value: float | None, otherwise: int) -> int:
    """Centavos of an amount in reais, rounded half up."""
    if value is None:
        return otherwise
    return int((Decimal(repr(value)) * 100).quantize(Decimal(1), ROUND_HALF_UP))


def _without_nulls(value: Any) -> Any:
    """A copy in which what is null is not there; a text that is empty says nothing either."""
    if isinstance(value, dict):
        return {name: _without_nulls(entry) for name, entry in value.items() if entry is not None and entry != ""}
    return [_without_nulls(entry) for entry in value] if isinstance(value, list) else value
