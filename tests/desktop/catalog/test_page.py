"""The page Catalog over a catalog synced from the sandbox over HTTP: rows, filters, details, ways out, sync."""

from __future__ import annotations

import csv
import shutil
from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from confere.app.accounts import accounts
from confere.app.accounts.accounts import NewAccount
from confere.app.accounts.sync import SyncRequest, sync_accounts
from confere.app.catalog import browse_catalog, catalog
from confere.app.catalog.browse_catalog import CatalogAccount
from confere.app.catalog.catalog_words import value_text
from confere.app.context import EMBEDDED, Workspace
from confere.desktop.catalog.filters import ProductFilters
from confere.desktop.catalog.page import ProductsPage
from confere.desktop.catalog.product_columns import PLACES
from confere.desktop.core.actions import PLACES as PAGES
from confere.desktop.core.actions import Action
from confere.desktop.jobs.catalog_results import CatalogJobResult
from confere.desktop.jobs.job import JobKind, JobOutcome
from confere.desktop.jobs.job_requests import SavedForm
from confere.desktop.widgets.long_list.list_model import BLOCK
from confere.system import formatting
from sandbox_hub.options import SandboxOptions
from sandbox_hub.server import RunningHub, running
from tests.desktop.catalog.page_tools import choose, listed, look_again, page_of, settle
from tests.desktop.conftest import Made
from tests.desktop.patient import LONG
from tests.desktop.reaching import open_main
from tests.desktop.reaching import settle as answered
from tests.desktop.saved import Asked, ended
from tests.end_to_end.confere import ENVIRONMENT
from tests.loopback import LOOPBACK

WORLD = SandboxOptions(documents=400, seed=7)


@dataclass(frozen=True)
class Market:
    """A running sandbox, and the data folder that its catalog and orders were synced to."""

    hub: RunningHub
    home: Path


@pytest.fixture(scope="module")
def market(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Market]:
    home = tmp_path_factory.mktemp("market")
    with running(WORLD) as hub:
        workspace = Workspace.at(home)
        accounts.add(workspace, NewAccount("loja", hub.address, "erp", EMBEDDED), hub.token)
        assert sync_accounts(workspace, (), SyncRequest(documents=False)).failed == 0
        assert catalog.sync(workspace).failed == 0
        yield Market(hub, home)


@pytest.fixture
def made(qapp: QApplication, market: Market, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Made]:
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", ENVIRONMENT["PYTHON_KEYRING_BACKEND"])
    services = Made(qapp, Path(shutil.copytree(market.home, tmp_path / "home")))
    services.services.scope.choose(None, None)
    yield services
    services.close()


@pytest.fixture
def page(qtbot: QtBot, made: Made) -> ProductsPage:
    return page_of(qtbot, made)


def change(market: Market, product_id: str, **fields: object) -> None:
    """Somebody changes a product at the hub."""
    headers = {"serviceToken": market.hub.token, "platform": "erp"}
    address = f"{market.hub.address}/products/{product_id}"
    httpx.put(address, json=fields, headers=headers, **LOOPBACK).raise_for_status()


# -- the list ----------------------------------------------------------------------------------------------


def test_every_product_is_listed_by_title_and_the_first_one_shown(qtbot: QtBot, page: ProductsPage, made: Made) -> None:
    rows = listed(page)
    titles = [(line.row.product.title or "").lower() for line in rows]
    assert titles == sorted(titles)
    assert len(rows) > BLOCK
    assert len({line.id for line in rows}) == len(rows)
    skus = [sku for line in rows for sku in line.row.product.skus]
    worth = sum((sku.price_cents or 0) * (sku.stock or 0) for sku in skus)
    assert page.totals == f"{len(rows)} products · {len(skus)} SKUs · {formatting.money(int(worth))} in stock"
    assert "sale prices" in page.totals_hint
    assert page.panel.shown is not None
    assert page.panel.shown.row == rows[0].row
    assert made.faults == []


