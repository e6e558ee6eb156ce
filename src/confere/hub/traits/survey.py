"""A look at a hub in a handful of requests: its list of documents, how it is paged, which dates it takes, and how it
says that there is nothing. What is learnt goes into the session's shapes."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import fields
from datetime import datetime, timedelta
from decimal import Decimal
from itertools import islice
from typing import Any

from confere.errors import HubError
from confere.hub.documents import documents
from confere.hub.documents.documents import LIST, DocumentFilter, Probe
from confere.hub.json.json_reader import of_text
from confere.hub.listing.date_filters import DatesRefused
from confere.hub.listing.list_requests import SMALLEST
from confere.hub.retry.rate import StopSignal
from confere.hub.session import HubSession
from confere.hub.traits import hub_traits
from confere.sales.hub_document import HubDocument

_PAGES = 2
_FAR = timedelta(days=36_500)


def survey(session: HubSession, *, stop: StopSignal | None = None) -> Probe:
    """What the first request shows, as `documents.probe` says it; then how to go on from there is learnt.

    Raises what stood in the way of the first request. Whatever fails after it is only not learnt.
    """
    found = documents.probe(session, stop=stop)
    known = session.shapes.of(LIST)
    with suppress(HubError):
        if known.paging is None and found.documents:
            for _ in islice(documents.pages(session, DocumentFilter(), limit=SMALLEST, overlap=1, stop=stop), _PAGES):
                pass
    moments = [entry.created_at for entry in found.documents if entry.created_at is not None]
    with suppress(HubError):
        if moments:
            _learn_dates(session, moments[0], stop)
    return found


def _learn_dates(session: HubSession, known: datetime, stop: StopSignal | None) -> None:
    """Ask for the days around a document, and for days long before it."""
    window = DocumentFilter(created_from=known - timedelta(days=1), created_to=known + timedelta(days=1))
    try:
        next(documents.pages(session, window, limit=SMALLEST, stop=stop), None)
    except DatesRefused:
        session.shapes.learn(LIST, dates=hub_traits.REFUSED)
        return
    before = DocumentFilter(created_from=known - _FAR, created_to=known - _FAR / 2)
    page = next(documents.pages(session, before, limit=SMALLEST, stop=stop), None)
    honoured = page is not None and not page.items and not page.refused
    session.shapes.learn(LIST, date_filter=hub_traits.HONOURED if honoured else hub_traits.IGNORED)


def understood(found: HubDocument) -> dict[str, Any]:
    """A record's fields as plain values of JSON: what was made of its raw text, which is left out."""
    return {name: value for name, value in _plain(found).items() if name != "raw"}


def received(found: HubDocument) -> Any:
    """A record's own JSON as a value."""
    return _plain(of_text(found.raw).value)


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(name): _plain(entry) for name, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(entry) for entry in value]
    if isinstance(value, datetime):
        return value.isoformat()
    if hasattr(value, "__dataclass_fields__"):
        return {entry.name: _plain(getattr(value, entry.name)) for entry in fields(value)}
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, Decimal) and Decimal(repr(float(value))) == value:
        return float(value)
    return str(value)  # a number that no float holds; bytes are left out by who asks
