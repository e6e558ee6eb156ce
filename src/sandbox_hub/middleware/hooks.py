"""What the middleware does at each hook: validating, registering or updating the ad, taking it off sale."""

from __future__ import annotations

from typing import Any

from sandbox_hub.middleware.behaviour import Ad, AdKey, MarketplaceMemory
from sandbox_hub.middleware.hub_client import HubClient, HubFailed
from sandbox_hub.publications.publication import ACTIVE, UNPUBLISHED

_ONLY = ("onlySyncPrice", "onlySyncStock", "onlySyncStatus")


async def send_product(marketplace: MarketplaceMemory, hub: HubClient, key: AdKey, event: dict[str, Any]) -> list[str]:
    """Bring the ad up to the publication; gives what was called at the hub.

    With the three onlySync flags a known ad only follows price, stock and status, and only where `update*` says so.
    A publication that the hub no longer has is passed over.
    """
    try:
        if key not in marketplace.ads or not all(event.get(name) is True for name in _ONLY):
            return await _whole_ad(marketplace, hub, key, event)
        return await _light_update(marketplace, hub, key, event)
    except HubFailed as failure:
        if failure.status == 404:
            return []
        raise


def statuses(status: str) -> dict[str, str]:
    """How a status of the marketplace's own is reported."""
    return {"marketplaceStatus": status} | ({"publicationStatus": ACTIVE} if status.casefold() == "active" else {})


async def _whole_ad(marketplace: MarketplaceMemory, hub: HubClient, key: AdKey, event: dict[str, Any]) -> list[str]:
    record = await hub.fetch(*key)
    ad = marketplace.ads[key] = Ad(
        id_in_marketplace=f"AD-{key.environment[0].upper()}{key.publication_id}",
        sku_in_marketplace=str(record.get("skuPartnerId") or f"SKU-{key.publication_id}"),
        price=record["price"],
        discount_price=record["discountPrice"],
        available=record["availableAmount"],
        status=marketplace.behaviour.status,
    )
    await hub.report(*key, {**_amounts(key, ad), **_told_status(marketplace, ad, event)})
    return ["GET", "PUT"]


async def _light_update(marketplace: MarketplaceMemory, hub: HubClient, key: AdKey, event: dict[str, Any]) -> list[str]:
    ad, called = marketplace.ads[key], []
    if event.get("updatePrice") is True or event.get("updateStock") is True:
        record = await hub.fetch(*key)
        if event.get("updatePrice") is True:
            ad.price, ad.discount_price = record["price"], record["discountPrice"]
        if event.get("updateStock") is True:
            ad.available = record["availableAmount"]
        await hub.report_price_and_stock(*key, _amounts(key, ad))
        called += ["GET", "PUT priceStock"]
    if event.get("updateStatus") is True:
        await hub.report(*key, _told_status(marketplace, ad, event))
        called.append("PUT")
    return called


def _told_status(marketplace: MarketplaceMemory, ad: Ad, event: dict[str, Any]) -> dict[str, str]:
    """The marketplace's own status for what is not published yet; else the status that the hub gave it."""
    if event["status"] == UNPUBLISHED:
        ad.status = marketplace.behaviour.status
        return statuses(ad.status)
    ad.status = event["status"]
    return {"publicationStatus": ad.status}


def _amounts(key: AdKey, ad: Ad) -> dict[str, Any]:
    return {
        "id": key.publication_id,
        "skuInMarketplace": ad.sku_in_marketplace,
        "idInMarketplace": ad.id_in_marketplace,
        "price": ad.price,
        "discountPrice": ad.discount_price,
        "availableAmount": ad.available,
    }
