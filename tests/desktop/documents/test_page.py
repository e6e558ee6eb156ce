"""The page Documents as a person uses it: chips, search, selection, copying, columns, and what it says when empty."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from shutil import copyfile

import pytest
import shiboken6
from PySide6.QtCore import QItemSelectionModel, QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from confere.app.documents import browse
from confere.app.documents.browse import DocumentQuery
from confere.desktop.core import actions as commands
from confere.desktop.core.actions import Actions
from confere.desktop.documents.columns import COLUMNS, PLACES, PLAN
from confere.desktop.documents.filters import CHIPS, DocumentFilters
from confere.desktop.documents.page import DocumentsPage
from confere.desktop.shell.search.search_box import SearchBox
from confere.desktop.widgets.long_list.column_layout import standard
from confere.desktop.widgets.long_list.header_menu import fill_column_menu
from confere.system import formatting
from confere.system.settings import HIDE_PEOPLE
from tests.desktop.conftest import DOCUMENTS, Made

Key = Qt.Key
Control = Qt.KeyboardModifier.ControlModifier
Shift = Qt.KeyboardModifier.ShiftModifier
_ADD_ROW = QItemSelectionModel.SelectionFlag.Select | QItemSelectionModel.SelectionFlag.Rows


class Window(QWidget):
    """What the real window does with the page, and what the page said."""

    def __init__(self, made: Made) -> None:
        super().__init__()
        self.made = made
        self.acts: Actions = commands.make(self, made.services.look)
        self.box = SearchBox(made.services.look)
        self.page = DocumentsPage(made.services, self.acts)
        layout = QVBoxLayout(self)
        layout.addWidget(self.box)
        layout.addWidget(self.page, 1)
        self.sums: list[str] = []
        self.selected: list[object] = []
        self.opened: list[int] = []
        self.box.asked.connect(self.page.search)
        self.page.problem_found.connect(self.box.show_problem)
        self.page.search_cleared.connect(self.box.clear)
        self.page.totals_changed.connect(self.sums.append)
        self.page.selected.connect(self.selected.append)
        self.page.opened.connect(self.opened.append)
        self.resize(1280, 720)


Open = Callable[[Made], Window]


@pytest.fixture
def open_(qtbot: QtBot) -> Iterator[Open]:
    def show(made: Made) -> Window:
        window = Window(made)
        qtbot.addWidget(window)
        window.show()
        qtbot.waitExposed(window)
        window.page.arrive()
        _settle(qtbot, window)
        return window

    yield show


@pytest.fixture
def window(open_: Open, made: Made) -> Window:
    return open_(made)


def _settle(qtbot: QtBot, window: Window) -> None:
    reader = window.made.services.reader
    qtbot.waitUntil(lambda: window.page.model.is_settled and not reader.busy and not window.page.table.is_following)


def _ids(made: Made, query: DocumentQuery) -> list[int]:
    return [row.id for row in browse.find(made.services.workspace, query, None).documents]


def _clipboard() -> str:
    return QGuiApplication.clipboard().text()


def _change(made: Made, statement: str) -> None:
    with closing(sqlite3.connect(made.services.workspace.home.archive)) as archive, archive:
        archive.execute(statement)


def test_it_lists_the_archive_newest_first_and_sums_it_up(made: Made, window: Window) -> None:
    assert list(window.page.model.ids) == _ids(made, DocumentQuery())
    whole = browse.totals(made.services.opened, DocumentQuery())
    assert window.sums[-1].startswith(f"{DOCUMENTS} documents · {formatting.money(whole.worth)}")
    assert formatting.money(whole.void_worth) in window.page.totals_hint
    assert made.faults == []


def test_company_and_month_come_from_the_scope(qtbot: QtBot, made: Made, window: Window) -> None:
    company = browse.companies(made.services.opened)[0].tax_id
    made.services.scope.choose(company, "2026-10")
    _settle(qtbot, window)
    wanted = DocumentQuery(company=company, from_day="2026-10-01", to_day="2026-10-31")
    assert list(window.page.model.ids) == _ids(made, wanted)


def test_filters_list_what_the_archive_finds(qtbot: QtBot, made: Made, window: Window) -> None:
    for filters, query in (
        (DocumentFilters(types=("cte",)), DocumentQuery(types=("cte",))),
        (
            DocumentFilters(types=("cte", "nfe"), directions=("in",)),
            DocumentQuery(types=("cte", "nfe"), direction="in"),
        ),
        (DocumentFilters(states=("cancelled", "denied")), DocumentQuery(states=("cancelled", "denied"))),
        (DocumentFilters(operations=("sale",), ufs=("SP",)), DocumentQuery(operations=("sale",), uf="SP")),
        (DocumentFilters(marketplaces=("LOJA_VERDE",)), DocumentQuery(marketplaces=("LOJA_VERDE",))),
        (DocumentFilters(with_warnings=("no",)), DocumentQuery(with_warnings=False)),
        (DocumentFilters(day="2026-10-20"), DocumentQuery(from_day="2026-10-20", to_day="2026-10-20")),
    ):
        window.page.set_filters(filters)
        _settle(qtbot, window)
        found = _ids(made, query)
        assert found
        assert list(window.page.model.ids) == found


def test_a_chip_offers_what_occurs_and_says_what_was_chosen(qtbot: QtBot, made: Made, window: Window) -> None:
    page = window.page
    page.chips.wanted.emit()
    _settle(qtbot, window)
    chip = page.chips.buttons[[entry.key for entry in CHIPS].index("states")]
    offered = {action.data(): action for action in chip.menu().actions() if action.data()}
    assert set(offered) == {entry.value for entry in browse.choices(made.services.opened, DocumentQuery()).states}
    offered["cancelled"].trigger()
    _settle(qtbot, window)
    assert page.chips.filters == DocumentFilters(states=("cancelled",))
    assert chip.text() == chip.accessibleName() == "State: cancelled"
    assert list(page.model.ids) == _ids(made, DocumentQuery(states=("cancelled",)))
    offered["cancelled"].trigger()
    _settle(qtbot, window)
    assert not page.chips.filters.is_any
    assert len(page.model.ids) == DOCUMENTS


def test_values_are_ticked_by_the_space_bar_and_the_menu_stays(qtbot: QtBot, window: Window) -> None:
    page = window.page
    page.chips.wanted.emit()
    _settle(qtbot, window)
    menu = page.chips.buttons[0].menu()
    menu.popup(window.mapToGlobal(window.rect().center()))
    for place in (0, 1):
        menu.setActiveAction(menu.actions()[place])
        qtbot.keyClick(menu, Key.Key_Space)
    assert menu.isVisible()
    menu.close()
    assert len(page.chips.filters.types) == 2


def test_searching_narrows_and_escape_widens_again(qtbot: QtBot, made: Made, window: Window) -> None:
    row = browse.first(made.services.opened, DocumentQuery(types=("nfe",)))[0]
    window.box.setFocus()
    qtbot.keyClicks(window.box, f"numero:{row.series}/{row.number}")
    qtbot.keyClick(window.box, Key.Key_Return)
    _settle(qtbot, window)
    assert list(window.page.model.ids) == _ids(made, DocumentQuery(series=row.series, number=row.number))
    qtbot.keyClick(window.box, Key.Key_Escape)
    _settle(qtbot, window)
    assert len(window.page.model.ids) == DOCUMENTS


def test_typing_is_enough(qtbot: QtBot, window: Window) -> None:
    window.box.setFocus()
    qtbot.keyClicks(window.box, "type:cte")
    qtbot.waitUntil(lambda: window.page.model.query.types == ("cte",))


def test_a_wrong_search_says_what_is_wrong_under_the_box(qtbot: QtBot, window: Window) -> None:
    heights = window.page.y()
    window.box.put("valr>10")
    _settle(qtbot, window)
    assert "valr" in window.box.problem_text
    assert window.box.property("wrong") == "true"
    assert window.page.y() == heights
    bubble = next(child for child in window.findChildren(QWidget) if child.property("notice") == "bad")
    qtbot.mouseClick(bubble, Qt.MouseButton.LeftButton)
    assert window.box.selectedText() == "valr>10"
    window.box.put("valor>10")
    _settle(qtbot, window)
    assert window.box.problem_text == ""
    assert window.box.property("wrong") == "false"


def test_names_of_fields_and_values_are_completed(qtbot: QtBot, window: Window) -> None:
    window.box.setFocus()
    qtbot.keyClicks(window.box, "dire")
    popup = window.box.completer_popup
    assert popup.isVisible()
    qtbot.keyClick(popup, Key.Key_Down)
    qtbot.keyClick(popup, Key.Key_Return)
    assert window.box.text() == "direction:"
    qtbot.keyClicks(window.box, "o")
    qtbot.keyClick(popup, Key.Key_Down)
    qtbot.keyClick(popup, Key.Key_Return)
    assert window.box.text() == "direction:out "


def test_the_selection_stays_with_its_documents_when_the_archive_changes(
    qtbot: QtBot, made: Made, window: Window
) -> None:
    page = window.page
    chosen = [page.model.ids[40], page.model.ids[90]]
    page.select_document(chosen[0])
    place = page.model.place_of(chosen[1])
    assert place is not None
    page.table.selectionModel().select(page.model.index(place, 0), _ADD_ROW)
    page.table.scrollTo(page.model.index(40, 0), page.table.ScrollHint.PositionAtTop)
    top = page.model.ids[page.table.rowAt(0)]
    _settle(qtbot, window)
    window.selected.clear()
    _change(made, f"UPDATE document SET is_current = 0 WHERE id IN ({page.model.ids[3]}, {page.model.ids[5]})")
    page.archive_changed()
    qtbot.waitUntil(lambda: len(page.model.ids) == DOCUMENTS - 2)
    _settle(qtbot, window)
    assert list(page.table.selected_ids()) == chosen
    assert page.selected_id == chosen[0]
    assert page.model.ids[page.table.rowAt(0)] == top
    assert window.selected == []  # still the same document: nothing to show anew


def test_another_establishment_changes_who_is_the_other_side(qtbot: QtBot, made: Made, window: Window) -> None:
    page = window.page
    row = next(
        row
        for row in browse.first(made.services.opened, DocumentQuery(), DOCUMENTS)
        if row.operation == "sale" and row.direction == "1"
    )
    place = page.model.place_of(row.id)
    assert place is not None
    cell = page.model.index(place, PLACES["counterparty"])
    assert cell.data() == row.recipient_name
    _change(made, "DELETE FROM establishment")
    page.archive_changed()
    qtbot.waitUntil(lambda: cell.data() == row.emitter_name)


def test_the_selection_stays_when_the_order_changes(qtbot: QtBot, window: Window) -> None:
    page = window.page
    chosen = page.model.ids[10]
    page.select_document(chosen)
    page.table.sort_by("total", True)
    _settle(qtbot, window)
    assert list(page.table.selected_ids()) == [chosen]


def test_arrow_keys_tell_of_the_document_they_come_to_rest_on(qtbot: QtBot, window: Window) -> None:
    page = window.page
    page.table.setFocus()
    page.table.stand_on_first()
    _settle(qtbot, window)
    window.selected.clear()
    for _ in range(5):
        qtbot.keyClick(page.table, Key.Key_Down)
    qtbot.waitUntil(lambda: bool(window.selected))
    assert window.selected == [page.model.ids[5]]


def test_the_keyboard_walks_the_list(qtbot: QtBot, window: Window) -> None:
    page, table = window.page, window.page.table
    table.setFocus()
    table.stand_on_first()
    qtbot.keyClick(table, Key.Key_End)
    assert page.selected_id == page.model.ids[-1]
    qtbot.keyClick(table, Key.Key_Home)
    assert page.selected_id == page.model.ids[0]
    qtbot.keyClick(table, Key.Key_PageDown)
    assert table.currentIndex().row() > 5
    qtbot.keyClick(table, Key.Key_Home)
    qtbot.keyClick(table, Key.Key_End, Shift)
    assert len(table.selected_ids()) == DOCUMENTS
    qtbot.keyClick(table, Key.Key_Return)
    assert window.opened == [page.model.ids[-1]]


def test_selected_rows_are_summed_up(qtbot: QtBot, made: Made, window: Window) -> None:
    window.page.table.selectAll()
    _settle(qtbot, window)
    whole = browse.totals(made.services.opened, DocumentQuery())
    assert window.sums[-1].endswith(f"{DOCUMENTS} selected {formatting.money(whole.worth)}")
    window.page.table.clearSelection()
    _settle(qtbot, window)
    assert "selected" not in window.sums[-1]


def test_rows_are_copied_with_the_columns_on_the_screen(qtbot: QtBot, made: Made, window: Window) -> None:
    page = window.page
    page.table.show_column("key", True)
    page.table.show_column("operation", False)
    page.table.horizontalHeader().moveSection(page.table.horizontalHeader().visualIndex(PLACES["key"]), 0)
    page.select_document(page.model.ids[0])
    page.table.setFocus()
    qtbot.keyClick(page.table, Key.Key_Down, Shift)
    qtbot.keyClick(page.table, Key.Key_C, Control)
    head, *lines = _clipboard().splitlines()
    assert head.startswith("Access key\tSeries\tNumber\tType\tIssued\tCustomer or supplier\tValue\tState")
    assert "Operation" not in head
    rows = browse.rows(made.services.opened, page.model.ids[:2])
    assert [line.split("\t")[0] for line in lines] == [row.access_key for row in rows]
    assert {len(line.split("\t")) for line in lines} == {len(head.split("\t"))}


def test_keys_are_copied_one_a_line(qtbot: QtBot, made: Made, window: Window) -> None:
    page = window.page
    page.select_document(page.model.ids[0])
    page.table.setFocus()
    qtbot.keyClick(page.table, Key.Key_Down, Shift)
    page.copy_keys()
    assert _clipboard().split("\n") == [row.access_key for row in browse.rows(made.services.opened, page.model.ids[:2])]


def test_many_rows_are_copied_beside_the_window(
    qtbot: QtBot, made: Made, window: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("confere.desktop.widgets.long_list.clipboard.AT_ONCE", 50)
    monkeypatch.setattr("confere.desktop.widgets.long_list.clipboard.BLOCK", 70)
    QGuiApplication.clipboard().clear()
    window.page.table.selectAll()
    window.page.copy_rows()
    assert _clipboard() == ""
    qtbot.waitUntil(lambda: len(_clipboard().splitlines()) == DOCUMENTS + 1)


def test_columns_come_back_as_they_were_left(qtbot: QtBot, open_: Open, made: Made, window: Window) -> None:
    table = window.page.table
    header = table.horizontalHeader()
    table.show_column("key", True)
    table.show_column("marketplace", False)
    header.moveSection(header.visualIndex(PLACES["total"]), 0)
    header.resizeSection(PLACES["state"], 155)
    table.sort_by("total", False)
    _settle(qtbot, window)
    second = open_(made)
    again = second.page.table
    assert again.arrangement == table.arrangement
    assert not again.isColumnHidden(PLACES["key"])
    assert again.isColumnHidden(PLACES["marketplace"])
    assert again.horizontalHeader().visualIndex(PLACES["total"]) == 0
    assert again.columnWidth(PLACES["state"]) == 155
    assert again.model().ids == window.page.model.ids
    again.arrange(standard(PLAN))
    assert [column.key for column in again.visible_columns()] == [column.key for column in COLUMNS if column.shown]


def test_a_click_on_a_head_sorts_and_another_turns_it(qtbot: QtBot, made: Made, window: Window) -> None:
    page = window.page
    header = page.table.horizontalHeader()

    def click(key: str) -> None:
        place = header.sectionViewportPosition(PLACES[key]) + 20
        qtbot.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(place, header.height() // 2))
        _settle(qtbot, window)

    click("total")
    assert list(page.model.ids) == _ids(made, DocumentQuery(sort="total", descending=True))
    click("total")
    assert list(page.model.ids) == _ids(made, DocumentQuery(sort="total", descending=False))
    click("counterparty")
    assert list(page.model.ids) == _ids(made, DocumentQuery(sort="counterparty", descending=False))


def test_a_head_that_cannot_sort_leaves_the_order_alone(qtbot: QtBot, window: Window) -> None:
    page = window.page
    page.table.show_column("direction", True)
    before = list(page.model.ids)
    page.table.horizontalHeader().setSortIndicator(PLACES["direction"], Qt.SortOrder.AscendingOrder)
    _settle(qtbot, window)
    assert list(page.model.ids) == before
    assert page.table.horizontalHeader().sortIndicatorSection() == PLACES["issued"]


def test_columns_are_sorted_and_hidden_by_keyboard_too(qtbot: QtBot, made: Made, window: Window) -> None:
    menu = QMenu(window)
    fill_column_menu(menu, window.page.table)
    entries = {action.text(): action for action in menu.actions()}
    entries["Operation"].trigger()
    assert window.page.table.isColumnHidden(PLACES["operation"])
    sorts = {action.text(): action for action in menu.actions()[0].menu().actions()}
    sorts["Value"].trigger()
    _settle(qtbot, window)
    assert list(window.page.model.ids) == _ids(made, DocumentQuery(sort="total", descending=True))


def test_an_empty_folder_teaches(open_: Open, made_empty: Made) -> None:
    window = open_(made_empty)
    assert window.page.empty.isVisible()
    assert window.page.empty.title == "There are no documents yet"
    assert window.page.empty.offered == ("Import files…", "Go to the overview")
    assert made_empty.faults == []


def test_an_archive_that_comes_is_listed(qtbot: QtBot, open_: Open, made_empty: Made, home: Path) -> None:
    window = open_(made_empty)
    copyfile(home / "archive.sqlite3", made_empty.services.workspace.home.archive)
    window.page.archive_changed()
    qtbot.waitUntil(lambda: len(window.page.model.ids) == DOCUMENTS)
    assert window.page.table.isVisible()


def test_an_archive_that_goes_leaves_no_rows_on_the_screen(qtbot: QtBot, made: Made, window: Window) -> None:
    made.services.opened.close()
    for file in made.services.workspace.home.root.glob("archive.sqlite3*"):
        file.unlink()
    window.page.archive_changed()
    qtbot.waitUntil(lambda: window.page.empty.isVisible())
    assert made.faults == []


def test_nothing_found_offers_the_way_back(qtbot: QtBot, window: Window) -> None:
    window.box.put("nosuchwordanywhere")
    window.page.set_filters(DocumentFilters(types=("cte",)))
    _settle(qtbot, window)
    assert window.page.empty.isVisible()
    assert window.page.empty.offered == ("Clear search and filters",)
    window.page.empty.clear_wanted.emit()
    _settle(qtbot, window)
    assert len(window.page.model.ids) == DOCUMENTS
    assert window.box.text() == ""
    assert not window.page.chips.filters.is_any


def test_nothing_in_this_month_offers_every_month(qtbot: QtBot, made: Made, window: Window) -> None:
    row = browse.first(made.services.opened, DocumentQuery(descending=False, types=("nfe",)))[0]
    made.services.scope.choose(None, "2026-10")
    window.box.put(row.access_key or "")
    _settle(qtbot, window)
    assert window.page.empty.offered == ("Clear search and filters", "Search in every month")
    window.page.empty.every_month_wanted.emit()
    _settle(qtbot, window)
    assert list(window.page.model.ids) == [row.id]
    assert made.services.scope.month is None


def test_a_page_that_is_not_seen_waits_until_it_is(qtbot: QtBot, made: Made, window: Window) -> None:
    window.page.hide()
    made.services.scope.choose(None, "2026-10")
    window.page.archive_changed()
    assert not made.services.reader.busy
    window.page.show()
    window.page.arrive()
    _settle(qtbot, window)
    assert 0 < len(window.page.model.ids) < DOCUMENTS


def test_people_can_be_hidden(qtbot: QtBot, made: Made, window: Window) -> None:
    row = next(
        row
        for row in browse.first(made.services.opened, DocumentQuery(), DOCUMENTS)
        if row.operation == "sale" and row.direction == "1" and len(row.recipient_tax_id or "") == 11
    )
    place = window.page.model.place_of(row.id)
    assert place is not None
    index = window.page.model.index(place, PLACES["counterparty"])
    assert index.data() == row.recipient_name
    made.services.workspace.settings.set(HIDE_PEOPLE, True)
    window.page.arrive()
    _settle(qtbot, window)
    assert (row.recipient_name or "") not in index.data()


def test_a_document_can_be_selected_before_the_list_is_there(qtbot: QtBot, made: Made, window: Window) -> None:
    wanted = _ids(made, DocumentQuery(types=("cte",)))[-1]
    window.page.show_only(types=("cte",))
    window.page.select_document(wanted)
    _settle(qtbot, window)
    assert window.page.selected_id == wanted


def test_every_control_is_reached_by_tab_and_has_a_name(qtbot: QtBot, window: Window) -> None:
    day = browse.first(window.made.services.opened, DocumentQuery(types=("cte",)))[0].issued_on
    window.page.set_filters(DocumentFilters(types=("cte",), day=day))
    _settle(qtbot, window)
    reached = set()
    widget: QWidget | None = window.box
    for _ in range(80):  # more than there are
        assert widget is not None
        if widget.isVisible() and widget.focusPolicy() & Qt.FocusPolicy.TabFocus:
            reached.add(widget)
        widget = widget.nextInFocusChain()
    page = window.page
    assert {window.box, page.table, *page.chips.buttons} <= reached
    for control in reached:
        text = control.accessibleName() or str(getattr(control, "text", str)())
        assert text, control


def test_the_context_menu_has_no_dead_entry(window: Window) -> None:
    assert window.page.context_menu() is None
    window.page.select_document(window.page.model.ids[2])
    menu = window.page.context_menu()
    assert menu is not None
    titles = [action.text() for action in menu.actions() if not action.isSeparator()]
    assert titles == ["Open", "Copy the rows", "Copy the access key", "Save XML…", "Tags"]
    menu.actions()[0].trigger()
    assert window.opened == [window.page.model.ids[2]]
    menu.close()


def test_an_answer_for_a_page_that_is_gone_is_dropped(qtbot: QtBot, made: Made) -> None:
    page = DocumentsPage(made.services, commands.make(made.owner, made.services.look))
    page.arrive()
    assert made.services.reader.busy
    shiboken6.delete(page)
    qtbot.waitUntil(lambda: not made.services.reader.busy)
    assert made.faults == []


def test_light_and_dark_are_painted(made: Made, window: Window) -> None:
    light = window.page.table.viewport().grab().toImage().pixelColor(2, 2).lightness()
    made.services.look.use("dark")
    dark = window.page.table.viewport().grab().toImage().pixelColor(2, 2).lightness()
    assert dark < 80 < 200 < light
