"""Times of the archive, and what time it is, in the zone of Brasília, by which months begin and end."""

from __future__ import annotations

from datetime import datetime

from confere.archive.clock import from_text, utc_now
from confere.fiscal.periods import BRASILIA


def moment(text: str) -> datetime:
    """A time of the archive in the zone of Brasília."""
    return from_text(text).astimezone(BRASILIA)


def clock() -> datetime:
    """What time it is, in the zone of Brasília."""
    return moment(utc_now())
