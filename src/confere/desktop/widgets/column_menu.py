"""The menu of a table's columns: which of them are shown; the last one stays."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import QMenu

from confere.desktop.widgets.menus import empty
from confere.desktop.widgets.table import Table


def fill_column_menu(menu: QMenu, table: Table[Any]) -> None:
    """Put the choices of `table` into `menu`, in place of what it held."""
    empty(menu)
    head = table.horizontalHeader()
    for number, column in enumerate(table.rows_model.columns):
        action = menu.addAction(column.title)
        action.setCheckable(True)
        action.setChecked(not head.isSectionHidden(number))
        action.triggered.connect(lambda shown, number=number: _show(table, number, shown))


def _show(table: Table[Any], number: int, shown: bool) -> None:
    head = table.horizontalHeader()
    if shown or head.count() - head.hiddenSectionCount() > 1:
        head.setSectionHidden(number, not shown)
