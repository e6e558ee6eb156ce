"""Pictures of the page Orders: the list, one in full with every page of it, filters, and the dialogs of its moves."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from confere.app.context import Workspace
from confere.app.orders.browse_orders import EndingFeed
from confere.app.orders.order_moves import OrderMoveKind
from confere.archive.accounts import runs
from confere.archive.clock import utc_now
from confere.archive.orders import order_search, orders
from confere.archive.orders.order_rows import HUB, ReceivedOrder
from confere.archive.orders.order_search import OrderQuery
from confere.desktop.core.actions import Action
from confere.desktop.orders.filters import OrderFilters
from confere.desktop.shell.window import MainWindow
from confere.hub.orders.orders import order_of_text
from tests.pictures.camera import Camera

FAILURE = "O marketplace recusou a antecipação do envio. Tente de novo ou aguarde o prazo."
_MOVES = (OrderMoveKind.SHIPPED, OrderMoveKind.DELIVERED, OrderMoveKind.CANCELLED, OrderMoveKind.EARLY_SHIPMENT)


def prepare(home: Path) -> str:
    """Give an order of the archive two newer versions: invoiced and to be made on demand, and an early shipment that
    failed. The hub's id of it.
    """
    with Workspace.at(home).writing("test") as archive:
        with archive.reading() as transaction:
            (row,) = order_search.page(transaction, OrderQuery(statuses=("CONCLUDED",)), 1)
            before = json.loads(archive.content(row.content_id))
        ready_by = {"bufferingDate": "2026-11-03T15:00:00Z"}
        waiting = {**before, "status": "INVOICED", "tracking": ready_by, "lastUpdate": "2026-10-31T12:00:00Z"}
        failed = {
            **waiting,
            "transmissionStatus": "ERROR",
            "transmissionMessage": FAILURE,
            "lastUpdate": "2026-10-31T18:30:00Z",
        }
        for version in (waiting, failed):
            with archive.writing() as transaction:
                run_id = runs.start(transaction, "orders", row.account_id, {})
                runs.finish(transaction, run_id, "done", {})
                orders.record(transaction, archive.vault_writer, row.account_id, run_id, [_received(version)])
        return row.hub_id


def take(camera: Camera, window: MainWindow, label: str, *, dialogs: bool) -> None:
    """Every page of the order that failed, over every month; the dialogs only where they are wanted."""
    scope = window.services.scope
    before = (scope.company, scope.month)
    scope.choose(None, None)
    window.go_to(Action.ORDERS)
    camera.settle(window.services)
    page = window.orders
    camera.keep(window, f"orders-list-{label}", window.services)
    _narrow(camera, window, OrderFilters(statuses=("PAID_WAITING_SHIP", "INVOICED", "PAID_WAITING_DELIVERY")))
    page.table.selectAll()
    camera.keep(window, f"orders-selected-{label}", window.services)
    _narrow(camera, window, OrderFilters(statuses=("CANCELED",)))
    page.feed.show_feeds((EndingFeed("loja-azul", 27),))
    camera.keep(window, f"orders-feed-{label}", window.services)
    page.feed.show_feeds(())
    _narrow(camera, window, OrderFilters(transmissions=("failed",)))
    for number in range(page.panel.tabs.count()):
        page.panel.tabs.setCurrentIndex(number)
        camera.keep(window, f"orders-tab-{number}-{label}", window.services)
    page.panel.tabs.setCurrentIndex(0)
    if dialogs:
        for kind in _MOVES:
            page.ask_move(kind)
            dialog = page.dialog
            assert dialog is not None
            camera.keep(dialog, f"orders-dialog-{kind}-{label}", window.services)
            dialog.reject()
    _narrow(camera, window, OrderFilters(text="ninguém"))
    camera.keep(window, f"orders-nothing-{label}", window.services)
    page.filters.clear()
    scope.choose(*before)


def _narrow(camera: Camera, window: MainWindow, filters: OrderFilters) -> None:
    window.orders.filters.show_filters(filters)
    window.orders.filters.changed.emit(filters)
    camera.settle(window.services)


def _received(version: dict[str, Any]) -> ReceivedOrder:
    raw = json.dumps(version).encode()
    return ReceivedOrder(order_of_text(raw).order, raw, HUB, utc_now())
