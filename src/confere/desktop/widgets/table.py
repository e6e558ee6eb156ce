"""A read-only table of values with columns as data: copies for spreadsheets, remembers columns, grows at its end."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from itertools import chain, compress, count
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QEvent, QItemSelection, QItemSelectionModel, QItemSelectionRange, QPoint, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QMenu, QTableView, QWidget

from confere.desktop.core.window_memory import Memory
from confere.desktop.theme.measures import ROW
from confere.desktop.theme.theme import Look
from confere.desktop.widgets.columns.table_columns import TableColumns
from confere.desktop.widgets.columns.table_model import TableColumn as TableColumn
from confere.desktop.widgets.columns.table_model import TableModel as TableModel
from confere.desktop.widgets.long_list.list_position import selected_places, stretches
from confere.desktop.widgets.menus import MenuKey, empty
from confere.desktop.widgets.pill import PillDelegate
from confere.system.messages import t

T = TypeVar("T")
_SELECT = QItemSelectionModel.SelectionFlag.Select
_STAY = QItemSelectionModel.SelectionFlag.NoUpdate
_NEAR_END = 3  # pages before the end of what is loaded, more is asked for


class Table(QTableView, Generic[T]):
    """Shows a `TableModel`. `chosen` tells the current row (None without one), `more_wanted` that the end comes near.

    `identity` tells rows apart, so that the same one stays current when the rows are put anew.
    """

    chosen = Signal(object)
    entered_row = Signal(object)  # Enter or a double click
    more_wanted = Signal()

    def __init__(
        self,
        name: str,
        title: str,
        columns: Sequence[TableColumn[T]],
        identity: Callable[[T], Hashable],
        look: Look,
        memory: Memory,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._identity = identity
        self._current: Hashable | None = None
        self._putting = False
        self.rows_model: TableModel[T] = TableModel(columns, self)
        self.setModel(self.rows_model)
        self.setObjectName(name)
        self.setAccessibleName(title)
        self.setItemDelegate(PillDelegate(look, self))
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setWordWrap(False)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setCornerButtonEnabled(False)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._menu)
        MenuKey(self)
        rows = self.verticalHeader()
        rows.hide()
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        rows.setDefaultSectionSize(max(ROW, self.fontMetrics().height() + 12))
        self.columns = TableColumns(self, self.rows_model, name, memory)
        self.selectionModel().currentRowChanged.connect(self._current_changed)
        self.doubleClicked.connect(self._enter)
        self.verticalScrollBar().valueChanged.connect(self._scrolled)

    @property
    def current(self) -> T | None:
        """The current row."""
        row = self.currentIndex().row()
        return self.rows_model.rows[row] if 0 <= row < len(self.rows_model.rows) else None

    def selected_spans(self) -> list[range]:
        """Their numbers as stretches, from the top; costs nothing however many they are."""
        return selected_places(self.selectionModel())

    def selected_rows(self) -> list[int]:
        """Their numbers, from the top."""
        return [row for span in self.selected_spans() for row in span]

    def put(self, rows: Sequence[T]) -> None:
        """Show these; the same rows stay current and selected, at the same place of the screen."""
        if tuple(rows) == self.rows_model.rows:
            return
        before, place = self._current, (self.horizontalScrollBar().value(), self.verticalScrollBar().value())
        listed = self.rows_model.rows
        chosen_rows = chain.from_iterable(listed[span.start : span.stop] for span in self.selected_spans())
        selected = set(map(self._identity, chosen_rows))  # no line of Python for each of thousands of rows
        self._putting = True
        self.rows_model.put(rows)
        self.columns.measure_again()
        identities = list(map(self._identity, self.rows_model.rows))
        place_now = identities.index(before) if before is not None and before in identities else None
        chosen, last = QItemSelection(), self.rows_model.columnCount() - 1
        for span in stretches(list(compress(count(), map(selected.__contains__, identities)))):
            top, bottom = self.rows_model.index(span.start, 0), self.rows_model.index(span.stop - 1, last)
            chosen.append(QItemSelectionRange(top, bottom))
        self.selectionModel().select(chosen, _SELECT)
        if place_now is not None:
            self.selectionModel().setCurrentIndex(self.rows_model.index(place_now, 0), _STAY)
        self.horizontalScrollBar().setValue(place[0])
        self.verticalScrollBar().setValue(place[1])
        self._putting = False
        self._current = before if place_now is not None else None
        self.chosen.emit(self.current)

    def choose_first(self) -> None:
        """Make the first row current where none is."""
        if self.current is None and self.rows_model.rows:
            self.selectRow(0)

    def offer_columns(self) -> None:
        """Let the menu of its head choose which columns are shown."""
        self.horizontalHeader().setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.horizontalHeader().customContextMenuRequested.connect(self._head_menu)

    def copy(self) -> None:
        """Put the selected rows into the clipboard, or all of them where none is selected; columns without room too."""
        rows = self.selected_rows() or list(range(len(self.rows_model.rows)))
        QGuiApplication.clipboard().setText(self.rows_model.as_text(rows, self.columns.chosen))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._enter()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.columns.fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange) and hasattr(self, "columns"):
            self.columns.measure_again()

    def setColumnHidden(self, column: int, hide: bool) -> None:
        """Hide or show it because the page is about something else; `fill_column_menu` is for a person's choice."""
        self.columns.show(column, not hide)

    def _current_changed(self) -> None:
        if not self._putting:
            row = self.current
            self._current = None if row is None else self._identity(row)
            self.chosen.emit(row)

    def _enter(self) -> None:
        if self.current is not None:
            self.entered_row.emit(self.current)

    def _scrolled(self, place: int) -> None:
        bar = self.verticalScrollBar()
        if not self._putting and self.rows_model.rows and place >= bar.maximum() - _NEAR_END * bar.pageStep():
            self.more_wanted.emit()

    def _menu(self, where: QPoint) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(t("Copy rows"), QKeySequence(QKeySequence.StandardKey.Copy), self.copy)
        menu.popup(self.viewport().mapToGlobal(where))

    def _head_menu(self, where: QPoint) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        fill_column_menu(menu, self)
        menu.popup(self.horizontalHeader().mapToGlobal(where))


def fill_column_menu(menu: QMenu, table: Table[Any]) -> None:
    """Put a tick for each column of `table` into `menu`, in place of what it held; the last shown one stays."""
    empty(menu)
    seen = set(table.columns.seen)
    for number, column in enumerate(table.rows_model.columns):
        action = menu.addAction(column.title)
        action.setCheckable(True)
        action.setChecked(number in seen)
        action.triggered.connect(lambda shown, number=number: table.columns.ask_for(number, shown))
