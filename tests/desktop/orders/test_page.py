"""The page Orders against the sandbox over HTTP: it lists, filters, shows versions, and sends what it showed, once."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from confere.app.orders.order_moves import OrderMoveKind
from confere.desktop.dialogs.move_dialog import MoveDialog
from confere.desktop.jobs.job import JobOutcome
from confere.desktop.orders.filters import OrderFilters
from confere.desktop.orders.page import SalesOrdersPage
from confere.system.settings import HIDE_PEOPLE
from tests.app.orders.test_order_moves import look
from tests.app.shop import Shop, Synced, lively, shop_of
from tests.desktop.conftest import Made
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
    shown = SalesOrdersPage(made.services)
    qtbot.addWidget(shown)
    shown.resize(1116, 690)
    shown.show()
    shown.activateWindow()
    shown.arrive()
    settle(qtbot, shown)
    return shown


def settle(qtbot: QtBot, page: SalesOrdersPage) -> None:
    """Until every answer is here and what is below follows the list."""
    answered(qtbot, page._services)
    while page.is_following:
        qtbot.waitUntil(lambda: not page.is_following)
        answered(qtbot, page._services)


def choose(qtbot: QtBot, page: SalesOrdersPage, **filters: object) -> None:
    page.filters.show_filters(OrderFilters(**filters))  # type: ignore[arg-type]
    page.filters.changed.emit(page.filters.filters)
    settle(qtbot, page)


def stand_on(qtbot: QtBot, page: SalesOrdersPage, order_id: str) -> None:
    choose(qtbot, page, text=order_id)
    assert [line.row.hub_id for line in page.table.rows_model.rows] == [order_id]
    detail = page.panel.detail
    assert detail is not None
    assert detail.shown.row.hub_id == order_id


def preview_of(qtbot: QtBot, page: SalesOrdersPage, kind: OrderMoveKind) -> MoveDialog:
    """The dialog of this move, with the requests that it would send."""
    page.panel.buttons[kind].click()
    dialog = page.dialog
    assert isinstance(dialog, MoveDialog)
    answered(qtbot, page._services)
    return dialog


def sent(qtbot: QtBot, page: SalesOrdersPage, dialog: MoveDialog) -> JobOutcome:
    """How the job ended that this dialog's button started."""
    with qtbot.waitSignal(page._services.jobs.ended, timeout=LONG) as heard:
        dialog.does.click()
    page.archive_changed()
    qtbot.waitUntil(lambda: not page._again.isActive(), timeout=LONG)
    settle(qtbot, page)
    outcome = heard.args[0]
    assert isinstance(outcome, JobOutcome)
    return outcome


# -- what it lists -----------------------------------------------------------------------------------------


def test_every_order_is_listed_newest_first_and_the_first_one_shown(
    qtbot: QtBot, page: SalesOrdersPage, made: Made
) -> None:
    rows = page.table.rows_model.rows
    days = [line.row.created_on for line in rows]
    assert days == sorted(days, reverse=True)
    assert page.totals == f"{page._total} orders"
    assert len(rows) == min(page._total, 300)
    assert page.panel.detail is not None
    assert page.panel.detail.shown.row == rows[0].row
    if len(rows) < page._total:
        page.table.more_wanted.emit()
        settle(qtbot, page)
        assert len(page.table.rows_model.rows) == min(page._total, 600)
    assert made.faults == []


def test_filters_narrow_the_list_and_say_what_there_is(qtbot: QtBot, page: SalesOrdersPage, shop: Shop) -> None:
    choose(qtbot, page, statuses=("PAID_WAITING_SHIP",))
    assert {line.row.status for line in page.table.rows_model.rows} == {"PAID_WAITING_SHIP"}
    name = page.table.rows_model.rows[0].row.marketplace or ""
    choose(qtbot, page, statuses=("PAID_WAITING_SHIP",), marketplaces=(name,))
    assert {line.row.marketplace for line in page.table.rows_model.rows} == {name}
    choose(qtbot, page, transmissions=("failed",))
    assert page.table.rows_model.rows == ()
    assert page.nothing.text() == "No order matches the filters."
    page.filters.clear_button.click()
    settle(qtbot, page)
    number = str(shop.row().marketplace_number)
    QTest.keyClicks(page.filters.text, number)
    qtbot.waitUntil(lambda: page.filters.filters.text == number)
    settle(qtbot, page)
    assert [line.row.hub_id for line in page.table.rows_model.rows] == [shop.order_id]


