"""Where the sandbox listens: one origin for both environments, or one for each."""

from __future__ import annotations

import contextlib
import errno
import socket
import sys
from collections.abc import Sequence
from typing import NamedTuple

from sandbox_hub.errors import SandboxError
from sandbox_hub.options import SandboxOptions

_BACKLOG = 256


class Origin(NamedTuple):
    """Its address without a path, its open sockets, and the names of the environments that answer there."""

    root: str
    sockets: list[socket.socket]
    environments: tuple[str, ...]


def open_origins(options: SandboxOptions) -> list[Origin]:
    """Listen for the environments that are served. Raises SandboxError where a port is in use."""
    if options.environment is None:
        return [_origin(options.host, options.port, options.served)]
    origins: list[Origin] = []
    try:
        for name in options.served:
            first = not origins
            port = options.port if first else options.production_port
            origins.append(_origin(options.host, port, (name,)))
    except SandboxError:
        for origin in origins:
            for listener in origin.sockets:
                listener.close()
        raise
    return origins


def open_other_origin(host: str) -> Origin:
    """One for something beside the hub, on a free port."""
    return _origin(host, 0, ())


def _origin(host: str, port: int, environments: Sequence[str]) -> Origin:
    sockets = _bind(host, port)
    return Origin(_root(host, sockets), sockets, tuple(environments))


def _root(host: str, sockets: Sequence[socket.socket]) -> str:
    name = f"[{host}]" if ":" in host else host
    return f"http://{name}:{sockets[0].getsockname()[1]}"


def _bind(host: str, port: int) -> list[socket.socket]:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Named as TCP: the event loop turns Nagle's delay off only where it knows, and each answer would wait 40 ms.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if sys.platform != "win32":  # there it would let two programs share the port
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(_BACKLOG)
    except (OSError, OverflowError) as error:
        listener.close()
        in_use = isinstance(error, OSError) and error.errno in (errno.EADDRINUSE, errno.EACCES)
        why = "it is in use" if in_use else str(error)
        raise SandboxError(f"The sandbox cannot listen on {host} port {port}: {why}. Choose another port.") from error
    listener.setblocking(False)
    return [listener]


def bind_localhost() -> list[socket.socket]:
    """Both meanings of localhost where there are both: a client may try either first."""
    sockets = _bind("127.0.0.1", 0)
    with contextlib.suppress(SandboxError):
        sockets += _bind("::1", sockets[0].getsockname()[1])
    return sockets
