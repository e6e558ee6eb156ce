"""Ambiguous links: orders and documents that fit in more than one way, as two lists with their hours."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from confere.app.accounts import company_lines
from confere.app.accounts.company_lines import CompanyLines
from confere.app.labels.labels import party_word
from confere.app.labels.reconciliation_labels import kind_word
from confere.app.reconciliation import queries
from confere.app.reconciliation.matching import line_groups, tie_lists
from confere.app.reconciliation.matching.tie_lists import TieLists, TieOrder, TiePaper
from confere.app.reconciliation.queries import TieLine
from confere.desktop.core.reader_topics import TopicReader
from confere.desktop.reconcile.reconciliation_text import paper_name, several
from confere.desktop.reconcile.tables.table_page import TablePage
from confere.desktop.services import Services
from confere.desktop.theme.measures import GAP, WIDE_GAP
from confere.desktop.widgets.card import label
from confere.desktop.widgets.flow_layout import FlowLayout
from confere.desktop.widgets.plain_text import as_tip
from confere.desktop.widgets.table import Table, TableColumn
from confere.system import formatting
from confere.system.messages import render, t
from confere.system.settings import HIDE_PEOPLE


class TiesPage(TablePage[TieLine]):
    """`link_wanted` has pairs that a person says belong together, `merge_wanted` a whole tie; both the account too.

    They are about the tie whose lists are on the screen, which is not yet the chosen one while its lists are asked.
    """

    link_wanted = Signal(str, object)
    merge_wanted = Signal(str, object)
    paper_wanted = Signal(str)

    def __init__(self, services: Services, reader: TopicReader, parent: QWidget | None = None) -> None:
        super().__init__(
            services,
            reader,
            "ties",
            t("Ambiguous links"),
            t("These orders and documents fit in more than one way. Confere never guesses: say which belong together."),
            t("Nothing is ambiguous here: every link that was found is the only one that fits."),
            (
                TableColumn(
                    "orders", t("Orders"), lambda row: several(row.orders), 220, tip=_all_orders, copied=_all_orders
                ),
                TableColumn("documents", t("Documents"), _papers, 180, tip=_all_keys, copied=_all_keys),
                TableColumn("kind", t("Evidence"), lambda row: kind_word(row.kind), 240, shown=False),
                TableColumn("reason", t("Why it is open"), lambda row: render(row.reason), 260, stretches=True),
            ),
            lambda row: (row.orders, row.keys),
            parent,
        )
        settings = services.workspace.settings  # asked for each cell: the page stays while the setting changes

        def hides() -> bool:
            return bool(settings.get(HIDE_PEOPLE))

        self.orders: Table[TieOrder] = Table(
            "reconcile/tie_orders", t("Orders of the tie"), _order_columns(hides), lambda row: row.order_id,
            services.look, services.memory, self,
        )  # fmt: skip
        self.papers: Table[TiePaper] = Table(
            "reconcile/tie_papers", t("Documents of the tie"), _paper_columns(hides), lambda row: row.key,
            services.look, services.memory, self,
        )  # fmt: skip
        self.lists: TieLists | None = None
        self._shown: tuple[str, TieLine] | None = None  # the account and the tie of `lists`
        self.in_order = QPushButton(t("Link in order"))
        self.in_order.clicked.connect(self._link_in_order)
        self.link = QPushButton(t("These belong together"))
        self.link.clicked.connect(self._link)
        self.merge = QPushButton(t("All of them are one business"))
        self.merge.clicked.connect(self._merge)
        said = FlowLayout(spacing=GAP)
        said.addWidget(self.in_order)
        said.addWidget(self.link)
        said.addWidget(self.merge)
        sides = QHBoxLayout()
        sides.setSpacing(GAP)
        sides.addWidget(self.orders, 1)
        sides.addWidget(self.papers, 1)
        below = QWidget()
        column = QVBoxLayout(below)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GAP)
        margins = QVBoxLayout()
        margins.setContentsMargins(WIDE_GAP, GAP, WIDE_GAP, 0)
        margins.addLayout(said)
        self.why = label("", "muted", wraps=True)
        self.why.hide()
        margins.addWidget(self.why)
        column.addLayout(margins)
        column.addLayout(sides, 1)
        self.put_below(below)
        self.table.chosen.connect(self._chosen)
        for table in (self.orders, self.papers):
            table.selectionModel().selectionChanged.connect(self._say)
        self.papers.entered_row.connect(lambda row: self.paper_wanted.emit(row.key))
        self._say()

    def question(self, account: str, period: str | None) -> Callable[[], CompanyLines[TieLine]]:
        opened, company = self._services.opened, self.company
        return lambda: company_lines.of_company(
            opened, account, company, queries.ties(opened, account, period), line_groups.of_tie
        )

    @property
    def chosen_pairs(self) -> tuple[tuple[str, str], ...]:
        """Each selected order with each selected document."""
        orders, papers = self.orders.rows_model.rows, self.papers.rows_model.rows
        return tuple(
            (orders[place].order_id, papers[other].key)
            for place in self.orders.selected_rows()
            for other in self.papers.selected_rows()
        )

    def _chosen(self, tie: TieLine | None) -> None:
        account, opened = self.account, self._services.opened
        if tie is None or account is None:
            self._reader.forget("tie")
            self._put(None, None)
            return
        if (account, tie) != self._shown:
            self._put(None, None)
        self._reader.ask("tie", lambda: tie_lists.lists_of(opened, account, tie), partial(self._put, (account, tie)))

    def _put(self, shown: tuple[str, TieLine] | None, lists: TieLists | None) -> None:
        self._shown, self.lists = shown, lists
        self.orders.put(() if lists is None else lists.orders)
        self.papers.put(() if lists is None else lists.papers)
        self._say()

    def _say(self, *_: object) -> None:
        shown = self._shown
        self.link.setEnabled(bool(self.chosen_pairs))
        self.merge.setEnabled(shown is not None)
        lists = self.lists
        reason = tie_lists.why_not_in_order(shown[1], lists) if shown is not None and lists is not None else None
        self.in_order.setEnabled(lists is not None and reason is None)
        why = "" if reason is None else render(reason)
        tip = why or t("The earliest order with the earliest document, the next with the next.")
        self.in_order.setToolTip(as_tip(tip))
        self.in_order.setAccessibleDescription(tip)
        self.why.setText(why)
        self.why.setVisible(bool(why))

    def _link(self) -> None:
        if self._shown is not None:
            self.link_wanted.emit(self._shown[0], self.chosen_pairs)

    def _link_in_order(self) -> None:
        if self._shown is not None and self.lists is not None:
            self.link_wanted.emit(self._shown[0], self.lists.pairs)

    def _merge(self) -> None:
        if self._shown is not None:
            self.merge_wanted.emit(*self._shown)


def _order_columns(hides: Callable[[], bool]) -> tuple[TableColumn[TieOrder], ...]:
    def buyer(row: TieOrder) -> str:
        return party_word(row.row.buyer_tax_id, row.row.buyer_name, hides()) if row.row is not None else ""

    return (
        TableColumn("created", t("Created"), lambda row: formatting.moment(row.at), 136, brief=_without_year),
        TableColumn("order", t("Order"), lambda row: row.order_id, 80),
        TableColumn("buyer", t("Buyer"), buyer, 90, stretches=True, rank=1),
        TableColumn("total", t("Total"), _total, 96, right=True),
    )


def _paper_columns(hides: Callable[[], bool]) -> tuple[TableColumn[TiePaper], ...]:
    def recipient(row: TiePaper) -> str:
        paper = row.row
        return party_word(paper.recipient_tax_id, paper.recipient_name, hides()) if paper is not None else ""

    return (
        TableColumn("issued", t("Issued"), lambda row: formatting.moment(row.at), 136, brief=_without_year),
        TableColumn("document", t("Document"), lambda row: paper_name(row.key), 84),
        TableColumn("recipient", t("Recipient"), recipient, 90, stretches=True, rank=1),
        TableColumn("total", t("Total"), _total, 96, right=True),
    )


def _without_year(row: TieOrder | TiePaper) -> str:
    """Ties are of days close to each other: the hour decides."""
    text = formatting.moment(row.at)
    return f"{text[:5]}{text[10:]}" if text[2:3] == "/" else text[5:]


def _total(row: TieOrder | TiePaper) -> str:
    return formatting.money(None if row.row is None else row.row.total)


def _orders(row: TieLine) -> str:
    return several(row.orders)


def _papers(row: TieLine) -> str:
    return several(tuple(map(paper_name, row.keys)))


def _all_orders(row: TieLine) -> str:
    return "\n".join(row.orders)


def _all_keys(row: TieLine) -> str:
    return "\n".join(row.keys)
