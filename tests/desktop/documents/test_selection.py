"""Several rows at once: the bar that speaks of them, and what a child process saves of them."""

from __future__ import annotations

import hashlib
import zipfile
from array import array
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import openpyxl
import pytest
from PySide6.QtCore import QEvent, QItemSelectionModel, QMimeData, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from confere.app.documents import browse
from confere.desktop.core import actions as commands
from confere.desktop.core.actions import Action
from confere.desktop.dialogs.saving import row_files
from confere.desktop.dialogs.saving.selection_saver import FILES, KEYS
from confere.desktop.documents.page import DocumentsPage
from confere.desktop.jobs import job_outcomes
from confere.desktop.jobs.job_requests import SavedForm
from confere.desktop.services import Services
from confere.desktop.shell.controller import connected_window
from confere.system import formatting
from tests.desktop.patient import LONG
from tests.desktop.saved import Asked, ended

_ADD_ROW = QItemSelectionModel.SelectionFlag.Select | QItemSelectionModel.SelectionFlag.Rows


@pytest.fixture
def page(qtbot: QtBot, services: Services) -> Iterator[DocumentsPage]:
    holder = QWidget()
    qtbot.addWidget(holder)
    found = DocumentsPage(services, commands.make(holder, services.look), holder)
    holder.resize(1280, 720)
    found.resize(1280, 720)
    holder.show()
    found.arrive()
    qtbot.waitUntil(lambda: found.model.is_settled and bool(found.model.ids))
    yield found
    holder.close()  # held until here: nobody else does


def _select(qtbot: QtBot, page: DocumentsPage, services: Services, count: int) -> array[int]:
    page.table.selectionModel().clear()
    for row in range(count):
        page.table.selectionModel().select(page.model.index(row, 0), _ADD_ROW)
    qtbot.waitUntil(lambda: not page.table.is_following and not services.reader.busy)
    return page.table.selected_ids()


def test_the_bar_speaks_of_a_selection_and_moves_nothing(qtbot: QtBot, page: DocumentsPage, services: Services) -> None:
    bar = page.selection.bar
    _select(qtbot, page, services, 1)
    place = page.table.mapTo(page, page.table.rect().topLeft())
    assert not any(button.isVisible() for button in bar.buttons.values())
    assert formatting.count(len(page.model.ids)) in bar.every.text()
    ids = _select(qtbot, page, services, 5)
    totals = browse.totals_of(services.opened, ids)
    assert all(button.isVisible() for button in bar.buttons.values())
    assert bar.text.text().startswith(f"5 selected · {formatting.money(totals.worth)}")
    assert page.table.mapTo(page, page.table.rect().topLeft()) == place
    void = next(row for row in browse.rows(services.opened, page.model.ids) if row.state == "cancelled")
    page.table.selectionModel().select(page.model.index(list(page.model.ids).index(void.id), 0), _ADD_ROW)
    qtbot.waitUntil(lambda: "without effect: 1" in bar.text.text())
    bar.wanted.emit(KEYS)
    keys = [row.access_key for row in browse.rows(services.opened, page.table.selected_ids()) if row.access_key]
    qtbot.waitUntil(lambda: QGuiApplication.clipboard().text().split() == keys)


def test_the_selected_rows_become_a_zip_of_the_vaults_bytes(
    qtbot: QtBot, page: DocumentsPage, services: Services, tmp_path: Path
) -> None:
    ids = _select(qtbot, page, services, 6)
    page.selection.ask = Asked(tmp_path / "some").dialogs  # without its ending
    assert page.selection.save_xml()
    outcome = ended(qtbot, services)
    assert outcome.done
    assert job_outcomes.told(outcome)[1].startswith("Saved. Documents: 6;")
    assert job_outcomes.folder_of(outcome) == str(tmp_path)
    digests = {row.sha256 for row in browse.rows(services.opened, ids)}
    with zipfile.ZipFile(tmp_path / "some.zip") as package:
        assert {hashlib.sha256(package.read(name)).hexdigest() for name in package.namelist()} == digests
    assert not list(Path(outcome.order.arguments[-1]).parent.glob(Path(outcome.order.arguments[-1]).name))


def test_all_of_the_list_becomes_a_spreadsheet_with_the_sums_of_its_footer(
    qtbot: QtBot, page: DocumentsPage, services: Services, tmp_path: Path
) -> None:
    footer: list[str] = []
    page.totals_changed.connect(footer.append)
    _select(qtbot, page, services, 1)
    asked = Asked(tmp_path / "all.xlsx")
    page.selection.ask = asked.dialogs
    page.selection.bar.all_wanted.emit(SavedForm.XLSX.value)
    assert ended(qtbot, services).done
    assert asked.proposed[0].endswith(".xlsx")
    sheet = openpyxl.load_workbook(tmp_path / "all.xlsx").active
    assert sheet is not None
    head, *lines = sheet.iter_rows(values_only=True)
    worth = sum(Decimal(str(line[head.index("Value")] or 0)) for line in lines)
    assert len(lines) == len(page.model.ids)
    assert formatting.money(int(worth * 100)) in footer[-1]


