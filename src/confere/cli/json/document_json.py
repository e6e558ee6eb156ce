"""A document as JSON: as a list has it, and everything that the archive knows of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from datetime import datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

from confere.errors import Message
from confere.fiscal.document_parts import Item, Party, Warning
from confere.fiscal.model import Voiding
from confere.fiscal.warnings import explain
from confere.system.formatting import decimal_string
from confere.system.messages import render

if TYPE_CHECKING:
    from confere.app.documents.browse import (
        DocumentRow,
        EventRow,
        FullDocument,
        HubWord,
        LoneAnswer,
        RelationRow,
    )

Shape = dict[str, Any]

_DIRECTIONS = {"0": "in", "1": "out"}
CLAIMS: Final = {1: ["xml"], 2: ["hub"], 3: ["xml", "hub"]}


def document(row: DocumentRow) -> Shape:
    """One document as a list has it."""
    return {
        "row": row.id,
        "access_key": row.access_key,
        "type": row.type,
        "model": row.model,
        "series": row.series,
        "number": row.number,
        "issued_at": row.issued_at,
        "emitter": _party(row.emitter_tax_id, row.emitter_name),
        "recipient": _party(row.recipient_tax_id, row.recipient_name),
        "total": decimal_string(row.total),
        "state": row.state,
        "state_ground": row.state_ground,
        "verdict": row.verdict,
        "altered": row.altered,
        "operation": row.operation,
        "nature": row.nature,
        "direction": _DIRECTIONS.get(row.direction or "", row.direction),
        "purpose": row.purpose,
        "environment": row.environment,
        "cfops": row.cfops.split(",") if row.cfops else [],
        "cstat": row.cstat,
        "protocol": row.protocol,
        "authorized_at": row.authorized_at,
        "layout": row.layout,
        "external_id": row.external_id,
        "order_hint": row.order_hint,
        "account": row.hub_account,
        "subtype": row.hub_subtype,
        "marketplace": row.hub_marketplace,
        "order_id": row.hub_order_id,
        "sha256": row.sha256,
        "warnings": _warnings(Warning(code, detail) for code, detail in row.warnings),
        "gone_since": row.gone_since,
        "credit_type": row.credit_type,
        "debit_type": row.debit_type,
        "intermediary": row.intermediary,
        "presence": row.presence,
    } | ({"bytes_missing": True} if row.bytes_missing else {})


_NO_DOCUMENT: tuple[str, ...] = (
    *("row", "access_key", "type", "model", "series", "number", "issued_at", "emitter", "recipient", "total", "state"),
    *(
        "state_ground",
        "verdict",
        "operation",
        "nature",
        "direction",
        "purpose",
        "environment",
        "cfops",
        "cstat",
        "protocol",
    ),
    "authorized_at",
    *("layout", "external_id", "order_hint", "account", "subtype", "marketplace", "order_id", "sha256", "warnings"),
    *("gone_since", "credit_type", "debit_type", "intermediary", "presence"),
)


def full(found: FullDocument) -> Shape:
    """Everything about one document; where only its events are here, its own fields are null and its lists empty."""
    if found.row is not None:
        shape = document(found.row) | {"findings": findings(found.row)}
    else:
        shape = dict.fromkeys(_NO_DOCUMENT) | {"access_key": found.access_key}
        shape |= {"cfops": [], "warnings": [], "findings": []}
    shape |= {
        "parties": [party(entry) for entry in found.parties],
        "items": [item(entry) for entry in found.items],
        "events": [event(entry, found.doubts.get(entry.id)) for entry in found.events],
        "answers": [answer(entry) for entry in found.answers],
        "relations": [relation(entry, "to") for entry in found.relations]
        + [relation(entry, "from") for entry in found.related_by],
        "voiding": voiding(found.voiding) if found.voiding is not None else None,
        "hub": [hub(entry) for entry in found.hub],
        "sources": list(found.sources),
        "versions": [
            {"row": entry.id, "sha256": entry.sha256, "current": position == 0, "state": entry.state}
            for position, entry in enumerate(found.versions)
        ],
    }
    return shape


def party(found: Party) -> Shape:
    return {
        "role": found.role,
        "tax_id": found.tax_id,
        "name": found.name,
        "state_registration": found.state_registration,
        "uf": found.uf,
        "city": found.city,
    }


def item(found: Item) -> Shape:
    """Quantity and unit price as written, the total as money."""
    return {
        "number": found.number,
        "code": found.code,
        "ean": found.ean,
        "description": found.description,
        "ncm": found.ncm,
        "cfop": found.cfop,
        "unit": found.unit,
        "quantity": _as_written(found.quantity),
        "unit_price": _as_written(found.unit_price),
        "total": decimal_string(found.total_cents),
    }


def event(found: EventRow, doubt: Message | None = None) -> Shape:
    """`registered`: the file's answer says so. `current` is false for a further copy of the same event.

    `not_believed` says why it does not change the document's state as it stands.
    """
    return {
        "row": found.id,
        "access_key": found.access_key,
        "code": found.code,
        "sequence": found.sequence,
        "description": found.description,
        "occurred_at": found.occurred_at,
        "author": found.author,
        "registered": found.registered,
        "cstat": found.cstat,
        "reason": found.reason,
        "protocol": found.protocol,
        "registered_at": found.registered_at,
        "text": found.text,
        "embedded": found.embedded,
        "current": found.is_current,
        "sha256": found.sha256,
        "warnings": _warnings(found.warnings),
        "not_believed": None if doubt is None else render(doubt),
    }


def answer(found: LoneAnswer) -> Shape:
    """An answer of the authority in a file of its own; `not_believed` says why no state stands on it."""
    return {
        "access_key": found.access_key,
        "cstat": found.cstat,
        "reason": found.reason,
        "protocol": found.number,
        "received_at": found.received_at,
        "environment": found.environment,
        "sha256": found.sha256,
        "not_believed": None if found.doubt is None else render(found.doubt),
    }


def relation(found: RelationRow, way: str) -> Shape:
    """`way` is `to` where the document shown names the other one, `from` where the other one names it."""
    return {
        "kind": found.kind,
        "way": way,
        "access_key": found.target_key if way == "to" else found.source_key,
        "claimed_by": CLAIMS.get(found.claims, []),
        "archived": found.archived,
    }


def voiding(found: Voiding) -> Shape:
    return {
        "uf_code": found.uf_code,
        "year": found.year,
        "emitter": found.emitter,
        "model": found.model,
        "series": found.series,
        "first": found.first,
        "last": found.last,
        "reason": found.reason,
        "cstat": found.cstat,
        "protocol": found.protocol,
        "registered_at": found.registered_at,
    }


def hub(found: HubWord) -> Shape:
    """The hub's word; `records` is how many versions of its record were kept."""
    return {
        "account": found.account,
        "hub_id": found.hub_id,
        "type": found.type,
        "subtype": found.subtype,
        "cfop": found.cfop,
        "document_type_value": found.document_type_value,
        "marketplace": found.marketplace,
        "order_id": found.order_id,
        "created_at": _utc(found.created_at),
        "updated_at": _utc(found.updated_at),
        "metadata": dict(found.metadata),
        "history": [asdict(line) for line in found.history],
        "records": found.records,
        "gone_since": found.gone_since,
    }


def _as_written(number: Decimal | None) -> str | None:
    return None if number is None else f"{number:f}"


def _utc(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat(timespec="milliseconds")


def _party(tax_id: str | None, name: str | None) -> Mapping[str, str | None] | None:
    return None if tax_id is None and name is None else {"tax_id": tax_id, "name": name}


def findings(row: DocumentRow) -> list[Shape]:
    """The open findings that name the document, the gravest first."""
    return [{"rule": mark.rule, "severity": mark.severity} for mark in row.findings]


def _warnings(warnings: Iterable[Warning]) -> list[Shape]:
    return [{"code": each.code, "detail": each.detail, "text": render(explain(each))} for each in warnings]
