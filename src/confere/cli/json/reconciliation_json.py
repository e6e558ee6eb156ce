"""The JSON of reconciliation that scripts rely on: money as decimal strings, sentences in the run's language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from confere.cli.json import document_json
from confere.cli.json.encoder import Shape, each_of, fields_of, joined, months
from confere.cli.json.near_miss_json import NearMissesJson, explained_line, of_account, suggestion
from confere.system.formatting import decimal_string

if TYPE_CHECKING:
    from confere.app.accounts.company_lines import CompanyLines
    from confere.app.reconciliation.decisions import Acted
    from confere.app.reconciliation.queries import (
        FindingGroup,
        FindingHistoryLine,
        FindingRow,
        ItemPrices,
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
    from confere.fiscal.periods import MonthSpan


_STATES = ("open", "not_checked", "explained", "ignored", "resolved")
_FINDING = (
    *("rule=finding.rule", "state=stored.state", "severity=finding.severity", "amount=finding.amount"),
    *("orders=finding.orders", "keys=finding.keys", "evidence=finding.evidence", "id"),
    *("fingerprint=stored.fingerprint", "account", "title", "period=finding.period", "subject=finding.subject"),
    *("note=stored.note", "author=stored.author", "changed_at"),
    *("new=is_new", "changed=stored.is_changed", "stale=stored.is_stale"),
    *("assignee=stored.assignee", "due_on=stored.due_on", "companies"),
)
MOVED = ("finding=id", "change=what", "rule", "title", "amount_before", "amount", "orders", "keys")
_STOCK = (
    *("subject", "emitter=line.emitter", "name=emitter_name", "marketplace=line.marketplace", "code=line.code"),
    *("description=line.description", "sent=line.sent", "symbolic=line.sent_symbolically", "sold=line.sold"),
    *("removed=line.removed", "returned=line.returned", "balance=line.balance", "lowest=line.lowest"),
    *("negative_on", "oldest_on=line.standing_since", "standing_days", "standing_old=line.standing_old"),
    *("standing_value=line.standing_value", "lost=line.lost"),
)
_MOVE = (
    *("on=movement.on", "key=movement.key", "number", "operation", "column", "pieces=movement.quantity"),
    *("balance=movement.balance", "counted=movement.counted"),
)


def reconciled(
    result: ReconcileResult,
    listed: Mapping[str, Sequence[FindingRow]] | None,
    report: Path | None = None,
    beside: NearMissesJson | None = None,
) -> Shape:
    """`run` and `period` are of the newest run, and `runs` has them all; links, findings and counts are of all.

    `counts` is how many of `findings` each rule has: those that are not resolved. Without `listed` there are no
    `findings`, and the counts are the same. `explained` and `suggestions` are what `beside` has of all accounts.
    """
    newest = result.runs[-1] if result.runs else None
    rows = None if listed is None else [row for of_account in listed.values() for row in of_account]
    tallies = [tally for each in result.runs for tally in each.rules if tally.state != "resolved"]
    counted = (
        [(tally.rule, tally.count) for tally in tallies] if rows is None else [(row.finding.rule, 1) for row in rows]
    )
    shape: Shape = {
        "run": None if newest is None else newest.run,
        "period": None if newest is None else newest.period,
        "links": {
            name: sum(getattr(each.links, name) for each in result.runs)
            for name in ("automatic", "manual", "ambiguous")
        },
    }
    if rows is not None:
        shape["findings"] = [finding(row) for row in rows]
    shape["counts"] = _counts(counted)
    if beside is not None:
        shape["explained"] = [explained_line(line) for line in beside.explained]
        shape["suggestions"] = [suggestion(line) for line in beside.suggestions]
    return shape | {"runs": [run(each) for each in result.runs], "stopped": result.stopped, "report": report}


def run(result: AccountResult) -> Shape:
    """The run of one account. `compared` is what moved since the run before, null where there was none.

    `orders` and `documents` are all that the account has here; `empty` says that none of them is of the month.
    """
    counts = result.counts()
    moved = {name: counts[name] for name in ("new", "closed", "reopened", "changed")}
    return {
        **fields_of(result, "run", "account", "period", "as_of", "orders", "documents", "empty"),
        "links": fields_of(result.links, "automatic", "manual", "ambiguous") | {"kinds": counts["kinds"]},
        "states": {name: counts[name] for name in _STATES},
        "rules": counts["rules"],
        "compared": None if result.previous is None else {"run": result.previous, **moved},
        **fields_of(result, "suggestions", "contradicted"),
        "explained_by_rule": fields_of(result.explained, "count", "amount", money=("amount",)),
        "changed": result.changed,
        "withdrawn_signoffs": result.withdrawn,
        "seconds": counts["seconds"],
        "stopped": result.stopped,
    }


def demo(result: AccountResult) -> Shape:
    """What the demo tells of its reconciliation."""
    shape = run(result)
    return {name: shape[name] for name in ("run", "as_of", "links", "states", "rules", "seconds")}


def finding(row: FindingRow) -> Shape:
    """`evidence` is one text. `new`: found first by the newest run; `stale`: its links were decided since.

    `cancel_until` is when the term to cancel the note ends, null where cancelling is no way out.
    """
    shape = fields_of(row, *_FINDING, money=("amount",)) | {"evidence": joined(row.finding.evidence)}
    return shape | {
        **fields_of(row, "order_total", "note_total", money=("order_total", "note_total")),
        "cancel_until": None if row.term is None else row.term.until,
        "cancel_term_over": None if row.term is None else row.term.is_over,
    }


def findings(
    account: str,
    total: int,
    groups: Iterable[FindingGroup],
    rows: Iterable[FindingRow],
    company: str | None,
    of_no_company: int,
    other_months: MonthSpan | None = None,
) -> Shape:
    """`account` is null where a company's findings are of all of its accounts; `of_no_company` of them are of none."""
    return {
        "account": account or None,
        "company": company,
        "total": total,
        "of_no_company": of_no_company,
        "other_months": months(other_months),
        "groups": [group(each) for each in groups],
        "findings": [finding(row) for row in rows],
    }


