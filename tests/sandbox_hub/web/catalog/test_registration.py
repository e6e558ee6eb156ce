"""Registering a catalog in the specification's order, and what is refused where that order is not kept."""

from __future__ import annotations

from typing import Any

from tests.sandbox_hub.web.catalog.bodies import changed, product, registered, sku
from tests.sandbox_hub.web.client import Client, error_of


def refusal(client: Client, path: str, body: Any, status: int = 422) -> str:
    response = client.post(path, body)
    assert response.status_code == status, response.text
    return str(error_of(response)["message"])


def test_a_whole_catalog_in_order(hub: Client) -> None:
    shirts = {"brand": {"id": "10000001", "name": "Jangada"}, "category": {"id": "10000002"}}
    variable = [
        sku("J-AZ-M", variations={"Cor": "azul-mar", "Tamanho": "M"}),
        sku("J-CO-M", variations={"Cor": "coral", "Tamanho": "M"}),
    ]
    assert "marca 10000001 não está cadastrada" in refusal(hub, "/products", product(*variable, **shirts))
    brand = registered(hub, "/brands", {"name": "Jangada", "partnerId": "J"})
    assert brand == {"id": 10000001, "name": "Jangada", "partnerId": "J"}
    assert "categoria 10000002 não está cadastrada" in refusal(hub, "/products", product(*variable, **shirts))
    category = registered(
        hub,
        "/categories",
        {
            "name": "Praia",
            "partnerId": "PRAIA",
            "priceFactor": 1.2,
            "calculatePrice": True,
            "children": [{"id": None, "name": "Camisetas de praia", "partnerId": "PRAIA-1"}],
        },
    )
    assert category["children"] == [{"id": 10000002, "name": "Camisetas de praia", "partnerId": "PRAIA-1"}]
    assert (category["priceFactor"], category["calculatePrice"], category["parentId"]) == (1.2, True, None)
    assert "Cor não tem o valor azul-mar" in refusal(hub, "/products", product(*variable, **shirts))
    registered(hub, "/variations", {"name": "Cor", "values": ["azul-mar", "coral"]})
    images = [
        {"main": True, "url": "https://i.example/1.jpg", "variation": "coral"},
        {"main": True, "url": "https://i.example/2.jpg", "variation": "azul-mar"},
    ]
    created = registered(hub, "/products", product(*variable, images=images, **shirts))
    assert created["brand"] == shirts["brand"]
    assert created["category"] == shirts["category"]
    assert [image["main"] for image in created["images"]] == [True, False]
    assert [entry["variations"]["Cor"] for entry in created["skus"]] == ["azul-mar", "coral"]
    assert [(entry["price"], entry["amount"]) for entry in created["skus"]] == [(189.9, "12.5")] * 2
    assert {entry["idProduct"] for entry in created["skus"]} == {created["id"]}
    path = f"/products/{created['id']}"
    third = registered(hub, f"{path}/skus", sku("J-AZ-G", variations={"Cor": "azul-mar", "Tamanho": "G"}))
    image = registered(hub, f"{path}/images", {"url": "https://i.example/3.jpg"})
    assert image == {"id": 10000003, "main": False, "url": "https://i.example/3.jpg"}
    assert registered(hub, f"{path}/images", {"url": "https://i.example/3.jpg"}) == image
    changed(hub, "/stocks", [{"partnerId": "J-AZ-G", "quantity": 7.25, "cost": 30, "additionalTime": 2}])
    whole = hub.ok(path)
    assert whole["skus"][2] == {**third, "amount": "7.25", "additionalTime": 2}
    assert hub.all("/products", partnerId="J-AZ-G") == [whole]
    assert hub.all(f"{path}/images") == whole["images"]
    assert hub.all(f"{path}/skus") == whole["skus"]
    assert hub.all("/stocks", partnerId="J-AZ-G") == [
        {"id": third["id"], "partnerId": "J-AZ-G", "quantity": 7.25, "cost": 30, "additionalTime": 2}
    ]


