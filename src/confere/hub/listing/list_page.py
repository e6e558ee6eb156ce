"""What a list of the hub is, and a page of it: as it came, records or not, and as it goes out."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from confere.errors import HubAnswerUnreadable, HubRefusedRequest, message
from confere.hub.json.json_reader import ListBody, Record
from confere.hub.listing import list_envelope
from confere.hub.listing.list_requests import Query

V = TypeVar("V")

_ROUND = 10  # hubs that cap or miscount do it at round numbers


@dataclass(frozen=True, slots=True)
class ListKind(Generic[V]):
    """A list: its path, how an element is read (None where it is no record), and what tells elements apart.

    `name` is that of its traits, `siblings` are other lists of the hub, asked where this one is not there at all.
    """

    path: str
    parse: Callable[[Record], V | None]
    identity: Callable[[V], str]
    name: str
    siblings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ListPage(Generic[V]):
    """One page. `next_offset` is where to go on, None at the end; `total` what the hub says there is, None where it
    does not say or its total was disproved; `refused` how many elements were no records; `shifted` whether items moved
    between this answer and the one before, so that something was read again; `skipped` whether the hub gave an empty
    page before this one, where items had to be."""

    items: tuple[V, ...]
    offset: int
    next_offset: int | None
    total: int | None
    refused: int
    shifted: bool = False
    skipped: bool = False


@dataclass(frozen=True, slots=True)
class ReadPage(Generic[V]):
    """A page as it came; `identities` has one for every element, records or not. `asked` are the parameters that
    named its place, `more` whether the hub says that items follow, `is_counted` whether its total is believed.
    `skipped` says that the hub gave nothing at the place where this page had to begin, and this one behind it."""

    items: tuple[V, ...]
    identities: tuple[str, ...]
    listing: ListBody
    offset: int
    asked: Query = field(default_factory=dict)
    more: bool | None = None
    is_counted: bool = True
    skipped: bool = False

    @property
    def size(self) -> int:
        return len(self.identities)

    @property
    def end(self) -> int:
        return self.offset + self.size

    @property
    def total(self) -> int | None:
        return list_envelope.total(self.listing) if self.is_counted else None

    def nothing_after(self) -> ReadPage[V]:
        """The empty page behind this one."""
        return ReadPage((), (), self.listing, self.end, is_counted=self.is_counted)

    def meets(self, last: ReadPage[V]) -> bool:
        """Whether the first of this page is what `last` had in its place."""
        place = self.offset - last.offset
        if place >= last.size:
            return True
        return bool(self.identities) and self.identities[0] == last.identities[place]

    def is_full(self, size: int) -> bool:
        """Whether the list may go on behind this page whatever the hub's total says: it has `size` items or, as the
        first page, a number that hubs like to give."""
        return self.size >= size or (not self.offset and self.size > 0 and self.size % _ROUND == 0)


def first_behind(
    fetch: Callable[[int], ReadPage[V]], places: Iterable[int], known: Collection[str]
) -> ReadPage[V] | None:
    """The first page at these offsets that holds something which is not `known`; None where there is none, or the hub
    refuses to be asked."""
    for place in places:
        try:
            page = fetch(place)
        except HubRefusedRequest:
            return None
        if not set(page.identities) <= set(known):
            return page
    return None


def endless(path: str) -> HubAnswerUnreadable:
    """The error for a list that gives the same page at every place."""
    return HubAnswerUnreadable(
        message("The hub gives the same page of {path} again and again: the list has no end.", path=path),
        message("Nothing that was read is lost. Tell the hub's support; a narrower filter may help meanwhile."),
        status=200,
    )


def too_long(path: str, count: int) -> HubAnswerUnreadable:
    """The error for a list that goes on far behind the place where it should have ended."""
    return HubAnswerUnreadable(
        message(
            "The hub's list {path} still goes on after {count} items: it seems to have no end.", path=path, count=count
        ),
        message("Nothing that was read is lost. Tell the hub's support; a narrower filter may help meanwhile."),
        status=200,
    )
