"""What each system's scheduler is given, of any command: text that it reads back as the same command and time."""

from __future__ import annotations

import plistlib
import shlex
import subprocess
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from confere.errors import UsageFault
from confere.system.schedulers import launchd_plist, systemd_units, windows_task
from confere.system.schedulers.schedule import Rhythm, Schedule, ScheduledTask, schedule_of

NOW = datetime.fromisoformat("2026-10-30T12:00:00-03:00")  # a Friday
ODD = ("/opt/Confere %n \"x\" 'y' $HOME \\z/confere", "run", "--home=/home/joão/50% $(x)", "--account=; a\"b'\\")
SCHEMA = etree.XMLSchema(etree.parse(Path(__file__).with_name("windows_task.xsd")))


def task(command: tuple[str, ...] = ODD, schedule: Schedule | None = None) -> ScheduledTask:
    return ScheduledTask("confere-1", "Confere: 100 % <unattended>", command, schedule or Schedule(2, 30), "/log")


def units(folder: Path, made: ScheduledTask) -> list[str]:
    folder.mkdir()
    for name, text in (("service", systemd_units.service(made)), ("timer", systemd_units.timer(made))):
        (folder / f"{made.name}.{name}").write_text(text, encoding="utf-8")
    return [str(folder / f"{made.name}.{name}") for name in ("service", "timer")]


