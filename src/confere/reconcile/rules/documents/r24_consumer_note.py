"""R24: a consumer's note (NFC-e) issued to a company."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from confere.errors import N_, message
from confere.fiscal.taxpayers import CNPJ_SHAPE
from confere.reconcile import evidence_text, predicates
from confere.reconcile.context import View
from confere.reconcile.rules.rule import Rule
from confere.sales.findings import Finding, Severity

RULE: Final = Rule(
    "R24",
    1,
    Severity.MEDIUM,
    N_("NFC-e to a company"),
    N_(
        "Since 4 May 2026 a consumer's note (NFC-e, model 65) may not be issued to a CNPJ."
        " Cancel it within its term and issue an NF-e (model 55)."
    ),
)
SINCE: Final = "2026-05-04"
"""Source: Ajuste SINIEF 19/16 (NFC-e), whose rule against a recipient with CNPJ is in force since this day."""


def find(view: View) -> Iterator[Finding]:
    """NFC-e in effect, issued on the day or later, whose recipient has a CNPJ: own ones and those of suppliers.

    Source: Ajuste SINIEF 19/16 (NFC-e), whose rule against a recipient with CNPJ is in force since 4 May 2026.
    """
    for paper in view.papers.values():
        if paper.type != "nfce" or paper.issued_on < SINCE or not predicates.effective(paper):
            continue
        if not CNPJ_SHAPE.fullmatch(paper.recipient or ""):
            continue
        yield RULE.found(
            paper.period,
            message(
                "{name} of {day} ({total}) is issued to the CNPJ {recipient}.",
                name=evidence_text.named(paper),
                day=evidence_text.day(paper.issued_on),
                total=evidence_text.money(paper.total) or "?",
                recipient=paper.recipient,
            ),
            papers=[paper],
            amount=paper.total,
        )
