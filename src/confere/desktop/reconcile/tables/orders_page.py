"""The orders of the account: what each came to, the documents linked with it, and whether it knows its invoice."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from confere.app.accounts.company_lines import CompanyLines
from confere.app.labels.labels import party_word
from confere.app.labels.marketplace_labels import marketplace_word
from confere.app.reconciliation import queries
from confere.app.reconciliation.queries import OrderLine
from confere.desktop.core.reader_topics import TopicReader
from confere.desktop.reconcile.reconciliation_text import first_of, paper_name, status_word
from confere.desktop.reconcile.tables.table_page import TablePage
from confere.desktop.services import Services
from confere.desktop.theme.order_pill import kind_of_order
from confere.desktop.widgets.table import TableColumn
from confere.system import formatting
from confere.system.messages import t
from confere.system.settings import HIDE_PEOPLE

_PAGE = 300
_QUIET_MS = 250
_TEXT_WIDTH = 240


class OrdersPage(TablePage[OrderLine]):
    """`order_chosen` has the current order; `write_wanted` those whose invoice is to be told to the hub."""

    order_chosen = Signal(object)
    write_wanted = Signal(object)

    def __init__(self, services: Services, reader: TopicReader, parent: QWidget | None = None) -> None:
        settings = services.workspace.settings  # asked for each cell: the page stays while the setting changes
        super().__init__(
            services,
            reader,
            "orders",
            t("Orders"),
            t("What was sold, as the hub or a file tells it, and the documents that are linked with each order."),
            t("There are no orders here: sync the account, or import them from a spreadsheet."),
            (
                TableColumn("order", t("Order"), lambda row: row.order.hub_id, 104),
                TableColumn("number", t("At the marketplace"), lambda row: row.order.marketplace_id or "", 124, rank=2),
                TableColumn(
                    "marketplace",
                    t("Marketplace"),
                    lambda row: marketplace_word(row.order.marketplace),
                    110,
                    shown=False,
                ),
                TableColumn(
                    "created", t("Created"), lambda row: formatting.date(row.order.created_on or None), 92, rank=1
                ),
                TableColumn(
                    "status",
                    t("Status"),
                    lambda row: status_word(row.order.status),
                    168,
                    pill=lambda row: kind_of_order(row.order.status),
                ),
                TableColumn(
                    "buyer",
                    t("Buyer"),
                    lambda row: party_word(row.order.buyer_tax_id, row.order.buyer_name, settings.get(HIDE_PEOPLE)),
                    120,
                    stretches=True,
                ),
                TableColumn("total", t("Total"), lambda row: formatting.money(row.order.total), 104, right=True),
                TableColumn("linked", t("Documents"), lambda row: first_of(tuple(map(paper_name, row.keys))), 92),
            ),
            lambda row: row.order.hub_id,
            parent,
        )
        self._is_whole = False
        self._everywhere = ""  # a text that is looked for in every month
        self.text = QLineEdit()
        self.text.setPlaceholderText(t("Order, key, tax id or name of the buyer…"))
        self.text.setAccessibleName(t("Look for an order"))
        self.text.setClearButtonEnabled(True)
        self.text.setMinimumWidth(_TEXT_WIDTH)
        self._buttons.addWidget(self.text)
        self.add_copy()
        self.write = self.add_button(
            t("Send the invoice data…"),
            self._write,
            t("Tell the hub the invoice of the selected orders; what is sent is shown first"),
        )
        self._quiet = QTimer(self)
        self._quiet.setSingleShot(True)
        self._quiet.setInterval(_QUIET_MS)
        self._quiet.timeout.connect(self.refresh)
        self.text.textChanged.connect(self._quiet.start)
        self.table.chosen.connect(self.order_chosen)
        self.table.more_wanted.connect(self._more)

    @property
    def selected(self) -> tuple[str, ...]:
        """The selected orders, else the current one."""
        current = self.table.current
        chosen = tuple(self.rows[place].order.hub_id for place in self.table.selected_rows())
        return chosen or ((current.order.hub_id,) if current is not None else ())

    def look_for(self, order_id: str) -> None:
        """List this order alone, of whatever month, when it is next asked for."""
        self._everywhere = order_id
        self.text.setText(order_id)
        self._quiet.stop()

    @property
    def looks_for_one(self) -> bool:
        """Whether one order is listed, of whatever month."""
        return bool(self._everywhere) and self.text.text().strip() == self._everywhere

    def question(self, account: str, period: str | None) -> Callable[[], CompanyLines[OrderLine]]:
        opened, text, company = self._services.opened, self.text.text().strip(), self.company
        if not self.looks_for_one:
            return lambda: CompanyLines(
                queries.orders(opened, account, text=text, period=period, company=company, limit=_PAGE),
                queries.orders_of_no_company(opened, account, company, text=text, period=period),
            )

        def look() -> CompanyLines[OrderLine]:
            """What is called so at the marketplace, or by its buyer, is another one; of whatever company."""
            found = queries.orders(opened, account, text=text, limit=_PAGE)
            return CompanyLines(tuple(line for line in found if line.order.hub_id == text) or found[: _PAGE - 1])

        return look

    def _have(self, found: CompanyLines[OrderLine]) -> None:
        self._is_whole = len(found.lines) < _PAGE
        super()._have(found)
        if self.text.text():
            self._layers.setCurrentIndex(1)  # or the text that finds nothing could not be changed

    def _more(self) -> None:
        account, period, begin = self.account, self.period, len(self.rows)
        if self._is_whole or account is None:
            return
        opened, text, company = self._services.opened, self.text.text().strip(), self.company
        self._is_whole = True  # until it is known to be otherwise, nothing is asked twice
        self._reader.ask(
            "more orders",
            lambda: (
                begin,
                queries.orders(opened, account, text=text, period=period, company=company, offset=begin, limit=_PAGE),
            ),
            self._have_more,
        )

    def _have_more(self, found: tuple[int, Sequence[OrderLine]]) -> None:
        begin, rows = found
        if begin == len(self.rows):
            self._is_whole = len(rows) < _PAGE
            self.table.rows_model.add(rows)

    def _write(self) -> None:
        if self.selected:
            self.write_wanted.emit(self.selected)
