"""A long list as Qt sees it: the ids of all that was asked for, and the rows of those that are painted."""

from __future__ import annotations

from array import array
from collections import OrderedDict
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Any, Generic

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, QTimer, Signal

from confere.app.archive_session import OpenArchive
from confere.desktop.core.background_reader import BackgroundReader
from confere.desktop.core.error_reporting import Faults
from confere.desktop.core.reader_topics import TopicReader, When
from confere.desktop.theme.theme import Look
from confere.desktop.widgets.long_list.list_columns import G, ListPlan, ListSource, Q, R
from confere.desktop.widgets.plain_text import as_tip
from confere.errors import ArchiveMissing

Index = QModelIndex | QPersistentModelIndex

BLOCK = 64  # rows fetched together
_KEPT = 64  # blocks
FIRST = BLOCK
PAUSE_MS = 1500  # between two snapshots while something fills the archive

# Looked up once: an enum found inside `data` costs more than all the rest of it.
_DISPLAY = Qt.ItemDataRole.DisplayRole
_DECORATION = Qt.ItemDataRole.DecorationRole
_ALIGNMENT = Qt.ItemDataRole.TextAlignmentRole
_TOOL_TIP = Qt.ItemDataRole.ToolTipRole
_ACCESSIBLE = Qt.ItemDataRole.AccessibleTextRole
_FIRST_WAY = Qt.ItemDataRole.InitialSortOrderRole
_HORIZONTAL = Qt.Orientation.Horizontal
_RIGHT = (Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter).value
_LEFT = (Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter).value
_DESCENDING = Qt.SortOrder.DescendingOrder
_FLAGS = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren
_NO_FLAGS = Qt.ItemFlag.NoItemFlags
_NOWHERE = QModelIndex()


class PaintedRow(Generic[R]):
    """A fetched row with the texts of its cells, made when they are painted first."""

    __slots__ = ("row", "texts")

    def __init__(self, row: R, columns: int) -> None:
        self.row = row
        self.texts: list[str | None] = [None] * columns


