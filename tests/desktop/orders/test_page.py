"""One order on the page Orders against the sandbox over HTTP: its versions, and moves sent as shown, once."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QSplitter
from pytestqt.qtbot import QtBot

from confere.app.orders.order_moves import OrderMoveKind
from confere.desktop.dialogs.move_dialog import MoveDialog, title_of
from confere.desktop.jobs import job_outcomes
from confere.desktop.jobs.job import JobOutcome
from confere.desktop.orders.page import SalesOrdersPage
from confere.system import formatting
from tests.app.orders.test_order_moves import look, with_status
from tests.app.shop import Shop, Synced, lively, shop_of
from tests.desktop.conftest import Made
from tests.desktop.orders.page_tools import choose, listed, look_again, page_of, settle, stand_on
from tests.desktop.patient import LONG
from tests.desktop.reaching import settle as answered
from tests.end_to_end.confere import ENVIRONMENT


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Synced]:
    with lively(tmp_path_factory.mktemp("lively")) as hub:
        yield hub


@pytest.fixture
def shop(world: Synced, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shop:
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", ENVIRONMENT["PYTHON_KEYRING_BACKEND"])
    return shop_of(world, tmp_path, writes=True)


@pytest.fixture
def made(qapp: QApplication, shop: Shop) -> Iterator[Made]:
    services = Made(qapp, shop.workspace.home.root)
    services.services.scope.choose(None, None)
    yield services
    services.close()


@pytest.fixture
def page(qtbot: QtBot, made: Made) -> SalesOrdersPage:
    return page_of(qtbot, made)


def preview_of(qtbot: QtBot, page: SalesOrdersPage, kind: OrderMoveKind) -> MoveDialog:
    """The dialog of this move, by its button or the menu of the others, with the requests that it would send."""
    bar = page.panel.moves
    if kind in bar.buttons:
        bar.buttons[kind].click()
    else:
        next(action for action in bar.more.menu().actions() if action.text() == title_of(kind)).trigger()
    dialog = page.dialog
    assert isinstance(dialog, MoveDialog)
    answered(qtbot, page._services)
    return dialog


def sent(qtbot: QtBot, page: SalesOrdersPage, dialog: MoveDialog) -> JobOutcome:
    """How the job ended that this dialog's button started."""
    with qtbot.waitSignal(page._services.jobs.ended, timeout=LONG) as heard:
        dialog.does.click()
    look_again(qtbot, page)
    outcome = heard.args[0]
    assert isinstance(outcome, JobOutcome)
    return outcome


def test_an_order_is_gone_to_whatever_is_listed(qtbot: QtBot, page: SalesOrdersPage, made: Made, shop: Shop) -> None:
    made.services.scope.choose(None, "2019-01")
    choose(qtbot, page, statuses=("CANCELED",))
    page.show_order("shop", shop.order_id)
    settle(qtbot, page)
    assert page.current is not None
    assert page.current.row.hub_id == shop.order_id
    assert made.services.scope.month == shop.row().created_on[:7]
    assert not page.filters.is_any
    assert page.panel.detail is not None
    assert page.panel.detail.shown.row.hub_id == shop.order_id
    page.show_order("shop", "999999999")
    settle(qtbot, page)
    assert "There is no order 999999999" in made.faults[-1].what


# -- one order ---------------------------------------------------------------------------------------------


def test_an_order_shows_its_money_items_and_what_changed(qtbot: QtBot, page: SalesOrdersPage, shop: Shop) -> None:
    key = shop.key
    invoice = {"series": key[22:25], "number": key[25:34], "accessKey": key, "date": "2026-07-10T10:00:00Z"}
    shop.put(status="INVOICED", invoice=invoice)
    look(shop)
    look_again(qtbot, page)
    stand_on(qtbot, page, shop.order_id)
    detail = page.panel.detail
    assert detail is not None
    total = formatting.money(detail.shown.row.total)
    assert page.panel.title.text().startswith(f"Order {shop.order_id} · {total} · ")  # what is cut off is the rest
    assert len(page.panel.items.rows_model.rows) == len(detail.shown.order.items) > 0
    versions = page.panel.versions
    assert [line.number for line in versions.versions.rows_model.rows] == [2, 1]
    changed = {change.path: (change.before, change.after) for change in versions.changes.rows_model.rows}
    assert changed["status"] == ("PAID_WAITING_SHIP", "INVOICED")
    assert changed["invoice.accessKey"] == (None, key)
    assert "From version 1 to version 2" in versions.words.text()
    with qtbot.waitSignal(versions.changes_shown):
        versions.versions.selectRow(1)
    everything = {change.path: change.after for change in versions.changes.rows_model.rows}
    assert everything["status"] == "PAID_WAITING_SHIP"
    assert {change.before for change in versions.changes.rows_model.rows} == {None}
    versions.copy_json()
    answered(qtbot, page._services)
    assert json.loads(QGuiApplication.clipboard().text())["status"] == "PAID_WAITING_SHIP"
    with qtbot.waitSignal(page.reconcile_wanted) as heard:
        page.panel.reconcile.click()
    assert heard.args == ["shop", shop.order_id]


