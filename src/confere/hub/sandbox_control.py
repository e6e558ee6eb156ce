"""The panel of the embedded sandbox: beside the hub's interfaces, on this machine alone, and without any token."""

from __future__ import annotations

import logging
from urllib.parse import urlsplit

import httpx

from confere.hub.address import is_loopback
from confere.hub.http.transport import client

_HEADER = {"X-Sandbox-Control": "1"}
_SECONDS = 5.0
_LARGEST = 200_000
_PEM = b"-----BEGIN CERTIFICATE-----"
_log = logging.getLogger(__name__)


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
