"""How the columns stand: order, widths, which are shown and what is sorted, as one line of text to remember."""

from __future__ import annotations

from typing import Any, NamedTuple

from confere.desktop.widgets.long_list.list_columns import ListPlan

_NARROWEST, _WIDEST = 24, 4000
_EDITION = "2"


class ColumnPlacement(NamedTuple):
    """One column: its key, width in pixels, and whether it is shown; `asked_for` where there is no room for it too."""

    key: str
    width: int
    shown: bool
    asked_for: bool = False


class Arrangement(NamedTuple):
    """All columns from left to right. `fitted` says that the loose column takes the room the others leave."""

    columns: tuple[ColumnPlacement, ...]
    sort: str
    descending: bool = True
    fitted: bool = True


def standard(plan: ListPlan[Any, Any]) -> Arrangement:
    """How the columns stand before anybody chose."""
    columns = tuple(ColumnPlacement(column.key, column.width, column.shown) for column in plan.columns)
    return Arrangement(columns, plan.sort, plan.descending)


def written(arrangement: Arrangement) -> str:
    """One line, by the columns' keys: it means the same after columns come, go or move in a later release."""
    parts = [f"{_sign(entry)}{entry.key}:{entry.width}" for entry in arrangement.columns]
    way = "descending" if arrangement.descending else "ascending"
    fit = "fitted" if arrangement.fitted else "free"
    return ";".join([f"{arrangement.sort} {way} {fit} {_EDITION}", *parts])


def read(text: str, plan: ListPlan[Any, Any]) -> Arrangement:
    """What `written` wrote; columns it does not name stand at their usual place. Never raises."""
    usually, known = standard(plan), plan.places()
    head, _, rest = text.partition(";")
    found: dict[str, ColumnPlacement] = {}
    for part in rest.split(";"):
        key, _, width = part.partition(":")
        shown, asked_for, key = not key.startswith("-"), key.startswith("+"), key.lstrip("+-")
        if key in known and key not in found and width.isascii() and width.isdigit() and len(width) < 6:
            found[key] = ColumnPlacement(key, min(max(int(width), _NARROWEST), _WIDEST), shown, asked_for)
    sort, way, fit, edition = [*head.split(" "), "", "", "", ""][:4]
    if edition != _EDITION:
        found.pop(plan.once_hidden, None)
    if not any(entry.shown for entry in found.values()):
        return usually
    ordered = list(found.values())
    for place, usual in enumerate(usually.columns):
        if usual.key not in found:
            ordered.insert(place, usual)
    arrangement = Arrangement(tuple(ordered), plan.sort, plan.descending, fitted=fit != "free")
    if sort not in known or sort not in plan.sorts:
        return arrangement
    return arrangement._replace(sort=sort, descending=way != "ascending")


def _sign(column: ColumnPlacement) -> str:
    if not column.shown:
        return "-"
    return "+" if column.asked_for else ""
