"""What the hub and the middleware tell each other of a publication."""

from __future__ import annotations

from typing import Any

from sandbox_hub.publications.publication import Part, Publication


def publication_record(publication: Publication) -> dict[str, Any]:
    """The publication as /skumarketplace and /canSave carry it: the specification's fields, then our own."""
    terms = publication.terms
    return {
        "id": publication.id,
        "skuInMarketplace": publication.sku_in_marketplace,
        "idInMarketplace": publication.id_in_marketplace,
        "price": terms.price_cents / 100,
        "discountPrice": terms.sale_cents / 100,
        "availableAmount": terms.available,
        "idSku": publication.sku.id,
        "idProduct": publication.sku.product_id,
        "idAccount": publication.account_id,
        "skuPartnerId": publication.sku.partner_id,
        "title": publication.sku.content.title,
        "description": publication.sku.content.description,
        "images": [{"url": url} for url in publication.sku.content.images],
        "marketplace": publication.marketplace,
        "campaign": terms.campaign,
        "publicationStatus": publication.status,
        "marketplaceStatus": publication.marketplace_status,
    }


def event_payload(publication: Publication, main_id: int) -> dict[str, Any]:
    """The body of /sendProduct, as the specification shows it; `update*` are the parts that changed.

    The specification does not say what `onlySync` is beside the three: here it is true when all three are.
    """
    only, changed = publication.terms.only_sync, publication.unsent
    return {
        "idSkuMarketplace": publication.id,
        "idSkuMarketplaceMain": main_id,
        "status": publication.status,
        "onlySync": publication.syncs_only,
        "idSku": publication.sku.id,
        "availableAmount": publication.terms.available,
        "idAccount": publication.account_id,
        "idProduct": publication.sku.product_id,
        "skuInMarketplace": publication.sku_in_marketplace,
        "onlySyncPrice": Part.PRICE in only,
        "onlySyncStock": Part.STOCK in only,
        "onlySyncStatus": Part.STATUS in only,
        "updatePrice": Part.PRICE in changed,
        "updateStock": Part.STOCK in changed,
        "updateStatus": Part.STATUS in changed,
    }


def deletion_payload(publication: Publication) -> dict[str, Any]:
    """The body of /deletePublication, which the specification does not show."""
    return {"idSkuMarketplace": publication.id}
