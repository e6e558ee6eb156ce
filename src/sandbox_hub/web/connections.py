"""The connections under the answers, so that a fault can tear one down as a failing network does."""

from __future__ import annotations

import asyncio
import socket
import struct
import sys
from typing import Any

from starlette.responses import Response
from starlette.types import Receive, Scope, Send
from uvicorn.protocols.http.auto import AutoHTTPProtocol

# Linger for no time: closing then sends a reset. Windows has shorts there, the others ints.
_NO_LINGER = struct.pack("hh" if sys.platform == "win32" else "ii", 1, 0)
_TIME_TO_LEAVE = 0.01  # seconds for what was written to reach the client

Wires = dict[tuple[str, int], asyncio.Transport]


def watching(wires: Wires) -> type[asyncio.Protocol]:
    """The server's HTTP protocol, which keeps the open connections in `wires` by the client's address."""

    class Watching(AutoHTTPProtocol):  # type: ignore[misc,valid-type]
        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            if self.client is not None:
                wires[self.client] = transport

        def connection_lost(self, exc: Exception | None) -> None:
            wires.pop(self.client, None)
            super().connection_lost(exc)

    return Watching


class TornResponse(Response):
    """An answer that ends in a connection reset: `silent` before its first byte, else half way through."""

    def __init__(self, response: Response, wires: Wires, *, silent: bool) -> None:
        super().__init__(bytes(response.body), response.status_code)
        self.raw_headers = list(response.raw_headers)
        self._wires = wires
        self._silent = silent

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002
        if not self._silent:
            await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
            half = bytes(self.body)[: len(self.body) // 2]
            await send({"type": "http.response.body", "body": half, "more_body": True})
            await asyncio.sleep(_TIME_TO_LEAVE)
        wire = self._wires.get(tuple(scope["client"]))
        if wire is not None:
            connection = wire.get_extra_info("socket")
            if connection is not None:
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _NO_LINGER)
            wire.abort()
        await asyncio.sleep(_TIME_TO_LEAVE)  # let the server see that the connection is gone
