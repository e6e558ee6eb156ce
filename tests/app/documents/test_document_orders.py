"""The orders of a document: linked ones with why, those that only the hub names, and what a person said of either."""

from __future__ import annotations

from confere.app.archive_session import OpenArchive
from confere.app.context import Workspace
from confere.app.documents import relations
from confere.app.documents.relations import DocumentOrder
from confere.app.reconciliation import decisions
from confere.archive.accounts import accounts
from confere.sales.links import LinkKind
from tests.app.business import ACCOUNT
from tests.app.made import named_by_hub
from tests.archive.papers import key


def hub_names(workspace: Workspace, number: int, order_id: str) -> None:
    """The hub's record of the note names this order."""
    with workspace.writing("test") as archive:
        with archive.reading() as transaction:
            owner = accounts.named(transaction, ACCOUNT)
        named_by_hub(archive, owner, number, items=())
        with archive.writing() as transaction:
            transaction.execute(
                "UPDATE hub_document SET order_id = ?, marketplace = 'HUB' WHERE access_key = ?",
                (order_id, key(number)),
            )


def orders(opened: OpenArchive, number: int) -> tuple[DocumentOrder, ...]:
    return relations.relations(opened, key(number)).orders


def test_a_linked_order_says_what_it_came_to_and_why(opened: OpenArchive) -> None:
    (found,) = orders(opened, 1)
    assert (found.order_id, found.account, found.archived) == ("o1", ACCOUNT, True)
    assert found.row is not None and found.link is not None
    assert (found.marketplace, found.number, found.total, found.row.status) == ("MARKET", "MP-o1", 1000, "INVOICED")
    assert found.row.created_on == "2026-10-04"
    assert (found.link.kind, found.link.confidence, [str(reason) for reason in found.link.evidence]) == (
        LinkKind.ORDER_KEY,
        100,
        ["made by hand"],
    )
    assert not (found.manual or found.confirmed or found.unlinked)
    assert orders(opened, 4) == ()


def test_what_the_hub_names_stands_after_what_is_linked(workspace: Workspace, opened: OpenArchive) -> None:
    hub_names(workspace, 3, "o1")
    linked, named = orders(opened, 3)
    assert linked.link is not None
    assert (linked.order_id, linked.link.kind) == ("o2", LinkKind.SCORED)
    assert (named.order_id, named.link, named.archived, named.total) == ("o1", None, True, 1000)
    assert named.marketplace == "MARKET", "the order's own word"
    hub_names(workspace, 4, "nobody")
    (gone,) = orders(opened, 4)
    assert gone == DocumentOrder("nobody", "HUB", ACCOUNT)


def test_an_order_that_is_linked_and_named_stands_once(workspace: Workspace, opened: OpenArchive) -> None:
    hub_names(workspace, 1, "o1")
    (found,) = orders(opened, 1)
    assert found.link is not None and found.link.kind is LinkKind.ORDER_KEY


def test_a_persons_word_is_told(workspace: Workspace, opened: OpenArchive) -> None:
    decisions.confirm(workspace, ACCOUNT, [("o1", key(1))])
    (found,) = orders(opened, 1)
    assert (found.confirmed, found.manual) == (True, False)
    decisions.link(workspace, ACCOUNT, [("o3", key(4))])
    (found,) = orders(opened, 4)
    assert found.link is not None
    assert (found.confirmed, found.manual, found.link.kind) == (False, True, LinkKind.PERSON)
    hub_names(workspace, 1, "o1")
    decisions.unlink(workspace, ACCOUNT, [("o1", key(1))])
    (found,) = orders(opened, 1)
    assert (found.unlinked, found.link) == (True, None)


def test_of_an_account_that_went_only_the_name_is_left(workspace: Workspace, opened: OpenArchive) -> None:
    hub_names(workspace, 1, "o1")
    with workspace.writing("test") as archive, archive.writing() as transaction:
        accounts.remove(transaction, ACCOUNT)
    assert orders(opened, 1) == (DocumentOrder("o1", "HUB"),)
