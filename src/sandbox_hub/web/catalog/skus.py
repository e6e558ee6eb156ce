"""SKUs and images of a product: their lists, adding one, changing a SKU."""

from __future__ import annotations

from typing import Any

from starlette.responses import Response

from sandbox_hub.web.body_check import check_body
from sandbox_hub.web.catalog.lists import check_same_id, path_number, product_in_path, records_answer
from sandbox_hub.web.catalog.product_bodies import add_image, check_product, write_sku
from sandbox_hub.web.catalog.views import sku_view
from sandbox_hub.web.request_handling import Call
from sandbox_hub.web.responses import answer, created, not_found

_NO_SKU = "SKU não encontrado."


async def list_skus(call: Call) -> Response:
    """GET /products/{productId}/skus."""
    query = call.query(paged=True)
    product = product_in_path(call)
    skus = [sku_view(product, sku) for sku in product["skus"]]
    return records_answer(call, f"/products/{product['id']}/skus", query, skus)


async def create_sku(call: Call) -> Response:
    """POST /products/{productId}/skus."""
    call.query()
    product_in_path(call)
    body = check_body(await call.json_body(), "NewSku")
    return created(_write(call, body, None))


async def change_sku(call: Call) -> Response:
    """PUT /products/{productId}/skus/{id}: only what is sent."""
    call.query()
    _sku(call, product_in_path(call))
    body = check_body(await call.json_body(), "SkuChange")
    sku_id = path_number(call, "id", _NO_SKU)
    check_same_id(body, sku_id)
    return answer(_write(call, body, sku_id))


async def list_images(call: Call) -> Response:
    """GET /products/{productId}/images."""
    query = call.query(paged=True)
    product = product_in_path(call)
    return records_answer(call, f"/products/{product['id']}/images", query, product["images"])


async def create_image(call: Call) -> Response:
    """POST /products/{productId}/images."""
    call.query()
    product_in_path(call)
    body = check_body(await call.json_body(), "NewImage")
    product = product_in_path(call)
    image = add_image(call.environment.catalog, product, body)
    call.environment.catalog.store(product)
    call.environment.save()
    return created(image)


def _write(call: Call, body: dict[str, Any], sku_id: int | None) -> dict[str, Any]:
    """Write a SKU of the path's product, a new one for None; the SKU as it is answered."""
    catalog = call.environment.catalog
    product = product_in_path(call)
    sku = write_sku(catalog, product, body, None if sku_id is None else _sku(call, product))
    check_product(catalog, product)
    catalog.store(product)
    call.environment.save()
    return sku_view(product, sku)


def _sku(call: Call, product: dict[str, Any]) -> dict[str, Any]:
    sku_id = path_number(call, "id", _NO_SKU)
    for sku in product["skus"]:
        if sku["id"] == sku_id:
            found: dict[str, Any] = sku
            return found
    raise not_found(_NO_SKU)
