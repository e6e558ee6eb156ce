"""Lists of orders for the window: of which accounts, what they can be narrowed to, and what each order has."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from confere.app.archive_session import OpenArchive
from confere.app.context import Workspace
from confere.app.orders import browse_orders
from confere.app.orders.browse_orders import OrderQuery, OrdersScope
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
                       transmission_message="Não.")  # fmt: skip
        record(archive, received(failed, raw=b'{"id": 7}'))
        record(archive, received(an_order("8", invoice=OrderInvoice(access_key=key(1)))))
        record(archive, received(an_order("9", created_at="2026-11-05T12:00:00Z")), account_id=2)
        with archive.writing() as transaction:
            links.put(transaction, 1, [Link("8", key(1), LinkKind.PERSON, 100, (message("so"),))])
    archive_of = OpenArchive(workspace)
    yield archive_of
    archive_of.close()


def names(opened: OpenArchive, scope: OrdersScope) -> list[str]:
    return [line.row.hub_id for line in browse_orders.listing(opened, scope).rows]


def test_orders_of_every_account_with_their_documents(opened: OpenArchive) -> None:
    found = browse_orders.listing(opened, OrdersScope())
    assert [line.row.hub_id for line in found.rows] == ["9", "8", "7"]
    assert (found.total, len(found.accounts)) == (3, 2)
    assert [line.documents for line in found.rows] == [0, 1, 0]  # linked and named is one document
    assert found.choices.marketplaces == (("Vitrine", 2), ("Feira", 1))
    assert found.choices.statuses == (("INVOICED", 3),)
    assert found.choices.transmission_failed == 1


def test_narrowed_lists_still_say_what_else_there_is(opened: OpenArchive) -> None:
    scope = OrdersScope(query=OrderQuery(transmission_failed=True, marketplaces=("Feira",)))
    found = browse_orders.listing(opened, scope)
    assert [(line.row.hub_id, line.row.transmission_message) for line in found.rows] == [("7", "Não.")]
    assert found.choices.marketplaces == (("Vitrine", 2), ("Feira", 1))
    account = found.accounts[1]
    assert names(opened, OrdersScope(account=account)) == ["9"]
    assert names(opened, OrdersScope(account="nobody")) == []
    assert names(opened, OrdersScope(query=OrderQuery(from_day="2026-11-01"))) == ["9"]
    page = browse_orders.listing(opened, OrdersScope(), offset=2, limit=1)
    assert ([line.row.hub_id for line in page.rows], page.offset, page.total) == (["7"], 2, 3)


def test_an_order_in_full_and_one_that_is_not_there(opened: OpenArchive) -> None:
    detail = browse_orders.detail(opened, 1, "8")
    assert [row.access_key for row in detail.shown.documents] == [key(1)]
    assert detail.moves
    with pytest.raises(NotInArchive):
        browse_orders.detail(opened, 2, "8")
