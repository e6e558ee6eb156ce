"""What the world knows about itself: which document belongs to which order, and every relation."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import IO, Any

from sandbox_hub.held_files import replace_held
from sandbox_hub.oracle.decidable_links import Pair
from sandbox_hub.oracle.expected_findings.accountant import anomalies
from sandbox_hub.oracle.expected_findings.catalog import CatalogError
from sandbox_hub.oracle.seen_world import decided_links
from sandbox_hub.world.documents.credit_notes import Meaning, adjusts, meaning
from sandbox_hub.world.documents.cte_facts import freight_kind
from sandbox_hub.world.filters import OrderQuery
from sandbox_hub.world.orders.surviving_evidence import Evidence
from sandbox_hub.world.scenarios import Subtype
from sandbox_hub.world.selection import members
from sandbox_hub.world.world import World

Row = dict[str, object]
PREPAYMENT = "prepayment"  # an NF-e's ide/gPagAntecipado/refNFe
CARRIES = "carries"  # a CT-e's infDoc/infNFe/chave
REFERENCES = "references"  # an NF-e's ide/NFref/refNFe
_ADJUSTS = {1: "complements", 2: "annuls", 3: "replaces"}  # by tpCTe: infCteComp, infCteAnu, infCteSub


def write_truth(world: World, path: Path, catalog_errors: Iterable[CatalogError] = ()) -> dict[str, Any]:
    """Write the truth as of the clock, a line at a time; gives the shares that its head tells.

    Time grows with the documents, memory too: for `decidable` all that the hub serves is compared. `catalog_errors`
    are what the catalog states otherwise than the invoices.
    """
    decided = decided_links(world)
    linked = list(links(world, decided))
    told = shares(world, linked)
    events = files = 0
    months: Counter[str] = Counter()
    for index in world.all_documents():
        happened = len(world.occurrences(index))
        events += happened - 1
        files += happened + len(world.copies(index))
        months[f"{world.numbering.issued_at(index):%Y-%m}"] += 1
    part = path.with_name(path.name + ".part")
    path.parent.mkdir(parents=True, exist_ok=True)
    with part.open("w", encoding="utf-8") as file:
        head = {
            "seed": world.seed,
            "documents": sum(months.values()),
            "events": events,
            "files": files,  # of all events, a second copy of one among them
            "months": dict(sorted(months.items())),
            "visible_series": visible_series(world),
            **told,
        }
        file.write(json.dumps(head)[:-1] + ',\n"links": [')
        _write_rows(file, linked)
        file.write('],\n"relations": [')
        _write_rows(file, relations(world))
        file.write('],\n"anomalies": [')
        _write_rows(file, anomalies(world, decided, catalog_errors))
        file.write('],\n"adjusting": [')
        _write_rows(file, adjusting_notes(world))
        file.write('],\n"withheld": [')
        _write_rows(file, withheld(world))
        file.write("]}\n")
    replace_held(part, path)
    return told


def shares(world: World, linked: Iterable[Row]) -> dict[str, Any]:
    """`evidence`: the share of each kind in the orders that have documents; `undecidable`: its share in the links."""
    kinds: Counter[str] = Counter()
    for number in members(world.select_orders(OrderQuery())):
        order = world.order_at(number)
        if any(world.exists(index) for index in world.papers_of(order)):
            kinds[world.left(order).kind] += 1
    decidable = Counter(link["decidable"] for link in linked)
    return {
        "evidence": {kind.value: round(kinds[kind] / max(1, kinds.total()), 4) for kind in Evidence},
        "undecidable": round(decidable[False] / max(1, decidable.total()), 4),
    }


def links(world: World, decided: Collection[Pair]) -> Iterator[Row]:
    """Every pair of an order and a document that belongs to it; a cart's invoice has several.

    It is decidable where the evidence that is left in what the hub serves allows nothing else.
    """
    for index in world.all_documents():
        orders = world.orders_of(index)
        if orders:
            key = world.numbering.key(index)
            for order in orders:
                order_id = world.order_id(order)
                yield {"order": order_id, "key": key, "decidable": (order_id, key) in decided}


def relations(world: World) -> Iterator[Row]:
    """Every reference from one document to another, held by the hub or not."""
    for index in world.all_documents():
        for key in world.references(index):
            yield {"from": world.numbering.key(index), "kind": _relation(world, index, key), "to": key}


def adjusting_notes(world: World) -> Iterator[Row]:
    """Every credit and debit note, with what it does: `return`, `value`, `prepayment` or `loss`."""
    for index in world.all_documents():
        does, note = meaning(world, index), adjusts(world, index)
        if does is not None and note is not None:
            key = world.numbering.key(index)
            yield {"key": key, "purpose": note[0], "type": note[1], "does": does.value}


def visible_series(world: World) -> list[str]:
    """The series of which every number is to be accounted for (`CNPJ/model/series`): the companies' own."""
    lines = {place.line for place in world.deck.places if place.line.model != "57"}
    return sorted(f"{world.numbering.emitters[line.emitter].tax_id}/{line.model}/{line.series}" for line in lines)


def withheld(world: World) -> Iterator[str]:
    """Keys of the documents that the hub holds and shows to nobody (a voiding has none)."""
    if world.withholds:
        for index in range(world.documents):
            if world.withheld(index) and world.held(index) and world.place(index).subtype is not Subtype.VOIDING:
                yield world.numbering.key(index)


def _relation(world: World, index: int, key: str) -> str:
    if world.place(index).subtype is not Subtype.FREIGHT:
        return PREPAYMENT if _is_prepayment(world, key) else REFERENCES
    return CARRIES if key[20:22] != "57" else _ADJUSTS[freight_kind(world, index)]


def _is_prepayment(world: World, key: str) -> bool:
    index = world.numbering.find(key)
    return index is not None and meaning(world, index) is Meaning.PREPAYMENT


def _write_rows(file: IO[str], rows: Iterable[object]) -> None:
    separator = "\n"
    for row in rows:
        file.write(separator + json.dumps(row))
        separator = ",\n"
