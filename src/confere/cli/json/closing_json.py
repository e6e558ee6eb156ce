"""The JSON of closings and of what changed since: money as decimal strings, hashes in hex."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from confere.app.labels.closing_labels import judged_sentences
from confere.cli.json.encoder import Shape, each_of, fields_of
from confere.cli.json.reconciliation_json import MOVED
from confere.sales.closings import ClosingAct
from confere.system.formatting import decimal_string

if TYPE_CHECKING:
    from confere.app.closing.changes import ChangesOfMonth, DocumentChange, EffectPlace, FindingChange
    from confere.app.closing.close_month import ClosingReport
    from confere.app.closing.stamp import ReadStamp
    from confere.app.reconciliation.review.closing_judgement import ClosingJudgement

_COUNTS = ("documents", "events", "findings", "links", "in_effect", "out_documents", "in_documents")
_ACT = (
    *("number", "company", "month", "kind", "at", "actor", "preparer=names.preparer", "reviewer=names.reviewer"),
    *("reason", "incomplete=is_incomplete", "previous_head", "head"),
)
_DOCUMENT = ("access_key=key", "sha256", "type", "state", "direction", "uf", "issued_on")


def closed(done: ClosingReport, stamps: Iterable[ReadStamp]) -> Shape:
    """`stamp` is null for a month that got none now; `judged` is what closing changed of R20 and R23."""
    stamped = {each.stored.number: stamp(each) for each in stamps}
    return {
        "closed": [
            fields_of(result, "company", "month", "outcome", "lacks", "changes")
            | {
                "closing": None if result.act is None else act(result.act),
                "stamp": None if result.act is None else stamped.get(result.act.number),
            }
            for result in done.results
        ],
        "judged": judged(done.judged),
        "stamps": list(stamped.values()),
    }


def reopened(acts: Iterable[ClosingAct], judgement: ClosingJudgement) -> Shape:
    return {"reopened": [act(each) for each in acts], "judged": judged(judgement)}


def judged(found: ClosingJudgement) -> Shape:
    """`reworded` findings name other companies that are still to be closed; `not_judged` are accounts of which the next
    reconciliation judges the month; `said` is all of it in sentences."""
    return {
        "changes": each_of(found.changes, *MOVED, money=("amount_before", "amount")),
        **fields_of(found, "reworded", "not_judged", "withdrawn_signoffs=withdrawn"),
        "said": judged_sentences(found),
    }


def act(closing: ClosingAct) -> Shape:
    """`totals` are what was filed: counts, and amounts of what is in effect by direction."""
    totals = {
        name: value if name in _COUNTS else decimal_string(value) for name, value in sorted(closing.totals.items())
    }
    return fields_of(closing, *_ACT) | {"totals": totals}


def stamp(answer: ReadStamp) -> Shape:
    """`trusted` is null where no certificate is given to verify by."""
    shape = fields_of(answer, "closing=stored.number", "address=stored.address", "received_at=stored.received_at")
    facts = answer.facts
    shape |= {"stamped_at": None, "fits": False, "trusted": None}
    return shape if facts is None else shape | fields_of(facts, "stamped_at", "fits", "trusted")


def changes(months: Iterable[ChangesOfMonth]) -> Shape:
    return {"months": [_month(each) for each in months]}


def _month(month: ChangesOfMonth) -> Shape:
    return {
        **fields_of(month, "company=act.company", "month=act.month", "closed=is_closed", "closing=act.number"),
        **fields_of(month, "closed_at=act.at", "head=act.head"),
        "documents": [_document(change) for change in month.changes.documents],
        "findings": [_finding(change) for change in month.changes.findings],
        "total": decimal_string(month.changes.total),
        "taxes": _taxes(month.changes.taxes),
        "coverage": each_of(month.coverage, "account", "axis", "from_at", "to_at", "listed=is_listed"),
        "terms": each_of(month.terms, "account", "name", "before", "after"),
    }


def _document(change: DocumentChange) -> Shape:
    return {
        "kinds": change.kinds,
        **fields_of(change.document, *_DOCUMENT),
        "total": decimal_string(change.document.total),
        "detail": {name: {"before": before, "after": after} for name, (before, after) in change.detail.items()},
        "total_effect": decimal_string(change.total),
        "taxes": _taxes(change.taxes),
        **fields_of(change, "difal_unread"),
    }


def _finding(change: FindingChange) -> Shape:
    """`id` is null where the archive has the finding no longer."""
    shape = fields_of(change, "rule=finding.rule", "fingerprint=finding.fingerprint", "before", "after")
    shape["amount_before"] = decimal_string(change.amount_before)
    shape |= {"amount": decimal_string(change.finding.amount), "keys": change.keys}
    return shape | fields_of(change, "id=number", "account", "orders", "subject")


def _taxes(effect: Mapping[EffectPlace, Mapping[str, int]]) -> list[Shape]:
    places = each_of(effect, "direction", "cfop", "cst", "uf")
    return [
        place | {name: decimal_string(amount) for name, amount in amounts.items()}
        for place, amounts in zip(places, effect.values(), strict=True)
    ]
