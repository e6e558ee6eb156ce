"""Reading a list of the hub page by page, whatever its envelope, its offsets and its order do meanwhile.

What a hub may do here (field notes): give no envelope, no page number, no `next` link; cap the page size; count
pages where we mean items; ignore the offset; let items vanish or appear while we read. Offsets outside of this
module are always in items. Nothing here is endless: a page that came before at another place, or a list that
outgrows twice its first total, ends in an error.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from confere.errors import HubAnswerUnreadable, HubRefusedRequest, message
from confere.hub import envelope
from confere.hub.json_text import Listing, Record, read_listing
from confere.hub.rate import Stop
from confere.hub.session import HubSession

V = TypeVar("V")

SMALLEST, LARGEST = 5, 100
_SMALLER = (50, 20, SMALLEST)
_INDEX_NAMES = ("page", "offset", "pageNumber", "pageIndex", "number")
_ROOM_TO_GROW = 10_000
_MOST_WITHOUT_TOTAL = 10_000_000
_TRIES = 3  # of reading a seam or an end that does not hold still


@dataclass(frozen=True, slots=True)
class Kind(Generic[V]):
    """A list: its path, how an element is read (None where it is no record), and what tells elements apart."""

    path: str
    parse: Callable[[Record], V | None]
    identity: Callable[[V], str]


@dataclass(frozen=True, slots=True)
class Page(Generic[V]):
    """One page. `next_offset` is where to go on, None at the end; `total` what the hub says there is, None where it
    does not say; `refused` how many elements were no records; `shifted` whether items moved between this answer and
    the one before, so that something was read again."""

    items: tuple[V, ...]
    offset: int
    next_offset: int | None
    total: int | None
    refused: int
    shifted: bool = False


@dataclass(frozen=True, slots=True)
class _Raw(Generic[V]):
    """A page as it came; `identities` has one for every element, records or not."""

    items: tuple[V, ...]
    identities: tuple[str, ...]
    listing: Listing
    offset: int

    @property
    def size(self) -> int:
        return len(self.identities)

    @property
    def end(self) -> int:
        return self.offset + self.size

    @property
    def more(self) -> bool | None:
        return envelope.has_more(self.listing, end=self.end)


def pages(
    session: HubSession,
    kind: Kind[V],
    params: Mapping[str, str | int],
    *,
    offset: int = 0,
    limit: int = LARGEST,
    overlap: int = 1,
    stop: Stop | None = None,
) -> Iterator[Page[V]]:
    """The pages from `offset` on, each yielded before the next is asked for; the last one has no `next_offset`.

    Consecutive pages share `overlap` items. Where the first of a page is not what stood there in the page before,
    items moved, and the page before is read again. The end is believed when two answers in a row agree on the
    total. So an item can come twice, and the caller tells by identity. Raises `HubError` and `Cancelled`.
    """
    return _Reader(session, kind, params, limit, overlap, stop).pages(max(0, offset))


class _Reader(Generic[V]):
    def __init__(
        self,
        session: HubSession,
        kind: Kind[V],
        params: Mapping[str, str | int],
        limit: int,
        overlap: int,
        stop: Stop | None,
    ) -> None:
        self._session = session
        self._kind = kind
        self._params = dict(params)
        self._limit = max(SMALLEST, min(LARGEST, limit))
        self._overlap = max(0, min(overlap, self._limit - 1))
        self._stop = stop
        self._index_name: str | None = None  # set where the hub counts pages
        self._places: dict[int, int] = {}  # hash of a page's identities -> its offset
        self._totals: deque[int | None] = deque(maxlen=2)  # of the newest answers
        self._moved = 0
        self._furthest = 0
        self._started = False

    def pages(self, offset: int) -> Iterator[Page[V]]:
        last, shifted = self._first(max(0, offset - self._overlap)), False
        known = set(last.identities)
        while True:
            self._guard(last)
            following = None
            if last.size and last.more is False:
                following = self._beyond_the_end(last, known)
            ends = not last.size or (last.more is False and following is None)
            yield Page(
                last.items,
                last.offset,
                None if ends else last.end,
                envelope.total(last.listing),
                last.size - len(last.items),
                shifted,
            )
            if ends:
                return
            page, shifted = following or self._following(last)
            if page.more is None and not shifted and known.issuperset(page.identities):
                page = _nothing_after(last)  # nothing says how long the list is, and nothing new came
            last, known = page, set(page.identities)

    def _first(self, offset: int) -> _Raw[V]:
        page = self._fetch(offset)
        count = envelope.total(page.listing)
        head = self._fetch(0) if offset and not page.size and (count is None or count > offset) else page
        if head.size > 1:
            self._learn_from(head)
            if self._index_name is not None and offset:
                page = self._fetch(offset)
        self._furthest = max(2 * count, count + _ROOM_TO_GROW) if count is not None else _MOST_WITHOUT_TOTAL
        return page

    def _following(self, last: _Raw[V]) -> tuple[_Raw[V], bool]:
        """The page after `last`, and whether items had moved."""
        page = self._fetch(self._place_after(last))
        missing = not page.size and (page.offset < last.end or last.more is True or last.size == self._limit)
        if not self._started and self._index_name is None and (missing or page.identities == last.identities):
            page = self._counted_in_pages(last, page)
        self._started = True
        for _ in range(_TRIES):
            if self._meets(last, page):
                self._moved = 0
                return page, False
            if self._moved == _TRIES:
                break  # it never holds still here: go on
            self._moved += 1
            again = self._fetch(last.offset)
            if again.identities and again.identities != last.identities:
                return again, True
            page = self._fetch(self._place_after(last))
            if not page.size and last.more is not True:
                return _nothing_after(last), False  # twice nothing where something should be, and nothing promises more
        self._moved = 0
        return page, True

    def _meets(self, last: _Raw[V], page: _Raw[V]) -> bool:
        """Whether the first of `page` is what `last` had in its place."""
        place = page.offset - last.offset
        if place >= last.size:
            return True
        return bool(page.identities) and page.identities[0] == last.identities[place]

    def _place_after(self, last: _Raw[V]) -> int:
        if self._index_name is not None:
            return (last.offset // self._limit + 1) * self._limit
        return max(last.offset + 1, last.end - self._overlap)

    def _beyond_the_end(self, last: _Raw[V], known: set[str]) -> tuple[_Raw[V], bool] | None:
        """What comes after a last page, asked until two answers in a row agree on the total; None for nothing."""
        for _ in range(_TRIES):
            newest = self._totals[-1]
            if newest is None or list(self._totals) == [newest, newest]:
                return None
            page = self._fetch(max(last.offset, last.end - max(1, self._overlap)))
            moved = not self._meets(last, page)
            if moved:
                page = self._fetch(last.offset)
            if not known.issuperset(page.identities):
                return page, moved
        return None

    def _counted_in_pages(self, last: _Raw[V], page: _Raw[V]) -> _Raw[V]:
        """`page` was empty or the first one again: find the name by which the hub counts pages, if it does."""
        for name in _INDEX_NAMES:
            self._index_name = name
            try:
                other = self._fetch(self._place_after(last))
            except HubRefusedRequest:
                continue
            # An empty one where every offset gave the same page shows that the hub goes by this name, and is the end.
            if set(other.identities).isdisjoint(last.identities) and (other.size or page.size):
                return other
        self._index_name = None
        if page.size == self._limit or (page.size and last.more):
            raise self._endless()
        return _nothing_after(last) if page.size else page

    def _fetch(self, offset: int) -> _Raw[V]:
        while True:
            name, place = ("offset", offset) if self._index_name is None else (self._index_name, offset // self._limit)
            try:
                listing = self._session.get(
                    self._kind.path,
                    {**self._params, "limit": self._limit, name: place},
                    read=read_listing,
                    stop=self._stop,
                )
            except HubRefusedRequest as refused:
                smaller = [size for size in _SMALLER if size < self._limit]
                if refused.status != 400 or self._totals or not smaller:
                    raise
                self._limit = smaller[0]
                self._overlap = min(self._overlap, self._limit - 1)
                continue
            self._totals.append(envelope.total(listing))
            read = [self._kind.parse(record) for record in listing.records]
            identities = tuple(
                f"raw:{hash(record.raw)}" if item is None else self._kind.identity(item)
                for item, record in zip(read, listing.records, strict=True)
            )
            start = offset if self._index_name is None else place * self._limit
            return _Raw(tuple(item for item in read if item is not None), identities, listing, start)

    def _learn_from(self, page: _Raw[V]) -> None:
        """Whether the hub counts pages, told by its own `next` link: one step on, where we mean a page of items."""
        query = envelope.next_query(page.listing) or {}
        if page.offset == 0 and query.get("offset") == 1:
            self._index_name = "offset"
        elif "offset" not in query:
            at = page.offset // self._limit
            self._index_name = next((name for name in _INDEX_NAMES if query.get(name) in (at + 1, at + 2)), None)

    def _guard(self, page: _Raw[V]) -> None:
        if not page.size:
            return
        place = self._places.setdefault(hash(page.identities), page.offset)
        if place != page.offset or page.offset > self._furthest:
            raise self._endless()

    def _endless(self) -> HubAnswerUnreadable:
        return HubAnswerUnreadable(
            message(
                "The hub gives the same page of {path} again and again: the list has no end.", path=self._kind.path
            ),
            message("Nothing that was read is lost. Tell the hub's support; a narrower filter may help meanwhile."),
            status=200,
        )


def _nothing_after(last: _Raw[V]) -> _Raw[V]:
    return _Raw((), (), last.listing, last.end)
