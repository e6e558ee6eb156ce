"""A listener on loopback that keeps every connection and every byte: what a stranger would get to see."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

_ANSWER = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}"


class RecordingListener:
    """`address` is that of a hub; `connections` has what came over each, in the order in which they began."""

    def __init__(self, server: socket.socket) -> None:
        self._server = server
        self.port = int(server.getsockname()[1])
        self.connections: list[bytes] = []

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def address(self) -> str:
        return f"{self.origin}/v2"

    @property
    def everything(self) -> bytes:
        return b"".join(self.connections)

    def serve(self) -> None:
        """Take connections until the socket is closed."""
        while True:
            try:
                connection, _ = self._server.accept()
            except OSError:
                return
            self.connections.append(b"")
            place = len(self.connections) - 1
            with connection, suppress(OSError):
                connection.settimeout(2)
                self.connections[place] += connection.recv(65_536)
                connection.sendall(_ANSWER)


@contextmanager
def recording_listener() -> Iterator[RecordingListener]:
    """A listener at a port of its own."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        listener = RecordingListener(server)
        thread = threading.Thread(target=listener.serve, daemon=True)
        thread.start()
        yield listener
        with suppress(OSError):
            server.shutdown(socket.SHUT_RDWR)
    thread.join(5)
