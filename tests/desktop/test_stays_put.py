"""What somebody has under the hands stays there while the archive changes or another month is chosen."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QItemSelection, QItemSelectionModel, QObject, Qt
from PySide6.QtGui import QActionGroup, QGuiApplication, QInputMethodEvent
from PySide6.QtWidgets import QMenu, QPushButton
from pytestqt.qtbot import QtBot

from confere.app.documents import browse
from confere.app.documents.search import search_language
from confere.desktop.core import activity_sections
from confere.desktop.core.actions import PLACES, Action
from confere.desktop.documents.columns import COLUMNS
from confere.desktop.documents.document_list import DocumentModel
from confere.desktop.documents.filters import DocumentFilters
from confere.desktop.documents.page import DocumentsPage
from confere.desktop.jobs import job_results
from confere.desktop.jobs.job import JobKind, JobOutcome, JobRequest
from confere.desktop.services import Services
from confere.desktop.shell.search.search_box import SearchBox
from confere.desktop.theme.theme import Look
from confere.desktop.widgets.notices import Notice
from confere.system import formatting
from tests.desktop.rooms import LONG, Open, Room

_ROWS = QItemSelectionModel.SelectionFlag.Select | QItemSelectionModel.SelectionFlag.Rows


@pytest.fixture
def room(qtbot: QtBot, home: Path, open_window: Open) -> Room:
    made = open_window(home)
    made.session.services.watch.stop()  # the test says when the archive is looked at
    made.session.services.scope.choose(None, "1999-01")  # chosen once, no newest month is guessed any more
    made.session.services.scope.choose(None, None)
    made.window.go_to(Action.DOCUMENTS)
    rest(qtbot, made)
    return made


def rest(qtbot: QtBot, room: Room) -> None:
    services, page = room.session.services, room.window.documents
    qtbot.waitUntil(
        lambda: not services.reader.busy and not page.table.is_following and page.model.is_settled, timeout=LONG
    )


def a_newer_document_comes(room: Room, qtbot: QtBot) -> None:
    """The oldest document becomes the newest: rows move, as when one comes in above."""
    page: DocumentsPage = room.window.documents
    qtbot.waitUntil(lambda: not page.model._pause.isActive(), timeout=LONG)
    with closing(sqlite3.connect(room.session.services.workspace.home.archive)) as archive, archive:
        archive.execute(
            "UPDATE document SET issued_at = '2031-01-01T00:00:00-03:00', issued_on = '2031-01-01' WHERE id = ?",
            (page.model.ids[-1],),
        )
    page.archive_changed()
    rest(qtbot, room)


def test_who_looks_at_the_top_stays_there_although_a_row_below_is_chosen(qtbot: QtBot, room: Room) -> None:
    table = room.window.documents.table
    chosen = room.window.documents.model.ids[200]
    table.stand_on(chosen)
    table.verticalScrollBar().setValue(0)
    rest(qtbot, room)
    newest = room.window.documents.model.ids[-1]
    a_newer_document_comes(room, qtbot)
    assert room.window.documents.model.ids[0] == newest
    assert table.verticalScrollBar().value() == 0
    assert table.current_id == chosen


def test_the_list_stays_scrolled_to_the_side(qtbot: QtBot, room: Room) -> None:
    table = room.window.documents.table
    for column in COLUMNS:
        table.show_column(column.key, True)
    table.stand_on(room.window.documents.model.ids[3])
    bar = table.horizontalScrollBar()
    assert bar.maximum() > 200
    bar.setValue(200)
    rest(qtbot, room)
    a_newer_document_comes(room, qtbot)
    assert bar.value() == 200


def test_thousands_of_selected_rows_are_found_again_at_once(qtbot: QtBot, room: Room) -> None:
    """Every other row: the stretches do not grow together. All columns are selected, as a click on a row does."""
    page = room.window.documents
    model, selection = page.model, page.table.selectionModel()
    rows = QItemSelection()
    for place in range(0, len(model.ids), 2):
        rows.select(model.index(place, 0), model.index(place, 0))
    selection.select(rows, _ROWS)
    rest(qtbot, room)
    before = sorted(page.table.selected_ids())
    a_newer_document_comes(room, qtbot)
    assert sorted(page.table.selected_ids()) == before
    assert selection.isRowSelected(page.table.selected_places()[0].start)


def test_another_month_does_not_take_the_keyboard_from_the_search(qtbot: QtBot, room: Room) -> None:
    search = room.window.top.search
    qtbot.waitUntil(lambda: QGuiApplication.focusWindow() is not None)
    search.setFocus()
    room.window.actions_by_act[Action.EARLIER_MONTH].trigger()
    rest(qtbot, room)
    assert room.window.documents.model.ids
    assert search.hasFocus()


def test_a_day_goes_with_its_month(qtbot: QtBot, room: Room) -> None:
    """Or the list would show a day of October under the name of September."""
    page, scope = room.window.documents, room.session.services.scope
    newest, older = (entry.month for entry in browse.months(room.session.services.opened, None)[:2])
    row = browse.rows(room.session.services.opened, [page.model.ids[0]])[0]
    assert row.issued_on is not None
    scope.choose(None, row.issued_on[:7])
    page.set_filters(DocumentFilters(day=row.issued_on, types=(row.type,)))
    rest(qtbot, room)
    assert row.id in page.model.ids
    scope.choose(None, older if row.issued_on.startswith(newest) else newest)
    rest(qtbot, room)
    assert page.chips.filters == DocumentFilters(types=(row.type,))
    days = {found.issued_on or "" for found in browse.rows(room.session.services.opened, page.model.ids)}
    assert all(day.startswith(scope.month or "?") for day in days)


def test_a_day_goes_with_its_month_while_another_page_is_shown(qtbot: QtBot, room: Room) -> None:
    page, scope = room.window.documents, room.session.services.scope
    scope.choose(None, "2026-03")
    page.set_filters(DocumentFilters(day="2026-03-05"))
    room.window.go_to(Action.SETTINGS)
    scope.choose(None, "2026-02")
    room.window.go_to(Action.DOCUMENTS)
    rest(qtbot, room)
    assert page.chips.filters.day is None


def test_a_day_outside_of_the_period_brings_its_month(qtbot: QtBot, room: Room) -> None:
    """Or the list would be empty, and its chips would name a day that the period does not have."""
    page, scope = room.window.documents, room.session.services.scope
    row = browse.rows(room.session.services.opened, [page.model.ids[0]])[0]
    assert row.issued_on is not None
    scope.choose_period("1999-01-05", "1999-02-10")
    rest(qtbot, room)
    page.show_only(day=row.issued_on)
    rest(qtbot, room)
    assert (scope.month, scope.period) == (row.issued_on[:7], None)
    assert page.chips.filters == DocumentFilters(day=row.issued_on)
    assert row.id in page.model.ids
    scope.choose_period(row.issued_on, row.issued_on[:8] + "31")
    page.show_only(day=row.issued_on)
    assert scope.period is not None, "it has the day"


def test_what_is_searched_for_stands_only_beside_the_list(qtbot: QtBot, room: Room) -> None:
    window, box = room.window, room.window.top.search
    box.put("valor>1")
    rest(qtbot, room)
    found = list(window.documents.model.ids)
    assert found
    for place in PLACES:
        window.go_to(place)
        rest(qtbot, room)
        assert box.text() == ("valor>1" if place is Action.DOCUMENTS else "")
    window.go_to(Action.SETTINGS)
    window.go_to(Action.DOCUMENTS)
    rest(qtbot, room)
    assert list(window.documents.model.ids) == found
    window.go_to(Action.RECONCILE)
    box.setFocus()
    qtbot.keyClicks(box, "valr:3")
    qtbot.waitUntil(lambda: window.place is Action.DOCUMENTS)
    rest(qtbot, room)
    assert box.text() == "valr:3" and box.problem is not None
    window.go_to(Action.RECONCILE)
    assert box.problem is None
    window.go_to(Action.DOCUMENTS)
    assert box.text() == "valr:3" and box.problem is not None
    box.selectAll()
    qtbot.keyClicks(box, "valor>1")
    window.go_to(Action.DOCUMENTS)  # as Ctrl+F and the keys of tabs do, before the keys have rested
    assert box.text() == "valor>1"
    rest(qtbot, room)
    assert list(window.documents.model.ids) == found


def test_what_is_being_typed_stays_when_its_place_is_gone_to_again(qtbot: QtBot, room: Room) -> None:
    window, box = room.window, room.window.top.search
    qtbot.waitUntil(lambda: QGuiApplication.focusWindow() is not None)
    window.go_to(Action.SETTINGS)
    box.setFocus()
    qtbot.keyClicks(box, "valor")
    window.go_to(Action.SETTINGS)
    assert (box.text(), box.hasFocus()) == ("valor", True)
    qtbot.keyClicks(box, ">1")
    qtbot.waitUntil(lambda: window.place is Action.DOCUMENTS)
    rest(qtbot, room)
    assert box.text() == "valor>1" and window.documents.model.ids
    window.go_to(Action.SETTINGS)
    box.setFocus()
    qtbot.keyClicks(box, "valor")
    window.go_to(Action.ORDERS)  # somebody left
    assert box.text() == ""
    rest(qtbot, room)
    assert window.place is Action.ORDERS


def test_a_menu_that_is_opened_again_leaves_nothing_behind(qtbot: QtBot, room: Room) -> None:
    window = room.window
    menus = (
        window.top.scope.month.menu(),
        window.top.scope.company.menu(),
        window.top.sync.menu(),
        window.documents._columns.menu(),
    )

    def parts() -> int:
        for menu in menus:
            menu.aboutToShow.emit()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        return sum(len(menu.findChildren(QObject)) for menu in menus)

    before = parts()
    assert any(menu.findChildren(QMenu) for menu in menus)
    assert any(menu.findChildren(QActionGroup) for menu in menus)
    for _ in range(5):
        assert parts() == before


def test_a_fault_is_told_once_however_often_the_window_was_made_anew(qtbot: QtBot, room: Room) -> None:
    heard: list[Notice] = []
    room.session.services.notices.added.connect(heard.append)
    for _ in range(3):
        room.window.rebuild_wanted.emit()
        rest(qtbot, room)
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    room.session.faults.tell(full())
    assert len(heard) == 1


def test_a_way_out_of_an_empty_list_stays_while_the_archive_changes(qtbot: QtBot, room: Room) -> None:
    """Else its button would go from under the mouse every second of a sync."""
    page, services = room.window.documents, room.session.services
    services.scope.choose(None, "1999-01")
    rest(qtbot, room)
    assert "Search in every month" in page.empty.offered
    seen = []
    page.model.settled.connect(lambda: seen.append(page.empty.offered))
    page.archive_changed()
    rest(qtbot, room)
    assert seen
    assert all("Search in every month" in offered for offered in seen)


def test_the_list_follows_the_details_and_the_key_is_of_what_one_is_in(qtbot: QtBot, room: Room) -> None:
    page, details, services = room.window.documents, room.window.details, room.session.services
    freight = next(row for row in browse.rows(services.opened, page.model.ids) if row.type == "cte")
    page.table.stand_on(freight.id)
    rest(qtbot, room)
    assert details.current is not None
    key = next(entry.target_key for entry in details.current.relations if entry.archived)
    details.show_key(key)
    rest(qtbot, room)
    walked = browse.id_of(services.opened, key)
    assert page.selected_id == walked
    services.scope.choose(None, "1999-01")  # the list has nothing; the details go on
    services.scope.choose(None, freight.issued_on[:7] if freight.issued_on else None)
    page.set_filters(DocumentFilters(types=("cte",)))
    rest(qtbot, room)
    page.table.stand_on(freight.id)
    rest(qtbot, room)
    details.show_key(key)
    rest(qtbot, room)
    assert page.selected_id == freight.id
    details.take_keyboard()
    room.window.actions_by_act[Action.COPY_KEY].trigger()
    assert QGuiApplication.clipboard().text() == key
    page.table.setFocus()
    room.window.actions_by_act[Action.COPY_KEY].trigger()
    assert QGuiApplication.clipboard().text() == freight.access_key


def test_the_status_bar_says_what_its_sum_leaves_out(qtbot: QtBot, room: Room) -> None:
    whole = browse.totals(room.session.services.opened, browse.DocumentQuery())
    assert whole.void_count
    tip = room.window.status.totals.toolTip()
    assert tip.startswith(room.window.status.totals.text())
    assert formatting.money(whole.void_worth) in tip


def full() -> Exception:
    from confere.errors import DiskFull, message

    return DiskFull(message("The disk is full."), message("Make room."))


class Typed(SearchBox):
    """Counts what an input method is told: each such word ends a letter that is put together of two keys."""

    def __init__(self, look: Look) -> None:
        self.words_of_input = 0
        super().__init__(look)

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        self.words_of_input += 1
        super().inputMethodEvent(event)


def test_a_letter_of_two_keys_can_be_typed_while_the_list_answers(qtbot: QtBot, services: Services) -> None:
    """The list says that all is well with each answer, every second of a sync: `~` and then `a` has to stay `ã`."""
    box = Typed(services.look)
    qtbot.addWidget(box)
    box.setText("Jo")
    box.show_problem(None)
    box.show_problem(None)
    assert box.words_of_input == 0
    wrong = search_language.parse("valr:3", browse.DocumentQuery()).problems[0]
    box.setText("valr:3")
    box.show_problem(wrong)
    assert box.words_of_input == 1
    box.show_problem(wrong)
    assert box.words_of_input == 1
    box.show_problem(None)
    assert box.problem is None


def test_a_column_that_is_dragged_is_written_when_the_hand_rests(qtbot: QtBot, services: Services) -> None:
    memory = services.memory
    memory.save()
    before = memory.file.read_bytes() if memory.file.exists() else b""
    for width in range(100, 140):
        memory.put("documents/columns", f"width {width}")
        QCoreApplication.processEvents()
        assert memory.text("documents/columns") == f"width {width}"
    assert (memory.file.read_bytes() if memory.file.exists() else b"") == before
    qtbot.waitUntil(lambda: memory.file.exists() and b"width 139" in memory.file.read_bytes())


def test_the_pages_of_a_document_stay_where_they_were_when_it_is_read_again(qtbot: QtBot, room: Room) -> None:
    """Each change of the archive reads it again; one that concerns it draws anew only what is another."""
    page, details, services = room.window.documents, room.window.details, room.session.services
    freight = next(row for row in browse.rows(services.opened, page.model.ids) if row.type == "cte")
    page.table.stand_on(freight.id)
    rest(qtbot, room)
    for tab in ("history", "relations"):
        details.show_tab(tab)
    body, relations = details.timeline.widget(), details.relations.list
    assert body is not None
    relations.setCurrentIndex(relations.rows_model.index(len(relations.rows_model.rows) - 1))
    chosen = relations.currentIndex().row()
    assert chosen > 1
    with closing(sqlite3.connect(services.workspace.home.archive)) as archive, archive:
        archive.execute("UPDATE document SET nature = 'another nature' WHERE id = ?", (freight.id,))
    details.refresh()
    rest(qtbot, room)
    assert details.current is not None
    assert details.current.row is not None
    assert details.current.row.nature == "another nature"
    for tab in ("history", "relations"):
        details.show_tab(tab)
    assert details.timeline.widget() is body
    assert relations.currentIndex().row() == chosen


def test_to_paint_it_with_everything_selected_costs_no_more_with_more_rows(
    qtbot: QtBot, room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl+A in a list of a hundred thousand: each picture of its head would ask every row."""
    asked = []
    monkeypatch.setattr(
        DocumentModel, "flags", lambda _model, index: asked.append(index.row()) or Qt.ItemFlag.ItemIsSelectable
    )
    page = DocumentsPage(room.session.services, room.window.actions_by_act)
    qtbot.addWidget(page)
    page.resize(1200, 700)
    page.show()
    page.arrive()
    qtbot.waitUntil(lambda: page.model.is_settled and len(page.model.ids) > 200)
    page.table.selectAll()
    asked.clear()
    page.grab()
    assert len(page.table.selected_ids()) == len(page.model.ids)
    assert len(set(asked)) < 100


def test_show_what_failed_shows_just_that(qtbot: QtBot, room: Room) -> None:
    room.window.activity.show_view(activity_sections.TRAIL)
    result = {"files": 1, "documents": 0, "events": 0, "duplicates": 0, "unreadable": 1}
    order = JobRequest(JobKind.IMPORT, "Import", ("import", "note.xml"))
    room.jobs.ended.emit(JobOutcome(order, 1, job_results.read(order.kind, result), None, stopped=False))
    buttons = room.window.notices.findChildren(QPushButton)
    (button,) = (button for button in buttons if button.text() == "Show what failed")
    button.click()
    rest(qtbot, room)
    assert room.window.place is Action.ACTIVITY
    assert room.window.activity.unreadable.isVisible()
