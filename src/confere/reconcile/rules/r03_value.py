"""R3: what orders come to is not what their invoices come to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from confere.errors import N_, Message, message
from confere.fiscal.books.findings import Finding, Severity
from confere.fiscal.books.order import OrderStatus
from confere.reconcile import listed, traits, wording
from confere.reconcile.groups import Group, oldest
from confere.reconcile.reasons import Reason
from confere.reconcile.rules.rule import Rule, Unchecked
from confere.reconcile.totals import Sides, sides
from confere.reconcile.view import View

RULE: Final = Rule(
    "R3",
    1,
    Severity.HIGH,
    N_("Value divergence"),
    N_(
        "What the orders come to differs from what their invoices come to, and neither freight, discount nor interest"
        " make up the difference. Correct the invoice by a complementary one or a return, or explain the difference."
    ),
)


def find(view: View) -> Iterator[Finding]:
    """Groups of orders and authorized sales whose totals differ beyond the tolerance.

    A cart and packages are compared whole. A complementary note adds to what it complements. Nothing is said where
    the difference is that of a cancelled order that the note leaves out, or of goods that came back and were billed
    again. A symbolic return is no sale and is not counted.
    """
    unchecked = Unchecked(RULE)
    for group in view.groups:
        if group.is_pair and group.orders[0].total == group.sales[0].total is not None:
            continue  # as most are
        told = sides(group.orders, group.sales, group.complements)
        if told is None:
            unchecked.add(oldest(group.papers).period, Reason.NO_TOTAL, wording.orders_named(group.orders))
        elif not _agree(view, group, told):
            reason = _undecided(view, group, told.difference)
            if reason is not None:
                unchecked.add(oldest(group.papers).period, reason, wording.orders_named(group.orders))
            else:
                yield RULE.found(
                    oldest(group.papers).period, *_evidence(group, told), orders=group.orders, papers=group.papers,
                    amount=abs(told.difference),
                )  # fmt: skip
    yield from unchecked.findings()


def _agree(view: View, group: Group, told: Sides) -> bool:
    tolerance = view.terms.tolerance
    if told.explained(tolerance):
        return True
    living = [order for order in group.orders if order.status != OrderStatus.CANCELED]
    if living and len(living) < len(group.orders):
        rest = sides(living, group.sales, group.complements)
        if rest is not None and rest.explained(tolerance):
            return True
    kept = [sale for sale in group.sales if not view.taken_back_by(sale)]
    if kept and len(kept) < len(group.sales):
        rest = sides(group.orders, kept, group.complements)
        return rest is not None and rest.explained(tolerance)
    return False


def _undecided(view: View, group: Group, difference: int) -> Reason | None:
    if any(order.hub_id in view.tied_orders for order in group.orders):
        return Reason.TIE
    if any(sale.key in view.tied_keys for sale in group.sales):
        return Reason.TIE
    if difference > 0:
        for sale in group.sales:
            claimed = tuple(traits.orders_claimed(sale))
            if claimed and not any(name in view.orders for name in claimed):
                return Reason.ORDER_NOT_HERE
            at = listed.issued(sale)
            # A cart's other order may lie where orders were never listed; its note is here.
            if len(group.orders) > 1 and at is not None and not view.orders_listed.cover(at - listed.DAY, at):
                return Reason.ORDERS_NOT_LISTED
        return None
    for order in group.orders:
        if order.invoice_key and order.invoice_key not in view.papers:
            return Reason.INVOICE_NOT_HERE
        at = listed.ordered(order)
        if at is None:
            continue
        due = at + view.terms.invoice_after_hours * listed.HOUR
        if {listed.local_month(at), listed.local_month(due)} & view.undownloaded_months[0]:
            return Reason.NOT_DOWNLOADED
        reason = view.why_no_documents(at, due)
        if reason is not None:
            return reason
    return None


def _evidence(group: Group, told: Sides) -> Iterator[Message]:
    yield message(
        "The orders {orders} come to {ordered}, the invoices {invoices} to {billed}: {difference} apart.",
        orders=wording.orders_named(group.orders),
        ordered=wording.money(told.orders),
        invoices=wording.papers_named(group.papers),
        billed=wording.money(told.notes),
        difference=wording.money(abs(told.difference)),
    )
    yield message(
        "Freight {order_freight} against {note_freight}, discount {order_discount} against {note_discount}, interest"
        " {interest} against {other} do not make it up.",
        order_freight=wording.money(told.order_freight),
        note_freight=wording.money(told.note_freight),
        order_discount=wording.money(told.order_discount),
        note_discount=wording.money(told.note_discount),
        interest=wording.money(told.interest + told.interest_beside),
        other=wording.money(told.other),
    )
