"""When something is to run, and what: values that every system's scheduler is told in its own words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

_TIME: Final = re.compile(r"([01]?[0-9]|2[0-3]):([0-5][0-9])", re.ASCII)
_FRIDAY: Final = 4


class Rhythm(StrEnum):
    """How often; `HOUR` is every hour at the minute of the time."""

    DAY = "day"
    HOUR = "hour"
    WEEKDAY = "weekday"  # Monday to Friday


@dataclass(frozen=True, slots=True)
class Schedule:
    """`hour` (0 to 23) and `minute` are of the machine's own time."""

    hour: int
    minute: int
    every: Rhythm = Rhythm.DAY

    @property
    def at(self) -> str:
        """The time as `HH:MM`."""
        return f"{self.hour:02d}:{self.minute:02d}"

    def next_after(self, now: datetime) -> datetime:
        """The first run after `now`, in the zone of `now`."""
        if self.every is Rhythm.HOUR:
            due = now.replace(minute=self.minute, second=0, microsecond=0)
            return due if due > now else due + timedelta(hours=1)
        due = now.replace(hour=self.hour, minute=self.minute, second=0, microsecond=0)
        while due <= now or (self.every is Rhythm.WEEKDAY and due.weekday() > _FRIDAY):
            due += timedelta(days=1)
        return due


def schedule_of(at: str, every: str) -> Schedule:
    """The schedule that `02:30` and `day` mean; `ValueError` for what is no time or no rhythm."""
    match = _TIME.fullmatch(at.strip())
    if match is None:
        raise ValueError(at)
    return Schedule(int(match[1]), int(match[2]), Rhythm(every))


@dataclass(frozen=True, slots=True)
class ScheduledTask:
    """`name` tells tasks of several data folders apart (letters, digits and dashes); `description` is for people.

    `command` is the program with its arguments, each as it is, unquoted. `log` takes what the program prints where the
    system keeps nothing of it itself.
    """

    name: str
    description: str
    command: tuple[str, ...]
    schedule: Schedule
    log: str = ""
