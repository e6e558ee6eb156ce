"""One order in full below the list: its head, the moves it may make, and pages of what is known of it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QTabWidget, QVBoxLayout, QWidget

from confere.app.documents.browse import DocumentRow
from confere.app.labels import labels
from confere.app.labels.marketplace_labels import marketplace_word
from confere.app.labels.reconciliation_labels import status_word
from confere.app.orders import order_sections
from confere.app.orders.browse_orders import OrderDetail
from confere.desktop.core.reader_topics import TopicReader
from confere.desktop.orders.detail_tables import ItemLine, document_columns, item_columns
from confere.desktop.orders.move_bar import MoveBar
from confere.desktop.orders.order_columns import is_failed
from confere.desktop.orders.versions_page import VersionsPage
from confere.desktop.services import Services
from confere.desktop.theme.measures import GAP, WIDE_GAP
from confere.desktop.theme.order_pill import kind_of_order
from confere.desktop.widgets.card import label
from confere.desktop.widgets.elided_labels import Elided
from confere.desktop.widgets.fact_page import FactPage
from confere.desktop.widgets.pill import Pill
from confere.desktop.widgets.short_list.finding_columns import finding_columns
from confere.desktop.widgets.short_list.worded_table import WordedTable
from confere.desktop.widgets.table import Table, TableColumn
from confere.sales.order import OrderStatus
from confere.system import formatting
from confere.system.messages import t
from confere.system.settings import HIDE_PEOPLE

T = TypeVar("T")
_WAITING = (OrderStatus.PAID_WAITING_SHIP.value, OrderStatus.INVOICED.value)


class OrderPanel(QWidget):
    """`move_wanted` has the move that a button is for; `paper_wanted` a document's key or the SHA-256 of its file."""

    move_wanted = Signal(object)
    invoice_wanted = Signal()
    reconcile_wanted = Signal()
    paper_wanted = Signal(str)

    def __init__(self, services: Services, reader: TopicReader, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._services = services
        self.detail: OrderDetail | None = None
        self.title = Elided()
        self.title.setProperty("rank", "heading")
        self.status = Pill(services.look)
        self.failure = Pill(services.look)
        self.message = label("", "bad", wraps=True, selectable=True)
        self.moves = MoveBar(services.look)
        self.moves.move_wanted.connect(self.move_wanted)
        self.moves.invoice_wanted.connect(self.invoice_wanted)
        self.reconcile = QPushButton(t("Show in Reconcile"))
        self.reconcile.setProperty("look", "link")
        self.reconcile.clicked.connect(self.reconcile_wanted)
        self.left, self.right = (
            FactPage(services.look, t("Order: money and state")),
            FactPage(services.look, t("Order: shipment, buyer and numbers")),
        )
        self.items = self._table("items", t("Items"), item_columns(), lambda line: line.place)
        self.documents = self._table("documents", t("Documents"), document_columns(), lambda row: row.id)
        self.findings = self._table("findings", t("Findings"), finding_columns(), lambda row: row.id)
        self._papers, self._doubts = WordedTable(self.documents), WordedTable(self.findings)
        self.versions = VersionsPage(services, reader, self)
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.tabs.tabBar().setDrawBase(False)
        self.tabs.setAccessibleName(t("The chosen order"))
        self._lay_out()
        self.documents.entered_row.connect(self._open)
        self.findings.entered_row.connect(lambda _: self.reconcile_wanted.emit())
        for page in (self.left, self.right):
            page.document_wanted.connect(lambda place: self.paper_wanted.emit(str(place)))
        self.clear()

    def show_order(self, detail: OrderDetail) -> None:
        """Show this order; of the same one what is chosen stays."""
        self.detail = detail
        row, order = detail.shown.row, detail.shown.order
        number = row.marketplace_number or row.marketplace_id
        name = t("Order {number}", number=row.hub_id)
        parts = (name, formatting.money(row.total), marketplace_word(row.marketplace), number)
        self.title.setText(" · ".join(filter(None, parts)))
        self.status.show_word(status_word(row.status), kind_of_order(row.status) or "neutral")
        self.status.setVisible(bool(row.status))
        failed = is_failed(row)
        self.failure.show_word(t("transmission failed"), "bad")
        self.failure.setVisible(failed)
        self.message.setText(order.transmission_message or "")
        self.message.setVisible(failed and bool(order.transmission_message))
        self.moves.offer(detail, invoice=self.offers_invoice, failed=failed)
        hidden = self._services.workspace.settings.get(HIDE_PEOPLE)
        place = (row.account_id, row.hub_id)
        self.left.show_sections(order_sections.of_money(detail), place)
        self.right.show_sections(order_sections.of_shipment(detail, hidden=hidden), place)
        self.items.put([ItemLine(number, item) for number, item in enumerate(order.items)])
        self.documents.put(detail.shown.documents)
        self.findings.put(detail.findings)
        self._say_none()
        self.versions.show_order(detail)
        for page, title, count in (
            (self.items, t("Items"), len(order.items)),
            (self._papers, t("Documents"), len(detail.shown.documents)),
            (self._doubts, t("Findings"), len(detail.findings)),
            (self.versions, t("Versions"), len(detail.shown.versions)),
        ):
            text = t("{title} ({count})", title=title, count=formatting.count(count)) if count else title
            self.tabs.setTabText(self.tabs.indexOf(page), text)
        self._body.show()

    @property
    def is_failed(self) -> bool:
        """Whether the order that is shown could not be told to its marketplace."""
        return self.detail is not None and is_failed(self.detail.shown.row)

    @property
    def offers_invoice(self) -> bool:
        """Whether the order that is shown waits for an invoice that the archive may have for it."""
        if self.detail is None:
            return False
        row = self.detail.shown.row
        return row.status in _WAITING and row.invoice_key is None and bool(self.detail.shown.documents)

    def clear(self) -> None:
        """Nothing is chosen."""
        self.detail = None
        self._body.hide()
        self.versions.clear()

    def take_keyboard(self) -> None:
        """What is shown has the keyboard."""
        self.tabs.currentWidget().setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _say_none(self) -> None:
        """Why there is nothing to see."""
        no_papers, no_findings = not self.documents.rows_model.rows, not self.findings.rows_model.rows
        self._papers.say(
            t("The archive has no document of this order. Sync brings those that the hub has, Reconcile links them.")
            if no_papers
            else ""
        )
        self._doubts.say(
            t("Reconciliation has found nothing about this order, as far as it was run.") if no_findings else ""
        )

    def _table(
        self, name: str, title: str, columns: Sequence[TableColumn[T]], identity: Callable[[T], Hashable]
    ) -> Table[T]:
        return Table(f"orders/{name}", title, columns, identity, self._services.look, self._services.memory, self)

    def _lay_out(self) -> None:
        summary = QWidget()
        row = QHBoxLayout(summary)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(GAP)
        row.addWidget(self.left, 1)
        row.addWidget(self.right, 1)
        summary.setFocusProxy(self.left)
        for page, title in (
            (summary, t("Summary")),
            (self.items, t("Items")),
            (self._papers, t("Documents")),
            (self._doubts, t("Findings")),
            (self.versions, t("Versions")),
        ):
            self.tabs.addTab(page, title)
        self.versions.setFocusProxy(self.versions.versions)
        self._body = QWidget()
        head = QHBoxLayout()
        head.setContentsMargins(WIDE_GAP, GAP, WIDE_GAP, 0)
        head.setSpacing(GAP)
        head.addWidget(self.title, 1)
        for widget in (self.status, self.failure, self.reconcile):
            head.addWidget(widget)
        message_row = QHBoxLayout()
        message_row.setContentsMargins(WIDE_GAP, 0, WIDE_GAP, 0)
        message_row.addWidget(self.message, 1)
        below = QHBoxLayout()
        below.setContentsMargins(WIDE_GAP, 0, WIDE_GAP, 0)
        below.addWidget(self.moves, 1)
        inner = QVBoxLayout(self._body)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(GAP)
        inner.addLayout(head)
        inner.addLayout(message_row)
        inner.addLayout(below)
        inner.addWidget(self.tabs, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._body)

    @staticmethod
    def document_title(row: DocumentRow) -> str:
        """What the menu's line that opens this document says."""
        name = " ".join(filter(None, (labels.type_word(row.type), labels.number_word(row.series, row.number))))
        return t("Open {document}", document=name)

    def _open(self, row: DocumentRow) -> None:
        if row.access_key:
            self.paper_wanted.emit(row.access_key)
