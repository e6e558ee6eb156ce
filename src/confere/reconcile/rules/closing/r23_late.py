"""R23: a document that arrived or changed after its month was closed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from confere.errors import N_, Message, message
from confere.reconcile import evidence_text, month_changes
from confere.reconcile.context import View
from confere.reconcile.month_changes import ChangeKind, DocumentChange
from confere.reconcile.rules.closing.r20_taxes import TAXES, closed_on, not_comparable
from confere.reconcile.rules.rule import Rule
from confere.sales.closings import ClosedMonth
from confere.sales.findings import Finding, Severity, graded

RULE: Final = Rule(
    "R23",
    1,
    Severity.HIGH,
    N_("Late document"),
    N_(
        "A document arrived, was cancelled or changed after its month was closed. See `confere changes`; rectify what"
        " was filed, then open the month again and close it anew."
    ),
)
_SENTENCES: Final = {
    ChangeKind.ARRIVED: N_("It was not in the archive when the month was closed."),
    ChangeKind.GONE: N_("It is no longer in the month that was closed with it."),
    ChangeKind.CANCELLED: N_("It was in effect when the month was closed, and is not any more."),
    ChangeKind.STATE: N_("Its state is another than when the month was closed."),
    ChangeKind.OTHER_BYTES: N_("Its XML is another than when the month was closed."),
    ChangeKind.CORRECTED: N_("A correction letter came after the month was closed."),
    ChangeKind.EVENT: N_("An event came after the month was closed."),
}


def find(view: View) -> Iterator[Finding]:
    """One finding for each document of a closed month that is new, gone, cancelled, changed or has new events.

    A month that is over and was never closed is not checked.

    Source: reconciliation rules, R23; behind it Ajuste SINIEF 2/09, cl. 13 (rectification of what was filed).
    """
    for closed in view.ledger.closed or ():
        if closed.is_damaged:
            continue
        for change in month_changes.of_month(closed).documents:
            if month_changes.LATE.intersection(change.kinds):
                yield _finding(view, closed, change)
    yield from not_comparable(RULE, view)


def _finding(view: View, closed: ClosedMonth, change: DocumentChange) -> Finding:
    document = change.document
    taxes = sum(abs(amount) for sums in change.taxes.values() for name, amount in sums.items() if name in TAXES)
    amount = abs(change.total) or taxes or document.total
    paper = view.papers.get(document.key or "")
    return RULE.found(
        closed.act.month,
        message(
            "{document} of {total}; {company} closed {month} on {day}.",
            document=evidence_text.named(paper) if paper is not None else (document.key or document.paper),
            total=evidence_text.money(document.total) or "?",
            company=closed.act.company,
            month=evidence_text.day(closed.act.month),
            day=closed_on(closed),
        ),
        *(Message(_SENTENCES[kind]) for kind in change.kinds if kind in _SENTENCES),
        keys=[document.key] if document.key else [],
        amount=amount,
        severity=graded(amount or 0, view.terms.high_from),
        subject=closed.act.company if document.key else f"{closed.act.company}/{document.paper}",
    )
