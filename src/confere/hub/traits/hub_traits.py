"""How one hub wants its lists asked and how it answers: learnt from its answers, kept by whoever has an archive.

Every trait is a working assumption. Where an answer contradicts it, whoever relies on it forgets it and learns again
in the same run. What is not learnt yet is None.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from typing import Any

FREE = "free"
"""Paging by an offset that may be any number, so that two pages can share items."""
WHOLE = "whole pages"
"""Paging by an offset that must be a multiple of the page size."""
PAGE = "page"
"""Paging by the number of the page."""
LINK = "link"
"""Paging by what the `next` link says and nothing else."""

TOTAL_ELEMENTS, TOTAL_PAGES, LINKS, NOTHING = "totalElements", "totalPages", "links", "nothing"
REFUSED, TOLERATED = "refused", "tolerated"
HONOURED, IGNORED = "honoured", "ignored"
SENT = "sent"


@dataclass(frozen=True, slots=True)
class HubShape:
    """The traits of one list of one hub.

    `place` is the parameter that names a place, `base` the number of the first page, `first_place` is `SENT` where
    even the first page must be named. `limit` is the parameter for the page size (empty: none is taken), `page_size`
    the largest that is given. `end` is the size of a page behind which nothing was: a smaller one is the last.
    `totals` says by what the hub tells how long the list is, `empty` by which status that it is empty, `unknown` what
    becomes of parameters that it does not know, `dates` in which form it takes dates (see
    `confere.hub.listing.date_filters`),
    `date_filter` whether they were honoured. `files` is where a record names its files.
    """

    paging: str | None = None
    place: str | None = None
    base: int | None = None
    first_place: str | None = None
    limit: str | None = None
    page_size: int | None = None
    end: int | None = None
    totals: str | None = None
    empty: str | None = None
    unknown: str | None = None
    dates: str | None = None
    date_filter: str | None = None
    files: str | None = None


TRAITS = tuple(entry.name for entry in fields(HubShape))
_NUMBERS = ("base", "page_size", "end")
_OF_PAGING = ("paging", "place", "base", "first_place", "limit", "page_size", "end", "unknown", "totals")


@dataclass(frozen=True, slots=True)
class Learnt:
    """A trait's value, and when it was learnt (aware)."""

    value: str
    at: datetime


class LearntShapes:
    """The traits of every list of one account's hub, by the names `list.trait`; may be used from many threads."""

    def __init__(self, known: Mapping[str, Learnt] | None = None) -> None:
        self._lock = threading.Lock()
        self._known = dict(known or {})
        self._changed: set[str] = set()
        self._declared: dict[str, str] = {}
        self._doubted: set[str] = set()

    def declare(self, declared: Mapping[str, Mapping[str, str]]) -> None:
        """Take what the hub's contract says of each list; what was learnt of it counts more."""
        with self._lock:
            self._declared = {
                f"{name}.{trait}": value for name, traits in declared.items() for trait, value in traits.items()
            }
            self._doubted.clear()

    def declared(self) -> dict[str, str]:
        """What the contract says, by `list.trait`, whether or not the hub keeps to it."""
        with self._lock:
            return dict(self._declared)

    def load(self, known: Mapping[str, Learnt]) -> None:
        """Take what was kept from earlier runs; what was learnt since stays."""
        with self._lock:
            self._known = {**known, **self._known}

    def of(self, name: str) -> HubShape:
        """What is known of the list `name`."""
        with self._lock:
            values: dict[str, Any] = {
                trait: value for trait in TRAITS if (value := self._value(f"{name}.{trait}")) is not None
            }
        for trait in _NUMBERS:
            if trait in values:
                values[trait] = int(values[trait]) if values[trait].isdecimal() else None
        return HubShape(**values)

    def _value(self, key: str) -> str | None:
        learnt = self._known.get(key)
        if learnt is not None:
            return learnt.value
        return None if key in self._doubted else self._declared.get(key)

    def every(self) -> dict[str, Learnt]:
        """All traits, by `list.trait`."""
        with self._lock:
            return dict(sorted(self._known.items()))

    def dates_elsewhere(self) -> str | None:
        """The form of dates that any list of this hub takes; None where none is known."""
        with self._lock:
            forms = (found.value for name, found in sorted(self._known.items()) if name.endswith(".dates"))
            return next((form for form in forms if form != REFUSED), None)

    def learnt_at(self, name: str, trait: str) -> datetime | None:
        """When a trait was learnt; None where it is not known."""
        with self._lock:
            found = self._known.get(f"{name}.{trait}")
        return None if found is None else found.at

    def learn(self, name: str, **traits: str | int) -> None:
        """Remember traits of the list `name`; one that is known so already keeps its date."""
        unknown = set(traits) - set(TRAITS)
        if unknown:
            raise ValueError(f"no such trait: {', '.join(sorted(unknown))}")
        at = datetime.now(UTC)
        with self._lock:
            for trait, value in traits.items():
                key = f"{name}.{trait}"
                known = self._known.get(key)
                if known is None or known.value != str(value):
                    self._known[key] = Learnt(str(value), at)
                    self._changed.add(key)

    def forget(self, name: str, *traits: str) -> None:
        """Forget traits of the list `name`; without any, all that say how its pages are asked for.

        That it refused dates is forgotten with them: it may have refused the page. What the contract says of the same
        is not believed any more in this session.
        """
        with self._lock:
            dates = self._known.get(f"{name}.dates")
            doubtful = ("dates",) if dates is not None and dates.value == REFUSED else ()
            for trait in traits or (*_OF_PAGING, *doubtful):
                self._doubted.add(f"{name}.{trait}")
                if self._known.pop(f"{name}.{trait}", None) is not None:
                    self._changed.add(f"{name}.{trait}")

    def take_changes(self) -> dict[str, Learnt | None]:
        """What was learnt (None: forgotten) since the last call."""
        with self._lock:
            changes = {key: self._known.get(key) for key in self._changed}
            self._changed.clear()
        return changes
