"""A hub played again from a recorder's file: lists, details, files, orders and refusals, by path and query."""

from __future__ import annotations

import base64
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tests.intake.served import Answer

_LISTS = ("/fiscalDocuments", "/orders", "/orders/feeds", "/returns")
_CONTENT = ("content", "items", "data", "results")


class ReplayedHub:
    """Answers what was asked while recording as it was answered then.

    Another page of a list is put together of everything that the file's pages of it show; its dates are ignored.
    """

    def __init__(self, file: Path) -> None:
        self.recording: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        self.address = ""
        self.now = datetime.now(UTC)
        self.asked: list[str] = []
        self._exact = {
            (entry["path"], tuple(sorted(entry["query"].items()))): entry for entry in self.recording["answers"]
        }
        self._lists = {path: self._pages(path) for path in _LISTS}

    def answer(self, method: str, path: str, query: dict[str, str], body: bytes) -> Answer:
        name = path.removeprefix("/v2")
        self.asked.append(name)
        if method != "GET":
            return 405, {}
        pages = self._lists.get(name)
        if pages:
            return 200, self._page(pages, query)
        entry = self._exact.get((name, tuple(sorted(query.items()))))
        return (404, {"message": "not in the recording"}) if entry is None else (entry["status"], self._body(entry))

    def _body(self, entry: dict[str, Any]) -> Any:
        if "base64" in entry:
            return base64.b64decode(entry["base64"])
        text = entry.get("body", "").replace("{base}", self.address).replace("{origin}", self.address[:-3])
        return text.encode()

    def _pages(self, path: str) -> list[Any]:
        return [
            json.loads(entry["body"])
            for entry in self.recording["answers"]
            if entry["path"] == path and entry["status"] == 200 and "body" in entry
        ]

    def _page(self, pages: list[Any], query: dict[str, str]) -> Any:
        every: dict[str, Any] = {}
        for page in pages:
            for record in _records(page):
                # The same record may look otherwise in another page.
                every.setdefault(str(record.get("id") or json.dumps(record, sort_keys=True)), record)
        found = list(every.values())
        offset, limit = int(query.get("offset", 0)), int(query.get("limit", 5))
        part = found[offset : offset + limit]
        if isinstance(pages[0], list):
            return part
        told = dict(pages[0])
        told[next(name for name in _CONTENT if name in told)] = part
        if isinstance(told.get("page"), dict):
            figures = {
                "size": limit,
                "totalElements": len(found),
                "totalPages": -(-len(found) // limit),
                "number": offset // limit,
            }
            told["page"] = {name: figures.get(name, value) for name, value in told["page"].items()}
        return {**told, "links": []}


def _records(page: Any) -> list[Any]:
    if isinstance(page, list):
        return page
    return next((page[name] for name in _CONTENT if isinstance(page.get(name), list)), [])
