"""The tab Bridge: its lines tie, a line opens its orders and documents, and the page is saved to be signed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from confere.archive.accounts import accounts
from confere.desktop.closing.bridge_tab import BridgeTab
from confere.desktop.core.actions import Action
from confere.sales.bridge import BridgeCode
from confere.system import formatting
from confere.system.messages import t
from confere.system.settings import PREPARER
from tests.app.business import OCTOBER
from tests.desktop.conftest import Made
from tests.desktop.rooms import Open

pytest_plugins = ("tests.desktop.small_business",)


@pytest.fixture
def tab(qtbot: QtBot, made_business: Made) -> Iterator[BridgeTab]:
    made = BridgeTab(made_business.services)
    qtbot.addWidget(made)
    made.show()
    made.show_scope(None, OCTOBER)
    qtbot.waitUntil(lambda: bool(made.shares.rows_model.rows))
    yield made


def test_a_line_opens_its_documents(qtbot: QtBot, tab: BridgeTab, made_business: Made) -> None:
    lines = {row.line.code: row for row in tab.lines.rows_model.rows}
    assert {BridgeCode.ORDERS_TAKEN, BridgeCode.MATCHED, BridgeCode.INVOICES_AUTHORIZED} <= lines.keys()
    assert lines[BridgeCode.INVOICES_AUTHORIZED].end is not None
    tab.lines.selectRow(tab.lines.rows_model.rows.index(lines[BridgeCode.INVOICES_AUTHORIZED]))
    count = lines[BridgeCode.INVOICES_AUTHORIZED].line.documents
    qtbot.waitUntil(lambda: len(tab.shares.rows_model.rows) == count and tab.shares.rows_model.rows[0].order is None)
    shares = tab.shares.rows_model.rows
    assert sum(row.share.amount for row in shares) == lines[BridgeCode.INVOICES_AUTHORIZED].line.amount
    with qtbot.waitSignal(tab.paper_wanted) as wanted:
        tab.shares.entered_row.emit(shares[0])
    assert wanted.args == [shares[0].share.key]
    tab.lines.choose_first()
    tab.lines.selectRow(0)
    qtbot.waitUntil(lambda: tab.shares.rows_model.rows != shares)
    with qtbot.waitSignal(tab.order_wanted) as wanted:
        tab.shares.entered_row.emit(tab.shares.rows_model.rows[0])
    assert wanted.args == ["shop", tab.shares.rows_model.rows[0].share.order_id]
    assert made_business.faults == []


def test_the_lines_are_read_whole_beside_the_bars(qtbot: QtBot, tab: BridgeTab) -> None:
    tab.resize(1110, 600)
    table = tab.lines
    longest = max(table.fontMetrics().horizontalAdvance(row.label) for row in table.rows_model.rows)
    qtbot.waitUntil(lambda: table.columnWidth(0) > longest)
    assert table.columnWidth(1) >= 120
    tab.resize(1900, 600)
    qtbot.waitUntil(lambda: table.columnWidth(1) > 800)  # bars that can be compared


def test_one_marketplace_is_chosen_and_the_page_saved(
    qtbot: QtBot, tab: BridgeTab, made_business: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [tab.marketplace.itemText(row) for row in range(tab.marketplace.count())]
    assert "MARKET" in names
    tab.marketplace.setCurrentIndex(names.index("MARKET"))
    tab.marketplace.activated.emit(names.index("MARKET"))
    qtbot.waitUntil(lambda: tab._made is not None and tab._made.page.scope.marketplace == "MARKET")
    tab.preparer.setText("Ana Prado")
    tab.preparer.editingFinished.emit()
    assert made_business.services.workspace.settings.get(PREPARER) == "Ana Prado"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "page"), ""))
    tab.pdf_button.click()
    qtbot.waitUntil((tmp_path / "page.pdf").exists)
    assert made_business.faults == []


def test_orders_of_no_company_are_counted_and_opened(qtbot: QtBot, open_window: Open, made: Made) -> None:
    room = open_window(made.services.workspace.home.root)
    window, scope = room.window, room.session.services.scope
    with room.session.services.opened.reading() as transaction:
        [account] = accounts.every(transaction)
    scope.choose(account.establishments[0].tax_id, OCTOBER)
    window.go_to(Action.CLOSING)
    bridge = window.closing.bridge
    window.closing.tabs.setCurrentWidget(bridge)
    qtbot.waitUntil(lambda: bridge._made is not None)
    assert bridge._made is not None
    count, worth = bridge._made.facts.of_no_company
    assert count > 0 and formatting.money(worth) in bridge._standing.text()
    [row] = [row for row in bridge.lines.rows_model.rows if row.line.code is BridgeCode.NO_COMPANY]
    assert (row.line.orders, row.line.amount) == (count, worth)
    assert bridge.unowned.isVisible()
    bridge.unowned.click()
    assert window.place is Action.ORDERS
    qtbot.waitUntil(lambda: len(window.orders.model.ids) == count)
    assert window.orders.filters.is_any and (scope.company, scope.month) == (account.establishments[0].tax_id, OCTOBER)
    window.orders.filters.clear_button.click()
    qtbot.waitUntil(lambda: len(window.orders.model.ids) > count)
    scope.choose(None, OCTOBER)
    window.go_to(Action.CLOSING)
    qtbot.waitUntil(lambda: bridge._made is not None and bridge._made.page.scope.company is None)
    assert not bridge.unowned.isVisible(), "the bridge of the whole account has them in its lines"


def test_the_page_of_no_marketplace_opens_the_orders_that_name_none(
    qtbot: QtBot, open_window: Open, made: Made
) -> None:
    with made.services.workspace.writing("test") as archive, archive.writing() as transaction:
        [account] = accounts.every(transaction)
        transaction.execute("UPDATE sales_order SET marketplace = NULL WHERE id % 2 = 0")
    room = open_window(made.services.workspace.home.root)
    window, scope = room.window, room.session.services.scope
    scope.choose(account.establishments[0].tax_id, OCTOBER)
    window.go_to(Action.CLOSING)
    bridge = window.closing.bridge
    window.closing.tabs.setCurrentWidget(bridge)
    qtbot.waitUntil(lambda: bridge.marketplace.findText(t("None named")) > 0)
    number = bridge.marketplace.findText(t("None named"))
    bridge.marketplace.setCurrentIndex(number)
    bridge.marketplace.activated.emit(number)
    qtbot.waitUntil(lambda: bridge._made is not None and bridge._made.page.scope.marketplace == "")
    assert bridge._made is not None
    count = bridge._made.facts.of_no_company[0]
    assert count > 0
    bridge.unowned.click()
    qtbot.waitUntil(lambda: len(window.orders.model.ids) == count)
    assert t("None named") in window.orders.filters.chips["marketplaces"].text()


def test_without_a_month_or_a_run_it_says_why(qtbot: QtBot, made_business: Made, tab: BridgeTab) -> None:
    tab.show_scope(None, None)
    assert "mês" in tab._nothing.text() or "month" in tab._nothing.text()
    assert not tab.pdf_button.isEnabled()
    tab.show_scope("99888777000166", OCTOBER)
    qtbot.waitUntil(lambda: bool(tab._nothing.text()))
    assert tab.lines.rows_model.rows == ()
