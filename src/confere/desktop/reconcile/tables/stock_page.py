"""Goods at the marketplace (R16): what stands in its warehouses by item, and every document behind a number."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from confere.app.accounts import company_lines
from confere.app.accounts.company_lines import CompanyLines
from confere.app.labels.labels import operation_word, tax_id_word
from confere.app.labels.marketplace_labels import marketplace_word
from confere.app.reconciliation import queries
from confere.app.reconciliation.matching import line_groups
from confere.app.reconciliation.queries import StockChain, StockMove, StockRow
from confere.desktop.core.reader_topics import TopicReader
from confere.desktop.reconcile.tables.table_page import TablePage
from confere.desktop.services import Services
from confere.desktop.theme.measures import GAP, WIDE_GAP
from confere.desktop.widgets.elided_labels import Elided
from confere.desktop.widgets.table import Table, TableColumn
from confere.errors import N_, NC_, Message
from confere.system import formatting
from confere.system.messages import ngettext, render, t

_MOVES = {
    "sent": N_("sent"),
    "symbolic": N_("sent symbolically"),
    "returned": NC_("stock", "returned"),
    "sold": N_("sold"),
    "removed": N_("removed"),
    "lost": NC_("pieces", "lost"),
    "": N_("moves nothing"),
}


class StockPage(TablePage[StockRow]):
    """`paper_wanted` carries the access key of a document that somebody opens."""

    paper_wanted = Signal(str)

    def __init__(self, services: Services, reader: TopicReader, parent: QWidget | None = None) -> None:
        super().__init__(
            services,
            reader,
            "stock",
            t("Stock at marketplaces"),
            t(
                "What stands in the marketplaces' warehouses, by item: sent and sent symbolically, less what came back "
                "and what was sold. Below zero, or standing for long, something is missing."
            ),
            t("No document tells of goods in the warehouse of a marketplace."),
            _columns(),
            lambda row: row.subject,
            parent,
        )
        self._wanted = ""
        self.heading = Elided()
        self.heading.setProperty("rank", "heading")
        self.moves: Table[StockMove] = Table(
            "reconcile/stock_moves",
            t("Documents behind the numbers"),
            _move_columns(),
            lambda row: (row.movement.key, row.column, row.movement.on),
            services.look,
            services.memory,
            self,
        )
        below = QWidget()
        column = QVBoxLayout(below)
        column.setContentsMargins(0, GAP, 0, 0)
        column.setSpacing(GAP)
        self.heading.setContentsMargins(WIDE_GAP, 0, WIDE_GAP, 0)
        column.addWidget(self.heading)
        column.addWidget(self.moves, 1)
        self.put_below(below)
        self.add_copy()
        self.add_columns()
        self.table.chosen.connect(self._chosen)
        self.moves.entered_row.connect(self._entered)

    def stand_on(self, subject: str) -> None:
        """Go to the line of this name as soon as it is read; a finding may name more than the line."""
        self._wanted = subject
        self._look_for_wanted()

    def _look_for_wanted(self) -> bool:
        """Whether another line than the current one was gone to."""
        wanted = self._wanted
        if not wanted or not self.rows:
            return False
        self._wanted = ""
        for place, row in enumerate(self.rows):
            if wanted == row.subject or wanted.startswith(f"{row.subject}/"):
                moves = place != self.table.currentIndex().row()
                self.table.selectRow(place)
                return moves
        return False

    def question(self, account: str, _period: str | None) -> Callable[[], CompanyLines[StockRow]]:
        """What stands there now, whatever the month."""
        opened, company = self._services.opened, self.company
        return lambda: company_lines.of_company(
            opened, account, company, queries.stock(opened, account), line_groups.of_stock
        )

    def _chosen(self, row: StockRow | None) -> None:
        account, opened = self.account, self._services.opened
        if self._look_for_wanted():
            return  # it is told as the chosen one
        if row is None or account is None:
            self._reader.forget("stock chain")
            self.moves.put(())
            return
        self.heading.setText(
            t("Documents behind {item}", item=" ".join(filter(None, (row.line.code, row.line.description))))
        )
        subject = row.subject
        self._reader.ask("stock chain", lambda: queries.stock_chain(opened, account, subject), self._have_chain)

    def _have_chain(self, chain: StockChain) -> None:
        self.moves.put(chain.moves)

    def _entered(self, move: StockMove) -> None:
        self.paper_wanted.emit(move.movement.key)


def _columns() -> tuple[TableColumn[StockRow], ...]:
    def number(key: str, title: str, of: Callable[[StockRow], str]) -> TableColumn[StockRow]:
        return TableColumn(key, title, of, 78, right=True, rank=2)  # they make the balance together

    return (
        TableColumn("code", t("Code"), lambda row: row.line.code, 92),
        TableColumn("description", t("Description"), lambda row: row.line.description or "", 104, stretches=True),
        TableColumn("marketplace", t("Marketplace"), lambda row: marketplace_word(row.line.marketplace), 96, rank=1),
        TableColumn(
            "emitter",
            t("Company"),
            lambda row: row.emitter_name or tax_id_word(row.line.emitter),
            150,
            tip=lambda row: tax_id_word(row.line.emitter),
            shown=False,
        ),
        number("sent", t("Sent"), lambda row: formatting.quantity(row.line.sent)),
        number("symbolic", t("Symbolic"), lambda row: formatting.quantity(row.line.sent_symbolically)),
        number("returned", t("Returned"), lambda row: formatting.quantity(row.line.returned)),
        number("sold", t("Sold"), lambda row: formatting.quantity(row.line.sold)),
        TableColumn(
            "removed", t("Removed"), lambda row: formatting.quantity(row.line.removed), 78, right=True, shown=False
        ),
        TableColumn("lost", t("Lost"), lambda row: formatting.quantity(row.line.lost), 78, right=True, shown=False),
        TableColumn("balance", t("Balance"), lambda row: formatting.quantity(row.line.balance), 74, right=True),
        TableColumn("since", t("Standing since"), _since, 156, pill=_pill, tip=_since_tip, brief=_brief_since),
    )


def _since(row: StockRow) -> str:
    if row.negative_on:
        return t("below zero")
    if not row.line.standing_since:
        return ""
    days = ngettext("{count} day", "{count} days", row.standing_days or 0)
    return f"{formatting.date(row.line.standing_since)} · {days}"


def _brief_since(row: StockRow) -> str:
    """How long alone."""
    if row.negative_on or not row.line.standing_since:
        return _since(row)
    return ngettext("{count} day", "{count} days", row.standing_days or 0)


def _pill(row: StockRow) -> str:
    return "bad" if row.negative_on else ""


def _since_tip(row: StockRow) -> str:
    if row.negative_on:
        return t(
            "Less than nothing stood there from {day}: a document is missing.", day=formatting.date(row.negative_on)
        )
    return _since(row)


def _move_columns() -> tuple[TableColumn[StockMove], ...]:
    return (
        TableColumn("on", t("Day"), lambda row: formatting.date(row.movement.on), 92),
        TableColumn("number", t("Number"), lambda row: row.number, 110),
        TableColumn("operation", t("Operation"), lambda row: operation_word(row.operation), 230, stretches=True),
        TableColumn("column", t("Counts as"), lambda row: render(Message(_MOVES.get(row.column, row.column))), 150),
        TableColumn("pieces", t("Pieces"), _signed, 92, right=True),
        TableColumn("balance", t("Balance"), lambda row: formatting.quantity(row.movement.balance), 92, right=True),
        TableColumn("key", t("Access key"), lambda row: row.movement.key, 340, shown=False),
    )


def _signed(row: StockMove) -> str:
    """With its sign, as what it does to the balance."""
    quantity = row.movement.quantity
    return f"+{formatting.quantity(quantity)}" if quantity > 0 else formatting.quantity(quantity)
