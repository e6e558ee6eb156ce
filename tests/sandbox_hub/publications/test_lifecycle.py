"""The life of a publication over HTTP, with the middleware at the other end."""

from __future__ import annotations

from tests.sandbox_hub.publications.seller import Seller
from tests.sandbox_hub.web.client import CONTROL, error_of


def test_a_publication_becomes_active(seller: Seller) -> None:
    created = seller.publish(send=True)
    assert created["publicationStatus"] == "UNPUBLISHED"
    assert created["marketplaceStatus"] is None
    published = seller.settled(created["id"])
    assert (published["publicationStatus"], published["marketplaceStatus"]) == ("ACTIVE", "Active")
    assert published["skuInMarketplace"] == "SKU-0001"
    assert published["idInMarketplace"] == f"AD-S{created['id']}"
    assert [(call["hook"], call["tries"], call["delivered"]) for call in published["hooks"]] == [
        ("/canSave", 1, True),
        ("/sendProduct", 1, True),
    ]
    assert seller.events() == [
        {
            "idSkuMarketplace": created["id"],
            "idSkuMarketplaceMain": created["id"],
            "status": "UNPUBLISHED",
            "onlySync": False,
            "idSku": created["idSku"],
            "availableAmount": created["availableAmount"],
            "idAccount": created["idAccount"],
            "idProduct": created["idProduct"],
            "skuInMarketplace": None,
            "onlySyncPrice": False,
            "onlySyncStock": False,
            "onlySyncStatus": False,
            "updatePrice": True,
            "updateStock": True,
            "updateStatus": True,
        }
    ]
    [candidate] = seller.events("/canSave")
    assert (candidate["id"], candidate["skuPartnerId"], candidate["publicationStatus"]) == (
        created["id"],
        "SKU-0001",
        "PRE_VALIDATION",
    )
    assert candidate["price"] == created["price"]
    assert [call["called"] for call in seller.middleware()["calls"]] == [[], ["GET", "PUT"]]


def test_a_no_is_stand_by_until_the_send_button(seller: Seller) -> None:
    created = seller.publish(send=False)
    assert created["publicationStatus"] == "STAND_BY"
    assert not seller.update(created["id"], price=10)["waiting"]
    assert seller.put(f"/transmissions/{created['id']}", {"publicationStatus": "ACTIVE"}).status_code == 422
    assert seller.marketplace("PUT", f"/skumarketplace/{created['id']}", {"marketplaceStatus": "x"}).status_code == 422
    assert seller.events() == []
    assert seller.send(created["id"])["publicationStatus"] == "UNPUBLISHED"
    published = seller.settled(created["id"])
    assert (published["publicationStatus"], published["price"]) == ("ACTIVE", 10)
    [event] = seller.events()
    assert event["status"] == "UNPUBLISHED"
    assert error_of(seller.screen("POST", f"/{created['id']}/send", {"send": False}))["code"] == "UNPROCESSABLE_ENTITY"


def test_the_seller_is_asked_whether_to_send(seller: Seller) -> None:
    created = seller.publish()
    assert created["publicationStatus"] == "ACCEPTED"
    assert seller.send(created["id"], {"send": False})["publicationStatus"] == "STAND_BY"
    other = seller.publish("SKU-0002")
    assert seller.send(other["id"], {"send": True})["publicationStatus"] == "UNPUBLISHED"
    assert seller.settled(other["id"])["publicationStatus"] == "ACTIVE"
    assert len(seller.events()) == 1


def test_what_the_marketplace_does_not_accept_says_why_and_may_be_asked_again(seller: Seller) -> None:
    seller.behave(canSave="no", reason="Falta a marca.")
    refused = seller.publish(send=True)
    assert (refused["publicationStatus"], refused["reason"]) == ("PRE_VALIDATION", "Falta a marca.")
    assert [(call["status"], call["tries"]) for call in refused["hooks"]] == [(422, 1)]
    assert seller.send(refused["id"])["publicationStatus"] == "PRE_VALIDATION"
    seller.behave(canSave="yes")
    sent = seller.send(refused["id"])
    assert (sent["publicationStatus"], sent["reason"]) == ("UNPUBLISHED", None)
    assert seller.settled(refused["id"])["publicationStatus"] == "ACTIVE"


def test_the_marketplace_reports_its_own_words(seller: Seller) -> None:
    seller.behave(status="In cataloging")
    waiting = seller.published()
    assert (waiting["publicationStatus"], waiting["marketplaceStatus"]) == ("UNPUBLISHED", "In cataloging")
    for text, status in (("Publication under review", "UNPUBLISHED"), ("Active", "ACTIVE")):
        response = seller.http.post(
            f"{seller.hub.middleware}/panel/report",
            headers=CONTROL,
            json={"environment": "sandbox", "id": waiting["id"], "status": text},
        )
        assert response.status_code == 200
        shown = seller.settled(waiting["id"])
        assert (shown["publicationStatus"], shown["marketplaceStatus"]) == (status, text)
    assert len(seller.events()) == 1  # the marketplace is not told what it said


