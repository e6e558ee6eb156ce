"""The page Orders: what was sold, one order in full, and the moves that a seller makes."""

from __future__ import annotations

from functools import partial
from typing import Final

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QHideEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QDialog, QMenu, QWidget

from confere.app.orders import browse_orders
from confere.app.orders.browse_orders import (
    BrowsedOrder,
    OrderAccounts,
    OrderDetail,
    OrderMoveKind,
    OrdersScope,
)
from confere.desktop.core.actions import Action, Actions
from confere.desktop.core.reader_topics import TopicReader
from confere.desktop.dialogs.invoice_dialog import invoice_dialog
from confere.desktop.dialogs.move_dialog import MoveDialog, title_of
from confere.desktop.dialogs.order_write import OrderWriteDialog
from confere.desktop.dialogs.saving import selection_saver
from confere.desktop.dialogs.saving.selection_actions import SelectionActions
from confere.desktop.dialogs.saving.selection_saver import SavableList
from confere.desktop.jobs.job_requests import SavedList
from confere.desktop.orders.detail_panel import OrderPanel
from confere.desktop.orders.feed_warning import FeedWarning
from confere.desktop.orders.filters import OrderFilterRow, OrderFilters, of_no_company
from confere.desktop.orders.nothing_listed import NothingListed
from confere.desktop.orders.order_columns import OrderGlance
from confere.desktop.orders.order_list import SUMS, OrderModel, SalesOrderTable, copy_rows, orders_text
from confere.desktop.services import Services
from confere.desktop.widgets.long_list.empty_list import EmptyList
from confere.desktop.widgets.long_list.header_menu import fill_column_menu
from confere.desktop.widgets.long_list.page_layout import ListPageLayout
from confere.desktop.widgets.long_list.totals_reader import Summing
from confere.errors import ArchiveMissing
from confere.system import formatting
from confere.system.messages import t
from confere.system.settings import HIDE_PEOPLE

_MOST_SENT: Final = 500  # orders that one dialog shows


