"""R8: a CT-e that carries a document that is not here, or none."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from confere.errors import N_, message
from confere.reconcile import evidence_text
from confere.reconcile.context import View
from confere.reconcile.coverage import listed_periods
from confere.reconcile.goods.freight import CARRIES, carrying_in_effect
from confere.reconcile.rules.rule import Rule, Unchecked
from confere.sales.findings import Finding, Severity
from confere.sales.reconciliation_input import PaperEntry

RULE: Final = Rule(
    "R8",
    1,
    Severity.MEDIUM,
    N_("CT-e without NF-e"),
    N_(
        "A CT-e in effect carries an NF-e that the archive does not hold, or names none at all."
        " Ask for the NF-e, or dispute the freight with the carrier."
    ),
)


def find(view: View) -> Iterator[Finding]:
    """CT-e in effect, normal or substitution. A CT-e OS carries people and values, and names no notes.

    Source: reconciliation rules, R8; MOC of the CT-e 4.00, `infDoc/infNFe/chave` (the NF-e that a CT-e carries); Ajuste
    SINIEF 09/07 (CT-e).
    """
    unchecked = Unchecked(RULE)
    for paper in view.freights:
        if not carrying_in_effect(paper):
            continue
        carried = view.targets(paper.key, CARRIES)
        absent = [key for key in carried if key not in view.papers]
        if carried and not absent:
            continue
        at = listed_periods.issued(paper)
        reasons = [view.why_absent(key, at) for key in absent]
        missing = [key for key, reason in zip(absent, reasons, strict=True) if reason is None]
        if carried and not missing:
            unchecked.add(paper.period, next(filter(None, reasons)), evidence_text.named(paper))
            continue
        yield _finding(paper, missing)
    yield from unchecked.findings()


def _finding(paper: PaperEntry, missing: list[str]) -> Finding:
    sentence = message(
        "{name} of {day} ({total}) by {emitter} is in effect.",
        name=evidence_text.named(paper),
        day=evidence_text.day(paper.issued_on),
        total=evidence_text.money(paper.total),
        emitter=paper.emitter or "?",
    )
    if not missing:
        return RULE.found(
            paper.period, message("{name} carries no NF-e.", name=evidence_text.named(paper)), sentence, papers=[paper],
            amount=paper.total,
        )  # fmt: skip
    absent = message(
        "{name} carries documents that the archive does not hold: {missing}.",
        name=evidence_text.named(paper),
        missing=evidence_text.listed(map(evidence_text.named_key, missing)),
    )
    return RULE.found(paper.period, absent, sentence, papers=[paper], amount=paper.total)
