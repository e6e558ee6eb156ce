"""The command palette in a window: it reaches everything, by keyboard only, and says what cannot be done and why."""

from __future__ import annotations

from PySide6.QtCore import QDate, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from confere.desktop.core.actions import SECTIONS, Action
from confere.desktop.core.application import speak
from confere.desktop.dialogs.period import PeriodDialog
from confere.desktop.shell.command_palette.palette_dialog import PaletteDialog
from confere.desktop.shell.command_palette.palette_entries import entries_of
from confere.desktop.shell.window import MainWindow
from confere.system.messages import set_language, t
from tests.desktop.conftest import Made
from tests.desktop.reaching import MONTH, activate, open_main, settle, standing


def opened(qtbot: QtBot, main: MainWindow) -> PaletteDialog:
    activate(qtbot, main)
    QTest.keySequence(standing(), QKeySequence("Ctrl+K"))
    dialog = main.findChildren(PaletteDialog)[-1]
    activate(qtbot, dialog)
    return dialog


def do(qtbot: QtBot, main: MainWindow, typed: str) -> None:
    """Open the palette, type, press Enter."""
    dialog = opened(qtbot, main)
    QTest.keyClicks(dialog.field, typed)
    QTest.keyClick(dialog.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not dialog.isVisible())
    settle(qtbot, main.services)


def test_it_reaches_everything_by_keyboard_only(qtbot: QtBot, made: Made) -> None:
    main = open_main(qtbot, made.services)
    dialog = opened(qtbot, main)
    names = {entry.name for entry in dialog.shown} | {entry.name for entry in dialog._entries}
    assert names >= {act.name for act in Action if act is not Action.PALETTE}
    assert names >= {f"section:{name}" for name in SECTIONS} | {f"month:{MONTH}", "month:", "month:period", "company:"}
    companies = {f"company:{tax_id}" for tax_id, _ in main.top.scope.company_titles}
    assert len(companies) > 0
    assert names >= companies
    assert main.rect().contains(dialog.geometry().translated(-main.pos()))

    # What cannot be done says why, and Enter does not do it.
    QTest.keyClicks(dialog.field, "stop")
    assert dialog.current is not None and dialog.current.name == "STOP"
    assert dialog.why.text() == "Nothing is running."
    QTest.keyClick(dialog.field, Qt.Key.Key_Return)
    assert dialog.isVisible()
    QTest.keyClick(dialog.field, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not dialog.isVisible())

    do(qtbot, main, "activ")
    assert main.place is Action.ACTIVITY
    dialog = opened(qtbot, main)
    QTest.keyClicks(dialog.field, "settings nonesuch")
    QTest.keyClick(dialog.field, Qt.Key.Key_Return)
    assert dialog.isVisible()
    assert dialog.why.text().startswith("Nothing is called so.")
    dialog.reject()
    assert main.place is Action.ACTIVITY


def test_what_is_chosen_is_done(qtbot: QtBot, made: Made) -> None:
    main = open_main(qtbot, made.services)
    scope = made.services.scope
    do(qtbot, main, "settings unatt")
    assert (main.place, main.settings.section) == (Action.SETTINGS, "schedule")
    do(qtbot, main, "09/2026")
    assert scope.month == "2026-09"
    tax_id, _ = main.top.scope.company_titles[0]
    do(qtbot, main, tax_id[:2] + "." + tax_id[2:5])
    assert (scope.company, scope.month) == (tax_id, "2026-09")
    do(qtbot, main, "all comp")
    assert (scope.company, scope.month) == (None, "2026-09")
    dialog = opened(qtbot, main)
    assert dialog.current is not None and made.services.memory.text("palette/uses")
    first = dialog.current
    QTest.keyClick(dialog.field, Qt.Key.Key_Down)
    assert dialog.current is not first
    QTest.keyClick(dialog.field, Qt.Key.Key_Up)
    QTest.keyClick(dialog.field, Qt.Key.Key_PageUp)
    assert dialog.current is first
    dialog.reject()

    # A period that is no month, which the list and the overview follow.
    do(qtbot, main, "other period")
    period = main.findChild(PeriodDialog)
    assert period is not None
    period.first.setDate(QDate(2026, 9, 10))
    period.last.setDate(QDate(2026, 9, 1))
    assert not period.use.isEnabled()
    assert period.wrong.text()
    period.last.setDate(QDate(2026, 10, 9))
    period.accept()
    assert (scope.month, scope.period) == (None, ("2026-09-10", "2026-10-09"))
    assert main.top.scope.month.text() == "2026-09-10 – 2026-10-09"
    scope.choose_company(tax_id)  # of all of them the overview is a table
    main.go_to(Action.OVERVIEW)
    settle(qtbot, made.services)
    main.go_to(Action.DOCUMENTS)
    settle(qtbot, made.services)
    shown = main.overview.shown
    assert shown is not None
    assert len(main.documents.model.ids) == shown.total.count > 0
    assert {entry.when for entry in shown.slices} == {"2026-09", "2026-10"}
    main.actions_by_act[Action.EARLIER_MONTH].trigger()
    assert scope.month == "2026-08"


def test_keys_are_written_as_in_the_menus(qtbot: QtBot, qapp: QApplication, made_empty: Made) -> None:
    main = open_main(qtbot, made_empty.services)
    set_language("es")
    speak(qapp)
    try:
        keys = {entry.name: entry.keys for entry in entries_of(main)}
        menu = main.actions_by_act[Action.CLOSING].shortcut().toString(QKeySequence.SequenceFormat.NativeText)
    finally:
        set_language("en")
        speak(qapp)
    assert keys[Action.CLOSING.name] == menu
    assert menu != main.actions_by_act[Action.CLOSING].shortcut().toString()


def test_every_section_of_the_settings_is_there(qtbot: QtBot, made_empty: Made) -> None:
    main = open_main(qtbot, made_empty.services)
    page = main.settings
    assert [button.text() for button in page.places.values()] == [t(face.title) for face in SECTIONS.values()]
