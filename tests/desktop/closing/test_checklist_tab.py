"""The Closing page's checklist: all companies in a table, the lines of one, and the ways from a line to its remedy."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from confere.app.closing import close_month
from confere.app.closing.checklist_line import ChecklistLine, LineCode, LineState, NamedEvent, RemedyKind, named
from confere.app.closing.close_month import CloseRequest
from confere.app.labels.checklist_labels import line_title, month_state_word
from confere.app.labels.labels import event_word, key_groups
from confere.desktop.closing.line_row import ChecklistRow
from confere.desktop.core.actions import Action
from confere.desktop.jobs.job import JobKind
from confere.desktop.shell.window import MainWindow
from confere.errors import message
from tests.desktop.conftest import Made
from tests.desktop.rooms import Open, Room

MONTH = "2026-10"
JOBS = {
    RemedyKind.SYNC: JobKind.SYNC,
    RemedyKind.VERIFY: JobKind.VERIFY,
    RemedyKind.RECONCILE: JobKind.RECONCILE,
}
PLACES = {
    RemedyKind.FINDINGS: Action.RECONCILE,
    RemedyKind.ORDERS: Action.ORDERS,
    RemedyKind.NOT_AUTHENTIC: Action.DOCUMENTS,
    RemedyKind.UNREADABLE: Action.ACTIVITY,
    RemedyKind.NOT_OFFERED: Action.ACTIVITY,
    RemedyKind.TERMS: Action.SETTINGS,
    RemedyKind.CHANGES: Action.CLOSING,
}


@pytest.fixture
def room(qtbot: QtBot, open_window: Open, made: Made) -> Iterator[Room]:
    """A window on the demo's archive, gone to Closing of October."""
    home = made.services.workspace.home.root
    opened = open_window(home)
    opened.session.services.scope.choose(None, MONTH)
    opened.window.go_to(Action.CLOSING)
    qtbot.waitUntil(lambda: opened.window.closing.checklist.shown is not None)
    yield opened


def _row(window: MainWindow, code: LineCode) -> ChecklistRow:
    return next(row for row in window.closing.checklist.rows if row.line.code is code)


