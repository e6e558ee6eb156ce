"""The orders of a document in the graph and in the list: what they tell, and the way to them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from confere.app.context import Workspace
from confere.app.documents.relations import DocumentOrder
from confere.app.documents.view import loaded
from confere.app.documents.view.loaded import Loaded
from confere.app.reconciliation import decisions, queries
from confere.archive.orders.orders import OrderRow
from confere.desktop.core.actions import Action
from confere.desktop.details.graph import graph_nodes, relation_groups
from confere.desktop.details.graph.graph_nodes import Arc, Drawing, Node, NodeKind
from confere.desktop.details.graph.graph_view import RelationGraph
from confere.desktop.details.graph.relation_list import RelationList
from confere.desktop.reconcile.group_list import What
from confere.desktop.shell.window import MainWindow
from confere.sales.links import Link, LinkKind
from confere.system import formatting
from tests.app.business import ACCOUNT, order_json, record_orders
from tests.app.made import account
from tests.archive.papers import key
from tests.desktop.conftest import Made
from tests.desktop.reaching import settle
from tests.desktop.rooms import Open
from tests.desktop.small_business import _bare as _bare
from tests.desktop.small_business import bare_home as bare_home
from tests.desktop.small_business import business_home as business_home
from tests.desktop.small_business import made_business as made_business
from tests.desktop.small_business import owner_of


def note(made: Made, number: int) -> Loaded:
    return loaded.load(made.services.opened, key(number), False)


def the_order(drawing: Drawing) -> tuple[Node, Arc]:
    (node,) = [node for node in drawing.nodes if node.kind is NodeKind.ORDER]
    (arc,) = [arc for arc in drawing.arcs if arc.source == node.id]
    return node, arc


def with_orders(found: Loaded, *orders: DocumentOrder) -> Loaded:
    assert found.kinship is not None
    return replace(found, kinship=replace(found.kinship, orders=orders))


def order_row(made: Made) -> OrderRow:
    """An order that the archive has."""
    return queries.orders(made.services.opened, ACCOUNT)[0].order


def test_a_linked_order_stands_beside_its_document(made_business: Made) -> None:
    node, arc = the_order(graph_nodes.of(note(made_business, 1)))
    assert (node.title, node.subtitle, node.value, node.absent) == ("Order o1", "Market", "R$ 10,00", False)
    assert node.order == (ACCOUNT, "o1")
    assert (arc.target, arc.words, arc.of_order, arc.certain) == (key(1), "access key", True, False)
    assert node.lines == (
        "Order o1",
        "Market · at the marketplace: MP-o1",
        f"{formatting.date('2026-10-04')} · R$ 10,00 · invoiced",
        "Linked: the order names the access key (100%)",
        "made by hand",
    )


def test_a_persons_word_is_at_the_line(made_business: Made) -> None:
    workspace = made_business.services.workspace
    decisions.confirm(workspace, ACCOUNT, [("o1", key(1))])
    node, arc = the_order(graph_nodes.of(note(made_business, 1)))
    assert arc.certain
    assert arc.words.endswith("confirmed")
    assert "Confirmed by a person" in node.lines
    decisions.link(workspace, ACCOUNT, [("o3", key(4))])
    _, arc = the_order(graph_nodes.of(note(made_business, 4)))
    assert (arc.words, arc.certain) == ("by a person", True)


def test_one_that_is_not_here_is_hollow_and_leads_nowhere(qtbot: QtBot, made_business: Made) -> None:
    found = with_orders(
        note(made_business, 4), DocumentOrder("gone", "HUB", ACCOUNT), DocumentOrder("apart", None, unlinked=True)
    )
    drawing = graph_nodes.of(found)
    nodes = {node.title: node for node in drawing.nodes}
    assert nodes["Order gone"].absent
    assert nodes["Order gone"].order is None
    assert "not in the archive" in nodes["Order gone"].lines
    words = {arc.source: arc.words for arc in drawing.arcs}
    assert words == {"order:gone": "named by the hub", "order:apart": "unlinked"}
    asked: list[object] = []
    for widget in (RelationGraph(made_business.services.look), RelationList(made_business.services.look)):
        qtbot.addWidget(widget)
        widget.order_wanted.connect(lambda *wanted: asked.append(wanted))
        widget.show_document(found)
        if isinstance(widget, RelationGraph):
            widget.focus_node("order:gone")
        qtbot.keyClick(widget, Qt.Key.Key_Return)
    assert asked == []


def test_of_many_orders_some_are_drawn_and_all_are_listed(made_business: Made) -> None:
    row = order_row(made_business)
    orders = [DocumentOrder(f"o{number}", "MARKET", ACCOUNT, row) for number in range(10)]
    found = with_orders(note(made_business, 4), *orders)
    drawing = graph_nodes.of(found)
    assert [node.title for node in drawing.nodes if node.kind is NodeKind.ORDER] == [f"Order o{n}" for n in range(4)]
    (more,) = [node for node in drawing.nodes if node.kind is NodeKind.MORE]
    assert more.title == "6 more"
    listed = relation_groups.of(found)
    assert sum(entry.order is not None for entry in listed) == 10
    assert "Orders (10)" in [entry.title for entry in listed if entry.heading]


def test_the_graph_paints_certain_and_other_ties_apart(qtbot: QtBot, made_business: Made) -> None:
    graph = RelationGraph(made_business.services.look)
    qtbot.addWidget(graph)
    graph.resize(400, 400)
    pictures = set()
    row = replace(order_row(made_business), total=None)  # so that no sum tells the archived ones from the other
    for order in (
        DocumentOrder("o1", "MARKET", ACCOUNT, row),
        DocumentOrder("o1", "MARKET", ACCOUNT, row, Link("o1", key(4), LinkKind.PERSON, 100, ())),
        DocumentOrder("o1", "MARKET", ACCOUNT),
    ):
        found = with_orders(note(made_business, 4), order)
        drawing = graph_nodes.of(found)
        graph.show_document(found)
        # Without their words, by the line and the card alone.
        graph.drawing = replace(drawing, arcs=tuple(replace(arc, words="") for arc in drawing.arcs))
        graph._lay_out()
        graph.show()
        pictures.add(bytes(graph.viewport().grab().toImage().constBits()))
    assert len(pictures) == 3


def test_the_list_leads_to_an_order(qtbot: QtBot, made_business: Made) -> None:
    widget = RelationList(made_business.services.look)
    qtbot.addWidget(widget)
    widget.show_document(note(made_business, 1))
    rows = widget.rows_model.rows
    assert [(row.title, row.value) for row in rows] == [("Order", ""), ("o1", "R$ 10,00")]
    assert rows[1].detail == "access key · Market · MP-o1"
    asked: list[tuple[str, str]] = []
    widget.order_wanted.connect(lambda *wanted: asked.append(wanted))
    qtbot.keyClick(widget, Qt.Key.Key_Return)
    assert asked == [(ACCOUNT, "o1")]


def test_an_order_is_shown_among_the_orders_whatever_the_month(
    qtbot: QtBot, open_window: Open, business_home: Path
) -> None:
    window = open_window(business_home).window
    services = window.services
    services.scope.choose(None, "2026-09")  # the order is of October
    window.go_to(Action.DOCUMENTS)
    window.details.show_key(key(2))
    settle(qtbot, services)
    window.details.show_tab("relations")
    graph = window.details.relations.graph
    graph.focus_node("order:o2")
    qtbot.keyClick(graph, Qt.Key.Key_Return)
    assert window.place is Action.ORDERS
    settle(qtbot, services)
    shown(qtbot, window, "o2")
    assert services.scope.month == "2026-10"
    window.orders.panel.reconcile.click()  # from there beside what is linked to it
    assert window.place is Action.RECONCILE
    page = window.reconcile
    qtbot.waitUntil(lambda: page.beside.side is not None)
    settle(qtbot, services)
    assert page.groups.current is not None
    assert page.groups.current.what is What.ORDERS
    assert [line.order.hub_id for line in page.orders.rows] == ["o2"]
    assert page.beside.side is not None
    assert [entry.order_id for entry in page.beside.side.orders] == ["o2"]


def shown(qtbot: QtBot, window: MainWindow, order_id: str) -> None:
    """The page Orders stands on this one, and shows it in full."""
    page = window.orders
    qtbot.waitUntil(lambda: page.panel.detail is not None and page.panel.detail.shown.row.hub_id == order_id)
    assert page.current is not None
    assert (page.current.row.account, page.current.row.hub_id) == (ACCOUNT, order_id)


OTHER = "11222333000262"


def go_to_order(qtbot: QtBot, window: MainWindow, order_id: str) -> None:
    window.go_to(Action.DOCUMENTS)
    settle(qtbot, window.services)
    window.details.order_wanted.emit(ACCOUNT, order_id)
    settle(qtbot, window.services)
    shown(qtbot, window, order_id)


def test_an_order_of_another_company_is_shown_too(qtbot: QtBot, open_window: Open, business_home: Path) -> None:
    """What one has sold the other one has bought: the document is of both."""
    with Workspace.at(business_home).writing("test") as archive:
        account(archive, "a buyer", "production", OTHER)
    window = open_window(business_home).window
    window.services.scope.choose(OTHER, "2026-10")
    go_to_order(qtbot, window, "o1")
    assert (window.services.scope.company, window.services.scope.month) == (None, "2026-10")


def test_an_order_is_shown_before_the_first_run(qtbot: QtBot, open_window: Open, bare_home: Path) -> None:
    window = open_window(bare_home).window
    window.services.scope.choose(None, None)
    go_to_order(qtbot, window, "o1")


def test_another_order_of_the_same_name_at_the_marketplace_is_not_meant(
    qtbot: QtBot, open_window: Open, business_home: Path
) -> None:
    with Workspace.at(business_home).writing("test") as archive:
        newer = order_json("o9", marketPlaceId="o1", createdAt="2026-10-20T15:00:00Z")
        record_orders(archive, owner_of(archive), newer)
    window = open_window(business_home).window
    window.services.scope.choose(None, "2026-09")
    go_to_order(qtbot, window, "o1")
    go_to_order(qtbot, window, "o2")
