"""Totals of orders and notes side by side: the one arithmetic of R3, R4, R7b and of links by likeness.

Two questions are asked of a difference. `explained`: do both sides tell of freight, discount or interest, and is it
what they tell differently? `may_agree`: could any amount that one side shows and the other leaves out make it up?
The first closes R3, the second only lets an order and a note be partners.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import product

from confere.errors import N_
from confere.sales.reconciliation_input import OrderEntry, PaperEntry


class TotalPart(Enum):
    """What totals are made of beside goods. The value is an id of the catalogue."""

    FREIGHT = N_("freight")
    DISCOUNT = N_("discount")
    INTEREST = N_("interest and other charges")
    IPI = N_("IPI")
    ICMS_ST = N_("ICMS-ST")


@dataclass(frozen=True, slots=True)
class PartDifference:
    """What each side tells of one part, in centavos; `effect` is how far it moves the notes from the orders."""

    part: TotalPart
    orders: int
    notes: int
    effect: int


@dataclass(frozen=True, slots=True)
class Sides:
    """What orders come to beside what notes come to, in centavos.

    `interest` is what the orders' totals hold beyond goods, discount and freight, or what orders state where that
    cannot be told; negative where a total leaves out its own freight. `interest_beside` is what orders state and
    their totals do not hold, `interest_stated` all that they state. `other` is vOutro and vSeg; `ipi` and `icms_st`
    are what makes up vNF beside them (Source: MOC 7.0, group W, W16a and W16).
    """

    orders: int
    notes: int
    order_freight: int
    note_freight: int
    order_discount: int
    note_discount: int
    interest: int
    other: int
    interest_beside: int = 0
    interest_stated: int = 0
    ipi: int = 0
    icms_st: int = 0

    @property
    def difference(self) -> int:
        return self.notes - self.orders

    def explained(self, tolerance: int) -> tuple[PartDifference, ...] | None:
        """The parts that both sides tell of and that make up the difference exactly, within the tolerance.

        Empty where there is no difference; None where they do not make it up. What stands on one side only is no
        explanation, but for interest that the order itself states.
        """
        if abs(self.difference) <= tolerance:
            return ()
        options = [(None, *part) for part in (self._freights(), self._discounts(), self._charges()) if part]
        chosen = (tuple(difference for difference in some if difference is not None) for some in product(*options))
        return next(
            (
                parts
                for parts in sorted(chosen, key=len)
                if parts and abs(sum(difference.effect for difference in parts) - self.difference) <= tolerance
            ),
            None,
        )

    def may_agree(self, tolerance: int) -> bool:
        """Whether amounts that one side shows and the other may leave out make up the difference.

        Some of them have to make it up exactly, within the tolerance.
        """
        if abs(self.difference) <= tolerance:
            return True
        amounts = [self.other, -self.interest, self.interest_beside, self.ipi, self.icms_st]
        if self.order_freight != self.note_freight:
            amounts += [-self.order_freight, self.note_freight]
        if self.order_discount != self.note_discount:
            amounts += [self.order_discount, -self.note_discount]
        return any(abs(total - self.difference) <= tolerance for total in subset_sums(0, amounts))

    def alone(self) -> Iterator[PartDifference]:
        """What stands on one side only, so that it explains nothing."""
        charged = max(self.interest, self.interest_beside, self.interest_stated, 0)
        for part, ordered, noted, sign in (
            (TotalPart.FREIGHT, self.order_freight, self.note_freight, 1),
            (TotalPart.DISCOUNT, self.order_discount, self.note_discount, -1),
            (TotalPart.INTEREST, charged, self.other, 1),
            (TotalPart.IPI, 0, self.ipi, 1),
            (TotalPart.ICMS_ST, 0, self.icms_st, 1),
        ):
            if bool(ordered) != bool(noted):
                yield PartDifference(part, ordered, noted, sign * (noted - ordered))

    def _freights(self) -> tuple[PartDifference, ...]:
        if not (self.order_freight and self.note_freight):
            return ()
        left_out = -min(self.interest, 0)  # the orders' totals do not hold it
        effect = self.note_freight - self.order_freight + left_out
        return (PartDifference(TotalPart.FREIGHT, self.order_freight, self.note_freight, effect),) if effect else ()

    def _discounts(self) -> tuple[PartDifference, ...]:
        effect = self.order_discount - self.note_discount
        both = self.order_discount and self.note_discount and effect
        return (PartDifference(TotalPart.DISCOUNT, self.order_discount, self.note_discount, effect),) if both else ()

    def _charges(self) -> tuple[PartDifference, ...]:
        held, beside = max(self.interest, 0), self.interest_beside
        if self.interest_stated:
            known = min(held, self.interest_stated)
            effects = {self.other - known, -known, beside} - {0}
            return tuple(
                PartDifference(TotalPart.INTEREST, self.interest_stated, self.other, effect)
                for effect in sorted(effects)
            )
        if held and self.other and held != self.other:
            return (PartDifference(TotalPart.INTEREST, held, self.other, self.other - held),)
        return ()


def sides(orders: Iterable[OrderEntry], notes: Iterable[PaperEntry], added: Iterable[PaperEntry] = ()) -> Sides | None:
    """Both sides of some orders and their notes; None where a total is not known. `added` complement the notes.

    Source: reconciliation rules, R3; MOC 7.0, annex I, group W (what makes up `vNF`).
    """
    orders, notes, added = tuple(orders), tuple(notes), tuple(added)
    ordered = _sum(order.total for order in orders)
    billed = _sum(note.total for note in (*notes, *added))
    if ordered is None or billed is None:
        return None
    return Sides(
        orders=ordered,
        notes=billed,
        order_freight=sum(order.freight or 0 for order in orders),
        note_freight=sum(note.freight or 0 for note in notes),
        order_discount=sum(order.discount or 0 for order in orders),
        note_discount=sum(note.discount or 0 for note in notes),
        interest=sum(_interest(order) for order in orders),
        other=sum((note.other or 0) + (note.insurance or 0) for note in notes),
        interest_beside=sum(_interest_beside(order) for order in orders),
        interest_stated=sum(max(0, order.interest or 0) for order in orders),
        ipi=sum(note.ipi or 0 for note in (*notes, *added)),
        icms_st=sum(note.icms_st or 0 for note in (*notes, *added)),
    )


def may_agree(order: OrderEntry, paper: PaperEntry, tolerance: int) -> bool:
    """Whether the totals of an order and a note are equal, or what one side may leave out makes up the difference."""
    if order.total is None or paper.total is None:
        return False
    if abs(paper.total - order.total) <= tolerance:
        return True
    compared = sides((order,), (paper,))
    return compared is not None and compared.may_agree(tolerance)


def together(orders: Sequence[OrderEntry]) -> OrderEntry:
    """The amounts of several orders as those of one: a cart that one note bills."""
    if len(orders) == 1:
        return orders[0]
    return replace(
        orders[0],
        total=_sum(order.total for order in orders),
        gross=_sum(order.gross for order in orders),
        discount=sum(order.discount or 0 for order in orders),
        freight=sum(order.freight or 0 for order in orders),
        interest=sum(order.interest or 0 for order in orders),
    )


def order_amounts(order: OrderEntry) -> tuple[int, ...]:
    """What a note may leave out of the order's total, signed as leaving out moves it: `may_agree`'s amounts."""
    return -(order.freight or 0), order.discount or 0, -_interest(order), _interest_beside(order)


def note_amounts(paper: PaperEntry) -> tuple[int, ...]:
    """What an order may leave out of the note's total, signed alike."""
    charged = (paper.other or 0) + (paper.insurance or 0)
    return -(paper.freight or 0), paper.discount or 0, -charged, -(paper.ipi or 0), -(paper.icms_st or 0)


