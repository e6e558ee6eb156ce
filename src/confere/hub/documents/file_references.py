"""What a hub calls a file: the id to download it by, or the full address of a storage where it lies.

An address is signed anew each time it is given, and a storage may answer at another port tomorrow, so its name is the
address without what changes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import SplitResult, parse_qsl, unquote, urlencode, urlsplit

from confere.hub.json.json_values import text

LONGEST_ADDRESS = 8000
_DOWNLOAD = re.compile(r"/download/([^/?#]+)/?$")
_OF_HUB = re.compile(r"/fiscalDocuments/download/[^/?#]+/?$", re.IGNORECASE)
_SIGNATURE = re.compile(
    r"x-(?:amz|goog|oss|cos)-.*|signature|expires?|exp|key-pair-id|policy|googleaccessid|awsaccesskeyid|ticket"
    r"|sig|se|sp|sv|sr|st|spr|ske|skt|skv|skoid|sktid|sks|hmac|auth|authorization|access_?token|jwt|ts|nonce",
    re.IGNORECASE,
)
# A last segment that no other file shares: a key, a UUID, a digest.
_UNIQUE = re.compile(r"/(?=[^/]*\d)[^/]*[0-9A-Za-z-]{24,}[^/]*$")
_UNPRINTED = re.compile(r"[\x00-\x20\x7f\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class FileName:
    """`item_id` is the same whenever the file is named; `address` where it lies, None for the hub's own download."""

    item_id: str
    address: str | None = None


def named(value: str | None, *, only_downloads: bool = False) -> FileName | None:
    """What a text names: a full address, the id at the end of a download's path, or a bare id.

    `only_downloads` takes addresses and `…/download/ID` alone. None where it names nothing.
    """
    if not value:
        return None
    bare = value.strip() if len(value) <= LONGEST_ADDRESS else ""
    try:
        parts = urlsplit(bare)
        is_address = parts.scheme.lower() in ("http", "https") and bool(parts.hostname)
    except ValueError:
        return None
    if is_address and not _OF_HUB.search(parts.path):
        return _stored(bare, parts)
    path = text(parts.path)
    if path is None:
        return None
    download = _DOWNLOAD.search(path)
    if download:
        return _of_id(download[1])
    return None if only_downloads else _of_id(path.rstrip("/").rpartition("/")[2])


def _of_id(quoted: str) -> FileName | None:
    item_id = text(unquote(quoted))
    return None if item_id is None else FileName(item_id)


def _stored(address: str, parts: SplitResult) -> FileName | None:
    if _UNPRINTED.search(address):
        return None
    host = parts.hostname or ""
    host = f"[{host}]" if ":" in host else host  # IPv6
    name = f"{parts.scheme.lower()}://{host}{parts.path}"
    if not _UNIQUE.search(parts.path) and parts.query:
        try:
            pairs = parse_qsl(parts.query, keep_blank_values=True, max_num_fields=50)
        except ValueError:
            pairs = []
        kept = sorted(pair for pair in pairs if not _SIGNATURE.fullmatch(pair[0]))
        if kept:
            name = f"{name}?{urlencode(kept, errors='replace')}"
    return FileName(name, address)
