"""Of which time everything is here: what the hub listed, and the months that a person declared complete."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Final

from confere.reconcile.coverage.listed_periods import Stretches, day_begins, moment, month_ends
from confere.sales.bridge import ListedPart
from confere.sales.declarations import Declaration
from confere.sales.reconciliation_input import ListedPeriod

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


class KnownPeriods:
    """`used` are the declarations without which an answer would have been "not known", by the start of the question."""

    def __init__(self, listed: Iterable[ListedPeriod], declared: Iterable[Declaration]) -> None:
        self._spans = tuple(listed)
        self._listed = Stretches(self._spans)
        self._declared = tuple(
            (declaration, span) for declaration in declared if (span := _span(declaration)) is not None
        )
        self._whole: dict[str | None, Stretches] = {}
        self.used: dict[float, tuple[Declaration, ...]] = {}

    @property
    def last(self) -> float | None:
        """The end of what the hub listed."""
        return self._listed.last

    def cover(self, start: float, end: float, marketplace: str | None = None) -> bool:
        """Whether everything from `start` to `end` is here; of one marketplace, where it is known."""
        return self._listed.cover(start, end) or self.declare(start, end, marketplace)

    def declare(self, start: float, end: float, marketplace: str | None = None) -> bool:
        """Whether declarations make it whole, together with what the hub listed between them."""
        if not self._declared or not self._of(marketplace).cover(start, end):
            return False
        used = tuple(
            declaration
            for declaration, span in self._declared
            if declaration.speaks_of(marketplace) and _overlap(span, start, end)
        )
        if used:
            self.used[start] = used
        return bool(used)

    def part(self, start: float, end: float, marketplace: str | None = None) -> ListedPart:
        """How much of the time from `start` to `end` is here, and what of it the hub listed."""
        is_listed = self._listed.cover(start, end)
        stretches = tuple((_text(first), _text(last)) for first, last in self._listed.within(start, end))
        return ListedPart(is_listed, not is_listed and self.declare(start, end, marketplace), stretches)

    def until(self, start: float) -> float | None:
        """Up to when everything since `start` is here; None where no declaration speaks of `start`."""
        of_all = [span for declaration, span in self._declared if declaration.speaks_of(None)]
        return self._of(None).until(start) if any(_overlap(span, start, start) for span in of_all) else None

    def _of(self, marketplace: str | None) -> Stretches:
        stretches = self._whole.get(marketplace)
        if stretches is None:
            declared = [span for declaration, span in self._declared if declaration.speaks_of(marketplace)]
            stretches = self._whole[marketplace] = Stretches([*self._spans, *declared])
        return stretches


@lru_cache(1_024)
def _span(declaration: Declaration) -> ListedPeriod | None:
    """From the first second of the month to the first of the next; of a month that was running, to the declaration."""
    start, last, at = day_begins(declaration.month), month_ends(declaration.month), moment(declaration.at)
    if start is None or last is None:
        return None
    end = at if at is not None and start <= at <= last else last + 1
    return ListedPeriod(_text(start), _text(end))


def _text(second: float) -> str:
    return (_EPOCH + timedelta(seconds=second)).isoformat(timespec="seconds")


def _overlap(span: ListedPeriod, start: float, end: float) -> bool:
    first, last = moment(span.from_at), moment(span.to_at)
    return first is not None and last is not None and first <= end and last > start
