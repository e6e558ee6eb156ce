"""Which clients are listed and in which order: a text, what is wrong with them, a column; alike for both faces."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import datetime
from enum import StrEnum
from typing import Any, Final

from confere.app.overview.clients import ClientRow
from confere.system.plain_text import folded

_MASK: Final = str.maketrans("", "", "./- ")


class ClientFlag(StrEnum):
    """What clients can be narrowed to; several narrow further."""

    PROBLEMS = "problems"  # something lacks, disagrees or is not known
    NOT_CLOSED = "not_closed"
    STALE = "stale"  # listed too long ago, or never


class ClientSort(StrEnum):
    """What clients can be ordered by."""

    WORST = "worst"
    NAME = "name"
    LISTED = "listed"
    DOCUMENTS = "documents"
    MISSING = "missing"
    HIGH = "high"  # findings, as the next two
    MEDIUM = "medium"
    LOW = "low"
    EXPORTED = "exported"
    CLOSED = "closed"
    TAX_ID = "tax_id"
    ACCOUNTS = "accounts"


def _time(at: datetime | None) -> float:
    return 0.0 if at is None else at.timestamp()


def _severity(name: str) -> Callable[[ClientRow], tuple[int, bool]]:
    """Most first; then what was not reconciled."""
    return lambda row: (0, False) if row.findings is None else (-getattr(row.findings, name), True)


# What comes first is what one looks for: the oldest, the most, what was not done yet.
_KEYS: Final[Mapping[ClientSort, Callable[[ClientRow], Any]]] = {
    ClientSort.WORST: lambda row: row.weight,
    ClientSort.NAME: lambda row: folded(row.name or row.tax_id),
    ClientSort.LISTED: lambda row: (not row.accounts, _time(row.listed_at)),
    ClientSort.DOCUMENTS: lambda row: -row.documents,
    ClientSort.MISSING: lambda row: (-(row.missing or 0), row.missing is not None),
    ClientSort.HIGH: _severity("high"),
    ClientSort.MEDIUM: _severity("medium"),
    ClientSort.LOW: _severity("low"),
    ClientSort.EXPORTED: lambda row: _time(row.packaged_at),
    ClientSort.CLOSED: lambda row: _time(row.closed_at),
    ClientSort.TAX_ID: lambda row: row.tax_id,
    ClientSort.ACCOUNTS: lambda row: tuple(map(folded, row.accounts)),
}
_FLAGS: Final[Mapping[ClientFlag, Callable[[ClientRow], bool]]] = {
    ClientFlag.PROBLEMS: lambda row: row.has_problem,
    ClientFlag.NOT_CLOSED: lambda row: row.closed_at is None,
    ClientFlag.STALE: lambda row: row.is_stale or row.is_never_listed,
}


def narrowed(rows: Iterable[ClientRow], text: str = "", flags: Collection[ClientFlag] = ()) -> tuple[ClientRow, ...]:
    """Those whose name or tax id has every word of `text`, accents or not, and for which all `flags` hold."""
    words = folded(text).split()
    return tuple(
        row for row in rows if all(_FLAGS[flag](row) for flag in flags) and all(_has(row, word) for word in words)
    )


def ordered(
    rows: Iterable[ClientRow], sort: ClientSort = ClientSort.WORST, *, is_reversed: bool = False
) -> tuple[ClientRow, ...]:
    """By `sort`, what one looks for first; what is equal is worst first."""
    worst = sorted(rows, key=lambda row: (*row.weight, folded(row.name or ""), row.tax_id))
    return tuple(sorted(worst, key=_KEYS[sort], reverse=is_reversed))


def _has(row: ClientRow, word: str) -> bool:
    return word in folded(row.name or "") or (bool(bare := word.translate(_MASK)) and bare in folded(row.tax_id))
