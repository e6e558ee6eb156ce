"""The dialog "link": find the document of an order, or the order of a document, and say that they belong together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import (
    QButtonGroup,
    QDialog,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QRadioButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from confere.app.documents import browse
from confere.app.documents.browse import DocumentQuery, DocumentRow
from confere.app.documents.search import search_language
from confere.app.labels.labels import number_word, operation_word, party_word, state_word, type_word
from confere.app.reconciliation import queries
from confere.app.reconciliation.decisions import Pair
from confere.app.reconciliation.matching import candidates
from confere.app.reconciliation.matching.candidates import PairCandidate
from confere.app.reconciliation.queries import SideBySide
from confere.desktop.core.error_reporting import of_exception
from confere.desktop.reconcile.decisions.pinned_sides import pinned
from confere.desktop.reconcile.reconciliation_text import paper_name, several, signed_money, status_word
from confere.desktop.services import Services
from confere.desktop.theme.measures import GAP, WIDE_GAP
from confere.desktop.widgets.card import label
from confere.desktop.widgets.dialog_buttons import buttons_of, resize_on_screen
from confere.desktop.widgets.pill import brief_state, kind_of_state
from confere.desktop.widgets.table import Table, TableColumn
from confere.system import formatting
from confere.system.messages import ngettext, render, t
from confere.system.settings import HIDE_PEOPLE

_SIZE = (1040, 600)
_QUIET_MS = 250
_MOST = 100  # rows that are offered; a better word finds what is not among them


class LinkDialog(QDialog):
    """`pairs` are what is to be linked once the dialog was accepted."""

    def __init__(self, services: Services, account: str, side: SideBySide, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._services, self._account = services, account
        self._topic = f"reconcile.link.{id(self)}"
        self._orders = tuple(entry.order_id for entry in side.orders)
        self._keys = tuple(entry.key for entry in side.papers)
        self.setWindowTitle(t("Link"))
        resize_on_screen(self, *_SIZE)
        hidden = services.workspace.settings.get(HIDE_PEOPLE)
        self.for_orders = QRadioButton(
            ngettext(
                "a document for the order {names}",
                "a document for the orders {names}",
                len(self._orders),
                names=several(self._orders),
            )
        )
        self.for_papers = QRadioButton(
            ngettext(
                "an order for the document {names}",
                "an order for the documents {names}",
                len(self._keys),
                names=several(tuple(map(paper_name, self._keys))),
            )
        )
        self._ways = QButtonGroup(self)
        for way, side_of in ((self.for_orders, self._orders), (self.for_papers, self._keys)):
            self._ways.addButton(way)
            way.setEnabled(bool(side_of))
        self.text = QLineEdit()
        self.text.setClearButtonEnabled(True)
        self.text.setAccessibleName(t("What to look for"))
        self.papers: Table[PairCandidate] = Table(
            "reconcile/link_papers", t("Documents"), _paper_columns(hidden), lambda row: row.pair, services.look,
            services.memory, self,
        )  # fmt: skip
        self.orders: Table[PairCandidate] = Table(
            "reconcile/link_orders", t("Orders"), _order_columns(hidden), lambda row: row.pair, services.look,
            services.memory, self,
        )  # fmt: skip
        self.pinned_order = pinned(side, of_orders=True, hidden=hidden)
        self.pinned_paper = pinned(side, of_orders=False, hidden=hidden)
        self._tables = QStackedWidget()
        self._tables.addWidget(self.papers)
        self._tables.addWidget(self.orders)
        self.words = label("", "muted", wraps=True)
        self.does = QPushButton(t("Link"))
        self._quiet = QTimer(self)
        self._quiet.setSingleShot(True)
        self._quiet.setInterval(_QUIET_MS)
        self._quiet.timeout.connect(self._ask)
        self._lay_out()
        (self.for_papers if self._keys and not self._orders else self.for_orders).setChecked(True)
        self._ways.buttonClicked.connect(self._turn)
        self.text.textChanged.connect(self._quiet.start)
        for table in (self.papers, self.orders):
            table.selectionModel().selectionChanged.connect(self._say)
            table.entered_row.connect(self._entered)
        self._turn()
        self.text.setFocus()

    @property
    def pairs(self) -> tuple[Pair, ...]:
        """Each order with each document."""
        if self._looks_for_papers:
            rows = self.papers.rows_model.rows
            keys = [rows[place].paper.access_key for place in self.papers.selected_rows()]
            return tuple((order, key) for order in self._orders for key in keys if key)
        lines = self.orders.rows_model.rows
        names = [lines[place].order.hub_id for place in self.orders.selected_rows()]
        return tuple((name, key) for name in names for key in self._keys)

    def done(self, result: int) -> None:
        self._services.reader.forget(self._topic)
        super().done(result)

    @property
    def _looks_for_papers(self) -> bool:
        return self.for_orders.isChecked()

    def _lay_out(self) -> None:
        ways = QHBoxLayout()
        ways.setSpacing(WIDE_GAP)
        ways.addWidget(label(t("Look for")))
        ways.addWidget(self.for_orders)
        ways.addWidget(self.for_papers)
        ways.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(WIDE_GAP, WIDE_GAP, WIDE_GAP, WIDE_GAP)
        layout.setSpacing(GAP + 2)
        layout.addLayout(ways)
        layout.addWidget(self.pinned_order)
        layout.addWidget(self.pinned_paper)
        layout.addWidget(self.text)
        layout.addWidget(self._tables, 1)
        layout.addWidget(self.words)
        layout.addWidget(buttons_of(self, self.does))

    def _turn(self, _way: object = None) -> None:
        papers = self._looks_for_papers
        self._tables.setCurrentWidget(self.papers if papers else self.orders)
        self.pinned_order.setVisible(papers)
        self.pinned_paper.setVisible(not papers)
        self.text.setPlaceholderText(
            t("Number, key, name, value>1000…") if papers else t("Order, key, tax id or name of the buyer…")
        )
        self._ask()

    def _ask(self) -> None:
        """The nearest first: of everything near, or of what the words find."""
        opened, text, account = self._services.opened, self.text.text().strip(), self._account
        if self._looks_for_papers:
            order = self._orders[0]
            parsed = search_language.parse(text, DocumentQuery(types=("nfe", "nfce"), operations=("sale",)))
            if parsed.problems:
                self.words.setText(render(parsed.problems[0].what))
                return
            query = parsed.query

            def look() -> Sequence[PairCandidate]:
                among = browse.snapshot(opened, query) if text else None
                return candidates.for_order(opened, account, order, among=among, most=_MOST)

            self._services.reader.ask(self._topic, look, self._have_papers, self._failed)
        else:
            key = self._keys[0]

            def search() -> Sequence[PairCandidate]:
                lines = queries.orders(opened, account, text=text, limit=_MOST) if text else ()
                among = [line.order.hub_id for line in lines] if text else None
                return candidates.for_document(opened, account, key, among=among, most=_MOST)

            self._services.reader.ask(self._topic, search, self._have_orders, self._failed)

    def _have_papers(self, rows: Sequence[PairCandidate]) -> None:
        self.papers.put([row for row in rows if row.paper.access_key not in self._keys])
        self._say()

    def _have_orders(self, rows: Sequence[PairCandidate]) -> None:
        self.orders.put([row for row in rows if row.order.hub_id not in self._orders])
        self._say()

    def _failed(self, error: Exception) -> None:
        fault = of_exception(error)
        self.words.setText(f"{fault.what} {fault.remedy}".strip())
        if fault.is_bug:
            self._services.faults.tell(error)

    def _entered(self, _row: object) -> None:
        if self.does.isEnabled():
            self.accept()

    def _say(self, *_: Any) -> None:
        pairs = self.pairs
        self.does.setEnabled(bool(pairs))
        if len(pairs) == 1:
            order, key = pairs[0]
            text = t("Order {order} will be linked with document {paper}.", order=order, paper=paper_name(key))
        elif pairs:
            text = t("{count} links will be made.", count=formatting.count(len(pairs)))
        else:
            text = t("Choose what belongs to it.")
        self.words.setText(text)


def _paper_columns(hidden: bool) -> tuple[TableColumn[PairCandidate], ...]:
    return (
        TableColumn("number", t("Number"), lambda row: _name(row.paper), 104, tip=_state),
        TableColumn("issued", t("Issued"), lambda row: _day(row.paper.issued_on, row), 136, pill=_day_pill),
        TableColumn(
            "party",
            t("Recipient"),
            lambda row: party_word(row.paper.recipient_tax_id, row.paper.recipient_name, hidden),
            170,
            stretches=True,
            pill=lambda row: _differs(row.likeness.buyer),
        ),
        TableColumn("total", t("Total"), lambda row: formatting.money(row.paper.total), 100, right=True),
        *_common_columns(),
        TableColumn(
            "state",
            t("State"),
            lambda row: brief_state(row.paper.state),
            126,
            pill=_state_pill,
            tip=lambda row: state_word(row.paper.state),
            copied=lambda row: state_word(row.paper.state),
        ),
        TableColumn("linked", t("Linked with"), lambda row: _linked(row.linked), 150),
    )


def _order_columns(hidden: bool) -> tuple[TableColumn[PairCandidate], ...]:
    return (
        TableColumn("order", t("Order"), lambda row: row.order.hub_id, 104),
        TableColumn("created", t("Created"), lambda row: _day(row.order.created_on, row), 136, pill=_day_pill),
        TableColumn(
            "buyer",
            t("Buyer"),
            lambda row: party_word(row.order.buyer_tax_id, row.order.buyer_name, hidden),
            170,
            stretches=True,
            pill=lambda row: _differs(row.likeness.buyer),
        ),
        TableColumn("total", t("Total"), lambda row: formatting.money(row.order.total), 100, right=True),
        *_common_columns(),
        TableColumn("status", t("Status"), lambda row: status_word(row.order.status), 120),
        TableColumn("linked", t("Linked with"), lambda row: _linked(tuple(map(paper_name, row.linked))), 150),
    )


def _common_columns() -> tuple[TableColumn[PairCandidate], ...]:
    return (
        TableColumn(
            "difference",
            t("Difference"),
            lambda row: signed_money(row.likeness.difference),
            112,
            right=True,
            pill=lambda row: _differs(row.likeness.total),
        ),
        TableColumn("items", t("Items"), _items, 92, pill=lambda row: _differs(row.likeness.items)),
    )


def _name(row: DocumentRow) -> str:
    return f"{type_word(row.type)} {number_word(row.series, row.number)}"


def _state(row: PairCandidate) -> str:
    return f"{_name(row.paper)} · {operation_word(row.paper.operation)} · {state_word(row.paper.state)}"


def _state_pill(row: PairCandidate) -> str:
    """A pill for what is not as it should be: a sale that stands is told in plain text."""
    kind = kind_of_state(row.paper.state)
    return "" if kind == "good" else kind


def _day(day: str | None, row: PairCandidate) -> str:
    """A day, and how many days lie between order and document."""
    days = row.likeness.days
    return formatting.date(day) if not days else f"{formatting.date(day)} ({days:+d} d)"


def _day_pill(row: PairCandidate) -> str:
    return _differs(row.likeness.day)


def _differs(agrees: bool | None) -> str:
    """What differs is coloured; what agrees, or cannot be compared, is plain."""
    return "warn" if agrees is False else ""


def _items(row: PairCandidate) -> str:
    words = {True: t("the same"), False: t("others"), None: t("not comparable")}
    return words[row.likeness.items]


def _linked(names: tuple[str, ...]) -> str:
    return t("already with {names}", names=several(names)) if names else ""
