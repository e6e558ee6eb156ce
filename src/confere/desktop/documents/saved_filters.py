"""A saved search as the window shows it: words in the search box, chips, company and month; and back."""

from __future__ import annotations

from calendar import monthrange
from dataclasses import dataclass, replace
from typing import Final

from confere.app.documents.browse import DocumentQuery
from confere.app.documents.organize import saved_searches, spelling
from confere.app.documents.organize.saved_searches import SavedSearch
from confere.desktop.documents.filters import DocumentFilters

NOTHING: Final = DocumentFilters()
_DAY: Final = len("2026-10-31")
_MONTH: Final = len("2026-10")


@dataclass(frozen=True, slots=True)
class OpenedSearch:
    """`company` and `month` are None where the search keeps to none: those in use stay, unless it is of
    `every_month`."""

    words: str
    filters: DocumentFilters
    company: str | None
    month: str | None
    every_month: bool = False


def opened(saved: SavedSearch) -> OpenedSearch:
    """Raises `ArchiveError` where a filter is not understood."""
    query = saved_searches.filters_of(saved)
    first, last = query.from_day, query.to_day
    month = day = None
    if first is not None and last is not None and len(first) == len(last) == _DAY and first[:_MONTH] == last[:_MONTH]:
        if first == last:
            month, day = first[:_MONTH], first
        elif first.endswith("-01") and int(last[-2:]) >= monthrange(int(first[:4]), int(first[5:7]))[1]:
            month = first[:_MONTH]
    if month is not None:
        query = replace(query, from_day=None, to_day=None)
    rest = spelling.in_words(query)
    filters = DocumentFilters(
        types=query.types,
        directions=_one(query.direction),
        states=query.states,
        marketplaces=query.marketplaces,
        operations=query.operations,
        ufs=_one(query.uf),
        with_warnings=_whether(query.with_warnings),
        with_findings=_whether(query.with_findings),
        verdicts=query.verdict,
        grounds=query.grounds,
        day=day,
    )
    is_dated = query.from_day is not None or query.to_day is not None
    return OpenedSearch(" ".join(filter(None, (saved.words, rest))), filters, query.company, month, is_dated)


def query_of(filters: DocumentFilters, company: str | None, month: str | None) -> DocumentQuery:
    """What is kept of the chips, and of a company and a month that the search is to keep to."""
    base = DocumentQuery(company=company)
    if month is not None:
        last = monthrange(int(month[:4]), int(month[5:]))[1]
        base = replace(base, from_day=f"{month}-01", to_day=f"{month}-{last}")
    return filters.within(base)


def _one(value: str | None) -> tuple[str, ...]:
    return () if value is None else (value,)


def _whether(value: bool | None) -> tuple[str, ...]:
    return () if value is None else ("yes" if value else "no",)