def test_an_update_tells_the_marketplace_what_changed(seller: Seller) -> None:
    published = seller.published()
    for fields, flags in (
        ({"price": 50.5}, (True, False, False)),
        ({"availableAmount": 3}, (False, True, False)),
        ({"price": 60, "discountPrice": 55, "campaign": "Semana", "availableAmount": 4}, (True, True, False)),
        ({"onlySyncPrice": True}, (False, False, False)),
    ):
        seller.update(published["id"], **fields)
        event = seller.events()[-1]
        assert tuple(event[name] for name in ("updatePrice", "updateStock", "updateStatus")) == flags
        assert (event["status"], event["skuInMarketplace"]) == ("ACTIVE", "SKU-0001")
    assert (event["onlySync"], event["onlySyncPrice"], event["onlySyncStock"]) == (False, True, False)
    [ad] = seller.middleware()["ads"]
    assert (ad["price"], ad["discount_price"], ad["available"]) == (60, 55, 4)
    before = len(seller.events())
    seller.update(published["id"], price=60)  # nothing changes
    assert len(seller.events()) == before


def test_limited_updates_carry_price_stock_and_status_alone(seller: Seller) -> None:
    published = seller.published(onlySync=True)
    assert seller.middleware()["calls"][-1]["called"] == ["GET", "PUT"]  # the first one is the whole ad
    assert seller.events()[-1]["onlySync"] is True

    def called() -> list[str]:
        result: list[str] = seller.middleware()["calls"][-1]["called"]
        return result

    seller.update(published["id"], price=41.5)
    assert called() == ["GET", "PUT priceStock"]
    seller.update(published["id"], availableAmount=7)
    assert called() == ["GET", "PUT priceStock"]
    price = seller.ok(f"/transmissions-price/{published['id']}")
    assert price["published"] | {"date": ""} == {"price": 41.5, "discountPrice": 41.5, "availableAmount": 7, "date": ""}
    assert seller.put(f"/transmissions/{published['id']}", {"publicationStatus": "PAUSED"}).status_code == 200
    assert seller.settled(published["id"])["publicationStatus"] == "PAUSED"
    assert called() == ["PUT"]
    assert seller.events()[-1]["status"] == "PAUSED"
    seller.update(published["id"], onlySyncStock=False, price=40)
    assert called() == ["GET", "PUT"]


def test_a_removed_publication_is_taken_off_sale(seller: Seller) -> None:
    published = seller.published()
    path = f"/skumarketplace/{published['id']}"
    assert seller.marketplace("GET", path).status_code == 200
    assert seller.remove(published["id"]).json()["publicationStatus"] == "REMOVED"
    assert seller.settled(published["id"])["hooks"][-1]["hook"] == "/deletePublication"
    assert seller.events("/deletePublication") == [{"idSkuMarketplace": published["id"]}]
    assert [ad["active"] for ad in seller.middleware()["ads"]] == [False]
    assert error_of(seller.marketplace("GET", path))["code"] == "NOT_FOUND"
    assert seller.marketplace("PUT", path, {"marketplaceStatus": "Active"}).status_code == 404
    assert seller.put(f"/transmissions/{published['id']}", {"publicationStatus": "ACTIVE"}).status_code == 404
    for suffix in ("", "/send"):
        assert seller.screen("POST", f"/{published['id']}{suffix}", {}).status_code in (400, 404)
    assert seller.remove(published["id"]).status_code == 422
    assert seller.ok(f"/transmissions/{published['id']}")["publicationStatus"] == "REMOVED"
    again = seller.publish(send=False)  # the SKU is free for another publication
    assert again["id"] == published["id"] + 1
    assert seller.remove(again["id"]).status_code == 200  # from Stand By, too
    seller.settled(again["id"])
    assert seller.events("/deletePublication")[-1] == {"idSkuMarketplace": again["id"]}


def test_every_change_is_in_the_feeds(seller: Seller) -> None:
    first, second = seller.publish(send=False)["id"], seller.publish("SKU-0002", send=False)["id"]
    assert seller.feed_ids("transmissions") == [first, second]
    assert seller.feed_ids("transmissions-price") == [first, second]
    assert seller.feed_ids("transmissions") == []
    seller.update(second, availableAmount=1)
    assert (seller.feed_ids("transmissions"), seller.feed_ids("transmissions-price")) == ([second], [])
    seller.update(second, campaign="Semana")
    assert (seller.feed_ids("transmissions"), seller.feed_ids("transmissions-price")) == ([second], [second])
    seller.send(first)
    seller.settled(first)
    # The marketplace confirmed the price.
    assert (seller.feed_ids("transmissions"), seller.feed_ids("transmissions-price")) == ([first], [first])
    assert seller.put(f"/transmissions/{first}", {"publicationStatus": "PAUSED"}).status_code == 200
    seller.settled(first)
    assert (seller.feed_ids("transmissions"), seller.feed_ids("transmissions-price")) == ([first], [])
    seller.remove(first)
    seller.settled(first)
    assert seller.feed_ids("transmissions") == [first]


def test_production_has_publications_of_its_own(seller: Seller) -> None:
    body = {"skuPartnerId": "SKU-0001", "marketplace": "MERCADO_AZUL", "send": True}
    created = seller.done(seller.screen("POST", "", body, environment="production"))
    assert seller.settled(created["id"], environment="production")["publicationStatus"] == "ACTIVE"
    assert seller.done(seller.screen("GET", ""))["content"] == []
    assert seller.get(f"/transmissions/{created['id']}").status_code == 404
    assert [call["environment"] for call in seller.middleware()["calls"]] == ["production", "production"]
    assert seller.screen("GET", "", environment="other").status_code == 422
