"""R15: a sale out of the marketplace's warehouse without its symbolic return, or the reverse.

Source: CFOP table (Convênio s/nº of 15-12-1970): a sale out of a general warehouse comes with its symbolic return.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from confere.errors import N_, message
from confere.reconcile import evidence_text, predicates
from confere.reconcile.context import REFERRING, View
from confere.reconcile.coverage import listed_periods
from confere.reconcile.goods.fulfilment import (
    SYMBOLIC_RETURN,
    is_fulfilled,
    keepers,
    sales_naming,
    symbolic_returns_named,
)
from confere.reconcile.rules.rule import Rule, Unchecked
from confere.reconcile.rules.shared_evidence import without_effect
from confere.reconcile.undecided_reasons import Reason
from confere.sales.findings import Finding, Severity
from confere.sales.reconciliation_input import PaperEntry

RULE: Final = Rule(
    "R15",
    1,
    Severity.MEDIUM,
    N_("Fulfilment chain incomplete"),
    N_(
        "A sale out of the marketplace's warehouse refers to no symbolic return in effect, or a symbolic return has no"
        " sale and so stands for a removal of stock. Issue the note that is missing, or explain the removal."
    ),
)


def find(view: View) -> Iterator[Finding]:
    """Fulfilment sales without a symbolic return in effect that they refer to, and symbolic returns without a sale.

    The sale is issued after its symbolic return: a return younger than the hours that an invoice may take is not
    reported yet.

    Source: reconciliation rules, R15 (a symbolic return without a sale is a physical removal of stock).
    """
    unchecked = Unchecked(RULE)
    keeping = keepers(view)
    for sale in view.sales:
        if is_fulfilled(view, sale, keeping) and not symbolic_returns_named(view, sale):
            reason = _why_no_return(view, sale)
            if reason is not None:
                unchecked.add(sale.period, reason, evidence_text.named(sale))
            else:
                yield _sale_alone(view, sale)
    for paper in view.papers.values():
        if paper.operation == SYMBOLIC_RETURN and predicates.effective(paper) and not sales_naming(view, paper):
            at = listed_periods.issued(paper)
            due = None if at is None else at + view.terms.invoice_after_hours * listed_periods.HOUR
            if due is not None and due >= view.now:
                continue
            reason = _why_no_sale(view, at, due)
            if reason is not None:
                unchecked.add(paper.period, reason, evidence_text.named(paper))
            else:
                yield _return_alone(view, paper)
    yield from unchecked.findings()


def _why_no_return(view: View, sale: PaperEntry) -> Reason | None:
    at = listed_periods.issued(sale)
    absent = [key for key in view.targets(sale.key, REFERRING) if key not in view.papers]
    for reason in (view.why_absent(key, at) for key in absent):
        if reason is not None:
            return reason
    named = (view.papers.get(key) for key in view.targets(sale.key, REFERRING))
    if any(paper is not None and paper.state == predicates.NO_PROTOCOL for paper in named):
        return Reason.NO_PROTOCOL
    return None


def _why_no_sale(view: View, at: float | None, due: float | None) -> Reason | None:
    if not view.ledger.own:
        return Reason.NO_ESTABLISHMENTS
    if at is None or due is None:
        return Reason.DOCUMENTS_NOT_LISTED
    if {listed_periods.local_month(at), listed_periods.local_month(due)} & view.undownloaded_months[0]:
        return Reason.NOT_DOWNLOADED
    return view.why_no_documents(at, due)


def _sale_alone(view: View, sale: PaperEntry) -> Finding:
    named = [view.papers[key] for key in view.targets(sale.key, REFERRING) if key in view.papers]
    return RULE.found(
        sale.period,
        message(
            "{name} of {day} ({total}) leaves the marketplace's warehouse and refers to no symbolic return in effect.",
            name=evidence_text.named(sale),
            day=evidence_text.day(sale.issued_on),
            total=evidence_text.money(sale.total),
        ),
        *without_effect(named),
        orders=view.orders_of(sale.key),
        papers=[sale],
        amount=sale.total,
    )


def _return_alone(view: View, paper: PaperEntry) -> Finding:
    return RULE.found(
        paper.period,
        message(
            "No sale in effect refers to the symbolic return {name} of {day} ({total}): stock was removed.",
            name=evidence_text.named(paper),
            day=evidence_text.day(paper.issued_on),
            total=evidence_text.money(paper.total),
        ),
        *without_effect(other for other in view.referring_to(paper.key) if view.is_sale(other)),
        papers=[paper],
        amount=paper.total,
        severity=Severity.LOW,
    )
