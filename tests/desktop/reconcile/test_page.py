"""The page Reconcile on the demonstration's archive: what it lists, both sides of it, and what a person decides."""

from __future__ import annotations

import threading
from pathlib import Path

import openpyxl
import pytest
from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QLabel, QWidget
from pytestqt.qtbot import QtBot

from confere.app.labels.finding_labels import HEADINGS, heading_of
from confere.app.reconciliation import decisions, queries
from confere.app.reconciliation.queries import FindingFilter, FindingQuery, FindingRow, FindingState
from confere.app.reconciliation.reconcile import reconcile
from confere.desktop.core import actions as commands
from confere.desktop.core.actions import Action
from confere.desktop.jobs.job_requests import SavedForm
from confere.desktop.reconcile import findings_table
from confere.desktop.reconcile.decisions.decision_commands import Command
from confere.desktop.reconcile.decisions.link_dialog import LinkDialog
from confere.desktop.reconcile.decisions.reason_dialogs import ReasonDialog, TogetherDialog
from confere.desktop.reconcile.filters import FindingFilters
from confere.desktop.reconcile.group_list import What, spoken
from confere.desktop.reconcile.page import ReconcilePage
from confere.desktop.reconcile.reconciliation_text import paper_name
from confere.desktop.services import Services
from confere.sales.findings import AFTER_CLOSING
from confere.system import formatting
from confere.system.messages import render
from tests.desktop.conftest import Made
from tests.desktop.reaching import settle as answered
from tests.desktop.saved import Asked, ended

LONG = 120_000  # ms; a bound for a machine under load, not an expectation


def settle(qtbot: QtBot, page: ReconcilePage) -> None:
    """Until every answer is here and what is beside follows the list."""
    answered(qtbot, page._services)
    while page.findings.is_following:
        qtbot.waitUntil(lambda: not page.findings.is_following)
        answered(qtbot, page._services)


def page_of(qtbot: QtBot, made: Made) -> ReconcilePage:
    page = ReconcilePage(made.services, commands.make(made.owner, made.services.look))
    qtbot.addWidget(page)
    page.resize(1116, 690)
    page.show()
    page.activateWindow()
    page.arrive()
    settle(qtbot, page)
    return page


@pytest.fixture
def page(qtbot: QtBot, made: Made) -> ReconcilePage:
    """Over every month, reconciled."""
    made.services.scope.choose(None, None)
    return page_of(qtbot, made)


def decided(qtbot: QtBot, page: ReconcilePage) -> None:
    qtbot.waitUntil(lambda: not page.writer.busy, timeout=LONG)
    settle(qtbot, page)


def every(services: Services, account: str, *states: FindingState) -> tuple[FindingRow, ...]:
    return queries.findings(services.opened, FindingQuery(account, FindingFilter(states=states)), 0, -1)


def linked(page: ReconcilePage) -> None:
    """Stand on a finding that has both sides and a link of the program."""
    for row in page.findings.rows:
        side = queries.side_by_side(page._services.opened, row.id)
        if side.links and side.orders and side.papers and not any(entry.manual for entry in side.links):
            page.findings.stand_on(row.id)
            return
    pytest.fail("no finding of this world has both sides")


# -- what it lists -------------------------------------------------------------------------------------------


def test_groups_tell_kinds_with_counts_and_amounts(page: ReconcilePage, made: Made) -> None:
    assert page.account is not None
    groups = queries.groups(made.services.opened, FindingQuery(page.account))
    shown = [entry for entry in page.groups.entries if entry.what is What.RULE]
    rules = [group.rule for group in groups if group.open or group.not_checked]
    assert [entry.rule for entry in shown] == sorted(rules, key=lambda rule: HEADINGS.index(heading_of(rule)))
    assert len(shown) >= 8
    (every_one,) = [entry for entry in page.groups.entries if entry.what is What.ALL]
    assert every_one.count == sum(group.open for group in groups)
    assert every_one.not_checked == sum(group.not_checked for group in groups) > 0
    assert str(every_one.not_checked) in spoken(every_one)
    (ties,) = [entry for entry in page.groups.entries if entry.what is What.TIES]
    assert ties.count == len(queries.ties(made.services.opened, page.account)) > 0