def test_nobody_who_gives_up_starts_a_job(qtbot: QtBot, page: DocumentsPage, services: Services) -> None:
    _select(qtbot, page, services, 3)
    asked = Asked(None)
    page.selection.ask = asked.dialogs
    for form in SavedForm:
        page.selection.bar.wanted.emit(form.value)
    assert len(asked.proposed) == len(SavedForm)
    assert not services.jobs.busy


def test_the_key_for_saving_takes_all_selected_rows_or_else_the_document(qtbot: QtBot, services: Services) -> None:
    window = connected_window(services)
    qtbot.addWidget(window)
    window.show()
    window.go_to(Action.DOCUMENTS)
    page = window.documents
    qtbot.waitUntil(lambda: page.model.is_settled and bool(page.model.ids))
    many, one = Asked(None), []
    page.selection.ask = many.dialogs
    window.details.ask_where = lambda _parent, proposed: one.append(proposed.name)
    _select(qtbot, page, services, 1)
    page.table.stand_on(page.model.ids[0])
    qtbot.waitUntil(lambda: window.details.current is not None and not services.reader.busy)
    window.actions_by_act[Action.SAVE_XML].trigger()
    assert (len(one), many.proposed) == (1, [])
    _select(qtbot, page, services, 2)
    page.table.setFocus()
    window.details.save_xml()
    assert (len(one), len(many.proposed)) == (1, 1)


def test_files_of_selected_rows_are_copied_and_dragged_out(
    qtbot: QtBot, page: DocumentsPage, services: Services
) -> None:
    ids = _select(qtbot, page, services, 3)
    digests = {row.sha256 for row in browse.rows(services.opened, ids)}
    page.selection.bar.wanted.emit(FILES)
    qtbot.waitUntil(lambda: bool(QGuiApplication.clipboard().mimeData().urls()))
    copied = _contents(QGuiApplication.clipboard().mimeData())
    assert copied == digests
    carried: list[set[str]] = []
    page.selection.carry = lambda _source, data: carried.append(_contents(data))
    viewport = page.table.viewport()
    inside = page.table.visualRect(page.model.index(1, 0)).center()
    QTest.mousePress(viewport, Qt.MouseButton.LeftButton, pos=inside)
    away = QMouseEvent(
        QEvent.Type.MouseMove,
        QPointF(inside.x() + 60, inside.y()),
        viewport.mapToGlobal(QPointF(inside.x() + 60, inside.y())),
        Qt.MouseButton.NoButton,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    QApplication.sendEvent(viewport, away)
    assert carried == [digests]
    assert page.table.selected_ids() == ids
    QTest.mouseClick(viewport, Qt.MouseButton.LeftButton, pos=inside)  # a click chooses one, as everywhere
    assert page.table.selected_ids() == ids[1:2]
    row_files.clean_up()
    assert not any(path.exists() for path in map(Path, _paths(QGuiApplication.clipboard().mimeData())))


def test_too_many_rows_are_no_files(qtbot: QtBot, page: DocumentsPage, services: Services) -> None:
    assert len(page.model.ids) > row_files.MOST_ROWS
    qtbot.waitUntil(lambda: not services.reader.busy)  # with what the page shows beside its rows
    QGuiApplication.clipboard().setText("before")
    page.selection.copy_files(page.table.listed_ids())
    assert not services.reader.busy
    assert QGuiApplication.clipboard().text() == "before"


def _paths(data: QMimeData) -> list[str]:
    return [url.toLocalFile() for url in data.urls()]


def _contents(data: QMimeData) -> set[str]:
    return {hashlib.sha256(Path(path).read_bytes()).hexdigest() for path in _paths(data)}


def test_a_document_is_opened_over_the_whole_window_and_back_at_its_row(
    qtbot: QtBot, services: Services, no_pdfs: None
) -> None:
    window = connected_window(services)
    qtbot.addWidget(window)
    window.show()
    window.go_to(Action.DOCUMENTS)
    page, details = window.documents, window.details
    qtbot.waitUntil(lambda: page.model.is_settled and bool(page.model.ids))
    wanted = page.model.ids[7]
    page.table.stand_on(wanted)
    qtbot.keyClick(page.table, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: details.current is not None and not services.reader.busy, timeout=LONG)
    assert details.is_wide
    assert details.pdf.isVisible()
    assert details.summary.isVisible()
    assert not any(part.isVisible() for part in (page, window.sidebar, window.top))
    qtbot.keyClick(details.tabs.tabBar(), Qt.Key.Key_Escape)
    assert not details.is_wide
    assert all(part.isVisible() for part in (page, window.sidebar, window.top))
    assert page.table.current_id == wanted
    assert details.tabs.count() == 6
    window.spread_document(True)
    window.actions_by_act[Action.SEARCH].trigger()
    assert not details.is_wide  # where one searches there is a list