def test_qt_finds_no_fault_with_the_model(qtbot: QtBot, qtmodeltester: ModelTester, page: ProductsPage) -> None:
    qtmodeltester.check(page.model, force_py=True)  # and again at every change
    before = len(page.model.ids)
    choose(qtbot, page, ProductFilters(brands=(listed(page)[0].row.product.brand or "",)))
    assert 0 < len(page.model.ids) < before
    choose(qtbot, page, ProductFilters(text="there is none"))
    assert page.model.rowCount() == 0


def test_it_is_sorted_by_what_is_clicked(qtbot: QtBot, page: ProductsPage) -> None:
    page.table.sort_by("price", True)
    settle(qtbot, page)
    prices = [min(sku.price_cents or 0 for sku in line.row.product.skus) for line in listed(page)]
    assert prices == sorted(prices, reverse=True)
    page.table.sort_by("stock", False)
    settle(qtbot, page)
    stocks = [sum(sku.stock or 0 for sku in line.row.product.skus) for line in listed(page)]
    assert stocks == sorted(stocks)


def test_words_and_chips_narrow_it_and_the_menus_say_how_many(qtbot: QtBot, page: ProductsPage) -> None:
    code = listed(page)[3].row.product.skus[0].code
    QTest.keyClicks(page.filters.text, code.lower())
    qtbot.waitUntil(lambda: page.filters.filters.text == code.lower())
    settle(qtbot, page)
    assert [line.row.product.skus[0].code for line in listed(page)] == [code]
    page.filters.clear_button.click()
    settle(qtbot, page)
    brand = listed(page)[0].row.product.brand
    assert brand
    page.filters.chips["brands"].menu().aboutToShow.emit()
    answered(qtbot, page._services)
    counts = {str(action.data()): action.text() for action in page.filters.chips["brands"].menu().actions()}
    choose(qtbot, page, ProductFilters(brands=(brand,)))
    assert {line.row.product.brand for line in listed(page)} == {brand}
    assert counts[brand].endswith(f"\t{len(listed(page))}")
    category = listed(page)[0].category
    choose(qtbot, page, ProductFilters(categories=(category,)))
    assert {line.category for line in listed(page)} == {category}


def test_a_product_of_several_skus_tells_of_all_of_them(qtbot: QtBot, page: ProductsPage) -> None:
    (several, *_) = [line for line in listed(page) if len(line.row.product.skus) > 2]
    place = page.model.place_of(several.id)
    assert place is not None

    def cell(key: str) -> str:
        return str(page.model.index(place, PLACES[key]).data())

    skus = several.row.product.skus
    assert cell("code") == f"{skus[0].code} +{len(skus) - 1}"
    assert cell("stock") == formatting.quantity(sum((sku.stock for sku in skus if sku.stock), start=skus[0].stock * 0))
    prices = sorted(sku.price_cents or 0 for sku in skus)
    assert cell("price").startswith(formatting.money(prices[0]))
    assert cell("price").endswith(formatting.money(prices[-1])[3:])
    tip = str(page.model.index(place, PLACES["price"]).data(Qt.ItemDataRole.ToolTipRole))
    assert all(sku.code in tip for sku in skus)
    page.table.stand_on(several.id)
    settle(qtbot, page)
    assert [line.sku for line in page.panel.skus.rows_model.rows] == list(skus)
    text = page.panel.right.as_text()
    assert all(sku.code in text and dict(sku.variations)["Cor"] in text for sku in skus)


