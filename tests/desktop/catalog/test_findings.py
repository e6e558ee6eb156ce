"""From a product to what reconciliation found of it: R27 over the catalog of a sandbox that describes some wrongly."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from confere.app.accounts import accounts
from confere.app.accounts.accounts import NewAccount
from confere.app.accounts.sync import SyncRequest, sync_accounts
from confere.app.catalog import browse_catalog, catalog
from confere.app.catalog.browse_catalog import ListedProduct, ProductsScope
from confere.app.catalog.product_findings import findings_of
from confere.app.context import EMBEDDED, Workspace
from confere.app.reconciliation import queries
from confere.app.reconciliation.queries import FindingFilter, FindingQuery, FindingRow
from confere.app.reconciliation.reconcile import reconcile
from confere.desktop.core.actions import Action
from sandbox_hub.options import SandboxOptions
from sandbox_hub.server import running
from tests.desktop.catalog.page_tools import settle
from tests.desktop.conftest import Made
from tests.desktop.reaching import open_main
from tests.desktop.reaching import settle as answered
from tests.end_to_end.confere import ENVIRONMENT

WORLD = SandboxOptions(documents=400, seed=7, catalog_errors=0.1)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("described")
    with running(WORLD) as hub:
        workspace = Workspace.at(folder)
        cnpjs = tuple(entry["cnpj"] for entry in hub.info["companies"])
        accounts.add(workspace, NewAccount("loja", hub.address, "erp", EMBEDDED, tax_ids=cnpjs), hub.token)
        assert sync_accounts(workspace, (), SyncRequest()).failed == 0
        assert catalog.sync(workspace).failed == 0
    reconcile(workspace)
    return folder


@pytest.fixture
def made(qapp: QApplication, home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Made]:
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", ENVIRONMENT["PYTHON_KEYRING_BACKEND"])
    services = Made(qapp, home)
    services.services.scope.choose(None, None)
    yield services
    services.close()


def products(made: Made) -> tuple[ListedProduct, ...]:
    opened = made.services.opened
    return browse_catalog.rows(opened, browse_catalog.snapshot(opened, ProductsScope()))


def by_product(made: Made) -> dict[str, tuple[FindingRow, ...]]:
    return {line.row.product.hub_id: findings_of(made.services.opened, line.row) for line in products(made)}


def test_every_finding_of_the_rule_is_reached_from_a_product_and_most_products_have_none(made: Made) -> None:
    query = FindingQuery("loja", FindingFilter(rules=("R27",), states=("open",)))
    every = {row.id for row in queries.findings(made.services.opened, query, 0, -1)}
    reached = by_product(made)
    assert every
    assert {row.id for rows in reached.values() for row in rows} == every
    assert sum(1 for rows in reached.values() if rows) < len(reached) / 2


def test_enter_on_a_finding_of_a_product_opens_it_in_reconcile(qtbot: QtBot, made: Made) -> None:
    reached = by_product(made)
    line = next(line for line in products(made) if reached[line.row.product.hub_id])
    window = open_main(qtbot, made.services)
    window.actions_by_act[Action.CATALOG].trigger()
    page = window.catalog
    settle(qtbot, page)
    page.table.stand_on(line.id)
    settle(qtbot, page)
    panel = page.panel
    assert panel.findings.rows_model.rows == ()
    panel.tabs.setCurrentIndex(panel.tabs.count() - 1)
    answered(qtbot, made.services)
    rows = panel.findings.rows_model.rows
    assert [row.id for row in rows] == [row.id for row in reached[line.row.product.hub_id]]
    panel.findings.selectRow(len(rows) - 1)
    QTest.keyClick(panel.findings, Qt.Key.Key_Return)
    answered(qtbot, made.services)
    assert window.place is Action.RECONCILE
    findings = window.reconcile.findings
    qtbot.waitUntil(lambda: findings.table.current is not None and not findings.is_following)
    assert findings.table.current is not None
    assert findings.table.current.id == rows[-1].id
    assert made.faults == []


def test_a_finding_that_the_closing_page_names_opens_in_reconcile(qtbot: QtBot, made: Made) -> None:
    row = next(rows[-1] for rows in by_product(made).values() if rows)
    window = open_main(qtbot, made.services)
    window.actions_by_act[Action.CLOSING].trigger()
    window.closing.changes.finding_wanted.emit(row)
    answered(qtbot, made.services)
    assert window.place is Action.RECONCILE
    findings = window.reconcile.findings
    qtbot.waitUntil(lambda: findings.table.current is not None and not findings.is_following)
    assert findings.table.current is not None
    assert findings.table.current.id == row.id
    assert made.faults == []


def test_a_product_without_findings_says_so(qtbot: QtBot, made: Made) -> None:
    reached = by_product(made)
    line = next(line for line in products(made) if not reached[line.row.product.hub_id])
    window = open_main(qtbot, made.services)
    window.actions_by_act[Action.CATALOG].trigger()
    page = window.catalog
    settle(qtbot, page)
    page.table.stand_on(line.id)
    settle(qtbot, page)
    page.panel.tabs.setCurrentIndex(page.panel.tabs.count() - 1)
    answered(qtbot, made.services)
    assert page.panel._doubts.words.isVisible()
    assert page.panel._doubts.words.text().startswith("Reconciliation has not found")
