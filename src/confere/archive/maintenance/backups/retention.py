"""Which copies of the archive stay: the newest of each of so many days, weeks, months and years, as a pure function."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Final


class KeepReason(StrEnum):
    """Why a copy stays."""

    NEWEST = "newest"
    DAY = "day"
    WEEK = "week"  # from Monday, as ISO 8601 counts them
    MONTH = "month"
    YEAR = "year"
    FUTURE = "future"  # the clock was wrong when it was made, or is now
    HOLDS_MORE = "holds_more"  # than every newer one, of something


@dataclass(frozen=True, slots=True)
class RetentionPolicy:
    """Of how many periods the newest copy stays; periods without a copy are not counted. 0: of none."""

    daily: int
    weekly: int
    monthly: int
    yearly: int


@dataclass(frozen=True, slots=True)
class DatedCopy:
    """A copy that may be removed: a whole one that Confere named. `made_at` is in the zone whose calendar counts."""

    path: Path
    made_at: datetime
    number: int = 0


@dataclass(frozen=True, slots=True)
class RetentionResult:
    """`kept` has every reason of each copy that stays, the newest copy first; `removed` the others."""

    kept: dict[DatedCopy, tuple[KeepReason, ...]]
    removed: tuple[DatedCopy, ...]


_PERIODS: Final[tuple[tuple[KeepReason, Callable[[datetime], object]], ...]] = (
    (KeepReason.DAY, lambda moment: moment.date()),
    (KeepReason.WEEK, lambda moment: moment.isocalendar()[:2]),
    (KeepReason.MONTH, lambda moment: (moment.year, moment.month)),
    (KeepReason.YEAR, lambda moment: moment.year),
)


def keep(
    copies: Collection[DatedCopy], policy: RetentionPolicy, now: datetime, pinned: Collection[Path] = ()
) -> RetentionResult:
    """Decide which copies stay. A copy of after `now` stays and takes no period's place; a pinned one stays too.

    Where copies are made in the order of time, removing after each of them ends with the same copies as removing once.
    """
    reasons: dict[DatedCopy, list[KeepReason]] = {}
    ordered = sorted(copies, key=lambda copy: (copy.made_at, copy.number, copy.path.name), reverse=True)
    for copy in ordered:
        if copy.made_at > now:
            reasons.setdefault(copy, []).append(KeepReason.FUTURE)
        if copy.path in pinned:
            reasons.setdefault(copy, []).append(KeepReason.HOLDS_MORE)
    dated = [copy for copy in ordered if copy.made_at <= now]
    if dated:
        reasons.setdefault(dated[0], []).append(KeepReason.NEWEST)
    limits = (policy.daily, policy.weekly, policy.monthly, policy.yearly)
    for (reason, period), limit in zip(_PERIODS, limits, strict=True):
        for copy in _newest_of_each(dated, period)[:limit]:
            reasons.setdefault(copy, []).append(reason)
    kept = {copy: tuple(reasons[copy]) for copy in ordered if copy in reasons}
    return RetentionResult(kept, tuple(copy for copy in ordered if copy not in reasons))


def _newest_of_each(dated: Sequence[DatedCopy], period: Callable[[datetime], object]) -> list[DatedCopy]:
    """The first copy of each period, in the order of `dated`."""
    first: dict[object, DatedCopy] = {}
    for copy in dated:
        first.setdefault(period(copy.made_at), copy)
    return list(first.values())
