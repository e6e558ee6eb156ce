"""What the envelope of a list says, with every part of it missing once."""

from __future__ import annotations

from typing import Any

import pytest

from confere.hub.json.json_reader import ListBody
from confere.hub.listing import list_envelope
from confere.hub.traits.hub_traits import LINKS, TOTAL_ELEMENTS, TOTAL_PAGES


def body(**envelope: Any) -> ListBody:
    return ListBody((), envelope)


def link(query: str = "offset=20", rel: str = "next") -> dict[str, str]:
    return {"rel": rel, "href": f"https://hub.example/v2/list?{query}"}


BARE = ListBody((), None)


@pytest.mark.parametrize(
    ("listing", "total", "size", "totals"),
    [
        (BARE, None, None, None),
        (body(), None, None, None),
        (body(page={"totalElements": 7, "size": 5, "totalPages": 2}), 7, 5, TOTAL_ELEMENTS),
        (body(page={"totalPages": 2}), None, None, TOTAL_PAGES),
        (body(totalElements="7", size="5"), 7, 5, TOTAL_ELEMENTS),
        (body(page="7"), None, None, None),
        (body(links=[link()]), None, None, LINKS),
        (body(links=[link(rel="self")]), None, None, None),
    ],
)
def test_totals_stand_in_the_page_or_beside_it(
    listing: ListBody, total: int | None, size: int | None, totals: str | None
) -> None:
    assert list_envelope.total(listing) == total
    assert list_envelope.page_size(listing) == size
    assert list_envelope.totals(listing) == totals


def more(listing: ListBody, offset: int, count: int, size: int = 5, **tell: bool) -> bool | None:
    return list_envelope.has_more(listing, offset=offset, count=count, size=size, **tell)


@pytest.mark.parametrize(
    ("listing", "offset", "count", "expected"),
    [
        (BARE, 0, 5, None),
        (body(), 0, 5, None),
        (body(links=[link()], page={"totalElements": 5}), 0, 5, True),  # any sign of more counts
        (body(links=[link(rel="NEXT")]), 0, 5, True),
        (body(links=[]), 0, 5, False),
        (body(links=[link(rel="self")]), 0, 5, False),
        (body(page={"totalElements": 6}), 0, 5, True),
        (body(page={"totalElements": 5}), 0, 5, False),
        (body(page={"totalElements": 12, "totalPages": 3}), 0, 5, True),
        (body(page={"totalElements": 10, "totalPages": 3}), 5, 5, True),  # a whole page, and one more of them
        (body(page={"totalElements": 7, "totalPages": 3}), 5, 2, False),  # a short one: its total is believed
        (body(page={"totalPages": 3}), 5, 5, True),
        (body(page={"totalPages": 3}), 10, 1, False),
        (body(page={"totalPages": 3}), 10, 5, False),
        (body(page={"totalPages": 3}), 7, 5, None),  # between pages nothing is sure
        (body(page={"totalPages": 3}), 12, 3, False),
        (body(page={"totalPages": 3, "size": 4}), 4, 4, True),
        (body(page={"totalPages": 3, "size": 4}), 8, 4, False),
    ],
)
def test_any_sign_of_more_counts(listing: ListBody, offset: int, count: int, expected: bool | None) -> None:
    assert more(listing, offset, count) is expected


def test_a_page_without_a_size_is_the_last_where_pages_are_counted() -> None:
    assert more(body(page={"totalPages": 3}), 4, 2, 0) is False


def test_links_or_totals_may_be_disbelieved() -> None:
    assert more(body(links=[]), 0, 5, links_tell=False) is None
    assert more(body(page={"totalElements": 5}), 0, 5, totals_tell=False) is None
    assert more(body(page={"totalPages": 9}), 0, 5, totals_tell=False) is None
    assert more(body(links=[link()]), 0, 5, totals_tell=False) is True


@pytest.mark.parametrize(
    ("links", "query"),
    [
        (None, None),
        ("next", None),
        ([link(rel="prev"), link("page=2&limit=5")], {"page": "2", "limit": "5"}),
        ([{"rel": "next"}], None),
        ([{"rel": "next", "href": ""}], None),
        ([link("&".join(f"a{number}=1" for number in range(60)))], {}),
        ([link("")], {}),
    ],
)
def test_of_the_next_link_only_its_query_is_used(links: Any, query: dict[str, str] | None) -> None:
    listing = body(links=links)
    assert list_envelope.next_query(listing) == query
    assert list_envelope.has_links(listing) is isinstance(links, list)
    assert list_envelope.traits(listing) == (True, False, query is not None)


def test_the_traits_of_an_answer() -> None:
    assert list_envelope.traits(BARE) == (False, False, False)
    assert list_envelope.traits(body(page={"number": 0}, links=[link()])) == (True, True, True)
    assert not list_envelope.has_links(BARE)