def test_the_list_is_what_waits_for_a_person(qtbot: QtBot, page: ReconcilePage, made: Made) -> None:
    assert page.account is not None
    waiting = every(made.services, page.account, FindingState.OPEN, FindingState.NOT_CHECKED)
    assert page.findings.rows == waiting
    late = sum(row.finding.rule in AFTER_CLOSING and row.stored.state is FindingState.NOT_CHECKED for row in waiting)
    assert late > 0
    assert page.footer.count.text() == f"{len(waiting)} findings · {late} only once the month is closed"
    rule = waiting[0].finding.rule
    page.groups.go_to(What.RULE, rule)
    settle(qtbot, page)
    assert page.findings.rows == tuple(row for row in waiting if row.finding.rule == rule)


def test_filters_narrow_list_and_groups(qtbot: QtBot, page: ReconcilePage, made: Made) -> None:
    page.filters.severities.changed.emit("severities", ("high",))
    settle(qtbot, page)
    assert page.findings.rows
    assert {row.finding.severity for row in page.findings.rows} == {"high"}
    named = page.findings.rows[0]
    text = (*named.finding.orders, *named.finding.keys)[0]
    page.filters.text.setText(text)
    page.filters.text.textEdited.emit(text)
    qtbot.waitUntil(lambda: page.filters.filters.text == text)
    settle(qtbot, page)
    assert named in page.findings.rows
    assert all(
        text in (*row.finding.orders, *row.finding.keys) or text in str(row.finding.evidence)
        for row in page.findings.rows
    )
    words = render(named.title).upper()
    page.filters.text.setText(words)
    page.filters.text.textEdited.emit(words)
    qtbot.waitUntil(lambda: page.filters.filters.text == words)
    settle(qtbot, page)
    assert named in page.findings.rows, "what the list calls it is looked for too"
    page.filters.clear_button.click()
    settle(qtbot, page)
    assert page.filters.filters == FindingFilters()
    assert page.filters.text.text() == ""


def test_nothing_matches_says_so_and_offers_the_way_back(qtbot: QtBot, page: ReconcilePage, made: Made) -> None:
    page.filters._take(FindingFilters(text="nonesuchword"))
    settle(qtbot, page)
    assert page._nothing.isVisible()
    (clear,) = page._nothing.offered
    clear.click()
    settle(qtbot, page)
    assert page.findings.table.isVisible()


def test_a_month_without_findings_says_what_was_checked(qtbot: QtBot, page: ReconcilePage, made: Made) -> None:
    made.services.scope.choose(None, "2019-01")
    settle(qtbot, page)
    assert "January 2019" in page._nothing.title.text()
    assert page._nothing.text.text()
    assert not page._nothing.offered


def test_a_run_shows_what_it_touched(qtbot: QtBot, page: ReconcilePage, made: Made) -> None:
    run = page.standing.runs[0]
    page.head.run_chosen.emit(run.entry.id)
    settle(qtbot, page)
    assert page.query.wanted.run == run.entry.id
    assert page.filters.filters.states == ()
    page.head.run_chosen.emit(None)
    settle(qtbot, page)
    assert page.query.wanted.run is None
    assert page.filters.filters == FindingFilters()


# -- both sides ----------------------------------------------------------------------------------------------


