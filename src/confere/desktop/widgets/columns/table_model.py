"""The columns of a short table as data, and the rows that stand under them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from confere.desktop.core import clipboard_rows
from confere.desktop.widgets.pill import PILL_ROLE
from confere.desktop.widgets.plain_text import as_tip

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


@dataclass(frozen=True, slots=True)
class TableColumn(Generic[T]):
    """`text` is what is shown; `copied` what goes to a spreadsheet where that differs.

    `key` names the column in what the window remembers. `width` is in pixels; the one with `stretches` takes the rest;
    where there is none it gives way down to `narrowest`, before the table scrolls.
    One whose texts need more is widened by what the stretching ones can spare; one that is `right`, by all it needs.
    One with a `share` may take that part of the table's width even where the table has to scroll then.
    Those with a `rank` leave where there is no room for all, the highest first, until a person asks for them.
    `brief` is shown instead of `text` where the column has no room for the longest.
    One that is `widened_last` leaves what is to spare to the others, those that stretch among them.
    One that is not `shown` is hidden until a person asks for it.
    `pill` gives the kind of pill (`good`, `warn`, `bad`, `info`, `neutral`) that the text is painted in, if any.
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
    narrowest: int = 0
    rank: int = 0
    brief: Callable[[T], str] | None = None
    about: str = ""
    spoken: Callable[[T], str] | None = None
    widened_last: bool = False


class TableModel(QAbstractTableModel, Generic[T]):
    """Rows are values that do not change; another state of affairs is another tuple."""

    def __init__(self, columns: Sequence[TableColumn[T]], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.columns = tuple(columns)
        self._rows: tuple[T, ...] = ()
        self.brief_columns: frozenset[int] = frozenset()
        """Those that show their brief texts now."""

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
            shows_brief = column.brief is not None and index.column() in self.brief_columns
            return (column.brief if shows_brief and column.brief else column.text)(self._rows[index.row()])
        if role == _ALIGN:
            return _RIGHT if column.right else _LEFT
        if role == _TIP:
            return as_tip((column.tip or column.text)(self._rows[index.row()])) or None
        if role == PILL_ROLE and column.pill is not None:
            return column.pill(self._rows[index.row()])
        if role == _ACCESSIBLE and column.spoken is not None:
            return column.spoken(self._rows[index.row()])
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _DISPLAY) -> Any:
        if orientation == _HORIZONTAL and 0 <= section < len(self.columns):
            column = self.columns[section]
            if role == _DISPLAY:
                return column.title
            if role == _TIP:
                return column.about or column.title
            if role == _ACCESSIBLE and column.about:
                return column.about
            if role == _ALIGN:
                return _RIGHT if column.right else _LEFT
        return None

    def as_text(self, rows: Sequence[int], columns: Sequence[int]) -> str:
        """Tab-separated lines with a head, as spreadsheets take them."""
        chosen = [self.columns[number] for number in columns]
        lines = [[column.title for column in chosen]]
        lines += [[(column.copied or column.text)(self._rows[row]) for column in chosen] for row in rows]
        return "\n".join(map(clipboard_rows.line, lines))
