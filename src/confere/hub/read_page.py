"""A page of a list as it came from the hub, records or not."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Generic, TypeVar

from confere.errors import HubAnswerUnreadable, message
from confere.hub import envelope
from confere.hub.json_text import Listing
from confere.hub.list_requests import Query

V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class ReadPage(Generic[V]):
    """A page as it came; `identities` has one for every element, records or not. `asked` are the parameters that
    named its place, `more` whether the hub says that items follow."""

    items: tuple[V, ...]
    identities: tuple[str, ...]
    listing: Listing
    offset: int
    asked: Query = field(default_factory=dict)
    more: bool | None = None

    @property
    def size(self) -> int:
        return len(self.identities)

    @property
    def end(self) -> int:
        return self.offset + self.size

    @property
    def total(self) -> int | None:
        return envelope.total(self.listing)

    def nothing_after(self) -> ReadPage[V]:
        """The empty page behind this one."""
        return ReadPage((), (), self.listing, self.end)


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


def hole(path: str, count: int) -> HubAnswerUnreadable:
    """The error for a list that has nothing after `count` items, and goes on behind that."""
    return HubAnswerUnreadable(
        message(
            "The hub's list {path} has an empty page after {count} items and goes on behind it.", path=path, count=count
        ),
        message("Nothing that was read is lost. Try again later; if it stays so, tell the hub's support."),
        status=200,
    )
