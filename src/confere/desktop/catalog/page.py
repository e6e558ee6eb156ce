"""The page Catalog: the products at the hub as they are archived, one in full, their sync, and products from a file."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QAction, QHideEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QMenu, QPushButton, QWidget

from confere.app.catalog import browse_catalog
from confere.app.catalog.browse_catalog import CatalogAccount, CatalogTotals, ListedProduct, ProductsScope, ShownProduct
from confere.desktop.catalog.detail_panel import ProductPanel
from confere.desktop.catalog.filters import ProductFilterRow
from confere.desktop.catalog.product_list import SUMS, ProductModel, ProductTable, copy_rows, products_text
from confere.desktop.catalog.push_dialog import PushDialog
from confere.desktop.core.actions import Action, Actions
from confere.desktop.core.reader_topics import TopicReader
from confere.desktop.dialogs.saving import selection_saver
from confere.desktop.dialogs.saving.selection_actions import SelectionActions
from confere.desktop.dialogs.saving.selection_saver import SavableList
from confere.desktop.jobs.job import JobKind
from confere.desktop.jobs.job_requests import SavedList, catalog_order
from confere.desktop.services import Services
from confere.desktop.widgets.long_list.empty_list import EmptyList
from confere.desktop.widgets.long_list.header_menu import fill_column_menu
from confere.desktop.widgets.long_list.page_layout import ListPageLayout
from confere.desktop.widgets.long_list.totals_reader import Summing
from confere.errors import ArchiveMissing
from confere.system import formatting
from confere.system.messages import t

_MOST_IN_MENU = 12  # SKUs of one product


class ProductsPage(QWidget):
    """`documents_wanted` has the code of a SKU that documents sell, `order_wanted` an account and an order of it.

    `finding_wanted` has the row of a finding.
    """

    documents_wanted = Signal(str)
    order_wanted = Signal(str, str)
    finding_wanted = Signal(object)
    totals_changed = Signal(str)

    def __init__(self, services: Services, actions: Actions, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._services = services
        self._reader = TopicReader(self, services.reader, "catalog", self._forgive)
        self._is_dirty = True
        self._is_behind = False  # the archive was written to while another page was in front
        self._accounts: tuple[CatalogAccount, ...] = ()
        self.dialog: PushDialog | None = None
        self._sums: Summing[ProductsScope, CatalogTotals] = Summing(SUMS, services.opened, self._reader, self)
        self.filters = ProductFilterRow(services.look)
        self.model = ProductModel(services, self)
        self.table = ProductTable(self.model, services, self)
        self.selection = SelectionActions(
            services,
            self,
            SavableList(SavedList.PRODUCTS, products_text, t("products")),
            (selection_saver.table_command(),),
            self.table.selected_ids,
            lambda then: then(self.table.listed_ids()),
        )
        self.panel = ProductPanel(services, self._reader)
        self.sync = QAction(t("Sync the catalog"), self)
        self.push = QAction(t("Products from a file…"), self)
        self.sync_button, self.push_button = QPushButton(self.sync.text()), QPushButton(self.push.text())
        for button, action in ((self.sync_button, self.sync), (self.push_button, self.push)):
            button.clicked.connect(action.trigger)
            action.enabledChanged.connect(button.setEnabled)
        ways = (self.sync, self.push, actions[Action.OVERVIEW])
        self.empty = EmptyList(
            services.look,
            "catalog",
            t("There are no products yet"),
            "",
            [(t("Go to the overview") if way is actions[Action.OVERVIEW] else way.text(), way) for way in ways],
        )
        self._places = ListPageLayout(
            self,
            "catalog",
            services.look,
            services.memory,
            filters=self.filters,
            table=self.table,
            panel=self.panel,
            empty=self.empty,
            beside=(self.sync_button, self.push_button),
            bar=self.selection.bar,
        )
        self._connect()
        self._enable()

    # What the window calls

    def arrive(self) -> None:
        """The page came to the front."""
        if self._is_dirty:
            self._ask()
        elif self._is_behind:
            self._look_again()
        if self.model.ids:
            self.table.setFocus()

    def archive_changed(self) -> None:
        """The archive was written to, or came or went."""
        if self.isVisible():
            self._look_again()
        else:
            self._is_behind = True

    def look_for(self) -> None:
        """The keyboard goes to where a product is looked for."""
        self.filters.text.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.filters.text.selectAll()

    def toggle_details(self) -> None:
        """Show or hide what is below the list."""
        self.panel.setVisible(not self.panel.isVisible())

    @property
    def totals(self) -> str:
        """What is listed and selected, for the status bar."""
        return self._sums.line

    @property
    def totals_hint(self) -> str:
        """What the sum is, for a tooltip."""
        return self._sums.hint

    @property
    def current(self) -> ListedProduct | None:
        """The product that the keyboard stands on."""
        place = self.table.currentIndex().row()
        line = self.model.line(place) if 0 <= place < len(self.model.ids) else None
        return None if line is None else line.row

    def sync_catalog(self) -> None:
        """Bring the catalogs up to date: of the account that is chosen, else of every one that has reads."""
        chosen = self.filters.filters.accounts
        for account in self._accounts:
            if account.name in chosen or (not chosen and account.has_reads is not False):
                self._services.jobs.start(catalog_order(account.name))

    def push_file(self) -> None:
        """Show what a file of products would write to the hub, and send it when a person says so."""
        if self.dialog is None:
            names = [account.name for account in self._accounts]
            chosen = next(iter(self.filters.filters.accounts), None)
            self.dialog = PushDialog(self._services, names, chosen, self.window())
            self.dialog.finished.connect(self._closed)
        self.dialog.show()
        self.dialog.activateWindow()

    def copy_rows(self) -> None:
        """Copy the selected rows as tab-separated text."""
        copy_rows(self._services, self.table.selected_ids(), self.table.visible_columns())

    def context_menu(self) -> QMenu | None:
        """What can be done with the product that the keyboard stands on; None where there is none."""
        current = self.current
        if current is None:
            return None
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for sku in current.row.product.skus[:_MOST_IN_MENU]:
            if sku.code:
                text = t("Documents that sell {code}", code=sku.code)
                menu.addAction(text.replace("&", "&&"), partial(self.documents_wanted.emit, sku.code))
        menu.addSeparator()
        rows = menu.addAction(self._services.look.icon("copy"), t("Copy the rows"), self.copy_rows)
        rows.setShortcut(QKeySequence(QKeySequence.StandardKey.Copy))
        return menu

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._services.memory.save()

    # How it is built

    def _connect(self) -> None:
        services, model, table, panel = self._services, self.model, self.table, self.panel
        self.sync.triggered.connect(self.sync_catalog)
        self.push.triggered.connect(self.push_file)
        services.jobs.changed.connect(self._enable)
        services.scope.changed.connect(self._scope_changed)
        self.filters.changed.connect(lambda _: self._ask())
        self.filters.wanted.connect(self._ask_choices)
        self.empty.clear_wanted.connect(self.filters.clear)
        model.modelReset.connect(self._show_rows)
        model.settled.connect(self._settled)
        self._sums.changed.connect(self.totals_changed)
        self._sums.selection_changed.connect(self._say_selected)
        table.selected.connect(lambda _: self._look())
        table.chosen.connect(lambda: self._sums.sum_selected(table.selected_ids()))
        table.opened.connect(lambda _: self._enter())
        table.customContextMenuRequested.connect(self._pop_up)
        table.header_menu_wanted.connect(self._show_header_menu)
        copy = QShortcut(QKeySequence(QKeySequence.StandardKey.Copy), table)
        copy.setContext(Qt.ShortcutContext.WidgetShortcut)
        copy.activated.connect(self.copy_rows)
        panel.documents_wanted.connect(self.documents_wanted)
        panel.order_wanted.connect(self.order_wanted)
        panel.finding_wanted.connect(self.finding_wanted)

    # Asking

    def _scope(self) -> ProductsScope:
        arrangement = self.table.arrangement
        base = ProductsScope(self._services.scope.company, sort=arrangement.sort, descending=arrangement.descending)
        return self.filters.filters.within(base)

    def _ask(self) -> None:
        """List anew what is asked for now."""
        self._is_dirty = self._is_behind = False
        self.model.ask(self._scope(), None)
        self._ask_accounts()

    def _look_again(self) -> None:
        """What is listed stays in its place while it is asked for anew."""
        self._is_behind = False
        if self.model.ids and self._services.opened.exists:
            self.model.refresh()
            self._ask_accounts()
        else:
            self._ask()

    def _ask_accounts(self) -> None:
        workspace, opened, company = self._services.workspace, self._services.opened, self._services.scope.company
        self._reader.ask(
            "accounts", lambda: browse_catalog.accounts_of(workspace, opened, company), self._have_accounts
        )

    def _have_accounts(self, accounts: tuple[CatalogAccount, ...]) -> None:
        self._accounts = accounts
        self.filters.offer_accounts([account.name for account in accounts])
        self._enable()
        if self.model.is_settled and not self.model.ids:
            self._explain_nothing()

    def _ask_choices(self) -> None:
        opened, scope = self._services.opened, self._scope()
        self._reader.ask("choices", lambda: browse_catalog.choices(opened, scope), self.filters.offer_choices)

    def _settled(self) -> None:
        """All ids are here: what they amount to, and where there are none, why."""
        self._show_rows()
        if not self.model.ids:
            self._sums.sum_nothing()
            self._explain_nothing()
            self.panel.clear()
            return
        self.table.stand_on_first()
        self._sums.sum_listed(self.model.query)
        self._sums.sum_selected(self.table.selected_ids())
        self._look()  # the same product may be another version of it

    def _say_selected(self, count: int, totals: CatalogTotals | None) -> None:
        words = (
            "" if totals is None or not totals.worth else t("{worth} in stock", worth=formatting.money(totals.worth))
        )
        self.selection.show_counts(len(self.model.ids), count, words)

    def _look(self) -> None:
        """Ask for the product that the keyboard stands on."""
        wanted = self.table.current_id
        if wanted is None:
            self._reader.forget("detail")
            self.panel.clear()
            return
        opened = self._services.opened
        self._reader.ask("detail", lambda: browse_catalog.detail(opened, wanted), self._have_detail)

    def _have_detail(self, shown: ShownProduct) -> None:
        if self.table.current_id == shown.row.id:
            self.panel.show_product(shown)

    def _enter(self) -> None:
        """The product that was opened has the keyboard."""
        self.panel.show()
        self.panel.take_keyboard()

    # Nothing to list

    def _show_rows(self) -> None:
        if self.model.ids:
            self._places.show_list()

    def _explain_nothing(self) -> None:
        is_narrowed = self.filters.is_any
        if is_narrowed or any(account.is_synced for account in self._accounts):
            self.empty.nothing_found(narrowed=is_narrowed, in_a_month=False, elsewhere=False)
        else:
            self.empty.explain(self._why_nothing())
            self.empty.nothing_here()
        self._places.show_nothing()

    def _why_nothing(self) -> str:
        """What to do, by what is known of the accounts."""
        if not self._accounts:
            return t("Connect an account first: its hub is asked for the products that it has.")
        lines = [
            t("Sync the catalog: brands, categories and every product with its SKUs, prices and stock are fetched, and "
              "each change is kept as a version. Invoices can then be checked against NCM, origin, EAN and unit.")
        ]  # fmt: skip
        without = [account.name for account in self._accounts if account.has_reads is False]
        if without:
            lines.append(
                t("This hub's contract declares no catalog reads, so it cannot be asked for its products: {accounts}. "
                  "A file of products can still be written to it.", accounts=", ".join(without))
            )  # fmt: skip
            if len(without) == len(self._accounts):
                del lines[0]
        return "\n\n".join(lines)

    def _enable(self) -> None:
        jobs = self._services.jobs
        can_read = any(account.has_reads is not False for account in self._accounts)
        self.sync.setEnabled(can_read and not jobs.has(JobKind.CATALOG))
        self.push.setEnabled(bool(self._accounts))

    def _forgive(self, error: Exception) -> None:
        """An archive that is not there yet is no fault: there is nothing to list."""
        if not isinstance(error, ArchiveMissing):
            self._services.faults.tell(error)

    def _scope_changed(self) -> None:
        if self.isVisible():
            self._ask()
        else:
            self._is_dirty = True

    # Menus and dialogs

    def _show_header_menu(self, place: QPoint) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        fill_column_menu(menu, self.table)
        menu.popup(place)

    def _pop_up(self, place: QPoint) -> None:
        menu = self.context_menu()
        if menu is not None:
            menu.popup(self.table.viewport().mapToGlobal(place))

    def _closed(self, _result: int) -> None:
        if self.dialog is not None:
            self.dialog.deleteLater()
            self.dialog = None
