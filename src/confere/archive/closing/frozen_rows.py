"""Frozen rows as text and back: stretches of a JSON array, compressed, each with the SHA-256 of its text.

A stretch is the compact JSON array of its rows in UTF-8, a row the array of its columns, of taxes the amounts
at its end. A digest covers the text, not what the compressor made of it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple

import zstandard

from confere.sales.closings import (
    FiledCoverage,
    FiledDocument,
    FiledEvent,
    FiledFinding,
    FiledLink,
    FiledTaxes,
    FiledTerms,
    MonthRows,
)

_LEVEL: Final = 3
_AT_ONCE: Final = 5000  # rows of a stretch
_LARGEST: Final = 64 * 1024 * 1024  # bytes of a stretch: what says it is longer was edited
_ENCODER: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


class FrozenPart(NamedTuple):
    """A stretch of rows as it is stored."""

    section: str
    position: int
    rows: int
    digest: bytes
    payload: bytes


_SECTIONS: Final[dict[str, Callable[[Any], Any]]] = {
    "documents": FiledDocument._make,
    "taxes": lambda row: FiledTaxes(row[0], row[1], row[2], tuple(row[3:])),
    "events": FiledEvent._make,
    "links": FiledLink._make,
    "findings": FiledFinding._make,
    "terms": FiledTerms._make,
    "coverage": FiledCoverage._make,
}


FISCAL: Final = frozenset({"documents", "taxes", "events"})
"""The sections that `month_rows.fiscal` reads too."""


def frozen(rows: MonthRows) -> Iterator[FrozenPart]:
    """The stretches of all rows, section by section."""
    packer = zstandard.ZstdCompressor(level=_LEVEL)
    for section in _SECTIONS:
        every: Sequence[Any] = getattr(rows, section)
        if section == "taxes":
            every = [(row.paper, row.cfop, row.cst, *row.amounts) for row in every]
        for position, start in enumerate(range(0, len(every), _AT_ONCE)):
            part = every[start : start + _AT_ONCE]
            text = _ENCODER.encode(part).encode("utf-8", "replace")
            yield FrozenPart(section, position, len(part), hashlib.sha256(text).digest(), packer.compress(text))


def thawed(parts: Iterable[FrozenPart]) -> MonthRows:
    """The rows of these stretches. `ValueError` where one is not what was frozen."""
    rows: dict[str, list[Any]] = {section: [] for section in _SECTIONS}
    for part in sorted(parts, key=lambda part: (part.section, part.position)):
        make = _SECTIONS.get(part.section)
        if make is None:
            raise ValueError(part.section)
        rows[part.section].extend(map(make, _rows(part)))
    return MonthRows(**{section: tuple(entries) for section, entries in rows.items()})


def holds(part: FrozenPart) -> bool:
    """Whether the stretch is what was frozen."""
    try:
        _rows(part)
    except ValueError:
        return False
    return True


def _rows(part: FrozenPart) -> list[Any]:
    try:
        text = zstandard.ZstdDecompressor().decompress(part.payload, max_output_size=_LARGEST)
    except (zstandard.ZstdError, MemoryError) as error:
        raise ValueError(str(error)) from error
    if hashlib.sha256(text).digest() != part.digest:
        raise ValueError("digest")
    rows = json.loads(text)
    if not isinstance(rows, list) or len(rows) != part.rows:
        raise ValueError("rows")
    return rows
