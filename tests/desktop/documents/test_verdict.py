"""The mark of authenticity in the list: a shape for each verdict, its word for who hears it, a chip, an order."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from confere.desktop.core import actions
from confere.desktop.documents.columns import PLACES
from confere.desktop.documents.page import DocumentsPage
from confere.desktop.services import Services

VERDICT = PLACES["verdict"]
STORED = {"ok": 0, "unchecked": 1, "failed": 2, "altered": 2, "test": 3, "none": None}
WORDS = {
    "ok": "authentic",
    "unchecked": "could not be checked",
    "failed": "not authentic",
    "altered": "altered after signing",
    "test": "test document",
    "none": "not checked yet",
}


@pytest.fixture
def page(qtbot: QtBot, services: Services) -> Iterator[DocumentsPage]:
    """The newest documents are one of each verdict, all others are authentic."""
    with closing(sqlite3.connect(services.workspace.home.archive)) as archive, archive:
        archive.execute("UPDATE document SET verdict = 0")
        archive.execute("DELETE FROM verdict")
        newest = archive.execute(
            "SELECT id FROM document WHERE is_current = 1 AND issued_at IS NOT NULL"
            " ORDER BY issued_at DESC, id DESC LIMIT 6"
        )
        for (number,), (word, stored) in zip(newest.fetchall(), STORED.items(), strict=True):
            archive.execute("UPDATE document SET verdict = ? WHERE id = ?", (stored, number))
            if word == "altered":
                archive.execute(
                    "INSERT INTO verdict (content_id, kind, position, basis_id, result, lines)"
                    " SELECT content_id, 0, position, 1, 2, 'ooaonoooooo-' FROM document WHERE id = ?",
                    (number,),
                )
    owner = QWidget()
    qtbot.addWidget(owner)
    found = DocumentsPage(services, actions.make(owner, services.look), owner)
    services.scope.choose(None, "1999-01")  # chosen once, no newest month is guessed any more
    services.scope.choose(None, None)
    owner.resize(1200, 600)
    found.resize(1200, 600)
    owner.show()
    found.arrive()
    rest(qtbot, services, found)
    yield found


def rest(qtbot: QtBot, services: Services, page: DocumentsPage) -> None:
    qtbot.waitUntil(lambda: page.model.is_settled and not services.reader.busy)


def row_of(page: DocumentsPage, verdict: str) -> int:
    wanted = None if verdict == "none" else verdict
    return next(
        place for place in range(8) if (line := page.model.line(place)) is not None and line.row.verdict_word == wanted
    )


def test_each_verdict_has_a_mark_of_its_own_and_a_word(page: DocumentsPage, services: Services) -> None:
    painted: dict[str, bytes] = {}
    for verdict, word in WORDS.items():
        index = page.model.index(row_of(page, verdict), VERDICT)
        assert index.data(Qt.ItemDataRole.ToolTipRole) == word
        assert index.data(Qt.ItemDataRole.AccessibleTextRole) == word
        cell = page.table.viewport().grab(page.table.visualRect(index).adjusted(2, 2, -2, -2)).toImage()
        grey = cell.convertToFormat(QImage.Format.Format_Grayscale8)
        painted[verdict] = bytes(bytearray(255 if shade < 200 else 0 for shade in bytes(grey.constBits())))
    assert len(set(painted.values())) == len(WORDS)  # by their shapes alone, in black and white
    assert not any(painted["ok"])  # what is as it should be has no mark


def test_the_head_is_an_icon_with_a_name(page: DocumentsPage) -> None:
    head = page.model
    across = Qt.Orientation.Horizontal
    assert head.headerData(VERDICT, across, Qt.ItemDataRole.DisplayRole) == ""
    assert head.headerData(VERDICT, across, Qt.ItemDataRole.AccessibleTextRole) == "Authenticity"
    assert not head.headerData(VERDICT, across, Qt.ItemDataRole.DecorationRole).isNull()


def test_the_list_is_narrowed_to_verdicts_and_sorted_by_them(
    page: DocumentsPage, services: Services, qtbot: QtBot
) -> None:
    everything = len(page.model.ids)
    for words, count in ((("failed", "none"), 3), (("altered",), 1), (("test", "altered"), 2), (("test",), 1)):
        page.show_only(verdicts=words)
        rest(qtbot, services, page)
        assert len(page.model.ids) == count
    page.show_only()
    page.table.sort_by("verdict", True)
    rest(qtbot, services, page)
    assert len(page.model.ids) == everything
    first = [line.row.verdict for place in range(5) if (line := page.model.line(place)) is not None]
    assert first[0] in ("test", None)
    assert set(first) <= {"failed", "unchecked", "test", None, "ok"}
    assert first.index("failed") < first.index("unchecked")


def test_the_chip_offers_what_occurs_with_counts(page: DocumentsPage, services: Services, qtbot: QtBot) -> None:
    chip = next(button for button in page.chips.buttons if button.accessibleName() == "Authenticity")
    chip.menu().aboutToShow.emit()
    rest(qtbot, services, page)
    offered = {action.data(): action.text() for action in chip.menu().actions() if action.data()}
    assert set(offered) == set(STORED)
    assert offered["failed"] == "not authentic\t2"  # what was altered is a part of it
    assert offered["altered"] == "altered after signing\t1"
