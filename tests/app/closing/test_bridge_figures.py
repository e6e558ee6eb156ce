"""The bridge's lines by value: orders as the hub writes them, notes as packages hold them, every company and month."""

from __future__ import annotations

import shutil
from collections import Counter
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from confere.app.archive_session import OpenArchive
from confere.app.closing import bridge
from confere.app.context import Workspace
from confere.app.reconciliation.reconcile import reconcile
from confere.sales.bridge import BridgeCode, BridgePart
from tests.app import filed_worlds
from tests.app.filed_worlds import FiledWorld
from tests.oracle import bridge as oracle


@pytest.fixture(scope="module", params=filed_worlds.RECONCILED)
def world(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> FiledWorld:
    return filed_worlds.made(tmp_path_factory, request.param)


def test_lines_of_orders_and_notes_are_what_these_come_to(world: FiledWorld) -> None:
    taken = oracle.orders_taken(world.orders())
    seen = Counter[str]()
    with closing(OpenArchive(world.workspace)) as opened:
        account = bridge.account_of(opened, None, None)
        months = bridge.months(opened, account)
        assert taken.keys() <= set(months)
        for month in months:
            whole = bridge.month_bridge(opened, account, month)
            assert whole.page.line(BridgeCode.ORDERS_TAKEN).amount == taken.get(month, 0), month
            sums = Counter[str]()
            for company in whole.placement.view.ledger.own:
                page = bridge.month_bridge(opened, account, month, company).page
                expected = oracle.lines(world.papers, company, month)
                assert {name: page.line(BridgeCode(name)).amount for name in oracle.LINES} == expected, (company, month)
                sums.update(expected)
            assert {name: whole.page.line(BridgeCode(name)).amount for name in oracle.LINES} == dict(sums), month
            seen.update({name: amount for name, amount in sums.items() if amount})
    assert {"invoices_authorized", "cancelled_invoices", "returns", "no_sales"} <= seen.keys()


def test_every_line_where_each_order_names_its_invoice(tmp_path_factory: pytest.TempPathFactory) -> None:
    """From the orders taken to the invoices authorized, of all companies: the world without anomalies."""
    world = filed_worlds.made(tmp_path_factory, "closed")
    expected = oracle.crossing(world.orders(), world.papers)
    seen: set[str] = set()
    with closing(OpenArchive(world.workspace)) as opened:
        account = bridge.account_of(opened, None, None)
        for month in bridge.months(opened, account):
            lines = bridge.month_bridge(opened, account, month).page.lines
            found = {
                line.code.value: line.amount for line in lines if line.amount and line.code.part != BridgePart.MEMO
            }
            assert found == dict(expected.get(month, {})), month
            seen |= found.keys()
    assert seen >= {"invoiced_in_month", "invoiced_in_other_month", "ordered_in_other_month"}
    assert seen >= {"cancelled", "order_returned", "invoice_cancelled", "not_due"}


def test_a_month_closes_with_the_invoices_that_its_bridge_leads_to(world: FiledWorld) -> None:
    """Orders taken, less what leads away from them, are those invoiced; these, with what leads on, the invoices."""
    numbers: set[int] = set()
    with closing(OpenArchive(world.workspace)) as opened:
        account = bridge.account_of(opened, None, None)
        for month in bridge.months(opened, account):
            every = bridge.sheet_rows(opened, account, month)
            markets = bridge.month_bridge(opened, account, month).marketplaces
            # The page of a month's only marketplace would say nothing that the page of all does not.
            assert {row.marketplace for row in every} == ({None, *markets} if len(markets) > 1 else {None}), month
            numbers.add(len(markets))
            rows = {row.code.value: row.amount for row in every if row.marketplace is None}
            names = list(BridgeCode)
            before = names[1 : names.index(BridgeCode.MATCHED)]
            after = names[names.index(BridgeCode.MATCHED) + 1 : names.index(BridgeCode.INVOICES_AUTHORIZED)]
            matched = rows.get("orders_taken", 0) + sum(rows.get(code.value, 0) for code in before)
            assert matched == rows.get("invoiced_in_month", 0), month
            assert matched + sum(rows.get(code.value, 0) for code in after) == rows["invoices_authorized"], month
    assert 2 in numbers


def test_a_page_stands_on_the_moment_of_its_run(world: FiledWorld, tmp_path: Path) -> None:
    workspace = Workspace.at(shutil.copytree(world.workspace.home.root, tmp_path / "home"))
    for moment in (datetime(2026, 5, 15, 12, tzinfo=UTC), datetime(2026, 7, 1, 9, tzinfo=UTC)):
        reconcile(workspace, as_of=moment)
        with closing(OpenArchive(workspace)) as opened:
            page = bridge.month_bridge(opened, bridge.account_of(opened, None, None), "2026-03")
        assert page.placement.view.now == moment.timestamp()


def test_a_page_says_how_much_of_its_month_was_listed_and_of_no_more(world: FiledWorld) -> None:
    with closing(OpenArchive(world.workspace)) as opened:
        facts = bridge.month_bridge(opened, bridge.account_of(opened, None, None), "2026-03").facts
    march = (("2026-03-01T03:00:00+00:00", "2026-04-01T02:59:59+00:00"),)
    assert facts.documents_listed.stretches == facts.orders_listed.stretches == march
    assert facts.documents_listed.is_whole and facts.orders_listed.is_whole
