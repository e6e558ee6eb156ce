"""What was listed at the hub, and so whether something that is not here can be called missing."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Final

from confere.fiscal.periods import BRASILIA
from confere.sales.reconciliation_input import ListedPeriod, OrderEntry, PaperEntry

HOUR: Final = 3_600.0
DAY: Final = 86_400.0
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


def moment(text: str | None) -> float | None:
    """A time as written, in seconds of UTC; one without offset is Brasília's. None for what is no time."""
    if not text:
        return None
    try:
        instant = datetime.fromisoformat(text)
        return (instant if instant.tzinfo is not None else instant.replace(tzinfo=BRASILIA)).timestamp()
    except (ValueError, OverflowError):
        return None


@lru_cache(4_096)
def day_begins(text: str) -> float | None:
    """When a local day `YYYY-MM-DD` begins in Brasília; of a month `YYYY-MM`, its first day."""
    return moment(f"{text}-01" if len(text) == 7 else text)


@lru_cache(1_024)
def month_ends(period: str) -> float | None:
    """The last second of a month `YYYY-MM`."""
    begins = day_begins(period)
    if begins is None:
        return None
    try:
        later = _local(begins) + timedelta(days=32)
    except OverflowError:  # the last month of the calendar
        return None
    return later.replace(day=1, hour=0).timestamp() - 1


def ordered(order: OrderEntry) -> float | None:
    """When an order was placed."""
    at = moment(order.created_at)
    return at if at is not None else day_begins(order.created_on)


def issued(paper: PaperEntry) -> float | None:
    """When a paper was issued."""
    at = moment(paper.issued_at)
    return at if at is not None else day_begins(paper.issued_on)


def local_month(at: float) -> str:
    """The month of a moment in Brasília."""
    return f"{_local(at):%Y-%m}"


def local_day(at: float) -> str:
    """The day of a moment in Brasília."""
    return f"{_local(at):%Y-%m-%d}"


def _local(at: float) -> datetime:
    """A moment in Brasília; Windows itself knows none before 1970 nor after 3000, as a paper may bear it."""
    return (_EPOCH + timedelta(seconds=at)).astimezone(BRASILIA)


class Stretches:
    """Stretches of time that were listed whole."""

    def __init__(self, listed: Iterable[ListedPeriod]) -> None:
        ends = [(moment(period.from_at), moment(period.to_at)) for period in listed]
        self._starts: list[float] = []
        self._ends: list[float] = []
        for start, end in sorted((start, end) for start, end in ends if start is not None and end is not None):
            if self._ends and start <= self._ends[-1]:
                self._ends[-1] = max(self._ends[-1], end)
            else:
                self._starts.append(start)
                self._ends.append(end)

    @property
    def last(self) -> float | None:
        """The end of the newest one."""
        return self._ends[-1] if self._ends else None

    def until(self, start: float) -> float | None:
        """The end of the one that `start` lies in."""
        at = bisect_right(self._starts, start) - 1
        return self._ends[at] if at >= 0 and self._ends[at] >= start else None

    def cover(self, start: float, end: float) -> bool:
        """Whether all time from `start` to `end` was listed."""
        until = self.until(start)
        return until is not None and until >= end

    def within(self, start: float, end: float) -> list[tuple[float, float]]:
        """Those between two moments, cut off there."""
        every = zip(self._starts, self._ends, strict=True)
        return [(max(start, first), min(end, last)) for first, last in every if first <= end and last >= start]


def utc(at: datetime) -> float:
    """The run's "now" in seconds of UTC."""
    return (at if at.tzinfo is not None else at.replace(tzinfo=UTC)).timestamp()
