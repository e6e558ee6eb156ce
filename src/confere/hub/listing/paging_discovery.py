"""Finding out how a hub wants the second page of a list asked for: by its `next` link first, then by trying.

Each try is one request, and none is repeated. Where the hub tells how much there is, pages need not share items: an
offset of a whole page is asked for. Elsewhere first an offset inside the first page, which tells hubs that take any
from those that round or refuse it. Then the names by which hubs count pages.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Generic, Protocol, TypeVar

from confere.errors import HubRefusedRequest
from confere.hub.listing import list_envelope
from confere.hub.listing.list_page import ReadPage, endless, first_behind
from confere.hub.listing.list_requests import OFFSET, ListRequests
from confere.hub.listing.page_position import INDEX_NAMES, Paging, of_link
from confere.hub.traits import hub_traits

V = TypeVar("V")

_LOOK_BEHIND = 3  # pages behind an empty one


class Fetch(Protocol[V]):
    """Asks for the page at `offset` by a way of paging, or by the query of a link."""

    def __call__(self, paging: Paging, offset: int, query: Mapping[str, str] | None = None) -> ReadPage[V]:
        """The page; raises `HubRefusedRequest` where the hub does not take the question."""


class Search(Generic[V]):
    """One search; `paging` is what it ended with, its mode None where nothing follows the first page."""

    def __init__(self, fetch: Fetch[V], requests: ListRequests, shared: int, ours: Collection[str]) -> None:
        self._fetch = fetch
        self._requests = requests
        self._shared = shared
        self._ours = ours
        self._refused: HubRefusedRequest | None = None
        self.paging = Paging()

    def run(self, last: ReadPage[V], known: Paging) -> ReadPage[V]:
        """The page after `last`, empty where there is none. Raises where there must be one and none can be had."""
        size = self._requests.limit
        query = list_envelope.next_query(last.listing)
        offset_name = known
        if query is not None:
            guess = of_link(query, known, offset=last.offset, count=last.size, size=size, ours=self._ours)
            if guess.mode is None:
                offset_name = guess
            else:
                page = self._by_link(last, guess, query)
                if page is not None:
                    return page
        nothing: ReadPage[V] | None = None
        attempts = [self._by_any_offset, self._by_whole_offset]
        for attempt in attempts[1:] if last.total is not None else attempts:
            page, is_end = attempt(last, offset_name)
            if page is not None:
                return page
            nothing = nothing or is_end
        if nothing is not None and last.more is None and last.size < size:
            return self._end(last)  # it takes offsets, and nothing stands behind a short page
        page = self._by_number(last, repeats=nothing is None)
        full = last.size >= size and self._requests.shape.limit != ""
        if page is None and nothing is not None and last.more is not False and full:
            page = self._behind_nothing(last, offset_name)
        return page if page is not None else self._give_up(last, nothing)

    def _by_link(self, last: ReadPage[V], guess: Paging, query: Mapping[str, str]) -> ReadPage[V] | None:
        if guess.mode == hub_traits.PAGE:
            place = (last.offset // self._requests.limit + 1) * self._requests.limit
            page = self._try(guess, place)
        else:
            page = self._try(guess, last.end, query)
        return self._kept(page, guess) if page is not None and _is_new(page, last) else None

    def _by_any_offset(self, last: ReadPage[V], known: Paging) -> tuple[ReadPage[V] | None, ReadPage[V] | None]:
        """The page that shares items with `last`; or nothing, and the empty page where the hub gave one."""
        free = Paging(hub_traits.FREE, known.name)
        place = last.end - self._shared
        if not self._shared or place <= last.offset:
            return None, None
        page = self._try(free, place)
        if page is None:
            return None, None
        if not page.size:
            return None, page
        if page.identities[0] == last.identities[place - last.offset]:
            return self._kept(page, free), None
        if page.identities[0] == last.identities[0]:
            return None, None  # rounded down, or ignored
        ahead = self._try(Paging(hub_traits.WHOLE, known.name), last.end)
        if ahead is not None and ahead.identities == page.identities:
            return self._kept(ahead, Paging(hub_traits.WHOLE, known.name)), None  # rounded up
        self.paging = free  # items moved meanwhile; it proves nothing that could be kept
        return page, None

    def _by_whole_offset(self, last: ReadPage[V], known: Paging) -> tuple[ReadPage[V] | None, ReadPage[V] | None]:
        whole = Paging(hub_traits.WHOLE, known.name)
        page = self._try(whole, last.end)
        if page is None:
            return None, None
        if not page.size:
            return None, page
        if page.identities[0] == last.identities[0]:
            return None, None  # ignored
        if not _is_new(page, last):
            self.paging = whole  # items moved meanwhile; it proves nothing that could be kept
            return page, None
        if last.total is not None or (self._shared and last.end - self._shared > last.offset):
            return self._kept(page, whole), None
        self.paging = whole  # it may take any offset: nobody asked
        return page, None

    def _behind_nothing(self, last: ReadPage[V], known: Paging) -> ReadPage[V] | None:
        """What stands behind an empty second page; None where the list ends, as far as a few requests show."""
        whole = Paging(hub_traits.WHOLE, known.name)
        places = (last.end + step * self._requests.limit for step in range(1, _LOOK_BEHIND + 1))
        page = first_behind(lambda place: self._fetch(whole, place), places, last.identities)
        return None if page is None else replace(self._kept(page, whole), skipped=True)

    def _by_number(self, last: ReadPage[V], *, repeats: bool) -> ReadPage[V] | None:
        size = self._requests.limit
        index = last.offset // size
        for name in INDEX_NAMES:
            from_one = Paging(hub_traits.PAGE, name, 1)
            second = self._try(from_one, (index + 1) * size)  # the number 2: the third page where they count from 0
            if second is None:
                self._requests.learn(unknown=hub_traits.REFUSED)
                continue
            if second.size and not _is_new(second, last):
                self._requests.learn(unknown=hub_traits.TOLERATED)
                continue
            from_zero = Paging(hub_traits.PAGE, name, 0)
            first = self._try(from_zero, (index + 1) * size)
            if first is None:
                continue
            if first.size and not _is_new(first, last):  # the number 1 is the first page
                page, paging = second, from_one
            else:
                page, paging = first, from_zero
            # An empty one where every offset gave the same page shows that the hub goes by this name, and is the end.
            if page.size or repeats:
                return self._kept(page, paging)
        return None

    def _give_up(self, last: ReadPage[V], nothing: ReadPage[V] | None) -> ReadPage[V]:
        full = last.size >= self._requests.limit and self._requests.shape.limit != ""
        if last.more is None and list_envelope.has_links(last.listing):
            return self._end(last)  # it has links, none to a next page, and gives nothing at any other place
        if nothing is None and self._refused is not None and (full or last.more) and last.more is not False:
            raise self._refused
        if nothing is None and (full or last.more) and last.more is not False:
            raise endless(self._requests.path)
        return self._end(last)

    def _end(self, last: ReadPage[V]) -> ReadPage[V]:
        if last.more is None:
            self._requests.learn_end(last.size)
        return last.nothing_after()

    def _try(self, paging: Paging, offset: int, query: Mapping[str, str] | None = None) -> ReadPage[V] | None:
        try:
            return self._fetch(paging, offset, query)
        except HubRefusedRequest as refused:
            self._refused = self._refused or refused
            return None

    def _kept(self, page: ReadPage[V], paging: Paging) -> ReadPage[V]:
        self.paging = paging
        base = {"base": paging.base} if paging.mode == hub_traits.PAGE else {}
        if paging.mode == hub_traits.PAGE and self._refused is not None and paging.name != OFFSET:
            self._requests.learn(unknown=hub_traits.REFUSED)  # the offset was no parameter of its own
        self._requests.learn(paging=paging.mode or "", place=paging.name, **base)
        return page


def _is_new(page: ReadPage[V], last: ReadPage[V]) -> bool:
    return bool(page.size) and set(page.identities).isdisjoint(last.identities)
