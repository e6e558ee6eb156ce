"""The feed of new and changed orders: reading it changes nothing, marking takes an item away from every reader."""

from __future__ import annotations

import json
from dataclasses import dataclass

from confere.hub.documents.documents import segment
from confere.hub.json.json_reader import read_listing
from confere.hub.json.json_values import pick, text
from confere.hub.retry.rate import StopSignal
from confere.hub.session import HubSession

_PATH = "/orders/feeds"


@dataclass(frozen=True, slots=True)
class FeedItem:
    """An order that changed. `token` names the item when it is marked; it is no credential."""

    order_id: str
    token: str


def unread(session: HubSession, limit: int | None = None, *, stop: StopSignal | None = None) -> tuple[FeedItem, ...]:
    """What nobody has marked as read yet (the hub keeps it for 30 days). Marks nothing."""
    listing = session.get(_PATH, None if limit is None else {"limit": limit}, read=read_listing, stop=stop)
    items = []
    for record in listing.records:
        if isinstance(record.value, dict):
            order_id, token = pick(record.value, text, "id", "orderId"), pick(record.value, text, "token")
            if order_id and token:
                items.append(FeedItem(order_id, token))
    return tuple(items)


def mark(session: HubSession, order_id: str, token: str, *, stop: StopSignal | None = None) -> None:
    """Mark one item as read, for **every** reader of the account, the seller's own ERP included.

    Only on an explicit act of the user. Repeating it does no harm.
    """
    session.put(f"{_PATH}/{segment(order_id)}", json.dumps({"token": token}).encode(), stop=stop)
