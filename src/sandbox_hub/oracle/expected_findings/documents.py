"""What one sheet tells by itself, or two of one number: R7a, R7c, R17 to R19, R24 to R26."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from sandbox_hub.oracle.expected_findings.case import RETURNS, Case, Finding, SeenSheet
from sandbox_hub.world.documents.nfe_facts import recipient_of
from sandbox_hub.world.orders.order_lifecycle import Status
from sandbox_hub.world.scenarios import DAY
from sandbox_hub.world.world import OrderRef

_RECIPIENTS_WORDS = ("210200", "210220", "210240")
_TERM = 11 * DAY  # the days that R26 waits, and the rest of the event's own
_BY_ITSELF = {
    ("R17.destination", "sale"): "R17",
    ("R17.cfop", "sale"): "R17",
    ("R17.direction", "devolution"): "R17",
    ("R18", "sale"): "R18",
    ("R19.tampered", "sale"): "R19",
    ("R19.signer", "sale"): "R19",
    ("R7a.outside", "sale"): "R7a",
    ("R7a.reserialized", "sale"): "R7a",
}


def told_by_itself(case: Case) -> Iterator[Finding]:
    """R7a, R17, R18 and R19: the truthful world has none, so they are where they were planted."""
    if not case.lie:
        return
    for paper in case.papers:
        rule = _BY_ITSELF.get((case.lie, paper.name))
        if rule is not None:
            yield Finding(rule, (), (paper.key,), paper.period)


def number_used_again(case: Case) -> Iterator[Finding]:
    """R7c."""
    if case.lie != "R7c":
        return
    by_number: dict[object, list[SeenSheet]] = defaultdict(list)
    for paper in case.papers:
        by_number[case.world.place(paper.index).line, case.world.numbering.number(paper.index)].append(paper)
    for papers in by_number.values():
        if len(papers) > 1:
            keys = tuple(sorted(paper.key for paper in papers))
            yield Finding("R7c", (), keys, min(paper.period for paper in papers))


def consumer_note_to_company(case: Case) -> Iterator[Finding]:
    """R24: some of the buyers are companies by themselves."""
    for paper in case.sales:
        late = f"{paper.issued:%Y-%m-%d}" >= "2026-05-04"
        consumer = case.world.place(paper.index).line.model == "65"
        if consumer and late and len(recipient_of(case.world, paper.index).tax_id) == 14:
            yield Finding("R24", (), (paper.key,), paper.period)


def marketplace_not_named(case: Case) -> Iterator[Finding]:
    """R25."""
    if case.lie != "R25":
        return
    for sale in case.sales:
        yield Finding("R25", case.ids(order for order in sale.orders if order in case.orders), (sale.key,), sale.period)


def refused_delivery(case: Case) -> Iterator[Finding]:
    """R26: the recipient's last word is a refusal, and nothing takes the goods back; a cancelled order's is R5."""
    for sale in case.sales:
        told = [o for o in sale.occurrences if o.happening is not None and o.happening.registered]
        words = [o for o in told if o.happening is not None and o.happening.code in _RECIPIENTS_WORDS]
        if not words or words[-1].happening is None or words[-1].happening.code == "210200":
            continue
        orders = [order for order in sale.orders if order in case.orders]
        settled = any(case.status(order) is Status.CANCELED for order in orders)
        settled |= any(sale.index in paper.refers and paper.takes_back and paper.in_effect for paper in case.papers)
        settled |= any(_is_booked(case, order) for order in orders)
        if not settled and words[-1].at + _TERM < case.world.now:
            yield Finding("R26", case.ids(orders), (sale.key,), sale.period)


def _is_booked(case: Case, order: OrderRef) -> bool:
    """Whether the hub booked a return of the order: what lacks there is R13."""
    world = case.world
    return any(world.place(i).subtype in RETURNS and world.held(i) for i in world.papers_of(order))


SHEETS = (told_by_itself, number_used_again, consumer_note_to_company, marketplace_not_named, refused_delivery)