def test_both_sides_are_shown_with_marks_and_reasons(qtbot: QtBot, page: ReconcilePage, made: Made) -> None:
    linked(page)
    settle(qtbot, page)
    side = page.beside.side
    assert side is not None
    text = page.beside.compared.toPlainText()
    assert side.orders[0].order_id in text
    assert paper_name(side.papers[0].key) in text
    for entry in side.differences:
        assert entry.order_value.split("\n")[0] in text
        if not entry.agrees:
            assert "≠" in text
    reasons = page.beside.reasons.toPlainText()
    assert f"{side.links[0].link.confidence}%" in reasons


def test_j_k_and_enter_walk_through(qtbot: QtBot, page: ReconcilePage, made: Made) -> None:
    page.findings.table.setFocus()
    qtbot.waitUntil(page.findings.table.hasFocus)
    page.findings.table.selectRow(0)
    for key, place in ((Qt.Key.Key_J, 1), (Qt.Key.Key_J, 2), (Qt.Key.Key_K, 1)):
        QTest.keyClick(page.findings.table, key)
        assert page.findings.table.currentIndex().row() == place
    settle(qtbot, page)
    assert page.beside.side is not None
    assert page.beside.side.finding == page.findings.rows[1]
    QTest.keyClick(page.findings.table, Qt.Key.Key_Return)
    assert page.beside.compared.hasFocus()


def test_letters_typed_into_the_search_are_no_commands(qtbot: QtBot, page: ReconcilePage) -> None:
    page.findings.table.selectRow(0)
    page.filters.text.setFocus()
    QTest.keyClicks(page.filters.text, "jeli")
    assert page.filters.text.text() == "jeli"
    assert page.deciders.dialog is None
    assert page.findings.table.currentIndex().row() == 0


def test_o_opens_the_document(qtbot: QtBot, page: ReconcilePage, made: Made) -> None:
    linked(page)
    settle(qtbot, page)
    side = page.beside.side
    assert side is not None
    with qtbot.waitSignal(page.paper_wanted) as heard:
        page.commands[Command.OPEN].trigger()
    assert heard.args == [next(entry.key for entry in side.papers if entry.row is not None)]


# -- what is decided -----------------------------------------------------------------------------------------


def reason(page: ReconcilePage, text: str) -> None:
    dialog = page.deciders.dialog
    assert isinstance(dialog, ReasonDialog)
    dialog.edit.setPlainText(text)
    dialog.does.click()


def test_explaining_takes_it_off_the_list_and_undo_brings_it_back(
    qtbot: QtBot, page: ReconcilePage, made: Made
) -> None:
    page.findings.table.selectRow(0)
    first, second = page.findings.rows[:2]
    page.commands[Command.EXPLAIN].trigger()
    reason(page, "freight apart")
    decided(qtbot, page)
    assert first.id not in {row.id for row in page.findings.rows}
    assert page.findings.table.current is not None
    assert page.findings.table.current.id == second.id
    kept = queries.finding(made.services.opened, first.id)
    assert (kept.stored.state, kept.stored.note) == (FindingState.EXPLAINED, "freight apart")
    assert page.footer.undo.isVisible()
    page.footer.undo.click()
    decided(qtbot, page)
    assert queries.finding(made.services.opened, first.id).stored.state is first.stored.state
    assert first.id in {row.id for row in page.findings.rows}
    assert page.commands[Command.REDO].isEnabled()
    page.commands[Command.REDO].trigger()
    decided(qtbot, page)
    assert queries.finding(made.services.opened, first.id).stored.state is FindingState.EXPLAINED


