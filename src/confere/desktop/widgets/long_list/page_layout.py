"""Where the parts of a page with a long list stand: filters above, the list, one of its rows in full below."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QStackedWidget, QToolButton, QVBoxLayout, QWidget

from confere.desktop.core.window_memory import Memory
from confere.desktop.theme.measures import GAP
from confere.desktop.theme.theme import Look
from confere.desktop.widgets.long_list.header_menu import fill_column_menu
from confere.desktop.widgets.long_list.list_table import LongListTable
from confere.desktop.widgets.long_list.selection_bar import SelectionBar
from confere.desktop.widgets.menus import menu_of
from confere.system.messages import t

_SHARES: Final = (5, 6)


class ListPageLayout(QObject):
    """Belongs to the page that it lays out; `name` is that under which the window remembers it.

    `above` stands over everything, `beside` at the end of the row of filters, `bar` right above the list, `empty` in
    place of an empty list.
    """

    def __init__(
        self,
        page: QWidget,
        name: str,
        look: Look,
        memory: Memory,
        *,
        filters: QWidget,
        table: LongListTable[Any, Any, Any],
        panel: QWidget,
        empty: QWidget,
        above: Sequence[QWidget] = (),
        beside: Sequence[QWidget] = (),
        bar: SelectionBar | None = None,
    ) -> None:
        super().__init__(page)
        self._look = look
        self._columns = QToolButton()
        self._columns.setProperty("look", "quiet")
        self._columns.setProperty("beside", "chips")
        self._columns.setToolTip(t("Columns"))
        self._columns.setAccessibleName(t("Columns"))
        self._columns.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._columns.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = menu_of(self._columns)
        menu.aboutToShow.connect(lambda: fill_column_menu(menu, table))
        self._columns.setMenu(menu)
        head = QHBoxLayout()
        head.setContentsMargins(GAP + 4, GAP, GAP, GAP)
        head.addWidget(filters, 1)
        head.setSpacing(GAP)
        for widget in beside:
            head.addWidget(widget, 0, Qt.AlignmentFlag.AlignTop)
        head.addWidget(self._columns, 0, Qt.AlignmentFlag.AlignTop)
        self._splitter = QSplitter(Qt.Orientation.Vertical)
        self._splitter.setChildrenCollapsible(False)
        upper: QWidget = table
        if bar is not None:
            upper = QWidget()
            column = QVBoxLayout(upper)
            column.setContentsMargins(0, 0, 0, 0)
            column.setSpacing(0)
            column.addWidget(bar)
            column.addWidget(table, 1)
        for number, widget in enumerate((upper, panel)):
            self._splitter.addWidget(widget)
            self._splitter.setStretchFactor(number, _SHARES[number])
        self._splitter.setSizes([share * 1_000 for share in _SHARES])
        memory.restore_splitter(name, self._splitter)
        self._splitter.splitterMoved.connect(lambda *_: memory.keep_splitter(name, self._splitter))
        self._empty = empty
        self._layers = QStackedWidget()
        for layer in (QWidget(), self._splitter, empty):
            self._layers.addWidget(layer)
        layout = QVBoxLayout(page)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        for widget in above:
            layout.addWidget(widget)
        layout.addLayout(head)
        layout.addWidget(self._layers, 1)
        before: QWidget = self._columns  # as it is seen: the bars, then the list
        for button in () if bar is None else (*bar.buttons.values(), bar.every):
            page.setTabOrder(before, button)
            before = button
        page.setTabOrder(before, table)
        look.changed.connect(self._paint)
        self._paint()

    def show_list(self) -> None:
        self._layers.setCurrentWidget(self._splitter)

    def show_nothing(self) -> None:
        self._layers.setCurrentWidget(self._empty)

    def _paint(self) -> None:
        self._columns.setIcon(self._look.icon("columns", "muted"))
