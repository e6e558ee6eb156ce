"""A column that takes the rest keeps its own width where there is no rest, and takes it again where there is."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QStackedWidget, QWidget
from pytestqt.qtbot import QtBot

from confere.desktop.core.window_memory import Memory
from confere.desktop.theme.palettes import contrast
from confere.desktop.widgets.pill import CELL_ROOM
from confere.desktop.widgets.table import Table, TableColumn
from tests.desktop.conftest import Made


def test_the_stretching_column_never_shrinks_to_nothing(qtbot: QtBot, made_empty: Made) -> None:
    services = made_empty.services
    columns: tuple[TableColumn[str], ...] = (
        TableColumn("name", "Name", str, 180, stretches=True),
        TableColumn("size", "Size", lambda _: "m" * 20, 200),
        TableColumn("hidden", "Hidden", str, 100, shown=False),
    )
    table: Table[str] = Table("test/room", "Table", columns, str, services.look, services.memory)
    qtbot.addWidget(table)
    table.put(["one"])
    table.resize(900, 200)
    table.show()
    qtbot.waitUntil(lambda: table.columnWidth(0) > 600)
    table.resize(260, 200)
    qtbot.waitUntil(lambda: table.horizontalScrollBar().maximum() > 0)
    assert table.columnWidth(0) >= 120
    table.resize(900, 200)
    qtbot.waitUntil(lambda: table.columnWidth(0) > 600)
    assert table.horizontalScrollBar().maximum() == 0


def _of_papers(made_empty: Made, memory: Memory) -> Table[tuple[str, str, str]]:
    columns: tuple[TableColumn[tuple[str, str, str]], ...] = (
        TableColumn("company", "Company", lambda row: row[0], 60),
        TableColumn("state", "State", lambda row: row[1], 60, pill=lambda _: "warn"),
        TableColumn("note", "Note", lambda _: "", 100, stretches=True),
        TableColumn("worth", "Value", lambda row: row[2], 60, right=True),
    )
    return Table("test/papers", "Papers", columns, lambda row: row, made_empty.services.look, memory)


def test_columns_are_widened_for_their_values_until_a_person_chooses(qtbot: QtBot, made_empty: Made) -> None:
    services, row = made_empty.services, ("23.656.806/0001-38", "done with something left", "R$ 1.327.919,11")
    table = _of_papers(made_empty, services.memory)
    qtbot.addWidget(table)
    table.resize(900, 200)
    table.show()
    table.put([row])
    metrics = table.fontMetrics()
    for number, text in ((0, row[0]), (1, row[1]), (3, row[2])):
        assert table.columnWidth(number) > metrics.horizontalAdvance(text) + 10
    assert table.horizontalScrollBar().maximum() == 0
    table.horizontalHeader().resizeSection(0, 50)
    table.put([row, ("another", "", "")])
    assert table.columnWidth(0) == 50
    again = _of_papers(made_empty, services.memory)
    qtbot.addWidget(again)
    again.put([row])
    assert again.columnWidth(0) == 50  # as it was left


def test_figures_are_whole_where_there_is_no_room(qtbot: QtBot, made_empty: Made) -> None:
    table = _of_papers(made_empty, made_empty.services.memory)
    qtbot.addWidget(table)
    table.resize(280, 200)
    table.show()
    table.put([("23.656.806/0001-38", "done with something left", "R$ 1.327.919,11")])
    assert table.columnWidth(3) > table.fontMetrics().horizontalAdvance("R$ 1.327.919,11") + 10
    assert table.columnWidth(0) < table.fontMetrics().horizontalAdvance("23.656.806/0001-38")


def test_what_was_widened_gives_way_to_a_column_that_is_shown_again(qtbot: QtBot, made_empty: Made) -> None:
    table = _of_papers(made_empty, made_empty.services.memory)
    qtbot.addWidget(table)
    table.setColumnHidden(3, True)
    table.resize(480, 200)
    table.show()
    table.put([("23.656.806/0001-38", "done with something left", "R$ 1.327.919,11")])
    widened = table.columnWidth(0)
    table.setColumnHidden(3, False)
    table.put([("23.656.806/0001-39", "done with something left", "R$ 1.327.919,11")])
    assert table.columnWidth(0) < widened
    assert table.columnWidth(2) >= 100
    assert table.columnWidth(3) > table.fontMetrics().horizontalAdvance("R$ 1.327.919,11") + 10


def test_a_column_may_take_its_share_of_a_table_that_scrolls(qtbot: QtBot, made_empty: Made) -> None:
    services, words = made_empty.services, "Panela de aço inoxidável com tampa de vidro, 24 cm"
    columns: tuple[TableColumn[str], ...] = (
        TableColumn("name", "Name", str, 80, share=0.4),
        TableColumn("other", "Other", lambda _: words, 80),
        TableColumn("size", "Size", lambda _: "1" * 150, 900),
    )
    table: Table[str] = Table("test/share", "Table", columns, str, services.look, services.memory)
    qtbot.addWidget(table)
    table.resize(600, 200)
    table.show()
    table.put([words])
    assert table.columnWidth(0) == round(table.viewport().width() * 0.4)
    assert table.columnWidth(1) == 80  # elided as before: it has no share
    table.resize(1000, 200)
    qtbot.waitUntil(lambda: table.columnWidth(0) > table.fontMetrics().horizontalAdvance(words))
    table.resize(150, 200)
    qtbot.waitUntil(lambda: table.columnWidth(0) == 80)


def test_the_ring_around_the_chosen_cell_is_closed(qtbot: QtBot, made_empty: Made) -> None:
    look = made_empty.services.look
    columns: tuple[TableColumn[str], ...] = (TableColumn("name", "Name", lambda row: row, 120),)
    table = Table("rings", "Rings", columns, lambda row: row, look, made_empty.services.memory)
    qtbot.addWidget(table)
    table.put(["1001365", "1001380"])
    table.show()
    table.activateWindow()
    table.choose_first()
    table.setFocus()
    qtbot.waitUntil(table.hasFocus)
    cell = table.visualRect(table.model().index(0, 0))
    shown = table.viewport().grab().toImage()
    edges = [shown.pixelColor(cell.center().x(), y).name() for y in (cell.top(), cell.bottom())]
    assert edges == [look.colours.accent] * 2


def test_a_short_head_and_a_short_text_say_what_they_mean(qtbot: QtBot, made_empty: Made) -> None:
    columns = (TableColumn("open", "Open", lambda _: "2 · 9", about="High · low", spoken=lambda _: "2 high, 9 low"),)
    table: Table[str] = Table("test/about", "Table", columns, str, made_empty.services.look, made_empty.services.memory)
    qtbot.addWidget(table)
    table.put(["one"])
    assert table.rows_model.index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole) == "2 high, 9 low"
    for role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
        assert table.rows_model.headerData(0, Qt.Orientation.Horizontal, role) == "High · low"


@pytest.mark.parametrize("appearance", ["light", "dark"])
@pytest.mark.parametrize("kind", ["neutral", "info"])
def test_a_pill_is_seen_on_a_selected_row(qtbot: QtBot, made_empty: Made, kind: str, appearance: str) -> None:
    services = made_empty.services
    services.look.use(appearance)
    columns = (TableColumn("state", "State", str, 200, pill=lambda _: kind),)
    table: Table[str] = Table("test/pills", "Table", columns, str, services.look, services.memory)
    qtbot.addWidget(table)
    table.put(["one"])
    table.resize(400, 120)
    table.show()
    table.selectRow(0)
    cell = table.visualRect(table.rows_model.index(0, 0))
    image = table.viewport().grab(cell).toImage()
    ground = services.look.colours.accent_soft
    before_letters = [image.pixelColor(x, image.height() // 2).name() for x in range(12)]
    assert before_letters[4] == ground
    assert max(contrast(ground, colour) for colour in before_letters[5:]) >= 3


def test_the_text_of_the_chosen_cell_stays_whole_and_in_its_place(qtbot: QtBot, made_empty: Made) -> None:
    services = made_empty.services
    columns: tuple[TableColumn[str], ...] = (
        TableColumn("number", "N", lambda row: row, 60),
        TableColumn("note", "Note", lambda _: "m" * 60, 200, stretches=True),
    )
    table = Table("ring text", "Ring", columns, lambda row: row, services.look, services.memory)
    qtbot.addWidget(table)
    table.resize(400, 120)
    table.put(["1001365"])
    table.show()
    table.activateWindow()
    table.choose_first()
    table.setFocus()
    qtbot.waitUntil(table.hasFocus)
    assert table.columnWidth(0) == table.fontMetrics().horizontalAdvance("1001365") + CELL_ROOM  # it just fits
    inner = table.visualRect(table.model().index(0, 0)).adjusted(2, 2, -2, -2)
    with_ring = table.viewport().grab(inner).toImage()
    table.setCurrentIndex(table.model().index(0, 1))
    assert table.viewport().grab(inner).toImage() == with_ring


def test_a_table_on_a_hidden_page_has_the_room_of_its_scroll_bar_once(qtbot: QtBot, made_empty: Made) -> None:
    columns: tuple[TableColumn[str], ...] = (
        TableColumn("name", "Name", str, 100),
        TableColumn("much", "Much", lambda _: "m" * 100, 100),
    )
    table: Table[str] = Table(
        "test/hidden", "Table", columns, str, made_empty.services.look, made_empty.services.memory
    )
    other = QWidget()
    pages = QStackedWidget()
    for page in (table, other):
        pages.addWidget(page)
    qtbot.addWidget(pages)
    pages.resize(500, 200)
    pages.show()
    table.put([str(number) for number in range(100)])
    qtbot.waitUntil(lambda: table.verticalScrollBar().isVisible())
    pages.setCurrentWidget(other)
    table.put([str(number) for number in range(101)])
    pages.setCurrentWidget(table)
    assert table.columnWidth(0) + table.columnWidth(1) == table.viewport().width()
    table.put(["1"])
    qtbot.waitUntil(lambda: not table.verticalScrollBar().isVisible())
    assert table.columnWidth(0) + table.columnWidth(1) == table.viewport().width()


def test_a_column_that_is_widened_last_leaves_the_room_to_the_one_that_stretches(
    qtbot: QtBot, made_empty: Made
) -> None:
    columns: tuple[TableColumn[str], ...] = (
        TableColumn("company", "Company", lambda _: "m" * 40, 100, widened_last=True),
        TableColumn("what", "What", lambda _: "m" * 20, 150, stretches=True),
    )
    table: Table[str] = Table("test/last", "Table", columns, str, made_empty.services.look, made_empty.services.memory)
    qtbot.addWidget(table)
    needed = table.fontMetrics().horizontalAdvance("m" * 20)
    table.resize(needed + 180, 200)
    table.show()
    table.put(["one"])
    assert table.columnWidth(1) > needed
    table.resize(needed * 4, 200)
    qtbot.waitUntil(lambda: table.columnWidth(0) > needed * 2)


def test_the_last_column_takes_the_rest_where_the_one_for_it_has_left(qtbot: QtBot, made_empty: Made) -> None:
    columns: tuple[TableColumn[str], ...] = (
        TableColumn("name", "Name", str, 100),
        TableColumn("source", "From", lambda _: "hub", 100),
        TableColumn("digest", "Digest", lambda _: "m" * 20, 200, stretches=True, rank=1),
    )
    services = made_empty.services
    table: Table[str] = Table("test/rest", "Table", columns, str, services.look, services.memory)
    qtbot.addWidget(table)
    table.resize(280, 200)
    table.show()
    table.put(["one"])
    assert table.isColumnHidden(2)
    assert table.columnWidth(0) + table.columnWidth(1) == table.viewport().width()