def test_several_are_ignored_for_one_reason(qtbot: QtBot, page: ReconcilePage, made: Made) -> None:
    for place in range(3):
        index = page.findings.table.rows_model.index(place, 0)
        flags = page.findings.table.selectionModel().SelectionFlag
        page.findings.table.selectionModel().setCurrentIndex(index, flags.Select | flags.Rows)
    chosen = page.findings.selected
    assert len(chosen) == 3
    assert "3 selected" in page.footer.count.text()
    page.commands[Command.IGNORE].trigger()
    dialog = page.deciders.dialog
    assert isinstance(dialog, ReasonDialog)
    assert not dialog.does.isEnabled()  # without a reason nothing is ignored
    reason(page, "test orders")
    decided(qtbot, page)
    found = [queries.finding(made.services.opened, row.id) for row in chosen]
    assert {(row.stored.state, row.stored.note) for row in found} == {(FindingState.IGNORED, "test orders")}
    page.filters._take(FindingFilters(states=("ignored",)))
    settle(qtbot, page)
    page.findings.table.selectRow(0)
    assert page.commands[Command.REOPEN].isEnabled()
    page.commands[Command.REOPEN].trigger()
    decided(qtbot, page)
    assert len(every(made.services, str(page.account), FindingState.IGNORED)) == 2


def select(page: ReconcilePage, *places: int) -> None:
    model, flags = page.findings.table.selectionModel(), QItemSelectionModel.SelectionFlag
    model.clear()
    for place in places:
        model.setCurrentIndex(page.findings.table.rows_model.index(place, 0), flags.Select | flags.Rows)


def test_what_was_typed_is_there_again_after_esc(qtbot: QtBot, page: ReconcilePage) -> None:
    """For the same findings and the same act, until it is used."""
    select(page, 0, 1)
    page.commands[Command.EXPLAIN].trigger()
    asked = page.deciders.dialog
    assert isinstance(asked, ReasonDialog)
    QTest.keyClicks(asked.edit, "freight apart, see the contract")
    QTest.keyClick(asked, Qt.Key.Key_Escape)
    assert page.deciders.dialog is None
    for act, places, known in (
        (Command.EXPLAIN, (0,), ""),
        (Command.IGNORE, (0, 1), ""),
        (Command.EXPLAIN, (0, 1), "freight apart, see the contract"),
    ):
        select(page, *places)
        page.commands[act].trigger()
        again = page.deciders.dialog
        assert isinstance(again, ReasonDialog)
        assert again.edit.toPlainText() == known
        assert ("Typed before and not used yet." in labels_of(again)) == bool(known)
        if not known:
            again.reject()  # without a question: there is nothing to lose
    assert isinstance(again, ReasonDialog)
    again.does.click()
    decided(qtbot, page)
    page.footer.undo.click()
    decided(qtbot, page)
    select(page, 0, 1)
    page.commands[Command.EXPLAIN].trigger()
    last = page.deciders.dialog
    assert isinstance(last, ReasonDialog)
    assert last.edit.toPlainText() == ""
    last.reject()


def labels_of(dialog: QDialog) -> list[str]:
    return [label.text() for label in dialog.findChildren(QLabel)]


def test_the_footer_uses_its_room_and_counts_what_is_listed(qtbot: QtBot, page: ReconcilePage, made: Made) -> None:
    select(page, 0, 1, 2)
    QApplication.processEvents()
    said = page.footer.count
    assert "3 selected" in said.text()
    assert said.width() >= said.fontMetrics().horizontalAdvance(said.text())
    page.footer._signed = "October 2026 was signed by Ana Beatriz de Souza Albuquerque, 03/11/2026"
    page.footer.say_selected(3)
    QApplication.processEvents()
    assert "Albuquerque" in said.text()
    assert said.width() >= said.fontMetrics().horizontalAdvance(said.text())
    page.footer.say_signed(None)
    page.filters._take(FindingFilters(text="no finding says this"))
    settle(qtbot, page)
    assert page.findings.rows == ()
    assert said.text() == "0 findings"


def test_a_note_stays_with_the_finding(qtbot: QtBot, page: ReconcilePage, made: Made) -> None:
    page.findings.table.selectRow(0)
    row = page.findings.rows[0]
    page.commands[Command.NOTE].trigger()
    reason(page, "ask the marketplace")
    decided(qtbot, page)
    (found,) = [entry for entry in page.findings.rows if entry.id == row.id]
    assert found.stored.note == "ask the marketplace"
    page.commands[Command.NOTE].trigger()
    dialog = page.deciders.dialog
    assert isinstance(dialog, ReasonDialog)
    assert dialog.text == "ask the marketplace"
    dialog.reject()
    assert page.deciders.dialog is None


