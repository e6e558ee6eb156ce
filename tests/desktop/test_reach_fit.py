"""At every scale and in every language each text can be read whole, in the smallest window too."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from confere.desktop.core import actions
from confere.desktop.overview.page import OverviewPage
from confere.desktop.widgets.elided_buttons import ElidedButton
from tests.breadth import some_of
from tests.conftest import ROOT
from tests.desktop import fitting, reaching
from tests.desktop.conftest import Made

SCREEN = (1920, 1080)  # device pixels: at 200 % the smallest window only just fits


# Every language and every scale once; the longest words, and the least room for them, together.
@pytest.mark.parametrize(
    ("scale", "languages"), some_of([("2", ["pt_BR", "es"]), ("1", ["pt_BR", "en"]), ("1.5", ["pt_BR"])], 1)
)
def test_no_text_is_cut_off(home: Path, tmp_path: Path, scale: str, languages: list[str]) -> None:
    screen = tmp_path / "screen.json"
    screen.write_text(
        json.dumps({"screens": [{"name": "one", "x": 0, "y": 0, "width": SCREEN[0], "height": SCREEN[1]}]})
    )
    environment = {
        **os.environ,
        "QT_SCALE_FACTOR": scale,
        "QT_QPA_PLATFORM": f"offscreen:configfile={screen.as_posix()}",
        "CONFERE_LANGUAGE": languages[0],
        "PYTHONPATH": str(ROOT),
    }
    ended = subprocess.run(
        [sys.executable, "-m", "tests.desktop.fitting", str(home), *languages],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    told = json.loads(ended.stdout)
    assert told["density"] == float(scale)
    assert told["cut"] == {language: {} for language in languages}


def test_what_is_cut_off_is_found(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(300, 200)
    for place, widget in enumerate((QPushButton("A word too long"), QLabel("A word too long"))):
        widget.setParent(window)
        widget.setGeometry(0, 40 * place, 30, 30)
    whole = QLabel("Whole", window)
    whole.setGeometry(0, 80, 200, 30)
    beyond = QLabel("Beyond", window)
    beyond.setGeometry(250, 120, 200, 30)
    window.show()
    assert [line.split("(")[0] for line in fitting.cut(window)] == ["QPushButton", "QLabel", "QLabel"]


def test_a_company_gives_way_where_there_is_no_room(qtbot: QtBot) -> None:
    button = ElidedButton()
    qtbot.addWidget(button)
    button.setText("Comércio && Importação de Utilidades LTDA")
    button.show()
    button.resize(button.sizeHint())
    assert button.shown_text == button.text()
    button.resize(button.minimumSizeHint())
    assert button.width() < button.sizeHint().width()
    assert button.shown_text.startswith("Com")
    assert button.shown_text.endswith("…")


def test_the_overview_has_room_for_what_comes_after_its_cards_were_moved(qtbot: QtBot, made: Made) -> None:
    scope = made.services.scope
    scope.choose(None, "2019-01")  # with next to nothing in it
    made.services.memory.put("overview/together", "yes")
    page = OverviewPage(made.services, actions.make(made.owner, made.services.look))
    qtbot.addWidget(page)
    page.resize(1100, 500)
    page.show()
    page.arrive()
    reaching.settle(qtbot, made.services)
    page.resize(736, 500)
    qtbot.waitUntil(lambda: page.amounts.isVisible() and list(fitting.cut(page)) == [])
    low = page.amounts.height()
    scope.choose(None, "2026-10")
    reaching.settle(qtbot, made.services)
    qtbot.waitUntil(lambda: page.amounts.height() > low)
    qtbot.waitUntil(lambda: list(fitting.cut(page)) == [])
