"""Every feed alike: read, marked one by one, in a batch or by an empty body, and shown for thirty days."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.sandbox_hub.publications.seller import Seller, shop
from tests.sandbox_hub.web.client import Client, error_of
from tests.sandbox_hub.web.orders.posted import posted

NOW = "2026-11-01T00:00:00-03:00"


def _sell(seller: Seller, number: int) -> int:
    order_id: int = posted(seller)["id"]
    return order_id


def _stock(seller: Seller, number: int) -> int:
    code = f"SKU-{number:04d}"
    assert seller.put("/stocks", [{"partnerId": code, "quantity": 40 + number}]).status_code == 200
    (sku,) = seller.ok("/stocks", partnerId=code)["content"]
    return next(p["id"] for p in seller.all("/products") if sku["id"] in {s["id"] for s in p["skus"]})


def _publish(seller: Seller, number: int) -> int:
    publication: int = seller.published(f"SKU-{number:04d}")["id"]
    return publication


def _reprice(seller: Seller, number: int) -> int:
    publication: int = seller.published(f"SKU-{number:04d}", price=10)["id"]
    seller.update(publication, price=11)
    return publication


CHANGES: dict[str, Callable[[Seller, int], int]] = {
    "orders": _sell,
    "products": _stock,
    "transmissions": _publish,
    "transmissions-price": _reprice,
    "reservations": _sell,
}
_SKUS = (13, 26, 39, 52, 65)  # of five products


@pytest.fixture
def seller() -> Iterator[Seller]:
    with shop(documents=40, clock=NOW) as found:
        yield found


def mark_all(client: Client, domain: str) -> int:
    response = client.http.put(f"{client.address}/{domain}/feeds/batch")
    assert response.status_code == 200, response.text
    marked: int = response.json()["marked"]
    return marked


def ids(client: Client, domain: str) -> list[int]:
    return [item["id"] for item in client.ok(f"/{domain}/feeds")]


@pytest.mark.parametrize("domain", CHANGES)
def test_a_feed_is_read_and_marked(seller: Seller, domain: str) -> None:
    while ids(seller, domain):
        assert mark_all(seller, domain)
    changed = [CHANGES[domain](seller, number) for number in _SKUS]
    items = seller.ok(f"/{domain}/feeds")
    assert [item["id"] for item in items] == changed
    assert all(set(item) == {"id", "token"} for item in items)
    assert seller.ok(f"/{domain}/feeds", limit=5) == items

    one = f"/{domain}/feeds/{changed[0]}"
    assert error_of(seller.put(one, {}))["code"] == "BAD_REQUEST"
    assert seller.put(one, {"token": items[1]["token"]}).status_code == 422
    assert seller.put(f"/{domain}/feeds/7", {"token": items[0]["token"]}).status_code == 404
    assert seller.put(one, {"token": items[0]["token"]}).json() == {"marked": 1}
    assert ids(seller, domain) == changed[1:]

    wrong = [items[1], {**items[2], "token": "x"}]
    assert seller.put(f"/{domain}/feeds/batch", wrong).status_code == 422
    assert ids(seller, domain) == changed[1:]
    assert seller.put(f"/{domain}/feeds/batch", items[1:2]).json() == {"marked": 1}
    assert seller.put(f"/{domain}/feeds/batch", {"tokens": [items[2]["token"]]}).json() == {"marked": 1}
    assert ids(seller, domain) == changed[3:]

    assert mark_all(seller, domain) == 2
    assert ids(seller, domain) == []
    for empty in (None, {}):
        assert seller.put(f"/{domain}/feeds/batch", empty).json() == {"marked": 0}


@pytest.mark.parametrize("domain", CHANGES)
def test_an_empty_body_marks_what_was_read_and_nothing_else(seller: Seller, domain: str) -> None:
    while ids(seller, domain):
        assert mark_all(seller, domain)
    CHANGES[domain](seller, _SKUS[0])
    assert mark_all(seller, domain) == 0  # nobody has read it
    assert len(ids(seller, domain)) == 1
    after = CHANGES[domain](seller, _SKUS[1])
    assert mark_all(seller, domain) == 1
    assert ids(seller, domain) == [after]


@pytest.mark.parametrize("domain", CHANGES)
def test_what_is_unread_stays_thirty_days(seller: Seller, domain: str) -> None:
    while ids(seller, domain):
        assert mark_all(seller, domain)
    seller.move_clock("2026-11-01T00:00:01-03:00")
    changed = CHANGES[domain](seller, _SKUS[2])
    (before,) = (item for item in seller.ok(f"/{domain}/feeds") if item["id"] == changed)
    for now, there in (("2026-11-30T23:59:59-03:00", True), ("2026-12-01T00:00:01-03:00", False)):
        seller.move_clock(now)
        assert (changed in ids(seller, domain)) is there
    seller.move_clock("2026-11-01T00:00:00-03:00")
    assert changed not in ids(seller, domain)  # it has not happened yet
    seller.move_clock("2026-11-02T00:00:00-03:00")
    assert before in seller.ok(f"/{domain}/feeds")
