"""The list of returns, which is the sandbox's own, and hubs that lack it or the list of orders."""

from __future__ import annotations

from typing import Any

import pytest

from tests.sandbox_hub.web.client import Client, error_of, sandbox


@pytest.fixture(scope="session")
def returns(client: Client) -> list[dict[str, Any]]:
    return client.all("/returns")


def test_returns_are_those_of_the_return_notes(client: Client, returns: list[dict[str, Any]]) -> None:
    notes = {
        item["documentKey"]: item
        for kind in ("devolution", "sale_return")
        for item in client.all("/fiscalDocuments", documentTypeValue=kind)
    }
    assert len(returns) > 20
    assert {found["invoice"]["accessKey"] for found in returns if "invoice" in found} <= set(notes)
    assert len({found["id"] for found in returns}) == len(returns)
    assert [found["createdAt"] for found in returns] == sorted(found["createdAt"] for found in returns)
    for found in returns:
        order = client.ok(f"/orders/{found['orderId']}")
        bought = {entry["sku"]["partnerId"] for entry in order["items"]}
        assert {entry["sku"]["partnerId"] for entry in found["items"]} <= bought
        assert found["type"] in ("TOTAL", "PARTIAL")
        assert (found["items"] == order["items"]) == (found["type"] == "TOTAL")
        assert round(found["total"] * 100) == sum(round(entry["total"] * 100) for entry in found["items"])
        if "invoice" in found:
            assert (
                notes[found["invoice"]["accessKey"]]["documentKey"][25:34] == f"{int(found['invoice']['number']):09d}"
            )


def test_filters_are_as_brute_force(client: Client, returns: list[dict[str, Any]]) -> None:
    one, middle = returns[3], returns[len(returns) // 2]["createdAt"]
    for query, expected in [
        ({"orderId": one["orderId"]}, [found for found in returns if found["orderId"] == one["orderId"]]),
        ({"orderId": 1}, []),
        ({"marketplace": "LOJA_VERDE"}, [found for found in returns if found["marketPlace"] == "LOJA_VERDE"]),
        ({"createdAfter": middle}, [found for found in returns if found["createdAt"] >= middle]),
        ({"createdBefore": middle}, [found for found in returns if found["createdAt"] <= middle]),
        ({"createdAfter": middle, "orderId": one["orderId"]}, []),
    ]:
        assert client.all("/returns", **query) == expected
    sold = {order["id"] for order in client.ok("/orders", limit=100)["content"]} - {r["orderId"] for r in returns}
    assert client.all("/returns", orderId=min(sold)) == []
    page = client.ok("/returns", offset=7, limit=5)
    assert page["content"] == returns[7:12]
    assert client.ok("/returns", offset=7, limit=5, status="x") == page
    for query, status in [({"createdAfter": "x"}, 422), ({"limit": 4}, 400)]:
        assert client.get("/returns", **query).status_code == status


def test_a_hub_without_these_lists_does_not_know_their_paths() -> None:
    with sandbox(documents=60, orders=False, returns=False) as client:
        for path in ("/orders", "/returns", "/nothing"):
            assert error_of(client.get(path)) == error_of(client.get("/nothing"))
            assert client.get(path).status_code == 404
        feed = client.ok("/orders/feeds")
        assert client.ok(f"/orders/{feed[0]['id']}")["id"] == feed[0]["id"]
        assert client.put(f"/orders/{feed[0]['id']}", {"order_id": "x"}).status_code == 422
        assert client.ok("/fiscalDocuments")["content"]
    with sandbox(documents=60, returns=False) as client:
        assert client.get("/returns").status_code == 404
        assert client.get("/orders").status_code == 200


def test_the_options_of_the_program() -> None:
    from sandbox_hub.__main__ import _parser

    given = _parser().parse_args(["--no-orders", "--no-returns"])
    assert given.no_orders
    assert given.no_returns
    plain = _parser().parse_args([])
    assert not plain.no_orders
    assert not plain.no_returns