def test_a_note_that_was_changed_elsewhere_is_not_written_over_unseen(
    qtbot: QtBot, page: ReconcilePage, made: Made
) -> None:
    workspace = made.services.workspace
    page.findings.table.selectRow(0)
    number = page.findings.rows[0].id

    def stored() -> str | None:
        found = queries.side_by_side(made.services.opened, number).finding
        assert found is not None
        return found.stored.note

    page.commands[Command.NOTE].trigger()
    decisions.note(workspace, [number], "the client called")
    reason(page, "ask the marketplace")
    qtbot.waitUntil(lambda: bool(made.faults))
    assert "the client called" in str(made.faults.pop())
    assert stored() == "the client called"
    qtbot.waitUntil(lambda: not page._again.isActive())
    page.archive_changed()
    settle(qtbot, page)
    assert page.findings.rows[0].stored.note == "the client called"
    page.commands[Command.NOTE].trigger()
    dialog = page.deciders.dialog
    assert isinstance(dialog, ReasonDialog)
    assert dialog.text == "ask the marketplace"
    assert any("the client called" in label.text() for label in dialog.findChildren(QLabel))
    reason(page, "ask the marketplace")
    decided(qtbot, page)
    assert stored() == "ask the marketplace"


def test_links_are_confirmed_cut_and_put_back(qtbot: QtBot, page: ReconcilePage, made: Made) -> None:
    linked(page)
    settle(qtbot, page)
    side = page.beside.side
    assert side is not None
    pair = side.links[0]
    page.commands[Command.CONFIRM].trigger()
    decided(qtbot, page)
    assert page.beside.side is not None
    assert all(entry.confirmed or entry.manual for entry in page.beside.side.links)
    page.beside.link_act.emit(Command.UNLINK, (pair,))
    decided(qtbot, page)
    assert _pair(made, page, pair.link.order_id, pair.link.key) is None
    page.commands[Command.UNDO].trigger()
    decided(qtbot, page)
    assert _pair(made, page, pair.link.order_id, pair.link.key) is not None


def _pair(made: Made, page: ReconcilePage, order: str, key: str) -> object:
    links = queries.links(made.services.opened, str(page.account), order_id=order)
    return next((entry for entry in links if entry.link.key == key), None)


def test_the_link_dialog_finds_and_links(qtbot: QtBot, page: ReconcilePage, made: Made) -> None:
    linked(page)
    settle(qtbot, page)
    page.commands[Command.LINK].trigger()
    dialog = page.deciders.dialog
    assert isinstance(dialog, LinkDialog)
    settle(qtbot, page)
    assert not dialog.does.isEnabled()
    rows = dialog.papers.rows_model.rows
    assert [row.likeness.rank[0] for row in rows][:2] == sorted(row.likeness.rank[0] for row in rows)[:2]
    wanted = rows[0].paper
    dialog.text.setText(str(wanted.access_key))
    qtbot.waitUntil(lambda: [row.paper.id for row in dialog.papers.rows_model.rows] == [wanted.id], timeout=LONG)
    dialog.papers.selectRow(0)
    ((order, key),) = dialog.pairs
    assert key == wanted.access_key
    assert order in dialog.words.text()
    dialog.does.click()
    decided(qtbot, page)
    assert _pair(made, page, order, key) is not None


def test_the_link_dialog_finds_orders_too(qtbot: QtBot, page: ReconcilePage, made: Made) -> None:
    linked(page)
    settle(qtbot, page)
    page.commands[Command.LINK].trigger()
    dialog = page.deciders.dialog
    assert isinstance(dialog, LinkDialog)
    dialog.for_papers.click()
    settle(qtbot, page)
    assert dialog.orders.isVisible()
    dialog.orders.selectRow(0)
    assert all(order == dialog.orders.rows_model.rows[0].order.hub_id for order, _ in dialog.pairs)
    dialog.reject()


