"""The marketplace's API takes the middleware's application id and token of its own environment and nothing else."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from sandbox_hub.options import SandboxOptions
from tests.sandbox_hub.publications.seller import Seller, shop
from tests.sandbox_hub.web.client import error_of

PATH = "/skumarketplace/500001"


def test_every_operation_asks_for_both_headers(seller: Seller, active: dict[str, Any]) -> None:
    for method, path in (("GET", PATH), ("PUT", PATH), ("PUT", PATH + "/priceStock"), ("GET", "/nothing")):
        for lacking in ("appId", "token"):
            response = seller.marketplace(method, path, {}, **{lacking: ""})
            assert response.status_code == 401
            assert error_of(response)["code"] == "UNAUTHORIZED"
    assert seller.marketplace("GET", "/nothing").status_code == 404


def test_tokens_of_the_wrong_side_or_environment_are_refused(seller: Seller, active: dict[str, Any]) -> None:
    hub = seller.hub
    for token in (hub.token, hub.production_token, "x", hub.marketplace.token + "x"):
        response = seller.marketplace("GET", PATH, token=token)
        assert response.status_code == 401
        assert error_of(response)["code"] == "UNAUTHORIZED"
    assert seller.marketplace("GET", PATH, appId="another").status_code == 401
    response = seller.marketplace("GET", PATH, token=hub.production_marketplace.token)
    assert (response.status_code, error_of(response)["code"]) == (401, "WRONG_ENVIRONMENT")
    # The seller's two headers alone, and the middleware's two at the backoffice.
    assert seller.http.get(hub.marketplace.address + PATH).status_code == 401
    headers = {"appId": hub.marketplace.app_id, "token": hub.marketplace.token}
    for address in (hub.address, hub.production_address):
        assert seller.plain.get(address + "/transmissions", headers=headers).status_code == 401
        stolen = {"serviceToken": hub.marketplace.token, "platform": "x"}
        assert seller.plain.get(address + "/transmissions", headers=stolen).status_code == 401
    assert seller.marketplace("GET", PATH).status_code == 200


def test_production_has_its_own(seller: Seller, active: dict[str, Any]) -> None:
    access = seller.hub.production_marketplace
    assert access.address.endswith("/production/marketplace/v2")

    def status(token: str) -> int:
        headers = {"appId": access.app_id, "token": token}
        return seller.plain.get(access.address + PATH, headers=headers).status_code

    assert status(access.token) == 404  # the publication is the sandbox's
    assert status(seller.hub.marketplace.token) == 401


def test_the_rate_limit_is_the_tokens_own() -> None:
    with shop(rate_limit=2.0) as seller:
        answers = [seller.marketplace("GET", PATH) for _ in range(6)]
        assert 429 in {response.status_code for response in answers}
        assert error_of(answers[-1])["code"] in ("TOO_MANY_REQUESTS", "NOT_FOUND")
        assert seller.get("/transmissions").status_code == 200


def test_the_tokens_follow_from_the_options() -> None:
    with shop(app_id="mine", app_token="one", production_app_token="two") as seller:
        hub = seller.hub
        assert (hub.marketplace.app_id, hub.marketplace.token, hub.production_marketplace.token) == (
            "mine",
            "one",
            "two",
        )
        assert seller.published()["publicationStatus"] == "ACTIVE"
        assert "one" not in repr(hub.marketplace)
    options, other = SandboxOptions(seed=1), SandboxOptions(seed=2)
    assert options.marketplace_app_id != other.marketplace_app_id
    assert options.secret_of_hooks != other.secret_of_hooks
    assert len({o.app_token_of(name) for o in (options, other) for name in ("sandbox", "production")}) == 4


@pytest.mark.parametrize("path", ["/publications", "/publications/500001"])
def test_the_screens_are_not_for_browsers(seller: Seller, path: str) -> None:
    for headers in ({}, {"X-Sandbox-Control": "1", "Origin": "http://attacker.example"}):
        for method in ("GET", "POST", "DELETE"):
            response = httpx.request(
                method, seller.hub.panel + path, headers=headers, json={}, trust_env=False, verify=False
            )
            assert response.status_code in (403, 404)  # 404: no such method there
            assert "content" not in response.json()
