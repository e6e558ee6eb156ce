"""Dialogs and menus by keyboard: Esc goes back, Enter does what the dialog is for, the menu key opens menus."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QLineEdit, QMenu, QMessageBox, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from confere.desktop.core import activity_sections
from confere.desktop.details.items.items_page import Items
from confere.desktop.dialogs.account import AccountDialog
from confere.desktop.dialogs.account_token import TokenDialog
from confere.desktop.dialogs.export import ExportDialog
from confere.desktop.jobs.job_requests import sync_order
from confere.desktop.shell.window import MainWindow
from tests.desktop import reaching
from tests.desktop.conftest import Made
from tests.desktop.reaching import activate, every_scene, open_main, settle

# Each dialog with the button that Enter presses in it.
DEFAULTS = {
    "export": "Write the package",
    "account": "Save",
    "account of three": "Save",
    "account change": "Save",
    "token": "Keep the token",
    "about": "Close",
    "fault": "Close",
    "removal": "Keep it",
    "orders shipped": "Send 1 request",
    "catalog push": "Send 2 things",
    "orders cancelled": "Send 1 request",
}
LONG = 60_000  # ms; a bound for a machine under load, not an expectation


@pytest.fixture
def main(qtbot: QtBot, made: Made) -> MainWindow:
    return open_main(qtbot, made.services)


def test_esc_closes(qtbot: QtBot, main: MainWindow) -> None:
    for name, dialog in every_scene(qtbot, main, {name: reaching.FILLED[name] for name in (*DEFAULTS, "help")}):
        standing = dialog.focusWidget() or dialog
        QTest.keyClick(standing, Qt.Key.Key_Escape)
        qtbot.waitUntil(lambda dialog=dialog: not dialog.isVisible())
        assert not isinstance(dialog, QDialog) or dialog.result() != QDialog.DialogCode.Accepted, name
        assert main.isVisible(), name


def test_enter_presses_the_button_that_the_dialog_is_for(qtbot: QtBot, main: MainWindow, tmp_path: Path) -> None:
    for name, dialog in every_scene(qtbot, main, {name: reaching.FILLED[name] for name in DEFAULTS}):
        _enter_presses(qtbot, main, tmp_path, name, dialog)
    jobs = main.services.jobs
    jobs.stop_all()  # what Enter began: a window that closes over it would ask
    qtbot.waitUntil(lambda: not jobs.busy, timeout=LONG)


def _enter_presses(qtbot: QtBot, main: MainWindow, tmp_path: Path, name: str, dialog: QWidget) -> None:
    if name in ("account", "account of three"):
        _fill(dialog, "http://127.0.0.1:9/v2", tmp_path)
    elif isinstance(dialog, TokenDialog):
        dialog.fields.edit.setText("abc")
        dialog.fields.path.setText(str(tmp_path / "token.txt"))
    elif isinstance(dialog, ExportDialog):
        dialog.replace.setChecked(True)
        settle(qtbot, main.services)
    marked = [button for button in dialog.findChildren(QPushButton) if button.isDefault()]
    assert [_plain(button) for button in marked] == [DEFAULTS[name]]
    (button,) = marked
    assert button.isEnabled()
    pressed: list[str] = []
    button.pressed.connect(lambda: pressed.append(name))
    fields = [entry for entry in dialog.findChildren(QLineEdit) if entry.isVisible() and entry.isEnabled()]
    QTest.keyClick(fields[0] if fields else dialog, Qt.Key.Key_Return)
    assert pressed == [name]
    settle(qtbot, main.services)


def _fill(dialog: QWidget, address: str, folder: Path) -> None:
    """All that a new account needs, where the system has no keyring."""
    assert isinstance(dialog, AccountDialog)
    assert dialog.token is not None
    for edit, words in (
        (dialog.name, f"of {len(dialog.tax_ids.lines)}"),
        (dialog.address, address),
        (dialog.platform, "acme"),
        (dialog.tax_ids.lines[0].edit, "11.222.333/0001-81"),
        (dialog.token.edit, "abc"),
        (dialog.token.path, str(folder / "token.txt")),
    ):
        edit.setText(words)
        edit.textEdited.emit(words)


def _plain(button: QPushButton) -> str:
    return button.text().replace("&", "")


def test_a_line_that_was_added_has_the_keyboard_and_is_on_the_screen(qtbot: QtBot, main: MainWindow) -> None:
    dialog = reaching.FILLED["account"](qtbot, main)
    assert isinstance(dialog, AccountDialog)
    for number in (2, 3):
        dialog.tax_ids.more.setFocus()
        QTest.keyClick(dialog.tax_ids.more, Qt.Key.Key_Space)
        assert len(dialog.tax_ids.lines) == number
        line = dialog.tax_ids.lines[-1]
        qtbot.waitUntil(line.edit.hasFocus)
        qtbot.waitUntil(lambda line=line: not line.visibleRegion().isEmpty())


def test_leaving_while_work_runs_asks_and_esc_stays(qtbot: QtBot, main: MainWindow) -> None:
    jobs = main.services.jobs
    jobs.start(sync_order())
    asked: list[str] = []

    def answer() -> None:
        box = QApplication.activeModalWidget()
        if isinstance(box, QMessageBox) and not asked:
            default = box.defaultButton()
            asked.append(default.text())
            assert not [reaching.where(widget) for widget in reaching.controls(box) if not reaching.name_of(widget)]
            QTest.keyClick(box, Qt.Key.Key_Escape)

    timer = QTimer(main)
    timer.timeout.connect(answer)
    timer.start(20)
    assert not main.close()
    timer.stop()
    assert asked == ["Keep the window open"]
    assert main.isVisible()
    jobs.stop_all()
    qtbot.waitUntil(lambda: not jobs.busy, timeout=LONG)


# -- menus of lists ------------------------------------------------------------------------------------------


def _documents(qtbot: QtBot, main: MainWindow) -> QWidget:
    reaching.FILLED["documents"](qtbot, main)
    main.documents.table.stand_on_first()
    return main.documents.table


def _items(qtbot: QtBot, main: MainWindow) -> QWidget:
    reaching.FILLED["details items"](qtbot, main)
    page = main.details.tabs.currentWidget()
    assert isinstance(page, Items)
    return page.table


def _runs(qtbot: QtBot, main: MainWindow) -> QWidget:
    reaching.FILLED[f"activity {activity_sections.RUNS}"](qtbot, main)
    return main.activity.runs.table


def test_the_menus_of_lists_open_by_keyboard(qtbot: QtBot, main: MainWindow) -> None:
    for open_list in (_documents, _items, _runs):
        _menu_opens(qtbot, main, open_list(qtbot, main))


def _menu_opens(qtbot: QtBot, main: MainWindow, table: QWidget) -> None:
    settle(qtbot, main.services)
    activate(qtbot, main)
    table.setFocus()
    qtbot.waitUntil(table.hasFocus)
    # The menu key reaches a widget as this event, which the platform makes of it; Shift+F10 only Windows does.
    place = table.inputMethodQuery(Qt.InputMethodQuery.ImCursorRectangle).center()
    event = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, place, table.mapToGlobal(place))
    for ask in (
        lambda: QApplication.sendEvent(table, event),
        lambda: QTest.keyClick(table, Qt.Key.Key_F10, Qt.KeyboardModifier.ShiftModifier),
    ):
        ask()
        qtbot.waitUntil(lambda: isinstance(QApplication.activePopupWidget(), QMenu))
        menu = QApplication.activePopupWidget()
        assert isinstance(menu, QMenu)
        assert [action.text() for action in menu.actions() if action.isEnabled() and not action.isSeparator()]
        QTest.keyClick(menu, Qt.Key.Key_Escape)
        qtbot.waitUntil(lambda: QApplication.activePopupWidget() is None)
