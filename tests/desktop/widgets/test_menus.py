"""A menu that is longer than the screen is scrolled; Qt would put it into columns that cover the window."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from confere.desktop.theme.theme import style_sheet
from tests.desktop.conftest import Made


def test_a_long_menu_stays_one_column(qtbot: QtBot, qapp: QApplication, made_empty: Made) -> None:
    menu = QMenu()
    qtbot.addWidget(menu)
    menu.setStyleSheet(style_sheet(made_empty.services.look.colours))
    actions = [menu.addAction(f"Column {number}") for number in range(100)]
    menu.popup(qapp.primaryScreen().availableGeometry().topLeft())
    assert {menu.actionGeometry(action).left() for action in actions} == {menu.actionGeometry(actions[0]).left()}
    assert menu.height() <= qapp.primaryScreen().availableGeometry().height()
    menu.close()
