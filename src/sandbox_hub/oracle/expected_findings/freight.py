"""Freight against notes and orders: R8 to R11.

A complement and an annulment carry nothing by their nature (no R8). A sale whose CT-e is annulled, denied or carries
something else has none (R9). Both branches of R10 are one finding of a group: CT-e that carry the same notes, with
their complements.
"""

from __future__ import annotations

from collections.abc import Iterator

from sandbox_hub.oracle.expected_findings.case import TOLERANCE, Case, Finding, SeenSheet
from sandbox_hub.world.documents.cte_facts import freight_cents, freight_kind
from sandbox_hub.world.documents.nfe_facts import is_shipped
from sandbox_hub.world.orders.order_lifecycle import Status
from sandbox_hub.world.scenarios import DAY, Subtype

_FREIGHT_AFTER = 10 * DAY
NORMAL, COMPLEMENT, ANNULMENT, SUBSTITUTION = range(4)  # tpCTe
_DISPUTED, _SETTLED = "610110", "610111"


def _kind(case: Case, paper: SeenSheet) -> int:
    return freight_kind(case.world, paper.index) if case.lie else NORMAL


def adjusted(case: Case, paper: SeenSheet) -> list[int]:
    """The CT-e that a CT-e complements, replaces or annuls, seen or not."""
    return [i for i in paper.refers if case.world.place(i).subtype is Subtype.FREIGHT] if case.lie else []


def _in_effect(case: Case) -> list[SeenSheet]:
    """CT-e in effect: neither cancelled nor denied, nor replaced or annulled by another one that is."""
    freights = [paper for paper in case.papers if paper.subtype is Subtype.FREIGHT and paper.in_effect]
    gone = [i for p in freights if _kind(case, p) in (ANNULMENT, SUBSTITUTION) for i in adjusted(case, p)]
    return [paper for paper in freights if paper.index not in gone]


def _carrying(case: Case) -> list[SeenSheet]:
    return [paper for paper in _in_effect(case) if _kind(case, paper) in (NORMAL, SUBSTITUTION)]


def freight_without_note(case: Case) -> Iterator[Finding]:
    """R8."""
    for paper in _carrying(case):
        carried = [i for i in paper.refers if i not in adjusted(case, paper)]
        if not carried or any(i not in case.seen for i in carried):
            yield Finding("R8", (), (paper.key,), paper.period)


def note_without_freight(case: Case) -> Iterator[Finding]:
    """R9."""
    carried = {i for paper in _carrying(case) for i in paper.refers}
    for sale in case.sales:
        if sale.index in carried or sale.from_warehouse or not sale.orders or not is_shipped(case.world, sale.index):
            continue
        orders = [order for order in sale.orders if order in case.orders]
        reached = [case.standings[order].lived.get(Status.PAID_WAITING_DELIVERY) for order in orders]
        if any(at is not None and at + _FREIGHT_AFTER < case.world.now for at in reached):
            yield Finding("R9", case.ids(sale.orders), (sale.key,), sale.period)


def freight_divergence(case: Case) -> Iterator[Finding]:
    """R10."""
    if case.whole:
        return
    carrying = [paper for paper in _carrying(case) if any(i in case.seen for i in paper.refers)]
    if not carrying:
        return
    # Every story has one group: its CT-e carry the same notes.
    numbers = {paper.index for paper in carrying}
    group = carrying + [
        paper
        for paper in _in_effect(case)
        if _kind(case, paper) == COMPLEMENT and numbers.intersection(adjusted(case, paper))
    ]
    carried = [i for paper in carrying for i in paper.refers if i in case.seen and i not in numbers]
    orders = [order for order in case.orders if any(order in case.seen[i].orders for i in carried)]
    agreed = sum(case.world.goods.basket(order.seat, order.story_cycle).freight_cents for order in orders)
    charged = sum(freight_cents(case.world, paper.index) for paper in group)
    if orders and (abs(charged - agreed) > TOLERANCE or len(set(carried)) < len(carried)):
        keys = tuple(sorted(paper.key for paper in group))
        yield Finding("R10", case.ids(orders), keys, min(paper.period for paper in group))


def freight_adjusted(case: Case) -> Iterator[Finding]:
    """R11."""
    for paper in case.papers:
        if paper.subtype is not Subtype.FREIGHT or not paper.in_effect:
            continue
        for other in adjusted(case, paper):
            keys = tuple(sorted((paper.key, case.world.numbering.key(other))))
            yield Finding("R11", (), keys, paper.period)
        codes = [o.happening.code for o in paper.occurrences if o.happening is not None and o.happening.registered]
        if _DISPUTED in codes and _SETTLED not in codes:
            yield Finding("R11", (), (paper.key,), paper.period)


FREIGHT = (freight_without_note, note_without_freight, freight_divergence, freight_adjusted)
