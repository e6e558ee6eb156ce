"""Orders that a hub's list tells less of than the order itself says: what a list leaves out is no change of the order.

What no order of a page shows, the list does not tell. What other orders of the page show and this one does not, it
has lost.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any, Final

from confere.hub.orders.orders import HubOrder, order_of_text

_READ: Final = json.JSONDecoder(parse_float=str, parse_int=str).decode


class ListedOrder(Enum):
    """What a list's entry is beside the newest version of its order that is kept."""

    WHOLE = "whole"  # nothing is left out
    LESS = "less"  # something is left out, and the rest is as it was
    LESS_AND_OTHER = "less and other"  # something is left out, and something changed: only the order itself tells


class PageFields:
    """The fields that the orders of a page show."""

    def __init__(self, page: Iterable[HubOrder]) -> None:
        # A number for each field, by that of the object around it: paths as text would take a thousand times the
        # room of a record that is nested deeply.
        self._numbers: dict[tuple[int, str | None], int] = {}
        self._shown: set[int] = set()
        for entry in page:
            self._shown |= self._told(entry.raw)

    def shown(self, entry: HubOrder, kept: bytes) -> ListedOrder:
        """How `entry`, one of the page, stands to the version `kept`; WHOLE where that cannot be read."""
        missing = self._told(kept) - self._told(entry.raw)
        if missing <= self._shown:
            return ListedOrder.WHOLE
        try:
            before = order_of_text(kept).order
        except ValueError:
            return ListedOrder.WHOLE
        agrees = missing.isdisjoint(self._shown) and _agrees(entry.order, before)
        return ListedOrder.LESS if agrees else ListedOrder.LESS_AND_OTHER

    def _told(self, raw: bytes) -> set[int]:
        """Where a record says something; of a list's elements each in the same place."""
        found: set[int] = set()
        try:
            left: list[tuple[object, int]] = [(_READ(raw.decode("utf-8")), 0)]
        except (ValueError, RecursionError):  # nested as deeply as could just be read when it came
            return found
        while left:
            value, place = left.pop()
            if isinstance(value, dict):
                left += [(inner, self._number(place, name)) for name, inner in value.items()]
            elif isinstance(value, list):
                inside = self._number(place, None)
                left += [(inner, inside) for inner in value]
            elif value is not None and value != "":
                found.add(place)
        return found

    def _number(self, place: int, name: str | None) -> int:
        return self._numbers.setdefault((place, name), len(self._numbers) + 1)


def _agrees(entry: Any, kept: Any) -> bool:
    """Whether everything that `entry` says stands in `kept` too."""
    if entry is None or entry == () or entry == kept:
        return True
    if is_dataclass(entry) and type(entry) is type(kept):
        return all(_agrees(getattr(entry, field.name), getattr(kept, field.name)) for field in fields(entry))
    if isinstance(entry, tuple) and isinstance(kept, tuple) and len(entry) == len(kept):
        return all(_agrees(one, other) for one, other in zip(entry, kept, strict=True))
    return False
