"""The units of systemd: a service that runs once and a timer that starts it. Pure text.

Source: systemd.service(5), systemd.timer(5), systemd.time(7), systemd.syntax(7).
"""

from __future__ import annotations

from typing import Final

from confere.system.schedulers.schedule import Rhythm, Schedule, ScheduledTask

_REFUSED: Final = "\"'\\\x7f"  # systemd takes no program with these in its path, however they are written
_BY_SHELL: Final = ("/bin/sh", "-c", 'exec "$0" "$@"')
_CALENDAR: Final = {Rhythm.DAY: "*-*-* {at}:00", Rhythm.WEEKDAY: "Mon..Fri *-*-* {at}:00"}
# Of the hardening that systemd knows what needs no mount namespace: where a system gives users none, a unit that asks
# for one does not start at all. Nor MemoryDenyWriteExecute, which libffi does not survive.
_HARDENING: Final = (
    "NoNewPrivileges=true",
    "LockPersonality=true",
    "RestrictRealtime=true",
    "RestrictSUIDSGID=true",
    "RestrictNamespaces=true",
    "RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK",
    "SystemCallArchitectures=native",
    "UMask=0077",
)


def service(task: ScheduledTask) -> str:
    """The text of `NAME.service`."""
    return "\n".join(
        (
            "[Unit]",
            f"Description={_plain(task.description)}",
            "",
            "[Service]",
            "Type=oneshot",
            f"ExecStart={command_line(task.command)}",
            "Nice=10",
            # A stop is obeyed at a safe place, which the download of one file may be away from.
            "KillMode=mixed",
            "TimeoutStopSec=5min",
            *_HARDENING,
            "",
        )
    )


def timer(task: ScheduledTask) -> str:
    """The text of `NAME.timer`; a run that was missed while the machine was off is made up for."""
    return "\n".join(
        (
            "[Unit]",
            f"Description={_plain(task.description)}",
            "",
            "[Timer]",
            f"OnCalendar={calendar(task.schedule)}",
            "Persistent=true",
            "AccuracySec=1min",
            "",
            "[Install]",
            "WantedBy=timers.target",
            "",
        )
    )


def calendar(schedule: Schedule) -> str:
    """The time as `OnCalendar=` takes it."""
    if schedule.every is Rhythm.HOUR:
        return f"*-*-* *:{schedule.minute:02d}:00"
    return _CALENDAR[schedule.every].format(at=schedule.at)


def command_line(command: tuple[str, ...]) -> str:
    """The value of `ExecStart=`: each word in quotes, and nothing in it read as a specifier or a variable."""
    if any(letter in _REFUSED or letter < " " for letter in command[0]):
        command = (*_BY_SHELL, *command)
    program, *arguments = map(_quoted, command)
    return " ".join((f":{program}", *arguments))  # the colon: no variables are put in


def _quoted(word: str) -> str:
    word = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%")
    return '"' + "".join(f"\\x{ord(letter):02x}" if letter < " " else letter for letter in word) + '"'


def _plain(text: str) -> str:
    return " ".join(text.split()).replace("%", "%%")
