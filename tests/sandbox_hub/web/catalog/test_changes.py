"""Changing what is in the catalog: parts of a SKU, stock, prices, and what the feed says of it."""

from __future__ import annotations

from typing import Any

from tests.sandbox_hub.web.catalog.bodies import changed, product, registered, sku
from tests.sandbox_hub.web.client import Client, error_of


def fed(client: Client) -> list[int]:
    """Ids of the changed products; they are marked as read."""
    items = client.ok("/products/feeds")
    changed(client, "/products/feeds/batch", items)
    return [item["id"] for item in items]


def test_only_the_price_of_a_sku(hub: Client) -> None:
    before = hub.ok("/products/1001")
    assert len(before["skus"]) > 1
    answer = changed(hub, "/products/1001/skus/1001", {"price": "59.90"})
    assert answer == {**before["skus"][0], "price": 59.9}
    after = hub.ok("/products/1001")
    assert after["skus"] == [answer, *before["skus"][1:]]
    assert after["lastUpdate"] == "2026-11-01T03:00:00Z" != before["lastUpdate"]
    assert {**after, "skus": 0, "lastUpdate": 0} == {**before, "skus": 0, "lastUpdate": 0}


def test_each_field_of_a_sku_alone(hub: Client) -> None:
    now = hub.ok("/products/1001")["skus"][0]
    for written, read in (
        ({"title": "Outra"}, {"title": "Outra"}),
        ({"ean": None}, {"ean": None}),
        ({"ean": "SEM GTIN"}, {"ean": "SEM GTIN"}),
        ({"ean": "96385074"}, {"ean": "96385074"}),
        ({"amount": "3.5"}, {"amount": "3.5"}),
        ({"amount": 4}, {"amount": "4"}),
        ({"amount": 10}, {"amount": "10"}),
        ({"additionalTime": 5}, {"additionalTime": 5}),
        ({"unit": "CX"}, {"unit": "CX"}),
        ({"partnerId": "NOVO"}, {"partnerId": "NOVO"}),
        ({"variations": {"Cor": "lilás"}}, {"variations": {"Cor": "lilás"}}),
    ):
        now = changed(hub, "/products/1001/skus/1001", written)
        assert {name: now[name] for name in read} == read
    whole = hub.ok("/products/1001")
    assert whole["images"][0]["variation"] not in [sku["variations"]["Cor"] for sku in whole["skus"]]
    assert changed(hub, "/products/1001", whole) == whole  # an image may stay when its SKU has changed
    assert hub.all("/products", partnerId="NOVO") == [whole]
    assert hub.all("/products", partnerId="SKU-0001") == []


def test_null_takes_a_value_away(hub: Client) -> None:
    changed(hub, "/products/1001/skus/1001", {"additionalTime": 5})
    answer = changed(hub, "/products/1001/skus/1001", {"additionalTime": None, "unit": None, "amount": None})
    assert not {"additionalTime", "unit"} & set(answer)
    assert answer["amount"] == "0"
    answer = changed(hub, "/products/1003", {"description": None, "nbm": None, "origin": None, "warrantyTime": None})
    assert not {"description", "nbm", "origin", "warrantyTime"} & set(answer)


def test_a_product_that_was_read_can_be_written_back(hub: Client) -> None:
    for product_id in (1001, 1003):
        before = hub.ok(f"/products/{product_id}")
        assert changed(hub, f"/products/{product_id}", before) == before
    assert fed(hub) == []  # nothing has changed
    for path in ("/brands/1", "/categories/1"):
        before = next(record for record in hub.all(path.rsplit("/", 1)[0]) if record["id"] == 1)
        assert changed(hub, path, before) == before


def test_a_product_in_part(hub: Client) -> None:
    before = hub.ok("/products/1001")
    skus = [{"partnerId": "SKU-0001", "price": 5}, sku("NOVO", variations={"Cor": "açaí"})]
    if any(entry["variations"]["Cor"] == "açaí" for entry in before["skus"]):
        skus[1]["variations"] = {"Cor": "lilás"}
    images = [{"url": before["images"][1]["url"]}, {"url": "https://i.example/nova.jpg", "main": True}]
    answer = changed(hub, "/products/1001", {"title": "Nova", "skus": skus, "images": images})
    assert answer["title"] == "Nova"
    assert [entry["partnerId"] for entry in answer["skus"]] == [
        *(entry["partnerId"] for entry in before["skus"]),
        "NOVO",
    ]
    assert answer["skus"][0] == {**before["skus"][0], "price": 5.0}
    assert answer["skus"][1:-1] == before["skus"][1:]
    assert [(image["url"], image["main"]) for image in answer["images"]] == [
        (images[0]["url"], False),
        (images[1]["url"], True),
    ]
    assert answer["images"][0]["id"] == before["images"][1]["id"]
    assert answer["nbm"] == before["nbm"]


