"""The catalog over HTTP: registered in order, refused with a reason, kept over a restart, true to the invoices."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from jsonschema import Draft202012Validator
from lxml import etree

from tests.loopback import LOOPBACK
from tests.sandbox_hub.web.client import Client, sandbox

NFE = "{http://www.portalfiscal.inf.br/nfe}"


@pytest.fixture(scope="module")
def shop() -> Iterator[Client]:
    with sandbox(documents=120, seed=4) as client:
        yield client


def post(client: Client, path: str, body: Any, status: int = 201) -> Any:
    response = client.http.post(client.address + path, json=body)
    assert response.status_code == status, response.text
    return response.json()


def put(client: Client, path: str, body: Any, status: int = 200) -> Any:
    response = client.put(path, body)
    assert response.status_code == status, response.text
    return response.json()


def registered(client: Client, number: int) -> dict[str, Any]:
    """A brand, a category and a variable product of two SKUs, as they were answered."""
    brand = post(client, "/brands", {"name": f"Marca {number}", "partnerId": f"M{number}"})
    category = post(client, "/categories", {"name": f"Categoria {number}", "partnerId": f"C{number}"})
    post(client, "/variations", {"name": f"Cor {number}", "values": ["azul", "preto"]})
    return post(client, "/products", product(number, brand, category))


def product(number: int, brand: dict[str, Any], category: dict[str, Any]) -> dict[str, Any]:
    """The body of a variable product."""
    return {
        "title": f"Camiseta {number}",
        "description": "Algodão",
        "nbm": {"id": "61091000"},
        "brand": {"id": str(brand["id"]), "name": brand["name"]},
        "origin": {"id": "0"},
        "category": {"id": str(category["id"])},
        "priceFactor": 1.5,
        "calculatedPrice": False,
        "characteristics": [],
        "images": [{"url": "https://img.example/1.jpg", "main": True, "variation": "azul"}],
        "skus": [
            {
                "title": f"Camiseta {number} {colour}",
                "partnerId": f"CAM-{number}-{colour}",
                "ean": None,
                "price": "59.90",
                "amount": "10.0",
                "variations": {f"Cor {number}": colour},
            }
            for colour in ("azul", "preto")
        ],
    }


def test_a_product_is_registered_in_order_and_read_back(shop: Client) -> None:
    made = registered(shop, 1)
    read = shop.ok(f"/products/{made['id']}")
    assert read == made
    assert [sku["partnerId"] for sku in read["skus"]] == ["CAM-1-azul", "CAM-1-preto"]
    first, second = (sku["id"] for sku in read["skus"])
    put(shop, f"/products/{made['id']}/skus/{first}", {"price": 49.9})
    put(shop, "/stocks", [{"partnerId": "CAM-1-preto", "additionalTime": 3}])
    put(shop, "/stocks", [{"id": second, "quantity": 4, "cost": 20.5}])
    post(shop, f"/products/{made['id']}/images", {"url": "https://img.example/2.jpg"})
    skus = {sku["partnerId"]: sku for sku in shop.ok(f"/products/{made['id']}")["skus"]}
    assert float(skus["CAM-1-azul"]["price"]) == 49.9
    assert float(skus["CAM-1-azul"]["amount"]) == 10
    assert (float(skus["CAM-1-preto"]["amount"]), skus["CAM-1-preto"]["additionalTime"]) == (4, 3)
    assert len(shop.ok(f"/products/{made['id']}")["images"]) == 2
    assert made["id"] in {item["id"] for item in shop.ok("/products/feeds")}


@pytest.mark.parametrize(
    ("change", "status", "words"),
    [
        ({"brand": {"id": "999999", "name": "?"}}, 422, "marca"),
        ({"category": {"id": "999999"}}, 422, "categoria"),
        ({"priceFactor": 0}, 422, "priceFactor"),
        ({"name": "x"}, 400, "name"),
        ({"title": None}, 422, "title"),
        ({"skus": [{"partnerId": "N", "price": 1, "title": "N", "variations": {"Sabor": "uva"}}]}, 422, "Sabor"),
        ({"skus": [{"partnerId": "N", "price": 1, "title": "N", "ean": "7891234567890"}]}, 422, "ean"),
    ],
)
def test_what_is_not_registered_or_wrong_is_refused_with_its_name(
    shop: Client, change: dict[str, Any], status: int, words: str
) -> None:
    brand, category = shop.ok("/brands")["content"][0], shop.ok("/categories")["content"][0]
    before = shop.ok("/products", limit=5)["page"]["totalElements"]
    body = product(7, brand, category)
    del body["images"]
    for sku in body["skus"]:
        del sku["variations"]
    body["skus"] = body["skus"][:1]
    response = shop.http.post(f"{shop.address}/products", json={**body, **change})
    assert response.status_code == status, response.text
    assert words in response.text
    assert shop.ok("/products", limit=5)["page"]["totalElements"] == before


def test_stocks_are_written_all_or_none(shop: Client) -> None:
    made = registered(shop, 2)
    items = [{"partnerId": "CAM-2-azul", "quantity": 99}, {"partnerId": "nobody", "quantity": 1}]
    assert shop.put("/stocks", items).status_code in (404, 422)
    assert float(shop.ok(f"/products/{made['id']}")["skus"][0]["amount"]) == 10


def test_lists_are_paged_and_filtered(shop: Client) -> None:
    everything = shop.all("/products")
    assert len({item["id"] for item in everything}) == len(everything) > 10
    code = everything[3]["skus"][0]["partnerId"]
    assert [item["id"] for item in shop.all("/products", partnerId=code)] == [everything[3]["id"]]
    assert shop.get("/products", limit=4).status_code == 400


def test_answers_are_what_the_contract_says(shop: Client) -> None:
    root = shop.address.removesuffix("/v2")
    with httpx.Client(**LOOPBACK) as http:
        operations = http.get(f"{root}/specs/backoffice/en/operations.json").json()
        for operation in operations:
            if operation["method"] == "GET" and "{" not in operation["path"]:
                schema = http.get(f"{root}/{operation['href']}").json()["responses"]["200"]["schema"]
                Draft202012Validator(schema).validate(shop.ok(operation["path"]))


def test_what_was_written_survives_a_restart(tmp_path: Path) -> None:
    state = tmp_path / "state.json"
    with sandbox(documents=40, seed=4, state_file=state) as client:
        made = registered(client, 3)
    with sandbox(documents=40, seed=4, state_file=state) as client:
        assert client.ok(f"/products/{made['id']}") == made


def items_of_invoices(client: Client) -> dict[str, set[tuple[str, str, str, str]]]:
    """What the invoices say of each product: NCM, EAN, origin and unit by code."""
    said: dict[str, set[tuple[str, str, str, str]]] = {}
    for item in client.all("/fiscalDocuments"):
        if item["type"] != "NFE" or "documentKey" not in item:
            continue
        file = client.detail(item)["documents"][0]["path"]["document_item_id"]
        root = etree.fromstring(client.get(f"/fiscalDocuments/download/{file}").content)
        for goods in root.iter(f"{NFE}det"):
            product, origin = goods.find(f"{NFE}prod"), goods.find(f".//{NFE}orig")
            assert product is not None
            assert origin is not None
            values = [product.findtext(f"{NFE}{name}") or "" for name in ("cProd", "NCM", "cEAN", "uCom")]
            said.setdefault(values[0], set()).add((values[1], values[2], origin.text or "", values[3]))
    return said


@pytest.mark.parametrize("share", [0.0, 0.3])
def test_the_catalog_agrees_with_the_invoices_but_where_it_was_planted_wrong(share: float) -> None:
    with sandbox(documents=150, seed=6, catalog_errors=share) as client:
        planted = {each["partnerId"]: each["field"] for each in client.panel("catalog-errors")["content"]}
        invoices = items_of_invoices(client)
        wrong: dict[str, str] = {}
        checked = 0
        for item in client.all("/products"):
            for sku in item["skus"]:
                said = invoices.get(sku["partnerId"])
                if said is None:
                    continue
                checked += 1
                assert len(said) == 1
                ours = (item["nbm"]["id"], sku["ean"], item["origin"]["id"], sku["unit"])
                fields = ("nbm", "ean", "origin", "unit")
                for field, mine, theirs in zip(fields, ours, next(iter(said)), strict=True):
                    if mine != theirs:
                        wrong[sku["partnerId"]] = field
    assert checked > 20
    assert wrong == {code: field for code, field in planted.items() if code in invoices}
    assert bool(wrong) == bool(share)
