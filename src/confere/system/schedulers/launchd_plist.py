"""The property list of a launch agent. Pure bytes. Source: launchd.plist(5)."""

from __future__ import annotations

import plistlib
from typing import Final

from confere.system.schedulers.schedule import Rhythm, Schedule, ScheduledTask

_LABEL: Final = "io.github.confere."
_MONDAY_TO_FRIDAY: Final = range(1, 6)  # launchd's Sunday is 0


def label(name: str) -> str:
    """What launchd calls the task."""
    return f"{_LABEL}{name}"


def plist(task: ScheduledTask) -> bytes:
    """The file; a run that was missed while the machine slept is made up for when it wakes."""
    kept = {"StandardOutPath": task.log, "StandardErrorPath": task.log} if task.log else {}
    return plistlib.dumps(
        {
            "Label": label(task.name),
            "ProgramArguments": list(task.command),
            "StartCalendarInterval": calendar(task.schedule),
            "ProcessType": "Background",
            "LowPriorityIO": True,
            "ExitTimeOut": 300,
            **kept,
        },
        sort_keys=False,
    )


def calendar(schedule: Schedule) -> dict[str, int] | list[dict[str, int]]:
    """The value of `StartCalendarInterval`: what is left out stands for every one."""
    if schedule.every is Rhythm.HOUR:
        return {"Minute": schedule.minute}
    at = {"Hour": schedule.hour, "Minute": schedule.minute}
    return at if schedule.every is Rhythm.DAY else [{**at, "Weekday": day} for day in _MONDAY_TO_FRIDAY]
