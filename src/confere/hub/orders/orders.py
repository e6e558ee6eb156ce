"""Orders of the hub as it lists and gives them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from confere.hub.documents.documents import segment
from confere.hub.http.exchange import HubAnswer
from confere.hub.json.json_reader import Record, of_text, read_record
from confere.hub.json.json_values import moment, pick, text
from confere.hub.listing import date_filters, list_page, list_requests
from confere.hub.listing.date_filters import created_between
from confere.hub.orders import order_reader
from confere.hub.retry.rate import StopSignal
from confere.hub.session import HubSession
from confere.sales.order import Order

LIST = "orders"
"""The name of this list among what is learnt of a hub."""
_PATH = "/orders"


@dataclass(frozen=True, slots=True)
class HubOrder:
    """An order, whole, with its JSON as received (UTF-8) in `raw`.

    `hub_id` is None where the hub gave none; then `order` has an empty one.
    """

    order: Order
    raw: bytes

    @property
    def hub_id(self) -> str | None:
        return self.order.hub_id or None

    @property
    def created_at(self) -> datetime | None:
        return moment(self.order.created_at)

    @property
    def identity(self) -> str:
        """The order's id, else its bytes."""
        return f"id:{self.hub_id}" if self.hub_id else f"raw:{hashlib.sha256(self.raw).hexdigest()}"


OrderPage = list_page.ListPage[HubOrder]


def order_of(record: Record) -> HubOrder | None:
    """The record as a value, every field None where it cannot be understood; None where it is no object."""
    source = record.value
    if not isinstance(source, dict):
        return None
    hub_id = pick(source, text, "id", "orderId", "order_id")
    return HubOrder(order_reader.order(source, hub_id or ""), record.raw)


_KIND = list_page.ListKind(_PATH, order_of, lambda found: found.identity, LIST)


def order_of_text(raw: bytes) -> HubOrder:
    """The order of a JSON object that was kept or made here. Raises `ValueError` where it is none."""
    found = order_of(of_text(raw))
    if found is None:
        raise ValueError("no object")
    return found


def orders(
    session: HubSession,
    created_after: datetime | None = None,
    created_before: datetime | None = None,
    *,
    status: str | None = None,
    marketplace: str | None = None,
    marketplace_id: str | None = None,
    sort: str | None = None,
    offset: int = 0,
    limit: int = list_requests.LARGEST,
    overlap: int = 1,
    stop: StopSignal | None = None,
) -> Iterator[OrderPage]:
    """The pages of orders; there is no filter by last update. See `paging.pages` and `dates.pages`."""
    given = {
        "status": status,
        "marketplace": marketplace,
        "marketplaceId": marketplace_id,
        "sort": sort,
    }
    params: dict[str, str | int] = {name: value for name, value in given.items() if value is not None}
    bounds = created_between(created_after, created_before)
    return date_filters.pages(session, _KIND, params, bounds, offset=offset, limit=limit, overlap=overlap, stop=stop)


def order(session: HubSession, hub_id: str, *, stop: StopSignal | None = None) -> HubOrder:
    """One order in full. Raises `HubNotFound` where the hub has none."""

    def read(answer: HubAnswer) -> HubOrder:
        found = order_of(read_record(answer))
        assert found is not None  # read_record gives objects only
        return found

    return session.get(f"{_PATH}/{segment(hub_id)}", read=read, stop=stop)
