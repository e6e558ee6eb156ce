"""The relations and the chain of a document as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from confere.cli.json.document_json import CLAIMS
from confere.cli.json.encoder import Shape
from confere.system.formatting import decimal_string
from confere.system.messages import render

if TYPE_CHECKING:
    from confere.app.documents.relations import ChainStep, Edge, Relations


def relations(found: Relations) -> Shape:
    """What belongs to a document. `chain` is from its beginning on; `refers_to` names steps of this chain alone."""
    return {
        "access_key": found.access_key,
        "out": [_edge(entry) for entry in found.out],
        "in": [_edge(entry) for entry in found.incoming],
        "events": [
            {"kind": "belongs_to", "code": entry.code, "sequence": entry.sequence, "registered": entry.registered}
            | {"occurred_at": entry.occurred_at, "sha256": entry.sha256}
            for entry in found.events
        ],
        "orders": [{"order_id": entry.order_id, "marketplace": entry.marketplace} for entry in found.orders],
        "chain": [_step(entry) for entry in found.chain],
        "left_out": found.left_out,
        "notes": [render(note) for note in found.notes],
    }


def _edge(found: Edge) -> Shape:
    return {
        "kind": found.kind,
        "key": found.key,
        "archived": found.archived,
        "claimed_by": CLAIMS.get(found.claims, []),
    }


def _step(found: ChainStep) -> Shape:
    row = found.row
    return {
        "access_key": found.access_key,
        "archived": found.archived,
        "operation": found.operation,
        "evidence": render(found.evidence) if found.evidence is not None else None,
        "refers_to": list(found.refers_to),
        "links": [
            {"kind": link.kind, "key": link.target_key, "claimed_by": CLAIMS.get(link.claims, [])}
            for link in found.links
        ],
        "role": found.role.value,
        "stage": found.stage,
        "refers_elsewhere": found.refers_elsewhere,
        "referred_elsewhere": found.referred_elsewhere,
        "type": row.type if row is not None else None,
        "series": row.series if row is not None else None,
        "number": row.number if row is not None else None,
        "issued_at": row.issued_at if row is not None else None,
        "total": decimal_string(row.total) if row is not None else None,
        "state": row.state if row is not None else None,
        "events": [{"code": event.code, "registered": event.registered} for event in found.events],
    }
