"""The scheduler of this system: a task is put in, taken out and looked at, whichever system it is."""

from __future__ import annotations

import logging
import os
import sys
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, Protocol

from confere.errors import EnvironmentFault, Message, message
from confere.system.files import held_files
from confere.system.files.atomic_file import storage_fault, write_bytes
from confere.system.redaction import redact
from confere.system.schedulers import launchd_plist, programs, systemd_units, windows_task
from confere.system.schedulers.programs import ProgramResult
from confere.system.schedulers.schedule import Rhythm, Schedule, ScheduledTask

_log = logging.getLogger(__name__)

SYSTEMD: Final = "systemd"
LAUNCHD: Final = "launchd"
WINDOWS: Final = "task-scheduler"
_ENABLED: Final = ("enabled", "enabled-runtime")


@dataclass(frozen=True, slots=True)
class InstalledTask:
    """What became of a task that was put in. `files` were written; `problem` says why it is not active, and what to
    do; `note` what is worth knowing though it is."""

    files: tuple[Path, ...] = ()
    problem: Message | None = None
    note: Message | None = None


@dataclass(frozen=True, slots=True)
class TaskState:
    """`present`: the system has it written down. `active`: it will start it, None where nobody can tell.

    `next_run` is what the system itself says, None where it says nothing.
    """

    present: bool
    active: bool | None = None
    next_run: datetime | None = None


class Scheduler(Protocol):
    """One system's."""

    kind: str

    def install(self, task: ScheduledTask) -> InstalledTask:
        """Put the task in, in the place of one of its name. Raises `EnvironmentFault` where nothing is in then."""

    def remove(self, name: str) -> bool:
        """Take it out; whether it was there. Raises `EnvironmentFault` where it stays."""

    def state(self, name: str) -> TaskState:
        """How it stands now."""


class SystemdScheduler:
    """A service and a timer of the user's own systemd."""

    kind = SYSTEMD

    def __init__(self, folder: Path | None = None) -> None:
        """`folder` holds the user's units; None for where systemd looks for them."""
        self._folder = folder or _config_home() / "systemd" / "user"

    def install(self, task: ScheduledTask) -> InstalledTask:
        files = self._files(task.name)
        for path, text in zip(files, (systemd_units.service(task), systemd_units.timer(task)), strict=True):
            _write(path, text.encode("utf-8", "surrogateescape"))
        timer = files[1].name
        steps = (("daemon-reload",), ("enable", timer), ("restart", timer))
        for step in steps:
            done = programs.call("systemctl", "--user", *step)
            if done is None or done.code:
                return InstalledTask(files, _not_enabled(files, done, _cron_line(task)))
        return InstalledTask(
            files,
            note=message("It runs while you are logged in; `loginctl enable-linger` makes it run without that too."),
        )

    def remove(self, name: str) -> bool:
        files = self._files(name)
        there = any(path.is_file() for path in files)
        if there:
            programs.call("systemctl", "--user", "disable", "--now", files[1].name)
        # Without a systemctl that answers the link that `enable` made would stay.
        for path in (*files, self._folder / "timers.target.wants" / files[1].name):
            _remove(path)
        if there:
            programs.call("systemctl", "--user", "daemon-reload")
        return there

    def state(self, name: str) -> TaskState:
        files = self._files(name)
        if not all(path.is_file() for path in files):
            return TaskState(False)
        enabled = programs.call("systemctl", "--user", "is-enabled", files[1].name)
        shown = programs.call(
            "systemctl", "--user", "show", "--timestamp=unix", "--property=ActiveState,NextElapseUSecRealtime",
            files[1].name,
        )  # fmt: skip
        if enabled is None or enabled.out.strip() not in _ENABLED:
            return TaskState(True, None if enabled is None else False)
        if shown is None or shown.code:  # of a systemd that does not know these options
            return TaskState(True)
        values = dict(line.partition("=")[::2] for line in shown.out.splitlines())
        return TaskState(True, values.get("ActiveState") == "active", _unix(values.get("NextElapseUSecRealtime", "")))

    def _files(self, name: str) -> tuple[Path, Path]:
        return self._folder / f"{name}.service", self._folder / f"{name}.timer"


class LaunchdScheduler:
    """A launch agent of the user."""

    kind = LAUNCHD

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or Path.home() / "Library" / "LaunchAgents"

    def install(self, task: ScheduledTask) -> InstalledTask:
        path = self._file(task.name)
        _write(path, launchd_plist.plist(task))
        programs.call("launchctl", "bootout", self._target(task.name))
        done = programs.call("launchctl", "bootstrap", _domain(), str(path))
        if done is None or done.code:
            return InstalledTask((path,), _not_loaded(path, done))
        return InstalledTask((path,))

    def remove(self, name: str) -> bool:
        path = self._file(name)
        there = path.is_file()
        if there:
            programs.call("launchctl", "bootout", self._target(name))
        _remove(path)
        return there

    def state(self, name: str) -> TaskState:
        if not self._file(name).is_file():
            return TaskState(False)
        shown = programs.call("launchctl", "print", self._target(name))
        return TaskState(True, None if shown is None else shown.code == 0)

    def _file(self, name: str) -> Path:
        return self._folder / f"{launchd_plist.label(name)}.plist"

    def _target(self, name: str) -> str:
        return f"{_domain()}/{launchd_plist.label(name)}"


