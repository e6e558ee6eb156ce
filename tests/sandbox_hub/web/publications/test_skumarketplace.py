"""What the middleware reads of a publication and reports about it, called here in its place."""

from __future__ import annotations

from typing import Any

import pytest

from tests.sandbox_hub.publications.seller import Seller, shop
from tests.sandbox_hub.web.client import error_of


def test_the_record_has_the_specifications_fields(seller: Seller, active: dict[str, Any]) -> None:
    record = seller.marketplace("GET", f"/skumarketplace/{active['id']}").json()
    shown = {name: record[name] for name in ("id", "skuInMarketplace", "idInMarketplace", "price", "discountPrice")}
    assert shown == {
        "id": active["id"],
        "skuInMarketplace": "SKU-0010",
        "idInMarketplace": active["idInMarketplace"],
        "price": 80,
        "discountPrice": 70,
    }
    assert record["availableAmount"] == active["availableAmount"]


def test_before_the_marketplace_names_it_the_record_is_whole() -> None:
    with shop() as seller:
        item = seller.publish(send=False)
        record = seller.marketplace("GET", f"/skumarketplace/{item['id']}").json()
        assert (record["skuInMarketplace"], record["idInMarketplace"]) == (None, "")
        assert record["discountPrice"] == record["price"]


def test_a_report_is_seen_at_once_and_calls_no_hook() -> None:
    with shop() as seller:
        item = seller.published()
        path = f"/skumarketplace/{item['id']}"
        record = seller.marketplace("GET", path).json()
        report = {**record, "marketplaceStatus": "Under review", "publicationStatus": "UNPUBLISHED"}
        answered = seller.marketplace("PUT", path, report | {"idInMarketplace": "M-9", "skuInMarketplace": "K-9"})
        assert answered.status_code == 200
        assert answered.json() == seller.marketplace("GET", path).json()
        shown = seller.shown(item["id"])
        assert [shown[name] for name in ("publicationStatus", "marketplaceStatus", "idInMarketplace")] == [
            "UNPUBLISHED",
            "Under review",
            "M-9",
        ]
        assert (shown["skuInMarketplace"], shown["waiting"], len(shown["hooks"])) == ("K-9", False, 2)
        seller.feed_ids("transmissions")
        assert seller.marketplace("PUT", path, {"marketplaceStatus": "Under review"}).status_code == 200
        assert seller.feed_ids("transmissions") == []  # nothing is new
        assert seller.marketplace("PUT", path, {"marketplaceStatus": "ACTIVE"}).status_code == 200
        assert seller.shown(item["id"])["publicationStatus"] == "ACTIVE"
        assert seller.feed_ids("transmissions") == [item["id"]]


def test_price_and_stock_are_what_the_marketplace_shows() -> None:
    with shop() as seller:
        item = seller.published(onlySync=True, price=80)
        path = f"/skumarketplace/{item['id']}/priceStock"
        seller.feed_ids("transmissions-price")
        body = {
            "id": item["id"],
            "skuInMarketplace": "K-1",
            "idInMarketplace": "M-1",
            "price": 79.9,
            "discountPrice": 59.9,
            "availableAmount": 2,
        }
        assert seller.marketplace("PUT", path, body).status_code == 200
        price = seller.ok(f"/transmissions-price/{item['id']}")
        assert (price["price"], price["idInMarketplace"]) == (80, "M-1")  # the seller's own price stays
        assert (price["published"]["price"], price["published"]["discountPrice"]) == (79.9, 59.9)
        assert price["published"]["availableAmount"] == 2
        assert seller.feed_ids("transmissions-price") == [item["id"]]
        assert seller.marketplace("PUT", path, body).status_code == 200
        assert seller.feed_ids("transmissions-price") == []


def test_amounts_are_rounded_to_centavos_and_pieces_are_whole() -> None:
    with shop() as seller:
        item = seller.published(onlySync=True)
        body = {"price": 79.995, "discountPrice": 10.004, "availableAmount": 3.0, "idInMarketplace": " "}
        assert seller.marketplace("PUT", f"/skumarketplace/{item['id']}/priceStock", body).status_code == 200
        published = seller.ok(f"/transmissions-price/{item['id']}")["published"]
        assert (published["price"], published["discountPrice"], published["availableAmount"]) == (80, 10, 3)
        assert seller.shown(item["id"])["idInMarketplace"] == item["idInMarketplace"]


def test_the_lighter_update_is_for_limited_publications_alone(seller: Seller, active: dict[str, Any]) -> None:
    response = seller.marketplace("PUT", f"/skumarketplace/{active['id']}/priceStock", {"price": 5})
    assert response.status_code == 422
    assert "onlySync" not in error_of(response)["code"]
    assert seller.shown(active["id"]) == active


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (None, 400),
        ([], 400),
        ({}, 400),
        ({"status": "Active"}, 400),
        ({"price": 5}, 400),
        ({"marketplaceStatus": None}, 400),
        ({"marketplaceStatus": 5}, 422),
        ({"marketplaceStatus": " "}, 422),
        ({"publicationStatus": "ACCEPTED"}, 422),
        ({"marketplaceStatus": "Ok", "id": 7}, 422),
        ({"marketplaceStatus": "Ok", "id": True}, 422),
        ({"marketplaceStatus": "Ok", "id": {}}, 422),
        ({"marketplaceStatus": "Ok", "idInMarketplace": 7}, 422),
        ({"marketplaceStatus": "Ok", "skuInMarketplace": ["x"]}, 422),
        ({"marketplaceStatus": "Ok", "price": "5"}, 422),
        ({"marketplaceStatus": "Ok", "availableAmount": -1}, 422),
    ],
)
def test_a_report_that_says_nothing_right_is_refused(
    seller: Seller, active: dict[str, Any], body: object, status: int
) -> None:
    response = seller.marketplace("PUT", f"/skumarketplace/{active['id']}", body)
    assert response.status_code == status
    error_of(response)
    assert seller.shown(active["id"]) == active


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (None, 400),
        ({}, 400),
        ({"id": 500002}, 400),
        ({"price": None}, 400),
        ({"price": 0}, 422),
        ({"price": -1}, 422),
        ({"price": 0.004}, 422),
        ({"price": "1"}, 422),
        ({"price": True}, 422),
        ({"price": 10**12}, 422),
        ({"price": 5, "discountPrice": 6}, 422),
        ({"availableAmount": 1.5}, 422),
        ({"availableAmount": True}, 422),
        ({"availableAmount": 10**10}, 422),
        ({"price": 5, "id": 1}, 422),
    ],
)
def test_a_wrong_price_or_stock_is_refused(seller: Seller, limited: dict[str, Any], body: object, status: int) -> None:
    response = seller.marketplace("PUT", f"/skumarketplace/{limited['id']}/priceStock", body)
    assert response.status_code == status
    error_of(response)
    assert seller.shown(limited["id"]) == limited


@pytest.mark.parametrize("number", ["NaN", "Infinity", "1e400", "9" * 5_000])
def test_numbers_that_are_none_are_refused(seller: Seller, limited: dict[str, Any], number: str) -> None:
    access = seller.hub.marketplace
    response = seller.plain.put(
        f"{access.address}/skumarketplace/{limited['id']}/priceStock",
        content=f'{{"price": {number}}}'.encode(),
        headers={"appId": access.app_id, "token": access.token},
    )
    assert response.status_code in (400, 422)
    error_of(response)
