"""Times in headers: Retry-After, in seconds or as an HTTP date (RFC 9110, 10.2.3), and the hub's own Date."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

LONGEST = 120.0


def retry_after(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """Seconds to wait, at most `LONGEST`; None where the header is absent, makes no sense or lies in the past.

    A date is held against the answer's own Date, so that this machine's clock may be wrong.
    """
    text = headers.get("retry-after", "").strip()
    if not text:
        return None
    try:
        seconds = float(text) if text.replace(".", "", 1).isdigit() and text.isascii() else _until(text, headers, now)
    except (ValueError, TypeError, OverflowError):
        return None
    return min(seconds, LONGEST) if seconds > 0 else None


def date_of(headers: Mapping[str, str]) -> datetime | None:
    """The answer's own Date, or None where it has none or one that makes no sense."""
    try:
        return _aware(parsedate_to_datetime(headers["date"]))
    except (KeyError, ValueError, TypeError):
        return None


def _until(text: str, headers: Mapping[str, str], now: datetime | None) -> float:
    moment = _aware(parsedate_to_datetime(text))
    return (moment - (now or date_of(headers) or datetime.now(UTC))).total_seconds()


def _aware(moment: datetime) -> datetime:
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
