"""A page as it came: where it ends, whether it meets the page before, and whether it is full."""

from __future__ import annotations

from typing import Any

import pytest

from confere.errors import HubRefusedRequest, message
from confere.hub.json.json_reader import ListBody
from confere.hub.listing.list_page import ReadPage, endless, first_behind, too_long


def page(identities: str, offset: int = 0, total: int | None = None, **facts: Any) -> ReadPage[str]:
    envelope = {} if total is None else {"totalElements": total}
    return ReadPage(tuple(identities), tuple(identities), ListBody((), envelope), offset, **facts)


def test_a_page_ends_behind_its_last_element_and_believes_its_total() -> None:
    found = page("abc", 10, 40)
    assert (found.size, found.end, found.total) == (3, 13, 40)
    assert page("abc", 10, 40, is_counted=False).total is None
    after = found.nothing_after()
    assert (after.items, after.identities, after.offset, after.total) == ((), (), 13, 40)
    assert page("abc", 10, 40, is_counted=False).nothing_after().total is None


@pytest.mark.parametrize(
    ("identities", "offset", "meets"),
    [("cd", 2, True), ("xd", 2, False), ("", 2, False), ("xy", 3, True), ("", 9, True), ("ab", 0, True)],
)
def test_a_page_meets_the_one_before_where_they_share_an_element(identities: str, offset: int, meets: bool) -> None:
    assert page(identities, offset).meets(page("abc")) is meets


@pytest.mark.parametrize(
    ("count", "offset", "is_full"),
    [(5, 0, True), (5, 5, True), (4, 0, False), (0, 0, False), (6, 0, True), (10, 20, True)],
)
def test_a_page_of_its_size_is_full(count: int, offset: int, is_full: bool) -> None:
    assert page("x" * count, offset).is_full(5) is is_full


def test_a_first_page_of_a_round_number_may_have_been_capped() -> None:
    assert page("x" * 20).is_full(100)
    assert not page("x" * 21).is_full(100)
    assert not page("x" * 20, offset=20).is_full(100)


def test_behind_a_gap_the_first_page_with_something_new_is_taken() -> None:
    pages = {5: page("", 5), 10: page("ab", 10), 15: page("bc", 15)}
    asked: list[int] = []

    def fetch(place: int) -> ReadPage[str]:
        asked.append(place)
        return pages[place]

    assert first_behind(fetch, (5, 10, 15), "ab") is pages[15]
    assert asked == [5, 10, 15]
    assert first_behind(fetch, (5, 10), "ab") is None


def test_a_refusal_behind_a_gap_ends_the_search() -> None:
    def fetch(place: int) -> ReadPage[str]:
        raise HubRefusedRequest(message("no"), status=400)

    assert first_behind(fetch, (5,), ()) is None


def test_lists_without_an_end_are_named() -> None:
    assert "/orders" in str(endless("/orders").what)
    assert ("/orders" in str(too_long("/orders", 4711).what), "4711" in str(too_long("/orders", 4711).what)) == (
        True,
        True,
    )
