"""A run of the window from start to end: language, what is remembered, and a clean end of the process."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from confere.app.context import Workspace
from confere.desktop.core.actions import PLACES, Action
from confere.desktop.window_session import Session
from confere.system.messages import set_language
from tests.desktop.reaching import settle

RUN = """
import sys
from PySide6.QtCore import QTimer
from confere.desktop import main
from confere.desktop.core.actions import Action

def end():
    from PySide6.QtWidgets import QApplication
    for window in QApplication.topLevelWidgets():
        window.close()

import confere.desktop.window_session as session
made = session.Session.show
def show(self):
    made(self)
    for place in sys.argv[2:]:
        self.window.go_to(Action[place])
    QTimer.singleShot(300, end)
session.Session.show = show
sys.exit(main.open_window(sys.argv[1]))
"""


@pytest.fixture
def session(qapp: QApplication, home: Path) -> Iterator[Session]:
    made = Session(qapp, Workspace.at(home))
    made.show()
    yield made
    made.close()


@pytest.mark.exhaustive
@pytest.mark.parametrize("visited", [(), (*PLACES, Action.DOCUMENTS)], ids=["as it opens", "after every place"])
def test_the_process_ends_cleanly(home: Path, visited: tuple[Action, ...]) -> None:
    """Widgets left to the end of the interpreter would take the process down with them."""
    done = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", RUN, str(home), *(place.name for place in visited)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr


def test_another_language_makes_the_window_anew(qtbot: QtBot, session: Session) -> None:
    before = session.window
    before.go_to(Action.DOCUMENTS)
    assert before.sidebar.buttons[Action.DOCUMENTS].text() == "Documents"
    set_language("pt_BR")
    session.services.workspace.settings.set(
        __import__("confere.system.settings", fromlist=["LANGUAGE"]).LANGUAGE, "pt_BR"
    )
    before.rebuild_wanted.emit()
    after = session.window
    assert after is not before
    assert after.place is Action.DOCUMENTS
    assert after.isVisible()
    session.services.look.use("dark")  # what outlives the old window paints nothing that is gone
    qtbot.waitUntil(lambda: not session.services.reader.busy)


def test_places_and_scope_come_back(qapp: QApplication, qtbot: QtBot, home: Path) -> None:
    first = Session(qapp, Workspace.at(home))
    first.show()
    first.window.resize(900, 640)
    first.window.go_to(Action.ACTIVITY)
    first.services.scope.choose(None, "2026-03")
    first.window.close()
    first.close()
    second = Session(qapp, Workspace.at(home))
    second.show()
    assert second.window.place is Action.ACTIVITY
    assert second.services.scope.month == "2026-03"
    assert (second.window.width(), second.window.height()) == (900, 640)
    second.window.close()
    second.close()


def test_dark_is_kept(qtbot: QtBot, session: Session) -> None:
    assert not session.services.look.colours.is_dark
    session.window.actions_by_act[Action.APPEARANCE].trigger()
    assert session.services.look.colours.is_dark
    kept = json.loads(session.services.workspace.home.settings.read_text())
    assert kept["appearance"] == "dark"


def test_what_was_decided_just_before_the_window_closes_is_in_the_archive(
    qtbot: QtBot, session: Session, home: Path
) -> None:
    window, services = session.window, session.services
    services.scope.choose(None, None)
    window.go_to(Action.RECONCILE)
    settle(qtbot, services)
    rows = window.reconcile.findings.rows[:4]
    window.go_to(Action.DOCUMENTS)
    settle(qtbot, services)
    ids = window.documents.model.ids[:6]
    gate = threading.Event()
    services.reader.write(gate.wait, lambda _: None)  # all the rest is still to be written when the window closes
    for row in rows:
        window.reconcile.deciders.explain_with([row], "as agreed")
    for number in range(6):
        window.documents.tags.put(f"tag {number}", ids)
    threading.Timer(0, gate.set).start()
    assert window.close()
    with closing(sqlite3.connect(home / "archive.sqlite3")) as db:
        marks = ", ".join("?" * len(rows))
        states = db.execute(f"SELECT state FROM finding WHERE id IN ({marks})", [row.id for row in rows]).fetchall()
        tagged = db.execute("SELECT count(DISTINCT tag_id), count(*) FROM document_tag").fetchone()
    assert states == [("explained",)] * 4
    assert tagged == (6, 6 * len(ids))