def test_rows_are_copied_as_a_spreadsheet_takes_them(qtbot: QtBot, page: ProductsPage) -> None:
    first = listed(page)[0].row.product
    page.table.setFocus()
    QTest.keyClick(page.table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    head, row = QGuiApplication.clipboard().text().splitlines()
    cells = dict(zip(head.split("\t"), row.split("\t"), strict=True))
    assert cells["SKU"] == " ".join(sku.code for sku in first.skus)
    assert cells["Title"] == first.title
    assert cells["NCM"] == first.ncm


def test_without_a_match_it_says_the_way_back(qtbot: QtBot, page: ProductsPage) -> None:
    choose(qtbot, page, ProductFilters(text="there is none"))
    assert page.empty.isVisible()
    assert page.empty.offered == ("Clear search and filters",)
    assert page.panel.shown is None


# -- one product -------------------------------------------------------------------------------------------


def test_a_product_says_how_it_is_taxed_and_enter_gives_it_the_keyboard(qtbot: QtBot, page: ProductsPage) -> None:
    shown = page.panel.shown
    assert shown is not None
    text = page.panel.left.as_text()
    ncm = shown.row.product.ncm or ""
    assert f"{ncm[:4]}.{ncm[4:6]}.{ncm[6:]}" in text
    assert "National" in text
    assert shown.category in text
    QTest.keyClick(page.table, Qt.Key.Key_Return)
    assert page.panel.tabs.currentWidget().focusProxy() is page.panel.left
    assert page.focusWidget() is page.panel.left


def test_orders_that_sell_it_are_asked_for_only_when_seen(qtbot: QtBot, page: ProductsPage, made: Made) -> None:
    sold = [line for line in listed(page) if browse_catalog.sales_of(made.services.opened, line.row)]
    assert sold
    page.table.stand_on(sold[0].id)
    settle(qtbot, page)
    assert page.panel.sold.rows_model.rows == ()
    page.panel.tabs.setCurrentWidget(page.panel._sales)
    answered(qtbot, page._services)
    rows = page.panel.sold.rows_model.rows
    codes = {sku.code for sku in sold[0].row.product.skus}
    assert {row.item.code for row in rows} <= codes
    assert len(rows) == len(browse_catalog.sales_of(made.services.opened, sold[0].row)) > 0
    page.panel.sold.selectRow(0)
    with qtbot.waitSignal(page.order_wanted) as wanted:
        QTest.keyClick(page.panel.sold, Qt.Key.Key_Return)
    assert wanted.args == ["loja", rows[0].order.hub_id]


def test_what_changed_at_the_hub_comes_by_a_sync_as_a_version(
    qtbot: QtBot, page: ProductsPage, made: Made, market: Market
) -> None:
    product = listed(page)[0].row.product
    change(market, product.hub_id, title="Chaleira elétrica", nbm={"id": "85161000"})
    assert page.sync.isEnabled()
    with qtbot.waitSignal(made.services.jobs.ended, timeout=LONG) as heard:
        page.sync_button.click()
        assert not page.sync_button.isEnabled()
    (outcome,) = heard.args
    assert isinstance(outcome, JobOutcome)
    assert (outcome.order.kind, outcome.error) == (JobKind.CATALOG, None)
    assert isinstance(outcome.result, CatalogJobResult)
    assert outcome.result.changed == 1
    look_again(qtbot, page)
    choose(qtbot, page, ProductFilters(text="chaleira"))
    shown = page.panel.shown
    assert shown is not None
    assert shown.row.product.hub_id == product.hub_id
    page.panel.tabs.setCurrentWidget(page.panel.versions)
    assert [line.number for line in page.panel.versions.versions.rows_model.rows] == [2, 1]
    changes = {entry.field: (entry.before, entry.after) for entry in page.panel.versions.changes.rows_model.rows}
    assert changes == {"title": (product.title, "Chaleira elétrica"), "ncm": (product.ncm, "85161000")}
    assert value_text("ncm", "85161000") == "8516.10.00"  # as the list writes it
    page.panel.versions.copy_json()
    answered(qtbot, page._services)
    assert "Chaleira" in QGuiApplication.clipboard().text()


# -- without a catalog -------------------------------------------------------------------------------------


def test_without_an_account_it_says_to_connect_one(qtbot: QtBot, made_empty: Made) -> None:
    page = page_of(qtbot, made_empty)
    assert page.empty.isVisible()
    assert "Connect an account" in page.empty.text
    assert not page.sync.isEnabled()
    assert not page.push.isEnabled()
    assert made_empty.faults == []


def test_a_hub_that_declares_no_reads_is_named(qtbot: QtBot, made_empty: Made) -> None:
    page = page_of(qtbot, made_empty)
    page._have_accounts((CatalogAccount("loja", None, False),))
    assert page.empty.text.startswith("Sync the catalog")
    assert page.sync.isEnabled()
    page._have_accounts((CatalogAccount("loja", None, False), CatalogAccount("outra", False, False)))
    assert "declares no catalog reads" in page.empty.text
    assert "outra" in page.empty.text
    page._have_accounts((CatalogAccount("outra", False, False),))
    assert "Sync the catalog" not in page.empty.text
    assert not page.sync.isEnabled()
    assert page.push.isEnabled()


# -- in the window -----------------------------------------------------------------------------------------


def test_the_window_goes_to_it_and_from_it_to_documents_and_orders(qtbot: QtBot, made: Made) -> None:
    window = open_main(qtbot, made.services)
    assert Action.CATALOG in PAGES
    window.actions_by_act[Action.CATALOG].trigger()
    settle(qtbot, window.catalog)
    assert window.place is Action.CATALOG
    assert window.status.totals.text().startswith(f"{len(window.catalog.model.ids)} products")
    window.actions_by_act[Action.SEARCH].trigger()
    assert window.focusWidget() is window.catalog.filters.text
    window.actions_by_act[Action.DETAILS].trigger()
    assert not window.catalog.panel.isVisible()
    window.actions_by_act[Action.DETAILS].trigger()
    sold = next(line for line in listed(window.catalog) if browse_catalog.sales_of(made.services.opened, line.row))
    order = browse_catalog.sales_of(made.services.opened, sold.row)[0].order
    window.catalog.order_wanted.emit("loja", order.hub_id)
    answered(qtbot, made.services)
    assert window.place is Action.ORDERS
    qtbot.waitUntil(lambda: window.orders.table.current_id == order.id)
    window.actions_by_act[Action.CATALOG].trigger()
    window.catalog.table.stand_on(sold.id)
    settle(qtbot, window.catalog)
    code = sold.row.product.skus[0].code
    window.catalog.panel.documents.click()
    answered(qtbot, made.services)
    assert window.place is Action.DOCUMENTS
    assert window.top.search.text() == f'item:"{code}"'
    assert made.faults == []


def test_the_menu_of_a_row_leads_to_documents(qtbot: QtBot, page: ProductsPage) -> None:
    menu = page.context_menu()
    assert menu is not None
    code = listed(page)[0].row.product.skus[0].code
    with qtbot.waitSignal(page.documents_wanted) as wanted:
        menu.actions()[0].trigger()
    assert wanted.args == [code]
    menu.close()
    assert page.table.selected_ids() == array("q", [listed(page)[0].id])


def test_all_products_of_the_list_become_a_spreadsheet_of_skus(
    qtbot: QtBot, page: ProductsPage, made: Made, tmp_path: Path
) -> None:
    assert set(page.selection.bar.buttons) == {"table"}
    page.selection.ask = Asked(tmp_path / "p.csv").dialogs
    page.selection.bar.all_wanted.emit(SavedForm.CSV.value)
    assert ended(qtbot, made.services).done
    lines = list(csv.DictReader((tmp_path / "p.csv").read_text("utf-8-sig").splitlines(), delimiter=";"))
    skus = [sku for line in listed(page) for sku in line.row.product.skus]
    assert [line["SKU"] for line in lines] == [sku.code for sku in skus]
    assert [line["Price"] for line in lines] == [
        "" if sku.price_cents is None else f"{sku.price_cents // 100},{sku.price_cents % 100:02d}" for sku in skus
    ]
