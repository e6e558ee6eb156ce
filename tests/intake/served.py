"""A hub of a test's own, served over HTTP while the test changes it."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Protocol, TypeVar
from urllib.parse import parse_qs, urlsplit

START = datetime.fromisoformat("2026-01-01T00:00:00-03:00")
Answer = tuple[int, Any]
"""A status and a body: bytes are XML, anything else is told as JSON."""


class Hub(Protocol):
    """`address` is set once it is served; `now` is what its answers are dated."""

    address: str
    now: datetime

    def answer(self, method: str, path: str, query: dict[str, str], body: bytes) -> Answer: ...


_Hub = TypeVar("_Hub", bound=Hub)


def page_of(found: list[dict[str, Any]], query: dict[str, str]) -> tuple[list[dict[str, Any]], dict[str, int]]:
    """The items that are asked for, and what the page says of itself."""
    offset, limit = int(query.get("offset", 0)), int(query.get("limit", 5))
    pages = -(-len(found) // limit)
    told = {"size": limit, "totalElements": len(found), "totalPages": pages, "number": offset // limit}
    return found[offset : offset + limit], told


@contextmanager
def serving(hub: _Hub) -> Iterator[_Hub]:
    """The hub at its `address`, on a port of its own."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _answer(self) -> None:
            parts = urlsplit(self.path)
            query = {name: values[0] for name, values in parse_qs(parts.query).items()}
            sent = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            status, value = hub.answer(self.command, parts.path, query, sent)
            is_xml = isinstance(value, bytes)
            body = value if is_xml else json.dumps(value).encode()
            self.send_response_only(status)
            self.send_header("Date", format_datetime(hub.now))
            self.send_header("Content-Type", "application/xml" if is_xml else "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_GET = do_PUT = do_POST = _answer

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
