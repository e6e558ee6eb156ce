"""How much the archive keeps, as its overview and its check-up both tell it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveCounts:
    """`documents` and `events` are current ones; `raw_bytes` is what the contents had before they were compressed."""

    documents: int
    events: int
    contents: int
    raw_bytes: int
    unreadable: int
