"""The table of the office's clients: worst first or by any column, one click or Enter into a client."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Final

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from confere.app.closing.checklist_line import LineState
from confere.app.labels.client_labels import findings_tip, last_sync_text, number_text, situation, sort_word
from confere.app.labels.labels import tax_id_word
from confere.app.overview.client_choice import ClientSort
from confere.app.overview.clients import ClientRow
from confere.desktop.services import Services
from confere.desktop.widgets.table import Table, TableColumn
from confere.errors import N_, Message
from confere.system import formatting
from confere.system.messages import render, t

_PILLS: Final = {LineState.PROBLEM: "bad", LineState.NOT_CHECKED: "warn", LineState.WARNING: "info"}
_DOWNWARDS: Final = (
    ClientSort.DOCUMENTS,
    ClientSort.MISSING,
    ClientSort.HIGH,
    ClientSort.MEDIUM,
    ClientSort.LOW,
)  # most first
_ABOUT: Final = {
    ClientSort.HIGH: N_("Open findings of high severity"),
    ClientSort.MEDIUM: N_("Open findings of medium severity"),
    ClientSort.LOW: N_("Open findings of low severity"),
}
_UNKNOWN: Final = "?"  # nobody counted; the tip says so
_UP, _DOWN = Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder


class ClientsTable(Table[ClientRow]):
    """`company_wanted` has the CNPJ of the row that was opened, `sort_wanted` the `ClientSort` of a head's click."""

    company_wanted = Signal(str)
    sort_wanted = Signal(object)

    def __init__(self, services: Services, parent: QWidget | None = None) -> None:
        self._of_month = True
        super().__init__(
            "overview/clients",
            t("Clients"),
            _columns(lambda: self._of_month),
            lambda row: row.tax_id,
            services.look,
            services.memory,
            parent,
        )
        self.offer_columns()
        head = self.horizontalHeader()
        head.setSectionsClickable(True)
        head.setSortIndicatorShown(True)
        head.sectionClicked.connect(self._head_clicked)
        self.entered_row.connect(self._open)
        self.clicked.connect(self._clicked)

    def put_clients(self, rows: Sequence[ClientRow], *, of_month: bool) -> None:
        """Show these in their order; `of_month`: they stand so in one month."""
        self._of_month = of_month
        self.put(rows)
        self.choose_first()

    def show_sort(self, sort: ClientSort, *, is_reversed: bool) -> None:
        """Mark the column that the rows are ordered by."""
        numbers = [place for place, column in enumerate(self.rows_model.columns) if column.key == sort]
        is_down = (sort in _DOWNWARDS) != is_reversed
        self.horizontalHeader().setSortIndicator(numbers[0] if numbers else -1, _DOWN if is_down else _UP)

    def _head_clicked(self, place: int) -> None:
        self.sort_wanted.emit(ClientSort(self.rows_model.columns[place].key))

    def _clicked(self, _index: QModelIndex) -> None:
        """A click alone goes in; with Ctrl or Shift it selects rows, for the clipboard."""
        row = self.current
        if row is not None and QGuiApplication.keyboardModifiers() == Qt.KeyboardModifier.NoModifier:
            self._open(row)

    def _open(self, row: ClientRow) -> None:
        self.company_wanted.emit(row.tax_id)


def _columns(of_month: Callable[[], bool]) -> tuple[TableColumn[ClientRow], ...]:
    def said(row: ClientRow) -> str:
        return situation(row, of_month=of_month())

    def column(sort: ClientSort, text: Callable[[ClientRow], str], width: int, **how: object) -> TableColumn[ClientRow]:
        about = render(Message(_ABOUT[sort])) if sort in _ABOUT else ""
        return TableColumn(sort.value, sort_word(sort), text, width, about=about, **how)  # type: ignore[arg-type]

    return (
        column(ClientSort.NAME, _name, 170, stretches=True, tip=_whole_name),
        column(ClientSort.WORST, said, 176, pill=_situation_pill),
        column(ClientSort.LISTED, last_sync_text, 124, pill=_listed_pill, tip=_listed_tip, rank=1),
        column(ClientSort.DOCUMENTS, lambda row: formatting.count(row.documents), 88, right=True),
        column(ClientSort.MISSING, _missing, 76, right=True, tip=_missing_tip),
        column(ClientSort.HIGH, lambda row: _severity(row, 0), 64, right=True, tip=findings_tip),
        column(ClientSort.MEDIUM, lambda row: _severity(row, 1), 72, right=True, tip=findings_tip),
        column(ClientSort.LOW, lambda row: _severity(row, 2), 64, right=True, tip=findings_tip),
        column(
            ClientSort.EXPORTED, lambda row: _day(row.packaged_at), 90, tip=lambda row: _moment(row.packaged_at), rank=2
        ),
        column(ClientSort.CLOSED, lambda row: _day(row.closed_at), 90, tip=lambda row: _moment(row.closed_at), rank=2),
        column(ClientSort.TAX_ID, lambda row: tax_id_word(row.tax_id), 140, shown=False),
        column(ClientSort.ACCOUNTS, lambda row: ", ".join(row.accounts) or "—", 110, shown=False),
    )


def _name(row: ClientRow) -> str:
    return row.name or tax_id_word(row.tax_id)


def _whole_name(row: ClientRow) -> str:
    return f"{row.name} · {tax_id_word(row.tax_id)}" if row.name else tax_id_word(row.tax_id)


def _situation_pill(row: ClientRow) -> str:
    return _PILLS.get(row.state, "good" if row.closed_at is not None else "neutral")


def _listed_pill(row: ClientRow) -> str:
    return "warn" if row.is_stale or row.is_never_listed else ""


def _listed_tip(row: ClientRow) -> str:
    return last_sync_text(row) if row.listed_at is None else formatting.moment(row.listed_at)


def _missing(row: ClientRow) -> str:
    """Nothing where there is none, as of findings: what there is is to be seen at once."""
    if row.missing is None:
        return _UNKNOWN if row.accounts else "—"
    return formatting.count(row.missing) if row.missing else ""


def _missing_tip(row: ClientRow) -> str:
    if not row.missing:
        return number_text(row.missing)
    return t("XML of documents and events, listed and not here: {count}", count=formatting.count(row.missing))


def _severity(row: ClientRow, place: int) -> str:
    if row.findings is None:
        return _UNKNOWN if row.accounts else "—"
    number = (row.findings.high, row.findings.medium, row.findings.low)[place]
    return formatting.count(number) if number else ""


def _day(at: datetime | None) -> str:
    return "—" if at is None else formatting.date(at.date())


def _moment(at: datetime | None) -> str:
    return "" if at is None else formatting.moment(at)
