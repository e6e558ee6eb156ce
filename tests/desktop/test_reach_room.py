"""On small screens what decides is seen without scrolling to the side, in the languages with the longest words."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QTableView
from pytestqt.qtbot import QtBot

from confere.archive.documents.search.facets import Company
from confere.desktop.core.actions import Action
from confere.desktop.documents.columns import PLACES, PLAN
from confere.desktop.reconcile.group_list import What
from confere.desktop.shell.window import MainWindow
from confere.system.messages import set_language
from tests.desktop import reaching
from tests.desktop.conftest import Made

SMALL, DENSE = (1280, 720), (960, 540)  # a laptop's screen, and one of 1920 x 1080 at 200 %


@pytest.fixture(params=["pt_BR", "es"])
def window(request: pytest.FixtureRequest, qtbot: QtBot, made: Made) -> Iterator[MainWindow]:
    set_language(request.param)
    yield reaching.open_main(qtbot, made.services)
    set_language("en")


def unseen(table: QTableView, columns: range | list[int]) -> list[int]:
    """Those that are hidden or lie beyond the edge."""
    room = table.viewport().width()
    ends = {number: table.columnViewportPosition(number) + table.columnWidth(number) for number in columns}
    return [number for number in columns if table.isColumnHidden(number) or ends[number] > room]


def test_what_decides_is_seen(qtbot: QtBot, window: MainWindow) -> None:
    window.resize(*DENSE)
    reaching.show_place(qtbot, window, Action.DOCUMENTS)
    documents = window.documents
    decisive = [PLACES[key] for key in PLAN.decisive]
    assert window.details.isVisible()
    assert unseen(documents.table, decisive) == []
    worth = documents.model.index(0, PLACES["total"])
    assert documents.table.sizeHintForColumn(PLACES["total"]) <= documents.table.columnWidth(PLACES["total"])
    assert not str(worth.data()).startswith("R$")
    assert documents.table.isColumnHidden(PLACES["type"])
    documents.table.selectRow(0)
    documents.copy_rows()
    assert PLAN.columns[PLACES["type"]].name in QGuiApplication.clipboard().text()
    documents.table.show_column("type", True)  # a person asks for it
    assert not documents.table.isColumnHidden(PLACES["type"])
    window.resize(1600, 900)
    assert str(worth.data()).startswith("R$")
    for size in (SMALL, DENSE):
        window.resize(*size)
        for what, table in (
            (What.ALL, window.reconcile.findings.table),
            (What.STOCK, window.reconcile.stock.table),
        ):
            reaching._reconcile(what)(qtbot, window)
            assert table.rows_model.rows
            assert table.horizontalScrollBar().maximum() == 0, (size, what)
            assert unseen(table, table.columns.seen) == []
            if size == SMALL:
                assert {"state", "what", "orders", "documents", "amount", "due"} <= keys(table) or what is What.STOCK
                assert {"sent", "returned", "sold", "balance", "since"} <= keys(table) or what is What.ALL


def keys(table: QTableView) -> set[str]:
    return {table.rows_model.columns[number].key for number in table.columns.seen}  # type: ignore[attr-defined]


def test_the_company_takes_what_room_there_is(qtbot: QtBot, qapp: QApplication, made: Made) -> None:
    window = reaching.open_main(qtbot, made.services)
    scope = window.top.scope
    tax_id = scope.company_titles[0][0]
    window.services.scope.choose_company(tax_id)
    reaching.settle(qtbot, made.services)
    name = "Comércio e Importação de Utilidades do Cerrado LTDA"
    scope._companies = (Company(tax_id, name, None),)
    scope._tell()
    for width in (1366, 1920):
        window.resize(width, 720)
        qapp.processEvents()
        assert scope.company.shown_text == scope.company.text(), width
        assert window.top.search.width() >= window.top.search.minimumWidth()
    window.resize(900, 480)
    qapp.processEvents()
    assert scope.company.shown_text.endswith("…")
    assert "do Cerrado LTDA" in scope.company.toolTip()
