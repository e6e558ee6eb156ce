"""Columns that stay at the left while the others scroll: which, where, and what a click on their head does."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from confere.desktop.orders.order_columns import PLACES
from confere.desktop.orders.page import SalesOrdersPage
from tests.desktop.conftest import Made
from tests.desktop.orders.page_tools import page_of, settle


@pytest.fixture
def page(qtbot: QtBot, made: Made) -> SalesOrdersPage:
    made.services.scope.choose(None, None)
    shown = page_of(qtbot, made)
    shown.resize(720, 690)
    shown.table.show_column("key", True)
    return shown


def test_number_and_buyer_stay_where_the_others_scroll(page: SalesOrdersPage) -> None:
    table = page.table
    bar = table.horizontalScrollBar()
    assert bar.maximum() > 0
    assert table.frozen.stuck == ()
    assert not table.frozen.body.isVisible()
    bar.setValue(1)
    assert table.frozen.stuck == (PLACES["number"],)
    bar.setValue(bar.maximum())
    assert table.frozen.stuck == (PLACES["number"], PLACES["buyer"])
    width = table.columnWidth(PLACES["number"])
    assert table.frozen.body.width() == width + table.columnWidth(PLACES["buyer"])
    assert (table.frozen.section_at(0), table.frozen.section_at(width)) == (PLACES["number"], PLACES["buyer"])
    assert table.frozen.section_at(table.frozen.body.width()) is None
    table.show_column("buyer", False)
    table.frozen.place()
    assert table.frozen.stuck == (PLACES["number"],)
    bar.setValue(0)
    assert table.frozen.stuck == ()


def test_what_is_painted_is_the_column_itself(page: SalesOrdersPage) -> None:
    table, number = page.table, PLACES["number"]
    row = table.visualRect(page.model.index(1, number))
    before = table.viewport().grab(row).toImage().convertToFormat(QImage.Format.Format_RGB32)
    table.horizontalScrollBar().setValue(table.horizontalScrollBar().maximum())
    stuck = table.frozen.body.grab(row).toImage().convertToFormat(QImage.Format.Format_RGB32)
    inner = before.rect().adjusted(0, 0, -2, 0)
    assert stuck.copy(inner) == before.copy(inner)


def test_a_click_on_a_head_that_stays_sorts(qtbot: QtBot, page: SalesOrdersPage) -> None:
    table = page.table
    table.horizontalScrollBar().setValue(table.horizontalScrollBar().maximum())
    head = table.frozen.head
    for descending in (False, True):
        place = head.sectionViewportPosition(PLACES["number"]) + 10
        qtbot.mouseClick(head.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(place, 8))
        settle(qtbot, page)
        assert (table.arrangement.sort, table.arrangement.descending) == ("number", descending)
        order = Qt.SortOrder.DescendingOrder if descending else Qt.SortOrder.AscendingOrder
        assert (head.sortIndicatorSection(), head.sortIndicatorOrder()) == (PLACES["number"], order)


def test_rows_stand_close_where_a_person_wants_it(page: SalesOrdersPage, made: Made) -> None:
    usual = page.table.rowHeight(0)
    made.services.look.let_rows_stand_close(True)
    assert page.table.rowHeight(0) < usual
    made.services.look.let_rows_stand_close(False)
    assert page.table.rowHeight(0) == usual
