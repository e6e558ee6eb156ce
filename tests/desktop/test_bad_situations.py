"""The window closed at work, the hub gone, another process, a child that fails: a sentence, and nothing lost."""

from __future__ import annotations

import contextlib
import os
import socket
import sqlite3
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psutil
import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QMessageBox
from pytestqt.qtbot import QtBot

from confere.archive.store import Archive
from confere.desktop.core.actions import Action
from confere.desktop.jobs import child_process as children
from confere.desktop.jobs.job_requests import import_order, sync_order
from sandbox_hub.options import SandboxOptions
from sandbox_hub.server import running, start
from tests.desktop.rooms import (
    LONG,
    WORLD,
    Open,
    add_account,
    ended,
    is_whole,
    port_of,
    syncing,
)
from tests.end_to_end.confere import contents

# -- the window is closed while something runs ---------------------------------------------------------------


def answer(object_name: str, button: str, seen: list[str]) -> QTimer:
    """Press this button in the dialog of that name, once it is there."""
    timer = QTimer()
    timer.setInterval(20)

    def look() -> None:
        box = QApplication.activeModalWidget()
        if isinstance(box, QMessageBox) and box.objectName() == object_name:
            seen.append(f"{box.text()} {box.informativeText()}")
            timer.stop()
            next(entry for entry in box.buttons() if entry.text() == button).click()

    timer.timeout.connect(look)
    timer.start()
    return timer


@pytest.mark.exhaustive
def test_closing_over_a_sync_asks_and_stops_it(
    qtbot: QtBot, open_window: Open, shop: Path, calm: dict[str, object]
) -> None:
    with running(SandboxOptions(**WORLD, faults="slow=1")) as hub:
        add_account(shop, "hub", hub.address, hub.token)
        room = open_window(shop)
        process = syncing(qtbot, room)
        seen: list[str] = []
        stays = answer("leaving", "Keep the window open", seen)
        assert not room.window.close()
        assert room.window.isVisible()
        assert psutil.pid_exists(process)
        goes = answer("leaving", "Stop and close", seen)
        assert room.window.close()
        assert not room.window.isVisible()
        assert not psutil.pid_exists(process)
        assert not stays.isActive() and not goes.isActive()
        kept = "Everything received so far is kept; started again, it goes on from there."
        assert seen == [f"Synchronisation: still running. {kept}"] * 2
    assert is_whole(shop)
    with running(SandboxOptions(**WORLD, port=port_of(hub.address))):
        again = open_window(shop)
        again.window.actions_by_act[Action.SYNC].trigger()
        assert ended(qtbot, again).done
        assert "Synced" in again.told
    assert contents(shop) == calm


# -- the hub -------------------------------------------------------------------------------------------------


@pytest.mark.exhaustive
def test_a_hub_unplugged_during_a_sync_is_named_and_comes_back(
    qtbot: QtBot, open_window: Open, shop: Path, calm: dict[str, object]
) -> None:
    first = start(SandboxOptions(**WORLD, faults="slow=1"))
    try:
        add_account(shop, "hub", first.address, first.token)
        room = open_window(shop)
        syncing(qtbot, room)
    finally:
        first.stop()
    qtbot.waitUntil(lambda: "does not answer" in room.window.status.job.text(), timeout=LONG)
    with running(SandboxOptions(**WORLD, port=port_of(first.address))):
        outcome = ended(qtbot, room)
        if not outcome.done or outcome.exit_code:  # it gave some up before the hub was back
            room.window.actions_by_act[Action.SYNC].trigger()
            assert ended(qtbot, room, 2).exit_code == 0
    assert contents(shop) == calm


def test_a_hub_that_is_down_is_said_and_the_next_sync_works(qtbot: QtBot, open_window: Open, shop: Path) -> None:
    hub = start(SandboxOptions(documents=40, seed=3))
    hub.stop()
    add_account(shop, "hub", hub.address, hub.token)
    room = open_window(shop)
    room.window.actions_by_act[Action.SYNC].trigger()
    assert ended(qtbot, room).error is not None
    assert f"127.0.0.1:{port_of(hub.address)}" in room.told
    with running(SandboxOptions(documents=40, seed=3, port=port_of(hub.address))):
        room.window.actions_by_act[Action.SYNC].trigger()
        assert ended(qtbot, room, 2).done
    assert "Synced" in room.window.notices.texts[0]
    assert "40" in room.window.notices.texts[0]
    assert f"127.0.0.1:{port_of(hub.address)}" not in room.told  # it holds no more


def test_one_account_of_two_that_fails_is_not_good_news(qtbot: QtBot, open_window: Open, shop: Path) -> None:
    with running(SandboxOptions(documents=40, seed=3)) as hub:
        add_account(shop, "right", hub.address, hub.token)
        add_account(shop, "wrong", hub.address, "no-token-of-this-hub")
        room = open_window(shop)
        room.window.actions_by_act[Action.SYNC].trigger()
        assert ended(qtbot, room).exit_code == 1
    assert "wrong" in room.told
    assert "token" in room.told


