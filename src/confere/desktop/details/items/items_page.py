"""The page of items: a note's goods or a CT-e's parts as a table, and below it all of the one that is chosen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QSplitter,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from confere.app.documents.view import item_facts
from confere.app.documents.view.facts import Place, Section, ViewOptions
from confere.app.documents.view.loaded import Loaded
from confere.desktop.core.window_memory import Memory
from confere.desktop.details.items import cte_parts, item_columns
from confere.desktop.details.items.cte_parts import CtePart
from confere.desktop.details.items.item_columns import Row
from confere.desktop.theme.measures import GAP, WIDE_GAP
from confere.desktop.theme.theme import Look
from confere.desktop.widgets.fact_page import html_of
from confere.desktop.widgets.menus import menu_of
from confere.desktop.widgets.plain_text import Label, RichTextPage, as_page
from confere.desktop.widgets.table import Table, fill_column_menu
from confere.fiscal.detail import FreightDetail
from confere.system import formatting
from confere.system.messages import ngettext, t

_SPLIT = "details/items"
_SHARES = (2, 3)  # of the height: the table, and what is below it


class Items(QWidget):
    """Columns are remembered, and hidden by the menu of their heads; Ctrl+C copies rows as a spreadsheet takes them.

    `document_wanted` carries the access key of a document that the chosen line names.
    """

    document_wanted = Signal(object)

    def __init__(self, look: Look, memory: Memory, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look, self._memory = look, memory
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.setAutoFillBackground(True)
        self._place: Place | None = None
        self._options = ViewOptions()
        self._shown: tuple[Section, ...] = ()
        self.table: Table[Row] = Table(
            "details/items", t("Items"), item_columns.columns(), lambda row: row[0], look, memory
        )
        self.parts: Table[CtePart] = Table(
            "details/parts", t("Parts of the freight"), cte_parts.columns(), lambda row: row.place, look, memory
        )
        self.chosen = RichTextPage()
        self._lay_out()
        self.table.chosen.connect(self._item_chosen)
        self.parts.chosen.connect(self._part_chosen)
        self.parts.entered_row.connect(self._go)
        self.chosen.anchorClicked.connect(self._follow)
        look.changed.connect(self._draw)
        look.changed.connect(self._paint)
        self._paint()

    def show_document(self, loaded: Loaded) -> None:
        """Show the items of this one, the first of them in full."""
        detail = loaded.view.detail
        self._options = loaded.options
        is_freight = isinstance(detail, FreightDetail)
        is_new, self._place = loaded.place != self._place, loaded.place
        table: Table[Any] = self.parts if is_freight else self.table
        rows: Sequence[Any] = (
            cte_parts.parts(detail, loaded) if isinstance(detail, FreightDetail) else item_columns.rows(loaded)
        )
        had_keyboard = self._now().hasFocus()
        table.put(rows)
        self._tables.setCurrentWidget(table)
        if is_new:
            table.clearSelection()  # was of the lines of another document
            table.scrollToTop()
        self._split.setVisible(bool(rows))
        self._columns.setVisible(bool(rows))
        if had_keyboard:
            # A table that hides would send the keyboard to the other end of the window.
            (table if rows else self).setFocus()
        self._say(loaded, rows)
        if rows and (is_new or table.current is None):
            index = table.rows_model.index(0, 0)
            table.selectionModel().setCurrentIndex(index, table.selectionModel().SelectionFlag.NoUpdate)
        self._current_chosen()

    def _lay_out(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        self._tables = QStackedWidget()
        for table in (self.table, self.parts):
            self._tables.addWidget(table)
            table.offer_columns()
        self.chosen.setAccessibleName(t("The chosen item in full"))
        self.chosen.setFrameShape(QFrame.Shape.NoFrame)
        as_page(self.chosen)
        self.chosen.setOpenLinks(False)
        self.chosen.setTabChangesFocus(True)
        self.chosen.document().setDocumentMargin(12)
        self._split = QSplitter(Qt.Orientation.Vertical)
        self._split.setChildrenCollapsible(False)
        self._split.addWidget(self._tables)
        self._split.addWidget(self.chosen)
        for number, share in enumerate(_SHARES):
            self._split.setStretchFactor(number, share)
        self._memory.restore_splitter(_SPLIT, self._split)
        self._split.splitterMoved.connect(lambda: self._memory.keep_splitter(_SPLIT, self._split))
        layout.addWidget(self._split, 1)
        foot = QHBoxLayout()
        foot.setContentsMargins(GAP, 2, WIDE_GAP, 2)
        self._columns = QToolButton()
        self._columns.setProperty("look", "quiet")
        self._columns.setToolTip(t("Columns"))
        self._columns.setAccessibleName(t("Columns of the items"))
        self._columns.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._columns.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        menu = menu_of(self._columns)
        menu.aboutToShow.connect(lambda: fill_column_menu(menu, self._now()))
        self._columns.setMenu(menu)
        foot.addWidget(self._columns)
        self.sum = Label()
        self.sum.setWordWrap(True)
        self.sum.setMinimumHeight(32)
        self.sum.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        foot.addWidget(self.sum, 1)
        layout.addLayout(foot)

    def _now(self) -> Table[Any]:
        return self.parts if self._tables.currentWidget() is self.parts else self.table

    def _say(self, loaded: Loaded, rows: Sequence[Any]) -> None:
        middle = Qt.AlignmentFlag.AlignVCenter
        self.sum.setAlignment((Qt.AlignmentFlag.AlignRight if rows else Qt.AlignmentFlag.AlignHCenter) | middle)
        self.sum.setProperty("rank", "" if rows else "muted")
        self.sum.style().polish(self.sum)
        detail = loaded.view.detail
        if not rows:
            self.sum.setText(
                t("This document has no items.") if loaded.unreadable is None else t("The file cannot be read.")
            )
        elif isinstance(detail, FreightDetail):
            told = [t("carried documents: {count}", count=formatting.count(len(detail.carried)))]
            if detail.service_cents is not None:  # named: what is carried has values too
                told.insert(0, t("service: {total}", total=formatting.money(detail.service_cents)))
            self.sum.setText(" · ".join(told))
        else:
            goods = sum(item.item.total_cents or 0 for _, item in rows)
            count = ngettext("{count} item", "{count} items", len(rows))
            self.sum.setText(f"{count} · {formatting.money(goods)}")

    def _current_chosen(self) -> None:
        if self._now() is self.parts:
            self._part_chosen(self.parts.current)
        else:
            self._item_chosen(self.table.current)

    def _item_chosen(self, row: Row | None) -> None:
        if self._tables.currentWidget() is self.table:
            self._put(() if row is None else item_facts.sections(row[1], self._options))

    def _part_chosen(self, row: CtePart | None) -> None:
        if self._tables.currentWidget() is self.parts:
            self._put(() if row is None else cte_parts.sections(row, self._options))

    def _put(self, found: tuple[Section, ...]) -> None:
        if found != self._shown:
            self._shown = found
            self._draw()

    def _draw(self) -> None:
        self.chosen.setHtml(html_of(self._shown, self._look.colours))

    def _go(self, part: CtePart) -> None:
        if part.access_key and part.archived:
            self.document_wanted.emit(part.access_key)

    def _follow(self, url: QUrl) -> None:
        if url.scheme() == "key":
            self.document_wanted.emit(url.path())

    def _paint(self) -> None:
        self._columns.setIcon(self._look.icon("columns", "muted"))
