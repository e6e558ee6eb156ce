"""A few answers of each kind that a hub gives: lists, details of every shape, files, orders, and what it refuses.

Everything is only read: `GET` alone, and nothing of a feed is marked.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any, Final

from confere.errors import HubError, HubRefusedToken
from confere.hub.documents.document_record import document
from confere.hub.documents.documents import segment
from confere.hub.http.exchange import HubAnswer
from confere.hub.http.status_errors import BadAnswer
from confere.hub.json.json_reader import Record, read_listing, read_record
from confere.hub.json.json_writer import written
from confere.hub.listing.list_envelope import total
from confere.hub.orders.orders import HubOrder, order_of
from confere.hub.session import HubSession
from confere.hub.traits.recording import RecordedAnswer, Recording
from confere.sales.hub_document import HubDocument

Advance = Callable[[int], None]
_DOCUMENTS: Final = "/fiscalDocuments"
_ORDERS: Final = "/orders"
_FEED: Final = "/orders/feeds"
_RETURNS: Final = "/returns"
_PAGE: Final = 100
_SMALL: Final = 5
_ALIKE: Final = 2  # records of one shape that are kept
_MOST_RECORDS: Final = 40
_MOST_FILES: Final = 160
_LISTS: Final = ("content", "items", "data", "results")
_UNKNOWN: Final = "999999999999999"
_FUTURE: Final = "2199-01-01T00:00:00-03:00"


@dataclass(frozen=True, slots=True)
class Samples:
    """Answers in the order of asking; `trimmed` counts the records left out of a list, by the answer's place."""

    answers: tuple[RecordedAnswer, ...]
    trimmed: Mapping[int, int]
    documents: int
    files: int
    orders: int


def sample(session: HubSession, advance: Advance = lambda _: None) -> Samples:
    """Ask for samples; `advance` is told of each request. What the hub refuses is a sample too.

    Raises `HubError` where the hub cannot be reached, or refuses the token.
    """
    recording = Recording()
    session.observe(recording.keep)
    asker = _Asker(session, advance)
    documents = asker.documents()
    files = asker.files(documents)
    orders = asker.orders()
    asker.refusals()
    identities = {found.identity for found in documents}
    names = {found.identity for found in orders}
    order_ids = {found.hub_id for found in orders}
    keeps: dict[str, Callable[[Record], bool]] = {
        _DOCUMENTS: lambda record: (found := document(record)) is not None and found.identity in identities,
        _ORDERS: lambda record: (found := order_of(record)) is not None and found.identity in names,
        _FEED: lambda record: isinstance(record.value, dict) and str(record.value.get("id")) in order_ids,
    }
    answers: list[RecordedAnswer] = []
    trimmed: dict[int, int] = {}
    for found in recording.answers:
        kept, left_out = _trimmed(found, keeps[found.path]) if found.path in keeps else (found, 0)
        if left_out:
            trimmed[len(answers)] = left_out
        answers.append(kept)
    return Samples(tuple(answers), trimmed, len(documents), files, len(orders))


