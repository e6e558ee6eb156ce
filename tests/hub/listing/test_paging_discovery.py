"""Which places a search asks a hub for, and what it learns, against a list that lies in memory."""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any, cast

import pytest

from confere.errors import HubAnswerUnreadable, HubRefusedRequest, message
from confere.hub.json.json_reader import ListBody
from confere.hub.listing.list_page import ReadPage
from confere.hub.listing.list_requests import ListRequests
from confere.hub.listing.page_position import Paging
from confere.hub.listing.paging_discovery import Search
from confere.hub.traits import hub_traits

SIZE = 10
NUMBERS = [str(number) for number in range(100)]


class FakeHub:
    """Gives `items` by the parameters in `takes` alone and refuses others, or ignores them; remembers each question.

    An offset counts items, another parameter pages from `base`.
    """

    def __init__(
        self, takes: str, *, base: int = 0, refuses: bool = False, items: list[str] = NUMBERS, named: str = "limit"
    ) -> None:
        self.takes, self.base, self.refuses, self.items = takes, base, refuses, items
        self.asked: list[tuple[str, int]] = []
        self.learned: dict[str, object] = {}
        self.ended: int | None = None
        self.requests = cast(
            ListRequests,
            SimpleNamespace(
                limit=SIZE, path="/list", shape=SimpleNamespace(limit=named), learn=self.learn, learn_end=self.learn_end
            ),
        )

    def learn(self, **traits: object) -> None:
        self.learned |= traits

    def learn_end(self, size: int) -> None:
        self.ended = size

    def fetch(self, paging: Paging, offset: int, query: Mapping[str, str] | None = None) -> ReadPage[str]:
        named = {name: int(value) for name, value in query.items()} if query else paging.at(offset, SIZE)
        self.asked += named.items()
        if self.refuses and self.takes not in named:
            raise HubRefusedRequest(message("No."), status=400)
        place = named.get(self.takes)
        start = 0 if place is None else place if self.takes == "offset" else (place - self.base) * SIZE
        items = tuple(self.items[max(0, start) :][:SIZE])
        return ReadPage(items, items, ListBody((), None), offset, named)


def page(offset: int = 0, size: int = SIZE, more: bool | None = None, **envelope: object) -> ReadPage[str]:
    items = tuple(NUMBERS[offset : offset + size])
    return ReadPage(items, items, ListBody((), envelope or None), offset, more=more)


def next_link(query: str) -> dict[str, Any]:
    return {"links": [{"rel": "next", "href": f"http://x/list?{query}"}]}


def searched(hub: FakeHub, last: ReadPage[str], shared: int = 0) -> tuple[ReadPage[str], Paging]:
    search = Search(hub.fetch, hub.requests, shared, ())
    return search.run(last, Paging()), search.paging


