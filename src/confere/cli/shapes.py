"""The JSON that scripts rely on: money as decimal strings, tax ids and times as they are kept, nothing masked."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

from confere.cli import declaration_shapes
from confere.errors import Message
from confere.fiscal.model import Warning
from confere.fiscal.traits import explain
from confere.system.figures import decimal_string
from confere.system.messages import render

if TYPE_CHECKING:
    from confere.app.account_standing import AccountStanding
    from confere.app.accounts import Account, Preferences, Tested
    from confere.app.believing import NotBelieved
    from confere.app.browsing import (
        DocumentRow,
        EventRow,
        FullDocument,
        HubWord,
        ItemRow,
        Listing,
        LoneAnswer,
        PartyRow,
        RelationRow,
        UnreadableFile,
        VoidingRow,
    )
    from confere.app.demo import DemoResult
    from confere.app.doctor import Examination
    from confere.app.exporting import Package, Undeclared
    from confere.app.hub_shapes import HubTrait
    from confere.app.importing import ImportResult
    from confere.app.syncing import SyncResult
    from confere.app.unread_records import RawRecord, UnreadRecord

Shape = dict[str, Any]

_DIRECTIONS = {"0": "in", "1": "out"}
CLAIMS: Final = {1: ["xml"], 2: ["hub"], 3: ["xml", "hub"]}


def sync(result: SyncResult) -> Shape:
    failures = _failures(result)
    if result.orders is not None:
        failures += [
            {"item_id": entry.order_id, "reason": render(entry.reason), "account": False, "order": True}
            for entry in result.orders.failures
        ]
    return {"sync": figures_of(result), "failures": failures, "stopped": result.stopped}


def figures_of(result: SyncResult) -> Shape:
    """The figures of a sync: `listed` counts documents, `downloaded` and `already` XML files, times in seconds.

    `shortfalls` are lists that stand as short of what the hub has, from this sync or an earlier one; `orders` has the
    figures of the orders, None where none were asked for. `conservation` is of all that the account's hub
    ever listed: what is not archived, waiting or refused with a reason is lost.
    """
    orders = None if result.orders is None else result.orders.counts()
    whole = result.conservation
    conservation = {
        "listed": whole.listed,
        "archived": whole.archived,
        "waiting": whole.waiting,
        "refused": whole.refused,
        "lost": whole.lost,
    }
    short = [entry.figures for entry in result.shortfalls]
    return {**result.counts(), "shortfalls": short, "orders": orders, "conservation": conservation}


def demo(result: DemoResult) -> Shape:
    return {
        "sync": figures_of(result.sync),
        "packages": [package(entry) for entry in result.packages],
        "account": result.account,
        "month": result.month,
        "verified": result.verified.counts() if result.verified is not None else None,
        "failures": _failures(result.sync),
        "stopped": result.sync.stopped,
    }


def package(found: Package) -> Shape:
    return {
        "company": found.company,
        "month": found.month,
        "path": str(found.path),
        "documents": found.documents,
        "events": found.events,
        "xml": found.xml,
        "left_out": found.left_out,
        "bytes": found.bytes,
        "paths": [str(path) for path in found.paths],
        "manifest": str(found.manifest),
        "verdicts": dict(found.verdicts),
        "not_authentic": found.not_authentic,
        "missing": _texts(found.missing),
    }


def exported(found: Iterable[Package], undeclared: Iterable[Undeclared]) -> Shape:
    """`undeclared`: who issued documents of the month that are in no package, as no account names the company."""
    others = [{"tax_id": entry.tax_id, "name": entry.name, "documents": entry.documents} for entry in undeclared]
    return {"packages": [package(entry) for entry in found], "undeclared": others}


def imported(result: ImportResult) -> Shape:
    problems = [{"source": entry.source, "reason": render(entry.reason)} for entry in result.problems]
    return {
        **result.counts(),
        "authorities": result.authorities,
        "stopped": result.stopped,
        "problems": problems,
        **declaration_shapes.declared(result.declared, result.not_declared),
    }


def account(found: Account, wanted: Preferences) -> Shape:
    """An account without what was learned of its hub: an embedded one's token is among that."""
    terms = wanted.terms
    return {
        "name": found.name,
        "environment": found.environment,
        "address": found.address,
        "platform": found.platform,
        "establishments": [{"tax_id": entry.tax_id, "name": entry.name} for entry in found.establishments],
        "terms": {
            "tolerance": decimal_string(terms.tolerance),
            "high_from": decimal_string(terms.high_from),
            "invoice_after_hours": terms.invoice_after_hours,
            "freight_after_days": terms.freight_after_days,
            "standing_days": terms.standing_days,
            "freight_by_cte": terms.freight_by_cte,
            "scored_days": terms.scored_days,
            "visible_series": list(terms.visible_series),
        },
        "relist_days": wanted.relist_days,
        "relist_documents_days": wanted.relist_documents_days,
        "mark_feed": wanted.mark_feed,
    }


