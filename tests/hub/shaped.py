"""Lists of hubs of every shape: how pages are asked for, how totals and emptiness are told, which dates are taken."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from typing import Any
from urllib.parse import urlencode

from hypothesis import strategies as st

BRASILIA = timezone(timedelta(hours=-3))
_FORMS = {
    "date": re.compile(r"\d{4}-\d\d-\d\d"),
    "no zone": re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d"),
    "milliseconds": re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}([+-]\d\d:\d\d|Z)"),
    "UTC": re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"),
}
Answer = tuple[int, Any]


@dataclass(frozen=True)
class ListShape:
    """`paging`: free, whole (others are refused), rounded (down to a whole page), page0, page1, or cursor (by the
    link alone). `dates`: any, one of the forms, or refused. Unknown parameters are refused where it is `strict`."""

    paging: str = "free"
    strict: bool = False
    totals: str = "elements"  # pages, none
    links: bool = True
    bare: bool = False
    empty: int = 200  # 204, 404
    largest: int = 100
    dates: str = "any"
    takes_limit: bool = True

    @property
    def place(self) -> str:
        return {"page0": "page", "page1": "page", "cursor": "cursor"}.get(self.paging, "offset")

    def refusal(self, query: Mapping[str, str], filters: Sequence[str]) -> Answer | None:
        """What it says to parameters that it does not take."""
        known = {self.place, *filters, *(("limit",) if self.takes_limit else ())}
        if self.strict and (unknown := set(query) - known):
            return 400, {"message": f"Parâmetro desconhecido: {sorted(unknown)[0]}"}
        for name in filters:
            if name in query and not self.takes(query[name]):
                return 400, {"message": f"Data inválida: {query[name]}"}
        return None

    def takes(self, text: str) -> bool:
        """Whether a date is in a form that this hub reads."""
        if self.dates == "any":
            return True
        return self.dates in _FORMS and _FORMS[self.dates].fullmatch(text) is not None

    def page(self, items: Sequence[Any], query: Mapping[str, str], address: str = "http://inside/v2/list") -> Answer:
        """The page that is asked for."""
        limit = min(int(query.get("limit", 20)) if self.takes_limit else 20, self.largest)
        if not 5 <= limit <= 100:
            return 400, {"message": "limit deve estar entre 5 e 100"}
        base = 1 if self.paging == "page1" else 0
        told = int(query.get(self.place, base if self.paging in ("page0", "page1") else 0))
        if self.paging in ("page0", "page1"):
            if told < base:
                return 400, {"message": "page inválida"}
            start = (told - base) * limit
        elif self.paging == "cursor":
            start = told // 7  # no offset that anybody could guess
        else:
            start = told
            if self.paging == "whole" and start % limit:
                return 422, {"message": "offset deve ser múltiplo de limit"}
            if self.paging == "rounded":
                start -= start % limit
        content = list(items[start : start + limit])
        if not items and self.empty != 200:
            return (204, b"") if self.empty == 204 else (404, {"message": "Nenhum registro"})
        if self.bare:
            return 200, content
        body: dict[str, Any] = {"content": content}
        body["links"] = [{"rel": "self", "href": address}]
        if self.links and start + limit < len(items):
            following: int = start + limit
            if self.paging in ("page0", "page1"):
                following = told + 1
            elif self.paging == "cursor":
                following = (start + limit) * 7 + 3
            more = {**query, **({"limit": limit} if self.takes_limit else {}), self.place: following}
            body["links"].append({"rel": "next", "href": f"{address}?{urlencode(more)}"})
        if self.totals != "none":
            pages = -(-len(items) // limit)
            body["page"] = {"size": limit, "totalPages": pages, "number": -(-start // limit) + base}
            if self.totals == "elements":
                body["page"]["totalElements"] = len(items)
        return 200, body


def within(text: str, *, last: bool) -> datetime:
    """The moment that a hub of any form reads as one end of a window: of Brasília where there is no zone."""
    found = datetime.fromisoformat(text)
    if len(text) == len("2026-01-01") and last:
        found += timedelta(days=1, seconds=-1)
    return found if found.tzinfo else found.replace(tzinfo=BRASILIA)


NAMED = {
    "whole-pages": ListShape(paging="whole"),
    "rounded-pages": ListShape(paging="rounded"),
    "page-base-0": ListShape(paging="page0"),
    "page-base-1": ListShape(paging="page1"),
    "strict": ListShape(strict=True, paging="page0"),
    "pages-only": ListShape(totals="pages"),
    "no-totals": ListShape(totals="none"),
    "bare-list": ListShape(bare=True),
    "empty-204": ListShape(empty=204),
    "empty-404": ListShape(empty=404),
    "dates-date-only": ListShape(dates="date"),
    "dates-no-zone": ListShape(dates="no zone"),
    "dates-milliseconds": ListShape(dates="milliseconds"),
    "dates-refused": ListShape(dates="refused"),
    "link-alone": ListShape(paging="cursor", totals="none"),
    "no-limit": ListShape(strict=True, takes_limit=False),
}
"""Shapes that were seen or are to be survived, by name."""

SHAPES = st.builds(
    ListShape,
    paging=st.sampled_from(["free", "whole", "rounded", "page0", "page1", "cursor"]),
    strict=st.booleans(),
    totals=st.sampled_from(["elements", "pages", "none"]),
    links=st.booleans(),
    bare=st.booleans(),
    empty=st.sampled_from([200, 204, 404]),
    largest=st.sampled_from([100, 100, 50, 37]),
    dates=st.sampled_from(["any", "any", *_FORMS, "refused"]),
    takes_limit=st.sampled_from([True, True, True, False]),
).filter(lambda shape: shape.paging != "cursor" or (shape.links and not shape.bare))
"""Any combination that can be read at all."""
