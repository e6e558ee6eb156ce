"""Every command by its keys: none is swallowed, and each does what it says."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QGuiApplication, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QWidget
from pytestqt.qtbot import QtBot

from confere.app.documents.browse import DocumentQuery, first
from confere.desktop.core.actions import MENU, PLACES, TABS, Action
from confere.desktop.dialogs.about import AboutDialog
from confere.desktop.dialogs.export import ExportDialog
from confere.desktop.dialogs.help import HelpWindow
from confere.desktop.jobs.job import JobKind
from confere.desktop.shell.window import MainWindow
from tests.desktop.conftest import Made
from tests.desktop.reaching import activate, open_main, settle, show_document, show_place, standing

_WIDGET = Qt.ShortcutContext.WidgetShortcut  # heard by one list only


@pytest.fixture
def main(qtbot: QtBot, made: Made, no_pdfs: None) -> MainWindow:
    """The main window with a document in its details, one that has relations."""
    window = open_main(qtbot, made.services)
    show_document(qtbot, window)
    (freight,) = first(made.services.opened, DocumentQuery(types=("cte",), states=("authorized",)), 1)
    window.details.show_document(freight.id)
    _stands_on(qtbot, window, freight.id)
    return window


def _stands_on(qtbot: QtBot, window: MainWindow, row_id: int) -> None:
    """Wait until the details hold that document."""

    def stands() -> bool:
        now = window.details.current
        return now is not None and now.row is not None and now.row.id == row_id

    qtbot.waitUntil(stands)
    settle(qtbot, window.services)


def press(sequence: QKeySequence, at: QWidget | None = None) -> None:
    QTest.keySequence(at or standing(), sequence)


def typable(act: Action, window: MainWindow) -> list[QKeySequence]:
    """The keys of a command that every keyboard has."""
    keys = window.actions_by_act[act].shortcuts()
    return [key for number, key in enumerate(keys) if number == 0 or "+" in key.toString()]


# -- none is swallowed ---------------------------------------------------------------------------------------


def _search(window: MainWindow) -> QWidget:
    return window.top.search


def _list(window: MainWindow) -> QWidget:
    return window.documents.table


def _summary(window: MainWindow) -> QWidget:
    window.details.show_tab("summary")
    return window.details.summary


def _xml(window: MainWindow) -> QWidget:
    window.details.show_tab("xml")
    return window.details.xml.text


def _relations(window: MainWindow) -> QWidget:
    window.details.show_tab("relations")
    return window.details.relations.list


def test_keys_of_commands_are_heard_wherever_one_is(qtbot: QtBot, main: MainWindow) -> None:
    heard: list[Action] = []
    for act, action in main.actions_by_act.items():
        action.triggered.disconnect()
        action.triggered.connect(lambda _=False, act=act: heard.append(act))
    for place in (_search, _list, _summary, _xml, _relations):
        here = place(main)
        here.setFocus()
        qtbot.waitUntil(here.hasFocus)
        settle(qtbot, main.services)
        for act in Action:
            for key in typable(act, main):
                if act is Action.SEARCH and here is main.details.xml.text:
                    continue  # the text has a search of its own
                heard.clear()
                main.actions_by_act[act].setEnabled(True)  # an answer that came meanwhile may have thought otherwise
                press(key, here)
                assert heard == [act], (place.__name__, key.toString())


# -- each does what it says ----------------------------------------------------------------------------------


def test_places_are_gone_to(qtbot: QtBot, main: MainWindow) -> None:
    for place in PLACES:
        for key in typable(place, main):
            show_place(qtbot, main, Action.ACTIVITY if place is not Action.ACTIVITY else Action.OVERVIEW)
            press(key)
            assert main.place is place, key.toString()


def test_pages_of_the_document_are_turned_to(qtbot: QtBot, main: MainWindow) -> None:
    for tab in TABS:
        main.details.show_tab("xml" if tab is not Action.XML else "items")
        main.sidebar.buttons[Action.DOCUMENTS].setFocus()
        for key in typable(tab, main):
            press(key)
            settle(qtbot, main.services)
            page = main.details.tabs.currentWidget()
            assert main.details.tabs.tabText(main.details.tabs.currentIndex()) == main.actions_by_act[tab].text()
            assert page.isAncestorOf(standing()) or page is standing(), tab


def test_search_months_details_and_appearance(qtbot: QtBot, main: MainWindow) -> None:
    services = main.services
    press(typable(Action.SEARCH, main)[0])
    assert standing() is main.top.search
    month = services.scope.month
    assert month is not None
    press(typable(Action.EARLIER_MONTH, main)[0])
    assert services.scope.month is not None and services.scope.month < month
    press(typable(Action.LATER_MONTH, main)[0])
    assert services.scope.month == month
    settle(qtbot, services)
    for shown in (False, True):
        press(typable(Action.DETAILS, main)[0])
        assert main.details.isVisible() is shown
    dark = services.look.colours.is_dark
    press(typable(Action.APPEARANCE, main)[0])
    assert services.look.colours.is_dark is not dark
    press(typable(Action.APPEARANCE, main)[0])
    assert services.look.colours.is_dark is dark


def test_back_and_forward_walk_between_documents(qtbot: QtBot, main: MainWindow) -> None:
    services = main.services
    before = main.details.current
    assert before is not None and before.row is not None
    other = next(row for row in first(services.opened, DocumentQuery(), 2) if row.id != before.row.id)
    main.details.show_document(other.id)
    _stands_on(qtbot, main, other.id)
    for act, wanted in ((Action.BACK, before.row.id), (Action.FORWARD, other.id)):
        press(typable(act, main)[0])
        _stands_on(qtbot, main, wanted)


def test_a_step_made_before_the_list_has_followed_the_last_one_is_kept(qtbot: QtBot, main: MainWindow) -> None:
    services = main.services
    before = main.details.current
    assert before is not None and before.row is not None
    other = next(row for row in first(services.opened, DocumentQuery(), 2) if row.id != before.row.id)
    main.details.show_document(other.id)
    _stands_on(qtbot, main, other.id)
    with qtbot.waitSignal(main.details.navigated):
        main.details.back()
    for number in range(8):  # whatever reads is held up until the keys have rested
        services.reader.ask(f"slow/{number}", lambda: time.sleep(0.4), lambda _nothing: None)
    main.details.forward()
    _stands_on(qtbot, main, other.id)
    qtbot.waitUntil(lambda: not main.documents.table.is_following)
    _stands_on(qtbot, main, other.id)
    assert not main.actions_by_act[Action.FORWARD].isEnabled()


def test_a_step_is_told_although_the_archive_is_read_again_meanwhile(qtbot: QtBot, main: MainWindow) -> None:
    """Whatever is written to the archive has the details read again, which must not lose where they were led to."""
    before = main.details.current
    assert before is not None and before.row is not None
    other = next(row for row in first(main.services.opened, DocumentQuery(), 2) if row.id != before.row.id)
    main.details.show_document(other.id)
    _stands_on(qtbot, main, other.id)
    with qtbot.waitSignal(main.details.navigated) as navigated:
        main.details.back()
        main.details.refresh()
    assert navigated.args == [before.row.id]
    settle(qtbot, main.services)
    told: list[int] = []
    main.details.navigated.connect(told.append)
    main.details.refresh()
    settle(qtbot, main.services)
    assert not told


def test_what_is_copied_and_saved(qtbot: QtBot, main: MainWindow, tmp_path: Path) -> None:
    services, clipboard = main.services, QGuiApplication.clipboard()
    main.documents.table.stand_on_first()
    qtbot.waitUntil(lambda: not main.documents.table.is_following)
    settle(qtbot, services)
    main.documents.table.setFocus()
    press(typable(Action.COPY_KEY, main)[0])
    settle(qtbot, services)
    assert len(clipboard.text().strip()) == 44
    press(typable(Action.COPY_XML, main)[0])
    settle(qtbot, services)
    assert clipboard.text().startswith("<")
    target = tmp_path / "saved.xml"
    main.details.ask_where = lambda _parent, _proposed: target
    press(typable(Action.SAVE_XML, main)[0])
    settle(qtbot, services)
    qtbot.waitUntil(target.exists)
    assert target.read_bytes().startswith(b"<")


def test_files_are_asked_for(qtbot: QtBot, main: MainWindow) -> None:
    seen: list[str] = []

    def look() -> None:
        dialog = QApplication.activeModalWidget()
        if isinstance(dialog, QFileDialog):
            seen.append(dialog.windowTitle())
            dialog.reject()

    timer = QTimer(main)
    timer.timeout.connect(look)
    timer.start(20)
    for act in (Action.IMPORT_FILES, Action.IMPORT_FOLDER):
        activate(qtbot, main)
        press(typable(act, main)[0])
    timer.stop()
    assert seen == ["Import files", "Import a folder"]


def test_dialogs_and_help_open(qtbot: QtBot, main: MainWindow) -> None:
    for act, kind in ((Action.EXPORT, ExportDialog), (Action.HELP, HelpWindow)):
        activate(qtbot, main)
        press(typable(act, main)[0])
        settle(qtbot, main.services)
        opened = main.findChildren(kind)
        assert len(opened) == 1, act
        qtbot.waitUntil(opened[0].isVisible)
        opened[0].close()
    main.actions_by_act[Action.ABOUT].trigger()
    about = main.findChild(AboutDialog)
    assert about is not None and about.isVisible()
    about.close()


def test_jobs_are_started_and_stopped(qtbot: QtBot, main: MainWindow) -> None:
    jobs = main.services.jobs
    for act in (Action.SYNC, Action.RETRY):
        press(typable(act, main)[0])
        assert jobs.has(JobKind.SYNC)
        qtbot.waitUntil(main.actions_by_act[Action.STOP].isEnabled)
        press(typable(Action.STOP, main)[0])
        qtbot.waitUntil(lambda: not jobs.busy)


def test_quit_closes_the_window(qtbot: QtBot, main: MainWindow) -> None:
    press(typable(Action.QUIT, main)[-1])
    qtbot.waitUntil(lambda: not main.isVisible())


def test_the_menu_opens_by_its_key_and_has_what_has_no_keys(qtbot: QtBot, main: MainWindow) -> None:
    seen: list[bool] = []

    def look() -> None:
        menu = QApplication.activePopupWidget()
        if menu is main.top.menu.menu():
            seen.append(menu.isVisible())
            menu.close()

    timer = QTimer(main)
    timer.timeout.connect(look)
    timer.start(20)
    press(QKeySequence("Alt+M"))
    qtbot.waitUntil(lambda: bool(seen))
    timer.stop()
    assert {act for act in Action if not act.value.keys} <= set(MENU)
    assert {act for act in MENU if act is not None} <= {*Action}


def test_the_help_opens_at_what_somebody_is_at(qtbot: QtBot, main: MainWindow) -> None:
    main.go_to(Action.DOCUMENTS)
    row = first(main.services.opened, DocumentQuery(types=("nfe",)), 1)[0]
    main.details.show_document(row.id)
    settle(qtbot, main.services)
    for tab, topic in (
        (Action.RELATIONS, "relacoes"),
        (Action.PDF, "pdf"),
        (Action.HISTORY, "situacoes"),
        (Action.XML, "nota"),
    ):
        activate(qtbot, main)
        press(typable(tab, main)[0], main)
        main.details.take_keyboard()
        main.actions_by_act[Action.HELP].trigger()
        (window,) = main.findChildren(HelpWindow)
        assert window.topic == topic
        main.documents.table.setFocus()
        main.actions_by_act[Action.HELP].trigger()
        assert window.topic == "procurar"
    window.close()
    main.details.end_work()
