"""Holding stored verdicts against what judging the same bytes by the same rules and certificates gives."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Final

from confere.archive import message_encoding
from confere.archive.authenticity.verdicts import NOTHING, JudgedContent
from confere.archive.derived.difference import ValueDifference, compared
from confere.archive.transaction import Row, Transaction

_COLUMNS: Final = ("kind", "position", "basis_id", "result", "lines", "whys")
_Places = tuple[int, int]


def differences(
    transaction: Transaction, judged: Collection[JudgedContent], names: Mapping[int, Sequence[str]]
) -> dict[int, tuple[ValueDifference, ...]]:
    """Where the verdicts kept of these contents are not the ones that were found now, by content.

    `names` are what people call the papers of each content.
    """
    stored: dict[int, dict[_Places, Row]] = defaultdict(dict)
    rows = list(
        transaction.named_in(
            "SELECT content_id, kind, position, basis_id, result, lines, whys FROM verdict WHERE content_id IN {}",
            [entry.content_id for entry in judged],
        )
    )
    texts: dict[int, str] = dict(
        transaction.fetch_in(
            "SELECT id, text FROM why WHERE id IN {}", {number for row in rows for _, number in _whys(row.whys)}
        )
    )
    for row in rows:
        whys = tuple((place, _read(texts.get(number))) for place, number in _whys(row.whys))
        written = (row.kind, row.position, row.basis_id, row.result, row.lines, whys)
        stored[row.content_id][row.kind, row.position] = written
    differing: dict[int, tuple[ValueDifference, ...]] = {}
    for entry in judged:
        due: dict[_Places, Row] = {
            (one.kind, one.position): (
                *(one.kind, one.position, entry.basis, one.result, one.lines),
                tuple((place, _read(text)) for place, text in one.whys),
            )
            for one in entry.found
        }
        if not due:
            due = {(NOTHING, 0): (NOTHING, 0, entry.basis, 0, "", ())}
        if due != stored[entry.content_id]:
            name = next(iter(names.get(entry.content_id, ())), str(entry.content_id))
            differing[entry.content_id] = tuple(compared("verdict", name, _COLUMNS, due, stored[entry.content_id]))
    return differing


def _whys(written: str | None) -> list[tuple[int, int]]:
    """Places of checks with the numbers of their sentences; `-1` for what is no number."""
    return [
        (int(place) if place.isdecimal() else -1, int(number) if number.isdecimal() else -1)
        for place, _, number in (entry.partition(":") for entry in (written or "").split())
    ]


def _read(text: str | None) -> object:
    return None if text is None else message_encoding.read(text)
