"""The table of the office's companies in a month: one row each, worst first, one click into its checklist."""

from __future__ import annotations

from collections import Counter
from collections.abc import Set as AbstractSet
from datetime import datetime

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from confere.app.closing.checklist_line import OfficeChecklist
from confere.app.closing.company_row import CompanyRow, company_row
from confere.app.labels.checklist_labels import findings_text, month_state_word
from confere.app.labels.labels import tax_id_word
from confere.desktop.closing.line_row import PILLS
from confere.desktop.services import Services
from confere.desktop.widgets.table import Table, TableColumn
from confere.errors import NC_
from confere.system import formatting
from confere.system.messages import t


class OfficeTable(Table[CompanyRow]):
    """`company_wanted` has the CNPJ of the row that was opened: by a click, or by Enter."""

    company_wanted = Signal(str)

    def __init__(self, services: Services, parent: QWidget | None = None) -> None:
        shared: set[str] = set()
        super().__init__(
            "closing/office",
            t("Companies of the office"),
            _columns(shared),
            lambda row: row.company.tax_id,
            services.look,
            services.memory,
            parent,
        )
        self._shared = shared  # names that several companies have
        self.offer_columns()
        self.entered_row.connect(self._open)
        self.clicked.connect(self._clicked)

    def put_office(self, found: OfficeChecklist) -> None:
        """Show these companies, in their order."""
        names = Counter(company.name for company in found.companies)
        self._shared.clear()
        self._shared.update(name for name, count in names.items() if name and count > 1)
        self.put([company_row(company) for company in found.companies])
        self.choose_first()

    def _clicked(self, _index: QModelIndex) -> None:
        """A click alone goes in; with Ctrl or Shift it selects rows, for the clipboard."""
        row = self.current
        if row is not None and QGuiApplication.keyboardModifiers() == Qt.KeyboardModifier.NoModifier:
            self._open(row)

    def _open(self, row: CompanyRow) -> None:
        self.company_wanted.emit(row.company.tax_id)


def _columns(shared: AbstractSet[str]) -> tuple[TableColumn[CompanyRow], ...]:
    """`shared`: names that do not tell a company from another, so that its CNPJ stands before them."""
    return (
        TableColumn("name", t("Company"), lambda row: _name(row, shared), 160, stretches=True, tip=_whole_name),
        TableColumn("state", t("State"), _state, 130, pill=lambda row: PILLS[row.company.state]),
        TableColumn("listed", t("Listed through"), _listed, 88, rank=1),
        TableColumn("missing", t("Missing XML"), lambda row: _some(row.missing_known), 80, right=True),
        TableColumn("unreadable", t("Unreadable"), lambda row: _some(row.unreadable), 64, right=True),
        TableColumn("authentic", t("Not authentic"), lambda row: _some(row.not_authentic), 106, right=True),
        TableColumn("gaps", t("Gaps"), lambda row: _some(row.gaps), 106, right=True, tip=_gaps_tip),
        TableColumn("findings", t("Findings"), _findings, 80, right=True, tip=lambda row: findings_text(row.findings),
            about=t("Open findings: high · medium · low severity"), spoken=lambda row: findings_text(row.findings)),
        TableColumn("exported", t("Package"), lambda row: _day(row.company.exported_at), 86, rank=2),
        TableColumn("closed", t("Closed"), lambda row: _day(row.company.closed_at), 86),
        TableColumn("documents", t("Documents"), _documents, 84, right=True, shown=False),
        TableColumn("tax_id", t("CNPJ"), lambda row: tax_id_word(row.company.tax_id), 140, shown=False),
    )  # fmt: skip


def _name(row: CompanyRow, shared: AbstractSet[str] = frozenset()) -> str:
    name, tax_id = row.company.name, tax_id_word(row.company.tax_id)
    return f"{tax_id} {name}" if name in shared else name or tax_id


def _whole_name(row: CompanyRow) -> str:
    return f"{_name(row)} · {tax_id_word(row.company.tax_id)}"


def _state(row: CompanyRow) -> str:
    return month_state_word(row.company.state)


def _listed(row: CompanyRow) -> str:
    return formatting.date(row.listed_through) if row.listed_through is not None else t("never")


def _documents(row: CompanyRow) -> str:
    return formatting.count(row.company.documents)


def _findings(row: CompanyRow) -> str:
    """High, medium and low; the tip has the words."""
    found = row.findings
    if found is None:
        return t(NC_("line", "not checked"))
    return " · ".join(formatting.count(number) for number in (found.high, found.medium, found.low))


def _gaps_tip(row: CompanyRow) -> str:
    return t("Series are not declared wholly visible") if row.gaps is None else _some(row.gaps)


def _some(number: int | None) -> str:
    return t(NC_("line", "not checked")) if number is None else formatting.count(number)


def _day(at: datetime | None) -> str:
    return "—" if at is None else formatting.date(at.date())
