"""A list of the activity page: what it is in a line, its buttons, the table, and what stands there when empty."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import partial
from typing import Any, Generic, TypeVar

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QStackedLayout, QVBoxLayout, QWidget

from confere.app.accounts.company_lines import CompanyLines
from confere.app.labels.finding_labels import of_no_company_sentence
from confere.desktop.services import Services
from confere.desktop.theme.measures import GAP, WIDE_GAP
from confere.desktop.widgets.card import label
from confere.desktop.widgets.plain_text import as_tip
from confere.desktop.widgets.table import Table, TableColumn
from confere.system import formatting
from confere.system.messages import t

T = TypeVar("T")

PAGE = 200


class ActivityList(QWidget, Generic[T]):
    """Asks for its rows beside the window. The question takes the company in use and, with `grows`, the row to go on
    after, else None. `of_others` says under a company what else than its own is listed; without it, a count does.

    `counted` tells how many there are, as a text for a tab.
    """

    counted = Signal(str)

    def __init__(
        self,
        services: Services,
        name: str,
        title: str,
        words: str,
        nothing: str,
        columns: Sequence[TableColumn[T]],
        identity: Callable[[T], Hashable],
        ask: Callable[[str | None, T | None], CompanyLines[T]],
        *,
        of_others: str = "",
        grows: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._services, self._name, self._question, self._grows = services, name, ask, grows
        self._identity = identity
        self._of_others = of_others
        self._company: str | None = None
        self._exhausted = not grows
        self._asking_more = False
        self.table: Table[T] = Table(f"activity/{name}", title, columns, identity, services.look, services.memory, self)
        self.table.more_wanted.connect(self._more)
        self._words = label(words, "muted", wraps=True)
        self._nothing = label(nothing, "muted", wraps=True)
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._buttons = QHBoxLayout()
        self._buttons.setSpacing(GAP)
        self._needing_rows: list[QPushButton] = []
        head = QHBoxLayout()
        head.setContentsMargins(WIDE_GAP, GAP, WIDE_GAP, GAP)
        self.unowned = label("", "muted", wraps=True)
        self.unowned.hide()
        sentences = QVBoxLayout()
        sentences.setSpacing(0)
        sentences.addWidget(self._words)
        sentences.addWidget(self.unowned)
        head.addLayout(sentences, 1)
        head.addLayout(self._buttons)
        self._body = QHBoxLayout()
        self._body.addWidget(self.table, 1)
        filled = QWidget()
        column = QVBoxLayout(filled)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addLayout(self._body, 1)
        self._layers = QStackedLayout(self)
        self._layers.addWidget(QWidget())
        self._layers.addWidget(filled)
        self._layers.addWidget(self._nothing)

    @property
    def rows(self) -> tuple[T, ...]:
        return self.table.rows_model.rows

    def add_button(self, title: str, act: Callable[[], None], tip: str = "") -> QPushButton:
        """A button at the head."""
        made = QPushButton(title)
        made.setToolTip(as_tip(tip))
        made.clicked.connect(lambda: act())
        self._buttons.addWidget(made)
        return made

    def put_beside(self, widget: QWidget) -> None:
        """Let `widget` take the table's place; it has put the table into itself."""
        self._body.addWidget(widget, 1)

    def refresh(self) -> None:
        """Ask again; what is current stays so, unless it was of another company."""
        question, company = self._question, self._services.scope.company
        if company != self._company:
            self._company, self._exhausted, self._asking_more = company, not self._grows, False
            self.table.put(())
            self._layers.setCurrentIndex(0)
        self._services.reader.ask(f"activity/{self._name}", lambda: question(company, None), self._have)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.table.choose_first()

    def _have(self, found: CompanyLines[T]) -> None:
        rows = found.lines
        others = self._of_others if self._company is not None else ""
        self.unowned.setText(others or of_no_company_sentence(found.of_no_company))
        self.unowned.setVisible(bool(self.unowned.text()))
        if self._grows and len(rows) >= PAGE and self.rows:
            # What was loaded further down stays; new rows only come above it.
            fresh = {self._identity(row) for row in rows}
            last = self._identity(rows[-1])
            known = [self._identity(row) for row in self.rows]
            self._exhausted = self._exhausted and last in known
            if last in known:
                rows += tuple(row for row in self.rows[known.index(last) + 1 :] if self._identity(row) not in fresh)
        elif self._grows:
            self._exhausted = len(rows) < PAGE
        self._show(rows)

    def _more(self) -> None:
        if self._exhausted or self._asking_more or not self.rows:
            return
        self._asking_more = True
        question, company, last = self._question, self._company, self.rows[-1]
        self._services.reader.ask(
            f"activity/{self._name}/more",
            lambda: question(company, last),
            partial(self._have_more, company),
            self._have_none,
        )

    def _have_more(self, company: str | None, found: CompanyLines[T]) -> None:
        if company != self._company:
            return  # another one was chosen meanwhile
        self._asking_more = False
        self._exhausted = len(found.lines) < PAGE
        known = {self._identity(row) for row in self.rows}
        self.table.rows_model.add([row for row in found.lines if self._identity(row) not in known])

    def _have_none(self, error: Exception) -> None:
        self._asking_more = False
        self._services.faults.tell(error)

    def _show(self, rows: tuple[T, ...]) -> None:
        self.table.put(rows)
        self._layers.setCurrentIndex(1 if rows else 2)
        if self.isVisible():
            self.table.choose_first()
        self.counted.emit("" if self._grows or not rows else formatting.count(len(rows)))


def copy_button(listing: ActivityList[Any]) -> QPushButton:
    """The button that copies the selected rows, or all."""
    return listing.add_button(t("Copy"), listing.table.copy, t("Copy the selected rows as a table for a spreadsheet"))


def of_the_whole() -> str:
    """What a list of what was done has under a company beside its own."""
    return t("Beside the company's own, what was done for a whole account that has it, or for the whole archive.")
