"""Times as papers write them, as the span of instants that each can mean."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import Final

# Before layout 3.10 times have no zone. Brazil's clocks stand between UTC-5 and UTC-2 (Noronha, or summer time).
_EARLIEST: Final = timezone(timedelta(hours=-2))
_LATEST: Final = timezone(timedelta(hours=-5))
_DAY: Final = timedelta(days=1) - timedelta(seconds=1)

Span = tuple[datetime, datetime]


def span(text: str | None) -> Span | None:
    """The first and last instant (UTC) that `text` can mean; None where it is not a time.

    A time with its zone means one instant; without a zone any of the country's; a day alone, all of that day.

    Source: MOC 7.0 (`dhEmi` with its zone since layout 3.10, `dEmi` and times without one before).
    """
    if not text:
        return None
    try:
        written = datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    try:
        if written.tzinfo is not None:
            written = written.astimezone(UTC)
            return written, written
        last = written + _DAY if len(text.strip()) <= 10 else written
        return written.replace(tzinfo=_EARLIEST).astimezone(UTC), last.replace(tzinfo=_LATEST).astimezone(UTC)
    except OverflowError:
        return None


def overlaps(when: Span, first: datetime, last: datetime) -> bool:
    """Whether any instant of `when` lies between `first` and `last`.

    Source: RFC 5280, section 4.1.2.5 (validity of a certificate).
    """
    return when[0] <= last and when[1] >= first
