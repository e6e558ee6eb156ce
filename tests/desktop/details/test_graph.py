"""The graph of relations: what it draws, where, and how one walks it without a mouse and without eyes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, QSizeF, Qt
from PySide6.QtGui import QFontMetricsF, QGuiApplication, QHelpEvent
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot

from confere.app.documents.full_document import FullDocument
from confere.app.documents.relations import ChainStep, Relations, Role
from confere.app.documents.view import loaded
from confere.app.documents.view.document_view import DocumentView
from confere.app.documents.view.loaded import Loaded
from confere.archive.documents.relations import RelationEdge
from confere.desktop.details.graph import graph_geometry, graph_nodes
from confere.desktop.details.graph.graph_grid import MOST_IN_STAGE
from confere.desktop.details.graph.graph_nodes import Drawing, NodeKind
from confere.desktop.details.graph.graph_page import RelationsPage
from confere.desktop.details.graph.graph_view import RelationGraph
from confere.desktop.services import Services
from tests.desktop.conftest import Made
from tests.desktop.details_made import bring_in, freight, one
from tests.fiscal import made as paper

REMESSA, RETORNO, SALE, RETURN = (paper.access_key(number=number) for number in (11, 12, 13, 14))
FREIGHT = paper.cte_key(number=21)


def note(key: str, nature: str, *refers: str) -> bytes:
    references = "".join(f"<NFref><refNFe>{other}</refNFe></NFref>" for other in refers)
    body = paper.note(key, number=str(int(key[25:34])), nature=nature, in_ide=references)
    return paper.nfe_proc(body, paper.protocol(key)).encode()


@pytest.fixture
def chain(services: Services, tmp_path: Path) -> Services:
    """A sale with its freight, its return and an event; the remessa is not here."""
    bring_in(
        services,
        tmp_path / "in",
        note(RETORNO, "Retorno simbólico", REMESSA),
        note(SALE, "Venda", RETORNO),
        note(RETURN, "Devolução", SALE),
        paper.cte_proc(paper.freight(FREIGHT, documents=[SALE]), paper.protocol(FREIGHT, tag="CTe")).encode(),
        paper.event_proc(SALE, code="110110", detail="<xCorrecao>Uma caixa</xCorrecao>").encode(),
    )
    return services


def loaded_at(services: Services, key: str, *, hidden: bool = False) -> Loaded:
    return loaded.load(services.opened, key, hidden)


@pytest.fixture
def graph(qtbot: QtBot, chain: Services) -> RelationGraph:
    made = RelationGraph(chain.look)
    qtbot.addWidget(made)
    made.resize(1200, 400)
    made.show_document(loaded_at(chain, SALE))
    made.show()
    qtbot.waitExposed(made)
    made.activateWindow()
    made.setFocus()
    return made


def test_it_draws_the_chain_from_left_to_right(chain: Services) -> None:
    drawing = graph_nodes.of(loaded_at(chain, SALE))
    places = {node.id: (node.stage, node.lane) for node in drawing.nodes}
    assert places == {REMESSA: (0, 0), RETORNO: (1, 0), SALE: (2, 0), FREIGHT: (2, 1), RETURN: (3, 0)}
    assert {(arc.source, arc.target, arc.words) for arc in drawing.arcs} == {
        (RETORNO, REMESSA, "refers to"),
        (SALE, RETORNO, "refers to"),
        (RETURN, SALE, "refers to"),
        (FREIGHT, SALE, "carries"),
    }
    nodes = {node.id: node for node in drawing.nodes}
    assert nodes[SALE].is_self
    assert (nodes[SALE].title, nodes[SALE].subtitle, nodes[SALE].value) == ("NF-e 1/13", "sale", "R$ 10,00")
    assert (nodes[SALE].events, nodes[FREIGHT].icon, nodes[RETURN].icon) == (1, "truck", "documents")
    assert nodes[REMESSA].absent
    assert " ".join(nodes[REMESSA].key).replace(" ", "") == REMESSA
    assert nodes[REMESSA].goes_to is None
    assert "not in the archive" in nodes[REMESSA].lines


def test_cards_never_overlap_and_stages_follow_each_other(qapp: QApplication) -> None:
    for drawing in (wide(30), joined(5)):
        metrics = QFontMetricsF(qapp.font())
        for across in (True, False):
            found = graph_geometry.lay_out(drawing, metrics, metrics, across=across)
            cards = list(found.cards.items())
            for place, (name, card) in enumerate(cards):
                assert 0 <= card.left() < card.right() <= found.size.width()
                assert 0 <= card.top() < card.bottom() <= found.size.height()
                for other, beside in cards[place + 1 :]:
                    assert not card.intersects(beside), (name, other)
            stages = {node.id: node.stage for node in drawing.nodes}
            for line in found.lines:
                source, target = found.cards[line.arc.source], found.cards[line.arc.target]
                if stages[line.arc.source] > stages[line.arc.target]:
                    assert (source.left() > target.right()) if across else (source.top() > target.bottom())


def test_the_way_that_fits_is_taken(qapp: QApplication) -> None:
    metrics = QFontMetricsF(qapp.font())
    drawing = joined(1)
    assert graph_geometry.fitting(drawing, metrics, metrics, QSizeF(2000, 300)).across
    assert not graph_geometry.fitting(drawing, metrics, metrics, QSizeF(300, 900)).across


def made_chain(*steps: tuple[str, Role, int, tuple[str, ...]]) -> Drawing:
    """A drawing of documents that are all absent."""
    chain = tuple(
        ChainStep(
            key, role, stage, None, None, None, tuple(RelationEdge(key, other, "references", 1) for other in refers)
        )
        for key, role, stage, refers in steps
    )
    kinship = Relations(next(key for key, role, _, _ in steps if role is Role.SELF), chain=chain)
    nothing = FullDocument(None, None, (), (), (), (), (), None, (), (), ())
    return graph_nodes.of(Loaded(DocumentView(nothing), kinship=kinship))


def wide(count: int) -> Drawing:
    """A remessa with so many retornos, each with its sale."""
    retornos = [(paper.access_key(number=n), Role.AFTER, 1, (REMESSA,)) for n in range(100, 100 + count)]
    sales = [(paper.access_key(number=n + 1000), Role.AFTER, 2, (key,)) for n, (key, _, _, _) in enumerate(retornos)]
    return made_chain((REMESSA, Role.SELF, 0, ()), *retornos, *reversed(sales))


def joined(count: int) -> Drawing:
    """A return of so many sales, with a remessa after it."""
    sales = [paper.access_key(number=number) for number in range(200, 200 + count)]
    return made_chain(
        *((key, Role.BEFORE, 0, ()) for key in sales),
        (RETURN, Role.SELF, 1, tuple(sales)),
        (REMESSA, Role.AFTER, 2, (RETURN,)),
    )


def test_what_is_too_many_is_one_node_that_stands_for_the_rest() -> None:
    drawing = wide(30)
    assert [node.title for node in drawing.nodes if node.kind is NodeKind.MORE] == ["22 more", "22 more"]
    shown = {node.id for node in drawing.nodes if node.kind is NodeKind.DOCUMENT}
    assert len(shown) == 1 + 2 * MOST_IN_STAGE
    sales = [node for node in drawing.nodes if node.stage == 2 and node.kind is NodeKind.DOCUMENT]
    for sale in sales:  # those that are drawn hang on what is drawn, beside it
        (arc,) = [arc for arc in drawing.arcs if arc.source == sale.id]
        parent = drawing.node(arc.target)
        assert parent is not None
        assert parent.lane == sale.lane


def test_one_that_refers_to_several_stands_between_them() -> None:
    drawing = joined(5)
    lanes = {node.id: node.lane for node in drawing.nodes}
    assert sorted(lanes.values()) == [0, 1, 2, 2, 2, 3, 4]
    assert lanes[RETURN] == lanes[REMESSA] == 2


def test_arrows_walk_enter_goes_and_home_comes_back(qtbot: QtBot, graph: RelationGraph) -> None:
    went: list[str] = []
    graph.key_wanted.connect(went.append)

    def press(*keys: Qt.Key) -> str:
        for key in keys:
            qtbot.keyClick(graph, key)
        assert graph.focused is not None
        return graph.focused.id

    assert graph.geometry_in_use.across
    assert press(Qt.Key.Key_Left) == RETORNO
    assert press(Qt.Key.Key_Left) == REMESSA
    qtbot.keyClick(graph, Qt.Key.Key_Return)
    assert went == []  # it is not here
    assert press(Qt.Key.Key_Left) == REMESSA
    assert press(Qt.Key.Key_Home) == SALE
    qtbot.keyClick(graph, Qt.Key.Key_Return)
    assert went == []  # it is shown already
    assert press(Qt.Key.Key_Down) == FREIGHT
    assert press(Qt.Key.Key_Up) == SALE
    assert press(Qt.Key.Key_Right) == RETURN
    qtbot.keyClick(graph, Qt.Key.Key_Enter)
    assert went == [RETURN]
    qtbot.keyClick(graph, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == RETURN


def test_every_node_is_reached_by_arrows(qtbot: QtBot, graph: RelationGraph) -> None:
    reached: set[str] = set()
    waiting = [node.id for node in graph.drawing.nodes if node.is_self]
    while waiting:
        name = waiting.pop()
        reached.add(name)
        for key in (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down):
            beside = graph.geometry_in_use.beside(name, key)
            if beside is not None and beside not in reached:
                waiting.append(beside)
    assert reached == {node.id for node in graph.drawing.nodes}


def test_a_screen_reader_is_told_of_the_node_that_one_is_on(qtbot: QtBot, graph: RelationGraph) -> None:
    assert graph.accessibleName() == "Graph of relations"
    told = graph.accessibleDescription()
    assert told.startswith("NF-e 1/13. sale (natOp “Venda”).")
    assert "refers to NF-e 1/12" in told
    assert "Events: correction letter" in told
    qtbot.keyClick(graph, Qt.Key.Key_Down)
    assert graph.accessibleDescription().startswith("CT-e 1/77. freight")
    assert "carries NF-e 1/13" in graph.accessibleDescription()


def test_the_mouse_points_chooses_and_goes(qtbot: QtBot, graph: RelationGraph) -> None:
    went: list[str] = []
    graph.key_wanted.connect(went.append)
    place = graph._rect_of(RETURN).center()
    qtbot.mouseClick(graph.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert graph.focused is not None
    assert (graph.focused.id, went) == (RETURN, [])
    qtbot.mouseDClick(graph.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert went == [RETURN]
    point = graph.viewport().mapToGlobal(place)
    QApplication.sendEvent(graph.viewport(), QHelpEvent(QEvent.Type.ToolTip, place, point))
    assert "devolution" in QToolTip.text()
    QApplication.sendEvent(graph.viewport(), QHelpEvent(QEvent.Type.ToolTip, QPoint(1, 1), point))
    qtbot.waitUntil(lambda: not QToolTip.isVisible())


def test_the_same_document_read_again_leaves_who_walks_where_they_are(
    qtbot: QtBot, chain: Services, graph: RelationGraph, tmp_path: Path
) -> None:
    qtbot.keyClick(graph, Qt.Key.Key_Right)
    bring_in(chain, tmp_path / "more", note(REMESSA, "Remessa para depósito"))
    graph.show_document(loaded_at(chain, SALE))
    assert graph.focused is not None
    assert graph.focused.id == RETURN
    remessa = graph.drawing.node(REMESSA)
    assert remessa is not None
    assert not remessa.absent
    graph.show_document(loaded_at(chain, RETURN))
    assert graph.focused.id == RETURN
    graph.show_document(loaded_at(chain, REMESSA))
    assert graph.focused.id == REMESSA


def test_people_stay_hidden(chain: Services) -> None:
    open_ = graph_nodes.of(loaded_at(chain, SALE)).node(SALE)
    hidden = graph_nodes.of(loaded_at(chain, SALE, hidden=True)).node(SALE)
    assert open_ is not None
    assert hidden is not None
    assert "José da Conceição" in "\n".join(open_.lines)
    assert "Conceição" not in "\n".join(hidden.lines)


def test_the_page_has_the_graph_and_the_list_and_what_the_chain_tells(
    qtbot: QtBot, made: Made, chain: Services, tmp_path: Path
) -> None:
    page = RelationsPage(chain.look, chain.memory)
    qtbot.addWidget(page)
    page.resize(500, 600)
    page.show()
    went: list[str] = []
    page.key_wanted.connect(went.append)
    page.show_document(loaded_at(chain, RETORNO))
    assert not page.notes.isVisibleTo(page)
    assert page.list.isVisibleTo(page)
    page.graph.setFocus()
    page.graph.focus_node(SALE)
    qtbot.keyClick(page.graph, Qt.Key.Key_Return)
    page.list.setCurrentIndex(page.list.rows_model.index(len(page.list.rows_model.rows) - 1))
    qtbot.keyClick(page.list, Qt.Key.Key_Return)
    assert went == [SALE, SALE]
    alone = paper.access_key(number=60)
    bring_in(chain, tmp_path / "alone", note(alone, "Retorno simbólico", REMESSA))
    page.show_document(loaded_at(chain, alone))
    assert page.notes.isVisibleTo(page)
    assert "1/60 has no sale" in page.notes.text()


def test_the_node_for_the_rest_leads_to_the_list(qtbot: QtBot, chain: Services) -> None:
    page = RelationsPage(chain.look, chain.memory)
    qtbot.addWidget(page)
    page.resize(500, 600)
    page.show()
    found = loaded_at(chain, SALE)
    assert found.kinship is not None
    many = tuple(
        ChainStep(
            paper.access_key(number=n), Role.AFTER, 3, None, None, None, (RelationEdge("", SALE, "references", 1),)
        )
        for n in range(100, 130)
    )
    page.show_document(replace(found, kinship=replace(found.kinship, chain=(*found.kinship.chain, *many))))
    page.activateWindow()
    page.parts.setSizes([600, 0])
    page.graph.setFocus()
    page.graph.focus_node("more:3")
    qtbot.keyClick(page.graph, Qt.Key.Key_Return)
    qtbot.waitUntil(page.list.hasFocus)
    assert page.parts.sizes()[1] > 0


def test_an_order_of_the_hub_stands_beside_its_document(services: Services) -> None:
    row, target = freight(services)
    found = loaded_at(services, row.access_key or "")
    assert found.kinship is not None
    drawing = graph_nodes.of(found)
    (order,) = [node for node in drawing.nodes if node.kind is NodeKind.ORDER]
    assert order.copied == found.kinship.orders[0].order_id
    assert order.goes_to is None
    assert target in {node.id for node in drawing.nodes}
    me = drawing.node(row.access_key or "")
    assert me is not None
    assert (order.stage, order.lane > me.lane) == (me.stage, True)


@pytest.mark.parametrize("appearance", ["light", "dark"])
def test_it_paints_what_is_known_and_that_nothing_is(qtbot: QtBot, chain: Services, appearance: str) -> None:
    chain.look.use(appearance)
    graph = RelationGraph(chain.look)
    qtbot.addWidget(graph)
    graph.resize(900, 300)
    graph.show()
    graph.show_document(loaded_at(chain, SALE))
    image = graph.viewport().grab().toImage()
    accent = chain.look.colours.accent_soft
    rect = graph._rect_of(SALE)
    density = image.devicePixelRatio()
    inside = rect.bottomLeft() * density + QPoint(round(12 * density), round(-4 * density))
    assert image.pixelColor(inside).name() == accent
    voiding = one(chain, types=("voiding",))
    graph.show_document(loaded.load(chain.opened, voiding.id, False))
    assert graph.drawing.nodes == ()
    assert graph.accessibleDescription() == "It refers to no document, and none refers to it."
    assert not graph.viewport().grab().isNull()
