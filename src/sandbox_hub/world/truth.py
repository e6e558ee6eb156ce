"""What the world knows about itself: which document belongs to which order, and every relation."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO

from sandbox_hub.world.scenarios import Subtype
from sandbox_hub.world.world import World

CARRIES = "carries"  # a CT-e's infDoc/infNFe/chave
REFERENCES = "references"  # an NF-e's ide/NFref/refNFe


def write_truth(world: World, path: Path) -> None:
    """Write the truth as of the clock, a line at a time: memory stays flat, time grows with the documents."""
    events = 0
    months: Counter[str] = Counter()
    for index in world.all_documents():
        events += len(world.occurrences(index)) - 1
        months[f"{world.numbering.issued_at(index):%Y-%m}"] += 1
    part = path.with_name(path.name + ".part")
    path.parent.mkdir(parents=True, exist_ok=True)
    with part.open("w", encoding="utf-8") as file:
        head = {
            "seed": world.seed,
            "documents": sum(months.values()),
            "events": events,
            "months": dict(sorted(months.items())),
        }
        file.write(json.dumps(head)[:-1] + ',\n"links": [')
        _write_rows(file, links(world))
        file.write('],\n"relations": [')
        _write_rows(file, relations(world))
        file.write("]}\n")
    part.replace(path)


def links(world: World) -> Iterator[dict[str, object]]:
    """Every pair of an order and a document that belongs to it; a cart's invoice has several."""
    for index in world.all_documents():
        orders = world.orders_of(index)
        if orders:
            key = world.numbering.key(index)
            for order in orders:
                yield {"order": world.order_id(order), "key": key}


def relations(world: World) -> Iterator[dict[str, object]]:
    """Every reference from one document to another, held by the hub or not."""
    for index in world.all_documents():
        kind = CARRIES if world.place(index).subtype is Subtype.FREIGHT else REFERENCES
        for other in world.related(index):
            yield {"from": world.numbering.key(index), "kind": kind, "to": world.numbering.key(other)}


def _write_rows(file: IO[str], rows: Iterable[dict[str, object]]) -> None:
    separator = "\n"
    for row in rows:
        file.write(separator + json.dumps(row))
        separator = ",\n"