def subset_sums(start: int, amounts: Iterable[int]) -> set[int]:
    """`start` with each of the amounts added or not."""
    sums = {start}
    for amount in amounts:
        if amount:
            sums |= {known + amount for known in sums}
    return sums


def is_of_one_line(order: OrderEntry) -> bool:
    """Whether an order's total is that of one of its several equal lines, which come to more.

    A file of one line for each item may repeat the line's amount where the order's is asked for.
    """
    totals = {line.total for line in order.lines}
    if len(order.lines) < 2 or len(totals) != 1 or order.total is None or order.total <= 0:
        return False
    return totals == {order.total}


def _interest(order: OrderEntry) -> int:
    """What an order's total has beyond its parts; a total that leaves out its own freight lacks just that.

    Where the parts are not known, what the order states. A total below its parts otherwise is no interest: that is a
    difference of its own.
    """
    if order.total is None:
        return 0
    if order.gross is None:
        return max(0, order.interest or 0)
    rest = order.total - (order.gross - (order.discount or 0) + (order.freight or 0))
    return rest if rest > 0 or rest == -(order.freight or 0) else 0


def _interest_beside(order: OrderEntry) -> int:
    """Interest that the order states and its total does not hold: its note may charge it all the same."""
    if not order.interest or order.interest < 0 or order.total is None or order.gross is None:
        return 0
    holds = order.total - (order.gross - (order.discount or 0) + (order.freight or 0))
    return 0 if holds else order.interest


def _sum(totals: Iterable[int | None]) -> int | None:
    amount = 0
    for total in totals:
        if total is None:
            return None
        amount += total
    return amount
