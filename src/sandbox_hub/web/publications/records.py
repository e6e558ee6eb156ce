"""Publications as the backoffice and the panel show them."""

from __future__ import annotations

from typing import Any

from sandbox_hub.publications.messages import event_payload
from sandbox_hub.publications.publication import Publication
from sandbox_hub.publications.publications import Publications
from sandbox_hub.web.records import money
from sandbox_hub.world.timeline import utc_time

_FLAGS = ("idSkuMarketplaceMain", "onlySync", "onlySyncPrice", "onlySyncStock", "onlySyncStatus")


def transmission_record(publications: Publications, publication: Publication) -> dict[str, Any]:
    """GET /transmissions/{id}."""
    terms = publication.terms
    event = event_payload(publication, publications.main_of(publication))
    return {
        "id": publication.id,
        "idSku": publication.sku.id,
        "skuPartnerId": publication.sku.partner_id,
        "idProduct": publication.sku.product_id,
        "idAccount": publication.account_id,
        "title": publication.sku.content.title,
        "marketplace": publication.marketplace,
        "publicationStatus": publication.status,
        "marketplaceStatus": publication.marketplace_status,
        "skuInMarketplace": publication.sku_in_marketplace,
        "idInMarketplace": publication.id_in_marketplace,
        "price": money(terms.price_cents),
        "discountPrice": money(terms.sale_cents),
        "campaign": terms.campaign,
        "availableAmount": terms.available,
        **{name: event[name] for name in _FLAGS},
        "createdAt": utc_time(publication.created),
        "lastUpdate": utc_time(publication.changed),
    }


def price_record(publication: Publication) -> dict[str, Any]:
    """GET /transmissions-price/{id}: the price now, what the marketplace confirmed, and former prices."""
    terms, confirmed = publication.terms, publication.confirmed
    return {
        "id": publication.id,
        "idSku": publication.sku.id,
        "skuPartnerId": publication.sku.partner_id,
        "marketplace": publication.marketplace,
        "idInMarketplace": publication.id_in_marketplace,
        "publicationStatus": publication.status,
        "price": money(terms.price_cents),
        "discountPrice": money(terms.sale_cents),
        "campaign": terms.campaign,
        "published": None
        if confirmed is None
        else {
            "price": _optional(confirmed.price_cents),
            "discountPrice": _optional(confirmed.discount_cents),
            "availableAmount": confirmed.available,
            "date": utc_time(confirmed.at),
        },
        "history": [
            {
                "since": utc_time(moment.since),
                "price": money(moment.price_cents),
                "discountPrice": money(moment.price_cents if moment.discount_cents is None else moment.discount_cents),
                "campaign": moment.campaign,
            }
            for moment in publication.prices
        ],
    }


def panel_record(publications: Publications, publication: Publication) -> dict[str, Any]:
    """The transmission with what became of its hooks; `waiting`: one is to be called."""
    return transmission_record(publications, publication) | {
        "reason": publication.reason or None,
        "waiting": publication.due,
        "unsent": list(publication.unsent),
        "hooks": [
            {
                "hook": call.hook,
                "at": utc_time(call.at),
                "tries": call.tries,
                "delivered": call.delivered,
                "status": call.status,
                "reason": call.reason or None,
            }
            for call in publication.calls
        ],
    }


def _optional(cents: int | None) -> float | None:
    return None if cents is None else money(cents)
