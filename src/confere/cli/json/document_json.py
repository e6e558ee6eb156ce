"""A document as JSON: as a list has it, and everything that the archive knows of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from datetime import datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Final

from confere.cli.json.encoder import Shape, each_of, fields_of
from confere.errors import Message
from confere.fiscal.document_parts import Item, Party, Warning
from confere.fiscal.model import Voiding
from confere.fiscal.warnings import explain

if TYPE_CHECKING:
    from confere.app.documents.browse import DocumentRow
    from confere.app.documents.full_document import EventRow, FullDocument, HubWord, LoneAnswer, RelationRow

_DIRECTIONS = {"0": "in", "1": "out"}
CLAIMS: Final = {1: ["xml"], 2: ["hub"], 3: ["xml", "hub"]}

# `document` makes the values of emitter, recipient, direction, cfops and warnings anew: here they have their place.
_DOCUMENT = (
    *("row=id", "access_key", "type", "model", "series", "number", "issued_at"),
    *("emitter=emitter_name", "recipient=recipient_name", "total", "state", "state_ground", "verdict", "altered"),
    *("operation", "nature", "direction", "purpose", "environment", "cfops", "cstat", "protocol", "authorized_at"),
    *("layout", "external_id", "order_hint", "account=hub_account", "subtype=hub_subtype"),
    *("marketplace=hub_marketplace", "order_id=hub_order_id", "sha256", "warnings", "gone_since"),
    *("credit_type", "debit_type", "intermediary", "presence"),
)
_NO_DOCUMENT = tuple(key for key, _, _ in (name.partition("=") for name in _DOCUMENT) if key != "altered")


def document(row: DocumentRow) -> Shape:
    """One document as a list has it."""
    shape = fields_of(row, *_DOCUMENT, money=("total",))
    shape["emitter"] = _party(row.emitter_tax_id, row.emitter_name)
    shape["recipient"] = _party(row.recipient_tax_id, row.recipient_name)
    shape["direction"] = _DIRECTIONS.get(row.direction or "", row.direction)
    shape["cfops"] = row.cfops.split(",") if row.cfops else []
    shape["warnings"] = _warnings(Warning(code, detail) for code, detail in row.warnings)
    return shape | {"bytes_missing": True} if row.bytes_missing else shape


def full(whole: FullDocument) -> Shape:
    """Everything about one document; where only its events are here, its own fields are null and its lists empty."""
    if whole.row is not None:
        shape = document(whole.row) | {"findings": findings(whole.row), "tags": tags(whole.row)}
    else:
        shape = dict.fromkeys(_NO_DOCUMENT) | {"access_key": whole.access_key}
        shape |= {"cfops": [], "warnings": [], "findings": [], "tags": []}
    related = [relation(named, "to") for named in whole.relations]
    return shape | {
        "parties": [party(each) for each in whole.parties],
        "items": [item(each) for each in whole.items],
        "events": [event(each, whole.doubts.get(each.id)) for each in whole.events],
        "answers": [answer(each) for each in whole.answers],
        "relations": related + [relation(naming, "from") for naming in whole.related_by],
        "voiding": voiding(whole.voiding) if whole.voiding is not None else None,
        "hub": [hub(each) for each in whole.hub],
        "sources": whole.sources,
        "versions": [
            {"row": version.id, "sha256": version.sha256, "current": position == 0, "state": version.state}
            for position, version in enumerate(whole.versions)
        ],
    }


def party(named: Party) -> Shape:
    return fields_of(named, "role", "tax_id", "name", "state_registration", "uf", "city")


def item(line: Item) -> Shape:
    """Quantity and unit price as written, the total as money."""
    names = ("number", "code", "ean", "description", "ncm", "cfop", "unit", "quantity", "unit_price")
    shape = fields_of(line, *names, "total=total_cents", money=("total",))
    return shape | {"quantity": _as_written(line.quantity), "unit_price": _as_written(line.unit_price)}


def event(row: EventRow, doubt: Message | None = None) -> Shape:
    """`registered`: the file's answer says so. `current` is false for a further copy of the same event.

    `not_believed` says why it does not change the document's state as it stands.
    """
    names = ("row=id", "access_key", "code", "sequence", "description", "occurred_at", "author", "registered", "cstat")
    shape = fields_of(row, *names, "reason", "protocol", "registered_at", "text", "embedded", "current=is_current")
    return shape | {"sha256": row.sha256, "warnings": _warnings(row.warnings), "not_believed": doubt}


def answer(alone: LoneAnswer) -> Shape:
    """An answer of the authority in a file of its own; `not_believed` says why no state stands on it."""
    names = ("access_key", "cstat", "reason", "protocol=number", "received_at", "environment", "sha256")
    return fields_of(alone, *names, "not_believed=doubt")


def relation(row: RelationRow, way: str) -> Shape:
    """`way` is `to` where the document shown names the other one, `from` where the other one names it."""
    return {
        "kind": row.kind,
        "way": way,
        "access_key": row.target_key if way == "to" else row.source_key,
        "claimed_by": CLAIMS.get(row.claims, []),
        "archived": row.archived,
    }


def voiding(voided: Voiding) -> Shape:
    names = ("uf_code", "year", "emitter", "model", "series", "first", "last")
    return fields_of(voided, *names, "reason", "cstat", "protocol", "registered_at")


def hub(word: HubWord) -> Shape:
    """The hub's word; `records` is how many versions of its record were kept."""
    names = ("account", "hub_id", "type", "subtype", "cfop", "document_type_value", "marketplace", "order_id")
    shape = fields_of(word, *names, "created_at", "updated_at", "metadata", "history", "records", "gone_since")
    times = {"created_at": _to_milliseconds(word.created_at), "updated_at": _to_milliseconds(word.updated_at)}
    return shape | times | {"metadata": dict(word.metadata), "history": [asdict(line) for line in word.history]}


def findings(row: DocumentRow) -> list[Shape]:
    """The open findings that name the document, the gravest first."""
    return each_of(row.findings, "rule", "severity")


def tags(row: DocumentRow) -> list[str]:
    """The names of the tags that it bears."""
    return [tag.name for tag in row.tags]


def _as_written(number: Decimal | None) -> str | None:
    return None if number is None else f"{number:f}"


def _to_milliseconds(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat(timespec="milliseconds")


def _party(tax_id: str | None, name: str | None) -> Mapping[str, str | None] | None:
    return None if tax_id is None and name is None else {"tax_id": tax_id, "name": name}


def _warnings(warnings: Iterable[Warning]) -> list[Shape]:
    return [{"code": each.code, "detail": each.detail, "text": explain(each)} for each in warnings]
