"""The panel of the embedded sandbox: beside the hub's interfaces, on this machine alone, and without any token."""

from __future__ import annotations

import json
import logging
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import httpx

from confere.errors import HubAddressRefused, HubUnreachable, message
from confere.hub.address import is_loopback
from confere.hub.http.transport import client

_HEADER = {"X-Sandbox-Control": "1"}
_SECONDS = 5.0
_LARGEST = 200_000
_PEM = b"-----BEGIN CERTIFICATE-----"
_log = logging.getLogger(__name__)


class PanelAnswer(NamedTuple):
    """What a panel answered; `content` is its JSON, None where it is none."""

    status: int
    content: Any


def call_panel(address: str, method: str, path: str, body: Any = None) -> PanelAnswer:
    """A request to the panel at `address` (the sandbox's, or that of the middleware beside it), sent once.

    Raises `HubAddressRefused` for another machine, `HubUnreachable` where nothing answers.
    """
    if not is_loopback(urlsplit(address).hostname or ""):
        raise HubAddressRefused(
            message("A sandbox's panel is on this machine alone, not at {address}.", address=address)
        )
    content = None if body is None else json.dumps(body, ensure_ascii=False).encode()
    try:
        with client(connections=1, timeout=httpx.Timeout(_SECONDS)) as panel:
            answer = panel.request(method, address + path, content=content, headers=_HEADER)
    except httpx.HTTPError as error:
        raise HubUnreachable(
            message("The sandbox's panel does not answer: {why}.", why=type(error).__name__)
        ) from error
    try:
        return PanelAnswer(answer.status_code, json.loads(answer.content) if answer.content else None)
    except ValueError:
        return PanelAnswer(answer.status_code, None)


def trusted_roots(address: str) -> bytes | None:
    """The certificates (PEM) in which the sandbox's papers end; None where there is no sandbox at this address.

    Only loopback is asked: what another machine calls a sandbox says nothing about whom to trust.
    """
    parts = urlsplit(address)
    if not is_loopback(parts.hostname or ""):
        return None
    try:
        with (
            client(connections=1, timeout=httpx.Timeout(_SECONDS)) as panel,
            panel.stream("GET", f"{parts.scheme}://{parts.netloc}/sandbox/roots", headers=_HEADER) as answer,
        ):
            data = b""
            for part in answer.iter_bytes():
                data += part
                if len(data) > _LARGEST:
                    return None
    except httpx.HTTPError as error:
        _log.info("the sandbox's panel does not answer: %s", type(error).__name__)
        return None
    return data if answer.status_code == httpx.codes.OK and data.lstrip().startswith(_PEM) else None
