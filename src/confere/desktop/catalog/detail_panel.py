"""One product in full below the list: its head with the ways to where it is sold, and pages of what is known of it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QTabWidget, QVBoxLayout, QWidget

from confere.app.catalog import browse_catalog, product_findings, product_sections
from confere.app.catalog.browse_catalog import MOST_SOLD, ShownProduct, SoldItem
from confere.app.catalog.product_findings import FindingRow
from confere.desktop.catalog.asked_tab import AskedTab, counted
from confere.desktop.catalog.detail_tables import SkuLine, sku_columns, sold_columns
from confere.desktop.catalog.versions_page import ProductVersions
from confere.desktop.core.reader_topics import TopicReader
from confere.desktop.services import Services
from confere.desktop.theme.measures import GAP, WIDE_GAP
from confere.desktop.widgets.elided_labels import Elided
from confere.desktop.widgets.fact_page import FactPage
from confere.desktop.widgets.pill import Pill
from confere.desktop.widgets.short_list.finding_columns import finding_columns
from confere.desktop.widgets.table import Table, TableColumn
from confere.system import formatting
from confere.system.messages import t

T = TypeVar("T")


class ProductPanel(QWidget):
    """`documents_wanted` has the code of a SKU; `order_wanted` an account and an order of it.

    `finding_wanted` has the row of a finding.
    """

    documents_wanted = Signal(str)
    order_wanted = Signal(str, str)
    finding_wanted = Signal(object)

    def __init__(self, services: Services, reader: TopicReader, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._services, self._reader = services, reader
        self.shown: ShownProduct | None = None
        self.title = Elided()
        self.title.setProperty("rank", "heading")
        self.gone = Pill(services.look)
        self.documents = QPushButton(t("Documents that sell it"))
        self.documents.setProperty("look", "link")
        self.documents.clicked.connect(self.want_documents)
        self.left = FactPage(services.look, t("Product: what it is and how it is taxed"))
        self.right = FactPage(services.look, t("Product: prices and stock of its SKUs"))
        self.skus = self._table("skus", t("SKUs"), sku_columns(), lambda line: line.place)
        self.versions = ProductVersions(services, reader, self)
        self.sold = self._table("sold", t("Orders"), sold_columns(), lambda sold: (sold.order.id, sold.place))
        self.findings = self._table("findings", t("Findings"), finding_columns(), lambda row: row.id)
        opened = services.opened
        self._sales = AskedTab(
            t("Orders"), self.sold, reader, lambda of: browse_catalog.sales_of(opened, of.row), _sold_words
        )
        self._doubts = AskedTab(
            t("Findings"),
            self.findings,
            reader,
            lambda of: product_findings.findings_of(opened, of.row),
            _finding_words,
        )
        self.tabs = QTabWidget()
        self.tabs.setAccessibleName(t("The chosen product"))
        self.tabs.setDocumentMode(True)
        self.tabs.tabBar().setDrawBase(False)
        self._lay_out()
        self.tabs.currentChanged.connect(lambda _: self._ask())
        self.sold.entered_row.connect(lambda sold: self.order_wanted.emit(sold.order.account, sold.order.hub_id))
        self.findings.entered_row.connect(self.finding_wanted)
        self.clear()

    def show_product(self, shown: ShownProduct) -> None:
        """Show this one; of the same one what is chosen stays."""
        self.shown = shown
        row, product = shown.row, shown.row.product
        codes = [sku.code for sku in product.skus if sku.code]
        code = codes[0] if len(codes) == 1 else ""
        self.title.setText(" · ".join(filter(None, (product.title or product.hub_id, code))))
        self.gone.show_word(t("no longer listed"), "warn")
        self.gone.setVisible(row.gone_since is not None)
        self.documents.setEnabled(bool(codes))
        self.left.show_sections(product_sections.of_product(shown), row.id)
        self.right.show_sections(product_sections.of_skus(row), row.id)
        self.skus.put([SkuLine(number, sku) for number, sku in enumerate(product.skus)])
        self.versions.show_product(shown)
        for page, title, count in (
            (self.skus, t("SKUs"), len(product.skus)),
            (self.versions, t("Versions"), len(shown.versions)),
        ):
            self.tabs.setTabText(self.tabs.indexOf(page), counted(title, count))
        self._ask()
        self._body.show()

    def clear(self) -> None:
        """Nothing is chosen."""
        self.shown = None
        self._body.hide()
        self.versions.clear()
        self._ask()

    def take_keyboard(self) -> None:
        """What is shown has the keyboard."""
        self.tabs.currentWidget().setFocus(Qt.FocusReason.ShortcutFocusReason)

    def want_documents(self) -> None:
        """Those that sell the SKU that is chosen in the table, else the first that has a code."""
        if self.shown is None:
            return
        line = self.skus.current if self.tabs.currentWidget() is self.skus else None
        codes = [sku.code for sku in self.shown.row.product.skus if sku.code]
        code = line.sku.code if line is not None and line.sku.code else next(iter(codes), "")
        if code:
            self.documents_wanted.emit(code)

    def _ask(self) -> None:
        for tab in (self._sales, self._doubts):
            tab.show_for(self.shown)

    def _table(
        self, name: str, title: str, columns: Sequence[TableColumn[T]], identity: Callable[[T], Hashable]
    ) -> Table[T]:
        return Table(f"catalog/{name}", title, columns, identity, self._services.look, self._services.memory, self)

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
            (self.skus, t("SKUs")),
            (self.versions, t("Versions")),
        ):
            self.tabs.addTab(page, title)
        self._sales.stand_in(self.tabs)
        self._doubts.stand_in(self.tabs)
        self._body = QWidget()
        head = QHBoxLayout()
        head.setContentsMargins(WIDE_GAP, GAP, WIDE_GAP, 0)
        head.setSpacing(GAP)
        head.addWidget(self.title, 1)
        head.addWidget(self.gone)
        head.addWidget(self.documents)
        inner = QVBoxLayout(self._body)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(GAP)
        inner.addLayout(head)
        inner.addWidget(self.tabs, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._body)


def _sold_words(items: Sequence[SoldItem]) -> str:
    if not items:
        return t("No order in the archive names a code of this product.")
    if len(items) == MOST_SOLD:
        return t("The newest {count} items that sell it; Enter opens the order.", count=formatting.count(MOST_SOLD))
    return t("Items of orders that sell it, the newest first; Enter opens the order.")


def _finding_words(rows: Sequence[FindingRow]) -> str:
    if not rows:
        return t("Reconciliation has not found that invoices describe this product otherwise, as far as it was run.")
    return t("Invoices describe it otherwise than the catalog; Enter opens the finding in Reconcile.")
