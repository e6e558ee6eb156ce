"""Columns share the room of a table: those that do not decide leave, others say it briefly, figures stay whole."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from confere.desktop.widgets.columns.column_fit import LEFT_OUT, ColumnRoom, fit, rest_of
from confere.desktop.widgets.columns.elided_header import ARROW_ROOM, head_width
from confere.desktop.widgets.table import Table, TableColumn, fill_column_menu
from tests.desktop.conftest import Made

STAYS = ColumnRoom(least=50, usual=80, wanted=120, ample=140, turn=1)
PILL = ColumnRoom(least=40, usual=40, wanted=60, ample=60)
SECOND, FIRST = STAYS._replace(rank=1), STAYS._replace(rank=2)  # to leave


@pytest.mark.parametrize(
    ("columns", "room", "widths"),
    [
        ([STAYS, PILL], 300, (140, 60)),  # nothing needs the rest
        ([STAYS, PILL], 160, (100, 60)),  # the pill is whole first
        ([STAYS, PILL], 100, (60, 40)),
        ([STAYS, PILL], 89, (80, 40)),  # nothing is gained by squeezing a table that scrolls
        ([FIRST, STAYS, SECOND], 239, (LEFT_OUT, 120, 119)),
        ([FIRST, STAYS, SECOND, FIRST], 240, (LEFT_OUT, 120, 120, LEFT_OUT)),  # of one rank together
        ([FIRST, STAYS, SECOND], 159, (LEFT_OUT, 140, LEFT_OUT)),
    ],
)
def test_the_room_is_shared(columns: list[ColumnRoom], room: int, widths: tuple[int, ...]) -> None:
    assert fit(columns, room) == widths


@pytest.mark.parametrize(
    ("room", "usual", "width"),
    [
        (340, 90, 100),  # all the rest
        (319, 250, 199),  # the last would be cut
        (319, 100, 100),  # no wider than usual
        (79, 160, 80),  # not seen whole itself
    ],
)
def test_no_slice_of_a_column_is_seen(room: int, usual: int, width: int) -> None:
    assert rest_of((80, 60, 60, 120), 0, usual, room) == width


LONG = "cancel until 31/10 10:00"
Row = tuple[str, str, str]


@pytest.fixture
def make(qtbot: QtBot, made_empty: Made) -> Callable[[int], Table[Row]]:
    def made(width: int) -> Table[Row]:
        columns: tuple[TableColumn[Row], ...] = (
            TableColumn("company", "Company", lambda row: row[0], 100, rank=1),
            TableColumn("what", "What", lambda row: row[1], 140, stretches=True, narrowest=80),
            TableColumn("due", "Due", lambda _: LONG, 100, brief=lambda _: LONG[-5:]),
            TableColumn("worth", "Worth", lambda row: row[2], 60, right=True),
        )
        services = made_empty.services
        table: Table[Row] = Table("test/fit", "Fit", columns, lambda row: row, services.look, services.memory)
        qtbot.addWidget(table)
        table.put([("Ipê Amarelo Comércio", "Order without a note", "R$ 1.327.919,11")])
        table.resize(width, 200)
        table.show()
        return table

    return made


def ticks(table: Table[Row]) -> dict[str, bool]:
    menu = QMenu(table)
    fill_column_menu(menu, table)
    return {action.text(): action.isChecked() for action in menu.actions()}


def test_a_column_without_room_is_copied_and_comes_back(make: Callable[[int], Table[Row]]) -> None:
    table = make(330)
    assert table.isColumnHidden(0) and not ticks(table)["Company"]
    assert table.horizontalScrollBar().maximum() == 0
    assert table.rows_model.index(0, 2).data() == "10:00"
    table.copy()
    assert QGuiApplication.clipboard().text().splitlines()[1].startswith("Ipê Amarelo Comércio\t")
    assert LONG in QGuiApplication.clipboard().text()
    table.resize(900, 200)
    assert not table.isColumnHidden(0)
    assert table.rows_model.index(0, 2).data() == LONG
    table.resize(330, 200)
    again = make(900)  # what left is not remembered as hidden by a person
    assert not again.isColumnHidden(0)


def test_a_column_that_a_person_asks_for_stays(make: Callable[[int], Table[Row]]) -> None:
    table = make(330)
    table.columns.ask_for(0, True)
    assert not table.isColumnHidden(0) and ticks(table)["Company"]
    again = make(330)
    assert not again.isColumnHidden(0)
    again.columns.ask_for(0, False)
    again.resize(900, 200)
    assert again.isColumnHidden(0)


def test_what_may_leave_is_widened_last(make: Callable[[int], Table[Row]]) -> None:
    table, company, difference = make(495), "Ipê Amarelo Comércio", "order 955,94 ≠ note 995,66 · +39,72"
    table.put([(company, difference, "R$ 39,72")])
    widths = [table.fontMetrics().horizontalAdvance(text) for text in (company, difference)]
    assert not table.isColumnHidden(0) and table.columnWidth(0) < widths[0]
    assert table.columnWidth(1) > widths[1] + 10
    table.resize(900, 200)
    assert table.columnWidth(0) > widths[0]


def test_two_letters_take_no_room_from_heads(qtbot: QtBot, made_empty: Made) -> None:
    columns: tuple[TableColumn[str], ...] = (
        *(TableColumn(str(number), "UF", lambda _: "SP", 60) for number in range(6)),
        TableColumn("direction", "Incoming or outgoing", lambda _: "in", 60),
    )
    services = made_empty.services
    table: Table[str] = Table("test/heads", "Heads", columns, str, services.look, services.memory)
    qtbot.addWidget(table)
    head = head_width(table.horizontalHeader(), "Incoming or outgoing")
    table.put(["one"])
    table.resize(6 * 45 + head + 20, 200)
    table.show()
    assert table.horizontalScrollBar().maximum() == 0
    assert table.columnWidth(6) >= head


def test_the_head_of_the_sorted_column_has_room_for_its_arrow(qtbot: QtBot, made_empty: Made) -> None:
    columns: tuple[TableColumn[str], ...] = (
        TableColumn("state", "Situation", lambda _: "ok", 60, pill=lambda _: "good"),
        TableColumn("name", "Name", str, 100, stretches=True),
    )
    services = made_empty.services
    table: Table[str] = Table("test/sorted", "Sorted", columns, str, services.look, services.memory)
    qtbot.addWidget(table)
    table.horizontalHeader().setSortIndicatorShown(True)
    table.horizontalHeader().setSortIndicator(0, Qt.SortOrder.AscendingOrder)
    table.put(["one"])
    table.resize(260, 200)
    table.show()
    assert table.columnWidth(0) == head_width(table.horizontalHeader(), "Situation") + ARROW_ROOM


def test_widths_set_by_hand_choose_between_short_and_whole_texts(qtbot: QtBot, made_empty: Made) -> None:
    columns: tuple[TableColumn[str], ...] = (
        TableColumn("state", "State", lambda _: "cancelled without record", 60, brief=lambda _: "canc."),
        TableColumn("name", "Name", str, 100, stretches=True),
    )
    services = made_empty.services
    table: Table[str] = Table("test/hand", "Hand", columns, str, services.look, services.memory)
    qtbot.addWidget(table)
    table.put(["one"])
    table.resize(700, 200)
    table.show()
    for width, text in ((60, "canc."), (400, "cancelled without record"), (60, "canc.")):
        table.horizontalHeader().resizeSection(0, width)
        assert table.rows_model.index(0, 0).data() == text
