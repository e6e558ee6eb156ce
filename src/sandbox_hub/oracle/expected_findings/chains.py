"""Returns, references and the marketplace's chain: R13 to R15."""

from __future__ import annotations

from collections.abc import Iterator

from sandbox_hub.oracle.expected_findings.case import RETURNS, Case, Finding, SeenSheet, month
from sandbox_hub.oracle.expected_findings.freight import adjusted
from sandbox_hub.world.documents.nfe_facts import recipient_of, sale_lines
from sandbox_hub.world.scenarios import Subtype


def booked_without_document(case: Case) -> Iterator[Finding]:
    """R13, the first branch. The hub books a return when its note comes, withheld or denied as it may be."""
    world = case.world
    for order in case.orders:
        for index in world.papers_of(order):
            if world.place(index).subtype not in RETURNS or not world.held(index):
                continue
            paper = case.seen.get(index)
            if paper is None or paper.denied or not paper.takes_back:
                yield Finding("R13", case.ids([order]), (), month(world.timeline.created(index)))


def returned_above_original(case: Case) -> Iterator[Finding]:
    """R13, the second branch: more pieces of an item, or more money, than the sale had.

    Where the sale is not shown the order tells it, which holds the same.
    """
    if case.whole:
        return
    world = case.world
    for paper in case.papers:
        if not paper.takes_back or not paper.in_effect:
            continue
        back = sale_lines(world, paper.index)
        shown = [sale_lines(world, i) for i in paper.refers if i in case.seen]
        if not shown and all(order in case.orders for order in paper.orders):
            shown = [list(world.goods.basket(o.seat, o.story_cycle).lines) for o in paper.orders]
        for sold in shown:
            # A partial refusal is about the first item alone.
            more = any(b.quantity > s.quantity for s, b in zip(sold, back, strict=False))
            if more or sum(b.gross_cents for b in back) > sum(s.gross_cents for s in sold):
                yield Finding("R13", case.ids(paper.orders), (paper.key,), paper.period)


def booked_above_original(case: Case) -> Iterator[Finding]:
    """R13 of what the hub booked, where the return's own note is not shown: it books what the note says."""
    if case.whole:
        return
    world = case.world
    for order in case.orders:
        for index in world.papers_of(order):
            if world.place(index).subtype not in RETURNS or not world.held(index) or index in case.seen:
                continue
            for sale in case.sales_of(order):
                sold, back = (sale_lines(world, other) for other in (sale.index, index))
                more = any(b.quantity > s.quantity for s, b in zip(sold, back, strict=False))
                if more or sum(b.gross_cents for b in back) > sum(s.gross_cents for s in sold):
                    yield Finding("R13", case.ids([order]), (), month(world.timeline.created(index)), "booked")


def broken_reference(case: Case) -> Iterator[Finding]:
    """R14: of notes to notes, and of CT-e in effect to those that they adjust; what a CT-e carries is R8."""
    for paper in case.papers:
        if paper.subtype is Subtype.VOIDING:
            continue
        freight = paper.subtype is Subtype.FREIGHT
        if case.lie and not freight:
            yield from _of_liar(case, paper)
        refers = paper.refers if not freight else adjusted(case, paper) if paper.in_effect else []
        for other in refers:
            if other not in case.seen:
                keys = tuple(sorted((paper.key, case.world.numbering.key(other))))
                yield Finding("R14", (), keys, paper.period)


def _of_liar(case: Case, paper: SeenSheet) -> Iterator[Finding]:
    world = case.world
    known = [world.numbering.key(other) for other in paper.refers]
    for key in world.references(paper.index):
        if key not in known:
            yield Finding("R14", (), tuple(sorted((paper.key, key))), paper.period)
    for other in (case.seen[i] for i in paper.refers if i in case.seen):
        keys = tuple(sorted((paper.key, other.key)))
        strangers = recipient_of(world, paper.index).tax_id != recipient_of(world, other.index).tax_id
        if paper.subtype in RETURNS and strangers:
            yield Finding("R14", (), keys, paper.period)
        if paper.index in other.refers and paper.index < other.index:
            yield Finding("R14", (), keys, min(paper.period, other.period))


def incomplete_chain(case: Case) -> Iterator[Finding]:
    """R15."""
    taken_up = {i for sale in case.sales for i in sale.refers}
    for paper in case.papers:
        if not paper.in_effect:
            continue
        if paper.subtype is Subtype.SYMBOLIC_INBOUND_RETURN and paper.index not in taken_up:
            yield Finding("R15", (), (paper.key,), paper.period)
        if paper.subtype is Subtype.SALE and paper.from_warehouse and symbolic_return(case, paper) is None:
            yield Finding("R15", case.ids(paper.orders), (paper.key,), paper.period)


def symbolic_return(case: Case, sale: SeenSheet) -> SeenSheet | None:
    """The symbolic return in effect that a sale refers to."""
    for paper in (case.seen[i] for i in sale.refers if i in case.seen):
        if paper.subtype is Subtype.SYMBOLIC_INBOUND_RETURN and paper.in_effect:
            return paper
    return None


CHAINS = (
    booked_without_document,
    returned_above_original,
    booked_above_original,
    broken_reference,
    incomplete_chain,
)
