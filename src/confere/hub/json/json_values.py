"""Values out of JSON that may be missing, misnamed or of the wrong type: what cannot be understood is None."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime, timedelta, timezone
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from typing import TypeVar

from confere.fiscal.periods import BRASILIA

T = TypeVar("T")

LONGEST = 2000
_EARLIEST, _LATEST = datetime(1990, 1, 1, tzinfo=UTC), datetime(2200, 1, 1, tzinfo=UTC)
_UNSEEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
_EPOCH = re.compile(r"\d{10}|\d{13}")
_INTEGER = re.compile(r"\s*[+-]?[0-9]{1,15}\s*")
_DECIMAL = re.compile(r"\s*[+-]?[0-9]{1,15}([.][0-9]{1,15})?\s*")
_SPREAD = 15
_ONE = Decimal(1)
_NUMERIC = (int, str, Decimal)


def text(value: object) -> str | None:
    """A string or whole number as text without characters that no store takes; None for anything else or nothing."""
    if isinstance(value, str):
        if len(value) > LONGEST:
            return None
        return (value if value.isprintable() else _UNSEEN.sub("", value)).strip() or None
    if isinstance(value, Decimal):
        value = _whole(value)
    if isinstance(value, int) and not isinstance(value, bool):
        # Python refuses to write numbers of thousands of digits.
        return str(value) if value.bit_length() < 1000 else None
    return None


def number(value: object) -> int | None:
    """A whole number of at most 15 digits, also where it came as text."""
    if isinstance(value, bool):
        return None
    if isinstance(value, str) and _INTEGER.fullmatch(value):
        return int(value)
    if isinstance(value, Decimal):
        value = _whole(value)
    return value if isinstance(value, int) and value.bit_length() <= 50 else None


def cents(value: object) -> int | None:
    """An amount in reais, number or numeric text, as centavos (half a centavo up)."""
    if isinstance(value, bool) or not isinstance(value, _NUMERIC):
        return None
    if isinstance(value, str) and not _DECIMAL.fullmatch(value):
        return None
    if isinstance(value, int):
        return value * 100 if abs(value) < 10 ** (_SPREAD + 1) else None
    try:
        amount = Decimal(value)
        if not amount.is_finite() or amount.adjusted() > _SPREAD:
            return None
        return int((amount * 100).quantize(_ONE, rounding=ROUND_HALF_UP))
    except (InvalidOperation, ValueError):
        return None


def exact(value: object) -> Decimal | None:
    """A quantity, number or numeric text, exactly as it is written; at most 15 digits on either side of the point."""
    if isinstance(value, bool) or not isinstance(value, _NUMERIC):
        return None
    if isinstance(value, str) and not _DECIMAL.fullmatch(value):
        return None
    if isinstance(value, int) and value.bit_length() > 50:
        return None
    found = Decimal(value)
    if not found.is_finite() or found.adjusted() > _SPREAD:
        return None
    exponent = found.as_tuple().exponent
    return found if isinstance(exponent, int) and exponent >= -_SPREAD else None


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
    if not source:
        return None
    for name in names:
        found = _within(source, name) if "." in name else source.get(name)
        if found is not None and (value := convert(found)) is not None:
            return value
    return None


def objects(value: object) -> Iterator[Mapping[str, object]]:
    """The objects of a list; a lone object counts as a list of one, anything else as none."""
    for item in value if isinstance(value, list) else [value]:
        if isinstance(item, dict):
            yield item


def _within(source: Mapping[str, object], path: str) -> object:
    found: object = source
    for step in path.split("."):
        found = found.get(step) if isinstance(found, dict) else None
    return found


def _from_text(value: str) -> datetime | None:
    try:
        parsed = datetime.fromisoformat(value)
        return _sane(parsed if parsed.tzinfo else _of_brasilia(parsed))
    except (ValueError, OverflowError):
        return None


def _of_brasilia(written: datetime) -> datetime:
    """A time without a zone is one of Brasília, with its offset of that day: times are subtracted from one another."""
    offset = written.replace(tzinfo=BRASILIA).utcoffset()
    return written.replace(tzinfo=timezone(offset or timedelta()))


def _sane(parsed: datetime) -> datetime | None:
    return parsed if _EARLIEST <= parsed <= _LATEST else None


def _whole(value: Decimal) -> int | None:
    if not value.is_finite() or abs(value.adjusted()) > _SPREAD or value != value.to_integral_value():
        return None
    return int(value)
