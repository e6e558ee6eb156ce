"""The day and the month a paper belongs to: the local date as its author wrote it."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

_WRITTEN: Final = re.compile(
    r"(?P<day>\d{4}-\d{2}-\d{2})"
    r"(?:[T ](?P<time>\d{2}:\d{2}(?::\d{2})?)(?:\.\d{1,9})?\s?(?P<zone>[Zz]|[+-]\d{2}:?\d{2})?)?",
    re.ASCII,
)


BRASILIA: Final = ZoneInfo("America/Sao_Paulo")
"""The zone of the hub's sellers, summer time until February 2019 included (Decreto 9.772/2019 ended it).

By the system's time zones, and where it has none (Windows, small containers) by those of the package `tzdata`.
"""


class MonthSpan(NamedTuple):
    """How many records there are, and their first and last month (`YYYY-MM`); None where none tells its day."""

    number: int = 0
    first: str | None = None
    last: str | None = None


def in_brasilia(written: str) -> datetime | None:
    """`written` (ISO 8601) in the zone of Brasília; a time without offset is taken as Brasília's. None if not a time.

    Source: hub specification, section Order (times in UTC); Decreto 9.772/2019 (end of summer time).
    """
    try:
        moment = datetime.fromisoformat(written.strip())
        return (moment if moment.tzinfo is not None else moment.replace(tzinfo=BRASILIA)).astimezone(BRASILIA)
    except (ValueError, OverflowError):
        return None


def local_date(written: str) -> date | None:
    """The day of a time as written: `2026-08-31T23:30:00-04:00` stays on 31 August, as the key's AAMM does.

    A time without offset, or a bare date, is taken as written too. Only a time in UTC as the hub writes it
    (`Z`) names no local day: it is converted to America/Sao_Paulo. None for what is not a date.

    Source: reconciliation rules, definition of a period (`dhEmi` as written; America/Sao_Paulo for times in UTC).
    """
    match = _WRITTEN.fullmatch(written.strip())
    if match is None:
        return None
    try:
        if match["zone"] in ("Z", "z"):
            moment = datetime.fromisoformat(f"{match['day']}T{match['time']}").replace(tzinfo=UTC)
            return moment.astimezone(BRASILIA).date()
        return date.fromisoformat(match["day"])
    except (ValueError, OverflowError):
        return None


def period(written: str) -> str | None:
    """The month of `local_date` as `YYYY-MM`; None for what is not a date.

    Source: reconciliation rules, definition of a period; MOC 7.0 (AAMM of the access key).
    """
    day = local_date(written)
    return None if day is None else f"{day.year:04d}-{day.month:02d}"
