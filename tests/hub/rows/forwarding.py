"""A server between the client and a hub that writes down what the client really sent."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple

import httpx

from tests.loopback import LOOPBACK

_NOT_HANDED_ON = {"host", "connection", "content-length", "transfer-encoding", "content-encoding", "date", "server"}


class Sent(NamedTuple):
    """A request of the client's; the names of headers in lower case."""

    method: str
    path: str
    headers: dict[str, str]


@contextmanager
def forwarding(root: str) -> Iterator[tuple[str, list[Sent]]]:
    """Its own root, and every request that was handed on to the hub at `root`."""
    sent: list[Sent] = []
    with httpx.Client(**LOOPBACK) as http:

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def _hand_on(self) -> None:
                headers = {name.lower(): value for name, value in self.headers.items()}
                sent.append(Sent(self.command, self.path, headers))
                body = self.rfile.read(int(headers.get("content-length", 0)))
                kept = {name: value for name, value in headers.items() if name not in _NOT_HANDED_ON}
                answer = http.request(self.command, root + self.path, headers=kept, content=body)
                self.send_response(answer.status_code)
                for name, value in answer.headers.items():
                    if name not in _NOT_HANDED_ON:
                        self.send_header(name, value)
                self.send_header("Content-Length", str(len(answer.content)))
                self.end_headers()
                self.wfile.write(answer.content)

            do_GET = do_PUT = do_POST = _hand_on

            def log_message(self, *_: object) -> None:
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}", sent
        finally:
            server.shutdown()
            server.server_close()
            thread.join()
