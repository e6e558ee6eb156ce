"""What the seller's screens refuse."""

from __future__ import annotations

from typing import Any

import pytest

from tests.sandbox_hub.publications.seller import Seller
from tests.sandbox_hub.web.client import error_of

GOOD = {"skuPartnerId": "SKU-0020", "marketplace": "LOJA_VERDE"}


def without(name: str) -> dict[str, str]:
    return {other: value for other, value in GOOD.items() if other != name}


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (None, 400),
        ([], 400),
        ({}, 400),
        (without("skuPartnerId"), 400),
        (without("marketplace"), 400),
        ({**GOOD, "skuId": 700_020}, 400),
        ({**GOOD, "onlysync": True}, 400),
        ({**GOOD, "skuPartnerId": "SKU-9999"}, 422),
        ({**GOOD, "skuPartnerId": 5}, 422),
        ({**without("skuPartnerId"), "skuId": 1}, 422),
        ({**without("skuPartnerId"), "skuId": "700020"}, 422),
        ({**without("skuPartnerId"), "skuId": True}, 422),
        ({**GOOD, "marketplace": "OUTRO"}, 422),
        ({**GOOD, "send": "yes"}, 422),
        ({**GOOD, "send": None}, 422),
        ({**GOOD, "price": 0}, 422),
        ({**GOOD, "price": 5, "discountPrice": 5.01}, 422),
        ({**GOOD, "campaign": ""}, 422),
        ({**GOOD, "availableAmount": "3"}, 422),
        ({**GOOD, "onlySync": 1}, 422),
        ({**GOOD, "onlySyncStock": "true"}, 422),
    ],
)
def test_a_publication_that_makes_no_sense_is_refused(seller: Seller, body: Any, status: int) -> None:
    before = seller.screen("GET", "").json()
    response = seller.screen("POST", "", body)
    assert response.status_code == status
    error_of(response)
    assert seller.screen("GET", "").json() == before


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (None, 400),
        ({}, 400),
        ({"title": "x"}, 400),
        ({"price": "x"}, 422),
        ({"price": 69.99}, 422),  # below the price after discount
        ({"discountPrice": 80.01}, 422),
        ({"campaign": 5}, 422),
    ],
)
def test_an_update_that_makes_no_sense_is_refused(
    seller: Seller, active: dict[str, Any], body: Any, status: int
) -> None:
    response = seller.screen("POST", f"/{active['id']}", body)
    assert response.status_code == status
    error_of(response)
    assert seller.shown(active["id"]) == active


def test_a_sku_has_one_publication_on_a_marketplace(seller: Seller, active: dict[str, Any]) -> None:
    again = seller.screen("POST", "", {"skuId": active["idSku"], "marketplace": active["marketplace"]})
    assert (again.status_code, error_of(again)["message"]) == (422, "O SKU já tem uma publicação neste marketplace.")
    elsewhere = seller.publish("SKU-0010", "MERCADO_AZUL", send=False)
    assert elsewhere["idAccount"] != active["idAccount"]


def test_what_is_not_there_is_404(seller: Seller) -> None:
    for item_id in ("1", "x"):
        assert seller.screen("POST", f"/{item_id}", {"price": 5}).status_code == 404
        assert seller.screen("POST", f"/{item_id}/send").status_code == 404
        assert seller.screen("DELETE", f"/{item_id}").status_code == 404
    assert seller.screen("POST", "/1/send", {"send": 5}).status_code == 422
    assert seller.screen("POST", "/1/send", {"sent": True}).status_code == 400
