"""Published prices out of the record of a publication, or of its price."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC

from confere.hub.json.json_values import cents, moment, objects, pick, text
from confere.sales.published_price import PublishedPrice


def published_prices(source: Mapping[str, object], hub_id: str, seen_at: str) -> tuple[PublishedPrice, ...]:
    """The prices that a record tells, former ones too where it has them; none where it names no SKU.

    `seen_at` (UTC text) is the time of a price of which the record does not say since when it holds.
    """
    sku = pick(source, text, "skuPartnerId", "partnerId", "sku.partnerId", "sku")
    if sku is None:
        return ()
    marketplace = pick(source, text, "marketplace", "marketplace.name", "marketPlace")
    publication = pick(source, text, "id") or hub_id
    prices = [_price(former, publication, sku, marketplace, seen_at) for former in _history(source)]
    dated = [price for price in prices if price is not None and price.is_dated]
    now = _price(source, publication, sku, marketplace, seen_at)
    if now is not None and (not dated or _said(max(dated, key=lambda price: price.since_at)) != _said(now)):
        dated.append(now)
    return tuple(dated)


def _history(source: Mapping[str, object]) -> Iterator[Mapping[str, object]]:
    history = source.get("history")
    return objects(history) if isinstance(history, list) else iter(())


def _price(
    source: Mapping[str, object], publication: str, sku: str, marketplace: str | None, seen_at: str
) -> PublishedPrice | None:
    price, after_discount = pick(source, cents, "price"), pick(source, cents, "discountPrice")
    if price is None and after_discount is None:
        return None
    since = pick(source, moment, "since", "priceSince")
    return PublishedPrice(
        publication=publication,
        sku=sku,
        marketplace=marketplace,
        since_at=seen_at if since is None else since.astimezone(UTC).isoformat(timespec="milliseconds"),
        price=price,
        discount_price=after_discount,
        campaign=pick(source, text, "campaign", "campaign.name"),
        is_dated=since is not None,
    )


def _said(price: PublishedPrice) -> tuple[int | None, int | None, str | None]:
    return price.price, price.discount_price, price.campaign
