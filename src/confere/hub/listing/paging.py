"""Reading a list of the hub page by page, whatever its envelope, its offsets and its order do meanwhile.

What a hub may do here (field notes): give no envelope, no page number, no `next` link; cap the page size; count
pages where we mean items, from 0 or from 1; take offsets of whole pages only; ignore the offset; say by 204 or 404
that there is nothing; let items vanish or appear while we read. Offsets outside of this module are always in items.
How pages are asked for is learnt once, kept in the session's shapes, and learnt again where the hub no longer
answers to it. Nothing here is endless: a page that came before at another place, or a list that outgrows twice its
first total, ends in an error.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Generic, TypeVar

from confere.errors import HubRefusedRequest
from confere.hub.json.json_reader import ListBody
from confere.hub.listing import list_envelope
from confere.hub.listing.list_page import ListKind, ListPage, ReadPage, endless, first_behind, too_long
from confere.hub.listing.list_requests import LARGEST, SMALLEST, ListRequests, Query
from confere.hub.listing.page_position import Paging, of_link
from confere.hub.listing.paging_discovery import Search
from confere.hub.retry.rate import StopSignal
from confere.hub.session import HubSession
from confere.hub.traits import hub_traits

V = TypeVar("V")

_ROOM_TO_GROW = 10_000
MOST_WITHOUT_TOTAL = 1_000_000
"""Items after which a list of which the hub never told how long it is, is taken for one without an end."""
_TRIES = 3  # of reading a seam or an end that does not hold still
_LOOK_BEHIND = 2  # pages behind an empty one, where nothing says how long the list is
_LOOK_FURTHER = 20  # … where its total does


class _PagingChanged(Exception):
    """The hub no longer answers to the way of paging that was learnt."""


def pages(
    session: HubSession,
    kind: ListKind[V],
    params: Mapping[str, str | int],
    *,
    offset: int = 0,
    limit: int = LARGEST,
    overlap: int = 1,
    stop: StopSignal | None = None,
) -> Iterator[ListPage[V]]:
    """The pages from `offset` on, each yielded before the next is asked for; the last one has no `next_offset`.

    Where the hub tells how much there is, the page before is read again whenever that moved. Where it does not, and
    takes any offset, consecutive pages share `overlap` items: where the first of a page is not what stood there in
    the page before, items moved, and the page before is read again. Elsewhere it is read again each time. The end is
    believed when two answers in a row agree on the total, and nothing stands behind a page that is full: where
    something does, the hub's totals are not believed any more. So an item can come twice, and the caller tells by
    identity. Raises `HubError` and `Cancelled`.
    """
    try:
        yield from _Reader(session, kind, params, limit, overlap, stop).pages(max(0, offset))
    except _PagingChanged:
        session.shapes.forget(kind.name)
        yield from _Reader(session, kind, params, limit, overlap, stop).pages(0)


class _Reader(Generic[V]):
    def __init__(
        self,
        session: HubSession,
        kind: ListKind[V],
        params: Mapping[str, str | int],
        limit: int,
        overlap: int,
        stop: StopSignal | None,
    ) -> None:
        self._kind = kind
        self._ours = frozenset(params)
        limit = max(SMALLEST, min(LARGEST, limit))
        self._list = ListRequests(session, kind.name, kind.path, params, limit, siblings=kind.siblings, stop=stop)
        self._overlap = max(0, overlap)
        self._paging = Paging.of(self._list.shape)
        self._recalled = self._paging.mode is not None
        self._confirmed = not self._recalled  # whether what was recalled has held for a page
        self._linked = False  # whether this reading has seen a `next` link
        self._places: dict[int, int] = {}  # hash of a page's identities -> its offset
        self._totals: deque[int | None] = deque(maxlen=2)  # of the newest answers
        self._moved = 0
        self._furthest = 0
        self._counts = True  # whether the hub's totals are believed

    @property
    def _size(self) -> int:
        return self._list.limit

    @property
    def _shared(self) -> int:
        return min(self._overlap, self._size - 1)

    def pages(self, offset: int) -> Iterator[ListPage[V]]:
        last, shifted = self._first(offset), False
        known = set(last.identities)
        while True:
            self._guard(last)
            following = None
            if last.size and last.more is False:
                following = self._beyond_the_end(last, known) or self._beyond_the_total(last)
            ends = not last.size or (last.more is False and following is None)
            yield ListPage(
                last.items,
                last.offset,
                None if ends else last.end,
                last.total,
                last.size - len(last.items),
                shifted,
                last.skipped,
            )
            if ends:
                return
            page, shifted = following or self._following(last)
            if not page.size and self._paging.mode is not None:
                page = self._behind_nothing(last, page)
            if page.more is None and not shifted and known.issuperset(page.identities):
                page = last.nothing_after()  # nothing says how long the list is, and nothing new came
            last, known = page, set(page.identities)

    def _first(self, offset: int) -> ReadPage[V]:
        has_size = self._list.shape.limit != "" or self._list.shape.page_size is not None
        start = self._paging.start(offset, self._shared, self._size) if has_size else 0
        if start:
            try:
                page = self._fetch(start)
            except HubRefusedRequest:
                raise _PagingChanged from None
            if not page.size and (page.total is None or page.total > start):
                raise _PagingChanged
        else:
            page = self._read(self._list.first(), 0, {})
            if self._recalled and self._list.shape.paging is None:  # it had to be forgotten for the first page
                self._paging, self._recalled, self._confirmed = Paging(), False, True
            self._learn_totals(page)
            self._name_places(page)
        self._fit_size(page)
        count = page.total
        self._furthest = max(2 * count, count + _ROOM_TO_GROW) if count is not None else MOST_WITHOUT_TOTAL
        return page

    def _fit_size(self, page: ReadPage[V]) -> None:
        """Go by the size that the hub's pages have where it gives less than was asked for, or takes no size."""
        told = list_envelope.page_size(page.listing) or 0
        if self._list.shape.limit == "" and page.size:
            told = max(told, page.size)
            self._list.limit = self._list.shape.page_size or told
        elif not page.size <= told < self._size:
            return
        if page.more and told != self._list.shape.page_size:
            self._list.limit = told
            self._list.learn(page_size=told)

    def _learn_totals(self, page: ReadPage[V]) -> None:
        if not page.size:
            if page.listing.envelope is not None:
                self._list.learn(empty="200")
            return
        told = list_envelope.totals(page.listing)
        if told is not None or (page.size >= self._size and self._list.shape.totals is None):
            self._list.learn(totals=told or hub_traits.NOTHING)

    def _name_places(self, page: ReadPage[V]) -> None:
        """Keep what the hub calls an offset, so that an interrupted reading can go on before paging is learnt."""
        query = list_envelope.next_query(page.listing)
        if query and self._paging.mode is None:
            guess = of_link(query, self._paging, offset=0, count=page.size, size=self._size, ours=self._ours)
            if guess.mode is None:
                self._list.learn(place=guess.name)

    # -- from one page to the next -------------------------------------------------------------------------

    def _following(self, last: ReadPage[V]) -> tuple[ReadPage[V], bool]:
        """The page after `last`, and whether items had moved."""
        if self._paging.mode is None:
            search = Search(self._fetch_as, self._list, self._shared, self._ours)
            page = search.run(last, self._paging)
            self._paging = search.paging
            if search.paging.mode is None:
                return page, False
        else:
            page = self._next(last)
        self._confirmed = True
        return self._hold_seam(last, page) if self._paging.mode == hub_traits.FREE else self._hold_total(last, page)

    def _next(self, last: ReadPage[V]) -> ReadPage[V]:
        """The page after `last` in the way that is known. Raises `_PagingChanged` where that no longer works."""
        try:
            page = self._after(last)
        except HubRefusedRequest:
            if not self._confirmed:
                raise _PagingChanged from None
            raise
        repeated = bool(page.size) and page.identities == last.identities
        promised = last.more is True or (last.more is None and not self._confirmed and last.size >= self._size)
        lost = not page.size and promised
        if (repeated and not self._confirmed) or (lost and self._recalled):
            raise _PagingChanged
        return page

    def _after(self, last: ReadPage[V]) -> ReadPage[V]:
        query = list_envelope.next_query(last.listing)
        if self._paging.mode == hub_traits.LINK:
            if query is None and not self._confirmed:
                raise _PagingChanged
            if query is None:
                return last.nothing_after()
            return self._fetch_link(last.end, query)
        if self._paging.mode == hub_traits.FREE:
            return self._fetch(max(last.offset + 1, last.end - self._shared))
        told = self._paging.after(query, self._size)
        if told is not None and told > last.offset:
            return self._fetch(told)
        if told is not None and not self._confirmed:
            raise _PagingChanged  # its link counts otherwise
        if self._paging.mode == hub_traits.PAGE:
            return self._fetch((last.offset // self._size + 1) * self._size)
        if last.size == self._size or list_envelope.page_size(last.listing) is not None or last.total is not None:
            return self._fetch(last.offset + self._size)
        try:  # a short page: the hub caps them in silence, or this is the last
            return self._fetch(last.end)
        except HubRefusedRequest:
            if last.more or not self._confirmed:
                raise
            return last.nothing_after()

    def _hold_seam(self, last: ReadPage[V], page: ReadPage[V]) -> tuple[ReadPage[V], bool]:
        """Hold the items that both pages have against each other, and read again until they agree."""
        for _ in range(_TRIES):
            if page.meets(last):
                self._moved = 0
                return page, False
            if self._moved == _TRIES:
                break  # it never holds still here: go on
            self._moved += 1
            again = self._again(last)
            if again.identities and again.identities != last.identities:
                return again, True
            page = self._after(last)
            if not page.size and last.more is not True:
                return last.nothing_after(), False  # twice nothing where something should be, and nothing promised
        self._moved = 0
        return page, True

    def _behind_nothing(self, last: ReadPage[V], page: ReadPage[V]) -> ReadPage[V]:
        """The page behind an empty one, which is no end where the list goes on; the empty one where it does not."""
        known = self._list.shape
        is_full = last.size >= self._size and (known.limit != "" or known.page_size is not None)
        if last.more is False or (last.more is None and not is_full) or self._paging.mode == hub_traits.LINK:
            return page
        begin = (
            last.end if self._paging.mode == hub_traits.FREE else last.offset // self._size * self._size + self._size
        )
        count = min(_LOOK_FURTHER, -(-(last.total - begin) // self._size) - 1) if last.total else _LOOK_BEHIND
        places = (begin + step * self._size for step in range(1, count + 1))
        behind = first_behind(self._fetch, places, last.identities)
        return page if behind is None else replace(behind, skipped=True)

    def _hold_total(self, last: ReadPage[V], page: ReadPage[V]) -> tuple[ReadPage[V], bool]:
        """Pages that share no item: where the total moved, or is not told, look whether the page before still
        holds what it held, until two answers in a row agree on the total."""
        if not page.size and last.more is True:
            page = self._after(last)  # something was promised here
        if not page.size and last.more is None and last.size < self._size:
            self._list.learn_end(last.size)  # what is shorter than a page has no seam behind it
            return page, False
        for _ in range(_TRIES):
            if last.total is not None and last.total == page.total:
                self._moved = 0
                return page, False
            if self._moved == _TRIES:
                break  # it never holds still here: go on
            again = self._again(last)
            if again.identities and again.identities != last.identities:
                self._moved += 1
                return again, True
            if again.total is None or again.total == page.total:
                break
            last, page = replace(last, listing=again.listing), self._after(last)
        moved, self._moved = self._moved == _TRIES, 0
        return page, moved

    def _beyond_the_end(self, last: ReadPage[V], known: set[str]) -> tuple[ReadPage[V], bool] | None:
        """What comes after a last page, asked until two answers in a row agree on the total; None for nothing."""
        for _ in range(_TRIES):
            newest = self._totals[-1]
            if newest is None or list(self._totals) == [newest, newest]:
                return None
            if self._paging.mode == hub_traits.FREE and self._confirmed:
                page = self._fetch(max(last.offset, last.end - max(1, self._shared)))
                moved = not page.meets(last)
                if moved:
                    page = self._again(last)
            else:
                page, moved = self._again(last), False
                if page.more and known.issuperset(page.identities):
                    return self._following(page)
            if not known.issuperset(page.identities):
                return page, moved
        return None

    def _beyond_the_total(self, last: ReadPage[V]) -> tuple[ReadPage[V], bool] | None:
        """What stands behind a full page although the hub's total says that the list ends there; None for nothing."""
        if not last.is_full(self._size) or self._paging.mode == hub_traits.LINK:
            return None
        if self._paging.mode is None:
            search = Search(self._fetch_as, self._list, self._shared, self._ours)
            page = search.run(last, self._paging)
            self._paging = search.paging
        else:
            behind = first_behind(lambda _: self._after(last), (last.end,), last.identities)
            if behind is None:
                return None
            page = behind
        if set(page.identities) <= set(last.identities):
            return None
        if last.size < self._size:  # it caps its pages without saying so
            self._list.limit = last.size
            self._list.learn(page_size=last.size)
        count = page.total
        if count is None or count < page.end:
            self._counts, self._furthest = False, MOST_WITHOUT_TOTAL
            return self._judged(replace(page, is_counted=False)), False
        self._furthest = max(self._furthest, 2 * count, count + _ROOM_TO_GROW)
        return page, False

    # -- requests ------------------------------------------------------------------------------------------

    def _fetch(self, offset: int) -> ReadPage[V]:
        return self._fetch_as(self._paging, offset)

    def _fetch_as(self, paging: Paging, offset: int, query: Mapping[str, str] | None = None) -> ReadPage[V]:
        """The page at `offset` by some way of paging, or by the `query` of a link."""
        if query is not None:
            return self._fetch_link(offset, query)
        asked = paging.at(offset, self._size)
        return self._read(self._list.at(asked), offset, asked)

    def _fetch_link(self, offset: int, query: Mapping[str, str]) -> ReadPage[V]:
        return self._read(self._list.at({}, query), offset, query, linked=True)

    def _again(self, page: ReadPage[V]) -> ReadPage[V]:
        """The same place once more."""
        if self._paging.mode == hub_traits.LINK:
            return self._read(self._list.at({}, _texts(page.asked)), page.offset, page.asked, linked=True)
        return self._read(self._list.at(page.asked), page.offset, page.asked)

    def _read(self, listing: ListBody, offset: int, asked: Query, *, linked: bool = False) -> ReadPage[V]:
        self._totals.append(list_envelope.total(listing) if self._counts else None)
        self._linked = self._linked or linked or list_envelope.next_query(listing) is not None
        parsed = [self._kind.parse(record) for record in listing.records]
        identities = tuple(
            f"raw:{hash(record.raw)}" if item is None else self._kind.identity(item)
            for item, record in zip(parsed, listing.records, strict=True)
        )
        items = tuple(item for item in parsed if item is not None)
        return self._judged(ReadPage(items, identities, listing, offset, asked, is_counted=self._counts))

    def _judged(self, page: ReadPage[V]) -> ReadPage[V]:
        """The page with what is known of whether items follow."""
        more = list_envelope.has_more(
            page.listing,
            offset=page.offset,
            count=page.size,
            size=self._size,
            links_tell=self._linked or self._always_linked(page),
            totals_tell=self._counts,
        )
        if more is None and page.size and page.size < (self._list.shape.end or 0) and not page.offset:
            more = False  # nothing could be asked for behind a page as short as this
        return replace(page, more=more)

    def _always_linked(self, page: ReadPage[V]) -> bool:
        """Whether this hub has told the rest of a list by its links before, and the page does not look full."""
        known = self._list.shape
        return known.totals == hub_traits.LINKS and known.limit != "" and page.size < self._size

    def _guard(self, page: ReadPage[V]) -> None:
        if not page.size:
            return
        place = self._places.setdefault(hash(page.identities), page.offset)
        if place != page.offset:
            raise endless(self._kind.path)
        if page.offset >= self._furthest:
            raise too_long(self._kind.path, page.offset)


def _texts(query: Query) -> dict[str, str]:
    return {name: str(value) for name, value in query.items()}
