"""What one sheet tells by itself, or two of one number: R7a, R7c, R17, R18, R19."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from sandbox_hub.world.anomalies.accountant.case import Case, Finding, Paper

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
    by_number: dict[object, list[Paper]] = defaultdict(list)
    for paper in case.papers:
        by_number[case.world.place(paper.index).line, case.world.numbering.number(paper.index)].append(paper)
    for papers in by_number.values():
        if len(papers) > 1:
            keys = tuple(sorted(paper.key for paper in papers))
            yield Finding("R7c", (), keys, min(paper.period for paper in papers))


SHEETS = (told_by_itself, number_used_again)
