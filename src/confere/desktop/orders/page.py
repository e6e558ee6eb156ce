"""The page Orders: what was sold, one order in full, and the moves that a seller makes."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QDialog, QHBoxLayout, QMenu, QSplitter, QStackedWidget, QToolButton, QVBoxLayout, QWidget

from confere.app.orders import browse_orders
from confere.app.orders.browse_orders import ListedOrder, OrderDetail, OrderList, OrderMoveKind
from confere.desktop.core.reader_topics import TopicReader
from confere.desktop.dialogs.invoice_dialog import invoice_dialog
from confere.desktop.dialogs.move_dialog import MoveDialog, title_of
from confere.desktop.dialogs.order_write import OrderWriteDialog
from confere.desktop.orders.detail_panel import OrderPanel
from confere.desktop.orders.filters import OrderFilterRow, OrderFilters
from confere.desktop.orders.order_columns import columns
from confere.desktop.services import Services
from confere.desktop.theme.measures import GAP, WIDE_GAP
from confere.desktop.widgets.card import button, label
from confere.desktop.widgets.table import Table, fill_column_menu
from confere.errors import ArchiveMissing
from confere.system import formatting
from confere.system.messages import t
from confere.system.settings import HIDE_PEOPLE

_PAGE: Final = 300
_CALM_MS: Final = 1_500  # between two questions while something fills the archive
_QUIET_MS: Final = 60  # arrow keys held down are not followed row by row
_SHARES: Final = (4, 5)


class SalesOrdersPage(QWidget):
    """`paper_wanted` has the key of a document to be opened, `reconcile_wanted` an account and an order of it."""

    paper_wanted = Signal(str)
    reconcile_wanted = Signal(str, str)
    totals_changed = Signal(str)

    def __init__(self, services: Services, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._services = services
        self._reader = TopicReader(self, services.reader, "orders", self._failed)
        self._total = 0
        self._is_whole = True
        self._is_stale = True
        self.dialog: OrderWriteDialog | None = None
        settings = services.workspace.settings
        self.filters = OrderFilterRow(services.look)
        self.table: Table[ListedOrder] = Table(
            "orders/list",
            t("Orders"),
            columns(lambda: settings.get(HIDE_PEOPLE)),
            lambda line: line.identity,
            services.look,
            services.memory,
            self,
        )
        self.panel = OrderPanel(services, self._reader)
        self._again, self._quiet = self._timer(_CALM_MS, self._calm), self._timer(_QUIET_MS, self._look)
        self._lay_out()
        self._connect()

    def arrive(self) -> None:
        """The page came to the front."""
        self._ask()
        if self.table.rows_model.rows:
            self.table.setFocus()

    def archive_changed(self) -> None:
        """Something was written; look again, but not all the time."""
        self._is_stale = True
        if self.isVisible() and not self._again.isActive():
            self._ask()

    @property
    def totals(self) -> str:
        """How many orders there are, for the status bar."""
        return t("1 order") if self._total == 1 else t("{count} orders", count=formatting.count(self._total))

    @property
    def is_following(self) -> bool:
        """Whether the keys do not rest yet, so that what is below may still change."""
        return self._quiet.isActive()

    @property
    def selected(self) -> tuple[ListedOrder, ...]:
        """The selected orders of the account that the current one is of."""
        current = self.table.current
        if current is None:
            return ()
        chosen = (self.table.rows_model.rows[place] for place in self.table.selected_rows())
        same = tuple(line for line in chosen if line.row.account_id == current.row.account_id)
        return same or (current,)

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

    def context_menu(self) -> QMenu | None:
        """What can be done with the selected orders; None where there is none."""
        current, detail = self.table.current, self.panel.detail
        if current is None:
            return None
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(t("Copy rows"), QKeySequence(QKeySequence.StandardKey.Copy), self.table.copy)
        menu.addAction(t("Show in Reconcile"), self._to_reconcile)
        if detail is not None and detail.shown.row.hub_id == current.row.hub_id and detail.moves:
            menu.addSeparator()
            for kind in detail.moves:
                menu.addAction(title_of(kind), partial(self.ask_move, kind))
        return menu

    # How it is built

    def _timer(self, pause: int, then: Callable[[], None]) -> QTimer:
        made = QTimer(self)
        made.setSingleShot(True)
        made.setInterval(pause)
        made.timeout.connect(then)
        return made

    def _lay_out(self) -> None:
        self._columns = QToolButton()
        self._columns.setProperty("look", "quiet")
        self._columns.setToolTip(t("Columns"))
        self._columns.setAccessibleName(t("Columns"))
        self._columns.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._columns.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self._columns)
        menu.aboutToShow.connect(lambda: fill_column_menu(menu, self.table))
        self._columns.setMenu(menu)
        head = QHBoxLayout()
        head.setContentsMargins(WIDE_GAP, GAP, WIDE_GAP, GAP)
        head.setSpacing(GAP)
        head.addWidget(self.filters, 1)
        head.addWidget(self._columns)
        self.splitter = QSplitter(Qt.Orientation.Vertical)
        self.splitter.setChildrenCollapsible(False)
        for number, widget in enumerate((self.table, self.panel)):
            self.splitter.addWidget(widget)
            self.splitter.setStretchFactor(number, _SHARES[number])
        self.splitter.setSizes([share * 1_000 for share in _SHARES])
        memory = self._services.memory
        memory.restore_splitter("orders", self.splitter)
        self.splitter.splitterMoved.connect(lambda *_: memory.keep_splitter("orders", self.splitter))
        self.nothing = label("", "muted", wraps=True)
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.every_month = button(t("Search in every month"), self._every_month)
        empty = QWidget()
        words = QVBoxLayout(empty)
        words.setSpacing(WIDE_GAP)
        words.addStretch(1)
        words.addWidget(self.nothing)
        words.addWidget(self.every_month, 0, Qt.AlignmentFlag.AlignHCenter)
        words.addStretch(1)
        self._layers = QStackedWidget()
        for layer in (QWidget(), self.splitter, empty):
            self._layers.addWidget(layer)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(head)
        layout.addWidget(self._layers, 1)
        self._services.look.changed.connect(self._paint)
        self._paint()

    def _connect(self) -> None:
        self._services.scope.changed.connect(self._scope_changed)
        self.filters.changed.connect(lambda _: self._ask())
        self.table.chosen.connect(lambda _: self._quiet.start())
        self.table.entered_row.connect(lambda _: self.panel.take_keyboard())
        self.table.more_wanted.connect(self._more)
        self.table.customContextMenuRequested.disconnect()
        self.table.customContextMenuRequested.connect(self._pop_up)
        self.panel.move_wanted.connect(self.ask_move)
        self.panel.invoice_wanted.connect(self.ask_invoice)
        self.panel.reconcile_wanted.connect(self._to_reconcile)
        self.panel.paper_wanted.connect(self.paper_wanted)

    # Asking

    def _scope(self) -> browse_orders.OrdersScope:
        scope = self._services.scope
        return self.filters.filters.scope(scope.company, scope.first_day, scope.last_day)

    def _ask(self) -> None:
        self._is_stale = False
        self._again.start()
        opened, scope = self._services.opened, self._scope()
        limit = max(_PAGE, len(self.table.rows_model.rows))
        self._reader.ask("list", lambda: browse_orders.listing(opened, scope, limit=limit), self._have)

    def _have(self, found: OrderList) -> None:
        self._is_whole = len(found.rows) >= found.total
        self._say_total(found.total)
        self.filters.offer(found)
        self.table.put(found.rows)
        self._layers.setCurrentIndex(1 if found.rows else 2)
        self.table.choose_first()
        if found.rows:
            self._quiet.start()  # the same order may be another version of it
        else:
            self._say_nothing()
            self.panel.clear()

    def _more(self) -> None:
        if self._is_whole:
            return
        self._is_whole = True  # until it is known to be otherwise, nothing is asked twice
        opened, scope, begin = self._services.opened, self._scope(), len(self.table.rows_model.rows)
        self._reader.ask(
            "more", lambda: browse_orders.listing(opened, scope, offset=begin, limit=_PAGE), self._have_more
        )

    def _have_more(self, found: OrderList) -> None:
        if found.offset == len(self.table.rows_model.rows):
            self._is_whole = found.offset + len(found.rows) >= found.total
            self.table.rows_model.add(found.rows)

    def _look(self) -> None:
        """Ask for the order that the keyboard stands on."""
        current = self.table.current
        if current is None:
            self._reader.forget("detail")
            self.panel.clear()
            return
        opened, (account_id, hub_id) = self._services.opened, current.identity
        self._reader.ask("detail", lambda: browse_orders.detail(opened, account_id, hub_id), self._have_detail)

    def _have_detail(self, detail: OrderDetail) -> None:
        current = self.table.current
        row = detail.shown.row
        if current is not None and current.identity == (row.account_id, row.hub_id):
            self.panel.show_order(detail)

    def _failed(self, error: Exception) -> None:
        self.table.put(())
        self._say_total(0)
        self.panel.clear()
        self._say_nothing()
        self._layers.setCurrentIndex(2)
        if not isinstance(error, ArchiveMissing):
            self._services.faults.tell(error)

    def _calm(self) -> None:
        if self._is_stale and self.isVisible():
            self._ask()

    def _scope_changed(self) -> None:
        if self.isVisible():
            self._ask()

    # What is said and done

    def _say_total(self, total: int) -> None:
        self._total = total
        self.totals_changed.emit(self.totals)

    def _say_nothing(self) -> None:
        in_a_month = self._services.scope.month is not None
        if self.filters.filters != OrderFilters():
            self.nothing.setText(t("No order matches the filters."))
        elif in_a_month:
            self.nothing.setText(t("There are no orders of this month."))
        else:
            self.nothing.setText(t("There are no orders here: sync the account, or import them from a spreadsheet."))
        self.every_month.setVisible(in_a_month)

    def _every_month(self) -> None:
        self._services.scope.choose(self._services.scope.company, None)

    def _to_reconcile(self) -> None:
        current = self.table.current
        if current is not None:
            self.reconcile_wanted.emit(current.row.account, current.row.hub_id)

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

    def _paint(self) -> None:
        self._columns.setIcon(self._services.look.icon("columns", "muted"))
