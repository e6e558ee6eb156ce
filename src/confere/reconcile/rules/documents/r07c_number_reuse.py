"""R7c: one number of one series under several keys."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator
from operator import itemgetter
from typing import Final

from confere.errors import N_, message
from confere.fiscal.model import State
from confere.reconcile import evidence_text, predicates
from confere.reconcile.context import NumberLine, View
from confere.reconcile.graph.order_groups import in_time
from confere.reconcile.rules.rule import Rule
from confere.sales.findings import Finding, Severity
from confere.sales.reconciliation_input import PaperEntry

RULE: Final = Rule(
    "R7c",
    1,
    Severity.HIGH,
    N_("Number reuse"),
    N_(
        "One number of one emitter, model and series stands under several access keys, or was declared unused and is"
        " used all the same. Find out which document the authority holds."
    ),
)
# A rejected XML, or one that was never answered, leaves its number free.
_UNUSED: Final = frozenset({State.REJECTED.value, State.NO_PROTOCOL.value, State.UNKNOWN.value, predicates.TEST})


def find(view: View) -> Iterator[Finding]:
    """Different keys of one emitter, model, series and number, and used numbers within a registered voiding.

    Source: reconciliation rules, R7c; behind it MOC 7.0, rejection 539 (the same number under another access key), and
    Ajuste SINIEF 7/05, cl. 14 (numbers declared unused).
    """
    reused = _reused(view)
    for papers, void in (reused[key] for key in view.papers if key in reused):
        if len(papers) > 1:
            ordered = in_time(papers)
            yield RULE.found(
                ordered[0].period,
                message(
                    "{name} of {emitter} stands under {count} keys, issued on {days}.",
                    name=evidence_text.named(ordered[0]),
                    emitter=ordered[0].emitter,
                    count=len(ordered),
                    days=evidence_text.listed(evidence_text.day(paper.issued_on) for paper in ordered),
                ),
                papers=papers,
                amount=sum(paper.total or 0 for paper in papers),
            )
        elif void is not None:
            yield RULE.found(
                papers[0].period,
                message(
                    "{name} was issued, and the numbers {first} to {last} of its series are registered as unused.",
                    name=evidence_text.named(papers[0]),
                    first=void[0],
                    last=void[1],
                ),
                papers=papers,
                amount=papers[0].total,
            )


def _reused(view: View) -> dict[str | None, tuple[list[PaperEntry], tuple[int, int] | None]]:
    """Papers of one number, or the one of a number in a voided range, with that range; by the key of the first."""
    used: dict[NumberLine, dict[int, list[PaperEntry]]] = defaultdict(lambda: defaultdict(list))
    for paper in view.papers.values():
        if paper.number is not None and paper.emitter and paper.state not in _UNUSED:
            used[paper.emitter, paper.model, paper.series][paper.number].append(paper)
    voided = _voided(view)
    return {
        papers[0].key: (papers, void)
        for line, numbers in used.items()
        for ranges in [voided.get(line)]
        for number, papers in numbers.items()
        for void in [_holding(ranges, number) if ranges else None]
        if void is not None or len(papers) > 1
    }


def _voided(view: View) -> dict[NumberLine, list[tuple[int, int]]]:
    voided: dict[NumberLine, list[tuple[int, int]]] = defaultdict(list)
    for paper in view.ledger.papers:
        if paper.state == State.VOIDED and paper.first_number is not None and paper.last_number is not None:
            voided[paper.emitter, paper.model, paper.series].append((paper.first_number, paper.last_number))
    for ranges in voided.values():
        ranges.sort()
    return voided


def _holding(ranges: list[tuple[int, int]], number: int) -> tuple[int, int] | None:
    """The range that holds a number; ranges of one series do not overlap."""
    at = bisect_right(ranges, number, key=itemgetter(0)) - 1
    return ranges[at] if at >= 0 and number <= ranges[at][1] else None
