"""The backoffice's transmissions: lists, one, its price, and the status that the seller's system sets."""

from __future__ import annotations

from typing import Any

import pytest

from tests.sandbox_hub.publications.seller import Seller, shop
from tests.sandbox_hub.web.client import CONTROL, error_of


def test_a_transmission_is_read(seller: Seller, active: dict[str, Any]) -> None:
    record = seller.ok(f"/transmissions/{active['id']}")
    assert record == {name: active[name] for name in record}
    assert (record["price"], record["discountPrice"], record["campaign"]) == (80, 70, "Semana")
    price = seller.ok(f"/transmissions-price/{active['id']}")
    assert price == {
        "id": active["id"],
        "idSku": active["idSku"],
        "skuPartnerId": "SKU-0010",
        "marketplace": "LOJA_VERDE",
        "idInMarketplace": active["idInMarketplace"],
        "publicationStatus": "ACTIVE",
        "price": 80,
        "discountPrice": 70,
        "campaign": "Semana",
        "published": {
            "price": 80,
            "discountPrice": 70,
            "availableAmount": active["availableAmount"],
            "date": "2026-11-01T03:00:00Z",
        },
        "history": [{"since": "2026-11-01T03:00:00Z", "price": 80, "discountPrice": 70, "campaign": "Semana"}],
    }


def test_a_price_has_a_history_by_the_worlds_clock() -> None:
    with shop() as seller:
        item = seller.publish(send=False, price=10)
        assert seller.ok(f"/transmissions-price/{item['id']}")["published"] is None
        seller.move_clock("2026-12-01T00:00:00Z")
        seller.update(item["id"], discountPrice=8, campaign="Natal")
        price = seller.ok(f"/transmissions-price/{item['id']}")
        assert [(moment["since"], moment["discountPrice"], moment["campaign"]) for moment in price["history"]] == [
            ("2026-11-01T03:00:00Z", 10, None),
            ("2026-12-01T00:00:00Z", 8, "Natal"),
        ]
        assert seller.update(item["id"], discountPrice=None, campaign=None)["discountPrice"] == 10
        assert seller.ok(f"/transmissions/{item['id']}")["lastUpdate"] == "2026-12-01T00:00:00Z"


def test_the_list_is_filtered_and_paged() -> None:
    with shop() as seller:
        for number in range(1, 8):
            marketplace = "LOJA_VERDE" if number % 2 else "FEIRA_DIGITAL"
            seller.publish(f"SKU-{number:04d}", marketplace, send=number < 3)
        for item in seller.done(seller.screen("GET", ""))["content"]:
            seller.settled(item["id"])
        everything = seller.all("/transmissions")
        assert [item["skuPartnerId"] for item in everything] == [f"SKU-{number:04d}" for number in range(1, 8)]
        assert seller.ok("/transmissions", limit=5, offset=5)["content"] == everything[5:]
        assert len(seller.all("/transmissions", marketplace="FEIRA_DIGITAL")) == 3
        assert len(seller.all("/transmissions", publicationStatus="ACTIVE")) == 2
        assert seller.all("/transmissions", publicationStatus="ACTIVE", marketplace="LOJA_VERDE") == everything[:1]
        assert seller.all("/transmissions", skuPartnerId="SKU-0004") == everything[3:4]
        assert seller.all("/transmissions", skuPartnerId="SKU") == []
        assert seller.get("/transmissions", limit=4).status_code == 400


def test_the_sellers_system_sets_the_status() -> None:
    with shop() as seller:
        item = seller.published()
        path = f"/transmissions/{item['id']}"
        response = seller.put(path, {"publicationStatus": "PAUSED", "marketplaceStatus": "Paused"})
        assert (response.json()["publicationStatus"], response.json()["marketplaceStatus"]) == ("PAUSED", "Paused")
        seller.settled(item["id"])
        event = seller.events()[-1]
        assert (event["status"], event["updateStatus"], event["updatePrice"]) == ("PAUSED", True, False)
        sent = len(seller.events())
        assert seller.put(path, {"publicationStatus": "PAUSED"}).status_code == 200  # nothing changes
        seller.settled(item["id"])
        assert len(seller.events()) == sent
        assert seller.put(path, {"marketplaceStatus": "active"}).json()["publicationStatus"] == "ACTIVE"
        seller.settled(item["id"])
        assert seller.events()[-1]["status"] == "ACTIVE"
        assert seller.ok(path)["marketplaceStatus"] == "active"  # the marketplace keeps what it was told


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({}, 400),
        ([], 400),
        (None, 400),
        ("ACTIVE", 400),
        ({"status": "ACTIVE"}, 400),
        ({"publicationStatus": None}, 400),
        ({"publicationStatus": 5}, 422),
        ({"publicationStatus": ""}, 422),
        ({"publicationStatus": "x" * 121}, 422),
        ({"publicationStatus": "a\nb"}, 422),
        ({"publicationStatus": "STAND_BY"}, 422),
        ({"publicationStatus": "REMOVED"}, 422),
        ({"publicationStatus": "ACTIVE", "marketplaceStatus": ["x"]}, 422),
    ],
)
def test_a_status_that_is_none_is_refused(seller: Seller, active: dict[str, Any], body: object, status: int) -> None:
    path = f"/transmissions/{active['id']}"
    response = seller.put(path, body)
    assert response.status_code == status
    error_of(response)
    assert seller.shown(active["id"]) == active


def test_half_a_character_is_no_text(seller: Seller, active: dict[str, Any]) -> None:
    half = b'{"marketplaceStatus": "\\ud800"}'
    assert seller.http.put(seller.address + f"/transmissions/{active['id']}", content=half).status_code == 400
    named = b'{"\\ud800": 1}'
    response = seller.http.post(f"{seller.hub.panel}/publications", headers=CONTROL, content=named)
    assert response.status_code == 400
    error_of(response)


def test_what_is_not_there_is_404(seller: Seller, active: dict[str, Any]) -> None:
    for item_id in ("1", "500999", "x", "-1", "9" * 30, "٥"):
        for path in (f"/transmissions/{item_id}", f"/transmissions-price/{item_id}"):
            assert error_of(seller.get(path))["code"] == "NOT_FOUND"
        assert seller.put(f"/transmissions/{item_id}", {"publicationStatus": "ACTIVE"}).status_code == 404
        assert seller.marketplace("GET", f"/skumarketplace/{item_id}").status_code == 404
    not_json = seller.http.put(seller.address + f"/transmissions/{active['id']}", content=b"{")
    assert not_json.status_code == 400


def test_a_strict_hub_takes_no_other_names() -> None:
    with shop(strict_bodies=True) as seller:
        item = seller.published(onlySync=True)
        path = f"/transmissions/{item['id']}"
        good = {"publicationStatus": "ACTIVE", "marketplaceStatus": "Active"}
        assert seller.put(path, good).status_code == 200
        assert seller.put(path, {**good, "id": item["id"]}).status_code == 400
        assert seller.marketplace("PUT", f"/skumarketplace/{item['id']}", {**good, "title": "x"}).status_code == 400
        light = {"price": 5, "title": "x"}
        assert seller.marketplace("PUT", f"/skumarketplace/{item['id']}/priceStock", light).status_code == 400
