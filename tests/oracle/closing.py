"""What a closing of a company's month freezes, added up from the papers: counts, totals and taxes in effect."""

from __future__ import annotations

from tests.oracle.items import lines
from tests.oracle.papers import Papers

# The taxes of a closing, each from these amounts of the items.
_TAXES = {
    "icms": ("icms",),
    "icms_st": ("st",),
    "fcp": ("fcp", "fcp_st"),
    "ipi": ("ipi",),
    "pis": ("pis",),
    "cofins": ("cofins",),
    "ibs": ("ibs",),
    "cbs": ("cbs",),
}
_OF_FREIGHT = ("icms", "ibs", "cbs")


def totals(papers: Papers, company: str, month: str) -> dict[str, int]:
    """By the names under which a closing keeps them; taxes that come to nothing are left out."""
    documents = papers.of(company, month)
    keys = {paper.key for paper in documents}
    sums = {"documents": len(documents), "events": sum(key in keys for key, _, _ in papers.events), "in_effect": 0}
    for direction in ("out", "in"):
        sums |= {f"{direction}_documents": 0, f"{direction}_total": 0}
    for paper in documents:
        if not papers.in_effect(paper):
            continue
        direction = paper.direction(company)
        sums["in_effect"] += 1
        sums[f"{direction}_documents"] += 1
        sums[f"{direction}_total"] += paper.total
        for line in lines(paper):
            for tax, names in _TAXES.items():
                if paper.is_note or tax in _OF_FREIGHT:
                    name = f"{direction}_{tax}"
                    sums[name] = sums.get(name, 0) + sum(line.amounts[amount] for amount in names)
    return sums