def test_enter_goes_to_the_order_and_its_menu_has_the_moves(qtbot: QtBot, page: SalesOrdersPage, shop: Shop) -> None:
    stand_on(qtbot, page, shop.order_id)
    page.table.setFocus()
    QTest.keyClick(page.table, Qt.Key.Key_Return)
    assert page.panel.left.hasFocus()
    menu = page.context_menu()
    assert menu is not None
    texts = [action.text() for action in menu.actions()]
    detail = page.panel.detail
    assert detail is not None
    assert {title_of(kind) for kind in detail.moves} <= set(texts)
    bar = page.panel.moves
    others = [action.text() for action in bar.more.menu().actions()]
    assert {button.text() for button in bar.buttons.values()} | set(others) == {title_of(kind) for kind in detail.moves}
    assert "Cancel the order…" in others
    assert (bar.buttons, bar.more.text(), bar.more.accessibleName()) == ({}, "Moves ", "Moves")
    bar.offer(detail, invoice=True, failed=False)
    assert bar.more.text() == "Other moves "
    bar.offer(replace(detail, usual=detail.moves[:1]), invoice=False, failed=False)
    assert (bar.more.text(), bar.more.accessibleName()) == ("Other moves ", "Other moves")
    menu.deleteLater()


# -- moves -------------------------------------------------------------------------------------------------


def test_a_shipment_is_shown_to_the_byte_and_then_sent_once(
    qtbot: QtBot, page: SalesOrdersPage, shop: Shop, made: Made
) -> None:
    key = shop.key
    invoice = {"series": key[22:25], "number": key[25:34], "accessKey": key, "date": "2026-07-10T10:00:00Z"}
    shop.put(status="INVOICED", invoice=invoice)
    look(shop)
    look_again(qtbot, page)
    stand_on(qtbot, page, shop.order_id)
    dialog = preview_of(qtbot, page, OrderMoveKind.SHIPPED)
    assert dialog.does.isEnabled()
    between = dialog.findChild(QSplitter).handle(1)
    ground = made.services.look.colours.window
    assert between.grab().toImage().pixelColor(between.width() // 2, 2).name() == ground, "a gap, not a bar"
    dialog.form.number.setText("-BR1")  # begins like an option of the command
    assert not dialog.does.isEnabled()  # until it is shown
    qtbot.waitUntil(dialog.does.isEnabled, timeout=LONG)
    request = dialog.request.toPlainText()
    body = json.loads(request.rsplit("\n", 1)[1])
    assert body["tracking"]["number"] == "-BR1"
    assert shop.at_hub()["status"] == "INVOICED"
    outcome = sent(qtbot, page, dialog)
    assert outcome.done
    assert shop.at_hub()["tracking"]["number"] == "-BR1"
    assert page.panel.detail is not None
    assert page.panel.detail.shown.row.status == "PAID_WAITING_DELIVERY"
    assert [line[0] for line in shop.trail()] == ["order move", "order move written"]
    assert made.faults == []


def test_nothing_is_sent_by_esc_and_cancelling_says_that_it_cannot_be_undone(
    qtbot: QtBot, page: SalesOrdersPage, shop: Shop
) -> None:
    stand_on(qtbot, page, shop.order_id)
    dialog = preview_of(qtbot, page, OrderMoveKind.CANCELLED)
    assert "cannot be undone" in dialog.warning.text()
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: page.dialog is None)
    assert not page._services.jobs.busy
    assert shop.at_hub()["status"] == "PAID_WAITING_SHIP"
    assert shop.trail() == []


