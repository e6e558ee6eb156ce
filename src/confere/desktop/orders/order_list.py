"""The list of orders: the long list, of orders; with what it says of them in the status bar and on the clipboard."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from confere.app.orders import browse_orders
from confere.app.orders.browse_orders import BrowsedOrder, OrdersScope, OrderTotals
from confere.desktop.orders.order_columns import PLAN, OrderColumn, OrderGlance
from confere.desktop.services import Services
from confere.desktop.widgets.long_list import clipboard
from confere.desktop.widgets.long_list.list_model import LongListModel
from confere.desktop.widgets.long_list.list_table import LongListTable
from confere.desktop.widgets.long_list.totals_reader import SumSource
from confere.desktop.widgets.notices import GOOD
from confere.system import formatting
from confere.system.messages import ngettext, t

_WORTH_SAYING = 2  # orders from which a notice tells what was copied


class OrderModel(LongListModel[BrowsedOrder, OrdersScope, OrderGlance]):
    """The orders of a scope, as an `OrderGlance` sees them."""

    def __init__(self, services: Services, parent: QObject | None = None) -> None:
        super().__init__(
            PLAN,
            browse_orders,
            OrdersScope(),
            OrderGlance(),
            "orders.list",
            services.opened,
            services.reader,
            services.faults,
            services.look,
            parent,
        )


class SalesOrderTable(LongListTable[BrowsedOrder, OrdersScope, OrderGlance]):
    """Shows an `OrderModel`."""

    def __init__(self, model: OrderModel, services: Services, parent: QWidget | None = None) -> None:
        super().__init__(model, t("Orders"), "orders/columns", services.look, services.memory, parent)


def copy_rows(services: Services, ids: array[int], columns: Sequence[OrderColumn], glance: OrderGlance) -> None:
    """Copy these orders as tab-separated text with the heads of `columns`."""

    def done(count: int) -> None:
        if count >= _WORTH_SAYING:
            services.notices.add(GOOD, t("Copied: {what}.", what=orders_text(count)), topic="orders.copy")

    opened = services.opened
    clipboard.put(
        services.reader,
        services.faults,
        "orders.copy",
        ids,
        lambda: clipboard.table_text(opened, browse_orders, ids, columns, glance),
        done,
    )


def orders_text(count: int) -> str:
    return ngettext("{count} order", "{count} orders", count)


def listed_text(totals: OrderTotals) -> str:
    """1.284 orders · R$ 412.933,10 · 12 cancelled orders; of nothing but those, what they came to."""
    cancelled = ngettext("{count} cancelled order", "{count} cancelled orders", totals.cancelled)
    if totals.cancelled and totals.cancelled == totals.count:
        return f"{cancelled} · {formatting.money(totals.cancelled_worth)}"
    parts = [orders_text(totals.count)]
    if totals.count:
        parts.append(formatting.money(totals.worth))
    if totals.cancelled:
        parts.append(cancelled)
    if totals.of_no_company:
        parts.append(t("{count} of no company that can be told", count=formatting.count(totals.of_no_company)))
    return " · ".join(parts)


def explained(totals: OrderTotals) -> str:
    """What the sum leaves out, in a sentence; empty where it leaves out nothing."""
    if not totals.cancelled:
        return ""
    return t("The sum leaves out cancelled orders, of {worth}.", worth=formatting.money(totals.cancelled_worth))


SUMS: SumSource[OrdersScope, OrderTotals] = SumSource(
    browse_orders.totals, browse_orders.totals_of, OrderTotals(), listed_text, explained
)
