"""A seller's server that takes callbacks: what came, and answers of the test's choice."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

_PATIENCE = 30.0


class Received(NamedTuple):
    path: str
    headers: dict[str, str]
    body: Any


class Receiver:
    """`answers` are the statuses of the first requests; every later one is 204."""

    def __init__(self, answers: Sequence[int]) -> None:
        self.received: list[Received] = []
        self._answers = list(answers)
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                headers = {name.lower(): value for name, value in self.headers.items()}
                receiver.received.append(Received(self.path, headers, json.loads(body)))
                self.send_response(receiver._answers.pop(0) if receiver._answers else 204)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self._server.server_port}"

    @property
    def ids(self) -> list[str]:
        """Of the documents that were named, in their order."""
        return [request.body["content"]["id"] for request in self.received]

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def serve(self) -> None:
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()


@contextmanager
def receiving(*answers: int) -> Iterator[Receiver]:
    """A receiver on loopback."""
    receiver = Receiver(answers)
    receiver.serve()
    try:
        yield receiver
    finally:
        receiver.close()


def eventually(condition: Callable[[], bool]) -> bool:
    """Whether it comes true, looked at every few milliseconds."""
    end = time.monotonic() + _PATIENCE
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True
