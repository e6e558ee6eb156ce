"""The origin of an address (scheme, host and port), as one text: what a token is given for."""

from __future__ import annotations

import re
from typing import Final

_ADDRESS: Final = re.compile(
    r"(?P<scheme>https?)://(?P<host>\[[0-9a-f:.]+\]|[^\s\x00-\x20\x7f/?#@\\:%\[\]]+)(?::(?P<port>[0-9]{1,5}))?"
    r"(?:/[^\s\x00-\x20\x7f?#@\\]*)?",
    re.IGNORECASE,
)
_USUAL_PORTS: Final = {"http": 80, "https": 443}


def origin_of(address: str) -> str:
    """`https://hub.example` of `https://HUB.example:443/v2`; empty for what is no plain address.

    Two addresses with the same text here are asked at the same place. An address may come from a stranger's archive: it
    is taken apart only where every program would take it apart in the same way.
    """
    match = _ADDRESS.fullmatch(address)
    if match is None:
        return ""
    scheme, host = match["scheme"].lower(), match["host"].lower().rstrip(".")
    port = int(match["port"] or _USUAL_PORTS[scheme])
    if not host or not 0 < port < 65_536:
        return ""
    return f"{scheme}://{host}" if port == _USUAL_PORTS[scheme] else f"{scheme}://{host}:{port}"
