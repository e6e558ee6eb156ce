"""A read-only table of values with columns as data: copies for spreadsheets, remembers columns, grows at its end."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from itertools import chain, compress, count
from typing import Any, Generic, TypeVar

from PySide6.QtCore import (
    QAbstractTableModel,
    QItemSelection,
    QItemSelectionModel,
    QItemSelectionRange,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    Qt,
    Signal,
)
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QMenu, QTableView, QWidget

from confere.desktop.core import clipboard_rows
from confere.desktop.core.window_memory import Memory
from confere.desktop.theme.measures import ROW
from confere.desktop.theme.theme import Look
from confere.desktop.widgets.long_list.list_position import selected_places, stretches
from confere.desktop.widgets.menus import MenuKey, empty
from confere.desktop.widgets.pill import BRIEF_ROLE, CELL_ROOM, PILL_ROLE, PILL_ROOM, PillDelegate
from confere.desktop.widgets.plain_text import as_tip
from confere.system.messages import t

T = TypeVar("T")
_Index = QModelIndex | QPersistentModelIndex

# Looked up once: in `data` each would cost more than the answer.
_DISPLAY = Qt.ItemDataRole.DisplayRole
_TIP = Qt.ItemDataRole.ToolTipRole
_ACCESSIBLE = Qt.ItemDataRole.AccessibleTextRole
_ALIGN = Qt.ItemDataRole.TextAlignmentRole
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_HORIZONTAL = Qt.Orientation.Horizontal
_SELECT = QItemSelectionModel.SelectionFlag.Select
_STAY = QItemSelectionModel.SelectionFlag.NoUpdate
_LINE = 15  # the height of a line for which the widths of columns are given
_NEAR_END = 3  # pages before the end of what is loaded, more is asked for
_MEASURED = 60  # rows whose texts are measured to see how much room a column needs
_BY_HAND = "widths by hand"


@dataclass(frozen=True, slots=True)
class TableColumn(Generic[T]):
    """`text` is what is shown; `copied` what goes to a spreadsheet where that differs.

    `key` names the column in what the window remembers. `width` is in pixels; the one with `stretches` takes the rest.
    One whose texts need more is widened by what the stretching ones can spare; one that is `right`, by all it needs.
    One with a `share` may take that part of the table's width even where the table has to scroll then.
    One that is not `shown` is hidden until a person asks for it.
    `pill` gives the kind of pill (`good`, `warn`, `bad`, `info`, `neutral`) that the text is painted in, if any,
    `brief` a shorter text for it where there is no room.
    `about` says what a short head means, in its tip and to screen readers; `spoken` what a short text means, to these.
    """

    key: str
    title: str
    text: Callable[[T], str]
    width: int = 120
    right: bool = False
    stretches: bool = False
    tip: Callable[[T], str] | None = None
    pill: Callable[[T], str] | None = None
    copied: Callable[[T], str] | None = None
    shown: bool = True
    share: float = 0.0
    brief: Callable[[T], str] | None = None
    about: str = ""
    spoken: Callable[[T], str] | None = None


class TableModel(QAbstractTableModel, Generic[T]):
    """Rows are values that do not change; another state of affairs is another tuple."""

    def __init__(self, columns: Sequence[TableColumn[T]], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.columns = tuple(columns)
        self._rows: tuple[T, ...] = ()
        self._others = [{PILL_ROLE: of.pill, BRIEF_ROLE: of.brief, _ACCESSIBLE: of.spoken} for of in self.columns]

    @property
    def rows(self) -> tuple[T, ...]:
        return self._rows

    def put(self, rows: Sequence[T]) -> None:
        """Show these instead."""
        self.beginResetModel()
        self._rows = tuple(rows)
        self.endResetModel()

    def add(self, rows: Sequence[T]) -> None:
        """Show these too, below."""
        if rows:
            self.beginInsertRows(QModelIndex(), len(self._rows), len(self._rows) + len(rows) - 1)
            self._rows += tuple(rows)
            self.endInsertRows()

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.columns)

    def data(self, index: _Index, role: int = _DISPLAY) -> Any:
        if not index.isValid():
            return None
        column = self.columns[index.column()]
        if role == _DISPLAY:
            return column.text(self._rows[index.row()])
        if role == _ALIGN:
            return _RIGHT if column.right else _LEFT
        if role == _TIP:
            return as_tip((column.tip or column.text)(self._rows[index.row()])) or None
        word = self._others[index.column()].get(role)
        return None if word is None else word(self._rows[index.row()])

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _DISPLAY) -> Any:
        if orientation == _HORIZONTAL and 0 <= section < len(self.columns):
            if role == _DISPLAY:
                return self.columns[section].title
            if role == _ALIGN:
                return _RIGHT if self.columns[section].right else _LEFT
            if role in (_TIP, _ACCESSIBLE):
                return self.columns[section].about or None
        return None

    def as_text(self, rows: Sequence[int], columns: Sequence[int]) -> str:
        """Tab-separated lines with a head, as spreadsheets take them."""
        chosen = [self.columns[number] for number in columns]
        lines = [[column.title for column in chosen]]
        lines += [[(column.copied or column.text)(self._rows[row]) for column in chosen] for row in rows]
        return "\n".join(map(clipboard_rows.line, lines))


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
        self._name, self._identity, self._memory = name, identity, memory
        self._current: Hashable | None = None
        self._putting = False
        self._is_widening = False
        self._begins: list[int] = []  # the width that each column begins with
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
        self._lay_out(columns)
        head = self.horizontalHeader()
        head.sectionResized.connect(self._resized)
        head.sectionMoved.connect(self._keep_columns)
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
        self._widen()
        self.give_room()
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
        """Put the selected rows into the clipboard, or all of them where none is selected."""
        head = self.horizontalHeader()
        shown = [head.logicalIndex(place) for place in range(head.count())]
        columns = [number for number in shown if not head.isSectionHidden(number)]
        rows = self.selected_rows() or list(range(len(self.rows_model.rows)))
        QGuiApplication.clipboard().setText(self.rows_model.as_text(rows, columns))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._enter()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._widen()
        self.give_room()

    def give_room(self) -> None:
        """Columns that take the rest keep their own width where there is no rest: the table scrolls then."""
        head, columns = self.horizontalHeader(), self.rows_model.columns
        shown = [number for number in range(len(columns)) if not head.isSectionHidden(number)]
        stretching = [number for number in shown if columns[number].stretches]
        rest = self.viewport().width() - sum(head.sectionSize(number) for number in shown if number not in stretching)
        is_tight = rest < sum(self._begins[number] for number in stretching)
        mode = QHeaderView.ResizeMode.Interactive if is_tight else QHeaderView.ResizeMode.Stretch
        for number in stretching:
            if head.sectionResizeMode(number) != mode:
                head.setSectionResizeMode(number, mode)
                if is_tight:
                    head.resizeSection(number, self._begins[number])

    def _widen(self) -> None:
        """Give columns that cut their texts off what the stretching ones can spare, unless a person chose widths.

        Figures are never cut: they take what they need even where the table has to scroll then. Pills come next.
        """
        if not self.rows_model.rows or self._memory.text(self._by_hand):
            return
        head, columns = self.horizontalHeader(), self.rows_model.columns
        shown = [number for number in range(len(columns)) if not head.isSectionHidden(number)]
        growing = [number for number in shown if not columns[number].stretches]
        bar = self.verticalScrollBar()  # it takes its room from the rows, now or when they are more
        room = self.viewport().width() - (0 if bar.isVisible() else bar.sizeHint().width())
        room -= sum(self._begins[number] for number in shown if columns[number].stretches)
        spare = room - sum(map(head.sectionSize, growing))
        self._is_widening = True
        if spare < 0:  # another column is shown now, or the table is narrower
            for number in growing:
                head.resizeSection(number, self._begins[number])
            spare = room - sum(map(head.sectionSize, growing))
        for number in sorted(growing, key=lambda number: (not columns[number].right, columns[number].pill is None)):
            size = head.sectionSize(number)
            lacks, may = self._needed(number) - size, round(self.viewport().width() * columns[number].share) - size
            more = lacks if columns[number].right else min(lacks, max(spare, may))
            if more > 0:
                head.resizeSection(number, size + more)
                spare -= more
        self._is_widening = False

    def _needed(self, number: int) -> int:
        """The width of the longest of the first texts of a column, with what stands around it."""
        column, metrics = self.rows_model.columns[number], self.fontMetrics()
        return max(
            metrics.horizontalAdvance(column.text(row)) + (PILL_ROOM if column.pill and column.pill(row) else CELL_ROOM)
            for row in self.rows_model.rows[:_MEASURED]
        )

    def _scaled(self, column: TableColumn[T]) -> int:
        """Its width where letters are larger than usual."""
        return round(column.width * max(1.0, self.fontMetrics().height() / _LINE))

    def _lay_out(self, columns: Sequence[TableColumn[T]]) -> None:
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setDefaultSectionSize(max(ROW, self.fontMetrics().height() + 12))
        head = self.horizontalHeader()
        # Of its own, and empty: to paint itself it asks of each column whether all of it is selected, row by row.
        head.setSelectionModel(QItemSelectionModel(self.rows_model, head))
        head.setHighlightSections(False)
        head.setTextElideMode(Qt.TextElideMode.ElideRight)
        head.setSectionsMovable(True)
        head.setMinimumSectionSize(36)
        for number, column in enumerate(columns):
            # A head is bold, so it may be wider than what stands under it.
            self._begins.append(max(self._scaled(column), head.sectionSizeHint(number)))
            head.resizeSection(number, self._begins[number])
        # A state of other columns would put widths where they do not belong, so their names are part of its name.
        self._state = f"{self._name}/{'-'.join(column.key for column in columns)}"
        self._by_hand = f"{self._state}/{_BY_HAND}"
        if not self._memory.restore_header(self._state, head):
            for number, column in enumerate(columns):
                head.setSectionHidden(number, not column.shown)
                if column.stretches:
                    head.setSectionResizeMode(number, QHeaderView.ResizeMode.Stretch)

    def _resized(self, number: int, before: int, after: int) -> None:
        """Remember it, and that a person did it; hiding a column and showing it again is no width."""
        if not self._is_widening and before and after and not self.rows_model.columns[number].stretches:
            self._memory.put(self._by_hand, "1")
        self._keep_columns()

    def _keep_columns(self) -> None:
        self._memory.keep_header(self._state, self.horizontalHeader())

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
    head = table.horizontalHeader()
    for number, column in enumerate(table.rows_model.columns):
        action = menu.addAction(column.title)
        action.setCheckable(True)
        action.setChecked(not head.isSectionHidden(number))
        action.triggered.connect(lambda shown, number=number: _show_column(table, number, shown))


def _show_column(table: Table[Any], number: int, shown: bool) -> None:
    head = table.horizontalHeader()
    if shown or head.count() - head.hiddenSectionCount() > 1:
        head.setSectionHidden(number, not shown)
        table.give_room()
