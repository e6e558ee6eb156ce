"""What the chart of a month shows: a bar for every day (or month), its parts by type, and the words that say it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, timedelta

from confere.app.labels.labels import month_word, type_word
from confere.app.overview.overview import Slice
from confere.system import formatting
from confere.system.messages import t

_DAY = len("YYYY-MM-DD")


@dataclass(frozen=True, slots=True)
class BarPart:
    """The documents of one type: how many, and their worth in centavos; void ones are left out."""

    type: str
    count: int
    worth: int


@dataclass(frozen=True, slots=True)
class Bar:
    """`when` is a day (`YYYY-MM-DD`) or a month (`YYYY-MM`). `void` counts cancelled and other papers without effect.

    `unlisted` says that no listing of a hub covers that day: nothing there is no proof that there is nothing.
    """

    when: str
    parts: tuple[BarPart, ...] = ()
    void: int = 0
    unlisted: bool = False

    @property
    def count(self) -> int:
        return sum(part.count for part in self.parts)

    @property
    def worth(self) -> int:
        return sum(part.worth for part in self.parts)


def bars_of(slices: Collection[Slice], month: str | None, unlisted: Collection[str]) -> tuple[Bar, ...]:
    """The bars in order of time, with those of which there is nothing; `month` (`YYYY-MM`) None gives one a month."""
    grouped: dict[str, list[Slice]] = {}
    for entry in slices:
        grouped.setdefault(entry.when, []).append(entry)
    names = _days(month) if month else _months(sorted(grouped))
    return tuple(
        Bar(
            when,
            tuple(
                BarPart(entry.type, entry.totals.count, entry.totals.worth)
                for entry in grouped.get(when, ())
                if entry.totals.count
            ),
            sum(entry.totals.void_count for entry in grouped.get(when, ())),
            when in unlisted,
        )
        for when in names
    )


def name_of(bar: Bar) -> str:
    """The day or month as it is read."""
    return formatting.date(bar.when) if len(bar.when) == _DAY else month_word(bar.when)


def short_name(bar: Bar) -> str:
    """What stands under a bar: the day's number, or month and year."""
    return str(int(bar.when[8:])) if len(bar.when) == _DAY else f"{bar.when[5:7]}/{bar.when[2:4]}"


def sentence(bar: Bar) -> str:
    """Everything that a bar shows, in words."""
    parts = [name_of(bar), t("documents: {count}", count=formatting.count(bar.count)), formatting.money(bar.worth)]
    if len(bar.parts) > 1:
        parts.append(", ".join(f"{type_word(part.type)} {formatting.count(part.count)}" for part in bar.parts))
    if bar.void:
        parts.append(t("without effect: {count}", count=formatting.count(bar.void)))
    if bar.unlisted:
        parts.append(t("never listed whole"))
    return " · ".join(parts)


def _days(month: str) -> list[str]:
    day = date.fromisoformat(f"{month}-01")
    found = []
    while day.isoformat()[:7] == month:
        found.append(day.isoformat())
        day += timedelta(days=1)
    return found


def _months(known: list[str]) -> list[str]:
    if not known:
        return []
    first, last = known[0], known[-1]
    found = []
    year, number = int(first[:4]), int(first[5:7])
    while (name := f"{year:04d}-{number:02d}") <= last:
        found.append(name)
        year, number = (year + 1, 1) if number == 12 else (year, number + 1)
    return found
