"""What a group's invoices differ by from its orders, in the named parts of the bridge."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product
from typing import Final

from confere.errors import Message
from confere.reconcile.bridge.pieces import Difference
from confere.reconcile.context import View
from confere.reconcile.graph.order_groups import OrderGroup, in_time
from confere.reconcile.rules.orders import r03_value
from confere.reconcile.rules.orders.r07b_billed_twice import billed_twice
from confere.reconcile.totals import PartDifference, Sides, TotalPart, sides
from confere.sales.bridge import BridgeCode
from confere.sales.reconciliation_input import OrderEntry, PaperEntry

_CODES: Final = {
    TotalPart.FREIGHT: BridgeCode.FREIGHT,
    TotalPart.DISCOUNT: BridgeCode.DISCOUNT,
    TotalPart.INTEREST: BridgeCode.INTEREST,
    TotalPart.IPI: BridgeCode.IPI_ICMS_ST,
    TotalPart.ICMS_ST: BridgeCode.IPI_ICMS_ST,
}


@dataclass(frozen=True, slots=True)
class GroupDifference:
    """What of a group stands apart, and what the rest differs by.

    `left_out` are cancelled orders that the invoices leave out. `apart` are invoices that bill nothing of the orders
    for themselves, each with its line. `parts` come to the difference of what is left; `reason` says why
    those that nothing explains could not be checked.
    """

    parts: tuple[Difference, ...] = ()
    left_out: tuple[OrderEntry, ...] = ()
    apart: tuple[tuple[PaperEntry, BridgeCode], ...] = ()
    reason: Message | None = None


def difference_of(view: View, group: OrderGroup) -> GroupDifference | None:
    """The difference of a group by its parts, as R3 and R7b see it; None where a total is not known or below zero.

    What R3 explains has R3's parts, with a rest within the tolerance as rounding. Else R7b's double billing is taken
    out: whole invoices, the newest first, where the others then agree with the orders; or the value of the pieces
    billed twice. IPI and ICMS-ST that make up what is left are named, though R3 goes on reporting them (they stand on
    one side alone). What remains is R3's divergence, or not checked where R3 cannot tell.

    Source: reconciliation rules, The bridge, R3 and R7b; MOC 7.0, annex I, group W (what makes up `vNF`).
    """
    compared = sides(group.orders, group.sales, group.complements)
    totals = [*(order.total for order in group.orders), *(paper.total for paper in group.papers)]
    if compared is None or any(total is None or total < 0 for total in totals):
        return None
    if not compared.difference:
        return GroupDifference()
    explaining = r03_value.explanation(view, group, compared)
    if explaining is not None:
        again = tuple((sale, BridgeCode.BILLED_AGAIN) for sale in explaining.billed_again)
        rest = compared.difference + sum(order.total or 0 for order in explaining.left_out)
        rest -= sum(sale.total or 0 for sale in explaining.billed_again)
        return GroupDifference(_named(explaining.parts, rest), explaining.left_out, again)
    return _twice(view, group, compared) or _unexplained(view, group, compared, ())


def _twice(view: View, group: OrderGroup, compared: Sides) -> GroupDifference | None:
    twice = billed_twice(view, group)
    if twice is None:
        return None
    removed: list[PaperEntry] = []
    for sale in reversed(in_time(twice.sales)[1:]):
        removed.append(sale)
        kept = [paper for paper in group.sales if paper not in removed]
        rest = sides(group.orders, kept, group.complements)
        parts = None if rest is None else rest.explained(view.terms.tolerance)
        if rest is not None and parts is not None:
            apart = tuple((paper, BridgeCode.BILLED_TWICE) for paper in removed)
            return GroupDifference(_named(parts, rest.difference), apart=apart)
    amount = min(twice.amount, compared.difference)
    return _unexplained(view, group, compared, ((BridgeCode.BILLED_TWICE, amount),) if amount > 0 else ())


def _unexplained(view: View, group: OrderGroup, compared: Sides, known: tuple[Difference, ...]) -> GroupDifference:
    rest = compared.difference - sum(amount for _, amount in known)
    by_taxes = None if known else _by_taxes(compared, view.terms.tolerance)
    if by_taxes is not None:
        return GroupDifference(_named(by_taxes, rest))
    if abs(rest) <= view.terms.tolerance:
        return GroupDifference((*known, *_named((), rest)))
    reason = r03_value.why_undecided(view, group, compared.difference)
    if reason is not None:
        return GroupDifference((*known, (BridgeCode.UNCHECKED_INVOICES, rest)), reason=Message(reason.value))
    return GroupDifference((*known, (BridgeCode.UNEXPLAINED, rest)))


def _by_taxes(compared: Sides, tolerance: int) -> tuple[PartDifference, ...] | None:
    """The parts that make up a difference once IPI, ICMS-ST or both are taken out of the invoices."""
    for ipi, icms_st in sorted(set(product({0, compared.ipi}, {0, compared.icms_st})), key=sum):
        if ipi or icms_st:
            parts = replace(compared, notes=compared.notes - ipi - icms_st).explained(tolerance)
            if parts is not None:
                taxes = ((TotalPart.IPI, ipi), (TotalPart.ICMS_ST, icms_st))
                return (*(PartDifference(part, 0, tax, tax) for part, tax in taxes if tax), *parts)
    return None


def _named(parts: tuple[PartDifference, ...], difference: int) -> tuple[Difference, ...]:
    """Parts with their lines; what they leave of the difference is rounding."""
    named: dict[BridgeCode, int] = {}
    for part in parts:
        code = _CODES[part.part]
        named[code] = named.get(code, 0) + part.effect
    rest = difference - sum(named.values())
    if rest:
        named[BridgeCode.ROUNDING] = rest
    return tuple((code, amount) for code, amount in named.items() if amount)
