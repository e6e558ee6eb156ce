"""Keeps somebody's place in a list that changes under them: by what is listed, not by rows."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

from PySide6.QtCore import QItemSelection, QItemSelectionModel, QItemSelectionRange, QObject
from PySide6.QtWidgets import QAbstractItemView, QTableView

from confere.desktop.widgets.long_list.list_model import LongListModel

# Of whole rows, one by one: widening thousands of cells to rows would hold the window up for seconds.
_SELECT = QItemSelectionModel.SelectionFlag.Select
_STAY = QItemSelectionModel.SelectionFlag.NoUpdate
_AT_TOP = QAbstractItemView.ScrollHint.PositionAtTop
_MOST_FOLLOWED: Final = 20_000  # selected rows that are found again


class _Place(NamedTuple):
    current: int | None
    chosen: array[int]
    every: bool
    top: int | None
    aside: int  # how far it was scrolled to the side


def selected_places(selection: QItemSelectionModel) -> list[range]:
    """The selected rows as stretches, from the top; costs nothing however many rows they hold."""
    spans = selection.selection()
    found: list[range] = []
    for first, end in sorted((span.top(), span.bottom() + 1) for span in map(spans.at, range(spans.count()))):
        if found and first <= found[-1].stop:
            found[-1] = range(found[-1].start, max(found[-1].stop, end))
        else:
            found.append(range(first, end))
    return found


def stretches(places: Sequence[int]) -> list[range]:
    """These rows, which are in their order, as few stretches."""
    if places and len(places) == places[-1] - places[0] + 1:  # most often all of them
        return [range(places[0], places[-1] + 1)]
    found: list[range] = []
    for place in places:
        if found and place == found[-1].stop:
            found[-1] = range(found[-1].start, place + 1)
        else:
            found.append(range(place, place + 1))
    return found


def ids_at(ids: Sequence[int], places: Iterable[range]) -> array[int]:
    """The ids at these stretches, in the order of the list."""
    found = array("q")
    for span in places:
        found.extend(array("q", ids[span.start : span.stop]))
    return found


class PlaceKeeper(QObject):
    """After a change it selects and stands on the same rows; the same question stays scrolled where it was.

    The first rows of another question are not all of them: what they lack is looked for once more when all are here,
    unless somebody selected something else meanwhile.
    """

    def __init__(self, table: QTableView, model: LongListModel[Any, Any, Any]) -> None:
        super().__init__(table)
        self._table = table
        self._model = model
        self._kept: _Place | None = None
        self._is_placing = False
        model.about_to_replace.connect(self._keep)
        model.replaced.connect(self._find)
        model.settled.connect(self._end)
        table.selectionModel().currentChanged.connect(self._touched)
        table.selectionModel().selectionChanged.connect(self._touched)

    @property
    def is_looking(self) -> bool:
        """Whether rows are still to come among which the place may be."""
        return self._kept is not None

    def _keep(self) -> None:
        if self._kept is not None:
            return
        ids = self._model.ids
        spans = selected_places(self._table.selectionModel())
        count = sum(map(len, spans))
        every = bool(ids) and count == len(ids)
        chosen = ids_at(ids, spans) if count <= _MOST_FOLLOWED and not every else array("q")
        current, top = self._table.currentIndex().row(), self._table.rowAt(0)
        # At the very top one wants to see what comes in; further down, to go on reading.
        is_at_top = self._table.verticalScrollBar().value() == 0
        self._kept = _Place(
            current=ids[current] if 0 <= current < len(ids) else None,
            chosen=chosen,
            every=every,
            top=ids[top] if 0 <= top < len(ids) and not is_at_top else None,
            aside=self._table.horizontalScrollBar().value(),
        )

    def _find(self, same: bool) -> None:
        kept = self._kept
        if kept is None:
            return
        self._is_placing = True
        model, selection = self._model, self._table.selectionModel()
        if kept.every and same:
            self._table.selectAll()
        elif kept.chosen:
            rows, last = QItemSelection(), model.columnCount() - 1
            for found in model.places_of(kept.chosen):
                rows.append(QItemSelectionRange(model.index(found, 0), model.index(found, last)))
            selection.select(rows, _SELECT)
        place = model.place_of(kept.current) if kept.current is not None else None
        if place is not None:
            # Who asks something else wants to see what was chosen; who only waits is not to be moved.
            self._table.setAutoScroll(not same)
            selection.setCurrentIndex(model.index(place, self._first_column()), _STAY)
            self._table.setAutoScroll(True)
        if same:
            self._scroll_back(kept)
        self._is_placing = False

    def _scroll_back(self, kept: _Place) -> None:
        top = self._model.place_of(kept.top) if kept.top is not None else None
        if top is not None:
            self._table.scrollTo(self._model.index(top, self._first_column()), _AT_TOP)
        self._table.horizontalScrollBar().setValue(kept.aside)

    def _end(self) -> None:
        self._find(False)
        self._kept = None

    def _touched(self) -> None:
        if not self._is_placing and self._model.ids:
            self._kept = None

    def _first_column(self) -> int:
        """The leftmost column that is shown."""
        header = self._table.horizontalHeader()
        order = (header.logicalIndex(place) for place in range(header.count()))
        return next((section for section in order if not header.isSectionHidden(section)), 0)
