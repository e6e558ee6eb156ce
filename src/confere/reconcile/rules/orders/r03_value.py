"""R3: the totals of orders differ from the totals of their invoices."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from confere.errors import N_, Message, message
from confere.reconcile import evidence_text, predicates
from confere.reconcile.context import View
from confere.reconcile.coverage import listed_periods
from confere.reconcile.goods.quantities import Names, beyond, count
from confere.reconcile.graph.order_groups import OrderGroup, oldest
from confere.reconcile.rules.rule import Rule, Unchecked
from confere.reconcile.totals import PartDifference, Sides, is_of_one_line, sides
from confere.reconcile.undecided_reasons import Reason
from confere.sales.findings import ExplainedDifference, Finding, Severity, graded
from confere.sales.order import OrderStatus
from confere.sales.reconciliation_input import ItemQuantity, OrderEntry, PaperEntry

RULE: Final = Rule(
    "R3",
    2,
    Severity.HIGH,
    N_("Value divergence"),
    N_(
        "What the orders come to differs from what their invoices come to, and no freight, discount or interest that"
        " both sides tell of explains it. Correct the invoice by a complementary one or a return, or explain the"
        " difference."
    ),
)


def find(view: View) -> Iterator[Finding]:
    """Groups of orders and authorized sales whose totals differ beyond the tolerance.

    All orders and sales that are linked to each other (a cart, packages) are compared as one group. A complementary
    note adds to the note it complements; a symbolic return is not counted. A difference that freight, discount or
    interest explain, stated on both sides, is listed by `explained` instead; so is a cancelled order that the invoice
    leaves out, and goods that were returned and billed again. An amount stated on one side only explains nothing.

    Source: reconciliation rules, R3, and "Sharpened by measuring" (IPI and ICMS-ST, what stands on one side only); MOC
    7.0, annex I, group W (`vNF` and its parts).
    """
    unchecked = Unchecked(RULE)
    for group, compared in _differing(view):
        if compared is None:
            unchecked.add(oldest(group.papers).period, Reason.NO_TOTAL, evidence_text.orders_named(group.orders))
        elif explanation(view, group, compared) is None:
            reason = why_undecided(view, group, compared.difference)
            if reason is not None:
                unchecked.add(oldest(group.papers).period, reason, evidence_text.orders_named(group.orders))
            else:
                amount = abs(compared.difference)
                yield RULE.found(
                    oldest(group.papers).period, *_evidence(group, compared), orders=group.orders, papers=group.papers,
                    amount=amount, severity=graded(amount, view.terms.high_from),
                )  # fmt: skip
    yield from unchecked.findings()


def explained(view: View) -> Iterator[ExplainedDifference]:
    """The differences that the rule explains and so does not report, each with the amounts that make it up.

    Source: reconciliation rules, R3, and "Sharpened by measuring" (what is explained by rule stays visible, with its
    amounts).
    """
    for group, compared in _differing(view):
        explaining = None if compared is None else explanation(view, group, compared)
        evidence = () if explaining is None else tuple(_sentences(explaining))
        if compared is not None and evidence:
            yield ExplainedDifference(
                oldest(group.papers).period,
                tuple(sorted(order.hub_id for order in group.orders)),
                tuple(sorted(paper.key or "" for paper in group.papers)),
                abs(compared.difference),
                evidence,
            )


def _differing(view: View) -> Iterator[tuple[OrderGroup, Sides | None]]:
    """Groups whose totals are not the same centavo by centavo, with both sides; None where a total is not known."""
    for group in view.groups:
        if not (group.is_pair and group.orders[0].total == group.sales[0].total is not None):  # as most are
            yield group, sides(group.orders, group.sales, group.complements)


@dataclass(frozen=True, slots=True)
class Explanation:
    """What makes up a difference: the parts, of what is left without the cancelled orders that the invoices leave out
    or without the sales that came back and were billed again."""

    parts: tuple[PartDifference, ...]
    left_out: tuple[OrderEntry, ...] = ()
    billed_again: tuple[PaperEntry, ...] = ()


def explanation(view: View, group: OrderGroup, compared: Sides) -> Explanation | None:
    """What makes up the difference: no parts where there is no difference, None where it stays unexplained."""
    tolerance = view.terms.tolerance
    parts = compared.explained(tolerance)
    if parts is not None:
        return Explanation(parts)
    living = [order for order in group.orders if order.status != OrderStatus.CANCELED]
    if living and len(living) < len(group.orders):
        parts = _parts(sides(living, group.sales, group.complements), tolerance)
        if parts is not None:
            gone = tuple(order for order in group.orders if order.status == OrderStatus.CANCELED)
            return Explanation(parts, left_out=gone)
    kept = [sale for sale in group.sales if not view.taken_back_by(sale)]
    if kept and len(kept) < len(group.sales):
        parts = _parts(sides(group.orders, kept, group.complements), tolerance)
        if parts is not None:
            return Explanation(parts, billed_again=tuple(sale for sale in group.sales if sale not in kept))
    return None


def _parts(rest: Sides | None, tolerance: int) -> tuple[PartDifference, ...] | None:
    return None if rest is None else rest.explained(tolerance)


def _sentences(explaining: Explanation) -> Iterator[Message]:
    if explaining.left_out:
        gone = evidence_text.orders_named(explaining.left_out)
        yield message("The invoices leave out what was cancelled: {orders}.", orders=gone)
    if explaining.billed_again:
        back = evidence_text.papers_named(explaining.billed_again)
        yield message("What came back was billed again: {invoices}.", invoices=back)
    yield from map(_made_up, explaining.parts)


def _made_up(part: PartDifference) -> Message:
    return message(
        "{effect} of it: the {part} is {ordered} on the orders' side and {noted} on the invoices'.",
        effect=evidence_text.money(abs(part.effect)),
        part=Message(part.part.value),
        ordered=evidence_text.money(part.orders),
        noted=evidence_text.money(part.notes),
    )


def why_undecided(view: View, group: OrderGroup, difference: int) -> Reason | None:
    """Why it cannot be said that a difference (of centavos) is a divergence; None: it can."""
    if any(order.hub_id in view.tied_orders for order in group.orders):
        return Reason.TIE
    if any(sale.key in view.tied_keys for sale in group.sales):
        return Reason.TIE
    if any(is_of_one_line(order) for order in group.orders):
        return Reason.OF_ONE_LINE
    if difference > 0:
        return _other_order(view, group)
    if any(order.invoice_key and order.invoice_key not in view.papers for order in group.orders):
        return Reason.INVOICE_NOT_HERE
    if not _lacks(_ordered(group), _billed(group)):
        return None  # no package is missing: all that was ordered is billed
    for order in group.orders:
        at = listed_periods.ordered(order)
        if at is None:
            continue
        due = at + view.terms.invoice_after_hours * listed_periods.HOUR
        if {listed_periods.local_month(at), listed_periods.local_month(due)} & view.undownloaded_months[0]:
            return Reason.NOT_DOWNLOADED
        reason = view.why_no_documents(at, due)
        if reason is not None:
            return reason
    return None


def _other_order(view: View, group: OrderGroup) -> Reason | None:
    """Why the invoices may bill another order too, one that is not here: a cart is compared whole or not at all.

    Where they bill just the pieces that were ordered, there is no other order.
    """
    for sale in group.sales:
        claimed = tuple(predicates.orders_claimed(sale))
        if claimed and not any(name in view.orders for name in claimed):
            return Reason.ORDER_NOT_HERE
    if not _lacks(_billed(group), _ordered(group)):
        return None
    for sale in group.sales:
        at = listed_periods.issued(sale)
        if at is not None and not view.orders_listed.cover(at - listed_periods.DAY, at):
            return Reason.ORDERS_NOT_LISTED
    numbers = {number for order in group.orders for number in (order.hub_id, *order.numbers)}
    known = {_form(number) for number in numbers}
    for sale in group.sales:
        # A number in the form of one that is quoted beside it: other numbers in a note's words are telephones.
        if any(number in numbers for number in sale.quoted) and any(
            number not in numbers and _form(number) in known for number in sale.quoted
        ):
            return Reason.OTHER_ORDER_NOT_HERE
    return None


def _form(number: str) -> tuple[int, str]:
    """The length and beginning that numbers of one marketplace have alike."""
    return len(number), number[:2]


def _ordered(group: OrderGroup) -> list[ItemQuantity]:
    return [line for order in group.orders for line in order.lines]


def _billed(group: OrderGroup) -> list[ItemQuantity]:
    return [line for sale in group.sales for line in sale.lines]


def _lacks(some: Sequence[ItemQuantity], others: Sequence[ItemQuantity]) -> bool:
    """Whether `some` hold pieces beyond those of `others`, or nobody can tell."""
    names = Names([*some, *others])
    if not (some and others) or any(names.of(one) is None or one.quantity is None for one in (*some, *others)):
        return True
    return bool(beyond(count(some, names), count(others, names)))


def _evidence(group: OrderGroup, compared: Sides) -> Iterator[Message]:
    yield message(
        "Orders ({orders}): {ordered}; invoices ({invoices}): {billed}. {difference} apart.",
        orders=evidence_text.orders_named(group.orders),
        ordered=evidence_text.money(compared.orders),
        invoices=evidence_text.papers_named(group.papers),
        billed=evidence_text.money(compared.notes),
        difference=evidence_text.money(abs(compared.difference)),
    )
    yield message(
        "Freight {order_freight} against {note_freight}, discount {order_discount} against {note_discount}, interest"
        " {interest} against {other} do not explain it.",
        order_freight=evidence_text.money(compared.order_freight),
        note_freight=evidence_text.money(compared.note_freight),
        order_discount=evidence_text.money(compared.order_discount),
        note_discount=evidence_text.money(compared.note_discount),
        interest=evidence_text.money(max(compared.interest, 0) + compared.interest_beside),
        other=evidence_text.money(compared.other),
    )
    if compared.ipi or compared.icms_st:
        yield message(
            "What the invoices come to holds {ipi} of IPI and {icms_st} of ICMS-ST.",
            ipi=evidence_text.money(compared.ipi),
            icms_st=evidence_text.money(compared.icms_st),
        )
    for part in compared.alone():
        yield message(
            "{amount} of {part} stands on one side alone, which explains nothing by itself.",
            amount=evidence_text.money(abs(part.effect)),
            part=Message(part.part.value),
        )
