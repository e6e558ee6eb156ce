"""Values out of JSON that may be missing, misnamed or of the wrong type: what cannot be understood is None."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime, timedelta, timezone
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from typing import TypeVar

T = TypeVar("T")

LONGEST = 2000
# A time without a zone is one of Brasília (no daylight saving since 2019).
_BRASILIA = timezone(timedelta(hours=-3))
_EARLIEST, _LATEST = datetime(1990, 1, 1, tzinfo=UTC), datetime(2200, 1, 1, tzinfo=UTC)
_UNSEEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
_EPOCH = re.compile(r"\d{10}|\d{13}")
_SPREAD = 15


def text(value: object) -> str | None:
    """A string or whole number as text without characters that no store takes; None for anything else or nothing."""
    if isinstance(value, bool):
        return None
    if isinstance(value, Decimal):
        value = _whole(value)
    if isinstance(value, int):
        # Python refuses to write numbers of thousands of digits.
        return str(value) if value.bit_length() < 1000 else None
    if not isinstance(value, str) or len(value) > LONGEST:
        return None
    return _UNSEEN.sub("", value).strip() or None


def number(value: object) -> int | None:
    """A whole number of at most 15 digits, also where it came as text."""
    if isinstance(value, bool):
        return None
    if isinstance(value, str) and re.fullmatch(r"\s*[+-]?[0-9]{1,15}\s*", value):
        return int(value)
    if isinstance(value, Decimal):
        value = _whole(value)
    return value if isinstance(value, int) and value.bit_length() <= 50 else None


def cents(value: object) -> int | None:
    """An amount in reais, number or numeric text, as centavos (half a centavo up)."""
    if isinstance(value, bool) or not isinstance(value, int | str | Decimal):
        return None
    if isinstance(value, str) and not re.fullmatch(r"\s*[+-]?[0-9]{1,15}([.][0-9]{1,15})?\s*", value):
        return None
    if isinstance(value, int) and value.bit_length() > 60:
        return None
    try:
        amount = Decimal(value)
        if not amount.is_finite() or amount.adjusted() > _SPREAD:
            return None
        return int((amount * 100).quantize(Decimal(1), rounding=ROUND_HALF_UP))
    except (InvalidOperation, ValueError):
        return None


def moment(value: object) -> datetime | None:
    """A point in time, always with a zone: ISO 8601 with or without fraction and zone, a date, seconds or
    milliseconds since 1970. What no calendar of this matter can hold (year 1, year 9999) is None."""
    if isinstance(value, str):
        value = value.strip()
        if not _EPOCH.fullmatch(value):
            return _from_text(value)
        value = int(value)
    whole = number(value)
    if whole is None:
        return None
    seconds = whole / 1000 if abs(whole) > 100_000_000_000 else whole
    try:
        return _sane(datetime.fromtimestamp(seconds, UTC))
    except (ValueError, OverflowError, OSError):
        return None


def pick(source: Mapping[str, object], convert: Callable[[object], T | None], *names: str) -> T | None:
    """What `convert` makes of the first of `names` that it understands; `a.b` looks inside an object."""
    for name in names:
        found: object = source
        for step in name.split("."):
            found = found.get(step) if isinstance(found, dict) else None
        if found is not None and (value := convert(found)) is not None:
            return value
    return None


def objects(value: object) -> Iterator[Mapping[str, object]]:
    """The objects of a list; a lone object counts as a list of one, anything else as none."""
    for item in value if isinstance(value, list) else [value]:
        if isinstance(item, dict):
            yield item


def _from_text(value: str) -> datetime | None:
    try:
        parsed = datetime.fromisoformat(value)
        return _sane(parsed if parsed.tzinfo else parsed.replace(tzinfo=_BRASILIA))
    except (ValueError, OverflowError):
        return None


def _sane(parsed: datetime) -> datetime | None:
    return parsed if _EARLIEST <= parsed <= _LATEST else None


def _whole(value: Decimal) -> int | None:
    if not value.is_finite() or abs(value.adjusted()) > _SPREAD or value != value.to_integral_value():
        return None
    return int(value)
