"""The model of the list: Qt's own tester, every order, and what stays when the archive changes."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing

import pytest
from PySide6.QtCore import QModelIndex, Qt
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from confere.app.documents import browse
from confere.app.documents.browse import SORTS, DocumentQuery
from confere.desktop.documents.columns import COLUMNS, PLACES, Glance
from confere.desktop.documents.document_list import DocumentModel
from confere.desktop.widgets.long_list import list_model as model_module
from confere.desktop.widgets.long_list.list_model import BLOCK
from tests.desktop.conftest import DOCUMENTS, Made

_DISPLAY = Qt.ItemDataRole.DisplayRole


@pytest.fixture
def model(qtbot: QtBot, made: Made) -> Iterator[DocumentModel]:
    services = made.services
    found = DocumentModel(services.opened, services.reader, services.faults, services.look)
    yield found
    found.deleteLater()


def _ask(qtbot: QtBot, model: DocumentModel, query: DocumentQuery | None = None) -> None:
    model.ask(query or DocumentQuery(), Glance())
    qtbot.waitUntil(lambda: model.is_settled)


def _forget(made: Made, condition: str) -> None:
    """Take documents off the list, as a newer version of them would."""
    with closing(sqlite3.connect(made.services.workspace.home.archive)) as archive, archive:
        archive.execute(f"UPDATE document SET is_current = 0 WHERE {condition}")


def test_qt_finds_no_fault_with_the_model(
    qtbot: QtBot, qtmodeltester: ModelTester, made: Made, model: DocumentModel
) -> None:
    qtmodeltester.check(model, force_py=True)  # and again at every change
    _ask(qtbot, model)
    assert model.rowCount() == DOCUMENTS
    _ask(qtbot, model, DocumentQuery(states=("cancelled",)))
    model.clear()
    assert model.rowCount() == 0
    assert made.faults == []


@pytest.mark.parametrize("sort", SORTS)
@pytest.mark.parametrize("order", [Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder])
def test_every_order_is_the_archives(
    qtbot: QtBot, made: Made, model: DocumentModel, sort: str, order: Qt.SortOrder
) -> None:
    model.ask(DocumentQuery(sort="number" if sort == "issued" else "issued"), Glance())
    model.sort(PLACES[sort], order)
    qtbot.waitUntil(lambda: model.is_settled)
    wanted = DocumentQuery(sort=sort, descending=order == Qt.SortOrder.DescendingOrder)
    assert list(model.ids) == [row.id for row in browse.find(made.services.workspace, wanted, None).documents]


def test_every_cell_says_what_its_row_has(qtbot: QtBot, made: Made, model: DocumentModel) -> None:
    _ask(qtbot, model)
    rows = browse.find(made.services.workspace, DocumentQuery(), None).documents
    for place, row in enumerate(rows):
        for number, column in enumerate(COLUMNS):
            index = model.index(place, number)
            assert index.data(_DISPLAY) == column.text(row, Glance())
            assert index.data(Qt.ItemDataRole.AccessibleTextRole) == column.text(row, Glance())
            assert isinstance(index.data(Qt.ItemDataRole.ToolTipRole), str)


def test_every_head_has_a_name(model: DocumentModel) -> None:
    for place in range(len(COLUMNS)):
        assert model.headerData(place, Qt.Orientation.Horizontal, Qt.ItemDataRole.AccessibleTextRole)


def test_the_first_rows_are_followed_by_all_without_moving(qtbot: QtBot, model: DocumentModel) -> None:
    resets, grown = [], []
    model.modelReset.connect(lambda: resets.append(list(model.ids)))
    model.rowsInserted.connect(lambda _parent, first, last: grown.append((first, last)))
    _ask(qtbot, model)
    assert [len(ids) for ids in resets] == [BLOCK]
    assert grown == [(BLOCK, DOCUMENTS - 1)]


def test_each_line_is_of_its_id_though_others_came_before_all_were_listed(
    qtbot: QtBot, made: Made, model: DocumentModel
) -> None:
    """A sync writes between the first rows and all ids: a line that shows one document must not stand for another."""
    gone: list[int] = []

    def change() -> None:
        if not gone:  # the first rows are there; all ids are asked for once they are painted
            gone.append(model.ids[0])
            _forget(made, f"id = {gone[0]}")

    model.modelReset.connect(change)
    _ask(qtbot, model)
    assert model.rowCount() == DOCUMENTS - 1 and model.place_of(gone[0]) is None
    shown = [model.line(place) for place in range(BLOCK)]
    assert [line and line.row.id for line in shown] == list(model.ids[:BLOCK])


def test_only_the_newest_question_is_shown(qtbot: QtBot, model: DocumentModel) -> None:
    model.ask(DocumentQuery(), Glance())
    model.ask(DocumentQuery(types=("cte",)), Glance())
    qtbot.waitUntil(lambda: model.is_settled)
    types = {model.index(place, PLACES["type"]).data() for place in range(model.rowCount())}
    assert types == {"CT-e"}


def test_a_change_of_the_archive_shows_without_asking_anew(qtbot: QtBot, made: Made, model: DocumentModel) -> None:
    _ask(qtbot, model)
    gone = model.ids[0]
    _forget(made, f"id = {gone}")
    model.refresh()
    qtbot.waitUntil(lambda: model.rowCount() == DOCUMENTS - 1)
    assert model.place_of(gone) is None


def test_a_row_that_changed_in_place_is_read_again(qtbot: QtBot, made: Made, model: DocumentModel) -> None:
    _ask(qtbot, model)
    cell = model.index(0, PLACES["total"])
    assert cell.data() != "R$ 0,07"
    with closing(sqlite3.connect(made.services.workspace.home.archive)) as archive, archive:
        archive.execute("UPDATE document SET total = 7 WHERE id = ?", (model.ids[0],))
    model.refresh()
    qtbot.waitUntil(lambda: model.index(0, PLACES["total"]).data() == "R$ 0,07")


def test_a_row_that_is_gone_is_an_empty_line(qtbot: QtBot, made: Made, model: DocumentModel) -> None:
    _ask(qtbot, model)
    place = BLOCK * 2
    with closing(sqlite3.connect(made.services.workspace.home.archive)) as archive, archive:
        archive.execute("DELETE FROM document WHERE id = ?", (model.ids[place],))
    assert model.index(place, 0).data() == ""
    assert model.index(place + 1, PLACES["type"]).data()
    assert made.faults == []


def test_a_broken_archive_is_told_once(qtbot: QtBot, made: Made, model: DocumentModel) -> None:
    _ask(qtbot, model)
    made.services.opened.close()
    made.services.workspace.home.archive.write_bytes(b"no archive at all" * 1000)
    for place in range(BLOCK, DOCUMENTS):
        assert model.index(place, 0).data() == ""
    qtbot.waitUntil(lambda: bool(made.faults))
    assert len(made.faults) == 1
    assert not made.faults[0].is_bug


def test_memory_stays_bounded(qtbot: QtBot, model: DocumentModel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model_module, "BLOCK", 2)
    _ask(qtbot, model)
    for place in range(model.rowCount()):
        assert model.line(place) is not None
    assert len(model._blocks) == 64


def test_an_empty_folder_lists_nothing_and_tells_nothing(qtbot: QtBot, made_empty: Made) -> None:
    services = made_empty.services
    model = DocumentModel(services.opened, services.reader, services.faults, services.look)
    _ask(qtbot, model)
    assert model.rowCount(QModelIndex()) == 0
    assert made_empty.faults == []
    model.deleteLater()
