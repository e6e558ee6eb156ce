"""The published price as third side: item by item what the ad asked, what the order says and what the invoice says.

It is information beside a finding: no rule finds anything by it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from confere.app.reconciliation.differences import compared_notes
from confere.app.reconciliation.values import ItemPrices, OrderSide, PaperSide
from confere.archive.accounts.accounts import Account
from confere.archive.accounts.hub_facts import of_feed
from confere.archive.feeds import published_prices
from confere.archive.orders.order_rows import utc_of
from confere.archive.transaction import Transaction
from confere.fiscal.document_parts import Item
from confere.sales.hub_feeds import HubFeed
from confere.sales.order import Order, OrderItem


def item_prices(
    transaction: Transaction, account: Account, orders: Iterable[OrderSide], papers: Sequence[PaperSide]
) -> tuple[ItemPrices, ...]:
    """Each item of these orders with its three prices; none where the hub tells no published prices at all."""
    if not (_has_prices(account) or published_prices.count(transaction, account.id)):
        return ()
    whole = [side.order for side in orders if side.order is not None]
    notes = compared_notes(papers)
    return tuple(line for order in whole for line in _of_order(transaction, account.id, order, notes))


def _has_prices(account: Account) -> bool:
    return account.facts.get(of_feed(HubFeed.PRICES).has) is True


def _of_order(
    transaction: Transaction, account_id: int, order: Order, papers: Sequence[PaperSide]
) -> Iterator[ItemPrices]:
    at, codes = utc_of(order.created_at), {item.code for item in order.items if item.code}
    known = {} if at is None else published_prices.at(transaction, account_id, order.marketplace, codes, at)
    for item in order.items:
        quantity = item.quantity or 0
        paid = None if item.total_cents is None or not quantity else round(item.total_cents / quantity)
        yield ItemPrices(
            order_id=order.hub_id,
            code=item.code or item.ean or "",
            name=item.description or "",
            order_price=_unit_price(item),
            order_price_paid=paid,
            invoice_prices=tuple(dict.fromkeys(_invoiced(item, papers))),
            published=known.get(item.code or "", ()),
        )


def _unit_price(item: OrderItem) -> int | None:
    """What a piece costs before discount."""
    if item.unit_cents is not None or item.gross_cents is None or not item.quantity:
        return item.unit_cents
    return round(item.gross_cents / item.quantity)


def _invoiced(item: OrderItem, papers: Sequence[PaperSide]) -> Iterator[int]:
    """What a piece of the same item costs on these papers."""
    for side in papers:
        for line in side.items:
            if line.unit_price is not None and _is_same(item, line):
                yield round(line.unit_price * 100)


def _is_same(item: OrderItem, line: Item) -> bool:
    """By the seller's code; by EAN where the invoice has another code."""
    return (bool(item.code) and line.code == item.code) or (bool(item.ean) and line.ean == item.ean)