def group(of_rule: FindingGroup) -> Shape:
    return fields_of(of_rule, "rule", "title", "severity", *_STATES, "amount", "explanation", money=("amount",))


def sides(compared: SideBySide) -> Shape:
    return {
        "finding": None if compared.finding is None else finding(compared.finding),
        "orders": [_order(side) for side in compared.orders],
        "documents": [_paper(side) for side in compared.papers],
        "differences": each_of(
            compared.differences, "field", "order=order_value", "document=paper_value", "agrees", "note"
        ),
        "links": [link(line) for line in compared.links],
        "ties": [tie(line) for line in compared.ties],
        "history": [_line(line) for line in compared.history],
        "prices": [_prices(line) for line in compared.prices],
        "contents": each_of(compared.contents, "field", "current=order_value", "other=paper_value", "agrees"),
    }


def _prices(line: ItemPrices) -> Shape:
    """`published` is empty where it is not known what the ads asked when the order was placed."""
    asked = ("publication", "price", "discount_price", "campaign", "since=since_at", "is_dated")
    return {
        **fields_of(line, "order=order_id", "code", "name"),
        **fields_of(line, "order_price", "order_price_paid", money=("order_price", "order_price_paid")),
        "invoice_prices": [decimal_string(price) for price in line.invoice_prices],
        "published": each_of(line.published, *asked, money=("price", "discount_price")),
    }


def link(line: LinkLine) -> Shape:
    own = ("order=link.order_id", "key=link.key", "kind=link.kind", "confidence=link.confidence")
    shape = fields_of(line, *own, "evidence=link.evidence", "manual", "confirmed", "contradicted=link.contradicted")
    return shape | {"kind": line.link.kind.name.lower(), "evidence": joined(line.link.evidence)}


