"""A very small hub over HTTP whose list, filters and files a test can change while it is read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from tests.archive.papers import cancellation, key, note
from tests.hub.shaped import ListShape, within
from tests.intake.served import START, Answer, page_of

DATES = ("createdAtFrom", "createdAtTo", "lastUpdateFrom", "lastUpdateTo")


@dataclass
class SmallHub:
    """`dates` says what it makes of date filters: honours them, ignores them, or misreads them and finds nothing.

    Its files lie in a storage too, at `/store/ITEM`, which asks for `signature` where that is set.
    `shape` is how its list is paged, told and dated.
    """

    documents: list[dict[str, Any]] = field(default_factory=list)
    files: dict[str, bytes | int] = field(default_factory=dict)
    details: dict[str, Any] = field(default_factory=dict)
    signature: str = ""
    dates: str = "honours"
    shape: ListShape | None = None
    zone: timedelta = timedelta(0)  # how far its comparison of dates is off
    now: datetime = START + timedelta(days=100)
    asked: list[str] = field(default_factory=list)
    lists: int = 0
    offsets: list[int] = field(default_factory=list)
    before_page: Callable[[int], None] | None = None
    address: str = ""
    learnt: str | None = None  # where the last client found a record's files

    def add(self, number: int, day: int, **changes: Any) -> dict[str, Any]:
        """A note created on `day`, with its file."""
        moment = START + timedelta(days=day, seconds=number)
        record = {
            "id": f"fd-{number}",
            "documentKey": key(number),
            "type": "NFE",
            "subtype": "sale",
            "createdAt": moment.isoformat(),
            "lastUpdate": moment.isoformat(),
            "documents": [{"type": "AUTHORIZATION", "path": {"document_item_id": f"n{number}"}}],
        }
        record.update(changes)
        self.documents.append(record)
        self.files[f"n{number}"] = note(number)
        return record

    def cancel(self, record: dict[str, Any], day: int) -> None:
        number = int(record["id"][3:])
        record["lastUpdate"] = (START + timedelta(days=day, seconds=number)).isoformat()
        record["documents"].append({"type": "CANCELLATION", "path": {"document_item_id": f"c{number}"}})
        self.files[f"c{number}"] = cancellation(number)

    def select(self, query: dict[str, str]) -> list[dict[str, Any]]:
        found = list(self.documents)
        for name, column, keep in (
            ("createdAtFrom", "createdAt", 1),
            ("createdAtTo", "createdAt", -1),
            ("lastUpdateFrom", "lastUpdate", 1),
            ("lastUpdateTo", "lastUpdate", -1),
        ):
            if name in query and self.dates == "misreads":
                return []
            if name in query and self.dates == "honours":
                edge = within(query[name], last=keep < 0) + self.zone
                found = [d for d in found if (datetime.fromisoformat(d[column]) - edge).total_seconds() * keep >= 0]
        return found

    def answer(self, method: str, path: str, query: dict[str, str], body: bytes) -> Answer:
        self.asked.append(path)
        if method != "GET":
            return 405, {}
        if path.startswith("/store/"):
            data = self.files[path.removeprefix("/store/").removesuffix(".xml")]
            return (200, data) if query.get("sig", "") == self.signature else (403, {})
        name = path.removeprefix("/v2/fiscalDocuments").strip("/")
        if name.startswith("download/"):
            data = self.files.get(name.removeprefix("download/"), 404)
            return (data, {}) if isinstance(data, int) else (200, data)
        if name:
            return (200, self.details[name]) if name in self.details else (404, {})
        self.offsets.append(int(query.get("offset", 0)))
        if self.before_page is not None:
            self.before_page(self.offsets[-1])
        self.lists += 1
        if self.shape is not None:
            refusal = self.shape.refusal(query, DATES)
            return refusal or self.shape.page(self.select(query), query)
        content, told = page_of(self.select(query), query)
        return 200, {"content": content, "page": told, "links": []}
