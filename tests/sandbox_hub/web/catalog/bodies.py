"""Bodies that the catalog takes, and asking it to take them."""

from __future__ import annotations

from typing import Any

from tests.sandbox_hub.web.client import Client


def sku(code: str = "REDE-01", **more: Any) -> dict[str, Any]:
    return {"title": "Rede", "partnerId": code, "ean": None, "price": "189.90", "amount": "12.5", **more}


def product(*skus: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A simple product with one SKU unless others are given."""
    return {
        "id": None,
        "title": "Rede de descanso",
        "nbm": {"id": "63079090"},
        "brand": {"id": "1", "name": "Aurora"},
        "origin": {"id": "0"},
        "category": {"id": "106"},
        "priceFactor": 1,
        "calculatedPrice": False,
        "characteristics": [],
        "skus": list(skus) or [sku()],
        **more,
    }


def registered(client: Client, path: str, body: Any) -> dict[str, Any]:
    """The object that was created."""
    response = client.post(path, body)
    assert response.status_code == 201, response.text
    created: dict[str, Any] = response.json()
    return created


def changed(client: Client, path: str, body: Any) -> Any:
    """What a PUT that must succeed answers."""
    response = client.put(path, body)
    assert response.status_code == 200, response.text
    return response.json()
