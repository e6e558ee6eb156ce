"""The list itself: columns to move, hide and sort, rows to walk by keyboard and to copy as a spreadsheet takes them."""

from __future__ import annotations

from array import array
from typing import Final, Generic

from PySide6.QtCore import QEvent, QItemSelection, QItemSelectionModel, QModelIndex, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QHelpEvent, QKeyEvent, QPalette, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QToolTip, QWidget

from confere.desktop.core.window_memory import Memory
from confere.desktop.theme.theme import Look
from confere.desktop.widgets.columns.column_fit import LEFT_OUT, ColumnRoom, fit, rest_of
from confere.desktop.widgets.columns.elided_header import ElidedHeader, head_width
from confere.desktop.widgets.long_list import column_layout as arrangements
from confere.desktop.widgets.long_list.column_layout import Arrangement, ColumnPlacement
from confere.desktop.widgets.long_list.frozen.frozen_columns import FrozenColumns
from confere.desktop.widgets.long_list.list_columns import G, ListColumn, ListPlan, Q, R
from confere.desktop.widgets.long_list.list_delegate import ListDelegate
from confere.desktop.widgets.long_list.list_model import LongListModel
from confere.desktop.widgets.long_list.list_position import PlaceKeeper, ids_at, selected_places
from confere.desktop.widgets.menus import MenuKey
from confere.system.messages import t

_NARROWEST: Final = 32
_NARROWEST_LOOSE: Final = 76  # some ten letters of a name, where what decides is to be seen too
_QUIET_MS = 60  # arrow keys held down are not followed row by row
_KEYPAD = Qt.KeyboardModifier.KeypadModifier
_CONTROL = Qt.KeyboardModifier.ControlModifier
_SELECT_ROW = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
_ADD_ROWS = QItemSelectionModel.SelectionFlag.Select | QItemSelectionModel.SelectionFlag.Rows
_STAY = QItemSelectionModel.SelectionFlag.NoUpdate


