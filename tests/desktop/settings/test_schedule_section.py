"""Settings, unattended work: what is chosen is what the system is told, and what it says is shown."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from confere.app.context import Workspace
from confere.app.schedule import schedule_plan, scheduling
from confere.archive.accounts import runs
from confere.desktop.services import Services
from confere.desktop.settings.schedule_section import ScheduleSection
from confere.system.settings import STALE_AFTER, TRAY, Settings
from tests.app.made import account
from tests.desktop.conftest import Made
from tests.system.schedulers.programs_made import MadePrograms


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> MadePrograms:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    made = MadePrograms(tmp_path / "programs", monkeypatch)
    made.put("systemctl", {"is-enabled": (0, "enabled"), "show": (0, "ActiveState=active")})
    return made


@pytest.fixture
def services(made_empty: Made, empty_home: Path) -> Services:
    with Workspace.at(empty_home).writing("test") as archive:
        account(archive, "loja")
        account(archive, "outra")
        with archive.writing() as transaction:
            number = runs.start(transaction, "unattended", None, {}, started_at="2026-10-30T05:30:00+00:00")
            runs.finish(transaction, number, "done", {"new": 12, "new_findings": 3, "accounts": {}, "problems": []})
    return made_empty.services


@pytest.fixture
def section(qtbot: QtBot, services: Services, programs: MadePrograms) -> Iterator[ScheduleSection]:
    section = ScheduleSection(services)
    qtbot.addWidget(section)
    section.resize(900, 700)
    section.show()
    section.arrive()
    settle(qtbot, section)
    yield section
    section._later.stop()
    qtbot.waitUntil(lambda: not services.reader.busy)


def settle(qtbot: QtBot, section: ScheduleSection) -> None:
    qtbot.waitUntil(lambda: not section._is_waiting and not section._services.reader.busy)


def write(section: ScheduleSection, at: str) -> None:
    section.at.setText(at)
    section.at.textEdited.emit(at)


def test_what_is_chosen_is_installed_and_taken_out(qtbot: QtBot, section: ScheduleSection, services: Services) -> None:
    home = services.workspace.home
    assert not section.on.isChecked()
    assert section.values["next"].text() == "none"
    assert section.values["last"].text() == "2026-10-30 02:30"
    assert section.values["outcome"].text() == "done; new documents: 12; new findings: 3"
    assert [section.accounts.itemText(place) for place in range(3)] == ["all accounts", "loja", "outra"]
    write(section, "04:15")  # not switched on: nobody is told
    section.every.setCurrentIndex(section.every.findData("weekday"))
    section.accounts.setCurrentIndex(2)
    settle(qtbot, section)
    assert schedule_plan.kept(home) is None

    section.on.click()
    settle(qtbot, section)
    plan = schedule_plan.kept(home)
    assert plan is not None
    assert (plan.schedule.at, plan.schedule.every, plan.accounts) == ("04:15", "weekday", ("outra",))
    assert section.on.isChecked()
    assert section.values["next"].text().endswith("04:15")
    assert "enable-linger" in section.said.text()

    write(section, "05:00")
    settle(qtbot, section)
    changed = schedule_plan.kept(home)
    assert changed is not None
    assert changed.schedule.at == "05:00"
    section.on.click()
    settle(qtbot, section)
    assert schedule_plan.kept(home) is None
    assert (section.on.isChecked(), section.values["next"].text()) == (False, "none")


def test_half_a_time_is_not_told(qtbot: QtBot, section: ScheduleSection, services: Services) -> None:
    section.on.click()
    settle(qtbot, section)
    write(section, "03:")
    assert section.at_field.problem == "Write the time as 02:30."
    settle(qtbot, section)
    plan = schedule_plan.kept(services.workspace.home)
    assert plan is not None
    assert plan.schedule.at == "02:30"
    write(section, "3:15")
    assert section.at_field.problem == ""
    settle(qtbot, section)
    plan = schedule_plan.kept(services.workspace.home)
    assert plan is not None
    assert plan.schedule.at == "03:15"


def test_what_the_command_line_chose_is_shown_and_kept(
    qtbot: QtBot, section: ScheduleSection, services: Services, tmp_path: Path
) -> None:
    plan = scheduling.plan_of("01:20", "hour", ("loja", "outra"), True)
    scheduling.install(services.workspace, services.opened, plan)
    section.refresh()
    settle(qtbot, section)
    assert section.on.isChecked()
    assert (section.accounts.currentText(), section.every.currentText()) == ("loja, outra", "every hour")
    assert section.at.text() == "01:20"
    write(section, "01:40")
    settle(qtbot, section)
    kept = schedule_plan.kept(services.workspace.home)
    assert kept is not None
    assert (kept.schedule.at, kept.accounts, kept.backups) == ("01:40", ("loja", "outra"), True)
    assert section.backups.isChecked()
    section.backups.click()
    settle(qtbot, section)
    kept = schedule_plan.kept(services.workspace.home)
    assert kept is not None
    assert not kept.backups


def test_what_stands_in_the_way_is_said(
    qtbot: QtBot, section: ScheduleSection, programs: MadePrograms, tmp_path: Path
) -> None:
    programs.put("systemctl", {"--user": (1, "Failed to connect to bus")})
    section.on.click()
    settle(qtbot, section)
    assert "systemctl ended with code 1" in section.said.text()
    assert section.said.property("rank") == "warn"
    section.refresh()
    settle(qtbot, section)
    assert "does not start it" in section.said.text()
    for path in (tmp_path / "config" / "systemd" / "user").iterdir():
        path.unlink()
    (tmp_path / "config" / "systemd" / "user").rmdir()
    (tmp_path / "config" / "systemd" / "user").write_text("")
    section.on.click()
    section.on.setChecked(True)
    section._later.start()
    qtbot.waitUntil(lambda: section.said.property("rank") == "bad")
    assert "user" in section.said.text()
    settle(qtbot, section)


def test_what_is_told_is_a_setting(section: ScheduleSection, services: Services) -> None:
    section.tray.click()
    section.stale.edit.setText("7")
    section.stale.edit.textEdited.emit("7")
    kept = Settings(services.workspace.home.settings)
    assert (kept.get(TRAY), kept.get(STALE_AFTER)) == (True, 7)
