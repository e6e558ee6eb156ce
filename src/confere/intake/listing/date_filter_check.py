"""Whether a hub honours dates, shown by a window that must hold something where the one asked for holds nothing.

An honestly empty month and a filter that is misread look the same. So what is known, or what the list shows without
dates, is asked for by its own date.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Protocol, TypeVar

from confere.hub.documents import documents
from confere.hub.documents.documents import DocumentFilter
from confere.hub.listing.date_filters import widened
from confere.hub.listing.list_page import ListPage
from confere.hub.listing.list_requests import SMALLEST
from confere.hub.orders import orders
from confere.hub.session import HubSession
from confere.intake.listing.listing_window import SLACK
from confere.system.processes.cancellation import Stop

_AROUND = timedelta(seconds=1)


class Created(Protocol):
    """What a list holds, as far as its date goes."""

    @property
    def created_at(self) -> datetime | None:
        """When the hub says that it was created."""


C = TypeVar("C", bound=Created)


def documents_honour(
    session: HubSession, known: datetime | None, asked: DocumentFilter, *, narrowed: bool, stop: Stop | None
) -> bool:
    """Whether the list of documents honours dates; `known` is when a known one was created.

    `narrowed` says that `asked` is about certain documents, so that a known one in its window is no contradiction.
    """

    def read(first: datetime | None, last: datetime | None) -> Iterator[documents.DocumentPage]:
        return documents.pages(session, DocumentFilter(created_from=first, created_to=last), limit=SMALLEST, stop=stop)

    window = (asked.created_from, asked.created_to)
    return _honours(read, known, window, narrowed, widened(session.shapes.of(documents.LIST).dates))


def orders_honour(
    session: HubSession, known: datetime | None, after: datetime | None, before: datetime | None, *, stop: Stop | None
) -> bool:
    """Whether the list of orders honours dates; `known` is when a known one was created."""

    def read(first: datetime | None, last: datetime | None) -> Iterator[orders.OrderPage]:
        return orders.orders(session, first, last, limit=SMALLEST, stop=stop)

    return _honours(read, known, (after, before), False, widened(session.shapes.of(orders.LIST).dates))


def _honours(
    read: Callable[[datetime | None, datetime | None], Iterator[ListPage[C]]],
    known: datetime | None,
    window: tuple[datetime | None, datetime | None],
    narrowed: bool,
    more: timedelta,
) -> bool:
    if known is None:
        page = next(read(None, None), None)
        if page is None or not (page.items or page.refused):
            return True  # there is nothing at all
        known = next((item.created_at for item in reversed(page.items) if item.created_at is not None), None)
        if known is None:
            return False
    first, last = window
    if not narrowed and (first is None or first <= known) and (last is None or known <= last):
        return False  # it had to be listed
    page = next(read(known - _AROUND, known + _AROUND), None)
    slack = SLACK + more
    return (
        page is not None
        and bool(page.items)
        and all(item.created_at is not None and abs(item.created_at - known) <= slack + _AROUND for item in page.items)
    )
