"""R20: the taxes of a closed month that come to something else now."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from confere.errors import N_, Message, message
from confere.fiscal.periods import in_brasilia
from confere.reconcile import evidence_text, month_changes
from confere.reconcile.context import View
from confere.reconcile.rules.rule import Rule
from confere.reconcile.tax_pivot import PivotLine
from confere.reconcile.undecided_reasons import Reason
from confere.sales.closings import ClosedMonth
from confere.sales.findings import Finding, Severity, graded

RULE: Final = Rule(
    "R20",
    1,
    Severity.HIGH,
    N_("Taxes unlike the closed month"),
    N_(
        "The taxes of a month by CFOP, CST and state come to something else than when the month was closed."
        " See `confere changes`; rectify what was filed, or have the change explained."
    ),
)
TAXES: Final = ("icms", "icms_st", "fcp", "ipi", "pis", "cofins", "ibs", "cbs")
_NAMES: Final = {
    "products": "vProd", "discount": "vDesc", "freight": "vFrete", "other": "vOutro", "icms_base": "vBC",
    "icms": "vICMS", "icms_st_base": "vBCST", "icms_st": "vST", "fcp": "vFCP", "ipi": "vIPI", "pis": "vPIS",
    "cofins": "vCOFINS", "ibs": "vIBS", "cbs": "vCBS",
}  # fmt: skip
_Place = tuple[str, str | None, str | None, str | None]


def find(view: View) -> Iterator[Finding]:
    """One finding for each direction, CFOP, CST and state whose sums of documents in effect are no longer those filed.

    A month that is over and was never closed is not checked.

    Source: reconciliation rules, R20; behind it Ajuste SINIEF 2/09, cl. 13 (rectification of what was filed).
    """
    for closed in view.ledger.closed or ():
        if not closed.is_damaged:
            yield from _differences(view, closed)
    yield from not_comparable(RULE, view)


def not_comparable(rule: Rule, view: View) -> Iterator[Finding]:
    """One "not checked" for each month that is over, has documents of the account's companies and was never closed;
    and for each closing that is damaged."""
    if view.ledger.closed is None:
        return
    for month in view.ledger.closed:
        if month.is_damaged:
            yield rule.found(
                month.act.month,
                Message(Reason.CLOSING_EDITED.value),
                subject=f"{month.act.company}/{month.act.month}",
                checked=False,
            )
    closed = {(month.act.company, month.act.month) for month in view.ledger.closed}
    own = view.ledger.own
    seen: dict[str, set[str]] = {}
    for paper in view.papers.values():
        if paper.period < view.this_month:
            for company in (paper.emitter, paper.recipient, paper.taker):
                if company in own and company is not None and (company, paper.period) not in closed:
                    seen.setdefault(paper.period, set()).add(company)
    for period, companies in sorted(seen.items()):
        if period:
            yield rule.found(
                period,
                Message(Reason.NOT_CLOSED.value),
                message("Companies: {companies}.", companies=", ".join(sorted(companies))),
                subject=period,
                checked=False,
            )


def closed_on(closed: ClosedMonth) -> str:
    """The day in Brasília on which the month was closed, as evidence writes days."""
    moment = in_brasilia(closed.act.at)
    return "?" if moment is None else evidence_text.day(moment.date().isoformat())


def _differences(view: View, closed: ClosedMonth) -> Iterator[Finding]:
    filed, now = (_in_effect(month_changes.pivot_of(rows)) for rows in (closed.filed, closed.now))
    for place in sorted(filed.keys() | now.keys(), key=lambda place: tuple(part or "" for part in place)):
        before, after = (_amounts(table.get(place)) for table in (filed, now))
        changed = [name for name in _NAMES if before.get(name, 0) != after.get(name, 0)]
        if not changed:
            continue
        at_stake = sum(abs(after.get(name, 0) - before.get(name, 0)) for name in TAXES)
        at_stake = at_stake or abs(after.get("products", 0) - before.get("products", 0))
        direction, cfop, cst, uf = place
        yield RULE.found(
            closed.act.month,
            message(
                "{company}, closed on {day}: CFOP {cfop}, CST {cst}, state {uf}.",
                company=closed.act.company,
                day=closed_on(closed),
                cfop=cfop or "-",
                cst=cst or "-",
                uf=uf or "-",
            ),
            *(
                message(
                    "{tax}: filed {before}, now {after}.",
                    tax=_NAMES[name],
                    before=evidence_text.money(before.get(name, 0)) or "-",
                    after=evidence_text.money(after.get(name, 0)) or "-",
                )
                for name in changed
            ),
            amount=at_stake,
            severity=graded(at_stake, view.terms.high_from),
            subject=f"{closed.act.company}/{closed.act.month}/{direction}/{cfop or '-'}/{cst or '-'}/{uf or '-'}",
        )


def _in_effect(table: tuple[PivotLine, ...]) -> dict[_Place, PivotLine]:
    return {(line.direction, line.cfop, line.cst, line.uf): line for line in table if line.in_effect}


def _amounts(line: PivotLine | None) -> Mapping[str, int]:
    return {} if line is None else line.named_amounts
