"""The columns that say which row it is stay at the left while the others scroll under them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QEvent, QModelIndex, QObject, QRect, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QHeaderView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QTableView, QWidget

from confere.desktop.theme.theme import Look
from confere.desktop.widgets.columns.elided_header import ElidedHeader

_LARGEST_SHARE: Final = 0.6  # of the list's width; the rest has to show what was scrolled to
_HORIZONTAL: Final = Qt.Orientation.Horizontal


class FrozenColumns(QObject):
    """Belongs to `table`. A column of `sections` stays where it would leave the screen, beside those before it.

    The body is painted by `delegate` above the table's own and lets the mouse through: rows are what is pointed at.
    """

    def __init__(self, table: QTableView, delegate: QStyledItemDelegate, sections: Sequence[int], look: Look) -> None:
        super().__init__(table)
        self._table, self._sections = table, tuple(sections)
        self.body = _Body(table, delegate, look)
        self.head = _head_of(table)
        header = table.horizontalHeader()
        for signal in (header.sectionResized, header.sectionMoved, header.geometriesChanged):
            signal.connect(self.place)
        header.sortIndicatorChanged.connect(self._mark_sort)
        self.head.sectionClicked.connect(self._sort)
        table.horizontalScrollBar().valueChanged.connect(self.place)
        table.verticalScrollBar().valueChanged.connect(self.body.update)
        table.selectionModel().selectionChanged.connect(self.body.update)
        table.selectionModel().currentChanged.connect(self.body.update)
        model = table.model()
        for signal in (model.dataChanged, model.modelReset, model.rowsInserted):
            signal.connect(self.body.update)
        look.changed.connect(self.body.update)
        table.viewport().installEventFilter(self)
        self.place()

    @property
    def stuck(self) -> tuple[int, ...]:
        """The sections that stay now, from left to right."""
        return tuple(section for section, _ in self.body.columns)

    def section_at(self, x: int) -> int | None:
        """The section that stays at this place of the table's body; None where none does."""
        for section, left in self.body.columns:
            if left <= x < left + self._table.columnWidth(section):
                return section
        return None

    def place(self) -> None:
        """Look anew which columns stay, and where."""
        header, viewport = self._table.horizontalHeader(), self._table.viewport()
        shown = [section for section in self._sections if not header.isSectionHidden(section)]
        left, columns = 0, []
        for section in sorted(shown, key=header.visualIndex):
            width = header.sectionSize(section)
            if header.sectionViewportPosition(section) >= left or left + width > viewport.width() * _LARGEST_SHARE:
                break
            columns.append((section, left))
            left += width
        self.body.columns = columns
        for part in (self.body, self.head):
            part.setVisible(bool(columns))
        if not columns:
            return
        self.body.setGeometry(QRect(viewport.x(), viewport.y(), left, viewport.height()))
        self.head.setGeometry(QRect(header.x(), header.y(), left, header.height()))
        for section in range(header.count()):
            is_stuck = any(section == other for other, _ in columns)
            self.head.setSectionHidden(section, not is_stuck)
            if is_stuck:
                self.head.resizeSection(section, header.sectionSize(section))
        for visual, (section, _) in enumerate(columns):
            self.head.moveSection(self.head.visualIndex(section), visual)
        self.body.raise_()
        self.head.raise_()
        self.body.update()

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self.place()
        return False

    def _mark_sort(self, section: int, order: Qt.SortOrder) -> None:
        self.head.setSortIndicator(section, order)

    def _sort(self, section: int) -> None:
        """As a click on the head of the column itself."""
        header = self._table.horizontalHeader()
        if header.sortIndicatorSection() != section:
            first = self._table.model().headerData(section, _HORIZONTAL, Qt.ItemDataRole.InitialSortOrderRole)
            is_descending = bool(first)
        else:
            is_descending = header.sortIndicatorOrder() == Qt.SortOrder.AscendingOrder
        order = Qt.SortOrder.DescendingOrder if is_descending else Qt.SortOrder.AscendingOrder
        header.setSortIndicator(section, order)
        self.head.setSortIndicator(header.sortIndicatorSection(), header.sortIndicatorOrder())


class _Body(QWidget):
    """`columns` are the sections to paint, each with its place from the left."""

    def __init__(self, table: QTableView, delegate: QStyledItemDelegate, look: Look) -> None:
        super().__init__(table)
        self._table, self._delegate, self._look = table, delegate, look
        self.columns: list[tuple[int, int]] = []
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def paintEvent(self, _event: QPaintEvent) -> None:
        table, model, selection = self._table, self._table.model(), self._table.selectionModel()
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(self._look.colours.surface))
        row, last = max(table.rowAt(0), 0), model.rowCount() - 1
        current = table.currentIndex() if table.hasFocus() else QModelIndex()
        while row <= last and (top := table.rowViewportPosition(row)) < self.height():
            is_selected = selection.isRowSelected(row, QModelIndex())
            for section, left in self.columns:
                option = QStyleOptionViewItem()
                option.rect = QRect(left, top, table.columnWidth(section), table.rowHeight(row))
                state = QStyle.StateFlag.State_Enabled
                index = model.index(row, section)
                if is_selected:
                    state |= QStyle.StateFlag.State_Selected
                if index == current:
                    state |= QStyle.StateFlag.State_HasFocus
                option.state = state
                self._delegate.paint(painter, option, index)
            row += 1
        painter.fillRect(self.width() - 1, 0, 1, self.height(), QColor(self._look.colours.strong_line))
        painter.end()


def _head_of(table: QTableView) -> QHeaderView:
    head = ElidedHeader(table)
    head.setModel(table.model())
    head.setSectionsClickable(True)
    head.setSortIndicatorShown(True)
    head.setHighlightSections(False)
    head.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
    head.setMinimumSectionSize(1)
    head.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    head.setAccessibleName(table.horizontalHeader().accessibleName())
    main = table.horizontalHeader()
    head.setSortIndicator(main.sortIndicatorSection(), main.sortIndicatorOrder())
    head.hide()
    return head
