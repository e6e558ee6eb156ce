"""Every route of the hub, with the operation of the contract that describes it."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from sandbox_hub.contract.operation import Operation
from sandbox_hub.contract.operations import feeds, fiscal_documents, orders, products, publications, registers, stock
from sandbox_hub.contract.words import Words
from sandbox_hub.environment import ORDERS, PRICES, PRODUCTS, RESERVATIONS, TRANSMISSIONS
from sandbox_hub.faults.plan import Fault
from sandbox_hub.web.catalog.overview import list_roles, list_users, monitoring
from sandbox_hub.web.catalog.products import change_product, create_product, list_products, one_product
from sandbox_hub.web.catalog.registers import (
    change_brand,
    change_category,
    create_brand,
    create_category,
    create_variation,
    list_brands,
    list_categories,
    list_variations,
)
from sandbox_hub.web.catalog.skus import change_sku, create_image, create_sku, list_images, list_skus
from sandbox_hub.web.catalog.stock import (
    change_prices,
    change_stocks,
    create_campaign,
    list_campaigns,
    list_prices,
    list_stocks,
)
from sandbox_hub.web.feeds.feeds import Feed
from sandbox_hub.web.fiscal_documents import download_file, list_documents, one_document
from sandbox_hub.web.orders.new_order import create_order
from sandbox_hub.web.orders.order_moves import MoveOrder
from sandbox_hub.web.orders.orders import list_orders, one_order
from sandbox_hub.web.orders.reservations import one_reservation
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

_CATALOG = [
    Route(registers.LIST_BRANDS, list_brands, LISTING),
    Route(registers.CREATE_BRAND, create_brand, WRITING),
    Route(registers.CHANGE_BRAND, change_brand, WRITING),
    Route(registers.LIST_CATEGORIES, list_categories, LISTING),
    Route(registers.CREATE_CATEGORY, create_category, WRITING),
    Route(registers.CHANGE_CATEGORY, change_category, WRITING),
    Route(registers.LIST_VARIATIONS, list_variations, LISTING),
    Route(registers.CREATE_VARIATION, create_variation, WRITING),
    Route(products.LIST, list_products, LISTING),
    Route(products.CREATE, create_product, WRITING),
    Route(products.GET, one_product, READING),
    Route(products.CHANGE, change_product, WRITING),
    Route(products.LIST_SKUS, list_skus, LISTING),
    Route(products.CREATE_SKU, create_sku, WRITING),
    Route(products.CHANGE_SKU, change_sku, WRITING),
    Route(products.LIST_IMAGES, list_images, LISTING),
    Route(products.CREATE_IMAGE, create_image, WRITING),
    Route(stock.LIST_STOCKS, list_stocks, LISTING),
    Route(stock.CHANGE_STOCKS, change_stocks, WRITING),
    Route(stock.LIST_PRICES, list_prices, LISTING),
    Route(stock.CHANGE_PRICES, change_prices, WRITING),
    Route(stock.LIST_CAMPAIGNS, list_campaigns, LISTING),
    Route(stock.CREATE_CAMPAIGN, create_campaign, WRITING),
    Route(stock.MONITORING, monitoring, READING),
    Route(stock.LIST_USERS, list_users, LISTING),
    Route(stock.LIST_ROLES, list_roles, LISTING),
]

# A path without parameters stands before one with: the first that fits is taken.
BACKOFFICE: tuple[Route, ...] = (
    Route(fiscal_documents.LIST, list_documents, LISTING),
    Route(fiscal_documents.DOWNLOAD, download_file, DOWNLOADING),
    Route(fiscal_documents.GET, one_document, READING),
    *_FEEDS,
    Route(orders.LIST, list_orders, LISTING),
    Route(orders.CREATE, create_order, WRITING),
    Route(orders.GET, one_order, READING),
    Route(orders.MOVE, MoveOrder(), WRITING),
    Route(orders.INVOICED, MoveOrder(Status.INVOICED), WRITING),
    Route(orders.SHIPPED, MoveOrder(Status.PAID_WAITING_DELIVERY), WRITING),
    Route(orders.CONCLUDED, MoveOrder(Status.CONCLUDED), WRITING),
    Route(orders.CANCELED, MoveOrder(Status.CANCELED), WRITING),
    Route(orders.RESERVATION, one_reservation, READING),
    Route(orders.RETURNS, list_returns, LISTING),
    *_CATALOG,
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