class WindowsScheduler:
    """A task of Windows' Task Scheduler, which keeps it itself: no file of it stays."""

    kind = WINDOWS

    def install(self, task: ScheduledTask) -> InstalledTask:
        data = windows_task.task_xml(task, datetime.now().astimezone())
        with tempfile.TemporaryDirectory(prefix="confere-", ignore_cleanup_errors=True) as folder:
            path = Path(folder) / "task.xml"
            path.write_bytes(data)
            done = programs.call("schtasks", "/Create", "/F", "/TN", task.name, "/XML", str(path))
        if done is None or done.code:
            raise EnvironmentFault(
                message("Windows did not take the task: {why}.", why=_why(done, "schtasks")),
                message("Nothing was scheduled. Look at the Task Scheduler, then try again."),
            )
        return InstalledTask()

    def remove(self, name: str) -> bool:
        if not self.state(name).present:
            return False
        done = programs.call("schtasks", "/Delete", "/F", "/TN", name)
        if done is None or done.code:
            raise EnvironmentFault(
                message("Windows did not let go of the task {name}: {why}.", name=name, why=_why(done, "schtasks")),
                message("Remove it in the Task Scheduler."),
            )
        return True

    def state(self, name: str) -> TaskState:
        shown = programs.call("schtasks", "/Query", "/TN", name)
        present = shown is not None and shown.code == 0
        return TaskState(present, True if present else None)  # its words are in the system's language


def of_this_system() -> Scheduler:
    """The scheduler of the system that this runs on."""
    if sys.platform == "win32":
        return WindowsScheduler()
    return LaunchdScheduler() if sys.platform == "darwin" else SystemdScheduler()


def _not_enabled(files: tuple[Path, Path], done: ProgramResult | None, cron: str) -> Message:
    return message(
        "The units are written, but the user's systemd did not take them: {why}. Enable them with `systemctl --user"
        " daemon-reload` and `systemctl --user enable --now {timer}`; where there is no systemd, this line of a"
        " crontab does the same: {cron}",
        why=_why(done, "systemctl"),
        timer=files[1].name,
        cron=cron,
    )


def _not_loaded(path: Path, done: ProgramResult | None) -> Message:
    return message(
        "The launch agent is written, but launchd did not take it: {why}. It is read at the next login, or by"
        " `launchctl bootstrap {domain} {path}`.",
        why=_why(done, "launchctl"),
        domain=_domain(),
        path=str(path),
    )


def _why(done: ProgramResult | None, name: str) -> Message:
    if done is None:
        return message("{program} is not there or does not answer", program=name)
    _log.info("the words of %s: %s", name, redact(done.words))  # in whatever language the system speaks
    return message("{program} ended with code {code}", program=name, code=done.code)


def _cron_line(task: ScheduledTask) -> str:
    """The same for cron, where a percent sign ends the command unless it is escaped."""
    words = " ".join(f"'{word}'" for word in (part.replace("'", "'\\''") for part in task.command))
    return f"{_cron_time(task.schedule)} {words}".replace("%", "\\%")


def _cron_time(schedule: Schedule) -> str:
    hour = "*" if schedule.every is Rhythm.HOUR else schedule.hour
    return f"{schedule.minute} {hour} * * {'1-5' if schedule.every is Rhythm.WEEKDAY else '*'}"


def _unix(text: str) -> datetime | None:
    """A moment as `--timestamp=unix` writes it (`@1790000000`), in this machine's zone."""
    with suppress(ValueError, OverflowError, OSError):
        if text.startswith("@") and int(text[1:]) > 0:
            return datetime.fromtimestamp(int(text[1:]), UTC).astimezone()
    return None


def _config_home() -> Path:
    kept = os.environ.get("XDG_CONFIG_HOME", "")
    return Path(kept) if Path(kept).is_absolute() else Path.home() / ".config"


def _domain() -> str:
    return f"gui/{os.getuid()}" if sys.platform != "win32" else "gui"


def _write(path: Path, data: bytes) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise storage_fault(error, path.parent) from error
    write_bytes(path, data)


def _remove(path: Path) -> None:
    try:
        held_files.remove(path)
    except OSError as error:
        raise storage_fault(error, path) from error
