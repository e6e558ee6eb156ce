"""Small parts stand in line with what is beside them, and nothing is drawn where nothing is."""

from __future__ import annotations

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication, QTabBar, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from confere.desktop.core.actions import Action
from confere.desktop.core.application import speak
from confere.desktop.shell.command_palette.palette_entries import entries_of
from confere.desktop.shell.window import MainWindow
from confere.system.messages import set_language, t
from tests.desktop.conftest import Made
from tests.desktop.reaching import open_main, show_place

_OFF = 1  # pixel that halves of odd heights differ by


def _middle(widget: QWidget, window: MainWindow) -> int:
    return widget.mapTo(window, QPoint(0, widget.height() // 2)).y()


def test_parts_of_a_row_stand_in_line(qtbot: QtBot, made: Made) -> None:
    main = open_main(qtbot, made.services)
    for place in (Action.DOCUMENTS, Action.ORDERS, Action.CATALOG):
        show_place(qtbot, main, place)
        buttons = [button for button in main.findChildren(QToolButton) if button.isVisible()]
        (columns,) = (button for button in buttons if button.accessibleName() == t("Columns"))
        chip = next(button for button in buttons if button.property("look") == "chip")
        assert abs(_middle(columns, main) - _middle(chip, main)) <= _OFF, place
    show_place(qtbot, main, Action.RECONCILE)
    head = main.reconcile.head
    assert head.start.height() == head.bring.height()
    show_place(qtbot, main, Action.CLOSING)
    bars = main.findChildren(QTabBar)
    assert len(bars) >= len((Action.DOCUMENTS, Action.ORDERS, Action.CATALOG, Action.CLOSING))
    assert [bar.parentWidget().accessibleName() for bar in bars if bar.drawBase()] == []


def test_shortcuts_are_written_as_in_the_menus(qapp: QApplication, qtbot: QtBot, made: Made) -> None:
    set_language("es")
    speak(qapp)
    try:
        main = open_main(qtbot, made.services)
        keys = {entry.name: entry.keys for entry in entries_of(main)}
        assert keys[Action.SEARCH.name] == "Control+F"
        assert "(Control+1)" in main.sidebar.buttons[Action.OVERVIEW].toolTip()
    finally:
        set_language("en")
        speak(qapp)