def test_split_and_merge_ask_which(qtbot: QtBot, page: ReconcilePage, made: Made) -> None:
    linked(page)
    settle(qtbot, page)
    side = page.beside.side
    assert side is not None
    for which in (Command.SPLIT, Command.MERGE):
        page.commands[which].trigger()
        dialog = page.deciders.dialog
        assert isinstance(dialog, TogetherDialog)
        assert set(dialog.orders) == {entry.order_id for entry in side.orders}
        assert set(dialog.keys) == {entry.key for entry in side.papers}
        dialog._orders[0][1].setChecked(len(dialog.orders) > 1)
        assert dialog.does.isEnabled() == bool(dialog.orders)
        dialog._orders[0][1].setChecked(True)
        dialog.does.click()
        decided(qtbot, page)
    assert _pair(made, page, side.orders[0].order_id, side.papers[0].key) is not None


# -- the other tables ----------------------------------------------------------------------------------------


def turn(qtbot: QtBot, page: ReconcilePage, what: What) -> QWidget:
    assert page.groups.go_to(what)
    settle(qtbot, page)
    return page._right.currentWidget()


def test_a_tie_is_decided_by_a_pair(qtbot: QtBot, page: ReconcilePage, made: Made) -> None:
    assert turn(qtbot, page, What.TIES) is page.ties
    tie = page.ties.table.current
    assert tie is not None
    orders, papers = page.ties.orders.rows_model.rows, page.ties.papers.rows_model.rows
    assert {row.order_id for row in orders} == set(tie.orders)
    assert [row.at for row in papers] == sorted(row.at for row in papers if row.at is not None)
    assert not page.ties.link.isEnabled()
    page.ties.orders.selectRow(0)
    page.ties.papers.selectRow(1)
    ((order, key),) = page.ties.chosen_pairs
    assert (order, key) == (orders[0].order_id, papers[1].key)
    page.ties.link.click()
    decided(qtbot, page)
    assert _pair(made, page, order, key) is not None


def test_a_tie_is_linked_in_order(qtbot: QtBot, page: ReconcilePage, made: Made) -> None:
    turn(qtbot, page, What.TIES)
    places = [number for number, row in enumerate(page.ties.rows) if len(row.orders) == len(row.keys)]
    page.ties.table.selectRow(places[0])
    settle(qtbot, page)
    assert page.ties.lists is not None
    pairs = page.ties.lists.pairs
    page.ties.in_order.click()
    decided(qtbot, page)
    assert all(_pair(made, page, order, key) is not None for order, key in pairs)


def test_a_tie_that_cannot_be_linked_in_order_says_why(qtbot: QtBot, page: ReconcilePage) -> None:
    turn(qtbot, page, What.TIES)
    ties = page.ties
    for place, row in enumerate(ties.rows):
        ties.table.selectRow(place)
        settle(qtbot, page)
        can = ties.in_order.isEnabled()
        assert ties.why.isVisible() != can
        assert bool(ties.why.text()) != can
        if not can:
            assert ties.why.text() in ties.in_order.accessibleDescription()
            assert f"Tie {row.number} has" in ties.in_order.toolTip()
    assert {ties.rows[place].number for place in range(len(ties.rows))}


