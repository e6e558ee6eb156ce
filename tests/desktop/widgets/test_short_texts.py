"""What gives way says so: an elided line inside its margins, a hint of a field, words about a table without rows."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from confere.desktop.orders.filters import OrderFilterRow
from confere.desktop.widgets.elided_labels import Elided
from confere.desktop.widgets.short_list.worded_table import WordedTable
from confere.desktop.widgets.table import Table, TableColumn
from tests.desktop.conftest import Made


def test_a_line_is_elided_inside_its_margins(qtbot: QtBot) -> None:
    line = Elided()
    qtbot.addWidget(line)
    line.setText("Documents behind SKU-0017-828 Panela de aço inoxidável")
    line.setContentsMargins(20, 0, 20, 0)
    line.resize(line.fontMetrics().horizontalAdvance(line.text()) + 10, 30)
    line.grab()
    assert line.text() in line.toolTip()  # cut, so it is told in full
    line.resize(line.width() + 31, 30)
    line.grab()
    assert line.toolTip() == ""


def test_the_hint_is_whole_where_the_row_has_room_and_chips_do_not_move_it(qtbot: QtBot, made_empty: Made) -> None:
    row = OrderFilterRow(made_empty.services.look)
    qtbot.addWidget(row)
    row.text.setPlaceholderText("Order, key, tax id or name of the buyer, as the marketplace or the invoice has it…")
    row.resize(1500, 40)
    row.show()
    needed = row.text.fontMetrics().horizontalAdvance(row.text.placeholderText())
    assert row.text.width() > needed + 10
    wide = row.text.width()
    row.show_filters(row.filters.__class__(statuses=("PAID_WAITING_SHIP", "INVOICED", "CANCELED")))
    row.resize(1500, 80)
    assert row.text.width() == wide
    row.resize(700, 80)
    assert row.text.width() < needed


def test_words_about_no_rows_stand_without_a_head(qtbot: QtBot, made_empty: Made) -> None:
    services = made_empty.services
    columns: Iterable[TableColumn[str]] = (TableColumn("name", "Name", str, 900),)
    page = WordedTable(Table("test/words", "Table", tuple(columns), str, services.look, services.memory))
    qtbot.addWidget(page)
    page.resize(300, 200)
    page.say("Nothing was found.")
    page.show()
    off = Qt.ScrollBarPolicy.ScrollBarAlwaysOff
    assert page.table.horizontalHeader().isHidden()
    assert page.table.horizontalScrollBarPolicy() == off
    picture = page.grab().toImage()
    beside_words, beside_rows = picture.pixelColor(290, 10), picture.pixelColor(290, 190)
    assert beside_words == beside_rows
    page.table.put(["one"])
    page.say("What was found:")
    assert not page.table.horizontalHeader().isHidden()
    assert page.table.horizontalScrollBarPolicy() != off