class SalesOrdersPage(QWidget):
    """`paper_wanted` has the key of a document to be opened, `reconcile_wanted` an account and an order of it."""

    paper_wanted = Signal(str)
    reconcile_wanted = Signal(str, str)
    totals_changed = Signal(str)

    def __init__(self, services: Services, actions: Actions, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._services = services
        self._reader = TopicReader(self, services.reader, "orders", self._forgive)
        self._is_dirty = True
        self._is_behind = False  # the archive was written to while another page was in front
        self._wanted_id: int | None = None
        self.dialog: OrderWriteDialog | None = None
        self._sums: Summing[OrdersScope, browse_orders.OrderTotals] = Summing(SUMS, services.opened, self._reader, self)
        self.filters = OrderFilterRow(services.look)
        self.feed = FeedWarning(services.look, actions[Action.SYNC])
        self.model = OrderModel(services, self)
        self.table = SalesOrderTable(self.model, services, self)
        self.selection = SelectionActions(
            services,
            self,
            SavableList(SavedList.ORDERS, orders_text, t("orders")),
            (*selection_saver.document_commands(), selection_saver.table_command()),
            self.table.selected_ids,
            lambda then: then(self.table.listed_ids()),
            dragged=self.table,
        )
        self.panel = OrderPanel(services, self._reader)
        ways = (
            (actions[Action.SYNC].text(), Action.SYNC),
            (actions[Action.IMPORT_ORDERS].text(), Action.IMPORT_ORDERS),
            (t("Go to the overview"), Action.OVERVIEW),
        )
        self.empty = EmptyList(
            services.look,
            "orders",
            t("There are no orders yet"),
            t("Sync an account, or import its orders from a spreadsheet."),
            [(words, actions[act]) for words, act in ways],
        )
        self._nothing = NothingListed(services, self._reader, self.model, self.empty)
        self._places = ListPageLayout(
            self,
            "orders",
            services.look,
            services.memory,
            filters=self.filters,
            table=self.table,
            panel=self.panel,
            empty=self.empty,
            above=(self.feed,),
            bar=self.selection.bar,
        )
        self._connect()

    # What the window calls

    def arrive(self) -> None:
        """The page came to the front."""
        if self._is_dirty or self._glance() != self.model.glance:
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

    def show_order(self, account: str, order_id: str) -> None:
        """Stand on an order of an account, by the hub's id of it, of whatever company and month."""
        opened, company = self._services.opened, self._services.scope.company
        self._reader.ask("wanted", lambda: browse_orders.place_of(opened, account, order_id, company), self._go_to)

    def show_of_no_company(self, account: str, marketplace: str | None = None) -> None:
        """List the orders of this account and marketplace (None: all) that are of no company that can be told."""
        self.filters.show_filters(of_no_company(account, marketplace))
        self._ask()

    def look_for(self) -> None:
        """The keyboard goes to where an order is looked for."""
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
        """What the sum leaves out, for a tooltip."""
        return self._sums.hint

    @property
    def current(self) -> BrowsedOrder | None:
        """The order that the keyboard stands on."""
        place = self.table.currentIndex().row()
        line = self.model.line(place) if 0 <= place < len(self.model.ids) else None
        return None if line is None else line.row

    @property
    def selected(self) -> tuple[BrowsedOrder, ...]:
        """The selected orders of the account that the current one is of, as many as one dialog shows."""
        current = self.current
        if current is None:
            return ()
        ids = self.table.selected_ids()[:_MOST_SENT]
        chosen = browse_orders.rows(self._services.opened, ids)
        return tuple(line for line in chosen if line.row.account_id == current.row.account_id) or (current,)

    def ask_move(self, kind: OrderMoveKind) -> None:
        """Show what would be sent for the selected orders, and send it when a person says so."""
        chosen = self.selected
        if chosen:
            names = [line.row.hub_id for line in chosen]
            self._open(MoveDialog(self._services, chosen[0].row.account, names, kind, self.window()))

    def ask_invoice(self) -> None:
        """The same for the invoices that the archive has for them."""
        chosen = self.selected
        if chosen:
            names = [line.row.hub_id for line in chosen]
            self._open(invoice_dialog(self._services, chosen[0].row.account, names, self.window()))

    def copy_rows(self) -> None:
        """Copy the selected rows as tab-separated text."""
        copy_rows(self._services, self.table.selected_ids(), self.table.visible_columns(), self.model.glance)

    def context_menu(self) -> QMenu | None:
        """What can be done with the selected orders; None where there is none."""
        current, detail = self.current, self.panel.detail
        if current is None:
            return None
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        shown = detail is not None and detail.shown.row.id == current.id
        if detail is not None and shown:
            for kind in detail.moves:
                menu.addAction(title_of(kind, again=self.panel.is_failed), partial(self.ask_move, kind))
            if self.panel.offers_invoice:
                menu.addAction(self.panel.moves.invoice.text(), self.ask_invoice)
            menu.addSeparator()
            for row in detail.shown.documents:
                if row.access_key:
                    menu.addAction(self.panel.document_title(row), partial(self.paper_wanted.emit, row.access_key))
        menu.addAction(t("Show in Reconcile"), self._to_reconcile)
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
        services.scope.changed.connect(self._scope_changed)
        self.filters.changed.connect(lambda _: self._ask())
        self.filters.wanted.connect(self._ask_choices)
        self.empty.clear_wanted.connect(self._clear_all)
        self.empty.every_month_wanted.connect(partial(self._show_month, None))
        self.empty.month_wanted.connect(self._show_month)
        model.modelReset.connect(self._show_rows)
        model.settled.connect(self._settled)
        self._sums.changed.connect(self.totals_changed)
        self._sums.selection_changed.connect(self._say_selected)
        table.selected.connect(lambda _: self._look())
        table.chosen.connect(self._chosen)
        table.opened.connect(lambda _: self._enter())
        table.customContextMenuRequested.connect(self._pop_up)
        table.header_menu_wanted.connect(self._show_header_menu)
        copy = QShortcut(QKeySequence(QKeySequence.StandardKey.Copy), table)
        copy.setContext(Qt.ShortcutContext.WidgetShortcut)
        copy.activated.connect(self.copy_rows)
        panel.move_wanted.connect(self.ask_move)
        panel.invoice_wanted.connect(self.ask_invoice)
        panel.reconcile_wanted.connect(self._to_reconcile)
        panel.paper_wanted.connect(self.paper_wanted)

    # Asking

    def _scope(self) -> OrdersScope:
        scope, arrangement = self._services.scope, self.table.arrangement
        base = OrdersScope(scope.company, sort=arrangement.sort, descending=arrangement.descending)
        return self.filters.filters.within(base, scope.first_day, scope.last_day)

    def _glance(self) -> OrderGlance:
        return OrderGlance(self._services.workspace.settings.get(HIDE_PEOPLE))

    def _ask(self) -> None:
        """List anew what is asked for now."""
        self._is_dirty = self._is_behind = False
        self.model.ask(self._scope(), self._glance())
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
        opened, company = self._services.opened, self._services.scope.company
        self._reader.ask("accounts", lambda: browse_orders.accounts_of(opened, company), self._have_accounts)

    def _have_accounts(self, accounts: OrderAccounts) -> None:
        self.filters.offer_accounts(accounts.names)
        self.feed.show_feeds(accounts.ending)

    def _ask_choices(self) -> None:
        opened, scope = self._services.opened, self._scope()
        self._reader.ask("choices", lambda: browse_orders.choices(opened, scope), self.filters.offer_choices)

    def _settled(self) -> None:
        """All ids are here: what they amount to, and where there are none, why."""
        if self._wanted_id is not None:
            self.table.stand_on(self._wanted_id)
            self._wanted_id = None
        self._show_rows()
        if not self.model.ids:
            self._sums.sum_nothing()
            self._nothing.explain(narrowed=self.filters.is_any)
            self._places.show_nothing()
            self.panel.clear()
            return
        self.table.stand_on_first()
        self._sums.sum_listed(self.model.query)
        self._chosen()
        self._look()  # the same order may be another version of it

    def _chosen(self) -> None:
        ids = self.table.selected_ids()
        self._sums.sum_selected(ids)
        self.panel.moves.say_selected(len(ids))

    def _say_selected(self, count: int, totals: browse_orders.OrderTotals | None) -> None:
        words = "" if totals is None else formatting.money(totals.worth)
        self.selection.show_counts(len(self.model.ids), count, words)

    def _look(self) -> None:
        """Ask for the order that the keyboard stands on."""
        wanted = self.table.current_id
        if wanted is None:
            self._reader.forget("detail")
            self.panel.clear()
            return
        opened = self._services.opened
        self._reader.ask("detail", lambda: browse_orders.detail(opened, wanted), self._have_detail)

    def _have_detail(self, detail: OrderDetail) -> None:
        if self.table.current_id == detail.shown.row.id:
            self.panel.show_order(detail)

    def _enter(self) -> None:
        """The order that was opened has the keyboard."""
        self.panel.show()
        self.panel.take_keyboard()

    def _go_to(self, place: browse_orders.OrderLocation) -> None:
        """List what the order is among, and stand on it when it is there."""
        scope = self._services.scope
        company = scope.company if place.is_of_company else None
        month = scope.month if scope.period is None and scope.month in (None, place.month) else place.month
        self._wanted_id = place.id
        if (company, month) != (scope.company, scope.month) or self.filters.filters != OrderFilters():
            self.filters.show_filters(OrderFilters())
            scope.choose(company, month)
            self._ask()
        elif self.table.stand_on(place.id):
            self._wanted_id = None
            self.table.setFocus()

    # Nothing to list

    def _show_rows(self) -> None:
        if self.model.ids:
            self._places.show_list()

    def _clear_all(self) -> None:
        self.filters.clear()
        self.table.setFocus()

    def _show_month(self, month: str | None) -> None:
        """List what was asked for in this month, or in every month; what it was narrowed to stays."""
        self._services.scope.choose(self._services.scope.company, month)
        self.table.setFocus()

    def _forgive(self, error: Exception) -> None:
        """An archive that went while it was asked is shown as such by the list."""
        if not isinstance(error, ArchiveMissing):
            self._services.faults.tell(error)

    def _scope_changed(self) -> None:
        if self.isVisible():
            self._ask()
        else:
            self._is_dirty = True

    # Ways, menus and what is sent

    def _to_reconcile(self) -> None:
        current = self.current
        if current is not None:
            self.reconcile_wanted.emit(current.row.account, current.row.hub_id)

    def _show_header_menu(self, place: QPoint) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        fill_column_menu(menu, self.table)
        menu.popup(place)

    def _pop_up(self, place: QPoint) -> None:
        menu = self.context_menu()
        if menu is not None:
            menu.popup(self.table.viewport().mapToGlobal(place))

    def _open(self, dialog: OrderWriteDialog) -> None:
        self.dialog = dialog
        dialog.finished.connect(lambda result: self._closed(dialog, result))
        dialog.open()

    def _closed(self, dialog: OrderWriteDialog, result: int) -> None:
        if result == QDialog.DialogCode.Accepted:
            self._services.jobs.start(dialog.order())
        self.dialog = None
        dialog.deleteLater()