def test_no_button_is_about_the_tie_before_while_the_lists_of_another_are_asked(
    qtbot: QtBot, page: ReconcilePage, made: Made
) -> None:
    turn(qtbot, page, What.TIES)
    ties = page.ties
    places = [number for number, row in enumerate(ties.rows) if len(row.orders) == len(row.keys)]
    assert len(places) > 1
    ties.table.selectRow(places[0])
    settle(qtbot, page)
    wanted: list[object] = []
    ties.link_wanted.connect(lambda _, pairs: wanted.append(pairs))
    ties.merge_wanted.connect(lambda _, tie: wanted.append(tie))
    gate = threading.Event()
    for number in range(2):  # both threads are busy while the lists are to be read
        made.services.reader.ask(f"busy {number}", gate.wait, lambda _: None)
    ties.table.selectRow(places[1])
    assert ties.lists is None and not ties.orders.rows_model.rows
    for button in (ties.in_order, ties.link, ties.merge):
        assert not button.isEnabled()
        button.click()
    ties.table.selectRow(places[1])
    gate.set()
    settle(qtbot, page)
    assert wanted == []
    assert ties.lists is not None
    assert {row.order_id for row in ties.lists.orders} == set(ties.rows[places[1]].orders)
    ties.merge.click()
    assert wanted == [ties.rows[places[1]]]
    decided(qtbot, page)


def test_goods_at_the_marketplace_have_their_chain(qtbot: QtBot, page: ReconcilePage, made: Made) -> None:
    assert turn(qtbot, page, What.STOCK) is page.stock
    line = page.stock.table.current
    assert line is not None
    moves = page.stock.moves.rows_model.rows
    assert moves == queries.stock_chain(made.services.opened, str(page.account), line.subject).moves
    assert moves[-1].movement.balance == line.line.balance
    with qtbot.waitSignal(page.paper_wanted) as heard:
        page.stock.moves.selectRow(0)
        QTest.keyClick(page.stock.moves, Qt.Key.Key_Return)
    assert heard.args == [moves[0].movement.key]
    page.stock.table.copy()
    assert line.line.code in QGuiApplication.clipboard().text()
    page.stock.heading.setFixedWidth(120)
    page.stock.heading.grab()
    assert page.stock.heading.toolTip() == page.stock.heading.text(), "cut off without a sign of it"


def test_a_finding_about_goods_leads_to_its_item(qtbot: QtBot, page: ReconcilePage, made: Made) -> None:
    page.show_rule("R16")
    settle(qtbot, page)
    row = page.findings.rows[-1]
    page.findings.stand_on(row.id)
    settle(qtbot, page)
    page.beside.stock_wanted.emit(row.finding.subject)
    settle(qtbot, page)
    line = page.stock.table.current
    assert line is not None
    assert row.finding.subject.startswith(line.subject)


def test_orders_show_their_documents(qtbot: QtBot, page: ReconcilePage, made: Made) -> None:
    turn(qtbot, page, What.ORDERS)
    line = page.orders.table.current
    assert line is not None
    assert page.beside.side is not None
    assert line.order.hub_id in [entry.order_id for entry in page.beside.side.orders]
    found = next(row for row in page.orders.rows if row.keys)
    page.orders.text.setText(found.order.hub_id)
    qtbot.waitUntil(lambda: [row.order.hub_id for row in page.orders.rows] == [found.order.hub_id], timeout=LONG)
    assert page.orders.write.isEnabled()


def test_taxes_add_up_the_month(qtbot: QtBot, page: ReconcilePage) -> None:
    assert turn(qtbot, page, What.TAXES) is page.taxes
    assert page.taxes.rows
    assert all(row.documents for row in page.taxes.rows)


# -- before there is anything --------------------------------------------------------------------------------


def test_an_empty_archive_teaches(qtbot: QtBot, made_empty: Made) -> None:
    page = page_of(qtbot, made_empty)
    assert page.empty.isVisible()
    assert "nothing to reconcile" in page.empty.title.text()
    assert not page.head.run.isVisible()


def test_what_is_recorded_while_the_page_is_open_is_shown(qtbot: QtBot, page: ReconcilePage, made: Made) -> None:
    before = len(page.standing.runs)
    reconcile(made.services.workspace, (str(page.account),), None)
    page.archive_changed()
    qtbot.waitUntil(lambda: len(page.standing.runs) == before + 1, timeout=LONG)
    assert page.standing.runs[0].compared is not None


