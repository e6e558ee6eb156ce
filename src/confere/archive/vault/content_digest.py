"""The SHA-256 that a content is known by."""

from __future__ import annotations

import hashlib


def digest_of(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def digest_head(digest: bytes) -> int:
    """The first eight bytes as SQLite's signed integer: what the index holds."""
    return int.from_bytes(digest[:8], "big", signed=True)