@pytest.mark.parametrize(
    ("offset", "size", "link", "base", "place"),
    [
        (0, 10, "page=1", 0, 10),
        (0, 10, "page=2", 1, 10),
        (20, 10, "page=3", 0, 30),
        (20, 10, "page=4", 1, 30),
        (20, 7, "page=3", 0, 30),
        (30, 10, "page=4", 0, 40),
    ],
)
def test_a_link_that_counts_pages_leads_to_the_next_whole_page(
    offset: int, size: int, link: str, base: int, place: int
) -> None:
    hub = FakeHub("page", base=base)
    found, paging = searched(hub, page(offset, size, **next_link(link)))
    assert (found.offset, found.identities) == (place, tuple(NUMBERS[place : place + SIZE]))
    assert hub.asked == [("page", place // SIZE + base)]
    assert paging == Paging(hub_traits.PAGE, "page", base)
    assert hub.learned == {"paging": hub_traits.PAGE, "place": "page", "base": base}


def test_a_link_that_gives_the_same_items_again_is_not_followed() -> None:
    hub = FakeHub("offset")
    found, paging = searched(hub, page(**next_link("page=1")))
    assert found.identities == tuple(NUMBERS[10:20])
    assert hub.asked == [("page", 1), ("offset", 10)]
    assert paging.mode == hub_traits.WHOLE


@pytest.mark.parametrize(
    ("shared", "asked", "mode", "start"),
    [
        (0, [("offset", 10)], hub_traits.WHOLE, 10),
        (1, [("offset", 9)], hub_traits.FREE, 9),
        (9, [("offset", 1)], hub_traits.FREE, 1),
        (10, [("offset", 10)], hub_traits.WHOLE, 10),
    ],
)
def test_an_offset_inside_the_first_page_is_asked_for_where_pages_share_items(
    shared: int, asked: list[tuple[str, int]], mode: str, start: int
) -> None:
    hub = FakeHub("offset")
    found, paging = searched(hub, page(), shared)
    assert (hub.asked, paging.mode, found.identities[0]) == (asked, mode, NUMBERS[start])
    is_sure = mode == hub_traits.FREE
    assert hub.learned == ({"paging": mode, "place": "offset"} if is_sure else {})


def test_a_total_makes_a_whole_offset_the_first_question() -> None:
    hub = FakeHub("offset")
    _, paging = searched(hub, page(totalElements=100), 3)
    assert (hub.asked, paging.mode) == ([("offset", 10)], hub_traits.WHOLE)
    assert hub.learned == {"paging": hub_traits.WHOLE, "place": "offset"}


@pytest.mark.parametrize("refuses", [False, True])
@pytest.mark.parametrize("base", [0, 1])
def test_pages_are_counted_from_0_or_from_1(base: int, refuses: bool) -> None:
    hub = FakeHub("page", base=base, refuses=refuses)
    found, paging = searched(hub, page())
    assert found.identities == tuple(NUMBERS[10:20])
    assert hub.asked == [("offset", 10), ("page", 2), ("page", 1)]
    assert paging == Paging(hub_traits.PAGE, "page", base)
    unknown = {"unknown": hub_traits.REFUSED} if refuses else {}
    assert hub.learned == {"paging": hub_traits.PAGE, "place": "page", "base": base, **unknown}


@pytest.mark.parametrize(("size", "more"), [(10, None), (7, True), (10, True)])
def test_a_list_that_gives_the_same_page_at_every_place_is_an_error(size: int, more: bool | None) -> None:
    with pytest.raises(HubAnswerUnreadable):
        searched(FakeHub("none"), page(size=size, more=more))
    with pytest.raises(HubRefusedRequest):
        searched(FakeHub("none", refuses=True), page(size=size, more=more))


@pytest.mark.parametrize(
    ("size", "more", "named", "learned"),
    [(9, None, "limit", 9), (10, False, "limit", None), (7, False, "limit", None), (10, None, "", 10)],
)
@pytest.mark.parametrize("refuses", [False, True])
def test_a_page_behind_which_nothing_need_be_is_the_end(
    size: int, more: bool | None, named: str, learned: int | None, refuses: bool
) -> None:
    hub = FakeHub("none", refuses=refuses, named=named)
    found, _ = searched(hub, page(size=size, more=more))
    assert (found.size, found.offset, hub.ended) == (0, size, learned)


@pytest.mark.parametrize(("gap", "is_found"), [(1, True), (2, True), (3, True), (4, False)])
def test_three_pages_behind_an_empty_one_are_looked_at(gap: int, is_found: bool) -> None:
    class Gap(FakeHub):
        def fetch(self, paging: Paging, offset: int, query: Mapping[str, str] | None = None) -> ReadPage[str]:
            asked = super().fetch(paging, offset, query)
            if "offset" in asked.asked and 10 <= offset < 10 * (gap + 1):
                return ReadPage((), (), asked.listing, offset)
            return asked

    hub = Gap("offset")
    found, _ = searched(hub, page())
    assert (found.skipped, bool(found.size)) == (is_found, is_found)
    if is_found:
        assert found.identities[0] == NUMBERS[10 * (gap + 1)]
