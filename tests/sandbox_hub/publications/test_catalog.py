"""Publications and the catalog: what is offered is the SKU's, and follows it."""

from __future__ import annotations

from typing import Any

from tests.sandbox_hub.publications.seller import Seller, shop


def product_of(seller: Seller, code: str) -> dict[str, Any]:
    [product] = seller.ok("/products", partnerId=code)["content"]
    found: dict[str, Any] = product
    return found


def sku_of(seller: Seller, code: str) -> dict[str, Any]:
    return next(sku for sku in product_of(seller, code)["skus"] if sku["partnerId"] == code)


def test_a_new_publication_offers_what_the_catalog_says(seller: Seller) -> None:
    sku, item = sku_of(seller, "SKU-0003"), seller.publish("SKU-0003")
    assert (item["idSku"], item["idProduct"]) == (sku["id"], sku["idProduct"])
    assert (item["title"], item["price"], item["availableAmount"]) == (
        sku["title"],
        sku["price"],
        int(float(sku["amount"])),
    )
    record = seller.marketplace("GET", f"/skumarketplace/{item['id']}").json()
    product = product_of(seller, "SKU-0003")
    assert record["description"] == product["description"]
    assert [image["url"] for image in record["images"]] == [image["url"] for image in product["images"]]


def test_variations_of_a_product_have_one_main_publication(seller: Seller) -> None:
    product = next(product for product in seller.all("/products") if len(product["skus"]) > 1)
    first, second = (seller.published(sku["partnerId"]) for sku in product["skus"][:2])
    assert [event["idSkuMarketplaceMain"] for event in seller.events()] == [first["id"]] * 2
    assert second["idSkuMarketplaceMain"] == first["id"]
    seller.remove(first["id"])
    assert seller.shown(second["id"])["idSkuMarketplaceMain"] == second["id"]


def test_prices_and_stock_of_the_catalog_are_followed(seller: Seller) -> None:
    item = seller.published("SKU-0003")
    aside = seller.publish("SKU-0004", send=False)
    assert seller.put("/prices", [{"partnerId": "SKU-0003", "price": 33.3}]).status_code == 200
    assert seller.settled(item["id"])["price"] == 33.3
    assert [seller.events()[-1][name] for name in ("updatePrice", "updateStock")] == [True, False]
    assert seller.put("/stocks", [{"partnerId": "SKU-0003", "quantity": 2.75}]).status_code == 200
    assert seller.settled(item["id"])["availableAmount"] == 2  # whole pieces
    assert [seller.events()[-1][name] for name in ("updatePrice", "updateStock")] == [False, True]
    [ad] = seller.middleware()["ads"]
    assert (ad["price"], ad["available"]) == (33.3, 2)
    calls = len(seller.events())
    assert seller.put("/stocks", [{"partnerId": "SKU-0003", "additionalTime": 3}]).status_code == 200
    assert seller.put("/stocks", [{"partnerId": "SKU-0005", "quantity": 1}]).status_code == 200
    assert not seller.settled(item["id"])["waiting"]
    assert len(seller.events()) == calls
    assert seller.shown(aside["id"]) == aside


def test_what_the_seller_set_stays_beside_what_the_catalog_changes(seller: Seller) -> None:
    item = seller.published("SKU-0003")
    seller.update(item["id"], price=10, discountPrice=9, campaign="Minha")
    assert seller.put("/stocks", [{"partnerId": "SKU-0003", "quantity": 1}]).status_code == 200
    shown = seller.settled(item["id"])
    assert (shown["price"], shown["campaign"], shown["availableAmount"]) == (10, "Minha", 1)
    assert seller.put("/prices", [{"partnerId": "SKU-0003", "price": 20}]).status_code == 200
    shown = seller.settled(item["id"])
    assert (shown["price"], shown["discountPrice"], shown["campaign"]) == (20, 20, None)


def test_another_title_reaches_an_ad_that_is_not_limited(seller: Seller) -> None:
    whole, limited = seller.published("SKU-0003"), seller.published("SKU-0004", onlySync=True)
    for code in ("SKU-0003", "SKU-0004"):
        sku = sku_of(seller, code)
        path = f"/products/{sku['idProduct']}/skus/{sku['id']}"
        assert seller.put(path, {"title": f"Novo {code}"}).status_code == 200
    seller.settled(whole["id"])
    assert [ad["title"] for ad in seller.middleware()["ads"]] == ["Novo SKU-0003", limited["title"]]
    assert seller.settled(limited["id"])["title"] == "Novo SKU-0004"
    assert len(seller.events()) == 3


def test_a_campaign_lowers_the_published_price_while_it_lasts() -> None:
    with shop(clock="2026-06-01T00:00:00Z") as seller:
        seller.put("/prices", [{"partnerId": "SKU-0003", "price": 50}])
        item = seller.published("SKU-0003")
        campaign = {
            "name": "Inverno",
            "from": "2026-06-10T00:00:00Z",
            "to": "2026-06-20T00:00:00Z",
            "discountPercent": 10,
            "skus": ["SKU-0003"],
        }
        assert seller.http.post(seller.address + "/campaigns", json=campaign).status_code in (200, 201)
        offers = []
        for day in ("05", "15", "25"):
            seller.move_clock(f"2026-06-{day}T00:00:00Z")
            shown = seller.settled(item["id"])
            offers.append((shown["price"], shown["discountPrice"], shown["campaign"]))
        assert offers == [(50, 50, None), (50, 45, "Inverno"), (50, 50, None)]
        history = seller.ok(f"/transmissions-price/{item['id']}")["history"]
        assert [(moment["since"][:10], moment["discountPrice"]) for moment in history] == [
            ("2026-06-01", 50),
            ("2026-06-15", 45),
            ("2026-06-25", 50),
        ]
        started = {**campaign, "name": "Já", "from": "2026-06-24T00:00:00Z", "to": "2026-06-30T00:00:00Z"}
        assert seller.http.post(seller.address + "/campaigns", json=started).status_code in (200, 201)
        assert seller.settled(item["id"])["campaign"] == "Já"


def test_a_product_of_a_clients_own_is_published(seller: Seller) -> None:
    template = product_of(seller, "SKU-0003")
    body = {name: value for name, value in template.items() if name not in ("id", "skus", "images", "lastUpdate")}
    body |= {"skus": [{"title": "Meu", "partnerId": "MEU-1", "price": 12.5, "amount": "4"}]}
    response = seller.http.post(seller.address + "/products", json=body)
    assert response.status_code in (200, 201), response.text
    item = seller.published("MEU-1")
    assert (item["publicationStatus"], item["price"], item["availableAmount"]) == ("ACTIVE", 12.5, 4)
