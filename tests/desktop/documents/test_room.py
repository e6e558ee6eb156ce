"""The list in a window of 1280 pixels: the chips in one line, and the columns up to the marks to be seen."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QFont
from PySide6.QtWidgets import QApplication, QToolButton
from pytestqt.qtbot import QtBot

from confere.desktop.core import actions as commands
from confere.desktop.documents.columns import COLUMNS, PLACES, PLAN
from confere.desktop.documents.filter_chips import ChipRow
from confere.desktop.documents.filters import DocumentFilters
from confere.desktop.shell.window import MainWindow
from confere.desktop.theme.theme import Look
from confere.system.messages import set_language
from tests.desktop.conftest import Made

CHIPS = 658  # logical pixels beside the button of the columns, while the details are shown
LIST = 705  # beside the bar


@pytest.fixture
def language(request: pytest.FixtureRequest) -> Iterator[str]:
    set_language(request.param)
    yield request.param
    set_language("en")


@pytest.mark.parametrize("language", ["pt_BR", "es", "en"], indirect=True)
def test_the_chips_stand_in_one_line(qtbot: QtBot, qapp: QApplication, language: str) -> None:
    row = ChipRow(Look(qapp))
    qtbot.addWidget(row)
    font = QFont(row.font())
    font.setPointSizeF(9)  # what the systems have by default
    row.setFont(font)
    row.resize(CHIPS, 40)
    row.show()
    qtbot.waitExposed(row)
    assert len({(button.y(), button.height()) for button in row.buttons}) == 1
    for button in row.buttons:  # and none at the cost of its word
        words = button.fontMetrics().horizontalAdvance(button.text())
        assert button.width() >= words + button.iconSize().width() + 4
        assert button.text() or button.toolTip() == button.accessibleName()


def test_a_chip_shows_what_was_chosen_letter_by_letter(qtbot: QtBot, qapp: QApplication) -> None:
    row = ChipRow(Look(qapp))
    qtbot.addWidget(row)
    row.show_filters(DocumentFilters(marketplaces=("A&B",)))
    chip = next(button for button in row.buttons if "A" in button.accessibleName() and "B" in button.accessibleName())
    assert chip.accessibleName() == "Marketplace: A&B"
    assert chip.text() == "Marketplace: A&&B"


def test_a_day_and_every_menu_of_a_chip_have_a_name_and_keys(qtbot: QtBot, qapp: QApplication) -> None:
    row = ChipRow(Look(qapp))
    qtbot.addWidget(row)
    row.resize(CHIPS, 80)
    row.show_filters(DocumentFilters(day="2026-10-05"))
    row.show()
    qtbot.waitExposed(row)
    day = next(button for button in row.findChildren(QToolButton) if button not in row.buttons)
    assert day.accessibleName() == "Day: 2026-10-05"  # without the cross
    day.setFocus(Qt.FocusReason.TabFocusReason)
    assert day.focusPolicy() & Qt.FocusPolicy.TabFocus
    with qtbot.waitSignal(row.changed):
        qtbot.keyClick(day, Qt.Key.Key_Space)
    assert row.filters.day is None
    for button in row.buttons:
        named = QAccessible.queryAccessibleInterface(button.menu())
        assert named.text(QAccessible.Text.Name) == button.accessibleName()


def test_a_window_of_1280_shows_the_marks_and_the_details_at_their_width(qtbot: QtBot, made: Made) -> None:
    window = MainWindow(made.services)
    qtbot.addWidget(window, before_close_func=lambda _: window.details.end_work())
    window.resize(1280, 800)
    window.show()
    window.go_to(commands.Action.DOCUMENTS)
    qtbot.waitUntil(lambda: not made.services.reader.busy)
    assert window.details.width() == 404
    table = window.documents.table
    upto = [column.key for column in COLUMNS[: PLACES["findings"] + 1]]
    seen = sum(table.columnWidth(PLACES[key]) for key in upto)
    assert seen - table.columnWidth(PLACES["counterparty"]) + PLAN.narrowest_loose <= LIST
    assert seen == table.viewport().width()  # and no slice of the next
    window.resize(1920, 1080)
    qtbot.waitUntil(lambda: window.details.width() > 404)
    assert sum(table.columnWidth(PLACES[key]) for key in PLACES if not table.isColumnHidden(PLACES[key])) <= (
        table.viewport().width()
    )
