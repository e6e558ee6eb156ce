"""All findings of a world: story by story, then the numbers and the warehouses over all of them.

What the hub shows may be less than what there is: papers from before it was connected, papers that it withholds. What
holds of what is shown and of the whole alike is a finding. What holds only of what is shown is told with its reason
(`edge`): the one who finds it is right, and so is the one who says that it cannot be checked.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any

from sandbox_hub.oracle.expected_findings.case import RETURNS, Case, Finding, lay_out, month, stories_begun
from sandbox_hub.oracle.expected_findings.catalog import CatalogError, SoldItems
from sandbox_hub.oracle.expected_findings.chains import CHAINS
from sandbox_hub.oracle.expected_findings.documents import SHEETS
from sandbox_hub.oracle.expected_findings.freight import FREIGHT
from sandbox_hub.oracle.expected_findings.numbers import Numbers
from sandbox_hub.oracle.expected_findings.sales import SALES
from sandbox_hub.oracle.expected_findings.stock import Stock
from sandbox_hub.world.scenarios import Subtype
from sandbox_hub.world.schedule import NumberLine
from sandbox_hub.world.world import World

BEFORE = "before"  # papers from before the first document that the hub holds
WITHHELD = "withheld"
UNDECIDABLE = "undecidable"  # which of two orders it is about, the evidence does not tell
COPY = "copy"  # the digest of a second copy: which of the two is judged is the reader's choice
_RULES = (*SALES, *FREIGHT, *CHAINS, *SHEETS)
# What an anomaly brings about under other rules.
_INDUCED = {
    "R4": ("R1",),
    "R5.reduced": ("R13",),
    "R7b": ("R3",),
    "R8.unknown": ("R9",),
    "R8.none": ("R9",),
    "R11.overcharged": ("R10",),
    "R11.annulment": ("R9",),
}

Row = dict[str, Any]
Pair = tuple[int, str]  # an order's id, a document's key


def anomalies(
    world: World, decided: Collection[Pair] | None = None, catalog_errors: Iterable[CatalogError] = ()
) -> Iterator[Row]:
    """Rows of the truth file: `rule`, `orders`, `keys`, `period`, `planted`, where it needs one `subject`, `edge`.

    `decided`: the links (order id and key) that the evidence decides; None: all of them. What rests on another one is
    an edge too. `catalog_errors` are those of the catalog, where one is read beside the documents.
    """
    shown_numbers, whole_numbers = Numbers(world), Numbers(world)
    shown_stock, whole_stock = Stock(world), Stock(world)
    sold = SoldItems()
    skipped: set[tuple[NumberLine, int]] = set()
    for story, cycle in stories_begun(world):
        case = lay_out(world, story, cycle, world.exists)
        if case is None:
            continue
        entire = _entire(world, case, story, cycle)
        for row in _of_case(case, entire):
            if decided is not None and "edge" not in row and _rests_on_a_guess(case, row, decided):
                row["edge"] = UNDECIDABLE
            yield row
        if decided is not None:
            yield from _returns_out_of_reach(case, decided)
        sold.add(case)
        for paper in case.papers:
            shown_numbers.add(paper)
        if world.withholds:
            for paper in entire.papers:
                if paper.index >= 0:
                    whole_numbers.add(paper)
        if world.deck.stories[story].fulfilment and case.papers:
            shown_stock.add(case)
            whole_stock.add(entire)
        if case.lie in ("R12", "R7c"):
            skipped |= _skipped(case)
    yield from _of_numbers(shown_numbers, whole_numbers if world.withholds else shown_numbers, skipped)
    for finding in sold.findings(catalog_errors):
        yield _row(finding, True, "")
    certain = set(whole_stock.findings())
    for finding, below in shown_stock.findings():
        planted = "-" in finding.subject.rpartition("SKU-")[2]
        yield _row(finding, planted, "" if (finding, below) in certain else _why(world))


def _entire(world: World, case: Case, story: int, cycle: int) -> Case:
    """The same story with the papers that the hub does not show."""
    if len(case.papers) == len(world.deck.places_of[story]):
        return case
    return lay_out(world, story, cycle, _is_there(world)) or case


def _is_there(world: World) -> Callable[[int], bool]:
    return lambda index: world.held(index) or index < 0


def _of_case(case: Case, entire: Case) -> Iterator[Row]:
    rule = case.lie.split(".")[0]
    planted = (rule, *_INDUCED.get(case.lie, ()))
    certain = None
    for find in _RULES:
        for finding in find(case):
            if entire is not case and certain is None:
                certain = {found for other in _RULES for found in other(entire)}
            is_certain = certain is None or (finding in certain and not _lacks_its_sale(case, finding))
            edge = "" if is_certain else _reason(case, entire)
            yield _row(finding, finding.rule in planted, edge)
            if case.lie == "R7a.reserialized" and finding.rule == "R7a":
                yield _row(finding._replace(rule="R19"), True, edge or COPY)


def _returns_out_of_reach(case: Case, decided: Collection[Pair]) -> Iterator[Row]:
    """R13 of a return whose note is there, and nothing that is shown leads from it to its order."""
    for paper in case.papers:
        if paper.subtype in RETURNS and paper.in_effect:
            for order in paper.orders:
                if (case.world.order_id(order), paper.key) not in decided:
                    booked = month(case.world.timeline.created(paper.index))
                    yield _row(Finding("R13", case.ids([order]), (), booked), False, UNDECIDABLE)


def _rests_on_a_guess(case: Case, row: Row, decided: Collection[Pair]) -> bool:
    """Whether it names an order and a document of it whose link the evidence leaves open."""
    return any(
        paper.key in row["keys"] and case.world.order_id(order) in row["orders"]
        for paper in case.papers
        for order in paper.orders
        if (case.world.order_id(order), paper.key) not in decided
    )


def _lacks_its_sale(case: Case, finding: Finding) -> bool:
    """Whether it is about an order's return, while the sale that it would be held against is not shown."""
    if finding.rule != "R13":
        return False
    return not any(
        paper.subtype is Subtype.SALE and case.world.order_id(order) in finding.orders
        for paper in case.papers
        for order in paper.orders
    )


def _reason(case: Case, entire: Case) -> str:
    hidden = [paper.index for paper in entire.papers if paper.index not in case.seen]
    return BEFORE if min(hidden) < 0 else WITHHELD


def _why(world: World) -> str:
    return WITHHELD if world.withholds else BEFORE


def _skipped(case: Case) -> set[tuple[NumberLine, int]]:
    """The numbers that a story's anomaly leaves unused."""
    world = case.world
    found = set()
    for paper in case.papers:
        line, due = world.place(paper.index).line, world.numbering.due(paper.index)
        if case.lie == "R12":
            found.add((line, due + world.planted.voided_numbers(paper.index)))
        elif world.numbering.number(paper.index) != due:
            found.add((line, due))
    return found


def _of_numbers(shown: Numbers, whole: Numbers, skipped: set[tuple[NumberLine, int]]) -> Iterator[Row]:
    certain = {finding for finding, _, _ in whole.gaps()}
    for finding, line, gap in shown.gaps():
        planted = any((line, number) in skipped for number in gap)
        yield _row(finding, planted, "" if finding in certain else WITHHELD)


def _row(finding: Finding, planted: bool, edge: str) -> Row:
    row: Row = {
        "rule": finding.rule,
        "orders": list(finding.orders),
        "keys": list(finding.keys),
        "period": finding.period,
        "planted": planted,
    }
    if finding.subject:
        row["subject"] = finding.subject
    if edge:
        row["edge"] = edge
    return row
