"""What the readings of one list show together: short by its count, by an empty page, or cut at what a hub gives."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

import pytest

from confere.archive.hub.shortfalls import COUNT, CUT, HOLE, Short
from confere.errors import HubRefusedRequest, message
from confere.hub.listing.list_requests import LARGEST
from confere.intake.listing.listing_errors import MOST_READINGS, Sighted

START = datetime(2026, 10, 1, 12, tzinfo=UTC)
BEGUN = START + timedelta(days=30)


class Item(NamedTuple):
    identity: str
    created_at: datetime | None = None


class Page(NamedTuple):
    items: tuple[Item, ...] = ()
    offset: int = 0
    total: int | None = None
    refused: int = 0
    skipped: bool = False


def items(*numbers: int) -> tuple[Item, ...]:
    return tuple(Item(str(number), START + timedelta(hours=number)) for number in numbers)


class Hub:
    """Answers lists of dates with these pages, one after the other; notes what it was asked."""

    def __init__(self, *pages: Page | None) -> None:
        self.pages = list(pages)
        self.asked: list[tuple[datetime | None, datetime | None]] = []

    def read(self, first: datetime | None, last: datetime | None) -> Iterator[Page]:
        self.asked.append((first, last))
        page = self.pages.pop(0)
        if page is not None:
            yield page


def sighted(*pages: Page) -> Sighted:
    result = Sighted()
    for page in pages:
        result.note(page)
    return result


def short_of(seen: Sighted, hub: Hub, *, is_whole: bool = False) -> Short | None:
    return seen.short_of(hub.read, BEGUN, is_whole=is_whole)


@pytest.mark.parametrize(
    ("page", "is_short"),
    [
        (Page(items(1, 2), total=2), False),
        (Page(items(1, 2), total=3), True),
        (Page(items(1, 2), total=3, refused=1), False),
        (Page(items(1, 2), total=4, refused=1), True),
        (Page(items(1, 2)), False),
        (Page(items(1, 2), total=2, skipped=True), True),
    ],
)
def test_a_list_that_shows_less_is_read_again(page: Page, is_short: bool) -> None:
    assert sighted(page).short() is is_short


def test_a_list_is_not_read_for_ever() -> None:
    seen = sighted(Page(items(1), total=2))
    assert [seen.short() for _ in range(MOST_READINGS)] == [True] * (MOST_READINGS - 1) + [False]


def test_readings_complete_each_other() -> None:
    seen = sighted(Page(items(1), total=2, refused=1, skipped=True))
    assert seen.short()
    seen.note(Page(items(2), total=2))
    assert not seen.short()
    assert seen.shown == 2
    assert short_of(seen, Hub()) is None


@pytest.mark.parametrize(
    ("pages", "ends_early"),
    [
        ([Page(items(1, 2), total=2)], False),
        ([Page(items(1, 2), total=3)], True),
        ([Page(items(1, 2), total=3, refused=1)], False),
        ([Page(items(1, 2), total=3), Page(items(3), offset=2, total=3)], False),
        ([Page(items(1, 2), total=3), Page(items(3), offset=2)], False),
        ([Page(items(1, 2))], False),
        ([Page(items(1, 2), total=2, skipped=True)], True),
    ],
)
def test_where_a_list_ends(pages: list[Page], ends_early: bool) -> None:
    assert sighted(*pages).ends_early is ends_early


def test_short_by_its_count() -> None:
    hub = Hub(Page(total=0))
    assert short_of(sighted(Page(items(1, 2), total=5, refused=1)), hub) == Short(COUNT, 2, 2, 5)
    assert hub.asked == [(None, datetime(2000, 1, 1, tzinfo=UTC))]


@pytest.mark.parametrize("counted", [Page(total=0), Page(items(1), total=3), Page(), None])
def test_a_count_that_empty_days_do_not_share_is_believed(counted: Page | None) -> None:
    assert short_of(sighted(Page(items(1, 2), total=5)), Hub(counted)) == Short(COUNT, 2, 3, 5)


def test_a_hub_that_counts_as_much_of_empty_days_counts_wrongly() -> None:
    assert short_of(sighted(Page(items(1, 2), total=5)), Hub(Page(total=3))) is None
    assert short_of(sighted(Page(items(1, 2), total=LARGEST)), Hub(Page(total=LARGEST))) is None
    assert short_of(sighted(Page(items(1, 2), total=9)), Hub(Page(total=9))) == Short(COUNT, 2, 7, 9)


def test_a_hub_that_takes_no_dates_is_believed_about_its_count() -> None:
    def refuse(first: datetime | None, last: datetime | None) -> Iterator[Page]:
        raise HubRefusedRequest(message("No dates."), message("None."), status=400)

    seen = sighted(Page(items(1, 2), total=5))
    assert seen.short_of(refuse, BEGUN, is_whole=False) == Short(COUNT, 2, 3, 5)


def test_an_empty_page_within_a_list_is_a_hole() -> None:
    assert short_of(sighted(Page(items(1, 2), total=2, skipped=True)), Hub()) == Short(HOLE, 2, 1)


FULL = Page(items(*range(LARGEST)), total=LARGEST)


def test_what_may_be_cut() -> None:
    assert sighted(FULL).may_be_cut
    assert not sighted(FULL, Page(items(LARGEST))).may_be_cut
    assert sighted(FULL, Page(items(*range(LARGEST, LARGEST + 100)))).may_be_cut
    assert not sighted(Page(items(*range(LARGEST - 100)))).may_be_cut


def test_a_list_of_everything_that_is_cut() -> None:
    older = Page((*items(0, -1), Item("undated")))
    just_before = Item("just before", BEGUN - timedelta(microseconds=1))
    hub = Hub(older, Page((*items(LARGEST - 1, LARGEST), just_before, Item("new since", BEGUN))))
    short = short_of(sighted(FULL), hub, is_whole=True)
    assert hub.asked == [(None, START + timedelta(seconds=1)), (START + timedelta(hours=LARGEST - 1), None)]
    assert short == Short(CUT, LARGEST, 3)


def test_a_list_of_certain_days_is_not_asked_around() -> None:
    hub = Hub()
    assert short_of(sighted(FULL), hub) is None
    assert hub.asked == []


def test_a_cut_list_of_nothing_dated_shows_nothing_beyond() -> None:
    hub = Hub()
    undated = Page(tuple(Item(str(number)) for number in range(LARGEST)))
    assert short_of(sighted(undated), hub, is_whole=True) is None
    assert hub.asked == []
