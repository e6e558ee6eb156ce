"""Which place of a list a `next` link names, by what is known of how the hub names places."""

from __future__ import annotations

import pytest

from confere.hub.listing.page_position import Paging
from confere.hub.traits import hub_traits


@pytest.mark.parametrize(
    ("known", "query", "offset"),
    [
        (Paging(), {"offset": "200"}, 200),
        (Paging(hub_traits.FREE), {"offset": "0"}, 0),
        (Paging(hub_traits.PAGE, "page", 0), {"page": "2"}, 200),
        (Paging(hub_traits.PAGE, "page", 1), {"page": "2"}, 100),
        (Paging(hub_traits.PAGE, "page", 1), {"offset": "2"}, None),
        (Paging(), {"offset": "x"}, None),
        (Paging(), None, None),
    ],
)
def test_the_next_link_names_a_place(known: Paging, query: dict[str, str] | None, offset: int | None) -> None:
    assert known.after(query, 100) == offset


@pytest.mark.parametrize(
    ("known", "offset", "asked"),
    [
        (Paging(), 0, {}),
        (Paging(), 1, {"offset": 1}),
        (Paging(hub_traits.PAGE, "page", 0), 200, {"page": 2}),
        (Paging(hub_traits.PAGE, "page", 1), 299, {"page": 3}),
    ],
)
def test_a_place_is_asked_for_as_the_hub_names_it(known: Paging, offset: int, asked: dict[str, int]) -> None:
    assert known.at(offset, 100) == asked


@pytest.mark.parametrize(
    ("known", "start"),
    [
        (Paging(hub_traits.FREE), 148),
        (Paging(hub_traits.PAGE, "page"), 100),
        (Paging(hub_traits.WHOLE), 100),
        (Paging(named=True), 100),
        (Paging(), 0),
    ],
)
def test_a_reading_begins_where_its_place_is_sure_to_be_read(known: Paging, start: int) -> None:
    assert known.start(150, 2, 100) == start
    assert Paging(hub_traits.FREE).start(1, 2, 100) == 0
