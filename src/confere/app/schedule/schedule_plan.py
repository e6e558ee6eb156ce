"""What the system's scheduler was given: kept in the data folder, beside what the system keeps itself."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from confere.archive.clock import from_text, utc_now
from confere.errors import EnvironmentFault, UsageFault, message
from confere.system import data_folder
from confere.system.files import held_files
from confere.system.files.atomic_file import storage_fault, write_text
from confere.system.files.own_files import read_own
from confere.system.folders import chosen_folder
from confere.system.paths import Home
from confere.system.processes.own_commands import lasting_command
from confere.system.schedulers.schedule import Rhythm as Rhythm
from confere.system.schedulers.schedule import Schedule, ScheduledTask
from confere.system.schedulers.schedule import schedule_of as schedule_of

DEFAULT_AT: Final = "02:30"
_NAME: Final = "confere"
_DESCRIPTION: Final = "Confere: synchronise, verify and reconcile"


@dataclass(frozen=True, slots=True)
class SchedulePlan:
    """`accounts` by name, empty for all; `backups` whether each run makes the usual copies where they are due.

    `since` is when it was put in.
    """

    schedule: Schedule
    accounts: tuple[str, ...] = ()
    backups: bool = False
    since: datetime | None = None


def plan_of(at: str, every: str, accounts: tuple[str, ...] = (), backups: bool = False) -> SchedulePlan:
    """The plan of these words. Raises `UsageFault` for what is no time or no rhythm."""
    try:
        schedule = schedule_of(at, every)
    except ValueError:
        raise UsageFault(message("{at} is not a time of day.", at=at), message("Write it as 02:30.")) from None
    return SchedulePlan(schedule, accounts, backups)


def kept(home: Home) -> SchedulePlan | None:
    """The plan that was put in; None where there is none, or nobody can understand it."""
    try:
        raw = json.loads(read_own(home.schedule, data_folder.SCHEDULE_BYTES))
        names, backups, since = raw.get("accounts", []), raw.get("backup"), raw.get("since")
        return SchedulePlan(
            schedule_of(raw["at"], raw["every"]),
            tuple(name for name in names if isinstance(name, str)),
            bool(backups),
            from_text(since).astimezone() if isinstance(since, str) else None,
        )
    except (OSError, EnvironmentFault, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def keep(home: Home, plan: SchedulePlan) -> None:
    """Write the plan down, as of now. Raises `DiskFull` or `EnvironmentFault`."""
    raw = {
        "at": plan.schedule.at,
        "every": plan.schedule.every.value,
        "accounts": list(plan.accounts),
        "backup": plan.backups,
        "since": utc_now(),
    }
    write_text(home.schedule, json.dumps(raw, indent=2) + "\n", own=True)


def forget(home: Home) -> None:
    """Take the plan away. Raises `EnvironmentFault` where it stays."""
    try:
        held_files.remove(home.schedule)
    except OSError as error:
        raise storage_fault(error, home.schedule) from error


def task_name(home: Home) -> str:
    """What the scheduler calls the task of this data folder; that in the usual place has the plain name."""
    if home.root == chosen_folder.usual_folder().absolute():
        return _NAME
    return f"{_NAME}-{hashlib.sha256(str(home.root).encode()).hexdigest()[:8]}"


def task_of(home: Home, plan: SchedulePlan) -> ScheduledTask:
    """What the scheduler is given. Every option is one word with its value, whatever that begins with."""
    chosen = [f"--account={name}" for name in plan.accounts] or ["--all"]
    copied = ["--backup"] if plan.backups else []
    command = lasting_command("run", f"--home={home.root}", *chosen, *copied)
    return ScheduledTask(
        task_name(home), _DESCRIPTION, tuple(command), plan.schedule, str(home.logs / "unattended.log")
    )
