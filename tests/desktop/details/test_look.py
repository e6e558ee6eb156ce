"""What stands where in the details, how it fits the panel, and that no word of it misleads."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QApplication, QHBoxLayout, QLabel, QWidget
from pytestqt.qtbot import QtBot

from confere.app.authenticity import verify
from confere.app.authenticity.verify import PaperVerdict
from confere.app.documents.view import sections
from confere.app.labels import labels
from confere.app.overview import activity
from confere.desktop.details.graph import graph_geometry
from confere.desktop.details.graph.graph_nodes import Arc, Drawing, Node, NodeKind
from confere.desktop.details.graph.graph_view import RelationGraph
from confere.desktop.details.items.items_page import Items
from confere.desktop.theme.theme import Look
from confere.desktop.widgets.pill import Pill
from confere.fiscal.authenticity.judge import JudgedDocument
from confere.fiscal.authenticity.verdict import Check, CheckLine, Result, SignedKind, Verdict
from confere.system import messages
from tests.archive.papers import key
from tests.desktop import whole_papers
from tests.desktop.conftest import Made
from tests.desktop.details_made import Shown, bring_in, one
from tests.desktop.troubled import BROKEN
from tests.fiscal import made as fiscal

PANEL = 404  # logical pixels of the details in a window of 1280


@pytest.fixture
def shown(qtbot: QtBot, made: Made, tmp_path: Path) -> Shown:
    found = Shown(qtbot, made.services)
    bring_in(made.services, tmp_path / "whole", whole_papers.note(70), whole_papers.freight([key(70), key(71)]))
    return found


@pytest.mark.parametrize("result", [Result.OK, Result.FAILED, Result.UNCHECKED])
def test_a_verdict_comes_first_only_where_it_is_to_be_looked_at(
    shown: Shown, monkeypatch: pytest.MonkeyPatch, result: Result
) -> None:
    row = one(shown.services, access_key=key(70))
    lines = tuple(CheckLine(check, result if check is Check.SIGNATURE else Result.OK) for check in Check)
    said = (PaperVerdict(JudgedDocument(SignedKind.DOCUMENT, 0, key(70), None, None, Verdict(lines)), row.sha256),)
    monkeypatch.setattr(verify, "judge", lambda _opened, _full: said)
    shown.show(row.id)
    assert shown.panel._loaded is not None
    found = sections.of(shown.panel._loaded)
    titles = [entry.title for entry in found]
    assert titles.count("Authenticity") == 1
    sentence = "Authentic: every check that applies holds."
    if result is Result.OK:
        assert titles.index("Authorization") + 1 == titles.index("Authenticity")
        assert found[0].facts[-1].lines[0].text == sentence
    else:
        assert titles.index("Authenticity") < titles.index("Document")
        assert sentence not in shown.panel.summary.toPlainText()


def test_the_line_on_the_environment_says_nothing_that_its_mark_denies() -> None:
    assert labels.check_word("environment") == "Environment"


def test_a_cancellation_that_is_not_registered_is_not_taken_for_one_where_its_word_is_cut() -> None:
    assert labels.state_word("unregistered").startswith(labels.state_word("authorized"))


def test_the_foot_of_a_freight_says_which_amount_it_tells(shown: Shown) -> None:
    shown.show(one(shown.services, access_key=fiscal.cte_key()).id)
    shown.panel.show_tab("items")
    shown.rest()
    assert shown.panel.items.sum.text() == "service: R$ 25,90 · carried documents: 2"


@pytest.mark.parametrize("language", ["en", "pt_BR", "es"])
def test_the_total_of_an_item_is_seen_without_scrolling(qtbot: QtBot, made: Made, language: str) -> None:
    messages.set_language(language)
    table = Items(made.services.look, made.services.memory).table
    qtbot.addWidget(table)
    head, keys = table.horizontalHeader(), [column.key for column in table.rows_model.columns]
    upto = [head.sectionSize(number) for number in range(keys.index("total") + 1)]
    assert sum(upto) <= PANEL - table.verticalScrollBar().sizeHint().width() - 2 * table.frameWidth()


def test_of_a_file_that_cannot_be_read_each_page_says_so(shown: Shown, tmp_path: Path) -> None:
    bring_in(shown.services, tmp_path / "broken", BROKEN)
    (file,) = activity.unreadable(shown.services.opened)
    shown.panel.show_key(file.sha256)
    shown.rest()
    for tab in ("items", "history", "relations", "pdf"):
        shown.panel.show_tab(tab)
        shown.rest()
    said = "The file cannot be read."
    assert shown.panel.items.sum.text() == said
    assert said in [label.text() for label in shown.panel.timeline.findChildren(QLabel)]
    assert shown.panel.pdf.sentence.text() == said
    assert shown.panel.relations.graph.accessibleDescription() == said
    assert not shown.panel.header._parties.isVisible()


def carried(count: int) -> Drawing:
    """A freight with so many notes."""
    notes = [
        Node(f"n{number}", NodeKind.DOCUMENT, 0, number, f"NF-e 1/382{number}", "sale", "22/10/2026", "R$ 633,70")
        for number in range(count)
    ]
    freight = Node("f", NodeKind.DOCUMENT, 1, 1, "CT-e 1/5827", "freight", "23/10/2026", "R$ 53,38", is_self=True)
    order = Node("o", NodeKind.ORDER, 1, 2, "Order 7", "SHOP")
    arcs = [Arc("f", note.id, "carries") for note in notes]
    return Drawing((*notes, freight, order), (*arcs, Arc("o", "f")))


def test_a_freight_of_three_notes_fits_the_width_of_the_panel(qtbot: QtBot, made: Made) -> None:
    graph = RelationGraph(made.services.look)
    qtbot.addWidget(graph)
    font = graph.font()
    font.setPointSizeF(9)  # what the systems have by default
    graph.setFont(font)
    graph.resize(PANEL, 340)
    graph.drawing = carried(3)
    graph.show()
    qtbot.waitExposed(graph)
    graph._lay_out()
    assert graph.geometry_in_use.across
    assert graph.geometry_in_use.size.width() <= PANEL
    assert graph.horizontalScrollBar().maximum() == 0
    assert graph._fonts.plain.pointSizeF() < font.pointSizeF()
    graph.resize(2 * PANEL, 340)
    graph._lay_out()
    assert graph._fonts.plain.pointSizeF() == font.pointSizeF()
    graph.drawing = replace(carried(3), nodes=(*carried(3).nodes, Node("far", NodeKind.DOCUMENT, 9, 0, "NF-e 1/1")))
    graph._lay_out()
    assert graph._fonts.plain.pointSizeF() == font.pointSizeF()  # who has to scroll anyway reads well


def test_an_order_is_no_wider_than_its_words_and_a_state_leaves_the_operation_its_room(qapp: QApplication) -> None:
    metrics = QFontMetricsF(qapp.font())
    plain = carried(1)
    cards = graph_geometry.lay_out(plain, metrics, metrics, across=True).cards
    assert cards["o"].width() == pytest.approx(metrics.horizontalAdvance("Order 7") + graph_geometry.SIDES)
    late = replace(plain, nodes=(replace(plain.nodes[0], state="cancelled out of term"), *plain.nodes[1:]))
    wide = graph_geometry.card_size(late, metrics, metrics).width() - graph_geometry.SIDES
    assert wide >= metrics.horizontalAdvance("sale") + metrics.horizontalAdvance("cancelled out of term")
    for across in (True, False):
        found = graph_geometry.lay_out(late, metrics, metrics, across=across)
        assert all(card.right() <= found.size.width() for card in found.cards.values())


def test_a_long_state_gives_way_and_is_told_by_the_tooltip(qtbot: QtBot, qapp: QApplication) -> None:
    box = QWidget()
    qtbot.addWidget(box)
    row = QHBoxLayout(box)
    row.setContentsMargins(0, 0, 0, 0)
    total = QLabel("R$ 1.234.567,89")
    pill = Pill(Look(qapp))
    row.addWidget(total)
    row.addWidget(pill)
    word = labels.state_word("unregistered")
    pill.show_word(word, "warn")
    box.resize(250, 40)
    box.show()
    qtbot.waitExposed(box)
    assert box.width() == 250
    assert pill.width() < pill.sizeHint().width()
    assert total.width() >= total.sizeHint().width()
    assert pill.toolTip() == word