def test_a_refusal_is_told_in_the_hubs_words(qtbot: QtBot, page: SalesOrdersPage, shop: Shop) -> None:
    stand_on(qtbot, page, shop.order_id)
    outcome = sent(qtbot, page, preview_of(qtbot, page, OrderMoveKind.EARLY_SHIPMENT))
    kind, text = job_outcomes.told(outcome)
    assert kind == "warn"
    assert "O pedido está em PAID_WAITING_SHIP" in text
    assert shop.at_hub()["status"] == "PAID_WAITING_SHIP"


@pytest.mark.exhaustive
def test_an_early_shipment_that_failed_is_shown_as_such_and_tried_again(
    qtbot: QtBot, page: SalesOrdersPage, shop: Shop
) -> None:
    """The sandbox lets some fail, each try by a throw of its own."""
    declined = False
    for name in with_status(shop, "INVOICED"):
        shop.order_id = name
        stand_on(qtbot, page, name)
        outcome = sent(qtbot, page, preview_of(qtbot, page, OrderMoveKind.EARLY_SHIPMENT))
        row = shop.row()
        if row.transmission_status == "ERROR":
            declined = True
            break
    assert declined
    kind, text = job_outcomes.told(outcome)
    assert kind == "warn"
    assert str(row.transmission_message) in text
    panel = page.panel
    assert (panel.failure.text(), panel.message.text()) == ("transmission failed", row.transmission_message)
    assert panel.failure.isVisible()
    choose(qtbot, page, transmissions=("failed",))
    assert name in [line.row.hub_id for line in listed(page)]
    stand_on(qtbot, page, name)
    retry = panel.moves.buttons[OrderMoveKind.EARLY_SHIPMENT]
    assert retry.text() == "Try the early shipment again…"
    for _ in range(8):
        sent(qtbot, page, preview_of(qtbot, page, OrderMoveKind.EARLY_SHIPMENT))
        if shop.row().transmission_status != "ERROR":
            break
    assert shop.row().status == "PAID_WAITING_DELIVERY"
    assert not panel.failure.isVisible()
    assert not panel.message.isVisible()
    actions = [line[0] for line in shop.trail() if line[1] == f"shop {name}"]
    assert "order move declined" in actions
    assert actions[-1] == "order move written"


def test_several_orders_are_moved_by_one_dialog(qtbot: QtBot, page: SalesOrdersPage, world: Synced, shop: Shop) -> None:
    names = [shop.order_id, world.waiting.pop()]
    choose(qtbot, page, statuses=("PAID_WAITING_SHIP",))
    flags = QItemSelectionModel.SelectionFlag.Select | QItemSelectionModel.SelectionFlag.Rows
    places = [place for place, line in enumerate(listed(page)) if line.row.hub_id in names]
    page.table.clearSelection()
    page.table.setCurrentIndex(page.model.index(places[0], 0))
    for place in places:
        page.table.selectionModel().select(page.model.index(place, 0), flags)
    settle(qtbot, page)
    dialog = preview_of(qtbot, page, OrderMoveKind.CANCELLED)
    assert dialog.does.text() == "Send 2 requests"
    outcome = sent(qtbot, page, dialog)
    assert outcome.done
    for name in names:
        shop.order_id = name
        assert shop.at_hub()["status"] == shop.row().status == "CANCELED"


def test_an_order_that_changed_under_the_dialog_is_not_moved(qtbot: QtBot, page: SalesOrdersPage, shop: Shop) -> None:
    stand_on(qtbot, page, shop.order_id)
    dialog = preview_of(qtbot, page, OrderMoveKind.CONCLUDED)
    shop.put(status="CANCELED")
    outcome = sent(qtbot, page, dialog)
    assert outcome.exit_code == 1
    assert shop.at_hub()["status"] == shop.row().status == "CANCELED"
    assert [line[0] for line in shop.trail()] == ["order move changed"]


def test_what_no_hub_could_take_is_said_in_the_dialog(qtbot: QtBot, page: SalesOrdersPage, shop: Shop) -> None:
    stand_on(qtbot, page, shop.order_id)
    dialog = preview_of(qtbot, page, OrderMoveKind.SHIPPED)
    dialog.form.url.setText("javascript:alert(1)")
    qtbot.waitUntil(lambda: "no address of a page" in dialog.words.text(), timeout=LONG)
    assert not dialog.does.isEnabled()
    assert dialog.request.toPlainText() == ""
    dialog.form.url.setText("https://rastreio.example/BR1")
    qtbot.waitUntil(dialog.does.isEnabled, timeout=LONG)
    dialog.reject()
