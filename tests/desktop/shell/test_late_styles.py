"""A window that is put together before it is styled looks as one that was styled from the beginning."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from confere.desktop.shell.status_bar import StatusBar
from confere.desktop.theme.theme import Look, style_sheet
from tests.desktop.conftest import Made


def test_the_style_sheet_comes_when_it_is_asked_for(qtbot: QtBot, qapp: QApplication, made: Made) -> None:
    before = qapp.styleSheet()
    qapp.setStyleSheet("")
    try:
        look = Look(qapp, styles_later=True)
        bar = StatusBar(made.services._replace(look=look))
        qtbot.addWidget(bar)
        assert qapp.styleSheet() == ""
        look.apply_styles()
        assert qapp.styleSheet() == style_sheet(look.colours)
        assert bar.minimumHeight() == bar.stop.sizeHint().height() + 5
    finally:
        qapp.setStyleSheet(before)
