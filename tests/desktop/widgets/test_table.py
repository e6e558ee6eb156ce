"""A column that takes the rest keeps its own width where there is no rest, and takes it again where there is."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from confere.desktop.widgets.table import Table, TableColumn
from tests.desktop.conftest import Made


def test_the_stretching_column_never_shrinks_to_nothing(qtbot: QtBot, made_empty: Made) -> None:
    services = made_empty.services
    columns: tuple[TableColumn[str], ...] = (
        TableColumn("name", "Name", str, 180, stretches=True),
        TableColumn("size", "Size", str, 200),
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
    assert table.columnWidth(0) >= 180
    table.resize(900, 200)
    qtbot.waitUntil(lambda: table.columnWidth(0) > 600)
    assert table.horizontalScrollBar().maximum() == 0
