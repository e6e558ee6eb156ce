"""The relations and the chain of a document as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from confere.cli.json.document_json import CLAIMS
from confere.cli.json.encoder import Shape, each_of, fields_of

if TYPE_CHECKING:
    from confere.app.documents.relations import ChainStep, Edge, Relations

_EVENT = ("code", "sequence", "registered", "occurred_at", "sha256")
_STEP = ("access_key", "archived", "operation", "evidence", "refers_to", "links")
_STEP_ROW = ("type", "series", "number", "issued_at", "total", "state")


def relations(of: Relations) -> Shape:
    """What belongs to a document. `chain` is from its beginning on; `refers_to` names steps of this chain alone."""
    return {
        "access_key": of.access_key,
        "out": [_edge(edge) for edge in of.out],
        "in": [_edge(edge) for edge in of.incoming],
        "events": [{"kind": "belongs_to", **fields_of(event, *_EVENT)} for event in of.events],
        "orders": each_of(of.orders, "order_id", "marketplace"),
        "chain": [_step(step) for step in of.chain],
        "left_out": of.left_out,
        "notes": of.notes,
    }


def _edge(edge: Edge) -> Shape:
    return fields_of(edge, "kind", "key", "archived") | {"claimed_by": CLAIMS.get(edge.claims, [])}


def _step(step: ChainStep) -> Shape:
    no_row: Shape = dict.fromkeys(_STEP_ROW)
    row = no_row if step.row is None else fields_of(step.row, *_STEP_ROW, money=("total",))
    links = [
        {"kind": link.kind, "key": link.target_key, "claimed_by": CLAIMS.get(link.claims, [])} for link in step.links
    ]
    shape = fields_of(step, *_STEP, "role", "stage", "refers_elsewhere", "referred_elsewhere")
    return {**shape, "links": links, **row, "events": each_of(step.events, "code", "registered")}
