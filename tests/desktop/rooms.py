"""Whole windows for tests, as the program makes them, and what a test asks of one."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from confere.app.accounts import accounts
from confere.app.accounts.accounts import NewAccount
from confere.app.accounts.sync import sync_accounts
from confere.app.context import EMBEDDED, Workspace
from confere.archive.store import Archive
from confere.desktop.core.actions import PLACES, Action
from confere.desktop.jobs import child_process as children
from confere.desktop.jobs.job import JobOutcome
from confere.desktop.shell.window import MainWindow
from confere.desktop.window_session import Session
from sandbox_hub.options import SandboxOptions
from sandbox_hub.server import running
from tests.desktop import small_disk
from tests.desktop.once import made_once
from tests.desktop.patient import LONG
from tests.end_to_end.confere import ENVIRONMENT, contents

WORLD: Mapping[str, Any] = {"documents": 120, "seed": 11}  # as many as a sync is long enough with to be disturbed


class Room:
    """A window as the program makes it, on a data folder, with what its jobs ended with."""

    def __init__(self, application: QApplication, folder: Path) -> None:
        application.setQuitOnLastWindowClosed(False)
        workspace = Workspace.at(folder)
        workspace.home.ensure()
        self.session = Session(application, workspace)
        self.outcomes: list[JobOutcome] = []
        self.session.services.jobs.ended.connect(self.outcomes.append)
        self.session.show()

    @property
    def window(self) -> MainWindow:
        return self.session.window

    @property
    def told(self) -> str:
        """What the messages say, all of it."""
        return "\n".join(self.window.notices.texts)

    @property
    def jobs(self) -> Any:
        return self.session.services.jobs

    def close(self) -> None:
        self.session.close()


Open = Callable[[Path], Room]


@pytest.fixture
def open_window(qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> Iterator[Open]:
    """Opens windows and closes those that a test has left open."""
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", ENVIRONMENT["PYTHON_KEYRING_BACKEND"])
    rooms: list[Room] = []

    def make(folder: Path) -> Room:
        rooms.append(Room(qapp, folder))
        return rooms[-1]

    yield make
    for room in rooms:
        room.close()


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A data folder for an account whose hub the test runs itself."""
    return tmp_path / "shop"


def syncing(qtbot: QtBot, room: Room) -> int:
    """Start a sync and wait until it has written something; the id of its process."""
    room.window.actions_by_act[Action.SYNC].trigger()
    heard: list[int] = []
    room.jobs.progressed.connect(lambda _order, progress: heard.append(progress.done))
    qtbot.waitUntil(lambda: any(heard) and room.session.services.opened.exists, timeout=LONG)
    (child,) = room.jobs._running
    return int(child.process_id)


def ended(qtbot: QtBot, room: Room, count: int = 1) -> JobOutcome:
    """The end of the last job that somebody asked for, when nothing runs any more."""

    def asked() -> list[JobOutcome]:
        return [outcome for outcome in room.outcomes if not outcome.order.quiet]

    qtbot.waitUntil(lambda: len(asked()) >= count and not room.jobs.busy, timeout=LONG)
    return asked()[-1]


def add_account(folder: Path, name: str, address: str, token: str) -> None:
    """An account of the hub at `address`, whose token the archive keeps."""
    workspace = Workspace.at(folder)
    workspace.home.ensure()
    accounts.add(workspace, NewAccount(name, address, "test", EMBEDDED), token)


def sync_all(folder: Path, options: SandboxOptions) -> None:
    """Bring everything of a hub with these options into the folder, by nothing disturbed."""
    with running(options) as hub:
        add_account(folder, "hub", hub.address, hub.token)
        sync_accounts(Workspace.at(folder))


@pytest.fixture(scope="session")
def calm_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder after a sync of the world `WORLD` that nothing disturbed; tests only read it."""
    return made_once(tmp_path_factory, "calm", lambda folder: sync_all(folder, SandboxOptions(**WORLD)))


@pytest.fixture(scope="session")
def calm(calm_folder: Path) -> dict[str, object]:
    """What an archive holds then."""
    return contents(calm_folder)


def is_whole(folder: Path) -> bool:
    with Archive.to_read(folder / "archive.sqlite3") as archive, archive.reading() as transaction:
        return transaction.fetch("PRAGMA integrity_check(1)") == [("ok",)]


def port_of(address: str) -> int:
    return int(address.split(":")[2].split("/")[0])


@pytest.fixture
def full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file; while it exists the jobs of the window find no room on the disk."""
    flag = tmp_path / "the disk is full"
    monkeypatch.setenv(small_disk.VARIABLE, str(flag))
    monkeypatch.setattr(children, "own_command", lambda *arguments: [sys.executable, small_disk.__file__, *arguments])
    return flag


def visit_every_place(qtbot: QtBot, room: Room) -> None:
    for place in PLACES:
        room.window.go_to(place)
        qtbot.waitUntil(lambda: not room.session.services.reader.busy, timeout=LONG)
