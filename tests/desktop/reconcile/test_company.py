"""The page Reconcile under a company of an account of several: every table is of it, and says what is of none."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from confere.app.accounts import accounts as use_case
from confere.app.reconciliation import queries
from confere.archive.accounts import accounts, owning_company
from confere.archive.accounts.owning_company import OwnedGroup
from confere.archive.orders import orders
from confere.desktop.reconcile.group_list import What
from confere.desktop.reconcile.page import ReconcilePage
from tests.desktop.conftest import Made
from tests.desktop.reconcile.test_page import page_of, settle, turn

TABLES = (What.TIES, What.STOCK, What.TAXES, What.ORDERS)


@pytest.fixture
def page(qtbot: QtBot, made: Made) -> ReconcilePage:
    made.services.scope.choose(None, None)
    return page_of(qtbot, made)


def sizes(qtbot: QtBot, page: ReconcilePage) -> dict[What, int]:
    """How many rows each table has; the last one stays in view."""
    tables = {What.TIES: page.ties, What.STOCK: page.stock, What.TAXES: page.taxes, What.ORDERS: page.orders}
    found = {}
    for what in TABLES:
        turn(qtbot, page, what)
        found[what] = len(tables[what].rows)
    return found


def test_every_table_is_of_the_company_in_use(qtbot: QtBot, page: ReconcilePage, made: Made) -> None:
    services = made.services
    (owner,) = use_case.every(services.workspace)
    assert "of the whole account" not in page.head.summary.text()
    of_all, together = sizes(qtbot, page), dict.fromkeys(TABLES, 0)
    assert all(of_all.values())
    for company in (entry.tax_id for entry in owner.establishments):
        services.scope.choose_company(company)
        settle(qtbot, page)
        assert "of the whole account" in page.head.summary.text()
        of_it = sizes(qtbot, page)
        together = {what: together[what] + of_it[what] for what in TABLES}
        assert all(of_it[what] < of_all[what] for what in TABLES)
        assert {row.line.emitter for row in page.stock.rows} == {company}
        assert page.taxes.rows == queries.taxes(services.opened, owner.name, None, company)
        with services.opened.reading() as transaction:
            number = accounts.named(transaction, owner.name).id
            groups = [OwnedGroup(row.orders, row.keys) for row in page.ties.rows]
            of_ties = owning_company.of_groups(transaction, number, groups)
            known = orders.named(transaction, number, [row.order.hub_id for row in page.orders.rows])
            of_orders = owning_company.of_orders(transaction, [row.id for row in known.values()])
        assert all(company in companies or not companies for companies in (*of_ties, *of_orders.values()))
        unowned = sum(not companies for companies in of_orders.values())
        assert unowned and page.orders.unowned.text().startswith(f"{unowned} of them are of no company")
        assert page.orders.unowned.isVisible()
    assert all(together[what] >= of_all[what] for what in TABLES if what is not What.TAXES), "no line is hidden"
    assert together[What.STOCK] == of_all[What.STOCK]
