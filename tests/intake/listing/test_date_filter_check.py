"""Whether a hub honours dates: a window that must hold something is asked for."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

import pytest

from confere.hub.documents.documents import DocumentFilter
from confere.hub.listing.date_filters import DATE
from confere.hub.traits.hub_traits import LearntShapes
from confere.intake.listing import date_filter_check
from confere.intake.listing.date_filter_check import documents_honour, orders_honour
from confere.intake.listing.listing_window import SLACK

KNOWN = datetime(2026, 3, 10, 12, tzinfo=UTC)
SECOND, DAY = timedelta(seconds=1), timedelta(days=1)


class Item(NamedTuple):
    created_at: datetime | None


class Page(NamedTuple):
    items: tuple[Item, ...] = ()
    refused: int = 0


class Hub:
    """Gives these pages, one a question, and notes the windows."""

    def __init__(self, *pages: Page | None) -> None:
        self.shapes = LearntShapes()
        self.pages = list(pages)
        self.asked: list[tuple[datetime | None, datetime | None]] = []

    def read(self, first: datetime | None, last: datetime | None) -> Iterator[Page]:
        self.asked.append((first, last))
        page = self.pages.pop(0)
        if page is not None:
            yield page


@pytest.fixture(autouse=True)
def scripted(monkeypatch: pytest.MonkeyPatch) -> None:
    def documents_of(hub: Hub, asked: DocumentFilter, **_: Any) -> Iterator[Page]:
        return hub.read(asked.created_from, asked.created_to)

    def orders_of(hub: Hub, first: datetime | None, last: datetime | None, **_: Any) -> Iterator[Page]:
        return hub.read(first, last)

    monkeypatch.setattr(date_filter_check.documents, "pages", documents_of)
    monkeypatch.setattr(date_filter_check.orders, "orders", orders_of)


def honours(
    hub: Hub, known: datetime | None, first: datetime | None, last: datetime | None, *, narrowed: bool = False
) -> bool:
    session: Any = hub
    return documents_honour(
        session, known, DocumentFilter(created_from=first, created_to=last), narrowed=narrowed, stop=None
    )


@pytest.mark.parametrize(
    ("page", "is_honoured"),
    [
        (Page((Item(KNOWN),)), True),
        (Page((Item(KNOWN), Item(KNOWN + SLACK + SECOND))), True),
        (Page((Item(KNOWN), Item(KNOWN + SLACK + 2 * SECOND))), False),
        (Page((Item(KNOWN - SLACK - 2 * SECOND),)), False),
        (Page((Item(KNOWN), Item(None))), False),
        (Page(), False),
        (None, False),
    ],
)
def test_the_window_around_a_known_record_must_hold_it_and_nothing_far_away(
    page: Page | None, is_honoured: bool
) -> None:
    hub = Hub(page)
    assert honours(hub, KNOWN, KNOWN + DAY, None) is is_honoured
    assert hub.asked == [(KNOWN - SECOND, KNOWN + SECOND)]


def test_where_dates_lose_precision_more_is_allowed() -> None:
    far = Page((Item(KNOWN + SLACK + 2 * DAY),))
    assert honours(Hub(far), KNOWN, KNOWN + DAY, None) is False
    coarse = Hub(far)
    coarse.shapes.learn("documents", dates=DATE)
    assert honours(coarse, KNOWN, KNOWN + DAY, None) is True


@pytest.mark.parametrize(
    ("first", "last", "is_within"),
    [
        (None, None, True),
        (KNOWN, None, True),
        (KNOWN + SECOND, None, False),
        (None, KNOWN, True),
        (None, KNOWN - SECOND, False),
        (KNOWN - DAY, KNOWN + DAY, True),
        (KNOWN + DAY, KNOWN + 2 * DAY, False),
    ],
)
def test_a_window_that_had_to_hold_the_known_record_was_misread(
    first: datetime | None, last: datetime | None, is_within: bool
) -> None:
    hub = Hub(Page((Item(KNOWN),)))
    assert honours(hub, KNOWN, first, last) is not is_within
    assert len(hub.asked) == (0 if is_within else 1)
    narrowed = Hub(Page((Item(KNOWN),)))
    assert honours(narrowed, KNOWN, first, last, narrowed=True) is True  # it need not be about the known one


@pytest.mark.parametrize(
    ("without_dates", "is_honoured"),
    [
        (None, True),  # there is nothing at all
        (Page(), True),
        (Page(refused=1), False),
        (Page((Item(None),)), False),
    ],
)
def test_where_nothing_is_known_the_list_without_dates_tells(without_dates: Page | None, is_honoured: bool) -> None:
    hub = Hub(without_dates)
    assert honours(hub, None, KNOWN, None) is is_honoured
    assert hub.asked == [(None, None)]


def test_the_newest_with_a_date_is_asked_for() -> None:
    hub = Hub(Page((Item(KNOWN - DAY), Item(KNOWN), Item(None))), Page((Item(KNOWN),)))
    assert honours(hub, None, KNOWN + DAY, None) is True
    assert hub.asked == [(None, None), (KNOWN - SECOND, KNOWN + SECOND)]


def test_orders_are_looked_at_in_the_same_way() -> None:
    session: Any = Hub(Page((Item(KNOWN),)))
    assert orders_honour(session, KNOWN, KNOWN + DAY, None, stop=None) is True
    within: Any = Hub()
    assert orders_honour(within, KNOWN, None, KNOWN, stop=None) is False