class LongListTable(QTableView, Generic[R, Q, G]):
    """Selection and place are of what is listed, not of rows: they stay when the list changes under them.

    `remembered` is the name under which the window remembers how its columns stand.
    """

    selected = Signal(object)  # the id of the current row, or None; comes when the keys rest
    chosen = Signal()  # which rows are selected changed; comes when the keys rest
    opened = Signal(int)
    header_menu_wanted = Signal(QPoint)

    def __init__(
        self,
        model: LongListModel[R, Q, G],
        title: str,
        remembered: str,
        look: Look,
        memory: Memory,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setViewport(_viewport())
        self._model = model
        self._memory, self._remembered = memory, remembered
        self._places = model.plan.places()
        self._loose = self._places[model.plan.loose]
        self._arrangement = arrangements.read(memory.text(remembered), model.plan)
        self._is_arranging = False
        self.left_out: frozenset[str] = frozenset()
        """Keys of columns that are to be shown and have no room now."""
        self._told: int | None = None
        self.setModel(model)
        self._delegate = ListDelegate(model, look, self)
        self.setItemDelegate(self._delegate)
        self._set_up(title)
        self._set_up_header()
        self._quiet = QTimer(self)
        self._quiet.setSingleShot(True)
        self._quiet.setInterval(_QUIET_MS)
        self._quiet.timeout.connect(self._tell)
        selection = self.selectionModel()
        selection.currentChanged.connect(self._quiet.start)
        selection.selectionChanged.connect(self._quiet.start)
        model.settled.connect(self._quiet.start)
        self._place = PlaceKeeper(self, model)
        look.density_changed.connect(self._set_heights)
        self.doubleClicked.connect(self._open)
        self.arrange(self._arrangement)
        self.frozen = FrozenColumns(self, self._delegate, [self._places[key] for key in model.plan.frozen], look)

    @property
    def plan(self) -> ListPlan[R, G]:
        """Its columns."""
        return self._model.plan

    # What is selected

    @property
    def is_following(self) -> bool:
        """Whether the keys do not rest yet, so that `selected` may still come."""
        return self._quiet.isActive()

    @property
    def current_id(self) -> int | None:
        """What the keyboard stands on."""
        place = self.currentIndex().row()
        return self._model.ids[place] if 0 <= place < len(self._model.ids) else None

    def selected_places(self) -> list[range]:
        """The selected rows as stretches, from the top."""
        return selected_places(self.selectionModel())

    def selected_ids(self) -> array[int]:
        """What is selected, in the order of the list."""
        return ids_at(self._model.ids, self.selected_places())

    def listed_ids(self) -> array[int]:
        """All that is listed, in the order of the list."""
        return array("q", self._model.ids)

    def stand_on(self, row_id: int, *, quietly: bool = False) -> bool:
        """Select this row and show it; whether it is listed. `quietly` does not tell it as `selected`."""
        place = self._model.place_of(row_id)
        if place is None:
            return False
        if quietly:
            self._told = row_id
        index = self._model.index(place, max(self.currentIndex().column(), 0))
        self.selectionModel().setCurrentIndex(index, _SELECT_ROW)
        self.scrollTo(index)
        return True

    def stand_on_first(self) -> None:
        """Where the keyboard stands when nothing was selected yet."""
        if not self.currentIndex().isValid() and self._model.ids:
            first = self.horizontalHeader().logicalIndex(0)
            self.selectionModel().setCurrentIndex(self._model.index(0, first), _SELECT_ROW)

    # Columns

    @property
    def arrangement(self) -> Arrangement:
        """As the columns are to stand, whatever room there is now."""
        header, every = self.horizontalHeader(), self.plan.columns
        known = {entry.key: entry for entry in self._arrangement.columns}
        order = (header.logicalIndex(place) for place in range(header.count()))
        return self._arrangement._replace(columns=tuple(known[every[number].key] for number in order))

    def visible_columns(self) -> tuple[ListColumn[R, G], ...]:
        """The columns that are to be seen, from left to right; those without room now are among them."""
        return tuple(self.plan.columns[self._places[entry.key]] for entry in self.arrangement.columns if entry.shown)

    def arrange(self, wanted: Arrangement) -> None:
        """Let the columns stand so, and remember it."""
        header = self.horizontalHeader()
        self._is_arranging = True
        for place, entry in enumerate(wanted.columns):
            header.moveSection(header.visualIndex(self._places[entry.key]), place)
        way = Qt.SortOrder.DescendingOrder if wanted.descending else Qt.SortOrder.AscendingOrder
        header.setSortIndicator(self._places[wanted.sort], way)
        self._is_arranging = False
        self._arrangement = wanted
        self._fit()
        self._remember()

    def show_column(self, key: str, shown: bool) -> None:
        """Show or hide a column because a person wants it: it does not leave then. The last one stays."""
        columns = self.arrangement.columns
        if shown or sum(entry.shown for entry in columns) > 1:
            changed = tuple(
                entry._replace(shown=shown, asked_for=shown) if entry.key == key else entry for entry in columns
            )
            self.arrange(self._arrangement._replace(columns=changed))

    def sort_by(self, key: str, descending: bool) -> None:
        """Sort by this column."""
        self.arrange(self.arrangement._replace(sort=key, descending=descending))
        self._model.sort(self._places[key], self.horizontalHeader().sortIndicatorOrder())

    # How it is built

    def _set_up(self, title: str) -> None:
        self.setAccessibleName(title)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setCornerButtonEnabled(False)
        self.setTabKeyNavigation(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        MenuKey(self)
        rows = self.verticalHeader()
        rows.hide()
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self._set_heights()

    def _set_heights(self) -> None:
        height = self._delegate.row_height
        rows = self.verticalHeader()
        rows.setMinimumSectionSize(height)
        rows.setDefaultSectionSize(height)
        self.verticalScrollBar().setSingleStep(height)

    def _set_up_header(self) -> None:
        self.setHorizontalHeader(ElidedHeader(self))
        header = self.horizontalHeader()
        # Of its own, and empty: to paint itself it asks of each column whether all of it is selected, row by row.
        header.setSelectionModel(QItemSelectionModel(self._model, header))
        header.setSectionsMovable(True)
        header.setSectionsClickable(True)
        header.setSortIndicatorShown(True)
        header.setHighlightSections(False)
        header.setMinimumSectionSize(_NARROWEST)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        header.setAccessibleName(t("Columns"))
        header.sortIndicatorChanged.connect(self._head_clicked)
        header.sectionResized.connect(self._resized)
        header.sectionMoved.connect(self._moved)
        header.sectionHandleDoubleClicked.connect(self._widen)
        header.customContextMenuRequested.connect(self._want_header_menu)

    def _want_header_menu(self, place: QPoint) -> None:
        self.header_menu_wanted.emit(self.horizontalHeader().mapToGlobal(place))

    # What Qt asks

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.modifiers() & ~_KEYPAD:
            self._open(self.currentIndex())
        elif event.key() in (Qt.Key.Key_Home, Qt.Key.Key_End) and not event.modifiers() & _CONTROL:
            # In a list they mean the first and the last row; a table would take them for columns.
            self._jump(event)
        else:
            super().keyPressEvent(event)

    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            section = self.frozen.section_at(event.pos().x())
            row = self.rowAt(event.pos().y())
            if section is not None and row >= 0:
                tip = self._model.data(self._model.index(row, section), Qt.ItemDataRole.ToolTipRole)
                tip = str(tip or "")
                QToolTip.showText(event.globalPos(), tip, self.viewport())
                return True
        return super().viewportEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange) and hasattr(self, "_quiet"):
            self._delegate.prepare()
            self._set_heights()

    def sizeHintForColumn(self, column: int) -> int:
        first = max(self.rowAt(0), 0)
        last = self.rowAt(self.viewport().height() - 1)
        last = len(self._model.ids) - 1 if last < 0 else last
        widths = [self._delegate.wanted_width(self._model.index(row, column)) for row in range(first, last + 1)]
        return max(widths, default=0)

    # What happens

    def _jump(self, event: QKeyEvent) -> None:
        if not self._model.ids:
            return
        place = 0 if event.key() == Qt.Key.Key_Home else len(self._model.ids) - 1
        index = self._model.index(place, max(self.currentIndex().column(), 0))
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier and self.currentIndex().isValid():
            top, bottom = sorted((self.currentIndex().row(), place))
            span = QItemSelection(self._model.index(top, 0), self._model.index(bottom, 0))
            self.selectionModel().select(span, _ADD_ROWS)
            self.selectionModel().setCurrentIndex(index, _STAY)
        else:
            self.selectionModel().setCurrentIndex(index, _SELECT_ROW)
        self.scrollTo(index)

    def _open(self, index: QModelIndex) -> None:
        if index.isValid() and index.row() < len(self._model.ids):
            self.opened.emit(self._model.ids[index.row()])

    def _tell(self) -> None:
        if self._place.is_looking:
            return  # it is told when all rows are here
        self.chosen.emit()
        current = self.current_id
        if current != self._told:
            self._told = current
            self.selected.emit(current)

    def _head_clicked(self, section: int, order: Qt.SortOrder) -> None:
        if self._is_arranging:
            return
        column = self.plan.columns[section]
        if not self.plan.sortable(column):
            self.arrange(self.arrangement)  # back to the column that it is sorted by
            return
        self._arrangement = self._arrangement._replace(
            sort=column.key, descending=order == Qt.SortOrder.DescendingOrder
        )
        self._remember()
        self._model.sort(section, order)

    def _resized(self, section: int, _before: int, now: int) -> None:
        if self._is_arranging or not now:
            return
        key = self.plan.columns[section].key
        columns = tuple(entry._replace(width=now) if entry.key == key else entry for entry in self._arrangement.columns)
        fitted = self._arrangement.fitted and section != self._loose
        self._arrangement = self._arrangement._replace(columns=columns, fitted=fitted)
        self._remember()
        self._fit()

    def _moved(self, *_: int) -> None:
        if not self._is_arranging:
            self._remember()

    def _widen(self, section: int) -> None:
        head = self.horizontalHeader().sectionSizeHint(section)
        self.setColumnWidth(section, max(self.sizeHintForColumn(section), head))

    def _remember(self) -> None:
        self._arrangement = self.arrangement
        self._memory.put(self._remembered, arrangements.written(self._arrangement))

    def _fit(self) -> None:
        """Give each column its width, and the loose one what is left, until a person says how wide it shall be."""
        if self._is_arranging:
            return
        self._is_arranging = True
        shown = [entry for entry in self._arrangement.columns if entry.shown]
        usual = {entry.key: self._usual_width(entry) for entry in shown}
        widths = dict(usual)
        loose, room = self.plan.loose, self.viewport().width()
        if self._arrangement.fitted and loose in widths:
            widths[loose] = self.plan.narrowest_loose
            decisive = [place for place, entry in enumerate(shown) if entry.key in self.plan.decisive]
            first = shown[: decisive[-1] + 1] if decisive else []
            if sum(widths[entry.key] for entry in first) > room:
                narrow = fit([self._room_of(entry, room) for entry in first], room)
                widths |= dict(zip((entry.key for entry in first), narrow, strict=True))
            else:
                widths[loose] = rest_of([*widths.values()], [*widths].index(loose), usual[loose], room)
        briefly = (self._places[key] for key, width in widths.items() if key != loose and width < usual[key])
        self._model.show_briefly(frozenset(briefly))
        self.left_out = frozenset(key for key, width in widths.items() if width == LEFT_OUT)
        for key, number in self._places.items():
            width = widths.get(key, LEFT_OUT)
            self.setColumnHidden(number, width == LEFT_OUT)
            if width != LEFT_OUT:
                self.setColumnWidth(number, width)
        self._is_arranging = False

    def _usual_width(self, entry: ColumnPlacement) -> int:
        """A head is bold and another language's may be longer: nobody chose a width yet that would cut it off."""
        column = self.plan.columns[self._places[entry.key]]
        is_usual = entry.width == column.width and not column.mark
        return max(entry.width, head_width(self.horizontalHeader(), column.name) if is_usual else 0)

    def _room_of(self, entry: ColumnPlacement, room: int) -> ColumnRoom:
        column, width = self.plan.columns[self._places[entry.key]], self._usual_width(entry)
        if entry.key == self.plan.loose:
            return ColumnRoom(_NARROWEST_LOOSE, self.plan.narrowest_loose, room, room, turn=1)
        narrowest = width
        if column.narrowest and entry.width == column.width:  # nobody chose it
            narrowest = min(width, max(column.narrowest, head_width(self.horizontalHeader(), column.name)))
        rank = 0 if entry.asked_for or entry.key in self.plan.decisive else 1
        return ColumnRoom(narrowest, narrowest, width, width, rank)


def _viewport() -> QWidget:
    """As Qt makes it. Given one of Qt's own, PySide makes the class of every widget there is to find which this is."""
    viewport = QWidget()
    viewport.setBackgroundRole(QPalette.ColorRole.Base)
    viewport.setAutoFillBackground(True)
    return viewport
