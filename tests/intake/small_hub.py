"""A very small hub over HTTP whose list, filters and files a test can change while it is read."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.archive.papers import cancellation, key, note

START = datetime.fromisoformat("2026-01-01T00:00:00-03:00")


@dataclass
class SmallHub:
    """`dates` says what it makes of date filters: honours them, ignores them, or misreads them and finds nothing."""

    documents: list[dict[str, Any]] = field(default_factory=list)
    files: dict[str, bytes | int] = field(default_factory=dict)
    details: dict[str, dict[str, Any]] = field(default_factory=dict)
    dates: str = "honours"
    zone: timedelta = timedelta(0)  # how far its comparison of dates is off
    now: datetime = START + timedelta(days=100)
    asked: list[str] = field(default_factory=list)
    before_page: Callable[[int], None] | None = None
    address: str = ""

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
                edge = datetime.fromisoformat(query[name]) + self.zone
                found = [d for d in found if (datetime.fromisoformat(d[column]) - edge).total_seconds() * keep >= 0]
        return found

    def answer(self, path: str, query: dict[str, str]) -> tuple[int, bytes, str]:
        self.asked.append(path)
        name = path.removeprefix("/v2/fiscalDocuments").strip("/")
        if name.startswith("download/"):
            data = self.files.get(name.removeprefix("download/"), 404)
            return (data, b"{}", "application/json") if isinstance(data, int) else (200, data, "application/xml")
        if name:
            record = self.details.get(name)
            return (
                (200, json.dumps(record).encode(), "application/json") if record else (404, b"{}", "application/json")
            )
        offset, limit = int(query.get("offset", 0)), int(query.get("limit", 5))
        if self.before_page is not None:
            self.before_page(offset)
        found = self.select(query)
        page = {
            "size": limit,
            "totalElements": len(found),
            "totalPages": -(-len(found) // limit),
            "number": offset // limit,
        }
        content = found[offset : offset + limit]
        return 200, json.dumps({"content": content, "page": page, "links": []}).encode(), "application/json"


@contextmanager
def serving(hub: SmallHub) -> Iterator[SmallHub]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            query = {name: values[0] for name, values in parse_qs(parts.query).items()}
            status, body, kind = hub.answer(parts.path, query)
            self.send_response_only(status)
            self.send_header("Date", format_datetime(hub.now))
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Keep quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    hub.address = f"http://127.0.0.1:{server.server_address[1]}/v2"
    try:
        yield hub
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
