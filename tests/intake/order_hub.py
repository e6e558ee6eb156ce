"""A very small hub of orders over HTTP: its list, its feed and its answers change as a test wants."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from tests.hub.shaped import ListShape, within
from tests.intake.served import START, Answer, page_of


@dataclass
class OrderHub:
    """`dates` says what it makes of date filters: honours, ignores, refuses, or misreads them and finds nothing.

    `broken` are ids whose detail answers with that status; `lists` and `feeds` whether it has these at all.
    """

    orders: dict[str, dict[str, Any]] = field(default_factory=dict)
    unread: dict[str, str] = field(default_factory=dict)  # order id to its newest token
    returns: list[dict[str, Any]] | None = None
    no_returns: int = 404  # what it answers without a list of them
    dates_returns: bool = False  # whether its list of returns honours dates
    dates: str = "honours"
    lists: int = 200
    refuses_from: int | None = None  # the first item whose page of orders it refuses
    feeds: int = 200
    counts: bool = True  # whether a page tells how many there are
    shape: ListShape | None = None  # how its lists are paged, told and dated
    untold: tuple[str, ...] = ()  # fields that the list leaves out
    broken: dict[str, int] = field(default_factory=dict)
    refused_marks: dict[str, int] = field(default_factory=dict)
    now: datetime = START + timedelta(days=100)
    asked: list[str] = field(default_factory=list)
    marked: list[tuple[str, str]] = field(default_factory=list)
    before: Callable[[str], None] | None = None
    address: str = ""

    def add(self, number: int, day: float, status: str = "CONCLUDED", **changes: Any) -> dict[str, Any]:
        """An order created on `day`, with its item of the feed."""
        name = str(number)
        self.orders[name] = {
            "id": number,
            "createdAt": (START + timedelta(days=day, seconds=number)).isoformat(),
            "status": status,
            "marketPlaceId": f"MA-{number}",
            "total": 10.5,
            "items": [{"sku": {"partnerId": "A"}, "amount": 1, "total": 10.5}],
            **changes,
        }
        self.touch(number)
        return self.orders[name]

    def touch(self, number: int) -> None:
        """The order changed: a new token."""
        name = str(number)
        step = int(self.unread.get(name, "t-0-0").rpartition("-")[2]) + len(self.marked) + 1
        self.unread[name] = f"t-{name}-{step}"

    def answer(self, method: str, path: str, query: dict[str, str], body: bytes) -> Answer:
        name = path.removeprefix("/v2/").strip("/")
        self.asked.append(f"{method} {name}")
        if self.before is not None:
            self.before(f"{method} {name}")
        if self.shape is not None and name in ("orders", "returns"):
            found = self._selected(query) if name == "orders" else self.returns or []
            return self.shape.refusal(query, ("createdAfter", "createdBefore")) or self.shape.page(found, query)
        if name == "orders":
            return (200, self._page(self._selected(query), query)) if self._listed(query) else (self._refusal(), {})
        if name == "returns":
            if self.returns is None:
                return self.no_returns, {}
            return 200, self._page(_created_within(self.returns, query) if self.dates_returns else self.returns, query)
        if name == "orders/feeds":
            items = [{"id": order_id, "token": token} for order_id, token in self.unread.items()]
            return (self.feeds, items[: int(query.get("limit", 5))])
        if name.startswith("orders/feeds/"):
            return self._mark(name.rpartition("/")[2], json.loads(body)["token"])
        if name.startswith("orders/"):
            order_id = name.removeprefix("orders/")
            if order_id in self.broken:
                return self.broken[order_id], {}
            return (200, self.orders[order_id]) if order_id in self.orders else (404, {})
        return 404, {}

    def _mark(self, order_id: str, token: str) -> Answer:
        if order_id in self.refused_marks:
            return self.refused_marks[order_id], {"message": "token recusado"}
        self.marked.append((order_id, token))
        if self.unread.get(order_id) == token:
            del self.unread[order_id]
        return 200, {}

    def _listed(self, query: dict[str, str]) -> bool:
        if self.refuses_from is not None and int(query.get("offset", 0)) >= self.refuses_from:
            return False
        return self.lists == 200 and not (self.dates == "refuses" and "createdAfter" in query)

    def _refusal(self) -> int:
        return 400 if self.lists == 200 else self.lists

    def _selected(self, query: dict[str, str]) -> list[dict[str, Any]]:
        found = sorted(self.orders.values(), key=lambda order: str(order.get("createdAt")))
        if self.untold:
            found = [{name: value for name, value in order.items() if name not in self.untold} for order in found]
        if "createdAfter" in query or "createdBefore" in query:
            if self.dates == "misreads":
                return []
            if self.dates == "honours":
                found = _created_within(found, query)
        return found

    def _page(self, found: list[dict[str, Any]], query: dict[str, str]) -> object:
        content, told = page_of(found, query)
        return {"content": content, "page": told} if self.counts else {"content": content}


def _created_within(records: list[dict[str, Any]], query: dict[str, str]) -> list[dict[str, Any]]:
    """The records that were created in the days asked for."""
    first = within(query.get("createdAfter", "2000-01-01T00:00:00-03:00"), last=False)
    last = within(query["createdBefore"], last=True) if "createdBefore" in query else None
    return [
        record
        for record in records
        if datetime.fromisoformat(record["createdAt"]) >= first
        and (last is None or datetime.fromisoformat(record["createdAt"]) <= last)
    ]
