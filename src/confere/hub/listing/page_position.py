"""Where a page of a list is: as an offset of ours, and as the parameters by which the hub is asked for it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from confere.hub.json.json_values import number
from confere.hub.listing.list_requests import OFFSET
from confere.hub.traits import hub_traits
from confere.hub.traits.hub_traits import HubShape

INDEX_NAMES = ("page", OFFSET, "pageNumber", "pageIndex", "number")
"""Parameters that may name a page by its number, the likeliest first."""
SIZE_NAMES = frozenset({"limit", "size", "pageSize", "page_size", "per_page", "perPage"})
"""Parameters that may say how large a page is."""


@dataclass(frozen=True, slots=True)
class Paging:
    """How places of a list are asked for: `mode` is one of the words of `HubShape.paging`, None while nothing is known.

    `named` says that the hub's own link names an offset so, whatever numbers it may be.
    """

    mode: str | None = None
    name: str = OFFSET
    base: int = 0
    named: bool = False

    @classmethod
    def of(cls, known: HubShape) -> Paging:
        """What is known of the list; the name of the offset can be known before its paging is."""
        return cls(known.paging, known.place or OFFSET, known.base or 0, known.place is not None)

    def at(self, offset: int, size: int) -> dict[str, int]:
        """The parameters for the page at `offset`; none for the first page."""
        if offset <= 0:
            return {}
        return {self.name: offset // size + self.base if self.mode == hub_traits.PAGE else offset}

    def start(self, offset: int, overlap: int, size: int) -> int:
        """Where to begin so that `offset` is read and, if that can be, a few items before it."""
        if self.mode == hub_traits.FREE:
            return max(0, offset - overlap)
        if self.mode in (hub_traits.WHOLE, hub_traits.PAGE) or (self.mode is None and self.named):
            return offset // size * size
        return 0  # nothing is known of places, or they cannot be named

    def after(self, query: Mapping[str, str] | None, size: int) -> int | None:
        """Which offset the `next` link's query names; None where it names none."""
        told = number((query or {}).get(self.name))
        if told is None:
            return None
        return (told - self.base) * size if self.mode == hub_traits.PAGE else told


def of_link(
    query: Mapping[str, str], known: Paging, *, offset: int, count: int, size: int, ours: Collection[str]
) -> Paging:
    """How the hub asks for places, judged by its own `next` link behind the `count` items at `offset`.

    `ours` are the names of our filters, which name no place. An offset may still have to be a multiple of the page.
    """
    numbers = {
        name: whole
        for name, value in query.items()
        if name not in ours and name not in SIZE_NAMES and (whole := number(value)) is not None
    }
    index = offset // size if size else 0
    for name, value in sorted(numbers.items(), key=lambda pair: pair[0] != OFFSET):
        if value in (offset + count, offset + size) and value > 2:
            return replace(known, mode=None, name=name, base=0, named=True)
    for name in INDEX_NAMES:
        if numbers.get(name) in (index + 1, index + 2):
            return Paging(hub_traits.PAGE, name, numbers[name] - index - 1)
    return Paging(hub_traits.LINK)