def test_several_companies_are_a_table_and_one_click_goes_in(qtbot: QtBot, room: Room) -> None:
    window, scope = room.window, room.session.services.scope
    office = window.closing.checklist.office
    assert office.isVisible()
    assert len(office.rows_model.rows) == 2
    assert window.closing.state.isVisible()
    wanted = office.rows_model.rows[1].company.tax_id
    place = office.visualRect(office.rows_model.index(1, 0)).center()
    qtbot.mouseClick(office.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
    qtbot.waitUntil(lambda: bool(window.closing.checklist.rows))
    assert scope.company == wanted
    assert scope.month == MONTH
    everybody = window.closing.checklist.everybody
    assert everybody.isVisible()
    everybody.click()
    qtbot.waitUntil(office.isVisible)
    assert scope.company is None


def test_each_line_says_its_state_and_opens_its_proof(qtbot: QtBot, room: Room) -> None:
    window = room.window
    company = window.closing.checklist.office.rows_model.rows[0].company
    room.session.services.scope.choose(company.tax_id, MONTH)
    qtbot.waitUntil(lambda: bool(window.closing.checklist.rows))
    rows = window.closing.checklist.rows
    assert [(row.line.code, row.line.state) for row in rows] == [(line.code, line.state) for line in company.lines]
    first, *counts = window.closing.checklist._summary.text().split(" · ")
    assert first == f"Documents of the month: {company.documents}"
    assert sum(int(count.rpartition(" ")[2]) for count in counts) == len(rows)
    row = _row(window, LineCode.DOCUMENTS_LISTED)
    assert row.fold.accessibleName()
    assert not row._proof.isVisible()
    row.fold.click()
    assert row._proof.isVisible()
    window.closing.archive_changed()  # looked at again, what was opened stays open
    qtbot.waitUntil(lambda: _row(window, LineCode.DOCUMENTS_LISTED) is not row)
    assert _row(window, LineCode.DOCUMENTS_LISTED).fold.isChecked()


def test_without_a_month_it_asks_for_one(qtbot: QtBot, room: Room) -> None:
    checklist = room.window.closing.checklist
    room.session.services.scope.choose(None, None)
    qtbot.waitUntil(lambda: checklist.shown is None)
    assert not room.window.closing.state.isVisible()
    assert not checklist.office.isVisible()


def test_an_empty_folder_has_nothing_to_check(qtbot: QtBot, open_window: Open, made_empty: Made) -> None:
    room = open_window(made_empty.services.workspace.home.root)
    room.session.services.scope.choose(None, MONTH)
    room.window.go_to(Action.CLOSING)
    assert room.window.closing.checklist.shown is None
    assert not room.window.closing.state.isVisible()


def test_a_button_leads_to_what_mends_it(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    window = room.window
    started: list[JobKind] = []
    monkeypatch.setattr(room.jobs, "start", lambda order: started.append(order.kind))
    for kind, job in JOBS.items():
        window.closing.remedy_wanted.emit(_line(kind), "")
        assert started.pop() is job
    company = window.closing.checklist.office.rows_model.rows[0].company.tax_id
    scope = room.session.services.scope
    for kind, place in PLACES.items():
        window.go_to(Action.CLOSING)
        scope.choose(None, MONTH)
        window.closing.remedy_wanted.emit(_line(kind), company)
        assert window.place is place
        if kind in (RemedyKind.FINDINGS, RemedyKind.ORDERS, RemedyKind.NOT_AUTHENTIC, RemedyKind.CHANGES):
            assert (scope.company, scope.month) == (company, MONTH), "the line is of that company"
    assert window.closing.tabs.currentWidget() is window.closing.changes
    triggered: list[Action] = []
    for action in (Action.IMPORT_FILES, Action.EXPORT):
        window.actions_by_act[action].triggered.disconnect()
        window.actions_by_act[action].triggered.connect(lambda _=False, action=action: triggered.append(action))
    window.closing.remedy_wanted.emit(_line(RemedyKind.IMPORT), company)
    window.closing.remedy_wanted.emit(_line(RemedyKind.EXPORT), company)
    assert triggered == [Action.IMPORT_FILES, Action.EXPORT]
    assert {*JOBS, *PLACES, RemedyKind.IMPORT, RemedyKind.EXPORT} == set(RemedyKind)


def test_what_no_list_has_is_opened_itself(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """An event that is not authentic, of a document that is."""
    window = room.window
    shown: list[str] = []
    monkeypatch.setattr(window.details, "show_key", shown.append)
    keys = _some_keys(room)
    for proof in (named(keys), replace(named(keys), is_listed=False), named(keys[:1])):
        window.closing.remedy_wanted.emit(replace(_line(RemedyKind.NOT_AUTHENTIC), proof=proof), "")
    assert shown == [keys[0], keys[0]]


def test_a_key_of_a_proof_opens_its_document_and_the_list_is_copied(qtbot: QtBot, room: Room) -> None:
    window = room.window
    keys = tuple(_some_keys(room))
    proof = named(keys, "confere list", documents=len(keys))
    line = ChecklistLine(code=LineCode.AUTHENTICITY, state=LineState.PROBLEM, what=message("x"), proof=proof)
    row = ChecklistRow(room.session.services.look, line, is_open=True)
    qtbot.addWidget(row)
    asked: list[str] = []
    row.paper_wanted.connect(asked.append)
    row.copy_wanted.connect(lambda line: QGuiApplication.clipboard().setText("\n".join(line.proof.names)))
    links = [link for link in row.findChildren(QPushButton) if link.property("look") == "link"]
    links[0].click()
    assert asked == [keys[0]]
    links[-1].click()
    assert QApplication.clipboard().text().splitlines() == list(keys)
    window.closing.paper_wanted.emit(keys[0])
    assert window.place is Action.DOCUMENTS


def test_a_proof_names_the_event_that_it_is_about(qtbot: QtBot, room: Room) -> None:
    keys = tuple(_some_keys(room))
    event = NamedEvent(keys[0], "110111", 1, "Cancelamento", with_document=False)
    line = replace(_line(RemedyKind.NOT_AUTHENTIC), proof=replace(named(keys), events=(event,)))
    row = ChecklistRow(room.session.services.look, line, is_open=True)
    qtbot.addWidget(row)
    texts = [link.text() for link in row.findChildren(QPushButton) if link.property("look") == "link"]
    assert [event_word("110111") in text for text in texts[:2]] == [True, False]
    assert texts[0].startswith(key_groups(keys[0]))


def _line(kind: RemedyKind) -> ChecklistLine:
    return ChecklistLine(code=LineCode.FINDINGS, state=LineState.PROBLEM, what=message("x"), remedy_kind=kind)


def _some_keys(room: Room) -> list[str]:
    with room.session.services.opened.reading() as transaction:
        return transaction.column("SELECT access_key FROM document WHERE access_key IS NOT NULL LIMIT 3")


def test_a_closed_month_says_so_and_what_it_lacks_nevertheless(qtbot: QtBot, room: Room) -> None:
    page, scope = room.window.closing, room.session.services.scope
    assert not page.closed.isVisible()
    company = next(row.company for row in page.checklist.office.rows_model.rows if not row.company.is_complete)
    close_month.close(room.session.services.workspace, CloseRequest(MONTH, company.tax_id, allow_incomplete=True))
    page.arrive()
    qtbot.waitUntil(page.closed.isVisible)
    assert page.closed.text() == "closed: 1 of 2"
    scope.choose(company.tax_id, MONTH)
    qtbot.waitUntil(lambda: bool(page.checklist.rows))
    assert page.closed.text().startswith("closed on ")
    assert page.state.text() == month_state_word(company.state)
    lacks = [row.line for row in page.checklist.rows if row.line.state in (LineState.PROBLEM, LineState.NOT_CHECKED)]
    qtbot.waitUntil(lambda: company.name is None or company.name in page._company.text())
    assert page._company.text().endswith(
        f" · pending: {', '.join(dict.fromkeys(line_title(line.code) for line in lacks))}"
    )
    scope.choose(None, None)
    assert not page.closed.isVisible()
    assert "pending" not in page._company.text()
