"""The list of the page Orders over the demo's archive: rows, sorting, filters, sums, ways out, the feed's warning."""

from __future__ import annotations

import sqlite3
import zipfile
from array import array
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import openpyxl
import pytest
from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtGui import QFont, QFontMetrics, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from confere.app.labels.labels import month_word
from confere.app.labels.marketplace_labels import marketplace_word
from confere.app.labels.reconciliation_labels import status_words
from confere.app.orders import browse_orders
from confere.app.orders.browse_orders import SORTS
from confere.desktop.jobs import job_outcomes
from confere.desktop.jobs.job_requests import SavedForm
from confere.desktop.orders.order_columns import PLACES
from confere.desktop.orders.page import SalesOrdersPage
from confere.desktop.theme.order_pill import kind_of_order
from confere.desktop.theme.palettes import contrast
from confere.desktop.widgets.long_list.list_model import BLOCK
from confere.desktop.widgets.pill import CELL_ROOM, PILL_ROOM
from confere.sales.order import OrderStatus
from confere.system import formatting
from confere.system.settings import HIDE_PEOPLE
from tests.breadth import some_of
from tests.desktop.conftest import Made
from tests.desktop.orders.page_tools import choose, listed, look_again, page_of, settle, stand_on
from tests.desktop.reaching import settle as answered
from tests.desktop.saved import Asked, ended


@pytest.fixture
def page(qtbot: QtBot, made: Made) -> SalesOrdersPage:
    made.services.scope.choose(None, None)
    return page_of(qtbot, made)


def test_every_order_is_listed_newest_first_and_the_first_one_shown(
    qtbot: QtBot, page: SalesOrdersPage, made: Made
) -> None:
    rows = listed(page)
    days = [line.row.created_on for line in rows]
    assert days == sorted(days, reverse=True)
    assert len(rows) > BLOCK
    assert len({line.id for line in rows}) == len(rows)
    cancelled = [line for line in rows if line.row.status == "CANCELED"]
    worth = sum(line.row.total or 0 for line in rows if line not in cancelled)
    assert page.totals == f"{len(rows)} orders · {formatting.money(worth)} · {len(cancelled)} cancelled orders"
    assert formatting.money(sum(line.row.total or 0 for line in cancelled)) in page.totals_hint
    assert page.panel.detail is not None
    assert page.panel.detail.shown.row == rows[0].row
    assert made.faults == []


def test_qt_finds_no_fault_with_the_model(
    qtbot: QtBot, qtmodeltester: ModelTester, page: SalesOrdersPage, made: Made
) -> None:
    qtmodeltester.check(page.model, force_py=True)  # and again at every change
    before = len(page.model.ids)
    choose(qtbot, page, statuses=("CANCELED",))
    assert 0 < len(page.model.ids) < before
    page.model.clear()
    assert page.model.rowCount() == 0
    assert made.faults == []


@pytest.mark.parametrize("sort", some_of(SORTS, 3))
def test_a_head_sorts_the_list_and_is_remembered(qtbot: QtBot, page: SalesOrdersPage, sort: str) -> None:
    whole = sorted(page.model.ids)
    for descending in (True, False):
        page.table.sort_by(sort, descending)
        settle(qtbot, page)
        assert sorted(page.model.ids) == whole
        scope = replace(page._scope(), sort=sort, descending=descending)
        assert page.model.ids == browse_orders.snapshot(page._services.opened, scope)
    if sort == "total":
        totals = [line.row.total or 0 for line in listed(page)]
        assert totals == sorted(totals)


