"""Ambiguous links: orders and documents that fit in more than one way, and every pair that is possible."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from confere.app.archive_session import OpenArchive
from confere.app.labels.labels import party_word
from confere.app.labels.reconciliation_labels import kind_word
from confere.app.reconciliation import queries
from confere.app.reconciliation.queries import OrderSide, PaperSide, TieLine
from confere.desktop.core.reader_topics import TopicReader
from confere.desktop.reconcile.reconciliation_text import paper_name, several
from confere.desktop.reconcile.tables.table_page import TablePage
from confere.desktop.services import Services
from confere.desktop.theme.measures import GAP, WIDE_GAP
from confere.desktop.widgets.card import label
from confere.desktop.widgets.table import Table, TableColumn
from confere.system import formatting
from confere.system.messages import render, t
from confere.system.settings import HIDE_PEOPLE

_MOST = 8  # orders and documents of a tie whose pairs are laid out; more nobody decides by eye


@dataclass(frozen=True, slots=True)
class Possible:
    """One order with one document of a tie."""

    order: OrderSide
    paper: PaperSide

    @property
    def pair(self) -> tuple[str, str]:
        return self.order.order_id, self.paper.key

    @property
    def difference(self) -> int | None:
        """What the document's total is above the order's, in centavos."""
        ours = self.order.order.total_cents if self.order.order is not None else None
        theirs = self.paper.row.total if self.paper.row is not None else None
        return None if ours is None or theirs is None else theirs - ours


class TiesPage(TablePage[TieLine]):
    """`link_wanted` has pairs that a person says belong together, `merge_wanted` a whole tie."""

    link_wanted = Signal(object)
    merge_wanted = Signal(object)
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
        self.pairs: Table[Possible] = Table(
            "reconcile/tie_pairs",
            t("Possible pairs"),
            _pair_columns(lambda: settings.get(HIDE_PEOPLE)),
            lambda row: row.pair,
            services.look,
            services.memory,
            self,
        )
        self.link = QPushButton(t("These belong together"))
        self.link.setProperty("look", "primary")
        self.link.clicked.connect(self._link)
        self.merge = QPushButton(t("All of them are one business"))
        self.merge.clicked.connect(self._merge)
        said = QHBoxLayout()
        said.setSpacing(GAP)
        said.addWidget(self.link)
        said.addWidget(self.merge)
        said.addStretch(1)
        below = QWidget()
        column = QVBoxLayout(below)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GAP)
        margins = QVBoxLayout()
        margins.setContentsMargins(WIDE_GAP, GAP, WIDE_GAP, 0)
        margins.addWidget(label(t("Possible pairs"), "heading"))
        margins.addLayout(said)
        column.addLayout(margins)
        column.addWidget(self.pairs, 1)
        self.put_below(below)
        self.table.chosen.connect(self._chosen)
        self.pairs.selectionModel().selectionChanged.connect(self._say)
        self.pairs.entered_row.connect(self._entered)
        self._say()

    def question(self, account: str, period: str | None) -> Callable[[], Sequence[TieLine]]:
        opened = self._services.opened
        return lambda: queries.ties(opened, account, period)

    @property
    def chosen_pairs(self) -> tuple[tuple[str, str], ...]:
        rows = self.pairs.rows_model.rows
        return tuple(rows[place].pair for place in self.pairs.selected_rows())

    def _chosen(self, tie: TieLine | None) -> None:
        account, opened = self.account, self._services.opened
        if tie is None or account is None:
            self._reader.forget("tie")
            self.pairs.put(())
            return
        self._reader.ask("tie", lambda: possible(opened, account, tie), self._have_pairs)

    def _have_pairs(self, found: tuple[Possible, ...]) -> None:
        self.pairs.put(found)
        self._say()

    def _say(self, *_: object) -> None:
        self.link.setEnabled(bool(self.chosen_pairs))
        self.merge.setEnabled(bool(self.pairs.rows_model.rows))

    def _link(self) -> None:
        self.link_wanted.emit(self.chosen_pairs)

    def _merge(self) -> None:
        tie = self.table.current
        if tie is not None:
            self.merge_wanted.emit(tie)

    def _entered(self, row: Possible) -> None:
        self.paper_wanted.emit(row.paper.key)


def possible(opened: OpenArchive, account: str, tie: TieLine) -> tuple[Possible, ...]:
    """Each order of the tie with each of its documents."""
    orders = [
        next(side for side in queries.side_by_side_of(opened, account, order_id=name).orders if side.order_id == name)
        for name in tie.orders[:_MOST]
    ]
    papers = [
        next(side for side in queries.side_by_side_of(opened, account, key=key).papers if side.key == key)
        for key in tie.keys[:_MOST]
    ]
    return tuple(Possible(order, paper) for order in orders for paper in papers)


def _pair_columns(hides: Callable[[], bool]) -> tuple[TableColumn[Possible], ...]:
    """Buyer and recipient are the same where only score ties them, so one of them is shown."""

    def buyer(row: Possible) -> str:
        order = row.order.order
        return party_word(order.buyer.tax_id, order.buyer.name, hides()) if order is not None else ""

    def recipient(row: Possible) -> str:
        paper = row.paper.row
        return party_word(paper.recipient_tax_id, paper.recipient_name, hides()) if paper is not None else ""

    return (
        TableColumn("order", t("Order"), lambda row: row.order.order_id, 96),
        TableColumn("created", t("Created"), lambda row: formatting.date(row.order.created_on or None), 92),
        TableColumn("buyer", t("Buyer"), buyer, 120, stretches=True),
        TableColumn("order_total", t("Order's total"), _order_total, 104, right=True),
        TableColumn("document", t("Document"), lambda row: paper_name(row.paper.key), 86),
        TableColumn("issued", t("Issued"), lambda row: formatting.date(_issued(row)), 92),
        TableColumn("recipient", t("Recipient"), recipient, 130, shown=False),
        TableColumn("paper_total", t("Document's total"), _paper_total, 118, right=True),
        TableColumn("difference", t("Difference"), lambda row: formatting.money(row.difference), 88, right=True),
    )


def _order_total(row: Possible) -> str:
    return formatting.money(row.order.order.total_cents) if row.order.order is not None else ""


def _paper_total(row: Possible) -> str:
    return formatting.money(row.paper.row.total) if row.paper.row is not None else ""


def _issued(row: Possible) -> str | None:
    return row.paper.row.issued_on if row.paper.row is not None else None


def _orders(row: TieLine) -> str:
    return several(row.orders)


def _papers(row: TieLine) -> str:
    return several(tuple(map(paper_name, row.keys)))


def _all_orders(row: TieLine) -> str:
    return "\n".join(row.orders)


def _all_keys(row: TieLine) -> str:
    return "\n".join(row.keys)