def stock(client: Client, code: str) -> dict[str, Any]:
    (item,) = client.all("/stocks", partnerId=code)
    return item


def test_additional_time_alone(hub: Client) -> None:
    before = stock(hub, "SKU-0002")
    assert "additionalTime" not in before
    answer = changed(hub, "/stocks", [{"partnerId": "SKU-0002", "additionalTime": 3}])
    assert answer == [{**before, "additionalTime": 3}] == [stock(hub, "SKU-0002")]
    assert hub.all("/products", partnerId="SKU-0002")[0]["skus"][0]["additionalTime"] == 3


def test_stock_is_written_by_code_or_id_all_or_none(hub: Client) -> None:
    items = [{"partnerId": "SKU-0002", "quantity": 2.5}, {"id": 1004, "quantity": 7, "cost": 1.25}]
    changed(hub, "/stocks", items)
    assert stock(hub, "SKU-0002")["quantity"] == 2.5
    assert (stock(hub, "SKU-0004")["quantity"], stock(hub, "SKU-0004")["cost"]) == (7, 1.25)
    response = hub.put("/stocks", [{"partnerId": "SKU-0002", "quantity": 9}, {"partnerId": "SKU-9999", "quantity": 9}])
    assert response.status_code == 422
    assert "nada foi gravado" in error_of(response)["message"]
    assert stock(hub, "SKU-0002")["quantity"] == 2.5
    both = [{"partnerId": "SKU-0001", "quantity": 1}, {"partnerId": "SKU-0001", "additionalTime": 2}]
    changed(hub, "/stocks", both)  # two items of one SKU, one after the other
    assert (stock(hub, "SKU-0001")["quantity"], stock(hub, "SKU-0001")["additionalTime"]) == (1, 2)


def test_prices_and_campaigns(hub: Client) -> None:
    answer = changed(hub, "/prices", [{"partnerId": "SKU-0001", "price": "100.00"}, {"id": 1002, "price": 50}])
    assert [(price["id"], price["price"]) for price in answer] == [(1001, 100.0), (1002, 50.0)]
    week = {"from": "2026-03-09T00:00:00-03:00", "to": "2026-03-16T00:00:00-03:00", "skus": ["SKU-0001"]}
    campaign = registered(hub, "/campaigns", {"name": "Semana", "discountPercent": 15, **week})
    assert hub.all("/campaigns") == [campaign]
    assert campaign["from"] == "2026-03-09T03:00:00Z"
    for clock, discounted in (
        ("2026-03-08T23:59:59-03:00", None),
        ("2026-03-09T00:00:00-03:00", 85.0),
        ("2026-03-16T00:00:00-03:00", None),
    ):
        hub.move_clock(clock)
        (price,) = hub.all("/prices", partnerId="SKU-0001")
        assert (price["price"], price.get("discountPrice")) == (100.0, discounted)
        assert ("campaignId" in price) is (discounted is not None)


def test_the_feed_shows_every_change(hub: Client) -> None:
    assert fed(hub) == []
    created = registered(hub, "/products", product())
    assert fed(hub) == [created["id"]]
    path = f"/products/{created['id']}"
    sku_id = created["skus"][0]["id"]
    for write in (
        lambda: changed(hub, path, {"title": "Outra"}),
        lambda: hub.post(f"{path}/skus", sku("B")),
        lambda: changed(hub, f"{path}/skus/{sku_id}", {"price": 1}),
        lambda: registered(hub, f"{path}/images", {"url": "https://i.example/1.jpg"}),
        lambda: changed(hub, "/stocks", [{"partnerId": "B", "quantity": 3}]),
        lambda: changed(hub, "/stocks", [{"partnerId": "B", "additionalTime": 3}]),
        lambda: changed(hub, "/prices", [{"partnerId": "B", "price": 3}]),
    ):
        write()
        assert fed(hub) == [created["id"]]
        write()  # the same once more changes nothing, but for a SKU, which is refused
        assert fed(hub) == []
