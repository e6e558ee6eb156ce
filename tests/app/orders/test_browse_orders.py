"""Lists of orders for the window: of which accounts, what they can be narrowed to, and what each order has."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from confere.app.archive_session import OpenArchive
from confere.app.context import Workspace
from confere.app.orders import browse_orders
from confere.app.orders.browse_orders import SORTS, OrderQuery, OrdersScope, OrderTotals
from confere.archive.accounts import accounts
from confere.archive.accounts.accounts import Establishment
from confere.archive.reconciliation import links
from confere.archive.store import Archive
from confere.errors import NotInArchive, message
from confere.sales.links import Link, LinkKind
from confere.sales.order import Order, OrderInvoice
from tests.archive.listed import add_accounts
from tests.archive.papers import key, note, store
from tests.archive.sold import an_order, received, record


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[OpenArchive]:
    """Orders of two accounts: one failed at its marketplace, one linked to a document that it names too."""
    workspace = Workspace.at(tmp_path)
    with Archive.to_write(workspace.home.archive, "test") as archive:
        add_accounts(archive)
        store(archive, note(1))
        failed = Order("7", "2026-10-05T12:00:00Z", "INVOICED", "Feira", transmission_status="error",
                       transmission_message="Não.", total_cents=1_000)  # fmt: skip
        record(archive, received(failed, raw=b'{"id": 7}'))
        record(archive, received(an_order("8", invoice=OrderInvoice(access_key=key(1)), total=50_00)))
        later = an_order("9", created_at="2026-11-05T12:00:00Z", status="CANCELED", total=7_00)
        record(archive, received(later), account_id=2)
        with archive.writing() as transaction:
            links.put(transaction, 1, [Link("8", key(1), LinkKind.PERSON, 100, (message("so"),))])
    archive_of = OpenArchive(workspace)
    yield archive_of
    archive_of.close()


def names(opened: OpenArchive, scope: OrdersScope) -> list[str]:
    """What is listed, by the hub's ids: the first rows, the snapshot and the rows of it agree."""
    first = browse_orders.first(opened, scope, 100)
    ids = browse_orders.snapshot(opened, scope)
    assert browse_orders.rows(opened, ids) == first
    assert browse_orders.totals(opened, scope).count == len(ids)
    return [line.row.hub_id for line in first]


def set_account(opened: OpenArchive, assignment: str, *values: object) -> None:
    with closing(sqlite3.connect(opened.workspace.home.archive)) as archive, archive:
        archive.execute(f"UPDATE account SET {assignment}", values)


def test_orders_of_every_account_with_their_documents(opened: OpenArchive) -> None:
    assert names(opened, OrdersScope()) == ["9", "8", "7"]
    assert [line.documents for line in browse_orders.first(opened, OrdersScope())] == [0, 1, 0]  # linked, named: once
    assert len(browse_orders.first(opened, OrdersScope(), 2)) == 2
    choices = browse_orders.choices(opened, OrdersScope())
    assert choices.marketplaces == (("Vitrine", 2), ("Feira", 1))
    assert choices.statuses == (("INVOICED", 2), ("CANCELED", 1))
    assert choices.transmission_failed == 1


def test_narrowed_lists_still_say_what_else_there_is(opened: OpenArchive) -> None:
    scope = OrdersScope(query=OrderQuery(transmission_failed=True, marketplaces=("Feira",)))
    (line,) = browse_orders.first(opened, scope)
    assert (line.row.hub_id, line.row.transmission_message) == ("7", "Não.")
    assert browse_orders.choices(opened, scope).marketplaces == (("Vitrine", 2), ("Feira", 1))
    assert browse_orders.accounts_of(opened, None).names == ("other", "shop")
    assert names(opened, OrdersScope(account="other")) == ["9"]
    assert names(opened, OrdersScope(account="nobody")) == []
    assert browse_orders.choices(opened, OrdersScope(account="nobody")).statuses == ()
    assert names(opened, OrdersScope(query=OrderQuery(from_day="2026-11-01"))) == ["9"]


def test_a_company_that_no_account_is_of_has_no_order(opened: OpenArchive) -> None:
    with Archive.to_write(opened.workspace.home.archive, "test") as archive, archive.writing() as transaction:
        for account_id in (1, 2):
            accounts.set_establishments(transaction, account_id, [Establishment("11222333000181", None)])
    assert names(opened, OrdersScope("11222333000181")) == ["9", "8", "7"]
    assert names(opened, OrdersScope("99888777000166")) == []
    assert browse_orders.accounts_of(opened, "99888777000166").names == ()


@pytest.mark.parametrize("sort", SORTS)
def test_every_order_of_the_list_turns_round(opened: OpenArchive, sort: str) -> None:
    down, up = (names(opened, OrdersScope(sort=sort, descending=way)) for way in (True, False))
    assert sorted(down) == sorted(up) == ["7", "8", "9"]
    if sort in ("created", "total", "order", "account", "status"):
        assert down == up[::-1]
    if sort == "total":
        assert down == ["8", "7", "9"]


def test_sums_leave_out_what_was_cancelled(opened: OpenArchive) -> None:
    assert browse_orders.totals(opened, OrdersScope()) == OrderTotals(3, 60_00, 1, 7_00)
    ids = browse_orders.snapshot(opened, OrdersScope())
    assert browse_orders.totals_of(opened, ids) == OrderTotals(3, 60_00, 1, 7_00)
    assert browse_orders.totals_of(opened, ids[:2]) == OrderTotals(2, 50_00, 1, 7_00)
    assert browse_orders.totals(opened, OrdersScope(account="nobody")) == OrderTotals()


@pytest.mark.parametrize(("days", "is_over"), [(24, None), (25, False), (29, False), (30, True)])
def test_a_feed_that_was_not_read_for_long_is_told(opened: OpenArchive, days: int, is_over: bool | None) -> None:
    at = (datetime.now(UTC) - timedelta(days=days, minutes=1)).isoformat(timespec="seconds")
    set_account(opened, "environment = 'production', facts = json_set(facts, '$.feed_read_at', ?) WHERE id = 2", at)
    ending = browse_orders.accounts_of(opened, None).ending
    assert [(feed.days, feed.is_over) for feed in ending] == ([] if is_over is None else [(days, is_over)])


def test_an_order_in_full_and_one_that_is_not_there(opened: OpenArchive) -> None:
    place = browse_orders.place_of(opened, "shop", "8", None)
    assert (place.month, place.is_of_company) == ("2026-10", True)
    detail = browse_orders.detail(opened, place.id)
    assert [row.access_key for row in detail.shown.documents] == [key(1)]
    assert set(detail.usual) < set(detail.moves)
    with pytest.raises(NotInArchive):
        browse_orders.detail(opened, 999)
    with pytest.raises(NotInArchive):
        browse_orders.place_of(opened, "other", "8", None)


def test_versions_are_compared_and_the_first_one_says_all(opened: OpenArchive) -> None:
    (line,) = browse_orders.first(opened, OrdersScope(query=OrderQuery(text="7")))
    version = browse_orders.detail(opened, line.id).shown.versions[0]
    assert browse_orders.version_text(opened, version.content_id) == '{"id": 7}'
    (change,) = browse_orders.version_changes(opened, None, version.content_id)
    assert (change.path, change.before, change.after) == ("id", None, "7")
    assert browse_orders.version_changes(opened, version.content_id, version.content_id) == ()