def test_the_head_asks_for_runs_reports_and_orders(qtbot: QtBot, page: ReconcilePage) -> None:
    wanted: list[object] = []
    page.report_wanted.connect(wanted.append)
    page.import_wanted.connect(wanted.append)
    page.head.report.click()
    page.head.bring.click()
    assert wanted == [page.account, page.account]
    assert page.head.start.defaultAction() is page._actions[Action.RECONCILE_NOW]


def test_all_are_selected_also_those_not_read_yet(
    qtbot: QtBot, page: ReconcilePage, made: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    every_one = page.findings.rows
    monkeypatch.setattr(findings_table, "PAGE", 3)
    page.findings.clear()
    page.findings.ask(page.query)
    settle(qtbot, page)
    assert page.findings.rows == every_one[: len(page.findings.rows)] != every_one
    anew: list[bool] = []
    page.findings.table.rows_model.modelReset.connect(lambda: anew.append(True))
    QTest.keyClick(page.findings.table, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: len(page.findings.selected) == len(every_one))
    assert page.findings.selected == page.findings.rows == every_one
    assert not anew  # the others came below those that were there
    assert f"{formatting.count(len(every_one))} selected" in page.footer.count.text()
    QTest.keyClick(page.findings.table, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    assert page.findings.selected == every_one


def test_a_list_that_is_asked_again_is_the_same_rows(qtbot: QtBot, page: ReconcilePage) -> None:
    before = page.findings.rows
    page.findings.ask(page.query)
    settle(qtbot, page)
    assert all(one is other for one, other in zip(page.findings.rows, before, strict=True))


def test_the_overview_leads_to_a_severity(qtbot: QtBot, page: ReconcilePage, made: Made) -> None:
    page.show_severity("high")
    settle(qtbot, page)
    assert {row.finding.severity for row in page.findings.rows} == {"high"}


def test_all_findings_of_the_list_become_a_spreadsheet(
    qtbot: QtBot, page: ReconcilePage, made: Made, tmp_path: Path
) -> None:
    assert page.account is not None
    page.findings.table.selectAll()
    settle(qtbot, page)
    bar = page.selection.bar
    rows = page.findings.rows
    assert bar.text.text().startswith(f"{formatting.count(len(rows))} selected · R$")
    assert bar.buttons["xml"].isVisible()
    page.selection.ask = Asked(tmp_path / "f.xlsx").dialogs
    bar.all_wanted.emit(SavedForm.XLSX.value)
    assert ended(qtbot, made.services).done
    sheet = openpyxl.load_workbook(tmp_path / "f.xlsx").active
    assert sheet is not None
    head, *lines = sheet.iter_rows(values_only=True)
    listed = queries.findings(made.services.opened, page.query, 0, -1)
    assert [line[head.index("Number of the finding")] for line in lines] == [str(row.id) for row in listed]


def test_the_finding_stays_chosen_and_in_sight_when_every_month_is_shown(
    qtbot: QtBot, page: ReconcilePage, made: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    last = max(page.findings.rows, key=lambda row: (row.finding.period, row.id))
    monkeypatch.setattr(findings_table, "PAGE", 5)  # it is on none of the first pages of all
    made.services.scope.choose(None, last.finding.period)
    settle(qtbot, page)
    page.findings.table.selectRow(len(page.findings.rows) - 1)
    settle(qtbot, page)
    chosen = page.findings.table.current
    assert chosen is not None
    made.services.scope.choose(None, None)
    settle(qtbot, page)
    table = page.findings.table
    assert table.current is not None and table.current.id == chosen.id
    assert [row.id for row in page.findings.selected] == [chosen.id]
    assert table.currentIndex().row() > 5
    assert table.viewport().rect().contains(table.visualRect(table.currentIndex()).center())