def account_standing(found: AccountStanding) -> Shape:
    """When the account's list was last read to its newest end, how many days ago, and what lists were short of."""
    return {
        "listed_at": None if found.listed_at is None else found.listed_at.isoformat(),
        "listed_days": found.days,
        "short": [render(entry) for entry in found.short],
    }


def tested(found: Tested) -> Shape:
    record = None if found.record is None else {"understood": found.record.understood, "raw": found.record.raw}
    shape: Shape = {"account": found.account, "address": found.address, "documents": found.documents}
    shape |= {"record": record, "shape": hub_shape(found.shape)}
    return shape | ({"warning": render(found.warning)} if found.warning else {})


def hub_shape(found: Iterable[HubTrait]) -> Shape:
    """What was learnt of a hub, by list and trait: the value and when it was learnt."""
    lists: dict[str, Shape] = {}
    for entry in found:
        lists.setdefault(entry.list, {})[entry.trait] = {"value": entry.value, "learned_at": entry.learned_at}
    return lists


def listing(found: Listing) -> Shape:
    return {
        "total": found.total,
        "worth": decimal_string(found.worth),
        "void": {"total": found.void, "worth": decimal_string(found.void_worth)},
        "documents": [document(row) | {"findings": _findings(row)} for row in found.documents],
    }


def unreadable(found: Iterable[UnreadableFile]) -> Shape:
    entries = [
        {"sha256": entry.sha256, "size": entry.size, "problem": render(entry.problem), "sources": list(entry.sources)}
        for entry in found
    ]
    return {"total": len(entries), "unreadable": entries}


def not_believed(found: Iterable[NotBelieved]) -> Shape:
    entries = []
    for entry in found:
        said = {"kind": "event"} | event(entry.event, entry.why) if entry.event is not None else {"kind": "answer"}
        said |= answer(entry.answer) if entry.answer is not None else {}
        entries.append(said | {"why": render(entry.why)})
    return {"total": len(entries), "not_believed": entries}


def not_understood(found: Iterable[UnreadRecord]) -> Shape:
    entries = [
        {
            "account": entry.account,
            "name": entry.name,
            "access_key": entry.access_key,
            "hub_id": entry.hub_id,
            "problem": render(entry.problem),
        }
        for entry in found
    ]
    return {"total": len(entries), "not_understood": entries}


def record(found: RawRecord) -> Shape:
    """A hub's record that is no paper of the archive, with the hub's answers as they came."""
    (shape,) = not_understood([found.record])["not_understood"]
    return {"record": {**shape, "answers": [json.loads(answer) for answer in found.answers]}}


def examination(found: Examination) -> Shape:
    findings = [{"topic": entry.topic, "well": entry.well, "what": render(entry.what)} for entry in found.findings]
    return {"well": found.well, "findings": findings, "facts": found.facts}


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
        "warnings": _warnings(row.warnings),
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
        shape = document(found.row) | {"findings": _findings(found.row)}
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


def party(found: PartyRow) -> Shape:
    return {
        "role": found.role,
        "tax_id": found.tax_id,
        "name": found.name,
        "state_registration": found.state_registration,
        "uf": found.uf,
        "city": found.city,
    }


def item(found: ItemRow) -> Shape:
    """Quantity and unit price as written, the total as money."""
    return {
        "number": found.number,
        "code": found.code,
        "ean": found.ean,
        "description": found.description,
        "ncm": found.ncm,
        "cfop": found.cfop,
        "unit": found.unit,
        "quantity": found.quantity,
        "unit_price": found.unit_price,
        "total": decimal_string(found.total),
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
        "text": found.words,
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
        "protocol": found.protocol,
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


def voiding(found: VoidingRow) -> Shape:
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
    names = ("status", "at", "protocol", "item_id", "description")
    return {
        "account": found.account,
        "hub_id": found.hub_id,
        "type": found.type,
        "subtype": found.subtype,
        "cfop": found.cfop,
        "document_type_value": found.document_type_value,
        "marketplace": found.marketplace,
        "order_id": found.order_id,
        "created_at": found.created_at,
        "updated_at": found.updated_at,
        "metadata": dict(found.metadata),
        "history": [dict(zip(names, entry, strict=True)) for entry in found.history],
        "records": found.records,
        "gone_since": found.gone_since,
    }


def _party(tax_id: str | None, name: str | None) -> Mapping[str, str | None] | None:
    return None if tax_id is None and name is None else {"tax_id": tax_id, "name": name}


def _findings(row: DocumentRow) -> list[Shape]:
    """The open findings that name the document, the gravest first."""
    return [{"rule": mark.rule, "severity": mark.severity} for mark in row.findings]


def _warnings(found: Iterable[tuple[str, str]]) -> list[Shape]:
    return [{"code": code, "detail": detail, "text": render(explain(Warning(code, detail)))} for code, detail in found]


def _failures(result: SyncResult) -> list[Shape]:
    return [
        {"item_id": entry.item_id, "reason": render(entry.reason), "account": entry.is_account}
        for entry in result.failures
    ]


def _texts(found: Iterable[Message]) -> list[str]:
    return [render(entry) for entry in found]
