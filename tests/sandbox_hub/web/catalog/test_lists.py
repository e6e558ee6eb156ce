"""The catalog's lists: pages, filters, the clock, restarts, the panel."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandbox_hub.errors import SandboxError
from sandbox_hub.options import SandboxOptions
from sandbox_hub.server import running
from tests.sandbox_hub.web.catalog.bodies import changed, product, registered
from tests.sandbox_hub.web.client import Client, error_of, sandbox

LISTS = {
    "/brands": 8,
    "/categories": 18,
    "/variations": 2,
    "/products": None,
    "/products/1001/skus": None,
    "/products/1001/images": None,
    "/stocks": 240,
    "/prices": 240,
    "/campaigns": 0,
    "/users": 3,
    "/roles": 3,
}


@pytest.mark.parametrize("path", LISTS)
def test_every_list_is_read_page_by_page(shared: Client, path: str) -> None:
    whole = shared.all(path)
    assert len(whole) == (LISTS[path] if LISTS[path] is not None else len(whole))
    assert [record["id"] for record in whole] == sorted({record["id"] for record in whole})
    pages = []
    for offset in range(0, len(whole) + 5, 5):
        page = shared.ok(path, limit=5, offset=offset)
        assert page["page"]["totalElements"] == len(whole)
        pages += page["content"]
    assert pages == whole
    for limit in (4, 101):
        response = shared.get(path, limit=limit)
        assert response.status_code == 400
        assert "entre 5 e 100" in error_of(response)["message"]


def test_products_by_code_and_by_change(hub: Client) -> None:
    whole = hub.all("/products")
    assert [entry["id"] for entry in hub.all("/products", partnerId="SKU-0013")] == [
        entry["id"] for entry in whole if "SKU-0013" in [sku["partnerId"] for sku in entry["skus"]]
    ]
    assert hub.all("/products", partnerId="SKU-9999") == hub.all("/stocks", partnerId="SKU-9999") == []
    hub.move_clock("2026-05-01T12:00:00-03:00")
    assert hub.all("/products", changedAfter="2025-11-01T00:00:00-03:00") == whole
    assert hub.all("/products", changedAfter="2026-01-01") == []
    changed(hub, "/products/1003", {"title": "Outra"})
    hub.move_clock("2026-05-02T12:00:00-03:00")
    created = registered(hub, "/products", product())
    both = hub.all("/products", changedAfter="2026-05-01T12:00:00-03:00")
    assert [entry["id"] for entry in both] == [1003, created["id"]]
    assert hub.all("/products", changedAfter="2026-05-01T12:00:01-03:00") == [created]
    assert hub.all("/products", changedAfter="2026-05-02", partnerId="SKU-0003") == []
    assert hub.all("/products", changedAfter="2026-05-01", partnerId="SKU-0003")[0]["title"] == "Outra"
    assert hub.all("/categories", partnerId="CAT-01")[0]["id"] == 101
    assert hub.all("/brands", partnerId="MARCA-02")[0]["id"] == 2


def test_a_restart_finds_everything_again(tmp_path: Path) -> None:
    state = tmp_path / "state.json"
    lists = ("/brands", "/categories", "/variations", "/products", "/stocks", "/prices", "/campaigns")
    with sandbox(documents=60, seed=9, state_file=state) as client:
        registered(client, "/brands", {"name": "Jangada"})
        changed(client, "/brands/1", {"name": "Aurora Nova"})
        registered(client, "/categories", {"name": "Praia", "children": [{"name": "Areia"}]})
        registered(client, "/variations", {"name": "Cor", "values": ["coral"]})
        created = registered(client, "/products", product(brand={"name": "Jangada"}))
        changed(client, "/stocks", [{"partnerId": "SKU-0001", "quantity": 1, "additionalTime": 9}])
        registered(
            client,
            "/campaigns",
            {
                "name": "Semana",
                "from": "2026-03-09T00:00:00Z",
                "to": "2027-03-16T00:00:00Z",
                "discountPercent": 10,
                "skus": ["REDE-01"],
            },
        )
        before = {path: client.all(path) for path in lists}
        feed = client.ok("/products/feeds")
        assert before["/prices"][-1]["discountPrice"] == 170.91
    with sandbox(documents=60, seed=9, state_file=state) as client:
        assert {path: client.all(path) for path in lists} == before
        assert client.ok("/products/feeds") == feed
        second = registered(client, "/products/1003/images", {"url": "https://i.example/1.jpg"})
        assert second["id"] == 10_000_001
        again = client.post("/products", product())
        assert again.status_code == 422
        other = registered(client, "/products", product({**product()["skus"][0], "partnerId": "B"}))
        assert other["id"] > created["id"]
    with sandbox(documents=60, seed=9, state_file=state, catalog_errors=0.5) as client:
        assert len(client.all("/brands")) == 8  # another world


def test_the_environments_have_catalogs_of_their_own(hub: Client) -> None:
    production = Client(hub.hub, production=True)
    with production.http:
        registered(hub, "/products", product())
        assert production.all("/products", partnerId="REDE-01") == []
        assert production.ok("/products/feeds") == []


def test_the_panel_lists_planted_errors() -> None:
    with sandbox(documents=60, seed=9) as plain, sandbox(documents=60, seed=9, catalog_errors=0.1) as wrong:
        assert plain.panel("catalog-errors") == {"errors": 0, "content": []}
        assert (plain.info()["catalog_errors"], wrong.info()["catalog_errors"]) == (0.0, 0.1)
        listed = wrong.panel("catalog-errors")
        assert listed["errors"] == len(listed["content"]) > 10
        right = {sku["partnerId"]: (entry, sku) for entry in plain.all("/products") for sku in entry["skus"]}
        differing = []
        for entry in wrong.all("/products"):
            for sku in entry["skus"]:
                true, true_sku = right[sku["partnerId"]]
                for field, stated, said in (
                    ("nbm", entry["nbm"]["id"], true["nbm"]["id"]),
                    ("ean", sku["ean"], true_sku["ean"]),
                    ("origin", entry["origin"]["id"], true["origin"]["id"]),
                    ("unit", sku["unit"], true_sku["unit"]),
                ):
                    if stated != said:
                        differing.append(
                            {
                                "partnerId": sku["partnerId"],
                                "productId": entry["id"],
                                "field": field,
                                "catalog": stated,
                                "invoices": said,
                            }
                        )
        assert differing == listed["content"]


@pytest.mark.parametrize("share", [-0.1, 1.1])
def test_a_share_is_between_none_and_all(share: float) -> None:
    with pytest.raises(SandboxError, match="wrong products"), running(SandboxOptions(catalog_errors=share)):
        pass


def test_an_empty_list_is_said_in_the_hubs_own_way() -> None:
    with sandbox(documents=60, shape=("empty-204",)) as client:
        assert client.get("/campaigns").status_code == 204
    with sandbox(documents=60, shape=("page-base-1", "strict")) as client:
        first = client.ok("/brands", page=1, limit=5)
        assert client.ok("/brands", page=2, limit=5)["content"][0]["id"] == first["content"][-1]["id"] + 1
        assert client.get("/brands", offset=0).status_code == 400
