"""The graph of a document's relations in words: a node for each document and order, an arc for each reference."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from confere.app.documents.relations import ChainStep, DocumentOrder, Role
from confere.app.documents.view import detail_text
from confere.app.documents.view.loaded import Loaded
from confere.app.labels import labels
from confere.app.labels.marketplace_labels import marketplace_word
from confere.desktop.details import order_text
from confere.desktop.details.graph.graph_grid import Grid, place
from confere.desktop.widgets.pill import kind_of_state
from confere.fiscal import access_keys
from confere.fiscal.document_models import TYPE_OF_MODEL
from confere.system import formatting
from confere.system.messages import render, t

_FREIGHT = frozenset({"cte", "cteos"})
_MOST_EVENTS = 4  # named in a tooltip


class NodeKind(StrEnum):
    DOCUMENT = "document"
    ORDER = "order"
    MORE = "more"  # stands for those of its stage that are not drawn


@dataclass(frozen=True, slots=True)
class Node:
    """A node in words. `stage` and `lane` are its place; `goes_to` is the key that Enter leads to.

    `state` is the word of a state that asks attention, and empty for a plain authorization; `tone` the kind of pill
    it has. `lines` tell everything, for a tooltip and for who hears the screen. `more` is how many further documents
    refer to it. `order` is the account and the hub's id of an order that Enter leads to.
    """

    id: str
    kind: NodeKind
    stage: int
    lane: float
    title: str
    subtitle: str = ""
    date: str = ""
    value: str = ""
    state: str = ""
    tone: str = "neutral"
    icon: str = ""
    events: int = 0
    more: int = 0
    absent: bool = False
    is_self: bool = False
    key: tuple[str, ...] = ()  # of an absent one, in groups of four, as two lines
    lines: tuple[str, ...] = ()
    goes_to: str | None = None
    order: tuple[str, str] | None = None
    copied: str = ""


@dataclass(frozen=True, slots=True)
class Arc:
    """From the one that refers to the one it names. An order's has no direction; its words say why it is linked.

    `certain`: a person said that the order and the document belong together.
    """

    source: str
    target: str
    words: str = ""
    of_order: bool = False
    certain: bool = False


@dataclass(frozen=True, slots=True)
class Drawing:
    """What is to be drawn, in the order of stages and lanes."""

    nodes: tuple[Node, ...] = ()
    arcs: tuple[Arc, ...] = ()

    def node(self, name: str) -> Node | None:
        return next((node for node in self.nodes if node.id == name), None)


def of(loaded: Loaded) -> Drawing:
    """The graph of what is shown; empty where nothing is known of relations."""
    kinship = loaded.kinship
    if kinship is None or kinship.step is None:
        return Drawing()
    orders = {_order_id(order): kinship.access_key for order in kinship.orders}
    grid = place(kinship.chain, orders)
    steps = {step.access_key: step for step in kinship.chain if step.access_key in grid.cells}
    arcs = _arcs(steps)
    nodes = [_document(step, grid, arcs, steps, loaded) for step in steps.values()]
    beside = [order for order in kinship.orders if _order_id(order) in grid.beside]
    nodes += [_order(order, grid, steps) for order in beside]
    arcs += [
        Arc(_order_id(order), kinship.access_key, order_text.tie_of(order), True, order_text.is_certain(order))
        for order in beside
    ]
    nodes += [_more(grid, stage, count) for stage, count in grid.hidden.items()]
    return Drawing(tuple(sorted(nodes, key=lambda node: (node.stage, node.lane, node.id))), tuple(arcs))


def _arcs(steps: Mapping[str, ChainStep]) -> list[Arc]:
    """One for each pair, with all kinds in which the one refers to the other."""
    found: dict[tuple[str, str], list[str]] = {}
    for step in steps.values():
        for link in step.links:
            if link.target_key in steps:
                said = found.setdefault((step.access_key, link.target_key), [])
                said.append(labels.relation_word(link.kind, reverse=False))
    return [Arc(source, target, ", ".join(dict.fromkeys(said))) for (source, target), said in found.items()]


def _document(step: ChainStep, grid: Grid, arcs: list[Arc], steps: Mapping[str, ChainStep], loaded: Loaded) -> Node:
    row, cell = step.row, grid.cells[step.access_key]
    operation = labels.operation_word(step.operation)
    title = name_of(step)
    lines = [title, *_told(step, loaded)]
    for arc in arcs:
        if arc.source == step.access_key:
            lines.append(f"{arc.words} {name_of(steps[arc.target])}")
    lines += _counted(step)
    groups = labels.key_groups(step.access_key)
    lines.append(groups)
    return Node(
        id=step.access_key,
        kind=NodeKind.DOCUMENT,
        stage=cell.stage,
        lane=cell.lane,
        title=title,
        subtitle=operation,
        date=formatting.date(row.issued_at) if row is not None else "",
        value=formatting.money(row.total) if row is not None else "",
        state="" if row is None or row.state == "authorized" else labels.state_word(row.state),
        tone="neutral" if row is None else kind_of_state(row.state),
        icon="truck" if _type_of(step) in _FREIGHT else "documents",
        events=len(step.events),
        more=step.referred_elsewhere + step.refers_elsewhere,
        absent=row is None,
        is_self=step.role is Role.SELF,
        key=() if row is not None else _halves(groups),
        lines=tuple(lines),
        goes_to=step.access_key if row is not None and step.role is not Role.SELF else None,
        copied=step.access_key,
    )


def name_of(step: ChainStep) -> str:
    """What a document is called; of one that is not here its key tells."""
    if step.row is not None:
        return f"{labels.type_word(step.row.type)} {labels.number_word(step.row.series, step.row.number)}".strip()
    parts = access_keys.parse(step.access_key)
    if parts is None:
        return t("unreadable key")
    return f"{labels.model_word(parts.model)} {labels.number_word(parts.series, parts.number)}"


def _type_of(step: ChainStep) -> str:
    if step.row is not None:
        return step.row.type
    parts = access_keys.parse(step.access_key)
    return "" if parts is None else TYPE_OF_MODEL.get(parts.model, parts.model)


def _told(step: ChainStep, loaded: Loaded) -> list[str]:
    """Operation with its evidence, then what the paper says."""
    row = step.row
    operation = labels.operation_word(step.operation)
    if operation and step.evidence is not None:
        operation = f"{operation} ({render(step.evidence)})"
    if row is None:
        return [t("not in the archive"), *filter(None, [operation])]
    facts = " · ".join(filter(None, (formatting.date(row.issued_at), formatting.money(row.total))))
    told = [operation, facts, labels.state_word(row.state), detail_text.parties_line(row, loaded.own, loaded.hidden)]
    happened = [labels.event_word(event.code, None, step.access_key) for event in step.events]
    if happened:
        more = " …" if len(happened) > _MOST_EVENTS else ""
        told.append(t("Events: {names}", names=", ".join(happened[:_MOST_EVENTS]) + more))
    return [line for line in told if line]


def _counted(step: ChainStep) -> list[str]:
    """The ties that lead out of the drawing."""
    found = []
    if step.referred_elsewhere:
        found.append(t("further ones refer to it: {count}", count=formatting.count(step.referred_elsewhere)))
    if step.refers_elsewhere:
        found.append(t("refers to further documents: {count}", count=formatting.count(step.refers_elsewhere)))
    return found


def _order_id(order: DocumentOrder) -> str:
    return f"order:{order.order_id}"


def _order(order: DocumentOrder, grid: Grid, steps: Mapping[str, ChainStep]) -> Node:
    """An order of the document, which says too which other steps are of it."""
    cell = grid.beside[_order_id(order)]
    others = [
        name_of(step)
        for step in steps.values()
        if step.role is not Role.SELF and step.row is not None and step.row.hub_order_id == order.order_id
    ]
    told = t("Of the same order: {names}", names=", ".join(others)) if others else ""
    return Node(
        _order_id(order),
        NodeKind.ORDER,
        cell.stage,
        cell.lane,
        order_text.name_of(order),
        marketplace_word(order.marketplace),
        value=formatting.money(order.total) if order.total is not None else "",
        absent=not order.archived,
        lines=tuple(filter(None, (*order_text.told_of(order), told))),
        order=(order.account, order.order_id) if order.account is not None and order.archived else None,
        copied=order.order_id,
    )


def _more(grid: Grid, stage: int, count: int) -> Node:
    lanes = [cell.lane for cell in (*grid.cells.values(), *grid.beside.values()) if cell.stage == stage]
    title = t("{count} more", count=formatting.count(count))
    told = t("Not drawn; the list below has all that this document is related to.")
    return Node(f"more:{stage}", NodeKind.MORE, stage, max(lanes, default=-1) + 1, title, lines=(title, told))


def _halves(groups: str) -> tuple[str, ...]:
    parts = groups.split(" ")
    middle = (len(parts) + 1) // 2
    return " ".join(parts[:middle]), " ".join(parts[middle:])
