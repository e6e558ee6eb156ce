"""The menu of the columns: which are shown, by which the list is sorted, and back to how they stood at first."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu

from confere.desktop.widgets.long_list.column_layout import standard
from confere.desktop.widgets.long_list.list_table import LongListTable
from confere.desktop.widgets.menus import empty
from confere.system.messages import t


def fill_column_menu(menu: QMenu, table: LongListTable[Any, Any, Any]) -> None:
    """Put the choices of `table` into `menu`, in place of what it held."""
    empty(menu)
    arrangement, plan = table.arrangement, table.plan
    sorting = menu.addMenu(t("Sort by"))
    group = QActionGroup(sorting)
    for column in plan.columns:
        if plan.sortable(column):
            action = _tick(sorting, column.name, arrangement.sort == column.key)
            group.addAction(action)
            action.triggered.connect(_without_state(table.sort_by, column.key, column.newest_first))
    sorting.addSeparator()
    turned = _tick(sorting, t("Largest or newest first"), arrangement.descending)
    turned.triggered.connect(_without_state(table.sort_by, arrangement.sort, not arrangement.descending))
    menu.addSeparator()
    shown = {entry.key: entry.shown and entry.key not in table.left_out for entry in arrangement.columns}
    for column in plan.columns:
        action = _tick(menu, column.name, shown[column.key])
        action.triggered.connect(_without_state(table.show_column, column.key, not shown[column.key]))
    menu.addSeparator()
    menu.addAction(t("Columns as they stood at first"), partial(table.arrange, standard(plan)))


def _tick(menu: QMenu, text: str, on: bool) -> QAction:
    action = menu.addAction(text)
    action.setCheckable(True)
    action.setChecked(on)
    return action


def _without_state(act: Callable[[str, bool], None], key: str, value: bool) -> Callable[..., None]:
    """`act` as a slot of a ticked action, which says whether it is ticked now."""

    def call(*_: object) -> None:
        act(key, value)

    return call
