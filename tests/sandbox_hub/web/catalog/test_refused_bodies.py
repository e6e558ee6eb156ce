"""What the catalog's writes refuse: wrong and missing names with 400, wrong values with 422, unknown ids with 404."""

from __future__ import annotations

from typing import Any

import pytest

from tests.sandbox_hub.web.catalog.bodies import product, sku
from tests.sandbox_hub.web.client import Client, error_of

_SKU_PATH = "/products/1001/skus/1001"
_CAMPAIGN = {
    "name": "Semana",
    "from": "2026-03-09T00:00:00Z",
    "to": "2026-03-16T00:00:00Z",
    "discountPercent": 15,
    "skus": ["SKU-0001"],
}


def without(body: dict[str, Any], name: str) -> dict[str, Any]:
    return {field: value for field, value in body.items() if field != name}


WRONG_NAMES = [
    ("POST", "/products", {**without(product(), "title"), "name": "Rede"}, "desconhecido: name"),
    ("POST", "/products", product(nbm={"code": "1"}), "nbm tem um campo desconhecido: code"),
    ("POST", "/products", product(sku(stock=1)), "skus[0] tem um campo desconhecido: stock"),
    ("POST", "/products", product(images=[{"link": "x"}]), "images[0] tem um campo desconhecido: link"),
    ("POST", "/products", without(product(), "title"), "campo title"),
    ("POST", "/products", without(product(), "brand"), "campo brand"),
    ("POST", "/products", without(product(), "category"), "campo category"),
    ("POST", "/products", without(product(), "priceFactor"), "campo priceFactor"),
    ("POST", "/products", without(product(), "skus"), "campo skus"),
    ("POST", "/products", product(brand={}), "um destes campos: id, name"),
    ("POST", "/products", product(without(sku(), "price")), "skus[0] deve conter o campo price"),
    ("POST", "/products", [product()], "um objeto"),
    ("PUT", "/products/1001", {}, "ao menos um campo"),
    ("PUT", "/products/1001", {"name": "x"}, "desconhecido: name"),
    ("POST", "/products/1001/skus", without(sku(), "partnerId"), "campo partnerId"),
    ("PUT", _SKU_PATH, {"preco": 3}, "desconhecido: preco"),
    ("PUT", _SKU_PATH, {}, "ao menos um campo"),
    ("POST", "/products/1001/images", {"link": "https://i.example/1.jpg"}, "desconhecido: link"),
    ("POST", "/products/1001/images", {}, "campo url"),
    ("PUT", "/stocks", {"partnerId": "SKU-0001", "quantity": 1}, "uma lista"),
    ("PUT", "/stocks", [{"partnerId": "SKU-0001"}], "quantity, cost, additionalTime"),
    ("PUT", "/stocks", [{"quantity": 1}], "id, partnerId"),
    ("PUT", "/stocks", [{"partnerId": "SKU-0001", "amount": "1"}], "[0] tem um campo desconhecido: amount"),
    ("PUT", "/prices", [{"partnerId": "SKU-0001"}], "campo price"),
    ("POST", "/brands", {"partnerId": "x"}, "campo name"),
    ("POST", "/brands", {"title": "x"}, "desconhecido: title"),
    ("PUT", "/brands/1", {}, "ao menos um campo"),
    ("POST", "/categories", {"name": "x", "children": [{"partnerId": "y"}]}, "id, name"),
    ("POST", "/categories", {}, "campo name"),
    ("PUT", "/categories/1", {"factor": 1}, "desconhecido: factor"),
    ("POST", "/variations", {"name": "Cor"}, "campo values"),
    ("POST", "/campaigns", without(_CAMPAIGN, "skus"), "campo skus"),
]
WRONG_VALUES = [
    ("POST", "/products", product(priceFactor=0), "priceFactor deve ser maior que 0"),
    ("POST", "/products", product(priceFactor=-1), "priceFactor"),
    ("POST", "/products", product(priceFactor="1"), "priceFactor deve ser um número"),
    ("POST", "/products", product(id=7), "id deve ser null"),
    ("POST", "/products", product(title=""), "title"),
    ("POST", "/products", product(title=None), "title"),
    ("POST", "/products", product(title="x" * 201), "no máximo 200"),
    ("POST", "/products", product(skus=[]), "skus deve ter no mínimo 1"),
    ("POST", "/products", product(nbm={"id": "6307909"}), "nbm.id"),
    ("POST", "/products", product(origin={"id": "9"}), "origin.id"),
    ("POST", "/products", product(brand={"id": "x"}), "brand.id"),
    ("POST", "/products", product(brand={"id": None}), "marca"),
    ("POST", "/products", product(category={"id": "999"}), "categoria 999"),
    ("POST", "/products", product(weight=-1), "weight"),
    ("POST", "/products", product(weight=True), "weight deve ser um número"),
    ("POST", "/products", product(warrantyTime="três"), "warrantyTime"),
    ("POST", "/products", product(images=[{"url": "rede.jpg"}]), "images[0].url"),
    ("POST", "/products", product(sku(price="12,50")), "skus[0].price"),
    ("POST", "/products", product(sku(price=-1)), "skus[0].price"),
    ("POST", "/products", product(sku(amount="muitos")), "skus[0].amount"),
    ("POST", "/products", product(sku(amount=True)), "skus[0].amount"),
    ("POST", "/products", product(sku(idProduct=1001)), "idProduct"),
    ("POST", "/products", product(sku(additionalTime=1.5)), "additionalTime deve ser um número inteiro"),
    ("POST", "/products", product(sku(variations={"Cor": 3})), "variations.Cor"),
    *(
        ("POST", "/products", product(sku(ean=ean)), "GTIN")
        for ean in ("7891000315508", "12345678", "123456789013", "17891000315505")
    ),
    ("PUT", "/products/1001", {"id": 1002}, "id que está no endereço"),
    ("PUT", "/products/1001", {"priceFactor": 0}, "priceFactor"),
    ("PUT", "/products/1001", {"skus": [{"partnerId": "NOVO"}]}, "precisa de title e price"),
    ("PUT", "/products/1001", {"skus": [{"id": 1002, "partnerId": "SKU-0002"}]}, "não tem o SKU 1002"),
    ("PUT", _SKU_PATH, {"partnerId": "SKU-0002"}, "Já existe um SKU"),
    ("PUT", _SKU_PATH, {"price": None}, "price"),
    ("PUT", _SKU_PATH, {"id": 1002}, "id que está no endereço"),
    ("PUT", _SKU_PATH, {"idProduct": 1002}, "idProduct"),
    ("PUT", "/stocks", [], "no mínimo 1"),
    ("PUT", "/stocks", [{"partnerId": "SKU-0001", "quantity": 1}] * 1001, "no máximo 1000"),
    ("PUT", "/stocks", [{"partnerId": "SKU-0001", "quantity": "1"}], "[0].quantity"),
    ("PUT", "/stocks", [{"partnerId": "SKU-0001", "additionalTime": -1}], "[0].additionalTime"),
    ("PUT", "/stocks", [{"partnerId": "SKU-9999", "quantity": 1}], "SKU-9999"),
    ("PUT", "/stocks", [{"partnerId": None, "quantity": 1}], "nenhum SKU"),
    ("PUT", "/stocks", [{"id": 1002, "partnerId": "SKU-0001", "quantity": 1}], "partnerId de outro"),
    ("PUT", "/stocks", [{"id": 5, "quantity": 1}], "o SKU 5"),
    ("PUT", "/prices", [{"partnerId": "SKU-0001", "price": "x"}], "[0].price"),
    ("POST", "/brands", {"name": 5}, "name deve ser um texto"),
    ("POST", "/categories", {"name": "x", "priceFactor": 0}, "priceFactor"),
    ("POST", "/categories", {"name": "x", "children": [{"id": 999}]}, "999 não está cadastrada"),
    ("POST", "/categories", {"name": "x", "children": [{"id": None}]}, "children[0]"),
    ("PUT", "/categories/1", {"children": "x"}, "children deve ser uma lista ou null"),
    ("POST", "/variations", {"name": "Cor", "values": []}, "values"),
    ("POST", "/campaigns", {**_CAMPAIGN, "discountPercent": 0}, "discountPercent"),
    ("POST", "/campaigns", {**_CAMPAIGN, "discountPercent": 100}, "discountPercent deve ser menor que 100"),
    ("POST", "/campaigns", {**_CAMPAIGN, "to": _CAMPAIGN["from"]}, "posterior"),
    ("POST", "/campaigns", {**_CAMPAIGN, "from": "2026-03-09"}, "from"),
    ("POST", "/campaigns", {**_CAMPAIGN, "skus": ["SKU-9999"]}, "SKU-9999"),
]
NOT_THERE = [
    ("PUT", "/products/5", {"title": "x"}),
    ("PUT", "/products/x", {"title": "x"}),
    ("GET", "/products/5", None),
    ("GET", "/products/5/skus", None),
    ("GET", "/products/5/images", None),
    ("POST", "/products/5/skus", sku()),
    ("POST", "/products/5/images", {"url": "https://i.example/1.jpg"}),
    ("PUT", "/products/1001/skus/1002", {"price": 1}),
    ("PUT", "/products/1002/skus/1001", {"price": 1}),
    ("PUT", "/products/1001/skus/x", {"price": 1}),
    ("PUT", "/brands/999", {"name": "x"}),
    ("PUT", "/categories/999", {"name": "x"}),
]


