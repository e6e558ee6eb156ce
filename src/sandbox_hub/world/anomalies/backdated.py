"""Cut-off: a note of the first days of a month that says it was issued on the last day of the month before."""

from __future__ import annotations

from datetime import datetime, timedelta, tzinfo

from sandbox_hub.world.timeline import DAY, START

_HOURS = 84  # from midnight
_LATEST = 3_000  # seconds before midnight


def backdated(issued: int, zone: tzinfo, throw: int) -> int | None:
    """The moment within the last hour of the month before; None where `issued` is not of a month's first days."""
    local = datetime.fromtimestamp(issued, zone)
    midnight = local.replace(day=1, hour=0, minute=0, second=0)
    if local - midnight > timedelta(hours=_HOURS) or issued < START + 5 * DAY:
        return None
    return int(midnight.timestamp()) - 1 - throw % _LATEST
