"""Products: the list, one product, registering and changing."""

from __future__ import annotations

from typing import Any

from starlette.responses import Response

from sandbox_hub.web.body_check import check_body
from sandbox_hub.web.catalog.lists import check_same_id, page_answer, product_in_path
from sandbox_hub.web.catalog.product_bodies import new_product, write_product
from sandbox_hub.web.catalog.views import product_view
from sandbox_hub.web.request_handling import Call
from sandbox_hub.web.responses import answer, created
from sandbox_hub.world.selection import Handful, Indexes


async def list_products(call: Call) -> Response:
    """GET /products: in the order of their ids; those with a SKU of this code, or changed at that time or later."""
    query = call.query(("partnerId", "changedAfter"), paged=True)
    catalog = call.environment.catalog
    changed_from = query.first_second("changedAfter")
    indexes: Indexes = catalog.product_ids if changed_from is None else catalog.changed_from(changed_from)
    code = query.values.get("partnerId")
    if code is not None:
        owner = catalog.product_of_code(code)
        indexes = Handful([] if owner is None or indexes.rank(owner) == indexes.rank(owner + 1) else [owner])

    def told(product_id: int) -> dict[str, Any]:
        product = catalog.product(product_id)
        assert product is not None
        return product_view(catalog, product)

    return page_answer(call, "/products", query, indexes, told)


async def one_product(call: Call) -> Response:
    """GET /products/{id}."""
    call.query()
    return answer(product_view(call.environment.catalog, product_in_path(call, "id")))


async def create_product(call: Call) -> Response:
    """POST /products."""
    call.query()
    body = check_body(await call.json_body(), "NewProduct")
    catalog = call.environment.catalog
    catalog.store(record := new_product(catalog, body))
    call.environment.save()
    return created(_now(call, record["id"]))


async def change_product(call: Call) -> Response:
    """PUT /products/{id}: what is not sent stays; SKUs are changed or added, images and characteristics replaced."""
    call.query()
    product_in_path(call, "id")
    body = check_body(await call.json_body(), "ProductChange")
    record = product_in_path(call, "id")
    check_same_id(body, record["id"])
    catalog = call.environment.catalog
    write_product(catalog, record, body)
    catalog.store(record)
    call.environment.save()
    return answer(_now(call, record["id"]))


def _now(call: Call, product_id: int) -> dict[str, Any]:
    product = call.environment.catalog.product(product_id)
    assert product is not None
    return product_view(call.environment.catalog, product)
