"""The first page of an office: a table of its clients that says who is worst, and the ways in and back."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from confere.app.documents import browse
from confere.app.overview import clients
from confere.app.overview.client_choice import ClientFlag
from confere.desktop.core import actions as commands
from confere.desktop.core.actions import Action
from confere.desktop.overview.chart import HIGHEST
from confere.desktop.overview.page import OverviewPage
from confere.desktop.widgets.pill import PILL_ROLE
from tests import fifteen_clients as office
from tests.archive.papers import EMITTER
from tests.desktop.conftest import Made
from tests.desktop.rooms import Open
from tests.fifteen_clients import MONTH, NOW, tax_id

WORST = 12  # the place of the worst client


@pytest.fixture
def folder(tmp_path_factory: pytest.TempPathFactory, tmp_path: Path) -> Path:
    return Path(shutil.copytree(office.made(tmp_path_factory), tmp_path / "office"))


@pytest.fixture
def made_office(qapp: QApplication, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Made]:
    monkeypatch.setattr(clients, "clock", lambda: NOW)
    found = Made(qapp, folder)
    yield found
    found.close()


@pytest.fixture
def page(qtbot: QtBot, made_office: Made) -> OverviewPage:
    made_office.services.scope.choose(None, MONTH)
    found = OverviewPage(made_office.services, commands.make(made_office.owner, made_office.services.look))
    qtbot.addWidget(found)
    found.resize(1116, 690)
    found.show()
    found.arrive()
    qtbot.waitUntil(lambda: found.clients.isVisible() and bool(found.clients.table.rows_model.rows))
    return found


def names(page: OverviewPage) -> list[str]:
    return [str(row.name) for row in page.clients.table.rows_model.rows]


def test_the_worst_stands_first_and_is_marked(page: OverviewPage) -> None:
    table = page.clients.table
    assert len(table.rows_model.rows) == 16
    assert names(page)[:3] == ["Pet Amigo", "Calçados Ávila", "Móveis Araçá"]
    model = table.rows_model
    assert [model.index(row, 1).data() for row in range(3)] == [
        "12 XML missing",
        "3 XML missing · 2 serious",
        "5 serious",
    ]
    kinds = [model.index(row, 1).data(PILL_ROLE) for row in range(16)]
    assert kinds == sorted(kinds, key=["bad", "warn", "info", "neutral", "good"].index)
    assert page.clients.summary.text().startswith("7 of 16 with problems")
    assert table.horizontalHeader().sortIndicatorSection() == 1
    abouts = [
        model.headerData(place, Qt.Orientation.Horizontal, Qt.ItemDataRole.AccessibleTextRole) for place in range(12)
    ]
    assert [about for about in abouts if about] == [
        f"Open findings of {word} severity" for word in ("high", "medium", "low")
    ]
    assert table.horizontalScrollBar().maximum() == 0  # all columns are seen on a small screen


def test_a_click_on_a_head_orders_by_it_and_again_turns_around(page: OverviewPage) -> None:
    table = page.clients.table
    table.horizontalHeader().sectionClicked.emit(0)
    assert names(page)[:2] == ["Brinquedos Zé", "Café Açaí"]
    assert table.horizontalHeader().sortIndicatorOrder() is Qt.SortOrder.AscendingOrder
    table.horizontalHeader().sectionClicked.emit(0)
    assert names(page)[-1] == "Brinquedos Zé"
    assert table.horizontalHeader().sortIndicatorOrder() is Qt.SortOrder.DescendingOrder
    page.clients.order.changed.emit("sort", ("high",))
    assert names(page)[0] == "Móveis Araçá"
    assert table.horizontalHeader().sortIndicatorOrder() is Qt.SortOrder.DescendingOrder
    page.clients.order.changed.emit("sort", ())
    assert names(page)[0] == "Pet Amigo"


def test_text_and_chips_narrow(qtbot: QtBot, page: OverviewPage) -> None:
    view = page.clients
    qtbot.keyClicks(view.text, "avila")
    assert names(page) == ["Calçados Ávila"]
    view.text.setText("nobody at all")
    assert not view.table.isVisible()
    view.text.clear()
    assert view.flags[ClientFlag.STALE].text() == "Not synced lately 3"
    view.flags[ClientFlag.STALE].click()
    assert names(page) == ["Pet Amigo", "Moda Íris", "Ótica Visão"]
    view.flags[ClientFlag.PROBLEMS].click()
    view.flags[ClientFlag.NOT_CLOSED].click()
    assert names(page) == ["Pet Amigo", "Moda Íris", "Ótica Visão"]


def test_a_click_or_enter_goes_in_and_every_company_comes_back(
    qtbot: QtBot, page: OverviewPage, made_office: Made
) -> None:
    scope, table = made_office.services.scope, page.clients.table
    place = table.visualRect(table.rows_model.index(0, 0)).center()
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
    assert scope.company == tax_id(WORST)
    qtbot.waitUntil(lambda: page.amounts.isVisible() and page.shown is not None)
    assert page.shown is not None
    assert page.shown.company == tax_id(WORST)
    assert not page.one_by_one.isVisible()
    assert page.chart.height() <= HIGHEST == 220
    scope.choose(None, MONTH)
    qtbot.waitUntil(lambda: table.isVisible())
    table.selectRow(1)
    qtbot.keyClick(table, Qt.Key.Key_Return)
    assert scope.company == tax_id(1)


def test_all_can_be_seen_together(qtbot: QtBot, page: OverviewPage) -> None:
    page.clients.together.click()
    qtbot.waitUntil(page.amounts.isVisible)
    assert page.shown is not None
    assert page.shown.company is None
    page.one_by_one.click()
    qtbot.waitUntil(page.clients.table.isVisible)


def test_reconcile_lists_what_all_accounts_have_and_a_company_of_files_can_be_chosen(
    qtbot: QtBot, open_window: Open, folder: Path
) -> None:
    room = open_window(folder)
    window, services = room.window, room.session.services
    services.scope.choose(None, MONTH)
    window.resize(1280, 720)  # in a smaller one the company leaves what decides its room
    window.go_to(Action.RECONCILE)
    page = window.reconcile
    planted = sum(one.high + one.medium + one.low for one in office.CONDITIONS)
    qtbot.waitUntil(lambda: len(page.findings.rows) == planted)
    assert len({row.account for row in page.findings.rows}) == 4
    table = page.findings.table
    assert table.horizontalHeader().logicalIndex(0) == 11
    assert not table.isColumnHidden(11)
    assert {table.rows_model.index(row, 11).data() for row in range(planted)} == {
        "Calçados Ávila", "Brinquedos Zé", "Móveis Araçá", "Eletro Sul"
    }  # fmt: skip
    assert page.head.account.text() == "All accounts"
    page.head.account_chosen.emit("conta-09")
    qtbot.waitUntil(lambda: len(page.findings.rows) == 5)
    assert table.isColumnHidden(11)
    assert EMITTER in {company.tax_id for company in browse.companies(services.opened)}
    services.scope.choose(EMITTER, MONTH)
    qtbot.waitUntil(lambda: not services.reader.busy)
    assert services.scope.company == EMITTER
    services.scope.choose(None, MONTH)
    qtbot.waitUntil(lambda: len(page.findings.rows) == planted)
