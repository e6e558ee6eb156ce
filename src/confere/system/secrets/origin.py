"""The origin of an address (scheme, host and port), as one text: what a token is given for."""

from __future__ import annotations

import ipaddress
import re
from typing import Final
from urllib.parse import urlsplit

_ADDRESS: Final = re.compile(
    r"(?P<scheme>https?)://(?P<host>\[[0-9a-f:.]+\]|[^\s\x00-\x20\x7f/?#@\\:%\[\]]+)(?::(?P<port>[0-9]{1,5}))?"
    r"(?:/[^\s\x00-\x20\x7f?#@\\]*)?",
    re.IGNORECASE,
)
_USUAL_PORTS: Final = {"http": 80, "https": 443}


def origin_of(address: str) -> str:
    """`https://hub.example` of `https://HUB.example:443/v2`; empty for what is no plain address.

    Two addresses with the same text here are asked at the same place. An address may come from a stranger's archive: it
    is taken apart only where every program would take it apart in the same way. A name with letters beyond ASCII is
    none: it is asked for in its ASCII form (`xn--…`).
    """
    match = _ADDRESS.fullmatch(address) if address.isascii() else None
    if match is None:
        return ""
    scheme, host = match["scheme"].lower(), match["host"].lower().rstrip(".")
    port = int(match["port"] or _USUAL_PORTS[scheme])
    if not host or not 0 < port < 65_536:
        return ""
    return f"{scheme}://{host}" if port == _USUAL_PORTS[scheme] else f"{scheme}://{host}:{port}"


def is_loopback(host: str) -> bool:
    """Whether `host` is this machine: `localhost`, 127.0.0.0/8 or ::1. Other spellings of them do not count."""
    if host.lower() == "localhost":
        return True
    try:
        parsed = ipaddress.ip_address(host)
    except ValueError:
        return False
    if isinstance(parsed, ipaddress.IPv4Address):
        return parsed.is_loopback
    return parsed == ipaddress.IPv6Address(1)


def is_here(origin: str) -> bool:
    """Whether an origin, as `origin_of` writes it, is on this machine."""
    try:
        return is_loopback(urlsplit(origin).hostname or "")
    except ValueError:  # brackets around what is no IPv6 address
        return False