@pytest.mark.parametrize(("method", "path", "body", "words"), WRONG_NAMES)
def test_a_wrong_or_missing_name_is_400_and_named(
    shared: Client, method: str, path: str, body: Any, words: str
) -> None:
    response = shared.http.request(method, shared.address + path, json=body)
    assert (response.status_code, error_of(response)["code"]) == (400, "BAD_REQUEST"), response.text
    assert words in error_of(response)["message"]


@pytest.mark.parametrize(("method", "path", "body", "words"), WRONG_VALUES)
def test_a_wrong_value_is_422_and_named(shared: Client, method: str, path: str, body: Any, words: str) -> None:
    response = shared.http.request(method, shared.address + path, json=body)
    assert (response.status_code, error_of(response)["code"]) == (422, "UNPROCESSABLE_ENTITY"), response.text
    assert words in error_of(response)["message"]


@pytest.mark.parametrize(("method", "path", "body"), NOT_THERE)
def test_what_is_not_there_is_404(shared: Client, method: str, path: str, body: Any) -> None:
    response = shared.http.request(method, shared.address + path, json=body)
    assert (response.status_code, error_of(response)["code"]) == (404, "NOT_FOUND"), response.text


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b'{"name": "\\ud800"}', b'{"name": NaN}', b'{"name": 1e999}', b'{"name": "' + b"x" * 1_000_001 + b'"}'],
)
def test_what_is_no_json_is_400(shared: Client, content: bytes) -> None:
    response = shared.http.post(shared.address + "/brands", content=content)
    assert response.status_code == 400
    error_of(response)


def test_nothing_that_was_refused_has_changed_anything(shared: Client) -> None:
    """The last test of this file: after all of the above."""
    assert shared.ok("/monitoring")["products"] == shared.ok("/products")["page"]["totalElements"]
    assert shared.ok("/products/feeds") == []
    assert shared.ok("/campaigns")["content"] == []
    assert len(shared.all("/brands")) == 8
    assert len(shared.all("/categories")) == 18
    assert len(shared.all("/variations")) == 2