class _Asker:
    def __init__(self, session: HubSession, advance: Advance) -> None:
        self._session = session
        self._advance = advance

    def documents(self) -> list[HubDocument]:
        """Records of every type, subtype and shape, from the list's beginning and its end, each with its detail."""
        found = self._listed(_DOCUMENTS, document)
        chosen = _chosen(found, _kind_of)
        whole: list[HubDocument] = []
        for entry in chosen:
            whole.append(entry)
            record = _record(self._get(f"{_DOCUMENTS}/{segment(entry.hub_id)}")) if entry.hub_id else None
            detail = None if record is None else document(record)
            if detail is not None:
                whole[-1] = replace(entry, items=tuple(dict.fromkeys((*entry.items, *detail.items))))
        return whole

    def files(self, documents: Iterable[HubDocument]) -> int:
        """The files of these records; how many the hub gave."""
        names = list(dict.fromkeys(item.item_id for entry in documents for item in entry.items))
        got = [self._get(f"{_DOCUMENTS}/download/{segment(name)}") for name in names[:_MOST_FILES]]
        return sum(answer is not None for answer in got)

    def orders(self) -> list[HubOrder]:
        """Orders of every status and shape, each as the list and as the hub itself gives it; feed and returns."""
        found = self._listed(_ORDERS, order_of)
        chosen = _chosen(found, lambda entry: (entry.order.status, _shape(entry.raw)))
        for entry in chosen:
            if entry.hub_id:
                self._get(f"{_ORDERS}/{segment(entry.hub_id)}")
        self._get(_FEED, limit=_SMALL)
        self._get(_RETURNS, limit=_SMALL, offset=0)
        return chosen

    def refusals(self) -> None:
        """What the hub says to what it does not know, and how it says that there is nothing."""
        self._get(_DOCUMENTS, limit=1, offset=0)
        self._get(_DOCUMENTS, limit=_SMALL, offset=0, orderId=_UNKNOWN)
        self._get(_DOCUMENTS, limit=_SMALL, offset=0, createdAtFrom=_FUTURE)
        self._get(f"{_DOCUMENTS}/{_UNKNOWN}")
        self._get(f"{_DOCUMENTS}/download/{_UNKNOWN}")
        self._get(f"{_ORDERS}/{_UNKNOWN}")

    def _listed(self, path: str, parse: Callable[[Record], Any]) -> list[Any]:
        """What the first pages and the last one of a list show."""
        pages = [self._get(path), self._get(path, limit=_SMALL, offset=0), self._get(path, limit=_PAGE, offset=0)]
        count = max(map(_total, pages))
        if count > _PAGE:
            pages.append(self._get(path, limit=_PAGE, offset=(count - 1) // _PAGE * _PAGE))
        found: dict[str, Any] = {}
        for page in pages:
            for record in _records(page):
                entry = parse(record)
                if entry is not None:
                    found.setdefault(entry.identity, entry)
        return list(found.values())

    def _get(self, path: str, **query: str | int) -> HubAnswer | None:
        """The answer, of whatever kind it is where the hub takes the question; None where it refuses."""
        self._advance(1)
        try:
            return self._session.get(path, query, read=lambda answer: answer)
        except HubError as error:
            # Without documents there is nothing to record; orders may be closed to this token.
            if error.status is None or (isinstance(error, HubRefusedToken) and path == _DOCUMENTS and not query):
                raise
            return None


def _records(page: HubAnswer | None) -> tuple[Record, ...]:
    """The records of a list; none where it is not understood: the answer is kept all the same."""
    try:
        return () if page is None else read_listing(page).records
    except BadAnswer:
        return ()


def _record(detail: HubAnswer | None) -> Record | None:
    try:
        return None if detail is None else read_record(detail)
    except BadAnswer:
        return None


def _total(page: HubAnswer | None) -> int:
    try:
        return 0 if page is None else total(read_listing(page)) or 0
    except BadAnswer:
        return 0


def _kind_of(entry: HubDocument) -> object:
    """Records that differ in this are of different kinds: what they are, what happened to them, how they are told."""
    events = frozenset(event.status for event in entry.history)
    return entry.type, entry.subtype, len(entry.items), events, _shape(entry.raw)


def _chosen(found: Iterable[Any], kind: Callable[[Any], object]) -> list[Any]:
    """The first of each kind, and at most so many in all."""
    seen: Counter[object] = Counter()
    chosen: list[Any] = []
    for entry in found:
        name = kind(entry)
        seen[name] += 1
        if seen[name] <= _ALIKE and len(chosen) < _MOST_RECORDS:
            chosen.append(entry)
    return chosen


def _shape(raw: bytes) -> frozenset[str]:
    """Where a record holds something, elements of a list as one."""
    found: set[str] = set()
    left: list[tuple[str, object]] = [("", json.loads(raw))]
    while left:
        place, value = left.pop()
        if isinstance(value, dict):
            left += [(f"{place}.{name}", held) for name, held in value.items()]
        elif isinstance(value, list):
            left += [(f"{place}[]", held) for held in value]
        elif value not in (None, ""):
            found.add(f"{place}:{type(value).__name__}")
    return frozenset(found)


def _trimmed(found: RecordedAnswer, keeps: Callable[[Record], bool]) -> tuple[RecordedAnswer, int]:
    """The list without what `keeps` refuses, and how much that is; another body as it is."""
    try:
        whole = json.loads(found.body, parse_float=Decimal)
    except ValueError:
        return found, 0
    records = _list_in(whole)
    if not records:
        return found, 0
    kept = [value for value in records if keeps(Record(value, written(value).encode()))]
    left_out = len(records) - len(kept)
    records[:] = kept
    return (replace(found, body=written(whole).encode()), left_out) if left_out else (found, 0)


def _list_in(value: object) -> list[object] | None:
    if isinstance(value, list):
        return value
    if isinstance(value, dict):
        for name in _LISTS:
            inner = _list_in(value.get(name))
            if inner is not None:
                return inner
    return None
