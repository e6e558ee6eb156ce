"""The JSON that scripts rely on: money as decimal strings, tax ids and times as they are kept, nothing masked."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from confere.cli.json import declaration_json, document_json
from confere.errors import Message
from confere.system.formatting import decimal_string
from confere.system.messages import render

if TYPE_CHECKING:
    from confere.app.accounts.account_status import AccountStanding
    from confere.app.accounts.accounts import Account, Preferences, Tested
    from confere.app.accounts.hub_traits import HubTrait
    from confere.app.accounts.sync import SyncResult
    from confere.app.authenticity.untrusted_events import NotBelieved
    from confere.app.documents.browse import DocumentPage, UnreadableFile
    from confere.app.documents.import_files import ImportResult
    from confere.app.documents.unread_records import RawRecord, UnreadRecord
    from confere.app.maintenance.doctor import Examination
    from confere.app.packages.export import PackageResult, Undeclared
    from confere.app.sandbox.demo import DemoResult

Shape = dict[str, Any]


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


def package(found: PackageResult) -> Shape:
    return {
        "company": found.contents.company,
        "month": found.contents.month,
        "path": str(found.path),
        "documents": found.contents.documents,
        "events": found.contents.events,
        "xml": found.contents.xml,
        "left_out": found.contents.left_out,
        "bytes": found.bytes,
        "paths": [str(path) for path in found.contents.paths],
        "manifest": str(found.manifests[0]),
        "verdicts": dict(found.contents.verdicts),
        "not_authentic": found.contents.not_authentic,
        "missing": _texts(lack.what for lack in found.contents.missing),
    }


def exported(found: Iterable[PackageResult], undeclared: Iterable[Undeclared]) -> Shape:
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
        **declaration_json.declared(result.declared, result.not_declared),
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


def listing(found: DocumentPage) -> Shape:
    return {
        "total": found.total,
        "worth": decimal_string(found.worth),
        "void": {"total": found.void, "worth": decimal_string(found.void_worth)},
        "documents": [
            document_json.document(row) | {"findings": document_json.findings(row)} for row in found.documents
        ],
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
        said = {"kind": "answer" if entry.event is None else "event"}
        said |= {} if entry.event is None else document_json.event(entry.event, entry.why)
        said |= {} if entry.answer is None else document_json.answer(entry.answer)
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


def _failures(result: SyncResult) -> list[Shape]:
    return [
        {"item_id": entry.item_id, "reason": render(entry.reason), "account": entry.is_account}
        for entry in result.failures
    ]


def _texts(found: Iterable[Message]) -> list[str]:
    return [render(entry) for entry in found]
