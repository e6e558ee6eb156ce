"""How the columns stand: order, widths, which are shown and what is sorted, as one line of text to remember."""

from __future__ import annotations

from dataclasses import dataclass, replace

from confere.desktop.documents.columns import COLUMNS, PLACES

_NARROWEST, _WIDEST = 24, 4000
_EDITION = "2"
_ONCE_HIDDEN = "verdict"
"""Before edition 2 it had nothing to show and was hidden from all: nobody chose that, so it is not remembered."""


@dataclass(frozen=True, slots=True)
class ColumnPlacement:
    """One column: its key, width in pixels, and whether it is shown."""

    key: str
    width: int
    shown: bool


@dataclass(frozen=True, slots=True)
class Arrangement:
    """All columns from left to right. `fitted` says that the counterparty takes the room the others leave."""

    columns: tuple[ColumnPlacement, ...]
    sort: str = "issued"
    descending: bool = True
    fitted: bool = True


STANDARD = Arrangement(tuple(ColumnPlacement(column.key, column.width, column.shown) for column in COLUMNS))


def written(arrangement: Arrangement) -> str:
    """One line, by the columns' keys: it means the same after columns come, go or move in a later release."""
    parts = [f"{'' if entry.shown else '-'}{entry.key}:{entry.width}" for entry in arrangement.columns]
    way = "descending" if arrangement.descending else "ascending"
    fit = "fitted" if arrangement.fitted else "free"
    return ";".join([f"{arrangement.sort} {way} {fit} {_EDITION}", *parts])


def read(text: str) -> Arrangement:
    """What `written` wrote; columns it does not name stand at their usual place. Never raises."""
    head, _, rest = text.partition(";")
    found: dict[str, ColumnPlacement] = {}
    for part in rest.split(";"):
        key, _, width = part.partition(":")
        shown, key = not key.startswith("-"), key.removeprefix("-")
        if key in PLACES and key not in found and width.isascii() and width.isdigit() and len(width) < 6:
            found[key] = ColumnPlacement(key, min(max(int(width), _NARROWEST), _WIDEST), shown)
    sort, way, fit, edition = [*head.split(" "), "", "", "", ""][:4]
    if edition != _EDITION:
        found.pop(_ONCE_HIDDEN, None)
    if not any(entry.shown for entry in found.values()):
        return STANDARD
    ordered = list(found.values())
    for place, usual in enumerate(STANDARD.columns):
        if usual.key not in found:
            ordered.insert(place, usual)
    sorted_by = next((column for column in COLUMNS if column.key == sort and column.sortable), None)
    arrangement = Arrangement(tuple(ordered), fitted=fit != "free")
    return arrangement if sorted_by is None else replace(arrangement, sort=sort, descending=way != "ascending")
