"""What the catalog says of what is sold, against the items of every invoice of its world."""

from __future__ import annotations

from typing import Any

import pytest

from sandbox_hub.catalog.catalog import Catalog
from sandbox_hub.catalog.planted_errors import FIELDS
from sandbox_hub.world.anomalies.spec import read_spec
from sandbox_hub.world.documents.nfe_facts import note_facts
from sandbox_hub.world.scenarios import Subtype
from sandbox_hub.world.world import World

_NOTES = [subtype for subtype in Subtype if subtype not in (Subtype.FREIGHT, Subtype.VOIDING)]
_REFUSED_IN_PART = "R-"  # items of a partial refusal: a code of their own, for nothing that is sold


def world_of(seed: int, documents: int) -> World:
    return World(seed, documents, forget=True, lies=read_spec("all"))


def catalog_of(world: World, share: float = 0.0) -> Catalog:
    return Catalog(world, share, {}, lambda _: None)


def invoiced(world: World) -> dict[str, set[tuple[str, str, str, str]]]:
    """NCM, EAN, origin and unit of every item on the world's invoices, by code."""
    seen: dict[str, set[tuple[str, str, str, str]]] = {}
    for index in range(world.documents):
        if world.place(index).subtype in _NOTES:
            for item in note_facts(world, index).items:
                if not item.code.startswith(_REFUSED_IN_PART):
                    fields = (item.ncm, item.ean or "", str(item.origin), item.unit)
                    seen.setdefault(item.code, set()).add(fields)
    return seen


def described(catalog: Catalog, code: str) -> tuple[str, str, str, str]:
    product_id = catalog.product_of_code(code)
    assert product_id is not None, code
    product = catalog.product(product_id)
    assert product is not None
    sku = next(sku for sku in product["skus"] if sku["partnerId"] == code)
    return product["nbm"]["id"], sku["ean"], product["origin"]["id"], sku["unit"]


@pytest.mark.parametrize(("seed", "documents"), [(1, 2_500), (9, 700)])
def test_catalog_and_invoices_agree(seed: int, documents: int) -> None:
    world = world_of(seed, documents)
    catalog = catalog_of(world)
    seen = invoiced(world)
    assert len(seen) > 200
    for code, fields in seen.items():
        assert fields == {described(catalog, code)}, code
    assert list(catalog.errors()) == []


def test_lots_that_only_one_story_sells_are_in_the_catalog() -> None:
    world = world_of(1, 12_000)
    catalog = catalog_of(world)
    lots = catalog.product_ids.page(len(world.goods.products) - 60, 1_000)
    sold = {
        line.product
        for story, cycle in world.planted.stories_of("R16")
        for seat in world.deck.seats_of[story]
        for line in world.goods.basket(seat, cycle).lines
    }
    assert len(sold) > 10
    for goods in sold:
        assert catalog.product_of_code(goods.code) in lots
        assert described(catalog, goods.code) == (goods.ncm, goods.ean, "0", "UN")
    ids = catalog.product_ids.page(0, 10_000)
    assert len([product_id for product_id in ids if product_id > 100_000]) == len(sold)


def test_planted_errors_are_exactly_those_that_are_listed() -> None:
    world = world_of(1, 2_500)
    catalog = catalog_of(world, 0.1)
    seen = invoiced(world)
    found: set[tuple[str, str, str, str]] = set()
    for code, fields in seen.items():
        ((*right,),) = fields
        for field, stated, said in zip(FIELDS, described(catalog, code), right, strict=True):
            if stated != said:
                found.add((code, field, stated, said))
    listed = {tuple_of(error) for error in catalog.errors() if error["partnerId"] in seen}
    assert found == listed
    assert {field for _, field, _, _ in found} == set(FIELDS)
    products = {error["productId"] for error in catalog.errors()}
    assert 10 <= len(products) <= 40  # a tenth of about 215


def test_the_same_seed_plants_the_same_errors() -> None:
    first, again = (list(catalog_of(world_of(4, 300), 0.2).errors()) for _ in range(2))
    other = list(catalog_of(world_of(5, 300), 0.2).errors())
    assert first == again != other
    assert len(list(catalog_of(world_of(4, 300), 1.0).errors())) >= len(catalog_of(world_of(4, 300)).product_ids)


def test_what_a_client_corrects_is_listed_no_more() -> None:
    catalog = catalog_of(world_of(4, 300), 0.2)
    wrong = next(error for error in catalog.errors() if error["field"] == "nbm")
    product = catalog.product(wrong["productId"])
    assert product is not None
    right = wrong["invoices"]
    for written in (right, f"{right[:4]}.{right[4:6]}.{right[6:]}"):
        catalog.store({**product, "nbm": {"id": written}})
        assert wrong["productId"] not in {error["productId"] for error in catalog.errors()}
    catalog.store(product)
    assert wrong in list(catalog.errors())


def tuple_of(error: dict[str, Any]) -> tuple[str, str, str, str]:
    return error["partnerId"], error["field"], error["catalog"], error["invoices"]
