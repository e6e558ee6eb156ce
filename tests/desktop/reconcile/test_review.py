"""Reviewing in the window: what rows say, recent explanations, the next kind, the way back, whose and until when."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from PySide6.QtCore import QDate, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from confere.app.accounts import accounts
from confere.app.labels.finding_labels import difference_sentence, finding_sentence
from confere.app.reconciliation import decisions, queries
from confere.app.reconciliation.queries import Difference
from confere.app.reconciliation.review import signoffs
from confere.desktop.reconcile.comparison import comparison_pages
from confere.desktop.reconcile.decisions.decision_commands import Command
from confere.desktop.reconcile.decisions.link_dialog import LinkDialog
from confere.desktop.reconcile.decisions.review_dialogs import AssignDialog, SignDialog
from confere.desktop.reconcile.group_list import What, spoken
from confere.desktop.reconcile.page import ReconcilePage
from confere.errors import message
from tests.desktop.conftest import Made
from tests.desktop.reconcile.test_page import decided, linked, page_of, settle


def go(qtbot: QtBot, page: ReconcilePage, rule: str) -> None:
    page.show_rule(rule)
    settle(qtbot, page)


def what(page: ReconcilePage) -> str:
    """What the first row says."""
    columns = [column.key for column in page.findings.table.rows_model.columns]
    return str(page.findings.table.rows_model.index(0, columns.index("what")).data())


def test_a_row_says_the_difference_after_its_kind(qtbot: QtBot, made: Made) -> None:
    made.services.scope.choose(None, None)
    page = page_of(qtbot, made)
    assert what(page) == finding_sentence(page.findings.rows[0])
    go(qtbot, page, "R3")
    row = page.findings.rows[0]
    assert what(page) == difference_sentence(row)
    assert "≠" in what(page) and row.order_total != row.note_total


def test_a_finished_kind_opens_the_next_and_undo_returns_to_the_row(qtbot: QtBot, made: Made) -> None:
    made.services.scope.choose(None, None)
    page = page_of(qtbot, made)
    kinds = [entry for entry in page.groups.entries if entry.what is What.RULE]
    place, entry = next(
        (place, entry) for place, entry in enumerate(kinds[:-1]) if entry.count and not entry.not_checked
    )
    go(qtbot, page, entry.rule)
    first = page.findings.rows[0].id
    everything = [row.id for row in page.findings.rows]
    page.writer.do(lambda: decisions.explain(made.services.workspace, everything, "agreed with the client"))
    decided(qtbot, page)
    assert page.groups.current is not None and page.groups.current.rule == kinds[place + 1].rule
    (every_one,) = [line for line in page.groups.entries if line.what is What.ALL]
    assert every_one.decided == len(everything) and f"{len(everything)} of" in spoken(every_one)
    page.commands[Command.UNDO].trigger()
    decided(qtbot, page)
    assert page.groups.current is not None and page.groups.current.rule == entry.rule
    assert page.findings.table.current is not None and page.findings.table.current.id == first


def test_a_recent_explanation_is_one_key_away(qtbot: QtBot, made: Made) -> None:
    made.services.scope.choose(None, None)
    page = page_of(qtbot, made)
    assert not page.chips.isVisible()
    for row, text in zip(page.findings.rows[:2], ("rounding", "agreed"), strict=True):
        decisions.explain(made.services.workspace, [row.id], text)
    page.archive_changed()
    page._ask()
    settle(qtbot, page)
    assert page.chips.reasons == ("agreed", "rounding")
    row = page.findings.table.current
    assert row is not None
    page.findings.table.setFocus()
    QTest.keyClick(page.findings.table, Qt.Key.Key_2)
    decided(qtbot, page)
    stored = queries.finding(made.services.opened, row.id).stored
    assert (stored.state.value, stored.note) == ("explained", "rounding")
    page.chips.chips[0].click()
    decided(qtbot, page)
    assert page.chips.reasons == ("rounding", "agreed") or page.chips.reasons == ("agreed", "rounding")


def test_keys_explain_no_finding_that_is_not_on_the_screen(qtbot: QtBot, made: Made) -> None:
    made.services.scope.choose(None, None)
    page = page_of(qtbot, made)
    decisions.explain(made.services.workspace, [page.findings.rows[-1].id], "agreed")
    page._ask()
    settle(qtbot, page)
    chosen = page.findings.selected[0].id
    done: list[object] = []
    page.writer.done.connect(lambda acted, _: done.append(acted))
    for entry in (What.TIES, What.STOCK, What.ORDERS, What.TAXES):
        page.groups.go_to(entry)
        settle(qtbot, page)
        assert not page.findings.isVisible()
        table = page.orders.table if entry is What.ORDERS else page._right.currentWidget().table  # type: ignore[attr-defined]
        table.setFocus()
        QTest.keyClick(table, Qt.Key.Key_1)
        page.chips.chips[0].click()
        decided(qtbot, page)
    assert not done and not queries.finding(made.services.opened, chosen).stored.note
    page.groups.go_to(What.ALL)
    settle(qtbot, page)
    page.findings.table.setFocus()
    QTest.keyClick(page.findings.table, Qt.Key.Key_1)
    decided(qtbot, page)
    assert len(done) == 1


def test_findings_are_assigned_and_a_month_is_signed(qtbot: QtBot, made: Made) -> None:
    made.services.scope.choose(None, None)
    page = page_of(qtbot, made)
    row = page.findings.table.current
    assert row is not None and not page.commands[Command.SIGN].isEnabled()
    page.commands[Command.ASSIGN].trigger()
    dialog = page.deciders.dialog
    assert isinstance(dialog, AssignDialog) and not dialog.day.isEnabled()
    dialog.who.setText("Ana")
    dialog.has_day.setChecked(True)
    dialog.day.setDate(QDate(2026, 12, 1))
    dialog.does.click()
    decided(qtbot, page)
    stored = queries.finding(made.services.opened, row.id).stored
    assert (stored.assignee, stored.due_on) == ("Ana", date(2026, 12, 1).isoformat())
    assert "Ana" in page.footer.told.text() and page.footer.undo.isVisibleTo(page.footer)
    page.commands[Command.UNDO].trigger()
    decided(qtbot, page)
    assert queries.finding(made.services.opened, row.id).stored.assignee is None
    page.commands[Command.REDO].trigger()
    decided(qtbot, page)
    assert queries.finding(made.services.opened, row.id).stored.assignee == "Ana"
    company = _company(made)
    made.services.scope.choose(company, "2026-10")
    settle(qtbot, page)
    page.commands[Command.SIGN].trigger()
    signing = page.deciders.dialog
    assert isinstance(signing, SignDialog) and not signing.does.isEnabled()
    signing.who.setText("Rui")
    signing.does.click()
    decided(qtbot, page)
    (signed,) = signoffs.history(made.services.opened, company, "2026-10")
    assert signed.reviewer == "Rui" and signed.stands
    assert "Rui" in page.footer.count.text()
    page.commands[Command.UNDO].trigger()
    decided(qtbot, page)
    (undone,) = signoffs.history(made.services.opened, company, "2026-10")
    assert not undone.stands and undone.is_taken_back
    assert "taken back" in page.footer.count.text()


def _company(made: Made) -> str:
    return next(entry.tax_id for account in accounts.every(made.services.workspace) for entry in account.establishments)


def test_two_contents_of_a_key_are_compared_with_each_other(qtbot: QtBot, made: Made) -> None:
    made.services.scope.choose(None, None)
    page = page_of(qtbot, made)
    linked(page)
    settle(qtbot, page)
    side = page.beside.side
    assert side is not None
    contents = (
        Difference(message("Date"), "04/10/2026", "04/10/2026", True),
        Difference(message("Total"), "R$ 10,00", "R$ 11,00", False),
    )
    page.beside._put(replace(side, contents=contents))
    text = page.beside.compared.toPlainText()
    assert "Current content" in text and "Order" not in text
    assert text.index("R$ 11,00") < text.index("04/10/2026"), "what differs comes first"
    assert comparison_pages.DIFFERS in text


def test_what_is_looked_for_is_pinned_above_the_candidates(qtbot: QtBot, made: Made) -> None:
    made.services.scope.choose(None, None)
    page = page_of(qtbot, made)
    linked(page)
    settle(qtbot, page)
    page.commands[Command.LINK].trigger()
    dialog = page.deciders.dialog
    assert isinstance(dialog, LinkDialog)
    settle(qtbot, page)
    assert dialog.pinned_order.isVisible() and not dialog.pinned_paper.isVisible()
    orders, papers = (len(names) for names in (dialog._orders, dialog._keys))
    assert ("for the order " in dialog.for_orders.text()) == (orders == 1)
    assert ("for the document " in dialog.for_papers.text()) == (papers == 1)
    dialog.for_papers.click()
    settle(qtbot, page)
    assert dialog.pinned_paper.isVisible() and not dialog.pinned_order.isVisible()
    ranks = [row.likeness.rank[0] + bool(row.linked) for row in dialog.orders.rows_model.rows]
    assert ranks == sorted(ranks)
    dialog.reject()