@pytest.mark.system_program("systemd-analyze")
@pytest.mark.parametrize("every", Rhythm)
@pytest.mark.parametrize("name", ["confere", "con fere %n é", "con \"fere' \\x"])
def test_systemd_accepts_the_units(tmp_path: Path, every: Rhythm, name: str) -> None:
    program = tmp_path / "bin" / name
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n", encoding="utf-8")
    program.chmod(0o755)
    made = task((str(program), *ODD[1:]), Schedule(2, 30, every))
    files = units(tmp_path / "units", made)
    done = subprocess.run(
        ["systemd-analyze", "--user", "verify", *files],
        env={"PATH": "/usr/bin:/bin", "XDG_RUNTIME_DIR": str(tmp_path), "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


@given(st.lists(st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"), min_size=1), min_size=1))
def test_systemd_reads_the_same_words_back(words: list[str]) -> None:
    line = systemd_units.command_line(("/usr/bin/confere", *words))
    assert "\n" not in line
    read = shlex.split(line.replace("%%", "%").replace("\\\\", "\0").replace("\\x", "\1"), posix=True)
    meant = [word.replace("\0", "\\").replace("\1", "\\x") for word in read]
    plain = ["".join(f"\\x{ord(one):02x}" if one < " " else one for one in word) for word in words]
    assert meant == [":/usr/bin/confere", *plain]


def test_a_program_that_systemd_refuses_is_started_by_a_shell() -> None:
    line = systemd_units.command_line(('/a "b"/confere', "run"))
    assert line == ':"/bin/sh" "-c" "exec \\"$0\\" \\"$@\\"" "/a \\"b\\"/confere" "run"'


def test_launchd_reads_the_same_command_back() -> None:
    made = plistlib.loads(launchd_plist.plist(task()))
    assert made["ProgramArguments"] == list(ODD)
    assert made["Label"] == "io.github.confere.confere-1"
    assert made["StartCalendarInterval"] == {"Hour": 2, "Minute": 30}
    assert made["StandardErrorPath"] == "/log"


def test_launchd_has_a_time_for_each_rhythm() -> None:
    assert launchd_plist.calendar(Schedule(2, 5, Rhythm.HOUR)) == {"Minute": 5}
    days = launchd_plist.calendar(Schedule(2, 5, Rhythm.WEEKDAY))
    assert days == [{"Hour": 2, "Minute": 5, "Weekday": day} for day in (1, 2, 3, 4, 5)]


def parsed(data: bytes) -> Any:
    assert data[:2] == b"\xff\xfe", "no byte order mark of UTF-16"
    return etree.fromstring(data)


@pytest.mark.parametrize("every", Rhythm)
def test_windows_has_xml_as_its_schema_says(every: Rhythm) -> None:
    command = ("C:\\Programme (x86)\\Confere & Söhne\\confere.exe", "run", '--account=a "b" <c>\\', "--home=C:\\é 5%\\")
    root = parsed(windows_task.task_xml(task(command, Schedule(2, 30, every)), NOW))
    SCHEMA.assertValid(root)
    names = {"t": windows_task.NAMESPACE}
    assert root.findtext(".//t:Command", namespaces=names) == command[0]
    assert root.findtext(".//t:Arguments", namespaces=names) == subprocess.list2cmdline(command[1:])
    begins = {Rhythm.HOUR: "2026-10-30T00:30:00"}.get(every, "2026-10-30T02:30:00")
    assert root.findtext(".//t:StartBoundary", namespaces=names) == begins
    days = [etree.QName(day).localname for day in root.iterfind(".//t:DaysOfWeek/*", namespaces=names)]
    weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday"]
    assert days == (weekdays if every is Rhythm.WEEKDAY else [])
    assert (root.findtext(".//t:Interval", namespaces=names) == "PT1H") is (every is Rhythm.HOUR)


def test_windows_takes_no_variable_for_a_folder() -> None:
    with pytest.raises(UsageFault, match="%TEMP%"):
        windows_task.task_xml(task(("C:\\confere.exe", "run", "--home=C:\\%TEMP%\\x")), NOW)


@pytest.mark.parametrize(
    ("schedule", "now", "then"),
    [
        (Schedule(2, 30), "2026-10-30T02:29:59", "2026-10-30T02:30:00"),
        (Schedule(2, 30), "2026-10-30T02:30:00", "2026-10-31T02:30:00"),
        (Schedule(2, 30, Rhythm.HOUR), "2026-10-30T23:31:00", "2026-10-31T00:30:00"),
        (Schedule(2, 30, Rhythm.HOUR), "2026-10-30T23:29:00", "2026-10-30T23:30:00"),
        (Schedule(2, 30, Rhythm.WEEKDAY), "2026-10-30T03:00:00", "2026-11-02T02:30:00"),
        (Schedule(2, 30, Rhythm.WEEKDAY), "2026-10-31T01:00:00", "2026-11-02T02:30:00"),
        (Schedule(0, 0, Rhythm.WEEKDAY), "2026-10-29T23:59:00", "2026-10-30T00:00:00"),
    ],
)
def test_the_next_run(schedule: Schedule, now: str, then: str) -> None:
    assert schedule.next_after(datetime.fromisoformat(now)) == datetime.fromisoformat(then)


@pytest.mark.system_program("systemd-analyze")
@pytest.mark.parametrize("every", Rhythm)
def test_systemd_computes_the_same_next_run(every: Rhythm) -> None:
    schedule = Schedule(2, 30, every)
    done = subprocess.run(
        ["systemd-analyze", "calendar", "--base-time=2026-10-30 12:00:00", systemd_units.calendar(schedule)],
        env={"PATH": "/usr/bin:/bin", "TZ": "UTC", "LC_ALL": "C"},
        capture_output=True,
        text=True,
        check=True,
    )
    due = schedule.next_after(datetime.fromisoformat("2026-10-30T12:00:00"))
    assert f"{due:%a %Y-%m-%d %H:%M:%S} UTC" in done.stdout


@pytest.mark.parametrize(("at", "every"), [("24:00", "day"), ("2h30", "day"), ("02:60", "hour"), ("02:30", "night")])
def test_what_is_no_schedule_is_refused(at: str, every: str) -> None:
    with pytest.raises(ValueError):
        schedule_of(at, every)


def test_a_schedule_is_read() -> None:
    assert schedule_of(" 2:05 ", "weekday") == Schedule(2, 5, Rhythm.WEEKDAY)
    assert schedule_of("02:05", "day").at == "02:05"