def links(account: str, lines: Iterable[LinkLine]) -> Shape:
    shapes = [link(line) for line in lines]
    return {"account": account, "total": len(shapes), "links": shapes}


def tie(line: TieLine) -> Shape:
    shape = fields_of(line, "number", "orders", "keys", "kind", "reason", "decided")
    return shape | {"kind": line.kind.name.lower()}


def ties(account: str, found: CompanyLines[TieLine], company: str | None) -> Shape:
    return {**of_account(account, company, found), "ties": [tie(line) for line in found.lines]}


def history(account: str, lines: Iterable[FindingHistoryLine]) -> Shape:
    shapes = [_line(line) for line in lines]
    return {"account": account, "total": len(shapes), "history": shapes}


def acted(act: Acted) -> Shape:
    """`act` is null where everything was so already; `waiting` findings are computed anew by the next run.

    `changes` are the findings that judging the group of the links at once took away, brought or moved (`judged` false:
    nothing was judged); `other_links` counts links that changed beside those that were decided.
    """
    own = fields_of(act, "act", "what", "findings", "links", "waiting", "judged=judged.is_done")
    return own | {
        "changes": each_of(act.judged.changes, *MOVED, money=("amount_before", "amount")),
        "other_links": act.judged.links,
        "withdrawn_signoffs": act.withdrawn,
    }


def stock(account: str, found: CompanyLines[StockRow], company: str | None) -> Shape:
    return {**of_account(account, company, found), "items": [_item(row) for row in found.lines]}


def chain(account: str, of_item: StockChain) -> Shape:
    return {"account": account, **_item(of_item.row), "moves": each_of(of_item.moves, *_MOVE)}


def taxes(account: str, period: str | None, pivot: Iterable[PivotLine], company: str | None = None) -> Shape:
    """`account` is null where they are of a company and of every account."""
    lines = [
        fields_of(line, "period", "cfop", "cst", "uf", "direction", "in_effect", "documents")
        | {name: getattr(line, name) or "" for name in ("cfop", "cst", "uf")}
        | {"amounts": {name: decimal_string(amount) for name, amount in line.named_amounts.items()}}
        for line in pivot
    ]
    return {"account": account or None, "company": company, "period": period, "total": len(lines), "lines": lines}


def _counts(counted: Iterable[tuple[str, int]]) -> dict[str, int]:
    from confere.app.reconciliation.queries import RULES

    counts = dict.fromkeys(RULES, 0)
    for rule, count in counted:
        counts[rule] = counts.get(rule, 0) + count
    return counts


def _item(row: StockRow) -> Shape:
    shape = fields_of(row, *_STOCK, money=("standing_value",))
    return shape | {"negative_on": row.negative_on or None, "oldest_on": row.line.standing_since or None}


def _order(side: OrderSide) -> Shape:
    order = side.order
    shape: Shape = {"id": side.order_id, "archived": order is not None, "created_on": side.created_on or None}
    shape |= fields_of(side, "source", "versions")
    if order is None:
        return shape
    money = ("total", "freight", "discount")
    names = ("status", "marketplace", "marketplace_id", *(f"{name}={name}_cents" for name in money))
    item = ("code", "ean", "description", "quantity", "total=total_cents")
    return {
        **shape,
        **fields_of(order, *names, money=money),
        "buyer": fields_of(order.buyer, "tax_id", "name"),
        "items": each_of(order.items, *item, money=("total",)),
    }


def _paper(side: PaperSide) -> Shape:
    if side.row is None:
        return {"access_key": side.key, "archived": False}
    items = [document_json.item(each) for each in side.items]
    return {"archived": True, **document_json.document(side.row), "items": items}


def _line(line: FindingHistoryLine) -> Shape:
    return fields_of(line, "at", "actor", "what", "note", "undone", "act")
