"""A feed of changes: reading it changes nothing, marking takes an item away from every reader of the account.

Marking happens on an explicit choice of the user alone. Repeating it does no harm.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from confere.hub.documents.documents import segment
from confere.hub.json.json_reader import Record, read_listing, read_record
from confere.hub.json.json_values import pick, text
from confere.hub.retry.rate import StopSignal
from confere.hub.session import HubSession
from confere.sales.hub_feeds import HubFeed

_IDS = ("id", "orderId", "productId", "transmissionId", "reservationId")


@dataclass(frozen=True, slots=True)
class FeedItem:
    """Something that changed. `token` names the item when it is marked; it is no credential."""

    hub_id: str
    token: str


class Unread(NamedTuple):
    """What a feed shows: its items, and how many more name no record or no token."""

    items: tuple[FeedItem, ...]
    nameless: int


def unread(session: HubSession, feed: HubFeed, limit: int | None = None, *, stop: StopSignal | None = None) -> Unread:
    """What nobody has marked as read yet (the hub keeps it for 30 days). Marks nothing."""
    listing = session.get(_path(feed), None if limit is None else {"limit": limit}, read=read_listing, stop=stop)
    items = []
    for record in listing.records:
        if isinstance(record.value, dict):
            hub_id, token = pick(record.value, text, *_IDS), pick(record.value, text, "token")
            if hub_id and token:
                items.append(FeedItem(hub_id, token))
    return Unread(tuple(items), len(listing.records) - len(items))


def mark(session: HubSession, feed: HubFeed, item: FeedItem, *, stop: StopSignal | None = None) -> None:
    """Mark one item as read."""
    session.put(f"{_path(feed)}/{segment(item.hub_id)}", _json({"token": item.token}), stop=stop)


def mark_together(
    session: HubSession, feed: HubFeed, items: Sequence[FeedItem], *, stop: StopSignal | None = None
) -> None:
    """Mark these items as read, by one request that names them."""
    body = [{"id": _as_sent(item.hub_id), "token": item.token} for item in items]
    session.put(f"{_path(feed)}/batch", _json(body), stop=stop)


def mark_all_read(session: HubSession, feed: HubFeed, *, stop: StopSignal | None = None) -> None:
    """Mark all that the hub has shown, to whichever reader of the account, by one request with an empty body."""
    session.put(f"{_path(feed)}/batch", b"{}", stop=stop)


def record(session: HubSession, path: str, hub_id: str, *, stop: StopSignal | None = None) -> Record:
    """The record that an item names, at the contract's `path` (`/products/{id}`). Raises `HubNotFound`."""
    before, _, rest = path.partition("{")
    return session.get(before + segment(hub_id) + rest.partition("}")[2], read=read_record, stop=stop)


def _path(feed: HubFeed) -> str:
    return f"/{feed.value}/feeds"


def _as_sent(hub_id: str) -> int | str:
    """A number as the feed writes one: the hub may take no text for it."""
    return int(hub_id) if hub_id.isascii() and hub_id.isdecimal() and hub_id == str(int(hub_id)) else hub_id


def _json(body: object) -> bytes:
    return json.dumps(body).encode()
