"""Faults of our own and damaged files of the window's own: a sentence on the screen, and the window goes on."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QApplication, QPlainTextEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from confere.desktop.actions import Act
from confere.desktop.dialogs.fault import FaultDialog
from confere.desktop.faults import of_exception
from confere.errors import DiskFull
from confere.system import logs
from confere.system.redaction import register_secret
from tests.desktop.rooms import (
    LONG,
    Open,
    Room,
    visit_every_place,
)

TOKEN = "tk-4711-geheim-segredo-9f8e7d6c"


# -- faults of our own ---------------------------------------------------------------------------------------


class Broken(QWidget):
    """Fails each time it is painted."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.painted = 0

    def paintEvent(self, _event: object) -> None:
        self.painted += 1
        raise RuntimeError(f"painting with {TOKEN}")


def in_a_slot(room: Room, _patch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise ValueError(f"Authorization: Bearer {TOKEN}")

    button = QPushButton(room.window)
    button.clicked.connect(fail)
    button.click()


def in_a_question(room: Room, _patch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise LookupError(f"asked with {TOKEN}")

    room.session.services.reader.ask("test", fail, lambda _: None)


def in_an_answer(room: Room, _patch: pytest.MonkeyPatch) -> None:
    def fail(_answer: object) -> None:
        raise LookupError(f"answered with {TOKEN}")

    room.session.services.reader.ask("test", lambda: 1, fail)


def in_a_thread(_room: Room, _patch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise OSError(5, f"token={TOKEN}")

    thread = threading.Thread(target=fail)
    thread.start()
    thread.join()


def in_painting(room: Room, _patch: pytest.MonkeyPatch) -> None:
    widget = Broken(room.window)
    widget.resize(20, 20)
    widget.show()


def in_the_list(room: Room, patch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> object:
        raise KeyError(f"data with {TOKEN}")

    patch.setattr(room.window.documents.model, "text", fail)
    room.window.documents.table.viewport().update()


@pytest.mark.logs_problems
@pytest.mark.parametrize(
    "fail", [in_a_slot, in_a_question, in_an_answer, in_a_thread, in_painting, in_the_list], ids=lambda f: f.__name__
)
@pytest.mark.qt_no_exception_capture
def test_a_fault_of_ours_is_shown_logged_and_survived(
    qtbot: QtBot, open_window: Open, home: Path, monkeypatch: pytest.MonkeyPatch, fail: Callable[..., None]
) -> None:
    register_secret(TOKEN)
    log = logs.open_log(home / "logs")
    try:
        room = open_window(home)
        room.window.go_to(Act.DOCUMENTS)
        qtbot.waitUntil(lambda: bool(room.window.documents.model.ids), timeout=LONG)
        fail(room, monkeypatch)
        qtbot.waitUntil(lambda: "Something unexpected happened" in room.told, timeout=LONG)
        assert "Your documents are safe." in room.told
        details = [b for b in room.window.notices.findChildren(QPushButton) if b.text() == "Details"]
        details[0].click()
        dialog = room.window.findChild(FaultDialog)
        assert dialog is not None
        text = dialog.details.toPlainText()
        assert "Traceback" in text
        assert "in fail" in text or "in paintEvent" in text
        dialog.copy.click()
        copied = QApplication.clipboard().text()
        monkeypatch.undo()
        visit_every_place(qtbot, room)
        assert room.window.isVisible()
        assert room.window.notices.texts.count(room.window.notices.texts[0]) == 1
    finally:
        logs.close_log(log)
    written = "".join(file.read_text(encoding="utf-8") for file in (home / "logs").glob("*.log"))
    assert "Traceback" in written
    assert written.count("Traceback") < 20
    for place in (room.told, text, copied, written):
        assert TOKEN not in place


@pytest.mark.logs_problems
def test_a_fault_of_painting_does_not_feed_itself(qtbot: QtBot, open_window: Open, home: Path) -> None:
    """Showing it paints anew: told and drawn again with every picture, the window would do nothing else."""
    register_secret(TOKEN)
    room = open_window(home)
    with qtbot.captureExceptions():
        widget = Broken(room.window.notices)
        widget.resize(20, 20)
        room.session.services.notices.add_fault(of_exception(RuntimeError("before")))
        widget.show()
        qtbot.waitUntil(lambda: widget.painted > 0, timeout=LONG)
        told: list[object] = []
        room.session.services.faults.told.connect(told.append)
        fault = RuntimeError("again")
        for _ in range(50):
            room.session.services.faults.tell(fault)
        QCoreApplication.processEvents()
        assert len(told) == 50
        assert len([text for text in room.window.notices.texts if "RuntimeError" in text]) == 1


def test_markup_in_an_error_is_shown_as_it_is(qtbot: QtBot, open_window: Open, home: Path) -> None:
    from confere.errors import message

    room = open_window(home)
    room.session.services.faults.tell(DiskFull(message("{path} is <b>full</b>.", path="<img src=x>")))
    qtbot.waitUntil(lambda: "<img src=x> is <b>full</b>." in room.told, timeout=LONG)


# -- what the window keeps for itself ------------------------------------------------------------------------

INI = {
    "bytes": random.Random(1).randbytes(4000),
    "no ini": b"this is not an ini\n[[[\n=\n",
    "nothing": b"\0" * 3000,
    "an object": b"[main]\ngeometry=@Variant(\\0\\0\\0\\x7f\\xff\\xff)\n",
}


@pytest.mark.parametrize("content", INI.values(), ids=INI)
def test_a_damaged_memory_is_put_aside(qtbot: QtBot, open_window: Open, home: Path, content: bytes) -> None:
    (home / "window.ini").write_bytes(content)
    room = open_window(home)
    assert room.window.isVisible()
    assert str(home / "window.ini.damaged") in room.told
    assert (home / "window.ini.damaged").read_bytes() == content
    room.window.go_to(Act.SETTINGS)
    room.window.remember()
    assert "window/place" not in room.told
    assert b"SETTINGS" in (home / "window.ini").read_bytes()
    again = open_window(home)
    assert again.window.place is Act.SETTINGS
    assert again.told == ""


def test_values_of_nobody_in_the_memory_are_passed_over(qtbot: QtBot, open_window: Open, home: Path) -> None:
    (home / "window.ini").write_text(
        "[main]\ngeometry=@ByteArray(\\1\\2\\3garbage)\n[window]\nplace=NOWHERE\ndetails=what\n[scope]\nmonth=2026-99\n"
        "company=nobody\n[documents]\nsplitter=@ByteArray(\\xff\\xff)\ncolumns=@ByteArray(\\xff\\0)\nsort=1,2,3\n"
        "[settings]\nsection=cellar\n[details]\ntab=99\n"
    )
    room = open_window(home)
    visit_every_place(qtbot, room)
    assert room.told == ""
    assert room.session.services.scope.month != "2026-99"


def test_a_memory_that_cannot_be_written_is_said(qtbot: QtBot, open_window: Open, home: Path) -> None:
    (home / "window.ini").unlink(missing_ok=True)
    (home / "window.ini").mkdir()
    room = open_window(home)
    assert f"{home / 'window.ini'} cannot be written" in room.told
    visit_every_place(qtbot, room)
    assert room.window.close()


@pytest.mark.parametrize("content", [b"{", b"\xff\xfe\x00", b'{"appearance": "pink", "language": 3, "hub_rate": -1}'])
def test_damaged_settings_are_said(qtbot: QtBot, open_window: Open, home: Path, content: bytes) -> None:
    (home / "settings.json").write_bytes(content)
    room = open_window(home)
    assert str(home / "settings.json") in room.told
    assert (home / "settings.json").read_bytes() == content
    visit_every_place(qtbot, room)


def test_settings_that_cannot_be_read_or_written_are_said(qtbot: QtBot, open_window: Open, home: Path) -> None:
    (home / "settings.json").unlink(missing_ok=True)
    (home / "settings.json").mkdir()
    room = open_window(home)
    assert f"The settings file {home / 'settings.json'} cannot be read; the defaults are used." in room.told
    room.window.actions_by_act[Act.APPEARANCE].trigger()
    qtbot.waitUntil(lambda: len(room.window.notices.texts) == 2, timeout=LONG)
    assert str(home / "settings.json") in room.window.notices.texts[0]
    assert room.window.findChildren(QPlainTextEdit) is not None
