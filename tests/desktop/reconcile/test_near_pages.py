"""Suggestions and what R3 explains itself, in the window: what is listed, and the one key that accepts."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton
from pytestqt.qtbot import QtBot

from confere.app.reconciliation import queries
from confere.archive.accounts import accounts, runs
from confere.archive.reconciliation import near_misses
from confere.desktop.reconcile.decisions.decision_commands import Command
from confere.desktop.reconcile.group_list import What
from confere.desktop.reconcile.page import ReconcilePage
from confere.errors import message
from confere.sales.findings import ExplainedDifference
from confere.sales.links import Suggestion
from tests.desktop.conftest import Made
from tests.desktop.reconcile.test_page import decided, page_of, turn


@pytest.fixture
def page(qtbot: QtBot, made: Made) -> ReconcilePage:
    """As a run leaves it that found one pair that nearly fits and one difference that interest explains."""
    opened = made.services.opened
    (name, *_) = [scope.account for scope in queries.accounts_and_periods(opened)]
    order, other = queries.orders(opened, name, limit=2)
    links = queries.links(opened, name)
    made.services.scope.choose(None, None)
    with opened.workspace.writing("test") as archive, archive.writing() as transaction:
        owner = accounts.named(transaction, name)
        run = runs.of_kind(transaction, "reconcile", owner.id, 1)[0].id
        pair = Suggestion(
            order.order.hub_id,
            next(link.link.key for link in links if link.link.order_id != order.order.hub_id),
            (message("the buyer's tax id"), message("the items")),
            (
                message(
                    "the total: {order} on the order, {document} on the document", order="R$ 9,00", document="R$ 8,00"
                ),
            ),
        )
        near_misses.replace_suggestions(transaction, owner.id, run, [pair])
        interest = message("{effect} of it: the {part} is {ordered} on the orders' side and {noted} on the invoices'.",
                           effect="R$ 5,00", part=message("freight"), ordered="R$ 15,00", noted="R$ 10,00")  # fmt: skip
        line = ExplainedDifference(
            other.order.created_on[:7], (other.order.hub_id,), (links[0].link.key,), 500, (interest,)
        )
        near_misses.replace_explained(transaction, owner.id, run, [line], None)
    return page_of(qtbot, made)


def test_a_pair_that_nearly_fits_is_accepted_with_one_key(qtbot: QtBot, page: ReconcilePage, made: Made) -> None:
    (entry,) = [entry for entry in page.groups.entries if entry.what is What.SUGGESTIONS]
    assert entry.count == 1
    assert not page.commands[Command.ACCEPT].isEnabled()
    assert turn(qtbot, page, What.SUGGESTIONS) is page.suggestions
    (row,) = page.suggestions.rows
    page.suggestions.table.selectRow(0)
    page.suggestions.table.setFocus()
    assert page.commands[Command.ACCEPT].isEnabled()
    QTest.keyClick(page.suggestions.table, Qt.Key.Key_A)
    decided(qtbot, page)
    assert page.account is not None
    pairs = {(link.link.order_id, link.link.key): link for link in queries.links(made.services.opened, page.account)}
    assert pairs[row.order_id, row.key].manual
    assert page.suggestions.rows == ()
    (entry,) = [entry for entry in page.groups.entries if entry.what is What.SUGGESTIONS]
    assert entry.count == 0


def test_one_button_alone_is_the_primary_one(qtbot: QtBot, page: ReconcilePage) -> None:
    for what in (What.ALL, What.SUGGESTIONS, What.TIES, What.EXPLAINED):
        turn(qtbot, page, what)
        buttons = [button for button in page.findChildren(QAbstractButton) if button.isVisible()]
        assert [button for button in buttons if button.property("look") == "primary"] == [page.head.start]


def test_what_the_rule_explains_is_a_list_with_amounts(qtbot: QtBot, page: ReconcilePage) -> None:
    (entry,) = [entry for entry in page.groups.entries if entry.what is What.EXPLAINED]
    assert (entry.count, entry.amount) == (1, 500)
    assert turn(qtbot, page, What.EXPLAINED) is page.explained
    (row,) = page.explained.rows
    assert row.amount == 500
    assert "R$ 15,00" in str(row.evidence[0])
