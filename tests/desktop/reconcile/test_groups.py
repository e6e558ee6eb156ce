"""The list of kinds by keys: Home, Enter into the findings, and what the row with the keyboard looks like."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from confere.desktop.reconcile.group_list import What
from confere.desktop.reconcile.page import ReconcilePage
from tests.desktop.conftest import Made
from tests.desktop.reconcile.test_page import page, settle

__all__ = ["page"]  # the fixture


def test_home_goes_to_the_first_entry_past_its_heading(qtbot: QtBot, page: ReconcilePage) -> None:
    groups = page.groups
    groups.setFocus()
    groups.go_to(What.STOCK)
    settle(qtbot, page)
    QTest.keyClick(groups, Qt.Key.Key_Home)
    assert groups.current is not None
    assert groups.current.what is What.ALL


def test_enter_goes_into_the_findings_of_the_kind(qtbot: QtBot, page: ReconcilePage) -> None:
    page.groups.setFocus()
    QTest.keyClick(page.groups, Qt.Key.Key_Return)
    assert page.findings.table.hasFocus()


def test_a_kind_with_the_keyboard_can_be_read(qtbot: QtBot, page: ReconcilePage, made: Made) -> None:
    groups = page.groups
    rule = next(entry.rule for entry in groups.entries if entry.what is What.RULE)
    groups.go_to(What.RULE, rule)
    settle(qtbot, page)
    groups.setFocus()
    row = groups.visualRect(groups.currentIndex())
    picture = groups.viewport().grab().toImage()
    plain = picture.pixelColor((row.topLeft() + QPoint(4, 4)) * picture.devicePixelRatio())
    assert plain == QColor(made.services.look.colours.accent_soft)
