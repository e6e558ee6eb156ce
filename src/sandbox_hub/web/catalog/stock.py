"""Stock and prices of SKUs (lists, and many written at once: all of them or none) and campaigns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from starlette.responses import Response

from sandbox_hub.catalog.catalog import Catalog
from sandbox_hub.catalog.world_catalog import ProductRecord
from sandbox_hub.web.body_check import check_body
from sandbox_hub.web.catalog.lists import page_answer, records_answer
from sandbox_hub.web.catalog.views import numeric_text, price_view, stock_view
from sandbox_hub.web.orders.order_bodies import moment_of
from sandbox_hub.web.request_handling import Call
from sandbox_hub.web.responses import answer, bad_value, created
from sandbox_hub.world.selection import Handful, Indexes
from sandbox_hub.world.timeline import utc_time

Sku = dict[str, Any]


async def list_stocks(call: Call) -> Response:
    """GET /stocks: of every SKU, in the order of their ids."""
    catalog = call.environment.catalog
    return _list(call, "/stocks", lambda sku: stock_view(catalog, sku))


async def change_stocks(call: Call) -> Response:
    """PUT /stocks: by partnerId or by the SKU's id."""
    call.query()
    items = check_body(await call.json_body(), "StockChanges")

    def write(sku: Sku, item: dict[str, Any]) -> None:
        if item.get("quantity") is not None:
            sku["amount"] = numeric_text(item["quantity"])
        for name in ("cost", "additionalTime"):
            if item.get(name) is not None:
                sku[name] = item[name]

    return answer([stock_view(call.environment.catalog, sku) for sku in _write_all(call, items, write)])


async def list_prices(call: Call) -> Response:
    """GET /prices: of every SKU, in the order of their ids."""
    catalog = call.environment.catalog
    return _list(call, "/prices", lambda sku: price_view(catalog, sku))


async def change_prices(call: Call) -> Response:
    """PUT /prices: by partnerId or by the SKU's id."""
    call.query()
    items = check_body(await call.json_body(), "PriceChanges")

    def write(sku: Sku, item: dict[str, Any]) -> None:
        sku["price"] = float(item["price"])

    written = _write_all(call, items, write)
    return answer([price_view(call.environment.catalog, sku) for sku in written])


async def list_campaigns(call: Call) -> Response:
    """GET /campaigns."""
    query = call.query(paged=True)
    campaigns = [_campaign(record) for record in call.environment.catalog.campaigns.values()]
    return records_answer(call, "/campaigns", query, campaigns)


async def create_campaign(call: Call) -> Response:
    """POST /campaigns."""
    call.query()
    body = check_body(await call.json_body(), "NewCampaign")
    catalog = call.environment.catalog
    start, end = moment_of(body["from"], "from"), moment_of(body["to"], "to")
    if end <= start:
        raise bad_value("O campo to deve ser posterior a from.")
    for code in body["skus"]:
        if catalog.product_of_code(code) is None:
            raise bad_value(f"O SKU {code[:60]} não está cadastrado.")
    skus = list(dict.fromkeys(body["skus"]))
    record = catalog.campaigns.add({**body, "from": start, "to": end, "skus": skus})
    call.environment.follow_catalog()
    call.environment.save()
    return created(_campaign(record))


def _campaign(record: dict[str, Any]) -> dict[str, Any]:
    return {**record, "from": utc_time(record["from"]), "to": utc_time(record["to"])}


def _list(call: Call, path: str, told: Callable[[Sku], dict[str, Any]]) -> Response:
    query = call.query(("partnerId",), paged=True)
    catalog = call.environment.catalog
    indexes: Indexes = catalog.sku_ids
    code = query.values.get("partnerId")
    if code is not None:
        product_id = catalog.product_of_code(code)
        product = None if product_id is None else catalog.product(product_id)
        indexes = Handful([sku["id"] for sku in (product or {"skus": []})["skus"] if sku["partnerId"] == code])
    return page_answer(call, path, query, indexes, lambda sku_id: told(_sku_of_id(catalog, sku_id)))


def _sku_of_id(catalog: Catalog, sku_id: int) -> Sku:
    product_id = catalog.product_of_sku(sku_id)
    assert product_id is not None
    product = catalog.product(product_id)
    assert product is not None
    return _of(product, "id", sku_id)


def _of(product: ProductRecord, name: str, value: Any) -> Sku:
    sku: Sku = next(sku for sku in product["skus"] if sku[name] == value)
    return sku


def _write_all(call: Call, items: list[dict[str, Any]], write: Callable[[Sku, dict[str, Any]], None]) -> list[Sku]:
    """Write each item into the SKU that it names; the SKUs. Nothing is written where one item names none."""
    catalog = call.environment.catalog
    drafts: dict[int, ProductRecord] = {}
    written = []
    for n, item in enumerate(items):
        product_id = _product_named(catalog, item, n)
        if product_id not in drafts:
            product = catalog.product(product_id)
            assert product is not None
            drafts[product_id] = product
        name = "id" if item.get("id") is not None else "partnerId"
        sku = _of(drafts[product_id], name, item[name])
        if item.get("partnerId") not in (None, sku["partnerId"]):
            raise bad_value(f"O item [{n}] tem o id de um SKU e o partnerId de outro.")
        write(sku, item)
        written.append(sku)
    for product in drafts.values():
        catalog.store(product)
    call.environment.save()
    return written


def _product_named(catalog: Catalog, item: dict[str, Any], n: int) -> int:
    code, sku_id = item.get("partnerId"), item.get("id")
    if sku_id is not None:
        owner = catalog.product_of_sku(int(sku_id))
    else:
        owner = None if code is None else catalog.product_of_code(code)
    if owner is None:
        named = "nenhum SKU" if code is None and sku_id is None else f"o SKU {str(sku_id or code)[:60]}"
        raise bad_value(f"O item [{n}] nomeia {named}, que não está cadastrado; nada foi gravado.")
    return owner
