"""The three prices of an item, as people read them: on the order, on the invoice and in the ad."""

from __future__ import annotations

from confere.app.reconciliation.values import ItemPrices
from confere.errors import NC_
from confere.sales.published_price import PublishedPrice
from confere.system import formatting
from confere.system.messages import t


def asked_word(line: ItemPrices) -> str:
    """What the ad asked, as people read it; of several ads each price once."""
    words = dict.fromkeys(_asked(price) for price in line.published)
    return " / ".join(words) or t(NC_("price", "not known"))


def ordered_word(line: ItemPrices) -> str:
    """What the order says that a piece costs, and what was paid for it where that is less."""
    price = formatting.money(line.order_price)
    if line.order_price_paid is None or line.order_price_paid == line.order_price:
        return price
    return t("{price}, after discount {discounted}", price=price, discounted=formatting.money(line.order_price_paid))


def invoiced_word(line: ItemPrices) -> str:
    """What the invoices say that a piece costs."""
    return " / ".join(map(formatting.money, line.invoice_prices))


def _asked(price: PublishedPrice) -> str:
    told = formatting.money(price.price if price.price is not None else price.discount_price)
    if price.price is not None and price.discount_price not in (None, price.price):
        discounted = formatting.money(price.discount_price)
        told = t("{price}, after discount {discounted}", price=told, discounted=discounted)
    if price.campaign:
        told = t("{price} ({campaign})", price=told, campaign=price.campaign)
    return told
