"""The JSON of reconciliation that scripts rely on: money as decimal strings, sentences in the run's language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from confere.cli.json import document_json
from confere.cli.json.encoder import Shape
from confere.cli.json.near_miss_json import NearMissesJson, explained_line, suggestion
from confere.errors import Message
from confere.system.formatting import decimal_string
from confere.system.messages import render

if TYPE_CHECKING:
    from decimal import Decimal

    from confere.app.reconciliation.decisions import Acted
    from confere.app.reconciliation.queries import (
        FindingGroup,
        FindingHistoryLine,
        FindingRow,
        LinkLine,
        OrderSide,
        PaperSide,
        PivotLine,
        SideBySide,
        StockChain,
        StockRow,
        TieLine,
    )
    from confere.app.reconciliation.reconcile import AccountResult, ReconcileResult


def reconciled(
    result: ReconcileResult,
    found: Mapping[str, Sequence[FindingRow]] | None,
    report: Path | None = None,
    beside: NearMissesJson | None = None,
) -> Shape:
    """`run` and `period` are of the newest run, and `runs` has them all; links, findings and counts are of all.

    `counts` is how many of `findings` each rule has: those that are not resolved. Without `found` there are no
    `findings`, and the counts are the same. `explained` and `suggestions` are what `beside` has of all accounts.
    """
    newest = result.runs[-1] if result.runs else None
    every = None if found is None else [row for rows in found.values() for row in rows]
    tallies = [entry for run in result.runs for entry in run.rules if entry.state != "resolved"]
    return {
        "run": None if newest is None else newest.run,
        "period": None if newest is None else newest.period,
        "links": {
            name: sum(getattr(entry.links, name) for entry in result.runs)
            for name in ("automatic", "manual", "ambiguous")
        },
        **({} if every is None else {"findings": [finding(row) for row in every]}),
        "counts": _counts(
            [(entry.rule, entry.count) for entry in tallies]
            if every is None
            else [(row.finding.rule, 1) for row in every]
        ),
        **({} if beside is None else {"explained": [explained_line(line) for line in beside.explained]}),
        **({} if beside is None else {"suggestions": [suggestion(line) for line in beside.suggestions]}),
        "runs": [run(entry) for entry in result.runs],
        "stopped": result.stopped,
        "report": None if report is None else str(report),
    }


def run(entry: AccountResult) -> Shape:
    """The run of one account. `compared` is what moved since the run before, null where there was none.

    `orders` and `documents` are all that the account has here; `empty` says that none of them is of the month.
    """
    counts = entry.counts()
    moved = {name: counts[name] for name in ("new", "closed", "reopened", "changed")}
    return {
        "run": entry.run,
        "account": entry.account,
        "period": entry.period,
        "as_of": entry.as_of.isoformat(timespec="seconds"),
        "orders": entry.orders,
        "documents": entry.documents,
        "empty": entry.empty,
        "links": {
            "automatic": entry.links.automatic,
            "manual": entry.links.manual,
            "ambiguous": entry.links.ambiguous,
            "kinds": counts["kinds"],
        },
        "states": {name: counts[name] for name in ("open", "not_checked", "explained", "ignored", "resolved")},
        "rules": counts["rules"],
        "compared": None if entry.previous is None else {"run": entry.previous, **moved},
        "suggestions": entry.suggestions,
        "contradicted": entry.contradicted,
        "explained_by_rule": {
            "count": entry.explained.count,
            "amount": decimal_string(entry.explained.amount),
        },
        "changed": entry.changed,
        "seconds": counts["seconds"],
        "stopped": entry.stopped,
    }


def demo(entry: AccountResult) -> Shape:
    """What the demo tells of its reconciliation."""
    shape = run(entry)
    return {name: shape[name] for name in ("run", "as_of", "links", "states", "rules", "seconds")}


def finding(row: FindingRow) -> Shape:
    """`evidence` is one text. `new`: found first by the newest run; `stale`: its links were decided since."""
    return {
        "rule": row.finding.rule,
        "state": row.stored.state.value,
        "severity": row.finding.severity.value,
        "amount": decimal_string(row.finding.amount),
        "orders": list(row.finding.orders),
        "keys": list(row.finding.keys),
        "evidence": _text(row.finding.evidence),
        "id": row.id,
        "fingerprint": row.stored.fingerprint,
        "account": row.account,
        "title": render(row.title),
        "period": row.finding.period,
        "subject": row.finding.subject,
        "note": row.stored.note,
        "author": row.stored.author,
        "changed_at": row.changed_at.isoformat(timespec="seconds"),
        "new": row.is_new,
        "changed": row.stored.is_changed,
        "stale": row.stored.is_stale,
    }


def findings(account: str, total: int, groups: Iterable[FindingGroup], found: Iterable[FindingRow]) -> Shape:
    return {
        "account": account,
        "total": total,
        "groups": [group(entry) for entry in groups],
        "findings": [finding(row) for row in found],
    }


def group(found: FindingGroup) -> Shape:
    names = ("open", "not_checked", "explained", "ignored", "resolved")
    return {
        "rule": found.rule,
        "title": render(found.title),
        "severity": found.severity.value,
        **{name: getattr(found, name) for name in names},
        "amount": decimal_string(found.amount),
        "explanation": None if found.explanation is None else render(found.explanation),
    }


def sides(found: SideBySide) -> Shape:
    return {
        "finding": None if found.finding is None else finding(found.finding),
        "orders": [_order(entry) for entry in found.orders],
        "documents": [_paper(entry) for entry in found.papers],
        "differences": [
            {
                "field": render(entry.field),
                "order": entry.order_value,
                "document": entry.paper_value,
                "agrees": entry.agrees,
            }
            for entry in found.differences
        ],
        "links": [link(entry) for entry in found.links],
        "ties": [tie(entry) for entry in found.ties],
        "history": [_line(entry) for entry in found.history],
    }


def link(found: LinkLine) -> Shape:
    return {
        "order": found.link.order_id,
        "key": found.link.key,
        "kind": found.link.kind.name.lower(),
        "confidence": found.link.confidence,
        "evidence": _text(found.link.evidence),
        "manual": found.manual,
        "confirmed": found.confirmed,
        "contradicted": found.link.contradicted,
    }


def links(account: str, found: Iterable[LinkLine]) -> Shape:
    every = [link(entry) for entry in found]
    return {"account": account, "total": len(every), "links": every}


def tie(found: TieLine) -> Shape:
    return {
        "number": found.number,
        "orders": list(found.orders),
        "keys": list(found.keys),
        "kind": found.kind.name.lower(),
        "reason": render(found.reason),
        "decided": found.decided,
    }


def ties(account: str, found: Iterable[TieLine]) -> Shape:
    every = [tie(entry) for entry in found]
    return {"account": account, "total": len(every), "ties": every}


def history(account: str, found: Iterable[FindingHistoryLine]) -> Shape:
    every = [_line(entry) for entry in found]
    return {"account": account, "total": len(every), "history": every}


def acted(found: Acted) -> Shape:
    """`act` is null where everything was so already; `waiting` findings are computed anew by the next run."""
    return {
        "act": found.act,
        "what": render(found.what),
        "findings": found.findings,
        "links": found.links,
        "waiting": found.waiting,
    }


def stock(account: str, found: Iterable[StockRow]) -> Shape:
    every = [_item(entry) for entry in found]
    return {"account": account, "total": len(every), "items": every}


def chain(account: str, found: StockChain) -> Shape:
    moves = [
        {
            "on": entry.movement.on,
            "key": entry.movement.key,
            "number": entry.number,
            "operation": entry.operation,
            "column": entry.column,
            "pieces": _pieces(entry.movement.quantity),
            "balance": _pieces(entry.movement.balance),
            "counted": entry.movement.counted,
        }
        for entry in found.moves
    ]
    return {"account": account, **_item(found.row), "moves": moves}


def taxes(account: str, period: str | None, found: Iterable[PivotLine]) -> Shape:
    lines = [
        {
            "period": entry.period,
            "cfop": entry.cfop or "",
            "cst": entry.cst or "",
            "uf": entry.uf or "",
            "direction": entry.direction,
            "in_effect": entry.in_effect,
            "documents": entry.documents,
            "amounts": {name: decimal_string(amount) for name, amount in entry.named_amounts.items()},
        }
        for entry in found
    ]
    return {"account": account, "period": period, "total": len(lines), "lines": lines}


def _counts(found: Iterable[tuple[str, int]]) -> dict[str, int]:
    from confere.app.reconciliation.queries import RULES

    counts = dict.fromkeys(RULES, 0)
    for rule, count in found:
        counts[rule] = counts.get(rule, 0) + count
    return counts


def _item(found: StockRow) -> Shape:
    line = found.line
    return {
        "subject": found.subject,
        "emitter": line.emitter,
        "name": found.emitter_name,
        "marketplace": line.marketplace,
        "code": line.code,
        "description": line.description,
        "sent": _pieces(line.sent),
        "symbolic": _pieces(line.sent_symbolically),
        "sold": _pieces(line.sold),
        "removed": _pieces(line.removed),
        "returned": _pieces(line.returned),
        "balance": _pieces(line.balance),
        "lowest": _pieces(line.lowest),
        "negative_on": found.negative_on or None,
        "oldest_on": line.standing_since or None,
        "standing_days": found.standing_days,
        "standing_old": _pieces(line.standing_old),
        "standing_value": decimal_string(line.standing_value),
        "lost": _pieces(line.lost),
    }


def _order(found: OrderSide) -> Shape:
    order = found.order
    return {
        "id": found.order_id,
        "archived": order is not None,
        "created_on": found.created_on or None,
        "source": found.source,
        "versions": found.versions,
        **(
            {}
            if order is None
            else {
                "status": order.status,
                "marketplace": order.marketplace,
                "marketplace_id": order.marketplace_id,
                "total": decimal_string(order.total_cents),
                "freight": decimal_string(order.freight_cents),
                "discount": decimal_string(order.discount_cents),
                "buyer": {"tax_id": order.buyer.tax_id, "name": order.buyer.name},
                "items": [
                    {
                        "code": item.code,
                        "ean": item.ean,
                        "description": item.description,
                        "quantity": None if item.quantity is None else _pieces(item.quantity),
                        "total": decimal_string(item.total_cents),
                    }
                    for item in order.items
                ],
            }
        ),
    }


def _paper(found: PaperSide) -> Shape:
    if found.row is None:
        return {"access_key": found.key, "archived": False}
    return {
        "archived": True,
        **document_json.document(found.row),
        "items": [document_json.item(entry) for entry in found.items],
    }


def _line(found: FindingHistoryLine) -> Shape:
    return {
        "at": found.at.isoformat(timespec="seconds"),
        "actor": found.actor,
        "what": render(found.what),
        "note": found.note,
        "undone": found.undone,
        "act": found.act,
    }


def _pieces(number: Decimal) -> str:
    text = f"{number:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _text(found: Iterable[Message]) -> str:
    return " ".join(render(entry) for entry in found)
