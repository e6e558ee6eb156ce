"""An order's number finds the documents that are linked to it, though neither they nor the hub name it."""

from __future__ import annotations

import pytest

from confere.app.archive_session import OpenArchive
from confere.app.context import Workspace
from confere.app.documents import browse
from confere.app.documents.browse import DocumentQuery
from confere.app.documents.search.search_language import parse
from confere.app.reconciliation import queries
from confere.archive.accounts import accounts
from tests.app.business import ACCOUNT


@pytest.mark.parametrize("text", ["{order}", "pedido:{order}", "MP-{order}", "pedido:MP-{order}", "nada ou {order}"])
def test_a_linked_order_finds_its_documents(opened: OpenArchive, text: str) -> None:
    link = next(entry.link for entry in queries.links(opened, ACCOUNT))
    parsed = parse(text.format(order=link.order_id), DocumentQuery())
    assert not parsed.problems
    rows = browse.first(opened, parsed.query, 20)
    assert link.key in {row.access_key for row in rows}
    if "ou" not in text:
        expected = {each.link.key for each in queries.links(opened, ACCOUNT) if each.link.order_id == link.order_id}
        assert {row.access_key for row in rows} >= expected


def test_a_linked_order_finds_its_documents_in_its_own_account_alone(workspace: Workspace, opened: OpenArchive) -> None:
    """Two hubs number their orders alike."""
    with workspace.writing("test") as archive, archive.writing() as transaction:
        accounts.add(transaction, name="second", environment="production", address="https://b.example", platform="b")
    link = next(entry.link for entry in queries.links(opened, ACCOUNT))

    def keys(account: str | None) -> set[str | None]:
        query = DocumentQuery(order_id=link.order_id, account=account)
        return {row.access_key for row in browse.first(opened, query, 20)}

    assert link.key in keys(None)
    assert keys(ACCOUNT) == keys(None)
    assert keys("second") == set()
