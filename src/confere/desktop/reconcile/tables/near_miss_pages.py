"""Beside the findings: pairs that nearly fit, for a person to accept, and what R3 explains itself."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from confere.app.accounts import company_lines
from confere.app.accounts.company_lines import CompanyLines
from confere.app.labels.reconciliation_labels import evidence_line
from confere.app.reconciliation import queries
from confere.app.reconciliation.matching import line_groups
from confere.app.reconciliation.queries import ExplainedDifference, SuggestionLine
from confere.desktop.core.reader_topics import TopicReader
from confere.desktop.reconcile.reconciliation_text import paper_name, several
from confere.desktop.reconcile.tables.table_page import TablePage
from confere.desktop.services import Services
from confere.desktop.theme.measures import GAP, WIDE_GAP
from confere.desktop.widgets.card import label
from confere.desktop.widgets.table import TableColumn
from confere.system import formatting
from confere.system.messages import render, t


class SuggestionsPage(TablePage[SuggestionLine]):
    """`accepted` has the pairs that a person says belong together, `chosen` whether any row is chosen."""

    accepted = Signal(object)
    chosen = Signal()
    paper_wanted = Signal(str)

    def __init__(self, services: Services, reader: TopicReader, parent: QWidget | None = None) -> None:
        super().__init__(
            services,
            reader,
            "suggestions",
            t("Suggestions"),
            t("Each order without invoice nearly fits the sale beside it. Press A to say that they belong together."),
            t("No order without invoice nearly fits a sale without order."),
            (
                TableColumn("order", t("Order"), lambda row: row.order_id, 90),
                TableColumn("created", t("Created"), lambda row: formatting.date(row.created_on), 92, shown=False),
                TableColumn(
                    "order_total", t("Order's total"), lambda row: formatting.money(row.order_total), 104, right=True
                ),
                TableColumn("document", t("Document"), lambda row: paper_name(row.key), 86, copied=lambda row: row.key),
                TableColumn("issued", t("Issued"), lambda row: formatting.date(row.issued_on), 92, shown=False),
                TableColumn(
                    "paper_total", t("Document's total"), lambda row: formatting.money(row.paper_total), 118, right=True
                ),
                TableColumn("differs", t("Differs"), _differs, 260, stretches=True, tip=_differs),
                TableColumn("agrees", t("Agrees"), _agrees, 190, tip=_agrees, rank=1),
            ),
            lambda row: (row.order_id, row.key),
            parent,
        )
        self.accept_button = self.add_button(t("These belong together (A)"), self.accept)
        self.add_copy()
        self.table.selectionModel().selectionChanged.connect(self._say)
        self.detail = label("", wraps=True)
        below = QWidget()
        column = QVBoxLayout(below)
        column.setContentsMargins(WIDE_GAP, GAP, WIDE_GAP, GAP)
        column.addWidget(self.detail)
        column.addStretch(1)
        self.put_below(below)
        self.table.chosen.connect(self._tell)
        self.table.entered_row.connect(lambda row: self.paper_wanted.emit(row.key))
        self._say()

    def question(self, account: str, period: str | None) -> Callable[[], CompanyLines[SuggestionLine]]:
        opened, company = self._services.opened, self.company
        return lambda: company_lines.of_company(
            opened, account, company, queries.suggestions(opened, account, period), line_groups.of_suggestion
        )

    @property
    def chosen_pairs(self) -> tuple[tuple[str, str], ...]:
        return tuple((self.rows[place].order_id, self.rows[place].key) for place in self.table.selected_rows())

    def accept(self) -> None:
        """Say that the chosen pairs belong together."""
        if self.chosen_pairs:
            self.accepted.emit(self.chosen_pairs)

    def _tell(self, row: SuggestionLine | None) -> None:
        """All that was compared of the pair."""
        if row is None:
            self.detail.setText("")
            return
        agrees, differs = t("Agrees: {what}", what=_agrees(row)), t("Differs: {what}", what=_differs(row))
        self.detail.setText(f"{agrees}\n{differs}")

    def _say(self, *_: object) -> None:
        self.accept_button.setEnabled(bool(self.chosen_pairs))
        self.chosen.emit()


class ExplainedPage(TablePage[ExplainedDifference]):
    """Differences of totals that are no findings, with their amounts."""

    def __init__(self, services: Services, reader: TopicReader, parent: QWidget | None = None) -> None:
        super().__init__(
            services,
            reader,
            "explained",
            t("Explained by the rule"),
            t("These orders and invoices differ, and the freight, discount or interest that both tell of explains it."),
            t("No difference of totals was explained by the rule itself."),
            (
                TableColumn("month", t("Month"), lambda row: row.period, 80),
                TableColumn("amount", t("Amount"), lambda row: formatting.money(row.amount), 100, right=True),
                TableColumn("orders", t("Orders"), lambda row: several(row.orders), 180, tip=_orders, copied=_orders),
                TableColumn("documents", t("Documents"), _papers, 150, tip=_keys, copied=_keys),
                TableColumn("evidence", t("Explained by"), _evidence, 300, stretches=True, tip=_evidence),
            ),
            lambda row: (row.orders, row.keys),
            parent,
        )
        self.add_copy()

    def question(self, account: str, period: str | None) -> Callable[[], CompanyLines[ExplainedDifference]]:
        opened, company = self._services.opened, self.company
        return lambda: company_lines.of_company(
            opened, account, company, queries.explained(opened, account, period), line_groups.of_explained
        )


def _agrees(row: SuggestionLine) -> str:
    return "; ".join(map(render, row.agrees))


def _differs(row: SuggestionLine) -> str:
    return "; ".join(map(render, row.differs))


def _evidence(row: ExplainedDifference) -> str:
    return evidence_line(row.evidence)


def _orders(row: ExplainedDifference) -> str:
    return "\n".join(row.orders)


def _keys(row: ExplainedDifference) -> str:
    return "\n".join(row.keys)


def _papers(row: ExplainedDifference) -> str:
    return several(tuple(map(paper_name, row.keys)))
