"""Faults of our own and damaged files of the window's own: a sentence on the screen, and the window goes on."""

from __future__ import annotations

import random
import threading
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QApplication, QPlainTextEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from confere.desktop.core.actions import Action
from confere.desktop.core.error_reporting import of_exception
from confere.desktop.widgets.error_details import FaultDialog
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
@pytest.mark.qt_no_exception_capture
def test_a_fault_of_ours_is_shown_logged_and_survived(qtbot: QtBot, open_window: Open, home: Path) -> None:
    register_secret(TOKEN)
    log = logs.open_log(home / "logs")
    try:
        room = open_window(home)
        written = ""
        for fail in (in_a_slot, in_a_question, in_an_answer, in_a_thread, in_painting, in_the_list):
            room.window.go_to(Action.DOCUMENTS)
            qtbot.waitUntil(lambda: bool(room.window.documents.model.ids), timeout=LONG)
            with pytest.MonkeyPatch.context() as patch:
                fail(room, patch)
                _is_shown_once(qtbot, room)
            _close(qtbot, room)
            before, written = written, _written(home)
            assert 0 < written.count("Traceback") - before.count("Traceback") < 20, fail.__name__
        visit_every_place(qtbot, room)
        assert room.window.isVisible()
    finally:
        logs.close_log(log)
    assert TOKEN not in written


def _is_shown_once(qtbot: QtBot, room: Room) -> None:
    """With its details, and without what is secret."""
    qtbot.waitUntil(lambda: "Something unexpected happened" in room.told, timeout=LONG)
    assert "Your documents are safe." in room.told
    (details,) = [b for b in room.window.notices.findChildren(QPushButton) if b.text() == "Details" and b.isVisible()]
    details.click()
    (dialog,) = room.window.findChildren(FaultDialog)
    text = dialog.details.toPlainText()
    assert "Traceback" in text
    assert "in fail" in text or "in paintEvent" in text
    dialog.copy.click()
    (told,) = room.window.notices.texts
    for place in (told, text, QApplication.clipboard().text()):
        assert TOKEN not in place


def _close(qtbot: QtBot, room: Room) -> None:
    """What was shown, and what paints wrongly."""
    for dialog in room.window.findChildren(FaultDialog):
        dialog.close()
    for widget in room.window.findChildren(Broken):
        widget.deleteLater()
    (line,) = room.window.notices._lines
    room.session.services.notices.withdraw(line.notice.topic)
    qtbot.waitUntil(lambda: room.told == "" and not room.window.findChildren(FaultDialog), timeout=LONG)


def _written(home: Path) -> str:
    return "".join(file.read_text(encoding="utf-8") for file in (home / "logs").glob("*.log"))


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
        room.session.services.faults.tell(fault)
        qtbot.waitUntil(lambda: len(told) == 1, timeout=LONG)  # the archive is looked at first
        for _ in range(49):
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

INI = (
    random.Random(1).randbytes(4000),
    b"this is not an ini\n[[[\n=\n",
    b"\0" * 3000,
    b"[main]\ngeometry=@Variant(\\0\\0\\0\\x7f\\xff\\xff)\n",
)


def test_a_damaged_memory_is_put_aside(qtbot: QtBot, open_window: Open, home: Path) -> None:
    aside = home / "window.ini.damaged"
    for content in INI:
        aside.unlink(missing_ok=True)
        (home / "window.ini").write_bytes(content)
        room = open_window(home)
        assert room.window.isVisible()
        assert str(aside) in room.told
        assert aside.read_bytes() == content
        room.window.hide()
    room.window.go_to(Action.SETTINGS)
    room.window.remember()
    assert "window/place" not in room.told
    assert b"SETTINGS" in (home / "window.ini").read_bytes()
    again = open_window(home)
    assert again.window.place is Action.SETTINGS
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


def test_damaged_settings_are_said(qtbot: QtBot, open_window: Open, home: Path) -> None:
    for content in (b"{", b"\xff\xfe\x00", b'{"appearance": "pink", "language": 3, "hub_rate": -1}'):
        (home / "settings.json").write_bytes(content)
        room = open_window(home)
        assert str(home / "settings.json") in room.told
        assert (home / "settings.json").read_bytes() == content
        room.window.hide()
    visit_every_place(qtbot, room)


def test_settings_that_cannot_be_read_or_written_are_said(qtbot: QtBot, open_window: Open, home: Path) -> None:
    (home / "settings.json").unlink(missing_ok=True)
    (home / "settings.json").mkdir()
    room = open_window(home)
    assert f"The settings file {home / 'settings.json'} cannot be read; the defaults are used." in room.told
    room.window.actions_by_act[Action.APPEARANCE].trigger()
    qtbot.waitUntil(lambda: len(room.window.notices.texts) == 2, timeout=LONG)
    assert str(home / "settings.json") in room.window.notices.texts[0]
    assert room.window.findChildren(QPlainTextEdit) is not None
