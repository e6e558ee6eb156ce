"""R7a: the same key with different bytes.

Source: MOC 7.0, annex I, A03: a key names one document.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from confere.errors import N_, message
from confere.reconcile import evidence_text
from confere.reconcile.context import View
from confere.reconcile.rules.rule import Rule
from confere.sales.findings import Finding, Severity

RULE: Final = Rule(
    "R7a",
    1,
    Severity.MEDIUM,
    N_("Same key, different bytes"),
    N_(
        "The archive holds several files of one access key that are not the same, byte for byte."
        " Compare them and keep the authentic one for the accountant."
    ),
)


def find(view: View) -> Iterator[Finding]:
    """Keys of which the archive holds contents that differ.

    Source: reconciliation rules, R7a; field notes, section Documents (the same key with different bytes is not a
    duplicate).
    """
    for paper in view.papers.values():
        if paper.versions > 1:
            yield RULE.found(
                paper.period,
                message(
                    "The archive holds {count} different files of {name} of {day} ({total}).",
                    count=paper.versions,
                    name=evidence_text.named(paper),
                    day=evidence_text.day(paper.issued_on),
                    total=evidence_text.money(paper.total),
                ),
                papers=[paper],
                amount=paper.total,
            )
