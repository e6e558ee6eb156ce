"""Taxes of the month by CFOP, CST and the recipient's state (R20), to lay beside what was declared."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from confere.app.accounts.company_lines import CompanyLines
from confere.app.labels.labels import direction_word
from confere.app.reconciliation import queries
from confere.app.reconciliation.queries import TAX_AMOUNTS, PivotLine
from confere.app.reconciliation.report_sheets import tax_name
from confere.desktop.core import clipboard_rows
from confere.desktop.core.reader_topics import TopicReader
from confere.desktop.reconcile.tables.table_page import TablePage
from confere.desktop.services import Services
from confere.desktop.widgets.table import TableColumn
from confere.system import formatting
from confere.system.messages import t

_SHOWN = frozenset(("products", "icms_base", "icms", "pis", "cofins"))


class TaxesPage(TablePage[PivotLine]):
    """One row a month, CFOP, CST and state; more amounts are in the menu of its columns."""

    def __init__(self, services: Services, reader: TopicReader, parent: QWidget | None = None) -> None:
        super().__init__(
            services,
            reader,
            "taxes",
            t("Taxes by CFOP and CST"),
            t("The taxes that the documents name, by month, CFOP, CST and the recipient's state."),
            t("No document of this month names taxes."),
            _columns(),
            lambda row: (row.period, row.cfop, row.cst, row.uf, row.direction, row.in_effect),
            parent,
        )
        self.add_copy()
        self.add_columns()

    def question(self, account: str, period: str | None) -> Callable[[], CompanyLines[PivotLine]]:
        opened, company = self._services.opened, self.company
        return lambda: CompanyLines(queries.taxes(opened, account, period, company))


def _columns() -> tuple[TableColumn[PivotLine], ...]:
    return (
        TableColumn("period", t("Month"), lambda row: formatting.month(row.period), 76),
        TableColumn("cfop", t("CFOP"), lambda row: row.cfop or "", 68),
        TableColumn("cst", t("CST"), lambda row: row.cst or "", 68),
        TableColumn("direction", t("In or out"), lambda row: direction_word(row.direction), 90),
        TableColumn("uf", t("UF"), lambda row: row.uf or "", 52),
        TableColumn("effect", t("State"), _effect, 108, pill=lambda row: "good" if row.in_effect else "neutral"),
        TableColumn("documents", t("Documents"), lambda row: formatting.count(row.documents), 96, right=True),
        *(_amount(name, tax_name(name)) for name in TAX_AMOUNTS),
    )  # fmt: skip


def _effect(row: PivotLine) -> str:
    return t("in effect") if row.in_effect else t("without effect")


def _amount(name: str, title: str) -> TableColumn[PivotLine]:
    return TableColumn(
        name,
        title,
        lambda row: formatting.money(row.amount(name)),
        116,
        right=True,
        copied=lambda row: clipboard_rows.money(row.amount(name)),
        shown=name in _SHOWN,
    )
