"""What a closing stood on beside documents: how far each hub's lists were read, and the terms of each account."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Final

from confere.archive.clock import from_text, utc_text
from confere.archive.hub import coverage
from confere.archive.hub.coverage import Span
from confere.fiscal.periods import BRASILIA
from confere.sales.closings import FiledCoverage, FiledTerms, MonthRows
from confere.sales.terms import Terms

_USUAL: Final[Mapping[str, Any]] = asdict(Terms())


@dataclass(frozen=True, slots=True)
class CoverageChange:
    """A stretch of the month on a list (`axis`) of an account that was read since the closing, or is not known as read
    any more. Times in the zone of Brasília."""

    account: str
    axis: str
    from_at: datetime
    to_at: datetime
    is_listed: bool


@dataclass(frozen=True, slots=True)
class TermsChange:
    """A term of an account, by the name that its preferences have for it, when the month was closed and now."""

    account: str
    name: str
    before: str
    after: str


def coverage_changes(filed: MonthRows, now: MonthRows, month: str) -> tuple[CoverageChange, ...]:
    """What was listed of the month (`YYYY-MM`) since, and what was and does not count any more.

    A stretch that was merely listed again is no change.
    """
    names = {entry.account: entry.name for entry in (*filed.terms, *now.terms)}
    before, after = (_spans(rows.coverage, _bounds(month)) for rows in (filed, now))
    return tuple(
        CoverageChange(
            names.get(account, str(account)),
            axis,
            from_text(span.from_at).astimezone(BRASILIA),
            from_text(span.to_at).astimezone(BRASILIA),
            is_listed,
        )
        for account, axis in sorted(before.keys() | after.keys())
        for is_listed, one, other in ((True, after, before), (False, before, after))
        for span in _without(one.get((account, axis), ()), other.get((account, axis), ()))
    )


def terms_changes(filed: MonthRows, now: MonthRows) -> tuple[TermsChange, ...]:
    """The terms and other preferences of the month's accounts that are not as they were; what was never set is the
    program's own."""
    before, after = ({entry.account: entry for entry in rows.terms} for rows in (filed, now))
    return tuple(
        change
        for account in sorted(before.keys() & after.keys())
        for change in _changed(before[account], after[account])
    )


def _changed(was: FiledTerms, now: FiledTerms) -> Iterator[TermsChange]:
    old, new = _flat(was), _flat(now)
    for name in sorted(old.keys() | new.keys()):
        usual = _USUAL.get(name)
        one, other = old.get(name, usual), new.get(name, usual)
        if _text(one) != _text(other):
            yield TermsChange(now.name, name, _text(one), _text(other))


def _flat(entry: FiledTerms) -> dict[str, Any]:
    kept = json.loads(entry.preferences)
    return {**kept.pop("terms", {}), **kept}


def _text(value: Any) -> str:
    """The value as its preferences write it; nothing for what is empty."""
    if value is None or value in ((), [], {}, ""):
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)


def _bounds(month: str) -> Span:
    year, number = int(month[:4]), int(month[5:])
    ends = datetime(year + number // 12, number % 12 + 1, 1, tzinfo=BRASILIA)
    return Span(utc_text(datetime(year, number, 1, tzinfo=BRASILIA)), utc_text(ends))


def _spans(rows: Sequence[FiledCoverage], month: Span) -> dict[tuple[int, str], tuple[Span, ...]]:
    """By account and list what was listed whole of the month; a list of some documents alone says nothing of it."""
    spans: dict[tuple[int, str], list[Span]] = defaultdict(list)
    for row in rows:
        span = Span(max(row.from_at, month.from_at), min(row.to_at, month.to_at))
        if row.finished_at is not None and not row.narrowed and span.from_at < span.to_at:
            spans[row.account, row.axis].append(span)
    return {name: coverage.merged(sorted(every, key=lambda span: span.from_at)) for name, every in spans.items()}


def _without(spans: Sequence[Span], others: Sequence[Span]) -> Iterator[Span]:
    """What of `spans` is in none of `others`; both merged."""
    for span in spans:
        begins = span.from_at
        for other in others:
            if other.to_at <= begins or other.from_at >= span.to_at:
                continue
            if other.from_at > begins:
                yield Span(begins, other.from_at)
            begins = max(begins, other.to_at)
        if begins < span.to_at:
            yield Span(begins, span.to_at)
