"""Every route of the hub, with the operation of the contract that describes it."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from sandbox_hub.contract.operation import Operation
from sandbox_hub.contract.operations import feeds, fiscal_documents, orders, publications
from sandbox_hub.contract.words import Words
from sandbox_hub.environment import ORDERS, PRICES, PRODUCTS, RESERVATIONS, TRANSMISSIONS
from sandbox_hub.faults.plan import Fault
from sandbox_hub.web.feeds.feeds import Feed
from sandbox_hub.web.fiscal_documents import download_file, list_documents, one_document
from sandbox_hub.web.orders.order_moves import MoveOrder
from sandbox_hub.web.orders.orders import list_orders, one_order
from sandbox_hub.web.orders.returns import list_returns
from sandbox_hub.web.publications.skumarketplace import get_publication, put_price_and_stock, put_publication
from sandbox_hub.web.publications.transmissions import (
    list_transmissions,
    one_price,
    one_transmission,
    put_transmission,
)
from sandbox_hub.web.request_handling import DOWNLOADING, LISTING, READING, WRITING, Endpoint
from sandbox_hub.world.orders.order_lifecycle import Status


class Route(NamedTuple):
    """`possible` are the faults that can befall the operation."""

    operation: Operation
    endpoint: Endpoint
    possible: Collection[Fault]


def _feed(domain: str, what: Words, *, shown_read: bool, shown_mark: bool) -> list[Route]:
    """The routes of a feed; what the specification does not show of it is marked."""
    feed = Feed(domain)
    return [
        Route(feeds.read(domain, what, own_choice=not shown_read), feed.read, READING),
        Route(feeds.mark_batch(domain), feed.mark_batch, WRITING),
        Route(feeds.mark_one(domain, own_choice=not shown_mark), feed.mark_one, WRITING),
    ]


_FEEDS = [
    *_feed(ORDERS, Words("pedidos", "orders", "pedidos"), shown_read=True, shown_mark=True),
    *_feed(PRODUCTS, Words("produtos", "products", "productos"), shown_read=False, shown_mark=True),
    *_feed(TRANSMISSIONS, Words("anúncios", "publications", "publicaciones"), shown_read=True, shown_mark=True),
    *_feed(PRICES, Words("preços", "prices", "precios"), shown_read=True, shown_mark=False),
    *_feed(RESERVATIONS, Words("reservas", "reservations", "reservas"), shown_read=True, shown_mark=False),
]

# A path without parameters stands before one with: the first that fits is taken.
BACKOFFICE: tuple[Route, ...] = (
    Route(fiscal_documents.LIST, list_documents, LISTING),
    Route(fiscal_documents.DOWNLOAD, download_file, DOWNLOADING),
    Route(fiscal_documents.GET, one_document, READING),
    *_FEEDS,
    Route(orders.LIST, list_orders, LISTING),
    Route(orders.GET, one_order, READING),
    Route(orders.MOVE, MoveOrder(), WRITING),
    Route(orders.INVOICED, MoveOrder(Status.INVOICED), WRITING),
    Route(orders.SHIPPED, MoveOrder(Status.PAID_WAITING_DELIVERY), WRITING),
    Route(orders.CONCLUDED, MoveOrder(Status.CONCLUDED), WRITING),
    Route(orders.CANCELED, MoveOrder(Status.CANCELED), WRITING),
    Route(orders.RETURNS, list_returns, LISTING),
    Route(publications.LIST, list_transmissions, LISTING),
    Route(publications.GET, one_transmission, READING),
    Route(publications.PUT, put_transmission, WRITING),
    Route(publications.PRICE, one_price, READING),
)

# What the marketplace's middleware calls: another address, other credentials.
MARKETPLACE: tuple[Route, ...] = (
    Route(publications.FETCH, get_publication, READING),
    Route(publications.REPORT, put_publication, WRITING),
    Route(publications.PRICE_STOCK, put_price_and_stock, WRITING),
)
