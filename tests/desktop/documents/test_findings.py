"""The mark of findings in the list: a shape for each severity, the rules in words, a chip, and what is copied."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from confere.app.reconciliation import decisions, queries
from confere.app.reconciliation.queries import FindingFilter, FindingQuery
from confere.desktop.core import actions
from confere.desktop.core.actions import Action
from confere.desktop.documents.columns import PLACES, Glance, named
from confere.desktop.documents.page import DocumentsPage
from confere.desktop.widgets.long_list.list_columns import tab_separated
from tests.app.business import ACCOUNT, SEPTEMBER_KEY
from tests.archive.papers import key
from tests.desktop.conftest import Made
from tests.desktop.reaching import settle
from tests.desktop.rooms import Open
from tests.desktop.small_business import _bare as _bare
from tests.desktop.small_business import bare_home as bare_home
from tests.desktop.small_business import business_home as business_home
from tests.desktop.small_business import made_business as made_business

FINDINGS = PLACES["findings"]
TIPS = {
    key(1): "R6 · Cut-off · low",
    key(2): "R3 · Value divergence · high\nR14 · Broken reference · medium",
    key(3): "R3 · Value divergence · high",
    key(4): "",
    SEPTEMBER_KEY: "R2 · Invoice without order · high",
}


@pytest.fixture
def page(qtbot: QtBot, made_business: Made) -> Iterator[DocumentsPage]:
    owner = QWidget()
    qtbot.addWidget(owner)
    found = DocumentsPage(made_business.services, actions.make(owner, made_business.services.look), owner)
    owner.resize(1200, 600)
    found.resize(1200, 600)
    owner.show()
    found.arrive()
    rest(qtbot, found)
    yield found


def test_what_was_settled_on_another_page_is_marked_no_more(
    qtbot: QtBot, open_window: Open, business_home: Path
) -> None:
    window = open_window(business_home).window
    services = window.services
    services.scope.choose(None, None)
    window.go_to(Action.DOCUMENTS)
    rest(qtbot, window.documents)
    place = places(window.documents)[key(3)]
    window.documents.table.selectRow(place)
    qtbot.waitUntil(lambda: window.details.current is not None)
    settle(qtbot, services)
    window.go_to(Action.RECONCILE)
    (row,) = queries.findings(services.opened, FindingQuery(ACCOUNT, FindingFilter(rules=("R3",))))
    with qtbot.waitSignal(services.watch.changed):
        decisions.explain(services.workspace, [row.id], "agreed")
    settle(qtbot, services)
    window.go_to(Action.DOCUMENTS)

    def is_unmarked() -> bool:  # a change may be noticed only when the page is in front again
        line, shown = window.documents.model.line(place), window.details.current
        if line is None or shown is None or shown.row is None:
            return False
        return (line.row.access_key, line.row.findings, shown.row.findings) == (key(3), (), ())

    qtbot.waitUntil(is_unmarked)
    stood = window.documents.model.line(place)
    assert stood is not None
    assert window.documents.selected_id == stood.row.id, "it stays where it was"


def rest(qtbot: QtBot, page: DocumentsPage) -> None:
    qtbot.waitUntil(lambda: page.model.is_settled)
    settle(qtbot, page._services)


def places(page: DocumentsPage) -> dict[str | None, int]:
    lines = [(place, page.model.line(place)) for place in range(len(page.model.ids))]
    return {line.row.access_key: place for place, line in lines if line is not None}


def shape(page: DocumentsPage, place: int) -> bytes:
    """A cell in black and white; its width is a multiple of four, as a picture's lines are kept."""
    rect = page.table.visualRect(page.model.index(place, FINDINGS)).adjusted(3, 2, -3, -2)
    grey = page.table.viewport().grab(rect).toImage().convertToFormat(QImage.Format.Format_Grayscale8)
    return bytes(bytearray(255 if shade < 200 else 0 for shade in bytes(grey.constBits())))


def test_a_row_says_by_shape_and_word_what_names_it(page: DocumentsPage) -> None:
    found = places(page)
    for access_key, tip in TIPS.items():
        index = page.model.index(found[access_key], FINDINGS)
        assert index.data(Qt.ItemDataRole.ToolTipRole) == tip
        count = len(tip.splitlines())
        spoken = {0: "", 1: "1 open finding", 2: "2 open findings"}[count]
        assert index.data(Qt.ItemDataRole.AccessibleTextRole) == spoken
    low, several, high, none = (shape(page, found[key(number)]) for number in (1, 2, 3, 4))
    assert len({low, several, high, none}) == 4
    assert not any(none)


def test_the_head_is_an_icon_with_a_name(page: DocumentsPage) -> None:
    across = Qt.Orientation.Horizontal
    assert page.model.headerData(FINDINGS, across, Qt.ItemDataRole.AccessibleTextRole) == "Findings"
    assert not page.model.headerData(FINDINGS, across, Qt.ItemDataRole.DecorationRole).isNull()


def test_the_chip_narrows_the_list(qtbot: QtBot, page: DocumentsPage) -> None:
    chip = next(button for button in page.chips.buttons if button.accessibleName() == "Findings")
    assert (chip.text(), chip.toolTip()) == ("", "Findings")
    choices = {action.data(): action for action in chip.menu().actions() if action.data()}
    choices["yes"].trigger()
    rest(qtbot, page)
    assert places(page).keys() == TIPS.keys() - {key(4)}
    assert chip.text() == "Findings: with open findings"
    choices["no"].trigger()
    rest(qtbot, page)
    assert places(page).keys() == {key(4)}
    page.chips.clear()
    rest(qtbot, page)
    assert chip.text() == ""
    page.search("finding:yes")
    rest(qtbot, page)
    assert places(page).keys() == TIPS.keys() - {key(4)}


def test_a_persons_word_takes_the_mark_away(qtbot: QtBot, page: DocumentsPage) -> None:
    services = page._services
    (row,) = queries.findings(services.opened, FindingQuery(ACCOUNT, FindingFilter(rules=("R3",))))
    decisions.explain(services.workspace, [row.id], "agreed")
    page.archive_changed()

    def tip(number: int) -> str:
        return str(page.model.index(places(page)[key(number)], FINDINGS).data(Qt.ItemDataRole.ToolTipRole))

    qtbot.waitUntil(lambda: tip(3) == "")
    assert tip(2) == "R14 · Broken reference · medium"


def test_a_spreadsheet_takes_the_rules(page: DocumentsPage) -> None:
    line = page.model.line(places(page)[key(2)])
    assert line is not None
    assert tab_separated([line.row], named({"findings"}), Glance()) == "Findings\nR3 R14\n"