@pytest.fixture
def silent_hub() -> Iterator[str]:
    """The address of a hub that takes every call and never says a word."""
    listener = socket.create_server(("127.0.0.1", 0), backlog=50)
    kept: list[socket.socket] = []

    def take() -> None:
        with contextlib.suppress(OSError):
            while True:
                kept.append(listener.accept()[0])

    threading.Thread(target=take, daemon=True).start()
    yield f"http://127.0.0.1:{listener.getsockname()[1]}/v2"
    listener.close()
    for call in kept:
        call.close()


@pytest.mark.exhaustive
def test_waiting_for_a_silent_hub_is_said_and_can_be_stopped(
    qtbot: QtBot, open_window: Open, shop: Path, silent_hub: str
) -> None:
    add_account(shop, "hub", silent_hub, "a-token-of-nobody")
    room = open_window(shop)
    room.window.actions_by_act[Action.SYNC].trigger()
    qtbot.waitUntil(lambda: "does not answer" in room.window.status.job.text(), timeout=LONG)
    room.window.actions_by_act[Action.STOP].trigger()
    outcome = ended(qtbot, room)
    assert outcome.stopped
    assert outcome.exit_code == 1  # it ended by itself: one that had to be killed has another code
    assert "Sync" in room.told
    assert "stopped" in room.told
    assert "Everything received is kept" in room.told or "everything received is kept" in room.told
    assert is_whole(shop)


# -- another process -----------------------------------------------------------------------------------------


def test_who_writes_already_is_named(qtbot: QtBot, open_window: Open, home: Path) -> None:
    room = open_window(home)
    with Archive.to_write(home / "archive.sqlite3", "night run"):
        room.window.actions_by_act[Action.SYNC].trigger()
        assert ended(qtbot, room).error is not None
        assert "is being written by night run" in room.told
        assert f"pid {os.getpid()}" in room.told
        assert "Wait until it ends" in room.told
    assert is_whole(home)


# -- the window's child --------------------------------------------------------------------------------------

GARBAGE = """
import sys
out = sys.stdout.buffer
out.write(b"\\xff\\xfe not ours\\n[1,2]\\n" + b"[" * 100000 + b"\\n")
for line in (
    b'{"type": "progress"}', b'{"type": "progress", "message": 5, "done": 1, "elapsed": "long", "total": -3}',
    b'{"type": "progress", "message": {"id": "{x", "params": {"x": {}}}, "done": 1e3}',
    b'{"type": "progress", "message": "m", "done": ' + b"9" * 40 + b', "total": ' + b"9" * 41 + b'}',
    b'{"type": "progress", "message": "m", "done": 1, "remaining": NaN, "elapsed": 1e999}',
    b'{"type": "note", "message": null}', b'{"type": "error", "error": {"what": 7}}',
    b'{"type": "result", "result": 1}',
    b'{"type": "result", "result": {"sync": {"new": 3}}}',
):
    out.write(line + b"\\n")
out.write(b"no end of line")
"""


def test_garbage_on_a_childs_stdout_is_survived(
    qtbot: QtBot, open_window: Open, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(children, "own_command", lambda *arguments: [sys.executable, "-c", GARBAGE, *arguments])
    room = open_window(home)
    room.window.actions_by_act[Action.SYNC].trigger()
    ended(qtbot, room)
    assert room.window.isVisible()
    assert room.told
    assert "unexpected happened" not in room.told


def test_a_killed_child_is_said_and_the_next_goes_on(
    qtbot: QtBot, open_window: Open, shop: Path, tmp_path: Path
) -> None:
    with running(SandboxOptions(**WORLD, faults="slow=1")) as hub:
        add_account(shop, "hub", hub.address, hub.token)
        room = open_window(shop)
        psutil.Process(syncing(qtbot, room)).kill()
        assert ended(qtbot, room).error is not None
        assert "Synchronisation ended unexpectedly" in room.told
        assert "it goes on where it stopped" in room.told
        assert is_whole(shop)
    with running(SandboxOptions(**WORLD, port=port_of(hub.address))):
        room.window.actions_by_act[Action.SYNC].trigger()
        assert ended(qtbot, room, 2).done
        assert "ended unexpectedly" not in room.told
    with closing(sqlite3.connect(shop / "archive.sqlite3")) as database:
        assert database.execute("SELECT count(*) FROM hub_document").fetchone() == (WORLD["documents"],)


@pytest.mark.exhaustive
def test_a_missing_program_is_said_for_every_job_that_waits(
    qtbot: QtBot, open_window: Open, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = open_window(home)
    with Archive.to_write(home / "archive.sqlite3", "night run"):
        room.jobs.start(sync_order())
        monkeypatch.setattr(children, "own_command", lambda *arguments: ["/no/such/program", *arguments])
        room.jobs.start(import_order([home]))
        room.jobs.start(import_order([home]))
        ended(qtbot, room, 3)
    assert [outcome.error is not None for outcome in room.outcomes] == [True, True, True]
    assert "/no/such/program cannot be started" in room.told
    assert "unexpected happened" not in room.told
