"""A page beside the findings: what it is in a line, its buttons, a table with what is below it, or why it is empty."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Generic, TypeVar

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QPushButton,
    QSplitter,
    QStackedLayout,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from confere.app.accounts.company_lines import CompanyLines
from confere.app.labels.finding_labels import of_no_company_sentence
from confere.desktop.core.reader_topics import TopicReader
from confere.desktop.services import Services
from confere.desktop.theme.measures import GAP, WIDE_GAP
from confere.desktop.widgets.card import label
from confere.desktop.widgets.menus import menu_of
from confere.desktop.widgets.plain_text import as_tip
from confere.desktop.widgets.table import Table, TableColumn, fill_column_menu
from confere.errors import ArchiveMissing
from confere.system.messages import t

T = TypeVar("T")
_SHARES = (3, 2)
_SENTENCE = 220  # pixels in width that the sentence above a table needs
_BESIDE, _BELOW = QHBoxLayout.Direction.LeftToRight, QHBoxLayout.Direction.TopToBottom


class TablePage(QWidget, Generic[T]):
    """Asks for its rows beside the window when it is shown for an account and a month.

    With a company in use they are its own, and those that nothing tells the company of: a line says how many.
    """

    def __init__(
        self,
        services: Services,
        reader: TopicReader,
        name: str,
        title: str,
        words: str,
        nothing: str,
        columns: Sequence[TableColumn[T]],
        identity: Callable[[T], Hashable],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._services, self._reader, self._name = services, reader, name
        self.account: str | None = None
        self.period: str | None = None
        self.company: str | None = None
        self.table: Table[T] = Table(
            f"reconcile/{name}", title, columns, identity, services.look, services.memory, self
        )
        self._columns: QToolButton | None = None
        self._words = label(words, "muted", wraps=True)
        self._nothing = label(nothing, "muted", wraps=True)
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._buttons = QHBoxLayout()
        self._buttons.setSpacing(GAP)
        self._head = head = QHBoxLayout()
        head.setContentsMargins(WIDE_GAP, GAP, WIDE_GAP, GAP)
        head.setSpacing(WIDE_GAP)
        self.unowned = label("", "muted", wraps=True)
        self.unowned.hide()
        sentences = QVBoxLayout()
        sentences.setSpacing(0)
        sentences.addWidget(self._words)
        sentences.addWidget(self.unowned)
        head.addLayout(sentences, 1)
        head.addLayout(self._buttons)
        self.splitter = QSplitter(Qt.Orientation.Vertical)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.addWidget(self.table)
        filled = QWidget()
        column = QVBoxLayout(filled)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self.splitter, 1)
        empty = QWidget()
        QVBoxLayout(empty).addWidget(self._nothing)
        self._layers = QStackedLayout(self)
        self._layers.addWidget(QWidget())
        self._layers.addWidget(filled)
        self._layers.addWidget(empty)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """On a narrow page the sentence stands above the buttons: beside them it would be a column of words."""
        super().resizeEvent(event)
        room = self.width() - self._buttons.sizeHint().width() - 3 * WIDE_GAP
        self._head.setDirection(_BELOW if room < _SENTENCE else _BESIDE)

    @property
    def rows(self) -> tuple[T, ...]:
        return self.table.rows_model.rows

    def show_for(self, account: str | None, period: str | None) -> None:
        """Show what there is of this account and month, of the company in use."""
        company = self._services.scope.company
        if (account, company) != (self.account, self.company):
            self.table.put(())
            self._layers.setCurrentIndex(0)
        self.account, self.period, self.company = account, period, company
        self.refresh()

    def refresh(self) -> None:
        """Ask again; what is current stays so."""
        if self.account is not None:
            self._reader.ask(self._name, self.question(self.account, self.period), self._have, self._failed)

    def question(self, account: str, period: str | None) -> Callable[[], CompanyLines[T]]:
        """What is asked beside the window, of `company`."""
        raise NotImplementedError

    def put_below(self, widget: QWidget) -> None:
        """What belongs to the chosen row stands below the table."""
        self.splitter.addWidget(widget)
        for number, share in enumerate(_SHARES):
            self.splitter.setStretchFactor(number, share)
        memory, name = self._services.memory, f"reconcile/{self._name}"
        memory.restore_splitter(name, self.splitter)
        self.splitter.splitterMoved.connect(lambda *_: memory.keep_splitter(name, self.splitter))

    def add_button(self, title: str, act: Callable[[], None], tip: str = "") -> QPushButton:
        """A button at the head."""
        made = QPushButton(title)
        made.setToolTip(as_tip(tip))
        made.clicked.connect(lambda: act())
        self._buttons.addWidget(made)
        return made

    def add_copy(self) -> None:
        """The button that copies the selected rows, or all."""
        self.add_button(t("Copy"), self.table.copy, t("Copy the selected rows as a table for a spreadsheet"))

    def add_columns(self) -> None:
        """The button that says which columns are shown."""
        made = QToolButton()
        made.setProperty("look", "quiet")
        made.setToolTip(t("Columns"))
        made.setAccessibleName(t("Columns"))
        made.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        made.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = menu_of(made)
        menu.aboutToShow.connect(lambda: fill_column_menu(menu, self.table))
        made.setMenu(menu)
        self._columns = made
        self._buttons.addWidget(made)
        self._services.look.changed.connect(self._paint)
        self._paint()

    def _paint(self) -> None:
        if self._columns is not None:
            self._columns.setIcon(self._services.look.icon("columns", "muted"))

    def _have(self, found: CompanyLines[T]) -> None:
        self.table.put(found.lines)
        self.unowned.setText(of_no_company_sentence(found.of_no_company))
        self.unowned.setVisible(bool(found.of_no_company))
        self._layers.setCurrentIndex(1 if found.lines else 2)
        self.table.choose_first()

    def _failed(self, error: Exception) -> None:
        self.table.put(())
        self._layers.setCurrentIndex(2)
        if not isinstance(error, ArchiveMissing):
            self._services.faults.tell(error)
