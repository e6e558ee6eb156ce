"""Fiscal documents of the hub: the list under a filter, one record in full, the XML of one event, and a probe."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import quote

from confere.errors import HubNotFound, message
from confere.hub.documents.document_record import document
from confere.hub.http.error_text import is_page, words_of
from confere.hub.http.exchange import HubAnswer
from confere.hub.http.status_errors import BadAnswer
from confere.hub.json.json_reader import read_value
from confere.hub.listing import date_filters, list_envelope, list_page, list_requests
from confere.hub.listing.date_filters import Bound
from confere.hub.listing.list_requests import ListRequests
from confere.hub.retry.rate import StopSignal
from confere.hub.session import HubSession
from confere.sales.hub_document import HubDocument

DocumentPage = list_page.ListPage[HubDocument]
LIST = "documents"
"""The name of this list among what is learnt of a hub."""
_PATH = "/fiscalDocuments"
_SIBLINGS = ("/orders/feeds", "/orders")
_KIND = list_page.ListKind(_PATH, document, lambda found: found.identity, LIST, _SIBLINGS)


@dataclass(frozen=True, slots=True)
class DocumentFilter:
    """What to list; None leaves a field out. Times carry a zone and count inclusive on both ends.

    What `document_type_value` means is not told by the specification: prove it on the answer.
    """

    order_id: str | None = None
    marketplace: str | None = None
    created_from: datetime | None = None
    created_to: datetime | None = None
    updated_from: datetime | None = None
    updated_to: datetime | None = None
    document_type_value: str | None = None

    def params(self) -> dict[str, str | int]:
        """As the query of the list, without its dates."""
        given = {
            "orderId": self.order_id,
            "marketplace": self.marketplace,
            "documentTypeValue": self.document_type_value,
        }
        return {name: value for name, value in given.items() if value is not None}

    def bounds(self) -> dict[str, Bound]:
        """Its dates, by the names of the query."""
        given = {
            "createdAtFrom": self.created_from,
            "createdAtTo": self.created_to,
            "lastUpdateFrom": self.updated_from,
            "lastUpdateTo": self.updated_to,
        }
        return {name: Bound(at, name.endswith("To")) for name, at in given.items() if at is not None}


@dataclass(frozen=True, slots=True)
class Probe:
    """What one small request to the list showed about an account's hub."""

    total: int | None
    documents: tuple[HubDocument, ...]
    enveloped: bool
    numbered: bool
    linked: bool
    seconds: float


def pages(
    session: HubSession,
    wanted: DocumentFilter,
    *,
    offset: int = 0,
    limit: int = list_requests.LARGEST,
    overlap: int = 1,
    stop: StopSignal | None = None,
) -> Iterator[DocumentPage]:
    """The pages of the list from `offset` (in items) on; see `paging.pages` and `dates.pages`."""
    return date_filters.pages(
        session, _KIND, wanted.params(), wanted.bounds(), offset=offset, limit=limit, overlap=overlap, stop=stop
    )


def count(session: HubSession, wanted: DocumentFilter, *, stop: StopSignal | None = None) -> int | None:
    """How many documents the hub says match; None where it does not say."""
    first = next(pages(session, wanted, limit=list_requests.SMALLEST, stop=stop), None)
    return None if first is None else first.total


def fetch(session: HubSession, hub_id: str, *, stop: StopSignal | None = None) -> HubDocument:
    """The record of `hub_id` in full, or of an access key where the hub takes that. `HubNotFound` where it has none."""
    return session.get(f"{_PATH}/{segment(hub_id)}", read=_record, stop=stop)


def download(session: HubSession, item_id: str, *, stop: StopSignal | None = None) -> bytes:
    """The bytes of one event as received, whatever they are but an empty body or a page for people.

    Raises `HubAnswerUnreadable` for those, after the usual tries, and for more than `session.MOST_BYTES`.
    """
    return session.get(f"{_PATH}/download/{segment(item_id)}", read=_file, stop=stop)


def download_from(session: HubSession, address: str, *, stop: StopSignal | None = None) -> bytes:
    """As `download`, of a file that lies at `address`; the account's credentials go there only if it is the hub's."""
    return session.get_address(address, read=_file, stop=stop)


def probe(session: HubSession, *, stop: StopSignal | None = None) -> Probe:
    """One request for the first few documents: proves address, token and platform name.

    A few more follow where the hub refuses it: see `confere.hub.listing.list_requests`.
    """
    started = time.monotonic()
    requests = ListRequests(session, LIST, _PATH, {}, list_requests.SMALLEST, siblings=_SIBLINGS, stop=stop)
    listing = requests.first()
    enveloped, numbered, linked = list_envelope.traits(listing)
    found = tuple(item for record in listing.records if (item := document(record)) is not None)
    return Probe(list_envelope.total(listing), found, enveloped, numbered, linked, time.monotonic() - started)


def segment(identifier: str) -> str:
    """An id as one segment of a path, whatever characters it has."""
    if identifier in ("", ".", ".."):  # these would change the path itself
        raise HubNotFound(
            message("The hub gave {identifier} as an id, which cannot be asked for.", identifier=identifier)
        )
    return quote(identifier, safe="")


def _record(answer: HubAnswer) -> HubDocument:
    found = document(read_value(answer))
    if found is None:
        raise BadAnswer(message("The hub's answer to {request} is no record."))
    return found


def _file(answer: HubAnswer) -> bytes:
    """Whatever came; what it claims to be does not count, since hubs serve XML as `text/html`."""
    if not answer.body.strip():
        raise BadAnswer(message("The file at {request} came empty."))
    if is_page(answer.body, ""):
        title = words_of(answer.body, "text/html")
        raise BadAnswer(
            message("Instead of the file at {request} came a page for people: {title}", title=title)
            if title
            else message("Instead of the file at {request} came a page for people.")
        )
    return answer.body
