"""The archive's own time stamps: UTC, ISO 8601, seconds."""

from __future__ import annotations

from datetime import UTC, datetime


def utc_now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def utc_text(moment: datetime) -> str:
    """An aware time as the archive writes it: UTC with milliseconds, so that text sorts as time does."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds")


def from_text(text: str) -> datetime:
    return datetime.fromisoformat(text)
