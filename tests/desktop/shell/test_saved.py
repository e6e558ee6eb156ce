"""The sidebar's saved searches and tags, the star beside the search, and the tags of the list's rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from confere.app.documents.browse import DocumentQuery
from confere.app.documents.organize import saved_searches, tags
from confere.desktop.core.actions import Action
from confere.desktop.dialogs.naming.save_search import SaveSearchDialog
from confere.desktop.documents import saved_filters
from confere.desktop.documents.filters import DocumentFilters
from confere.desktop.services import Services
from confere.desktop.shell.controller import WindowController
from confere.desktop.shell.saved.saved_commands import SavedCommands
from confere.desktop.shell.window import MainWindow
from confere.desktop.theme.palettes import DARK, LIGHT, contrast
from confere.desktop.theme.tag_colours import tag_colour
from tests.desktop.reaching import open_main, settle

_ADD_ROW = QItemSelectionModel.SelectionFlag.Select | QItemSelectionModel.SelectionFlag.Rows


@pytest.fixture
def window(qtbot: QtBot, services: Services) -> Iterator[MainWindow]:
    services.scope.choose(None, None)
    made = open_main(qtbot, services)
    made.go_to(Action.DOCUMENTS)
    settle(qtbot, services)
    yield made


def _commands(window: MainWindow) -> SavedCommands:
    found = window.findChild(WindowController)
    assert isinstance(found, WindowController)
    return found.saved


def _lines(window: MainWindow) -> list[str]:
    shown = window.sidebar.saved
    return [shown.item(row).text() for row in range(shown.count())]


def _dialog(qtbot: QtBot, window: MainWindow, kind: type) -> object:
    qtbot.waitUntil(lambda: isinstance(_commands(window).dialog, kind))
    return _commands(window).dialog


def _told(window: MainWindow) -> Callable[[], None]:
    """What the button of the newest notice does."""
    notice = window.notices._lines[0].notice
    assert notice.action is not None
    return notice.action[1]


def test_the_star_saves_what_is_shown_and_one_click_shows_it_again(
    qtbot: QtBot, window: MainWindow, services: Services
) -> None:
    assert _lines(window)[0] == "Saved searches"
    window.documents.set_filters(DocumentFilters(types=("cte",), states=("authorized",)))
    window.top.search.put("valor>1")
    settle(qtbot, services)
    wanted = list(window.documents.model.ids)
    assert wanted
    window.top.star.click()
    dialog = _dialog(qtbot, window, SaveSearchDialog)
    assert isinstance(dialog, SaveSearchDialog)
    dialog.edit.setText("Fretes")
    dialog.button.click()
    qtbot.waitUntil(lambda: "Fretes" in _lines(window))
    window.documents.show_only()
    window.go_to(Action.OVERVIEW)
    settle(qtbot, services)
    shown = window.sidebar.saved
    item = shown.item_of(shown.arranged.searches[0])
    assert item is not None
    QTest.mouseClick(
        shown.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, shown.visualItemRect(item).center()
    )
    settle(qtbot, services)
    assert window.place is Action.DOCUMENTS
    assert window.top.search.text() == "valor>1"
    assert window.documents.chips.filters == DocumentFilters(types=("cte",), states=("authorized",))
    assert list(window.documents.model.ids) == wanted


def test_a_search_is_renamed_removed_and_brought_back_by_keys(
    qtbot: QtBot, window: MainWindow, services: Services
) -> None:
    saved_searches.save(services.workspace, "Um", "camiseta", DocumentQuery())
    saved_searches.save(services.workspace, "Dois", "caneca", DocumentQuery())
    _commands(window).refresh()
    qtbot.waitUntil(lambda: _lines(window)[1:] == ["Um", "Dois"])
    shown = window.sidebar.saved
    shown.setFocus(Qt.FocusReason.TabFocusReason)
    assert shown.currentItem().text() == "Um"
    QTest.keyClick(shown, Qt.Key.Key_Delete)
    qtbot.waitUntil(lambda: _lines(window)[1:] == ["Dois"])
    qtbot.waitUntil(lambda: bool(window.notices.texts))
    _told(window)()
    qtbot.waitUntil(lambda: _lines(window)[1:] == ["Um", "Dois"])
    shown.setCurrentItem(shown.item(1))
    QTest.keyClick(shown, Qt.Key.Key_F2)
    dialog = _commands(window).dialog
    assert dialog is not None
    dialog.edit.setText("  ")  # type: ignore[attr-defined]
    assert not dialog.button.isEnabled()  # type: ignore[attr-defined]
    dialog.edit.setText("Tres")  # type: ignore[attr-defined]
    dialog.button.click()  # type: ignore[attr-defined]
    qtbot.waitUntil(lambda: _lines(window)[1:] == ["Tres", "Dois"])


def test_selected_rows_are_tagged_shown_and_undone(qtbot: QtBot, window: MainWindow, services: Services) -> None:
    page = window.documents
    page.table.selectionModel().clear()
    for row in range(3):
        page.table.selectionModel().select(page.model.index(row, 0), _ADD_ROW)
    chosen = page.table.selected_ids()
    page.tags.ask_new(chosen)
    dialog = page.tags.dialog
    assert dialog is not None
    dialog.edit.setText("a,b")
    assert not dialog.button.isEnabled()
    dialog.edit.setText("Pagar & conferir")
    dialog.button.click()
    qtbot.waitUntil(lambda: _lines(window)[-2:] == ["Tags", "Pagar & conferir"])
    settle(qtbot, services)
    line = page.model.line(0)
    assert line is not None
    assert [tag.name for tag in line.row.tags] == ["Pagar & conferir"]
    page.table.setCurrentIndex(page.model.index(0, 0))
    menu = page.context_menu()
    assert menu is not None
    (entry,) = [action for action in page.tags.menu(menu).actions() if action.isCheckable()]
    assert entry.isChecked()
    assert entry.text() == "Pagar && conferir"
    menu.deleteLater()
    window.sidebar.saved.opened.emit(window.sidebar.saved.arranged.tags[0])
    settle(qtbot, services)
    assert sorted(page.model.ids) == sorted(chosen)
    assert window.top.search.text() == 'tag:"Pagar & conferir"'
    page.tags.undo()
    qtbot.waitUntil(lambda: tags.every(services.opened)[0].documents == 0)
    settle(qtbot, services)
    page.tags.undo()  # once only
    assert tags.every(services.opened)[0].documents == 0


@pytest.mark.parametrize(
    ("query", "words", "filters", "company", "month", "every_month"),
    [
        (DocumentQuery(from_day="2026-02-01", to_day="2026-02-28"), "", {}, None, "2026-02", False),
        (DocumentQuery(from_day="2026-02-03", to_day="2026-02-03"), "", {"day": "2026-02-03"}, None, "2026-02", False),
        (DocumentQuery(from_day="2026-02-03"), "issued:2026-02-03..", {}, None, None, True),
        (DocumentQuery(number=7, series=1, company="123"), "number:1/7", {}, "123", None, False),
        (
            DocumentQuery(order_id="A 1", gone=True, tags=("a b", "c"), direction="in", with_warnings=False),
            'order:"A 1" tag:"a b,c" listed:no',
            {"directions": ("in",), "with_warnings": ("no",)},
            None,
            None,
            False,
        ),
    ],
)
def test_filters_of_the_command_line_have_a_place_in_the_window(
    query: DocumentQuery,
    words: str,
    filters: dict[str, object],
    company: str | None,
    month: str | None,
    every_month: bool,
) -> None:
    saved = saved_searches.SavedSearch(1, "x", "", saved_searches.kept_filters(query), 1, "")
    found = saved_filters.opened(saved)
    assert found == saved_filters.OpenedSearch(
        words,
        DocumentFilters(**filters),  # type: ignore[arg-type]
        company,
        month,
        every_month,
    )


def test_a_saved_search_that_keeps_to_no_month_leaves_the_period_that_was_chosen(
    qtbot: QtBot, window: MainWindow, services: Services
) -> None:
    day = DocumentFilters(day="2026-10-31")
    saved_searches.save(services.workspace, "dear", "valor>100", DocumentQuery())
    saved_searches.save(services.workspace, "october", "", saved_filters.query_of(DocumentFilters(), None, "2026-10"))
    saved_searches.save(services.workspace, "one day", "", saved_filters.query_of(day, None, None))
    kept = {search.name: search for search in saved_searches.every(services.opened)}
    services.scope.choose_period("2026-10-10", "2026-11-20")
    _commands(window).open(kept["dear"])
    settle(qtbot, services)
    assert services.scope.period == ("2026-10-10", "2026-11-20")
    asked = window.documents.model.query
    assert (asked.from_day, asked.to_day) == ("2026-10-10", "2026-11-20")
    _commands(window).open(kept["october"])
    assert (services.scope.month, services.scope.period) == ("2026-10", None)
    _commands(window).open(kept["one day"])
    settle(qtbot, services)
    asked = window.documents.model.query
    assert (asked.from_day, asked.to_day) == ("2026-10-31", "2026-10-31")


def test_a_day_lies_in_the_period_or_goes(qtbot: QtBot, window: MainWindow, services: Services) -> None:
    page = window.documents
    services.scope.choose(None, "2026-10")
    page.set_filters(DocumentFilters(day="2026-10-31"))
    services.scope.choose_period("2026-10-20", "2026-11-05")
    settle(qtbot, services)
    assert (page.model.query.from_day, page.model.query.to_day) == ("2026-10-31", "2026-10-31")
    services.scope.choose_period("2026-09-10", "2026-09-20")
    settle(qtbot, services)
    assert page.chips.filters.day is None
    assert (page.model.query.from_day, page.model.query.to_day) == ("2026-09-10", "2026-09-20")
    outside = DocumentFilters(day="2026-10-31").within(page.model.query)
    assert outside.from_day is not None and outside.to_day is not None and outside.from_day > outside.to_day


def test_a_filter_of_a_newer_program_is_told_and_shows_no_more_than_was_asked_for(
    qtbot: QtBot, window: MainWindow, services: Services
) -> None:
    before = window.documents.model.query
    saved = saved_searches.SavedSearch(1, "Novo", "", {"moon": "full"}, 1, "")
    _commands(window).open(saved)
    services.watch.changed.emit()  # another program wrote meanwhile
    settle(qtbot, services)
    assert window.documents.model.query == before
    assert "moon" in "\n".join(window.notices.texts)


def test_colours_of_tags_are_seen_on_every_ground() -> None:
    for colours in (LIGHT, DARK):
        found = {tag_colour(number, colours) for number in range(tags.COLOURS)}
        assert len(found) == tags.COLOURS
        for colour in found:
            for ground in (colours.surface, colours.window, colours.accent_soft):
                assert contrast(colour, ground) >= 3


def test_how_to_save_a_search_is_said_in_full(window: MainWindow) -> None:
    saved = window.sidebar.saved
    (hint,) = (saved.itemWidget(item) for item in map(saved.item, range(saved.count())) if saved.itemWidget(item))
    assert hint.height() >= hint.heightForWidth(hint.width())