def test_a_brand_can_be_meant_by_its_name(hub: Client) -> None:
    registered(hub, "/brands", {"name": "Jangada"})
    created = registered(hub, "/products", product(brand={"name": "Jangada"}))
    assert created["brand"] == {"id": "10000001", "name": "Jangada"}
    assert "Catamarã não está cadastrada" in refusal(hub, "/products", product(brand={"name": "Catamarã"}))
    assert changed(hub, "/brands/10000001", {"name": "Jangada Azul"})["name"] == "Jangada Azul"
    assert hub.ok(f"/products/{created['id']}")["brand"]["name"] == "Jangada Azul"


def test_a_code_is_registered_once(hub: Client) -> None:
    registered(hub, "/products", product())
    for body in (product(), product(sku("SKU-0001")), product(sku("X"), sku("X"))):
        assert "Já existe um SKU com partnerId" in refusal(hub, "/products", body)
    assert "REDE-01" in refusal(hub, "/products/1003/skus", sku())
    for path, known in (("/brands", {"partnerId": "MARCA-01"}), ("/brands", {"name": "Aurora"})):
        assert "Já existe" in refusal(hub, path, {"name": "Nova", **known})
    assert "Já existe" in refusal(hub, "/categories", {"name": "Nova", "partnerId": "CAT-01"})
    repeated = [{"name": "a", "partnerId": "C"}, {"name": "b", "partnerId": "C"}]
    assert "repetido" in refusal(hub, "/categories", {"name": "Nova", "children": repeated})
    # Nothing of what was refused is there.
    assert hub.all("/brands")[-1]["id"] == 8
    assert hub.all("/products")[-1]["skus"][0]["partnerId"] == "REDE-01"


def test_variations_tell_the_skus_apart(hub: Client) -> None:
    blue, green = ({"variations": {"Cor": colour}} for colour in ("azul", "verde"))
    for skus, words in (
        ([sku("A", **blue), sku("B", **blue)], "as mesmas variações"),
        ([sku("A", **blue), sku("B")], "os mesmos tipos de variação"),
        ([sku("A", **blue), sku("B", variations={"Tamanho": "M"})], "os mesmos tipos de variação"),
        ([sku("A", variations={"Voltagem": "110V"})], "Voltagem não está cadastrada"),
    ):
        assert words in refusal(hub, "/products", product(*skus))
    image = {"url": "https://i.example/1.jpg", "variation": "preto"}
    assert "Nenhum SKU" in refusal(hub, "/products", product(sku("A", **blue), images=[image]))
    assert "Nenhum SKU" in refusal(hub, "/products", product(images=[image]))
    created = registered(hub, "/products", product(sku("A", **blue), sku("B", **green)))
    path = f"/products/{created['id']}"
    assert "as mesmas" in refusal(hub, f"{path}/skus", sku("C", **green))
    response = hub.put(f"{path}/skus/{created['skus'][0]['id']}", green)
    assert (response.status_code, "as mesmas" in error_of(response)["message"]) == (422, True)
    assert hub.ok(path)["skus"] == created["skus"]


def test_a_category_is_never_below_itself(hub: Client) -> None:
    middle = registered(hub, "/categories", {"name": "Meio", "parentId": 1})
    below = registered(hub, "/categories", {"name": "Baixo", "parentId": middle["id"]})
    for record_id, body in (
        (1, {"parentId": below["id"]}),
        (1, {"parentId": 1}),
        (below["id"], {"children": [{"id": 1}]}),
        (below["id"], {"children": [{"id": below["id"]}]}),
    ):
        response = hub.put(f"/categories/{record_id}", body)
        assert response.status_code == 422, body
        assert "abaixo dela mesma" in error_of(response)["message"]
    response = hub.put(f"/categories/{below['id']}", {"parentId": 999})
    assert "999 não está cadastrada" in error_of(response)["message"]
    moved = changed(hub, f"/categories/{below['id']}", {"parentId": None, "children": [{"id": middle["id"]}]})
    assert moved["parentId"] is None
    assert [child["name"] for child in moved["children"]] == ["Meio"]
