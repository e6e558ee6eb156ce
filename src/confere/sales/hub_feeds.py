"""The feeds of a hub: lists of what changed, each item of which is read until somebody marks it."""

from __future__ import annotations

from enum import StrEnum


class HubFeed(StrEnum):
    """A feed by the domain that stands in its path. Source: the hub's specification, Endpoints, Orders and feeds."""

    ORDERS = "orders"
    PRODUCTS = "products"
    TRANSMISSIONS = "transmissions"
    PRICES = "transmissions-price"
    RESERVATIONS = "reservations"