def test_several_orders_are_summed_copied_and_told_of(qtbot: QtBot, page: SalesOrdersPage) -> None:
    page.table.sort_by("total", True)
    settle(qtbot, page)
    rows = listed(page)[:3]
    flags = QItemSelectionModel.SelectionFlag.Select | QItemSelectionModel.SelectionFlag.Rows
    page.table.clearSelection()
    for place in range(3):
        page.table.selectionModel().select(page.model.index(place, 0), flags)
    settle(qtbot, page)
    assert f"3 selected {formatting.money(sum(line.row.total or 0 for line in rows))}" in page.totals
    assert page.panel.moves.several.text() == "for the 3 selected orders"
    page.table.setFocus()
    QTest.keyClick(page.table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    head, *lines = QGuiApplication.clipboard().text().splitlines()
    assert "Transmission\tMessage" in head
    assert [line.split("\t")[0] for line in lines] == [line.row.marketplace_number for line in rows]


def test_filters_narrow_the_list_and_say_what_there_is(qtbot: QtBot, page: SalesOrdersPage) -> None:
    choose(qtbot, page, statuses=("PAID_WAITING_SHIP",))
    assert {line.row.status for line in listed(page)} == {"PAID_WAITING_SHIP"}
    name = listed(page)[0].row.marketplace or ""
    choose(qtbot, page, statuses=("PAID_WAITING_SHIP",), marketplaces=(name,))
    assert {line.row.marketplace for line in listed(page)} == {name}
    page.filters.wanted.emit()
    answered(qtbot, page._services)
    offered = [action.text() for action in page.filters.chips["marketplaces"].menu().actions()]
    assert any(text.startswith(f"{marketplace_word(name)}\t") for text in offered)
    choose(qtbot, page, invoices=("missing",), statuses=("CONCLUDED",))
    assert {line.row.invoice_key for line in listed(page)} <= {None}
    choose(qtbot, page, transmissions=("failed",))
    assert page.model.ids == array("q")
    assert page.empty.title == "Nothing matches"
    assert page.empty.offered == ("Clear search and filters",)
    page.filters.clear_button.click()
    settle(qtbot, page)
    wanted = listed(page)[-1].row
    number = str(wanted.marketplace_number or wanted.marketplace_id)
    QTest.keyClicks(page.filters.text, number)
    qtbot.waitUntil(lambda: page.filters.filters.text == number)
    settle(qtbot, page)
    assert [line.row.hub_id for line in listed(page)] == [wanted.hub_id]


def test_a_month_narrows_it_too(qtbot: QtBot, page: SalesOrdersPage, made: Made) -> None:
    made.services.scope.choose(None, "2026-10")
    settle(qtbot, page)
    assert {line.row.created_on[:7] for line in listed(page)} == {"2026-10"}
    made.services.scope.choose(None, "2019-01")
    settle(qtbot, page)
    assert page.empty.title == "Nothing in this month"
    with made.services.opened.reading() as transaction:
        months = sorted(transaction.column("SELECT substr(created_on, 1, 7) FROM sales_order"))
    newest = month_word(months[-1])
    assert page.empty.text == f"There are {formatting.count(len(months))} in other months, the newest in {newest}."
    assert page.empty.offered == (f"Show {newest}", "Search in every month")
    page.empty._month.click()
    settle(qtbot, page)
    assert made.services.scope.month == months[-1]
    assert len(page.model.ids) == months.count(months[-1])
    made.services.scope.choose(None, "2019-01")
    settle(qtbot, page)
    page.empty._every.click()
    settle(qtbot, page)
    assert made.services.scope.month is None
    assert len(page.model.ids) == len(months)


def test_other_months_are_promised_only_for_what_they_have(qtbot: QtBot, page: SalesOrdersPage, made: Made) -> None:
    row = listed(page)[0].row
    made.services.scope.choose(None, "2019-01")
    settle(qtbot, page)
    choose(qtbot, page, text=row.hub_id)
    month = month_word(row.created_on[:7])
    assert (page.empty.title, page.empty.text) == ("Nothing matches", f"There is 1 in {month}.")
    assert page.empty.offered == ("Clear search and filters", f"Show {month}")
    page.empty._month.click()
    settle(qtbot, page)
    assert made.services.scope.month == row.created_on[:7]
    assert [line.row.hub_id for line in listed(page)] == [row.hub_id], "it leads to what it named, still looked for"
    made.services.scope.choose(None, "2019-01")
    choose(qtbot, page, text="nobody has this number")
    assert page.empty.text == "Change the search or the filters."
    assert page.empty.offered == ("Clear search and filters",)
    made.services.scope.choose("11444777000161", "2019-01")
    choose(qtbot, page)
    assert page.empty.text == "Choose another company or month."
    assert page.empty.offered == ()


def test_people_are_hidden_where_the_setting_says_so(qtbot: QtBot, page: SalesOrdersPage, made: Made) -> None:
    row = next(line.row for line in listed(page) if len(line.row.buyer_tax_id or "") == 11)
    stand_on(qtbot, page, row.hub_id)
    assert str(row.buyer_name) in page.panel.right.as_text()
    versions = page.panel.versions
    place = next(n for n, change in enumerate(versions.changes.rows_model.rows) if change.path == "buyer.name")
    cell_of_name = versions.changes.rows_model.index(place, 2)
    assert cell_of_name.data() == row.buyer_name
    made.services.workspace.settings.set(HIDE_PEOPLE, True)
    assert page.panel.detail is not None
    page.panel.show_order(page.panel.detail)
    assert str(row.buyer_name) not in page.panel.right.as_text()
    assert cell_of_name.data() == cell_of_name.data(Qt.ItemDataRole.ToolTipRole) == "•••"
    page.arrive()
    settle(qtbot, page)
    cell = page.model.index(0, PLACES["buyer"])
    assert cell.data()
    assert str(row.buyer_name) not in (cell.data(), cell.data(Qt.ItemDataRole.ToolTipRole))


def test_the_documents_of_an_order_are_opened(qtbot: QtBot, page: SalesOrdersPage) -> None:
    line = next(line for line in listed(page) if line.documents)
    stand_on(qtbot, page, line.row.hub_id)
    detail = page.panel.detail
    assert detail is not None
    assert len(detail.shown.documents) == line.documents
    document = detail.shown.documents[0]
    page.panel.documents.selectRow(0)
    with qtbot.waitSignal(page.paper_wanted) as heard:
        QTest.keyClick(page.panel.documents, Qt.Key.Key_Return)
    assert heard.args == [document.access_key]
    menu = page.context_menu()
    assert menu is not None
    title = page.panel.document_title(document)
    with qtbot.waitSignal(page.paper_wanted) as heard:
        next(action for action in menu.actions() if action.text() == title).trigger()
    assert heard.args == [document.access_key]
    menu.deleteLater()


def test_open_findings_are_marked_and_gone_to(qtbot: QtBot, page: SalesOrdersPage) -> None:
    place = next(place for place, line in enumerate(listed(page)) if line.findings)
    line = listed(page)[place]
    cell = page.model.index(place, PLACES["findings"])
    assert cell.data().endswith("open finding" if len(line.findings) == 1 else "open findings")
    assert line.findings[0].rule in cell.data(Qt.ItemDataRole.ToolTipRole)
    assert [mark.severity for mark in line.findings] == sorted(
        (mark.severity for mark in line.findings), key=("high", "medium", "low").index
    )
    stand_on(qtbot, page, line.row.hub_id)
    assert len(page.panel.findings.rows_model.rows) >= len(line.findings)
    page.panel.findings.selectRow(0)
    with qtbot.waitSignal(page.reconcile_wanted) as heard:
        QTest.keyClick(page.panel.findings, Qt.Key.Key_Return)
    assert heard.args == [line.row.account, line.row.hub_id]


@pytest.mark.parametrize(("days", "kind"), [(24, None), (27, "warn"), (31, "bad")])
def test_a_feed_that_was_not_read_for_long_is_warned_of(qtbot: QtBot, made: Made, days: int, kind: str | None) -> None:
    at = (datetime.now(UTC) - timedelta(days=days, minutes=1)).isoformat(timespec="seconds")
    with closing(sqlite3.connect(made.services.workspace.home.archive)) as archive, archive:
        archive.execute(
            "UPDATE account SET environment = 'production', facts = json_set(facts, '$.feed_read_at', ?)", (at,)
        )
    page = page_of(qtbot, made)
    assert page.feed.isVisible() is (kind is not None)
    if kind is not None:
        assert f"{days} days ago" in page.feed.words.text()
        assert ("may be lost" in page.feed.words.text()) is (kind == "bad")
        assert page.feed.property("notice") == kind
        assert page.feed.sync.isVisible()
        ground = getattr(made.services.look.colours, f"{kind}_soft")
        assert page.feed.grab().toImage().pixelColor(0, 10).name() == ground, "a strip has no border at the edges"


def test_a_written_archive_is_shown_without_moving_the_list(qtbot: QtBot, page: SalesOrdersPage, made: Made) -> None:
    wanted = page.model.ids[40]
    page.table.stand_on(wanted)
    settle(qtbot, page)
    resets: list[int] = []
    page.model.modelReset.connect(lambda: resets.append(1))
    with closing(sqlite3.connect(made.services.workspace.home.archive)) as archive, archive:
        archive.execute("UPDATE sales_order SET status = 'EM_ANALISE' WHERE id = ?", (wanted,))
    look_again(qtbot, page)
    assert page.table.current_id == wanted
    assert page.model.index(40, PLACES["status"]).data() == "EM_ANALISE"
    assert page.panel.detail is not None
    assert page.panel.detail.shown.row.status == "EM_ANALISE"
    assert resets == []


def test_an_empty_archive_says_what_to_do(qtbot: QtBot, made_empty: Made) -> None:
    page = page_of(qtbot, made_empty)
    assert page.empty.title == "There are no orders yet"
    assert page.empty.offered == ("Sync now", "Import orders…", "Go to the overview")
    assert page.totals == "0 orders"
    assert made_empty.faults == []


# -- many rows saved ---------------------------------------------------------------------------------------


def test_selected_orders_become_a_spreadsheet_and_their_documents_a_zip(
    qtbot: QtBot, page: SalesOrdersPage, made: Made, tmp_path: Path
) -> None:
    bar = page.selection.bar
    assert not bar.buttons["xml"].isVisible()
    page.table.selectionModel().clear()
    with_documents = [place for place, line in enumerate(listed(page)) if line.documents][:3]
    for place in with_documents:
        index = page.model.index(place, 0)
        flags = QItemSelectionModel.SelectionFlag.Select | QItemSelectionModel.SelectionFlag.Rows
        page.table.selectionModel().select(index, flags)
    settle(qtbot, page)
    assert bar.buttons["xml"].isVisible()
    chosen = [listed(page)[place] for place in with_documents]
    assert bar.text.text().startswith("3 selected · R$")
    page.selection.ask = Asked(tmp_path / "o.xlsx").dialogs
    bar.wanted.emit(SavedForm.XLSX.value)
    assert job_outcomes.told(ended(qtbot, made.services))[1] == "Saved. Rows of the list: 3."
    sheet = openpyxl.load_workbook(tmp_path / "o.xlsx").active
    assert sheet is not None
    head, *lines = sheet.iter_rows(values_only=True)
    assert [line[head.index("Order")] for line in lines] == [line.row.hub_id for line in chosen]
    page.selection.ask = Asked(tmp_path / "o.zip").dialogs
    assert page.selection.save_xml()
    assert ended(qtbot, made.services).done
    with zipfile.ZipFile(tmp_path / "o.zip") as package:
        assert len(package.namelist()) >= 3


def test_statuses_of_the_list_are_whole_in_every_language(page: SalesOrdersPage) -> None:
    room, metrics = page.table.columnWidth(PLACES["status"]), page.table.fontMetrics()
    beside = {status: PILL_ROOM if kind_of_order(status) else CELL_ROOM for status in OrderStatus}
    words = [(word, beside[status]) for status in OrderStatus for word in status_words(status)]
    assert [word for word, needed in words if metrics.horizontalAdvance(word) + needed > room] == []


def test_heads_of_the_list_are_whole(page: SalesOrdersPage) -> None:
    table = page.table
    bold = QFont(table.horizontalHeader().font())
    bold.setWeight(QFont.Weight.DemiBold)
    for number, column in enumerate(table.plan.columns):
        if not column.mark and not table.isColumnHidden(number):
            assert table.columnWidth(number) > QFontMetrics(bold).horizontalAdvance(column.name) + 15, column.key
        elif column.mark:
            assert table.columnWidth(number) <= column.width


@pytest.mark.parametrize("appearance", ["light", "dark"])
def test_a_status_is_seen_on_the_chosen_row(qtbot: QtBot, page: SalesOrdersPage, appearance: str) -> None:
    look = page._services.look
    look.use(appearance)
    table, column = page.table, PLACES["status"]
    row = next(number for number, line in enumerate(listed(page)) if kind_of_order(line.row.status))
    table.selectRow(row)
    table.scrollTo(page.model.index(row, column))
    QApplication.processEvents()
    cell = table.visualRect(page.model.index(row, column))
    image = table.viewport().grab(cell).toImage()
    colours = {image.pixelColor(x, image.height() // 2).name() for x in range(13)}  # before the letters
    assert look.colours.accent_soft in colours
    assert max(contrast(look.colours.accent_soft, colour) for colour in colours) >= 3
