"""How the columns of a short table stand: those a person chose, those with room, their widths; all of it remembered."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from PySide6.QtCore import QItemSelectionModel, QObject
from PySide6.QtWidgets import QHeaderView, QTableView

from confere.desktop.core.window_memory import Memory
from confere.desktop.widgets.columns.column_fit import LEFT_OUT, ColumnRoom, fit
from confere.desktop.widgets.columns.elided_header import ARROW_ROOM, ElidedHeader, head_width
from confere.desktop.widgets.columns.table_model import TableModel
from confere.desktop.widgets.pill import CELL_ROOM, PILL_ROOM

_LINE: Final = 15  # the height of a line for which the widths of columns are given
_NARROWEST: Final = 36
_LEAST_TEXT, _LEAST_STRETCHING = 60, 120  # below it a text, or a head, says nothing
_TWICE: Final = 2  # its width: what a stretching column may take before others say more than briefly
_MEASURED: Final = 60  # rows whose texts are measured to see how much room a column needs
_BY_HAND, _LEFT, _ASKED_FOR = "widths by hand", "left out", "asked for"


class TableColumns(QObject):
    """Belongs to `table`, whose `name` the window remembers.

    Widths that a person chose stay, and then no column leaves by itself.
    """

    def __init__(self, table: QTableView, model: TableModel[Any], name: str, memory: Memory) -> None:
        super().__init__(table)
        self._table, self._model, self._memory = table, model, memory
        self._head = ElidedHeader(table)
        table.setHorizontalHeader(self._head)
        self._columns = model.columns
        self._has_stretching: Final = any(column.stretches for column in model.columns)
        self._is_fitting = False
        self._needed: dict[tuple[int, bool], int] = {}  # what the texts of a column, or its brief ones, were measured
        # A state of other columns would put widths where they do not belong, so their names are part of its name.
        self._name = f"{name}/{'-'.join(column.key for column in self._columns)}"
        self._set_up()
        # A head is bold, so it may be wider than what stands under it.
        self._heads: Final = [head_width(self._head, column.title) for column in self._columns]
        self._begins: Final = [
            max(self._scaled(column.width), self._heads[number]) for number, column in enumerate(self._columns)
        ]
        self._hidden: set[int] = set()  # by a person or by the page
        self._left_out: set[int] = set()  # for want of room
        self._asked_for = self._numbers(_ASKED_FOR)  # by a person, though there was no room
        self._restore()
        self._head.sectionResized.connect(self._resized)
        self._head.sectionMoved.connect(self._keep)

    @property
    def chosen(self) -> list[int]:
        """The columns that are to be shown, from left to right; also those for which there is no room now."""
        order = [self._head.logicalIndex(place) for place in range(self._head.count())]
        return [number for number in order if number not in self._hidden]

    @property
    def seen(self) -> list[int]:
        """The columns that are shown now, from left to right."""
        return [number for number in self.chosen if number not in self._left_out]

    def show(self, number: int, shown: bool) -> None:
        """Show or hide a column because the page is about something else."""
        (self._hidden.discard if shown else self._hidden.add)(number)
        self._head.setSectionHidden(number, not shown or number in self._left_out)
        self.fit()
        self._keep()

    def ask_for(self, number: int, shown: bool) -> None:
        """Show or hide a column because a person wants it: it does not leave then. The last one stays."""
        if not shown and len(self.seen) == 1:
            return
        (self._asked_for.add if shown else self._asked_for.discard)(number)
        self._memory.put(f"{self._name}/{_ASKED_FOR}", self._keys(self._asked_for))
        self.show(number, shown)

    def measure_again(self) -> None:
        """The texts or the letters are others now."""
        self._needed.clear()
        self.fit()

    def fit(self) -> None:
        """Share the room among the columns."""
        if self._is_fitting:
            return
        self._is_fitting = True
        if self._memory.text(f"{self._name}/{_BY_HAND}"):
            self._leave_out(set())
            widths = ((number, self._head.sectionSize(number)) for number in self.seen if self._model.rows)
            self._model.brief_columns = frozenset(number for number, width in widths if width < self._needs(number))
        elif self._model.rows:
            self._share_room()
        self._stretch()
        self._is_fitting = False

    def _share_room(self) -> None:
        chosen, bar = self.chosen, self._table.verticalScrollBar()
        rooms = [self._room_of(number) for number in chosen]
        room = self._table.viewport().width()
        # It takes its room from the rows, now or when they are more: no column comes or goes by that. On a page that
        # is not seen now it is there all the same.
        reserved = 0 if bar.isVisibleTo(self._table) else bar.sizeHint().width()
        fitted = fit(rooms, room - reserved)
        self._leave_out({number for number, width in zip(chosen, fitted, strict=True) if width == LEFT_OUT})
        staying = [place for place, width in enumerate(fitted) if width != LEFT_OUT]
        widths = fit([rooms[place]._replace(rank=0) for place in staying], room)
        by_column = {chosen[place]: width for place, width in zip(staying, widths, strict=True)}
        stretching = [number for number in by_column if self._columns[number].stretches]
        rest = max(room - sum(widths), 0)  # which these are given on top
        if self._has_stretching and not stretching:
            by_column[[*by_column][-1]] += rest  # what takes it has left
        has_room = {
            number: width + (rest // len(stretching) if number in stretching else 0)
            for number, width in by_column.items()
        }
        self._model.brief_columns = frozenset(
            number for number, width in has_room.items() if width < self._needs(number)
        )
        for number, width in by_column.items():
            if number not in stretching:
                self._head.resizeSection(number, width)

    def _room_of(self, number: int) -> ColumnRoom:
        column, head, begin = self._columns[number], self._head_room(number), self._begins[number]
        rank = 0 if number in self._asked_for else column.rank
        if column.stretches:
            wanted = min(max(begin, self._needs(number)), _TWICE * begin)
            return ColumnRoom(self._least_stretching(number), begin, wanted, wanted, rank, turn=2)
        needed = self._needs(number, brief=column.brief is not None)
        wanted = max(head, self._needs(number))
        if column.right:  # figures are never cut
            return ColumnRoom(max(needed, min(head, _LEAST_TEXT)), wanted, wanted, max(begin, wanted), rank)
        share = min(needed, round(self._table.viewport().width() * column.share))
        least = max(self._head.minimumSectionSize(), min(_LEAST_TEXT, max(head, needed)), min(begin, needed), share)
        usual = max(head, least)
        # What may leave says little: the sentence that takes the rest is widened before it.
        is_last = bool(column.brief) or column.widened_last
        turn = 4 if is_last else 0 if column.pill else 3 if rank else 1
        return ColumnRoom(least, usual, max(usual, wanted), max(begin, wanted), rank, turn)

    def _head_room(self, number: int) -> int:
        is_sorted = self._head.isSortIndicatorShown() and self._head.sortIndicatorSection() == number
        return self._heads[number] + (ARROW_ROOM if is_sorted else 0)

    def _stretch(self) -> None:
        """Columns that take the rest keep their own width where there is no rest: the table scrolls then."""
        seen = self.seen
        stretching = [number for number in seen if self._columns[number].stretches]
        rest = self._table.viewport().width() - sum(map(self._head.sectionSize, set(seen) - set(stretching)))
        is_tight = rest < sum(map(self._least_stretching, stretching))
        mode = QHeaderView.ResizeMode.Interactive if is_tight else QHeaderView.ResizeMode.Stretch
        for number in stretching:
            if self._head.sectionResizeMode(number) != mode:
                self._head.setSectionResizeMode(number, mode)
                if is_tight:
                    self._head.resizeSection(number, self._least_stretching(number))

    def _least_stretching(self, number: int) -> int:
        return min(self._begins[number], self._scaled(self._columns[number].narrowest or _LEAST_STRETCHING))

    def _leave_out(self, numbers: set[int]) -> None:
        if numbers != self._left_out:
            self._left_out = numbers
            for number in self.chosen:
                self._head.setSectionHidden(number, number in numbers)
            self._keep()

    def _needs(self, number: int, *, brief: bool = False) -> int:
        """The width of the longest of the first texts of a column, with what stands around it."""
        if (number, brief) not in self._needed:
            column, metrics = self._columns[number], self._table.fontMetrics()
            text = column.brief if brief and column.brief else column.text
            self._needed[number, brief] = max(
                metrics.horizontalAdvance(text(row)) + (PILL_ROOM if column.pill and column.pill(row) else CELL_ROOM)
                for row in self._model.rows[:_MEASURED]
            )
        return self._needed[number, brief]

    def _scaled(self, width: int) -> int:
        """A width where letters are larger than usual."""
        return round(width * max(1.0, self._table.fontMetrics().height() / _LINE))

    # What is remembered

    def _set_up(self) -> None:
        head = self._head
        # Of its own, and empty: to paint itself it asks of each column whether all of it is selected, row by row.
        head.setSelectionModel(QItemSelectionModel(self._model, head))
        head.setHighlightSections(False)
        head.setSectionsMovable(True)
        head.setMinimumSectionSize(_NARROWEST)

    def _restore(self) -> None:
        for number, begin in enumerate(self._begins):
            self._head.resizeSection(number, begin)
        if self._memory.restore_header(self._name, self._head):
            left_out = self._numbers(_LEFT)
            hidden = {number for number in range(len(self._columns)) if self._head.isSectionHidden(number)}
            self._hidden, self._left_out = hidden - left_out, hidden & left_out
            return
        for number, column in enumerate(self._columns):
            if not column.shown:
                self._hidden.add(number)
            self._head.setSectionHidden(number, not column.shown)
            if column.stretches:
                self._head.setSectionResizeMode(number, QHeaderView.ResizeMode.Stretch)

    def _resized(self, number: int, before: int, after: int) -> None:
        """Remember it, and that a person did it; hiding a column and showing it again is no width."""
        if not self._is_fitting and before and after and not self._columns[number].stretches:
            self._memory.put(f"{self._name}/{_BY_HAND}", "1")
            self.fit()
        self._keep()

    def _keep(self) -> None:
        self._memory.keep_header(self._name, self._head)
        self._memory.put(f"{self._name}/{_LEFT}", self._keys(self._left_out))

    def _keys(self, numbers: Iterable[int]) -> str:
        return " ".join(self._columns[number].key for number in sorted(numbers))

    def _numbers(self, name: str) -> set[int]:
        keys = set(self._memory.text(f"{self._name}/{name}").split())
        return {number for number, column in enumerate(self._columns) if column.key in keys}
