"""The HTTP server that takes notifications: one small request a connection, answered at once, and nothing served.

Everything that comes is hostile until proven otherwise: connections, their lifetime and the size of what they send have
bounds. A notification that could be followed is answered 202 whether its document exists or not.
"""

from __future__ import annotations

import asyncio
import errno
import secrets
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

import uvicorn
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from confere.app.listening.inbox import Inbox
from confere.app.listening.notification import MOST_BYTES, NotificationRefused, RefusedBecause, document_id
from confere.errors import EnvironmentFault, Message, message
from confere.system.files import system_words

BODY_SECONDS: Final = 5.0
CONNECTION_SECONDS: Final = 10.0  # of a connection in all, whatever it sends or does not
MOST_CONNECTIONS: Final = 128
_AT_ONCE: Final = 32  # connections that are accepted before those that came earlier are heard
_START_SECONDS: Final = 30.0
_STATUS: Final = {
    RefusedBecause.ELSEWHERE: 404,
    RefusedBecause.TOO_LARGE: 413,
    RefusedBecause.TOO_SLOW: 408,
    RefusedBecause.MALFORMED: 400,
    RefusedBecause.OTHER_TYPE: 422,
    RefusedBecause.TOO_MANY: 429,
}


class Receiver:
    """The ASGI application: `path` is where notifications are taken."""

    def __init__(self, inbox: Inbox, path: str, body_seconds: float) -> None:
        self._inbox = inbox
        self._path = path.encode()
        self._body_seconds = body_seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            status = await self._status(Request(scope, receive))
        except ClientDisconnect:
            self._inbox.refuse(RefusedBecause.TOO_SLOW)
            return
        # One request a connection: what a stranger holds open is held for seconds.
        headers = {"connection": "close"} | ({"retry-after": "5"} if status == _STATUS[RefusedBecause.TOO_MANY] else {})
        await Response(status_code=status, headers=headers)(scope, receive, send)

    async def _status(self, request: Request) -> int:
        try:
            # Compared in constant time: the path may be the only secret between a hub and its listener.
            is_here = secrets.compare_digest(request.scope["path"].encode(), self._path)
            if not is_here or request.method != "POST":
                raise NotificationRefused(RefusedBecause.ELSEWHERE)
            hub_id = document_id(await self._body(request))
        except NotificationRefused as refused:
            self._inbox.refuse(refused.why)
            return _STATUS[refused.why]
        return 202 if self._inbox.offer(hub_id) else _STATUS[RefusedBecause.TOO_MANY]

    async def _body(self, request: Request) -> bytes:
        length = request.headers.get("content-length", "")
        if length.isdecimal() and int(length[:20]) > MOST_BYTES:
            raise NotificationRefused(RefusedBecause.TOO_LARGE)
        body = bytearray()
        try:
            async with asyncio.timeout(self._body_seconds):
                async for chunk in request.stream():
                    body += chunk
                    if len(body) > MOST_BYTES:
                        raise NotificationRefused(RefusedBecause.TOO_LARGE)
        except TimeoutError:
            raise NotificationRefused(RefusedBecause.TOO_SLOW) from None
        return bytes(body)


@contextmanager
def serving(inbox: Inbox, host: str, port: int, path: str) -> Iterator[str]:
    """Take notifications inside the block, in a thread of its own; gives where, as `http://HOST:PORT`.

    Port 0 takes a free one. Raises `EnvironmentFault` where nothing can listen there.
    """
    listener = _listener(host, port)
    config = uvicorn.Config(
        Receiver(inbox, path, BODY_SECONDS),
        http=_bounded(inbox),
        ws="none",
        lifespan="off",
        log_config=None,
        log_level="critical",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=1,
        backlog=_AT_ONCE,
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(
        target=lambda: asyncio.run(server.serve(sockets=[listener])), name="notifications", daemon=True
    )
    thread.start()
    try:
        _wait_until(lambda: server.started, thread)
        shown = f"[{host}]" if ":" in host else host
        yield f"http://{shown}:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(_START_SECONDS)
        listener.close()


def _wait_until(started: Callable[[], bool], thread: threading.Thread) -> None:
    waited = 0.0
    while not started():
        thread.join(0.01)
        waited += 0.01
        if not thread.is_alive() or waited > _START_SECONDS:
            raise EnvironmentFault(message("The server for notifications did not start."))


def _listener(host: str, port: int) -> socket.socket:
    try:
        listener = socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except (OSError, UnicodeError) as error:
        raise EnvironmentFault(
            message("Nothing can listen on {host} port {port}: {why}.", host=host, port=port, why=_why(error)),
            message("Choose another port with --port, or another address of this machine with --host."),
        ) from error
    listener.setblocking(False)
    return listener


def _why(error: OSError | UnicodeError) -> Message:
    # `create_server` raises the resolver's error again as one of its own.
    if isinstance(error, UnicodeError) or isinstance(error.__context__, socket.gaierror):
        return message("this is not an address")
    # Windows refuses a port that another program has to itself as it refuses one that takes more rights.
    if error.errno == errno.EADDRINUSE or (error.errno == errno.EACCES and sys.platform == "win32"):
        return message("the port is in use")
    if error.errno == errno.EACCES:
        return message("ports below 1024 take an administrator's rights")
    return system_words.why(error)


def _bounded(inbox: Inbox) -> type[asyncio.Protocol]:
    """The server's HTTP protocol with a bound on connections and on the life of each.

    Where there are too many, the one that has been there longest goes: whoever only holds a connection open keeps
    nobody out, and a notification is through within moments. Of h11, since it bounds the headers too.
    """
    alive: dict[Any, None] = {}  # by their age

    class BoundedConnection(H11Protocol):
        _deadline: asyncio.TimerHandle | None = None

        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            if len(alive) >= MOST_CONNECTIONS:
                oldest = next(iter(alive))
                del alive[oldest]
                inbox.refuse(RefusedBecause.TOO_MANY)
                oldest.transport.abort()
            alive[self] = None
            self._deadline = asyncio.get_running_loop().call_later(CONNECTION_SECONDS, transport.abort)

        def connection_lost(self, exc: Exception | None) -> None:
            alive.pop(self, None)
            if self._deadline is not None:
                self._deadline.cancel()
            super().connection_lost(exc)

    return BoundedConnection
