"""R13: a return without its document, or one that gives back more than was sold."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from confere.errors import N_, Message, message
from confere.fiscal.credit_notes import is_adjusting
from confere.reconcile import evidence_text, predicates
from confere.reconcile.context import View
from confere.reconcile.coverage import listed_periods
from confere.reconcile.goods import refusals
from confere.reconcile.goods.quantities import Names, beyond, count, dearer
from confere.reconcile.goods.returned_items import lines_given_back, value_given_back
from confere.reconcile.graph.order_groups import in_time
from confere.reconcile.rules.rule import Rule, Unchecked
from confere.reconcile.rules.shared_evidence import buyers_own_note, only_reduced, without_effect
from confere.reconcile.undecided_reasons import Reason
from confere.sales.findings import Finding, Severity
from confere.sales.reconciliation_input import ItemQuantity, OrderEntry, PaperEntry, ReturnEntry

RULE: Final = Rule(
    "R13",
    1,
    Severity.HIGH,
    N_("Return incomplete"),
    N_(
        "The hub booked a return without a return document in effect, or more comes back than was sold."
        " Issue the return document, or correct the one that gives back too much."
    ),
)
_CALLED_OFF: Final = ("CANCEL", "REJECT", "REFUS", "DENIED", "RECUS")


def find(view: View) -> Iterator[Finding]:
    """Per order: returns that the hub booked without a document, and returns of more pieces or value than were sold.

    Returns whose status at the hub says that they were cancelled or rejected are left out. Where the hub has no list
    of returns, each month with orders or sales gets one "not checked".

    Source: reconciliation rules, R13; field notes, section Orders (returns are records of their own); MOC 7.0, annex I,
    B25 (`finNFe` 4); NT 2025.002 v1.50 (credit notes).
    """
    unchecked = Unchecked(RULE)
    if view.ledger.returns is None:
        months = {order.period for order in view.ledger.orders} | {sale.period for sale in view.sales}
        for month in sorted(filter(None, months)):
            yield RULE.found(month, Message(Reason.NO_RETURNS_LIST.value), subject=month, checked=False)
        return
    booked: dict[str, list[ReturnEntry]] = defaultdict(list)
    for booking in view.ledger.returns:
        if not _called_off(booking):
            booked[booking.order_id or ""].append(booking)
    for order_id, entries in booked.items():
        order = view.orders.get(order_id)
        if order is None:
            for booking in entries:
                unchecked.add(booking.created_on[:7] or view.this_month, Reason.ORDER_NOT_HERE, booking.hub_id)
            continue
        yield from _without_document(view, order, entries, unchecked)
        yield from _booked_beyond(view, order, entries)
    yield from _beyond_sale(view)
    yield from unchecked.findings()


def _called_off(booking: ReturnEntry) -> bool:
    status = (booking.status or "").upper()
    return any(word in status for word in _CALLED_OFF)


def _documents(view: View, order: OrderEntry, entries: Sequence[ReturnEntry]) -> list[PaperEntry]:
    """The return documents of an order: named by the hub, linked to the order, or referring to one of its invoices."""
    documents: dict[str, PaperEntry] = {}
    for booking in entries:
        if booking.key and booking.key in view.papers and not _only_adjusts(view.papers[booking.key]):
            documents[booking.key] = view.papers[booking.key]
    linked = view.papers_of(order.hub_id)
    documents |= {paper.key or "": paper for paper in linked if predicates.takes_back(paper)}
    sold = [paper.key for paper in linked if view.is_sale(paper)]
    for key in (*sold, order.invoice_key):
        documents |= {other.key or "": other for other in view.referring_to(key) if predicates.takes_back(other)}
    return list(documents.values())


def _only_adjusts(paper: PaperEntry) -> bool:
    """Whether it is a credit or debit note that takes no goods back, whatever the hub takes it for."""
    return paper.type in predicates.NOTES and is_adjusting(paper.purpose) and not predicates.takes_back(paper)


def _without_document(
    view: View, order: OrderEntry, entries: Sequence[ReturnEntry], unchecked: Unchecked
) -> Iterator[Finding]:
    documents = _documents(view, order, entries)
    standing = [paper for paper in documents if predicates.effective(paper)]
    by_key = {paper.key for paper in standing}
    unclaimed = len(by_key - {booking.key for booking in entries})
    missing = []
    for booking in sorted(entries, key=lambda booking: (booking.created_on, booking.hub_id)):
        if booking.key in by_key:
            continue
        if unclaimed:
            unclaimed -= 1
            continue
        missing.append(booking)
    if not missing:
        return
    value = sum(booking.total or 0 for booking in entries)
    if standing and value and sum(paper.total or 0 for paper in standing) >= value:
        return  # one document for several returns
    period = missing[0].created_on[:7] or view.this_month
    reason = _undecided(view, order, missing, documents)
    if reason is not None:
        unchecked.add(period, reason, order.hub_id)
        return
    sales = view.sales_of(order.hub_id)
    yield RULE.found(
        period,
        *(
            message(
                "The hub booked the return {name} of order {order} on {day} ({total}); no return document in effect"
                " belongs to it.",
                name=booking.hub_id,
                order=order.hub_id,
                day=evidence_text.day(booking.created_on) or "?",
                total=evidence_text.money(booking.total) or "?",
            )
            for booking in missing
        ),
        *without_effect(documents),
        *refusals.evidence(view, sales),
        *(sentence for sale in sales for sentence in only_reduced(view, sale)),
        *buyers_own_note(sales),
        orders=[order],
        amount=sum(booking.total or 0 for booking in missing) or order.total,
    )


def _undecided(
    view: View, order: OrderEntry, missing: Sequence[ReturnEntry], documents: Sequence[PaperEntry]
) -> Reason | None:
    if any(paper.state == predicates.NO_PROTOCOL for paper in documents):
        return Reason.NO_PROTOCOL
    if order.hub_id in view.tied_orders:
        return Reason.TIE
    if not view.ledger.own:
        return Reason.NO_ESTABLISHMENTS
    if not any(view.is_sale(paper) for paper in view.papers_of(order.hub_id)):
        return Reason.NO_SALE
    for booking in missing:
        if (
            booking.key
            and booking.key not in view.papers
            and (reason := view.why_absent(booking.key, None)) is not None
        ):
            return reason
        start = listed_periods.day_begins(booking.created_on)
        if start is None:
            return Reason.DOCUMENTS_NOT_LISTED
        if booking.created_on[:7] in view.undownloaded_months[0]:
            return Reason.NOT_DOWNLOADED
        reason = view.why_no_documents(start, start + listed_periods.DAY)
        if reason is not None:
            return reason
    return None


def _booked_beyond(view: View, order: OrderEntry, entries: Sequence[ReturnEntry]) -> Iterator[Finding]:
    """What the hub booked against what was ordered."""
    excess = list(
        _excess(
            [line for booking in entries for line in booking.lines], order.lines, order.hub_id,
            sum(booking.total or 0 for booking in entries), order.total, view.terms.tolerance,
        )
    )  # fmt: skip
    documents = [paper for paper in _documents(view, order, entries) if predicates.effective(paper)]
    if not excess or _exceeding(view, documents):
        return  # the documents themselves say it, below
    newest = max(booking.created_on for booking in entries)
    yield RULE.found(
        (documents[0].period if documents else newest[:7]) or view.this_month,
        message("The hub booked more returned than order {order} had.", order=order.hub_id),
        *excess,
        orders=[order],
        papers=documents,
        amount=sum(booking.total or 0 for booking in entries),
        subject="" if documents else "booked",
    )


def _beyond_sale(view: View) -> Iterator[Finding]:
    """What return documents give back against the sale that they refer to."""
    for sale in view.sold:
        documents = [paper for paper in view.taken_back_by(sale) if paper.emitter in view.ledger.own]
        if not documents:
            continue
        excess = list(_over(view, sale, documents))
        if excess:
            orders = view.orders_of(sale.key)
            newest = in_time(documents)[-1]
            yield RULE.found(
                newest.period,
                message(
                    "More was given back than {sale} of {day} sold: {documents}.",
                    documents=evidence_text.papers_named(in_time(documents)),
                    sale=evidence_text.named(sale),
                    day=evidence_text.day(sale.issued_on),
                ),
                *excess,
                orders=orders,
                papers=documents,
                amount=max(sum(paper.total or 0 for paper in documents) - (sale.total or 0), 0)
                or sum(_dearer(view, sale, documents).values())
                or newest.total,
            )


def _exceeding(view: View, documents: Sequence[PaperEntry]) -> bool:
    """Whether one of these gives back more than its sale had."""
    sales = {key: view.papers[key] for paper in documents for key in view.sold_by(paper)}
    return any(any(_over(view, sale, view.taken_back_by(sale))) for sale in sales.values())


def _over(view: View, sale: PaperEntry, documents: Sequence[PaperEntry]) -> Iterator[Message]:
    single = [paper for paper in documents if len(view.sold_by(paper)) == 1]
    if not single:
        return  # one that gives back several sales is no measure of each
    added = [paper for paper in view.referring_to(sale.key) if predicates.complements_sale(paper, view.ledger.own)]
    for code, more in _dearer(view, sale, single).items() if not added else ():
        yield message(
            "Item {code}: {more} more come back than it was sold for.", code=code, more=evidence_text.money(more)
        )
    yield from _excess(
        lines_given_back(single, view.papers),
        sale.lines,
        evidence_text.named(sale),
        sum(map(value_given_back, single)),
        None if sale.total is None else sale.total + sum(paper.total or 0 for paper in added),
        view.terms.tolerance,
    )


def _dearer(view: View, sale: PaperEntry, documents: Sequence[PaperEntry]) -> dict[str, int]:
    """By item, what is given back beyond what it was sold for; a complement may have raised its price."""
    if any(predicates.complements_sale(paper, view.ledger.own) for paper in view.referring_to(sale.key)):
        return {}
    back = lines_given_back((paper for paper in documents if len(view.sold_by(paper)) == 1), view.papers)
    names = Names([*sale.lines, *back])
    returned, whole = count(back, names), count(sale.lines, names)
    more = beyond(returned, whole)  # told as pieces
    return {name: cents for name, cents in dearer(returned, whole, view.terms.tolerance).items() if name not in more}


def _excess(
    back: Sequence[ItemQuantity], sold: Sequence[ItemQuantity], name: str, value: int, total: int | None, tolerance: int
) -> Iterator[Message]:
    names = Names([*sold, *back])
    whole, returned = count(sold, names), count(back, names)
    for code, more in beyond(returned, whole).items() if whole else ():
        yield message(
            "Item {code}: {more} more come back than {name} has.",
            code=code,
            more=evidence_text.quantity(more),
            name=name,
        )
    if total is not None and value > total + tolerance:
        yield message(
            "{value} come back of {total}.", value=evidence_text.money(value), total=evidence_text.money(total)
        )
