"""Orders and returns of persons whose data was erased come in without it, however often a hub or a file tells them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from confere.archive.orders import erased_persons
from confere.archive.orders.order_rows import ReceivedOrder, ReceivedReturn, utc_of
from confere.archive.transaction import Transaction
from confere.hub.orders.order_erasure import erased, names_in, spellings
from confere.sales.order import Buyer, Shipping


def without_erased(transaction: Transaction, account_id: int, received: Sequence[ReceivedOrder]) -> list[ReceivedOrder]:
    """The orders, those of erased persons without the buyer and the address."""
    known = erased_persons.load(transaction)
    if known is None:
        return list(received)
    return [
        _without(entry)
        if known.covers(account_id, entry.order.hub_id, entry.order.buyer.tax_id, utc_of(entry.order.created_at))
        else entry
        for entry in received
    ]


def returns_without_erased(
    transaction: Transaction, account_id: int, received: Sequence[ReceivedReturn]
) -> list[ReceivedReturn]:
    """The returns, those of such orders without the person."""
    known = erased_persons.load(transaction)
    if known is None:
        return list(received)
    return [
        replace(entry, raw=erased(entry.raw, names_in(entry.raw)))
        if entry.entry.order_id and known.covers(account_id, entry.entry.order_id, None, None)
        else entry
        for entry in received
    ]


def _without(entry: ReceivedOrder) -> ReceivedOrder:
    names = set(names_in(entry.raw))
    if entry.order.buyer.tax_id:
        names.update(spellings(entry.order.buyer.tax_id))
    shipping = Shipping(uf=entry.order.shipping.uf, country=entry.order.shipping.country)
    return replace(entry, order=replace(entry.order, buyer=Buyer(), shipping=shipping), raw=erased(entry.raw, names))