class LongListModel(QAbstractTableModel, Generic[R, Q, G]):
    """Answers `data` from memory; on a miss it fetches a block of rows, a few milliseconds.

    `ask` shows the first rows as soon as they are there and all of them a moment later. What was shown stays until
    then. `about_to_replace` and `replaced` stand around a change that moves rows, so that a view finds its place again.
    """

    about_to_replace = Signal()
    replaced = Signal(bool)  # whether it is still the same question
    settled = Signal()  # all ids of the last question are here
    _broke = Signal(object)

    def __init__(
        self,
        plan: ListPlan[R, G],
        source: ListSource[R, Q],
        query: Q,
        glance: G,
        topic: str,
        opened: OpenArchive,
        reader: BackgroundReader,
        faults: Faults,
        look: Look,
        parent: QObject | None = None,
    ) -> None:
        """`query` and `glance` are those of a list that nothing was asked of yet; `topic` names its questions."""
        super().__init__(parent)
        self.plan, self._source = plan, source
        self._columns = plan.columns
        self._opened = opened
        self._reader = TopicReader(self, reader, topic, self._failed)
        self._faults = faults
        self._look = look
        look.changed.connect(self._repaint_heads)
        self._query = query
        self.glance = glance
        self._ids: array[int] = array("q")
        self._blocks: OrderedDict[int, list[PaintedRow[R] | None]] = OrderedDict()
        self._brief_columns: frozenset[int] = frozenset()
        self._is_failed = False
        self._is_asking = False
        self._is_stale = False
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(PAUSE_MS)
        self._pause.timeout.connect(self._go_on)
        # Rows are fetched while the list is painted, which is no time to show anything else.
        self._broke.connect(faults.tell, Qt.ConnectionType.QueuedConnection)

    @property
    def query(self) -> Q:
        return self._query

    @property
    def ids(self) -> Sequence[int]:
        """All ids that are listed, in order."""
        return self._ids

    @property
    def is_settled(self) -> bool:
        """Whether all of what was asked last is listed."""
        return not self._is_asking

    def ask(self, query: Q, glance: G) -> None:
        """Show the rows of `query` as `glance` sees them."""
        self._query = query
        self._is_asking, self._is_stale = True, False
        self._pause.stop()
        self._reader.forget("ids")
        opened, source = self._opened, self._source
        self._reader.ask("first", lambda: source.first(opened, query, FIRST), partial(self._show_first, glance))

    def refresh(self) -> None:
        """The archive was written to: look again, not more often than the eye can follow."""
        if self._is_asking or self._pause.isActive():
            self._is_stale = True
        else:
            self._take_snapshot(self._renew)

    def clear(self) -> None:
        """List nothing."""
        self._reader.forget("first")
        self._reader.forget("ids")
        self._pause.stop()
        self._is_asking = False
        self._replace(array("q"))

    def look_as(self, glance: G) -> None:
        """Say the same rows in other words."""
        self.glance = glance
        self._drop_rows()

    def line(self, place: int) -> PaintedRow[R] | None:
        """The row at `place`; None where it is gone from the archive or cannot be read."""
        number = place // BLOCK
        block = self._blocks.get(number)
        if block is None:
            block = self._fetch(number)
        else:
            self._blocks.move_to_end(number)
        inside = place % BLOCK
        return block[inside] if inside < len(block) else None

    def text(self, line: PaintedRow[R], column: int) -> str:
        """The text of a cell."""
        text = line.texts[column]
        if text is None:
            shown = self._columns[column]
            brief = shown.brief if column in self._brief_columns else None
            text = line.texts[column] = (brief or shown.text)(line.row, self.glance)
        return text

    def show_briefly(self, columns: frozenset[int]) -> None:
        """Show the brief texts of these columns, and of no others."""
        if columns != self._brief_columns:
            self._brief_columns = columns
            for line in filter(None, chain.from_iterable(self._blocks.values())):
                line.texts[:] = [None] * len(line.texts)

    def place_of(self, row_id: int) -> int | None:
        """Where the row stands; None where it is not listed."""
        try:
            return self._ids.index(row_id)
        except ValueError:
            return None

    def places_of(self, wanted: Collection[int]) -> list[int]:
        """Where these rows stand, from the top; those not listed are left out."""
        left = set(wanted)
        found = []
        for place, number in enumerate(self._ids):
            if not left:
                break
            if number in left:
                left.discard(number)
                found.append(place)
        return found

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._ids)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._columns)

    def flags(self, index: Index) -> Qt.ItemFlag:
        return _FLAGS if index.isValid() else _NO_FLAGS

    def data(self, index: Index, role: int = _DISPLAY) -> Any:
        if role == _ALIGNMENT:
            return _RIGHT if self._columns[index.column()].right else _LEFT
        if role not in (_DISPLAY, _ACCESSIBLE, _TOOL_TIP):
            return None
        column = index.column()
        line = self.line(index.row())
        if line is None:
            return ""
        if role == _TOOL_TIP:
            return as_tip(self._tip(line, column))
        return self.text(line, column)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _DISPLAY) -> Any:
        if orientation != _HORIZONTAL or not 0 <= section < len(self._columns):
            return None
        column = self._columns[section]
        if role == _DISPLAY:
            return "" if column.mark else column.name
        if role == _DECORATION and column.mark:
            return self._look.icon(column.mark, "muted")
        if role in (_ACCESSIBLE, _TOOL_TIP):
            return column.name
        if role == _ALIGNMENT:
            return _RIGHT if column.right else _LEFT
        if role == _FIRST_WAY:
            return int(column.newest_first)
        return None

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        if self.plan.sortable(self._columns[column]):
            sort, descending = self._columns[column].key, order == _DESCENDING
            if (sort, descending) != (self._query.sort, self._query.descending):
                self.ask(replace(self._query, sort=sort, descending=descending), self.glance)

    def _repaint_heads(self) -> None:
        self.headerDataChanged.emit(_HORIZONTAL, 0, len(self._columns) - 1)

    def _tip(self, line: PaintedRow[R], column: int) -> str:
        tip = self._columns[column].tip
        return (tip or self._columns[column].text)(line.row, self.glance)

    def _show_first(self, glance: G, rows: Sequence[R]) -> None:
        self.glance = glance
        self._replace(array("q", [row.id for row in rows]), list(map(self._painted, rows)))
        if len(rows) < FIRST:
            self._settle()
        else:
            self._take_snapshot(self._follow, When.PAINTED)  # of these rows

    def _take_snapshot(self, then: Callable[[array[int]], None], when: When = When.NOW) -> None:
        opened, source, query = self._opened, self._source, self._query
        self._is_asking = True
        self._reader.ask("ids", lambda: source.snapshot(opened, query), then, when=when)

    def _follow(self, ids: array[int]) -> None:
        """All ids of which the first are shown; a row that was read a moment ago need not be read again.

        Where others came to the beginning meanwhile, its lines are of other ids now.
        """
        is_same = ids[: len(self._ids)] == self._ids
        self._replace(ids, self._blocks.get(0) if is_same else None)
        self._settle()

    def _renew(self, ids: array[int]) -> None:
        self._replace(ids, same=True)
        self._settle()

    def _settle(self) -> None:
        self._is_asking = False
        self._pause.start()
        self.settled.emit()

    def _go_on(self) -> None:
        if self._is_stale:
            self._is_stale = False
            self._take_snapshot(self._renew)

    def _failed(self, error: Exception) -> None:
        self._is_asking = False
        self._replace(array("q"))
        if not isinstance(error, ArchiveMissing):
            self._faults.tell(error)
        self.settled.emit()

    def _replace(self, ids: array[int], first: list[PaintedRow[R] | None] | None = None, *, same: bool = False) -> None:
        """List `ids`, of which the first block may be known; rows that only follow on those listed move nothing."""
        before = len(self._ids)
        self._is_failed = False
        if before and len(ids) >= before and ids[:before] == self._ids:
            self._drop_rows()
            if first is not None and len(first) == BLOCK:
                self._blocks[0] = first
            if len(ids) > before:
                self.beginInsertRows(_NOWHERE, before, len(ids) - 1)
                self._ids = ids
                self.endInsertRows()
            return
        if not before and not ids:
            return
        self.about_to_replace.emit()
        self.beginResetModel()
        self._ids = ids
        self._blocks.clear()
        if first:
            self._blocks[0] = first
        self.endResetModel()
        self.replaced.emit(same)

    def _drop_rows(self) -> None:
        self._blocks.clear()
        if self._ids:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._ids) - 1, len(self._columns) - 1))

    def _painted(self, row: R) -> PaintedRow[R] | None:
        return PaintedRow(row, len(self._columns))

    def _fetch(self, number: int) -> list[PaintedRow[R] | None]:
        wanted = self._ids[number * BLOCK : (number + 1) * BLOCK]
        found: dict[int, R] = {}
        if not self._is_failed:
            try:
                found = {row.id: row for row in self._source.rows(self._opened, wanted)}
            except Exception as error:
                # Told once: every cell on the screen would say it again.
                self._is_failed = True
                if not isinstance(error, ArchiveMissing):
                    self._broke.emit(error)
        block = [self._painted(found[entry]) if entry in found else None for entry in wanted]
        self._blocks[number] = block
        if len(self._blocks) > _KEPT:
            self._blocks.popitem(last=False)
        return block
