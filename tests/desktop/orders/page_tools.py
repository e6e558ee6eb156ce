"""What the tests of the page Orders share: a page on the screen, its rows, its filters, and waiting until it rests."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from confere.app.orders.browse_orders import BrowsedOrder
from confere.desktop.core.actions import make as make_actions
from confere.desktop.orders.filters import OrderFilters
from confere.desktop.orders.page import SalesOrdersPage
from tests.desktop.conftest import Made
from tests.desktop.patient import LONG
from tests.desktop.reaching import settle as answered


def page_of(qtbot: QtBot, made: Made) -> SalesOrdersPage:
    """A page whose actions belong to a window without anything else."""
    actions = make_actions(made.owner, made.services.look)
    shown = SalesOrdersPage(made.services, actions)
    qtbot.addWidget(shown)
    shown.resize(1116, 690)
    shown.show()
    shown.activateWindow()
    shown.arrive()
    settle(qtbot, shown)
    return shown


def listed(page: SalesOrdersPage) -> tuple[BrowsedOrder, ...]:
    """Every row of the list, as it is painted."""
    lines = [page.model.line(place) for place in range(len(page.model.ids))]
    return tuple(line.row for line in lines if line is not None)


def settle(qtbot: QtBot, page: SalesOrdersPage) -> None:
    """Until every answer is here and what is below follows the list."""
    answered(qtbot, page._services)
    while page.table.is_following or not page.model.is_settled:
        qtbot.waitUntil(lambda: not page.table.is_following and page.model.is_settled)
        answered(qtbot, page._services)


def choose(qtbot: QtBot, page: SalesOrdersPage, **filters: object) -> None:
    page.filters.show_filters(OrderFilters(**filters))  # type: ignore[arg-type]
    page.filters.changed.emit(page.filters.filters)
    settle(qtbot, page)


def stand_on(qtbot: QtBot, page: SalesOrdersPage, order_id: str) -> None:
    choose(qtbot, page, text=order_id)
    assert [line.row.hub_id for line in listed(page)] == [order_id]
    detail = page.panel.detail
    assert detail is not None
    assert detail.shown.row.hub_id == order_id


def look_again(qtbot: QtBot, page: SalesOrdersPage) -> None:
    """What the window does when the archive was written to."""
    qtbot.waitUntil(lambda: not page.model._pause.isActive(), timeout=LONG)
    page.archive_changed()
    settle(qtbot, page)
