"""What an unattended run brought is told once, in the window and in the tray; a run without news is told nowhere."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QSystemTrayIcon, QWidget
from pytestqt.qtbot import QtBot

from confere.app.context import Workspace
from confere.app.overview.sync_standing import SyncStanding
from confere.archive import message_encoding
from confere.archive.accounts import runs
from confere.desktop.core.actions import Action
from confere.desktop.services import Services
from confere.desktop.shell import last_sync
from confere.desktop.shell.status_bar import StatusBar
from confere.desktop.shell.tray import SEEN, RunNotices
from confere.desktop.widgets.notices import GOOD, INFO, WARN, Notice
from confere.errors import message
from confere.system.settings import TRAY
from tests.app.made import account
from tests.cli.commands.maintenance.test_schedule import aged
from tests.desktop.conftest import Made

NOTHING: dict[str, Any] = {"new": 0, "new_findings": 0, "not_authentic": 0, "failed_accounts": 0, "problems": []}


class Told:
    """The notices of a window, what was told and where it led."""

    def __init__(self, services: Services, qtbot: QtBot) -> None:
        self.notices: list[Notice] = []
        self.places: list[Action] = []
        self._services, self._qtbot = services, qtbot
        services.notices.added.connect(self.notices.append)
        self.window = QWidget()
        qtbot.addWidget(self.window)
        self.runs = RunNotices(services, self.places.append, self.window)

    def after(self, outcome: str | None = "done", **counts: object) -> Notice | None:
        """The notice that a run with this end leads to, if any."""
        self.notices.clear()
        self.run("2026-10-30", outcome, **counts)
        return self.look()

    def run(self, day: str, outcome: str | None = "done", **counts: object) -> None:
        """Write down a run of that night; without an outcome it was cut off."""
        workspace = Workspace.at(self._services.workspace.home.root)
        with workspace.writing("run") as archive, archive.writing() as transaction:
            number = runs.start(transaction, "unattended", None, {}, started_at=f"{day}T05:30:00+00:00")
            if outcome is not None:
                runs.finish(transaction, number, outcome, {**NOTHING, **counts})

    def look(self) -> Notice | None:
        self.runs.ask()
        self._qtbot.waitUntil(lambda: not self._services.reader.busy)
        return self.notices[-1] if self.notices else None


@pytest.fixture
def told(made_empty: Made, empty_home: Path, qtbot: QtBot) -> Told:
    with Workspace.at(empty_home).writing("test") as archive:
        account(archive, "loja")
    return Told(made_empty.services, qtbot)


def test_only_news_is_told_and_once(told: Told) -> None:
    assert told.look() is None
    assert told.after() is None
    notice = told.after(new=12, new_findings=3)
    assert notice is not None
    assert (notice.kind, notice.text) == (
        INFO,
        "Unattended run of 2026-10-30 02:30: new documents: 12; new findings: 3.",
    )
    assert notice.action is not None
    assert notice.action[0] == "Show the findings"
    notice.action[1]()
    assert told.places == [Action.RECONCILE]
    told.notices.clear()
    assert told.look() is None

    notice = told.after(new=2)
    assert notice is not None
    assert (notice.kind, notice.action and notice.action[0]) == (GOOD, "Show the runs")


def test_what_failed_says_why_and_leads_to_the_runs(told: Told) -> None:
    why = message_encoding.kept(message("loja: the hub cannot be reached."))
    notice = told.after("partial", failed_accounts=1, problems=[why], new_findings=1)
    assert notice is not None
    assert (notice.kind, notice.text.endswith("loja: the hub cannot be reached.")) == (WARN, True)
    assert notice.action is not None
    notice.action[1]()
    assert told.places == [Action.ACTIVITY]
    cut_off = told.after(None)
    assert cut_off is not None
    assert (cut_off.kind, cut_off.text.endswith("It was cut off.")) == (WARN, True)
    false = told.after(not_authentic=2)
    assert false is not None
    assert (false.kind, "not authentic: 2" in false.text) == (WARN, True)


def test_runs_while_nobody_was_there_are_told_together(told: Told) -> None:
    for number in (1, 2, 3):
        told.run(f"2026-10-2{number}", new=number)
    notice = told.look()
    assert notice is not None
    assert notice.text.startswith("Unattended runs since you were here: 3, the last one ")
    assert "new documents: 6;" in notice.text


@pytest.mark.parametrize("kept", ["", "a", "-1", "²"])
def test_what_is_remembered_may_be_anything(told: Told, made_empty: Made, kept: str) -> None:
    made_empty.services.memory.put(SEEN, kept)
    assert told.after(new=1) is not None


@pytest.mark.parametrize("wanted", [True, False])
@pytest.mark.parametrize("is_there", [True, False])
def test_the_tray_tells_it_where_wanted(
    told: Told, made_empty: Made, monkeypatch: pytest.MonkeyPatch, wanted: bool, is_there: bool
) -> None:
    shown: list[str] = []
    monkeypatch.setattr(QSystemTrayIcon, "isSystemTrayAvailable", staticmethod(lambda: is_there))
    monkeypatch.setattr(QSystemTrayIcon, "show", lambda _icon: None)
    monkeypatch.setattr(QSystemTrayIcon, "showMessage", lambda _icon, _title, text, *_: shown.append(text))
    made_empty.services.workspace.settings.set(TRAY, wanted)
    told.after()
    assert shown == []
    told.after(new_findings=3)
    assert bool(shown) is (wanted and is_there)
    icons = told.runs.findChildren(QSystemTrayIcon)
    assert len(icons) == len(shown)
    for icon in icons:
        assert "new findings: 3" in shown[0]
        told.window.hide()
        icon.messageClicked.emit()
        assert told.places == [Action.RECONCILE]


def test_an_account_that_grows_old_is_told_below_the_list(
    told: Told, made_empty: Made, qtbot: QtBot, empty_home: Path
) -> None:
    bar = StatusBar(made_empty.services)
    qtbot.addWidget(bar)
    fresh = last_sync.LastSyncText(made_empty.services, bar.say_fresh, bar)
    fresh.ask()
    qtbot.waitUntil(lambda: bar.fresh.text() == "never synced")
    assert bar.fresh.property("rank") == "muted"
    aged(empty_home, 5)
    fresh.ask()
    qtbot.waitUntil(lambda: bar.fresh.text() == "loja: last listed 5 days ago")
    assert bar.fresh.property("rank") == "warn"


@pytest.mark.parametrize(
    ("standing", "text"),
    [
        (SyncStanding(), "never synced"),
        (SyncStanding(failed=("loja",), to_download=4), "never synced; the last one of loja failed"),
        (SyncStanding(to_download=4, is_short=True), "never synced; XML to download: 4"),
        (SyncStanding(is_short=True), "never synced; a list of the hub is not whole"),
    ],
)
def test_what_of_a_sync_is_not_well_is_told_below_the_list(
    made_empty: Made, qtbot: QtBot, standing: SyncStanding, text: str
) -> None:
    bar = StatusBar(made_empty.services)
    qtbot.addWidget(bar)
    fresh = last_sync.LastSyncText(made_empty.services, bar.say_fresh, bar)
    fresh._have((standing, None, ()))
    assert bar.fresh.text() == text
    assert bar.fresh.property("rank") == ("warn" if ";" in text else "muted")


@pytest.mark.parametrize(
    ("trouble", "text"),
    [
        (last_sync.BackupTrouble.LOSS, "never synced; an older backup holds more"),
        (last_sync.BackupTrouble.AGE, "never synced; no recent backup"),
        (last_sync.BackupTrouble.TRIAL, "never synced; a backup could not be restored"),
    ],
)
def test_what_is_wrong_with_the_backups_is_told_below_the_list(
    made_empty: Made, qtbot: QtBot, trouble: last_sync.BackupTrouble, text: str
) -> None:
    bar = StatusBar(made_empty.services)
    qtbot.addWidget(bar)
    fresh = last_sync.LastSyncText(made_empty.services, bar.say_fresh, bar)
    fresh._have((SyncStanding(), trouble, ()))
    assert bar.fresh.text() == text
