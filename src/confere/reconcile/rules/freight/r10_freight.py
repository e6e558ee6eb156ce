"""R10: what CT-e bill is not what the orders were charged for freight, or one leg is billed twice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from confere.errors import N_, Message, message
from confere.reconcile import evidence_text
from confere.reconcile.context import View
from confere.reconcile.coverage import listed_periods
from confere.reconcile.goods import freight
from confere.reconcile.goods.freight import Haul
from confere.reconcile.rules.freight.r09_note_without_freight import SENDER_PAYS
from confere.reconcile.rules.rule import Rule, Unchecked
from confere.reconcile.undecided_reasons import Reason
from confere.sales.findings import Finding, Severity

RULE: Final = Rule(
    "R10",
    1,
    Severity.MEDIUM,
    N_("Freight divergence"),
    N_(
        "The CT-e of these orders come to more or less than the freight that the orders were charged, or bill the same"
        " leg twice. Dispute it with the carrier, or explain the difference."
    ),
)


def find(view: View) -> Iterator[Finding]:
    """Groups of CT-e and orders: the CT-e's totals, complements with them, against the orders' freight.

    Only where the account's freight comes as CT-e, of CT-e that the account pays for. Several CT-e with the same
    note, recipient and taker, neither of which takes the load over from another, bill one leg twice.

    Source: reconciliation rules, R10.
    """
    if not view.terms.freight_by_cte:
        return
    unchecked = Unchecked(RULE)
    for haul in freight.hauls(view):
        if not haul.orders:
            continue
        billed, charged = haul.billed, sum([order.freight or 0 for order in haul.orders])
        apart = abs(billed - charged)
        if apart <= view.terms.tolerance and not haul.twice:
            continue
        period = haul.papers[0].period
        reason = None if haul.twice else _undecided(view, haul)
        if reason is not None:
            unchecked.add(period, reason, evidence_text.papers_named(haul.papers))
            continue
        yield RULE.found(
            period,
            *_evidence(view, haul, billed, charged),
            orders=haul.orders,
            papers=haul.papers,
            amount=apart or min(paper.total or 0 for paper in haul.twice),
        )
    yield from unchecked.findings()


def _undecided(view: View, haul: Haul) -> Reason | None:
    if not view.ledger.own:
        return Reason.NO_ESTABLISHMENTS
    if any(order.freight is None for order in haul.orders):
        return Reason.NO_FREIGHT
    if any(paper.total is None for paper in haul.papers):
        return Reason.NO_TOTAL
    if any(order.hub_id in view.tied_orders for order in haul.orders):
        return Reason.TIE
    notes = [view.papers.get(key) for key in haul.carried]
    for note in notes:
        if note is None:
            return Reason.CARRIED_NOT_HERE
        if not view.is_sale(note) or not view.orders_of(note.key):
            return Reason.NO_ORDER
    for order in haul.orders:
        for sale in view.sales_of(order.hub_id):
            if sale.freight_mode == SENDER_PAYS and sale.key not in haul.carried:
                return Reason.FREIGHT_AWAITED
    start = min(
        (at for note in notes if note is not None and (at := listed_periods.issued(note)) is not None), default=None
    )
    end = listed_periods.issued(haul.papers[-1])
    if start is None or end is None:
        return Reason.DOCUMENTS_NOT_LISTED
    if view.undownloaded_months[1] & {listed_periods.local_month(start), listed_periods.local_month(end)}:
        return Reason.NOT_DOWNLOADED
    return view.why_no_documents(start, max(start, end))


def _evidence(view: View, haul: Haul, billed: int, charged: int) -> Iterator[Message]:
    if haul.twice:
        yield message(
            "{freights} carry the same notes to the same recipient for the same taker: one leg is billed twice.",
            freights=evidence_text.papers_named(haul.twice),
        )
    yield message(
        "Freight billed ({freights}): {billed}; charged on orders ({orders}): {charged}. {difference} apart.",
        freights=evidence_text.papers_named(haul.papers),
        billed=evidence_text.money(billed),
        orders=evidence_text.orders_named(haul.orders),
        charged=evidence_text.money(charged),
        difference=evidence_text.money(abs(billed - charged)),
    )
    notes = [note for key in haul.carried if (note := view.papers.get(key)) is not None]
    if len(notes) > 1:
        shares = freight.allocated(billed, notes)
        yield message(
            "Over the notes that they carry this is {shares}.",
            shares=evidence_text.listed(
                f"{evidence_text.named(note)} {evidence_text.money(share)}"
                for note, share in zip(notes, shares, strict=True)
            ),
        )
    for paper in haul.complements:
        yield message(
            "{name} is a complement of {total}.",
            name=evidence_text.named(paper),
            total=evidence_text.money(paper.total),
        )
