"""Returns that the hub has booked, page by page, where it has a list of them.

The specification names the domain and shows no field of it: everything here is read by several names, and a hub
without the list is no error.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import chain

from confere.errors import HubNotFound, HubRefusedRequest
from confere.hub.documents.document_record import access_key
from confere.hub.json.json_reader import Record
from confere.hub.json.json_values import cents, moment, pick, text
from confere.hub.listing import date_filters, list_page, list_requests
from confere.hub.listing.date_filters import created_between
from confere.hub.orders import order_reader
from confere.hub.retry.rate import StopSignal
from confere.hub.session import HubSession
from confere.sales.order import Return

LIST = "returns"
"""The name of this list among what is learnt of a hub."""
_PATH = "/returns"
_KINDS = {"total": "total", "full": "total", "partial": "partial", "parcial": "partial"}
_NO_SUCH_METHOD = 405


@dataclass(frozen=True, slots=True)
class HubReturn:
    """A return with its JSON as received (UTF-8); where the hub gave no id, `entry.hub_id` is empty."""

    entry: Return
    raw: bytes

    @property
    def created_at(self) -> datetime | None:
        return moment(self.entry.created_at)

    @property
    def identity(self) -> str:
        """The return's id, else its bytes."""
        return f"id:{self.entry.hub_id}" if self.entry.hub_id else f"raw:{hashlib.sha256(self.raw).hexdigest()}"


ReturnPage = list_page.ListPage[HubReturn]


def return_of(record: Record) -> HubReturn | None:
    """The record as a value, every field None where it cannot be understood; None where it is no object."""
    source = record.value
    if not isinstance(source, dict):
        return None
    entry = Return(
        hub_id=pick(source, text, "id", "returnId", "return_id") or "",
        order_id=pick(source, text, "orderId", "order_id", "order.id", "idOrder", "order"),
        kind=pick(source, _kind, "type", "kind", "returnType"),
        status=pick(source, text, "status", "returnStatus"),
        created_at=pick(source, order_reader.time, "createdAt", "creationDate", "created", "created_at", "date"),
        access_key=pick(source, access_key, "invoice.accessKey", "invoice.key", "accessKey", "documentKey"),
        total_cents=pick(source, cents, "total", "totalAmount", "value"),
        items=order_reader.items(source.get("items") or source.get("products")),
    )
    return HubReturn(entry, record.raw)


def returns(
    session: HubSession,
    created_after: datetime | None = None,
    created_before: datetime | None = None,
    *,
    offset: int = 0,
    limit: int = list_requests.LARGEST,
    overlap: int = 1,
    stop: StopSignal | None = None,
) -> Iterator[ReturnPage] | None:
    """The pages of returns, or None where the hub has no list of them: the first page is asked for at once.

    See `paging.pages` and `dates.pages`. Whether a hub honours the dates is for the caller to prove.
    """
    kind = list_page.ListKind(_PATH, return_of, lambda found: found.identity, LIST)
    bounds = created_between(created_after, created_before)
    found = date_filters.pages(session, kind, {}, bounds, offset=offset, limit=limit, overlap=overlap, stop=stop)
    try:
        first = next(found)
    except HubNotFound:
        return None
    except HubRefusedRequest as refused:
        if refused.status == _NO_SUCH_METHOD:
            return None
        raise
    return chain((first,), found)


def _kind(value: object) -> str | None:
    found = text(value)
    return None if found is None else _KINDS.get(found.lower(), found)
