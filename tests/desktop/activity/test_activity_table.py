"""The table of values: a model that Qt accepts, copies for spreadsheets, remembered columns, a place that stays."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from confere.desktop.core.window_memory import Memory
from confere.desktop.services import Services
from confere.desktop.theme.palettes import LIGHT
from confere.desktop.widgets.pill import Pill, pill_colours
from confere.desktop.widgets.table import Table, TableColumn, TableModel


@dataclass(frozen=True, slots=True)
class Fruit:
    name: str
    price: int
    ripe: bool = True


COLUMNS: tuple[TableColumn[Fruit], ...] = (
    TableColumn("name", "Name", lambda row: row.name, 120, stretches=True),
    TableColumn("price", "Price", lambda row: f"R$ {row.price}", 90, right=True, copied=lambda row: str(row.price)),
    TableColumn(
        "state", "State", lambda row: "ripe" if row.ripe else "green", 90, pill=lambda row: "good" if row.ripe else ""
    ),
)
ROWS = (Fruit("apple", 3), Fruit("two\tlines\nof it", 5, ripe=False), Fruit("cherry", 7))


def table_of(qtbot: QtBot, services: Services, memory: Memory | None = None) -> Table[Fruit]:
    made: Table[Fruit] = Table(
        "test/fruit", "Fruit", COLUMNS, lambda row: row.name, services.look, memory or services.memory
    )
    qtbot.addWidget(made)
    made.resize(420, 200)
    made.put(ROWS)
    made.show()
    return made


@pytest.fixture
def table(qtbot: QtBot, services: Services) -> Table[Fruit]:
    return table_of(qtbot, services)


def test_qt_finds_nothing_wrong_with_the_model(qtmodeltester: ModelTester) -> None:
    model: TableModel[Fruit] = TableModel(COLUMNS)
    model.put(ROWS)
    qtmodeltester.check(model, force_py=True)
    model.add([Fruit("date", 9)])
    assert model.rowCount() == 4
    model.put(())
    assert model.rowCount() == 0


def test_rows_are_copied_as_a_spreadsheet_takes_them(qtbot: QtBot, table: Table[Fruit]) -> None:
    qtbot.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text().splitlines() == [
        "Name\tPrice\tState",
        "apple\t3\tripe",
        "two lines of it\t5\tgreen",
        "cherry\t7\tripe",
    ]
    table.selectRow(2)
    table.horizontalHeader().moveSection(1, 0)
    table.copy()
    assert QGuiApplication.clipboard().text() == "Price\tName\tState\n7\tcherry\tripe"


def test_columns_come_back(qtbot: QtBot, services: Services, table: Table[Fruit]) -> None:
    head = table.horizontalHeader()
    head.resizeSection(1, 140)
    head.moveSection(2, 0)
    file = services.memory.file
    qtbot.waitUntil(lambda: file.is_file() and "columns" in file.read_text(encoding="utf-8"))
    again = table_of(qtbot, services, Memory(services.workspace.home))
    assert again.horizontalHeader().sectionSize(1) == 140
    assert again.horizontalHeader().visualIndex(2) == 0


def test_the_current_row_stays_where_rows_come_above_it(table: Table[Fruit]) -> None:
    chosen: list[Fruit | None] = []
    table.chosen.connect(chosen.append)
    table.selectRow(2)
    table.put((Fruit("new", 1), *ROWS))
    assert table.current == ROWS[2]
    assert [index.row() for index in table.selectionModel().selectedRows()] == [3]
    table.put((*ROWS[:2],))
    assert table.current is None
    assert chosen[0] == chosen[1] == ROWS[2]
    assert chosen[-1] is None


def test_the_selected_rows_stay_so_when_rows_are_put_anew(qtbot: QtBot, table: Table[Fruit]) -> None:
    """During a sync the list of runs is put anew every second."""
    head = table.horizontalHeader()
    head.resizeSection(1, 900)
    table.selectRow(0)
    qtbot.keyClick(table, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    bar = table.horizontalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 0)
    bar.setValue(bar.maximum())
    table.put((Fruit("new", 1), *ROWS))
    assert [table.rows_model.rows[row] for row in table.selected_rows()] == list(ROWS[:2])
    assert table.current == ROWS[1]
    assert bar.value() == bar.maximum()


def test_what_a_stranger_wrote_is_no_formula_in_the_spreadsheet(services: Services, qtbot: QtBot) -> None:
    table = table_of(qtbot, services, services.memory)
    table.put((Fruit('=HYPERLINK("http://evil","apple")', -3),))
    table.copy()
    name, price, _ = QGuiApplication.clipboard().text().splitlines()[1].split("\t")
    assert name == '\'=HYPERLINK("http://evil","apple")'
    assert price == "-3"


def test_the_same_rows_touch_nothing(table: Table[Fruit]) -> None:
    resets: list[bool] = []
    table.rows_model.modelReset.connect(lambda: resets.append(True))
    table.put(tuple(ROWS))
    assert resets == []


def test_more_is_wanted_near_the_end(qtbot: QtBot, table: Table[Fruit]) -> None:
    table.put([Fruit(str(number), number) for number in range(500)])
    wanted: list[bool] = []
    table.more_wanted.connect(lambda: wanted.append(True))
    table.verticalScrollBar().setValue(10)
    assert wanted == []
    table.selectRow(0)
    qtbot.keyClick(table, Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)
    assert wanted


def test_enter_opens_the_current_row(qtbot: QtBot, table: Table[Fruit]) -> None:
    entered: list[Fruit] = []
    table.entered_row.connect(entered.append)
    table.put(())
    qtbot.keyClick(table, Qt.Key.Key_Return)
    assert entered == []
    table.put(ROWS)
    table.choose_first()
    qtbot.keyClick(table, Qt.Key.Key_Return)
    assert entered == [ROWS[0]]


def test_a_pill_is_painted_in_the_colour_of_its_kind(qtbot: QtBot, services: Services, table: Table[Fruit]) -> None:
    table.selectionModel().clear()
    table.selectionModel().setCurrentIndex(table.rows_model.index(2, 0), QItemSelectionModel.SelectionFlag.NoUpdate)
    image = table.viewport().grab().toImage()
    colours = [
        {
            image.pixelColor(x, rect.center().y()).name()
            for x in range(rect.left(), rect.right())
            for rect in [table.visualRect(table.rows_model.index(row, 2))]
        }
        for row in (0, 1)
        for rect in [table.visualRect(table.rows_model.index(row, 2))]
    ]
    assert LIGHT.good_soft in colours[0]
    assert LIGHT.good_soft not in colours[1]
    assert pill_colours(LIGHT, "anything") == (LIGHT.neutral_soft, LIGHT.text)
    pill = Pill(services.look, "failed", "bad")
    qtbot.addWidget(pill)
    pill.show()
    assert pill.grab().toImage().pixelColor(pill.width() // 2, 1).name() == LIGHT.bad_soft
