"""The bar above a list says what is selected in full, and takes words off its buttons where there is little room."""

from __future__ import annotations

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from confere.desktop.widgets.long_list.selection_bar import BarCommand, SelectionBar
from tests.desktop.conftest import Made

WORDS = "R$ 1.577,49 · without effect: 1, R$ 118,28"
IN_SPANISH = "4 seleccionados · R$ 1.577,49 · sin efecto: 1, R$ 118,28"
_DRAWING = Qt.ToolButtonStyle.ToolButtonIconOnly


def test_the_sum_is_whole_and_the_widest_buttons_give_way(qtbot: QtBot, made_empty: Made) -> None:
    commands = (
        BarCommand("xml", "Save XML", "save", "XML"),
        BarCommand("copy", "Copy the files", "copy", "Copy the files"),
        BarCommand("key", "Copy the keys", "key", ""),
    )
    bar = SelectionBar(made_empty.services.look, commands)
    qtbot.addWidget(bar)
    bar.resize(1200, 36)
    bar.show()
    bar.show_counts(169, 4, WORDS)
    assert [bar.buttons[key].toolButtonStyle() == _DRAWING for key in ("xml", "copy", "key")] == [False, False, True]
    needed = bar.text.fontMetrics().horizontalAdvance(bar.text.text())
    bar.resize(needed + 300, 36)
    assert bar.buttons["copy"].toolButtonStyle() == _DRAWING
    assert bar.buttons["xml"].toolButtonStyle() != _DRAWING
    assert bar.buttons["copy"].accessibleName() == "Copy the files"
    qtbot.waitUntil(lambda: bar.text.width() >= needed)
    places = [button.pos() for button in bar.buttons.values()]
    for selected, words in ((2, "R$ 1,00"), (0, ""), (4, WORDS)):
        bar.show_counts(169, selected, words)
        qtbot.wait(0)
    assert [button.pos() for button in bar.buttons.values()] == places, "they stay where the pointer is"
    bar.resize(1200, 36)
    assert bar.buttons["copy"].toolButtonStyle() != _DRAWING


def test_a_sum_in_the_longest_language_is_whole_on_a_small_screen(qtbot: QtBot, made_empty: Made) -> None:
    commands = (
        BarCommand("xml", "Guardar XML", "save", "XML"),
        BarCommand("pdf", "Guardar PDF", "print", "PDF"),
        BarCommand("copy", "Copiar archivos", "copy", "Copiar archivos"),
        BarCommand("sheet", "Hoja de cálculo", "columns", ""),
        BarCommand("key", "Copiar las claves", "key", ""),
    )
    bar = SelectionBar(made_empty.services.look, commands)
    qtbot.addWidget(bar)
    bar.show()
    bar.show_counts(169, 4, WORDS)
    needed = bar.text.fontMetrics().horizontalAdvance(IN_SPANISH)
    for width in range(640, 900, 20):  # beside a document, in windows of 1280 and 1366
        bar.resize(width, 36)
        qtbot.waitUntil(lambda: bar.text.width() >= needed)


def test_the_figures_of_a_sum_are_whole_where_not_all_of_it_has_room(qtbot: QtBot, made_empty: Made) -> None:
    bar = SelectionBar(made_empty.services.look, (BarCommand("key", "Copy the keys", "key", ""),))
    qtbot.addWidget(bar)
    bar.show_counts(169, 4, WORDS)
    for whole in (f"4 selected · {WORDS}", "4 selected · R$ 1.577,49", "R$ 1.577,49"):
        bar.text.resize(bar.text.fontMetrics().horizontalAdvance(whole), 20)
        assert bar.text.shown == whole
