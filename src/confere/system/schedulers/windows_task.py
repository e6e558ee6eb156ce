"""The XML of a task of Windows. Pure bytes, in UTF-16 as `schtasks /Create /XML` wants them.

Source: [MS-TSCH] 2.5 Tasks.xsd (https://learn.microsoft.com/openspecs/windows_protocols/ms-tsch).
"""

from __future__ import annotations

import re
import subprocess
from datetime import datetime
from typing import Final
from xml.etree import ElementTree

from confere.errors import UsageFault, message
from confere.system.schedulers.schedule import Rhythm, Schedule, ScheduledTask

NAMESPACE: Final = "http://schemas.microsoft.com/windows/2004/02/mit/task"
_WEEKDAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")
_VARIABLE: Final = re.compile("%[^%]+%")
_PRINCIPAL: Final = "Author"
_SETTINGS: Final = (
    ("MultipleInstancesPolicy", "IgnoreNew"),
    ("DisallowStartIfOnBatteries", "false"),
    ("StopIfGoingOnBatteries", "false"),
    ("StartWhenAvailable", "true"),  # what was missed while the machine was off is made up for
    ("RunOnlyIfNetworkAvailable", "true"),
    ("Enabled", "true"),
    ("ExecutionTimeLimit", "PT12H"),
    ("Priority", "7"),  # below what somebody works with
)


def task_xml(task: ScheduledTask, now: datetime) -> bytes:
    """The task as a file; it begins on the day of `now` and runs while its user is logged in.

    Raises `UsageFault` for what no task can hold: a path with `%NAME%` in it, which Windows takes for a variable.
    """
    program, *arguments = task.command
    line = subprocess.list2cmdline(arguments)
    for text in (program, line):
        if _VARIABLE.search(text):
            raise UsageFault(
                message("Windows takes what stands between two percent signs for a variable: {text}", text=text),
                message("Choose a folder without percent signs in its name."),
            )
    root = ElementTree.Element("Task", {"version": "1.2", "xmlns": NAMESPACE})
    _tell(ElementTree.SubElement(root, "RegistrationInfo"), ("Description", task.description))
    trigger = ElementTree.SubElement(ElementTree.SubElement(root, "Triggers"), "CalendarTrigger")
    _put_trigger(trigger, task.schedule, now)
    principal = ElementTree.SubElement(ElementTree.SubElement(root, "Principals"), "Principal", {"id": _PRINCIPAL})
    _tell(principal, ("LogonType", "InteractiveToken"), ("RunLevel", "LeastPrivilege"))
    _tell(ElementTree.SubElement(root, "Settings"), *_SETTINGS)
    actions = ElementTree.SubElement(root, "Actions", {"Context": _PRINCIPAL})
    _tell(ElementTree.SubElement(actions, "Exec"), ("Command", program), ("Arguments", line))
    ElementTree.indent(root)
    text = ElementTree.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-16"?>\r\n{text}\r\n'.encode("utf-16")


def _put_trigger(trigger: ElementTree.Element, schedule: Schedule, now: datetime) -> None:
    """The elements in the order of the schema."""
    hour = 0 if schedule.every is Rhythm.HOUR else schedule.hour
    begins = now.replace(hour=hour, minute=schedule.minute, second=0, microsecond=0, tzinfo=None)
    _tell(trigger, ("Enabled", "true"), ("StartBoundary", begins.isoformat()))
    if schedule.every is Rhythm.HOUR:
        _tell(ElementTree.SubElement(trigger, "Repetition"), ("Interval", "PT1H"), ("Duration", "P1D"))
    if schedule.every is Rhythm.WEEKDAY:
        weekly = ElementTree.SubElement(trigger, "ScheduleByWeek")
        _tell(weekly, ("WeeksInterval", "1"))
        days = ElementTree.SubElement(weekly, "DaysOfWeek")
        for day in _WEEKDAYS:
            ElementTree.SubElement(days, day)
    else:
        _tell(ElementTree.SubElement(trigger, "ScheduleByDay"), ("DaysInterval", "1"))


def _tell(parent: ElementTree.Element, *lines: tuple[str, str]) -> None:
    for name, text in lines:
        ElementTree.SubElement(parent, name).text = text
