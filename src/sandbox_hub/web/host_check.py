"""Only requests that call this machine by a name of its own are answered: a page of another origin cannot rebind."""

from __future__ import annotations

import ipaddress

from starlette.types import ASGIApp, Receive, Scope, Send

from sandbox_hub.web.responses import Refusal

_HTTP_PORT = 80  # of a Host header that names none


class OwnNameOnly:
    """Answers 403 unless the one Host header is `localhost` or a loopback address, with the port that listens.

    A browser that was sent here through somebody else's name (DNS rebinding) says that name.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            hosts = [value.decode("latin-1") for name, value in scope["headers"] if name == b"host"]
            listening = scope.get("server")
            port = listening[1] if listening else None
            if len(hosts) != 1 or not names_this_machine(hosts[0], port):
                refusal = Refusal(403, "FORBIDDEN", "O sandbox só responde a localhost e a endereços desta máquina.")
                await refusal.response()(scope, receive, send)
                return
        await self._app(scope, receive, send)


def names_this_machine(host: str, port: int | None) -> bool:
    """Whether a Host header says loopback and the port; `port` None takes any."""
    if host.startswith("["):
        name, bracket, rest = host[1:].partition("]")
        if not bracket or (rest and not rest.startswith(":")):
            return False
        given = rest[1:]
        has_port = bool(rest)
    else:
        name, colon, given = host.partition(":")
        has_port = bool(colon)
    if has_port and not (given.isascii() and given.isdigit() and len(given) <= 5):
        return False
    if port is not None and (int(given) if has_port else _HTTP_PORT) != port:
        return False
    if name.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False
