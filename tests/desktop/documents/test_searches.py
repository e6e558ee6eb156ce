"""The search box finds what the table of searches says, as `confere list` does, and refuses in the same words."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from confere.app.context import Workspace
from confere.app.documents import browse
from tests.app.documents.search.searched_world import fill, letter_of
from tests.app.documents.search.searches import SEARCHES, Refused
from tests.desktop.conftest import Made
from tests.desktop.documents.test_page import Window

Key = Qt.Key


@pytest.fixture(scope="module")
def searched(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("searched") / "home"
    with Workspace.at(folder).writing("test") as archive:
        fill(archive)
    return folder


@pytest.fixture
def window(qapp: QApplication, qtbot: QtBot, searched: Path) -> Iterator[Window]:
    made = Made(qapp, searched)
    window = Window(made)
    qtbot.addWidget(window)
    window.show()
    qtbot.waitExposed(window)
    window.page.arrive()
    _settle(qtbot, window)
    yield window
    made.close()


def _settle(qtbot: QtBot, window: Window) -> None:
    reader = window.made.services.reader
    qtbot.waitUntil(lambda: window.page.model.is_settled and not reader.busy and not window.page.table.is_following)


def _letters(window: Window) -> str:
    rows = browse.rows(window.made.services.opened, window.page.model.ids)
    return " ".join(letter_of(row.type, row.series, row.number) for row in rows)


def test_the_table_of_searches(qtbot: QtBot, window: Window) -> None:
    box, before = window.box, _letters(window)
    for text, expected in SEARCHES.items():
        if len(text) > box.maxLength():
            continue
        box.put(text)
        while not window.page.model.is_settled:  # as `waitUntil`, which looks only every ten milliseconds
            QApplication.processEvents()
        if isinstance(expected, Refused):
            assert expected.what in box.problem_text, text
            assert _letters(window) == before, text  # nothing else changes
        else:
            assert (box.problem_text, _letters(window)) == ("", expected), text
            before = expected
    _settle(qtbot, window)
