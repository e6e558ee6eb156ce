"""Suggestions under the search box: numbers, people, orders and fields, by keys alone, without taking the focus."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from confere.app.archive_session import OpenArchive
from confere.app.context import Workspace
from confere.app.documents import browse
from confere.app.documents.search import search_grammar
from confere.app.documents.search.search_suggestions import SearchSuggestion, suggestions
from confere.desktop.shell.controller import connected_window
from confere.desktop.shell.search.search_box import SearchBox
from confere.desktop.shell.search.search_suggester import SearchSuggester
from tests.app.documents.search.searched_world import fill, letter_of
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
def made(qapp: QApplication, searched: Path) -> Iterator[Made]:
    made = Made(qapp, searched)
    yield made
    made.close()


@pytest.fixture
def window(qtbot: QtBot, made: Made) -> Window:
    window = Window(made)
    SearchSuggester(window.box, made.services)
    window.box.left.connect(window.page.stand_on_result)
    qtbot.addWidget(window)
    window.show()
    qtbot.waitExposed(window)
    window.page.arrive()
    window.box.setFocus()
    return window


def _labels(box: SearchBox) -> list[str]:
    model = box.completer_popup.model()
    return [model.index(row, 0).data() for row in range(model.rowCount())] if box.completer_popup.isVisible() else []


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("6539", ["1/6539 · NF-e · 2026-10-31 · Patrícia Souza", "value of R$ 6.539,00"]),
        ("1/65", ["1/6539 · NF-e · 2026-10-31 · Patrícia Souza", "1/6540 · NF-e · 2026-10-15 · Maria Aparecida"]),
        ("patr", ["Patrícia Lima", "Patrícia Souza"]),
        ("sao", ["Padaria São João Ltda"]),
        ("20000123", ["order 2000012345678", "order 2000012345679"]),
        ("MLB", []),
        ("MLB-7", ["order MLB-77-1"]),
        ("1/2026", ["month 01/2026"]),
        ("x", []),
        ('"%_\x00', []),
    ],
)
def test_what_a_word_may_become(made: Made, word: str, expected: list[str]) -> None:
    labels = [offer.label for offer in suggestions(made.services.opened, word)]
    assert set(expected) <= set(labels)
    assert bool(labels) == bool(expected)


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("65", {"1/6539", "1/6541"}),
        ("patr", {"Patrícia Souza"}),
        ("20000123", {"order 2000012345678"}),
        ("MLB-7", set()),
    ],
)
def test_they_are_of_the_days_and_the_company_in_use(made: Made, word: str, expected: set[str]) -> None:
    opened = made.services.opened
    last_day = browse.DocumentQuery(from_day="2026-10-31", to_day="2026-10-31")
    kinds = ("1/", "2/", "Pat", "order")
    for within, found in ((last_day, expected), (browse.DocumentQuery(company="00000000000191"), set())):
        labels = {offer.label.partition(" · ")[0] for offer in suggestions(opened, word, within=within)}
        assert {label for label in labels if label.startswith(kinds)} == found


def test_what_is_typed_in_the_box_is_offered_of_the_month_in_use(qtbot: QtBot, window: Window, made: Made) -> None:
    made.services.scope.choose(None, "2026-09")
    qtbot.keyClicks(window.box, "pat")
    qtbot.waitUntil(lambda: not made.services.reader.busy and not window.box._typing.isActive())
    assert "Patrícia Souza" not in _labels(window.box)
    made.services.scope.choose(None, "2026-10")
    qtbot.keyClicks(window.box, "r")
    qtbot.waitUntil(lambda: "Patrícia Souza" in _labels(window.box))
    made.services.scope.choose(None, None)  # remembered in the folder, which other tests use too


def test_people_are_not_named_where_they_are_hidden(made: Made) -> None:
    assert suggestions(made.services.opened, "patr", hide_people=True) == ()
    labels = [offer.label for offer in suggestions(made.services.opened, "6539", hide_people=True)]
    assert "1/6539 · NF-e · 2026-10-31" in labels


def test_they_are_chosen_by_keys_and_the_keyboard_stays_in_the_box(qtbot: QtBot, window: Window) -> None:
    qtbot.keyClicks(window.box, "patr")
    qtbot.waitUntil(lambda: "Patrícia Souza" in _labels(window.box))
    assert window.box.hasFocus()
    popup = window.box.completer_popup
    while [index.data() for index in popup.selectedIndexes()] != ["Patrícia Souza"]:
        qtbot.keyClick(popup, Key.Key_Down)
    qtbot.keyClick(popup, Key.Key_Return)
    assert window.box.text() == '"Patrícia Souza" '
    qtbot.waitUntil(lambda: len(window.page.model.ids) == 1)


def test_enter_searches_what_was_typed_although_the_list_got_the_keyboard(qtbot: QtBot, window: Window) -> None:
    """A window system may give the list the keyboard; Qt makes its first row current then, and selects none."""
    qtbot.keyClicks(window.box, "6539")
    qtbot.waitUntil(lambda: bool(_labels(window.box)))
    popup = window.box.completer_popup
    QCoreApplication.sendEvent(popup, QFocusEvent(QEvent.Type.FocusIn, Qt.FocusReason.PopupFocusReason))
    assert popup.currentIndex().isValid()
    qtbot.keyClick(popup, Key.Key_Return)
    assert window.box.text() == "6539"
    assert not popup.isVisible()


def test_enter_selects_it_although_the_page_does_not_know_yet_whose_documents_these_are(
    qtbot: QtBot, window: Window, made: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From another page, Enter may come before the page has been able to ask for its list."""
    known, page = threading.Event(), window.page
    own = browse.own_tax_ids(made.services.opened)

    def late(_opened: OpenArchive) -> frozenset[str]:
        known.wait(60)
        return own

    qtbot.waitUntil(lambda: not made.services.reader.busy)
    monkeypatch.setattr(browse, "own_tax_ids", late)
    page._own = None
    page.model.clear()  # as before the first visit
    page.search("1/6539")
    page.stand_on_result()
    qtbot.waitUntil(lambda: len(made.services.reader._open) == 1)
    known.set()
    qtbot.waitUntil(lambda: page.selected_id is not None and len(page.model.ids) == 2)


