"""The catalog of what a world sells: ids, variable products, what is written in its place."""

from __future__ import annotations

from typing import Any

from sandbox_hub.catalog.catalog import Catalog
from sandbox_hub.catalog.ids import FIRST_WRITTEN, IdRuns
from sandbox_hub.world.timeline import START
from sandbox_hub.world.world import World


def catalog_of(kept: dict[str, Any] | None = None, noted: list[int] | None = None) -> Catalog:
    return Catalog(World(9, 300), 0.0, {} if kept is None else kept, (noted if noted is not None else []).append)


def everything(catalog: Catalog) -> list[dict[str, Any]]:
    products = [catalog.product(product_id) for product_id in catalog.product_ids.page(0, 1_000)]
    assert None not in products
    return [product for product in products if product is not None]


def test_every_good_of_the_world_is_one_sku() -> None:
    catalog = catalog_of()
    products = everything(catalog)
    skus = {sku["partnerId"]: sku for product in products for sku in product["skus"]}
    goods = World(9, 300).goods.products
    assert len(goods) == 240
    assert [skus[product.code]["title"] for product in goods] == [product.description for product in goods]
    assert [skus[product.code]["price"] for product in goods] == [product.price_cents / 100 for product in goods]
    assert sorted(sku["id"] for sku in skus.values()) == catalog.sku_ids.page(0, 1_000)
    for product in products:
        for sku in product["skus"]:
            assert catalog.product_of_code(sku["partnerId"]) == product["id"]
            assert catalog.product_of_sku(sku["id"]) == product["id"]
    assert catalog.product_of_code("SKU-9999") is None
    assert catalog.product_of_sku(5) is None
    assert catalog.product(5) is None


def test_some_products_are_variable() -> None:
    catalog = catalog_of()
    (types,) = [entry["values"] for entry in catalog.variations.values() if entry["name"] == "Cor"]
    variable = [product for product in everything(catalog) if len(product["skus"]) > 1]
    assert len(variable) >= 8
    for product in variable:
        colours = [sku["variations"]["Cor"] for sku in product["skus"]]
        assert len(set(colours)) == len(colours) <= 4
        assert set(colours) <= set(types)
        assert [image["variation"] for image in product["images"]] == colours
        assert [image["main"] for image in product["images"]].count(True) == 1
        assert all(colour in sku["title"].split() for colour, sku in zip(colours, product["skus"], strict=True))
    for product in everything(catalog):
        assert catalog.brands.get(product["brand"]) is not None
        assert catalog.categories.get(product["category"]) is not None


def test_what_is_written_takes_the_place_of_what_was() -> None:
    kept: dict[str, Any] = {}
    noted: list[int] = []
    catalog = catalog_of(kept, noted)
    first, second = everything(catalog)[2:4]
    renamed = {**first, "skus": [{**first["skus"][0], "partnerId": "NEW"}]}
    catalog.store(renamed)
    assert catalog.product_of_code("NEW") == first["id"]
    assert catalog.product_of_code(first["skus"][0]["partnerId"]) is None
    assert noted == [first["id"]]
    catalog.store(renamed)
    assert noted == [first["id"]]  # nothing has changed
    assert catalog.changed_from(START + 1).page(0, 9) == [first["id"]]
    assert len(catalog.changed_from(START)) == len(catalog.product_ids)
    new_id, sku_id = catalog.new_id("product"), catalog.new_id("sku")
    assert new_id == sku_id == FIRST_WRITTEN
    catalog.store({**second, "id": new_id, "skus": [{**second["skus"][0], "id": sku_id, "partnerId": "OTHER"}]})
    assert catalog.product_ids.page(len(catalog.product_ids) - 1, 5) == [new_id]
    assert catalog.sku_ids.page(240, 5) == [sku_id]
    again = catalog_of(kept)
    assert everything(again) == everything(catalog)
    assert again.sku_ids.page(0, 1_000) == catalog.sku_ids.page(0, 1_000)
    assert again.product_of_code("OTHER") == new_id
    assert again.new_id("product") == new_id + 1


def test_a_product_that_was_read_is_a_copy() -> None:
    catalog = catalog_of()
    product = everything(catalog)[0]
    catalog.store({**product, "title": "New"})
    copy = catalog.product(product["id"])
    assert copy is not None
    copy["skus"][0]["price"] = -1
    again = catalog.product(product["id"])
    assert again is not None
    assert again["skus"][0]["price"] == product["skus"][0]["price"]


def test_runs_of_ids_are_one_list() -> None:
    runs = IdRuns([3, 5], range(0), range(10, 13), [20])
    members = [3, 5, 10, 11, 12, 20]
    assert len(runs) == 6
    for offset in range(8):
        for size in range(8):
            assert runs.page(offset, size) == members[offset : offset + size]
    assert [runs.rank(member) for member in members] == list(range(6))
    assert runs.rank(100) == 6