def test_a_month_narrows_it_too(qtbot: QtBot, page: SalesOrdersPage, made: Made) -> None:
    made.services.scope.choose(None, "2026-07")
    settle(qtbot, page)
    assert {line.row.created_on[:7] for line in page.table.rows_model.rows} == {"2026-07"}
    made.services.scope.choose(None, "2019-01")
    settle(qtbot, page)
    assert page.nothing.text() == "There are no orders of this month."
    page.every_month.click()
    settle(qtbot, page)
    assert page.table.rows_model.rows


def test_people_are_hidden_where_the_setting_says_so(qtbot: QtBot, page: SalesOrdersPage, made: Made) -> None:
    row = next(line.row for line in page.table.rows_model.rows if len(line.row.buyer_tax_id or "") == 11)
    stand_on(qtbot, page, row.hub_id)
    assert str(row.buyer_name) in page.panel.right.as_text()
    made.services.workspace.settings.set(HIDE_PEOPLE, True)
    assert page.panel.detail is not None
    page.panel.show_order(page.panel.detail)
    assert str(row.buyer_name) not in page.panel.right.as_text()
    column = next(column for column in page.table.rows_model.columns if column.key == "buyer")
    assert column.text(page.table.rows_model.rows[0]) != row.buyer_name


# -- one order ---------------------------------------------------------------------------------------------


def test_an_order_shows_its_money_items_and_what_changed(qtbot: QtBot, page: SalesOrdersPage, shop: Shop) -> None:
    key = shop.key
    invoice = {"series": key[22:25], "number": key[25:34], "accessKey": key, "date": "2026-07-10T10:00:00Z"}
    shop.put(status="INVOICED", invoice=invoice)
    look(shop)
    page.archive_changed()
    stand_on(qtbot, page, shop.order_id)
    detail = page.panel.detail
    assert detail is not None
    assert len(page.panel.items.rows_model.rows) == len(detail.shown.order.items) > 0
    versions = page.panel.versions
    assert [line.number for line in versions.versions.rows_model.rows] == [2, 1]
    changed = {change.path: (change.before, change.after) for change in versions.changes.rows_model.rows}
    assert changed["status"] == ("PAID_WAITING_SHIP", "INVOICED")
    assert changed["invoice.accessKey"] == (None, key)
    assert "From version 1 to version 2" in versions.words.text()
    with qtbot.waitSignal(versions.changes_shown):
        versions.versions.selectRow(1)
    assert versions.changes.rows_model.rows == ()
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
    assert {button.text() for button in page.panel.buttons.values()} <= {action.text() for action in menu.actions()}
    menu.deleteLater()


# -- moves -------------------------------------------------------------------------------------------------


def test_a_shipment_is_shown_to_the_byte_and_then_sent_once(
    qtbot: QtBot, page: SalesOrdersPage, shop: Shop, made: Made
) -> None:
    key = shop.key
    invoice = {"series": key[22:25], "number": key[25:34], "accessKey": key, "date": "2026-07-10T10:00:00Z"}
    shop.put(status="INVOICED", invoice=invoice)
    look(shop)
    page.archive_changed()
    stand_on(qtbot, page, shop.order_id)
    dialog = preview_of(qtbot, page, OrderMoveKind.SHIPPED)
    assert dialog.does.isEnabled()
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
    from confere.desktop.jobs import job_outcomes

    stand_on(qtbot, page, shop.order_id)
    outcome = sent(qtbot, page, preview_of(qtbot, page, OrderMoveKind.EARLY_SHIPMENT))
    kind, text = job_outcomes.told(outcome)
    assert kind == "warn"
    assert "O pedido está em PAID_WAITING_SHIP" in text
    assert shop.at_hub()["status"] == "PAID_WAITING_SHIP"


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


def test_an_empty_archive_says_what_to_do(qtbot: QtBot, made_empty: Made) -> None:
    page = SalesOrdersPage(made_empty.services)
    qtbot.addWidget(page)
    page.show()
    page.arrive()
    settle(qtbot, page)
    assert "sync the account" in page.nothing.text()
    assert page.totals == "0 orders"
    assert made_empty.faults == []