def test_what_comes_late_or_while_one_chooses_is_left_out(qtbot: QtBot, window: Window) -> None:
    qtbot.keyClicks(window.box, "patr")
    qtbot.waitUntil(lambda: "Patrícia Souza" in _labels(window.box))
    before = _labels(window.box)
    window.box.offer("padaria", (SearchSuggestion("x", "late"),))
    qtbot.keyClick(window.box.completer_popup, Key.Key_Down)
    window.box.offer("patr", (SearchSuggestion("x", "late"),))
    assert _labels(window.box) == before


def test_enter_selects_the_row_that_shows_what_was_typed(qtbot: QtBot, window: Window) -> None:
    qtbot.keyClicks(window.box, "1/6539")
    qtbot.keyClick(window.box, Key.Key_Return)
    qtbot.waitUntil(lambda: window.page.selected_id is not None and len(window.page.model.ids) == 2)
    row = window.page.model.line(window.page.table.currentIndex().row())
    assert row is not None
    assert letter_of(row.row.type, row.row.series, row.row.number) == "A"  # not the freight above it
    tip = window.page.model.index(0, 0).data(Qt.ItemDataRole.ToolTipRole)
    assert "Found by: CT-e of note 1/6539" in tip


def test_the_grammar_is_built_before_anybody_searches(qtbot: QtBot, made: Made) -> None:
    search_grammar._parser.cache_clear()
    window = connected_window(made.services)
    qtbot.addWidget(window)
    qtbot.waitUntil(lambda: not made.services.reader.busy)
    assert search_grammar._parser.cache_info().currsize == 1
