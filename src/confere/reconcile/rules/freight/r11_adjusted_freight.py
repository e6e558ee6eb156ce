"""R11: a CT-e was complemented, replaced or annulled, or a disagreement about it was left open."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from confere.errors import N_, Message, message
from confere.fiscal.references import RelationKind
from confere.reconcile import evidence_text, predicates
from confere.reconcile.context import View
from confere.reconcile.coverage import listed_periods
from confere.reconcile.rules.rule import Rule
from confere.sales.findings import Finding, Severity
from confere.sales.reconciliation_input import PaperEntry

RULE: Final = Rule(
    "R11",
    1,
    Severity.LOW,
    N_("CT-e adjusted"),
    N_(
        "Another CT-e adds to this one, stands in its place or takes its value back, or the taker disagreed and the"
        " disagreement is open. Book the adjustment; settle an open disagreement with the carrier."
    ),
)
DISAGREEMENT: Final = "610110"
DISAGREEMENT_CANCELLED: Final = "610111"
_COMPLEMENTS: Final = frozenset({RelationKind.COMPLEMENTS.value})
_REPLACES: Final = frozenset({RelationKind.REPLACES.value})
_ANNULS: Final = frozenset({RelationKind.ANNULS.value})


def find(view: View) -> Iterator[Finding]:
    """Every adjusting CT-e in effect, as information; and disagreements that nothing took back.

    An adjustment is more than information (severity medium) where its original is missing or has no effect for
    another reason, and an annulment where nothing stands in its place. A CT-e that was cancelled, replaced or
    annulled after the disagreement settled it.

    Source: reconciliation rules, R11; Ajuste SINIEF 9/07 (complement, substitution and annulment of a CT-e); MOC CT-e
    4.00, events 610110 and 610111 (the taker's disagreement and its cancellation).
    """
    for paper in view.freights:
        if not predicates.effective(paper):
            continue
        for kinds, tell in ((_COMPLEMENTS, _complement), (_REPLACES, _substitution), (_ANNULS, _annulment)):
            for key in view.targets(paper.key, kinds):
                yield tell(view, paper, key)
        happened = view.happenings.get(paper.key or "", ())
        opened = [event for event in happened if event.code == DISAGREEMENT]
        settled = [event for event in happened if event.code == DISAGREEMENT_CANCELLED]
        if len(opened) > len(settled):
            yield RULE.found(
                paper.period,
                message(
                    "The taker disagreed with {name} ({total}) on {day}; the disagreement was not taken back, and the"
                    " CT-e is in effect.",
                    name=evidence_text.named(paper),
                    total=evidence_text.money(paper.total),
                    day=evidence_text.listed(evidence_text.day(event.occurred_on) for event in opened),
                ),
                papers=[paper],
                amount=paper.total,
                severity=Severity.MEDIUM,
            )


def _complement(view: View, paper: PaperEntry, key: str) -> Finding:
    sentence = message(
        "{name} adds {total} to {original}.",
        name=evidence_text.named(paper),
        total=evidence_text.money(paper.total),
        original=_name(view, key),
    )
    return _finding(view, paper, key, sentence, paper.total, fitting=predicates.EFFECTIVE)


def _substitution(view: View, paper: PaperEntry, key: str) -> Finding:
    original = view.papers.get(key)
    before = original.total if original is not None else None
    sentence = message(
        "{name} ({total}) stands in the place of {original} ({before}).",
        name=evidence_text.named(paper),
        total=evidence_text.money(paper.total),
        original=_name(view, key),
        before=evidence_text.money(before) or "?",
    )
    changed = None if before is None or paper.total is None else abs(paper.total - before)
    return _finding(view, paper, key, sentence, changed, fitting=frozenset({"replaced"}))


def _annulment(view: View, paper: PaperEntry, key: str) -> Finding:
    sentence = message(
        "{name} takes back the value of {original} ({total}).",
        name=evidence_text.named(paper),
        original=_name(view, key),
        total=evidence_text.money(paper.total),
    )
    substitutes = [other for other in view.sources(key, _REPLACES) if predicates.effective(other)]
    more = () if substitutes else (message("No CT-e in effect stands in its place."),)
    return _finding(view, paper, key, sentence, paper.total, *more, fitting=frozenset({"annulled"}))


def _finding(
    view: View,
    paper: PaperEntry,
    key: str,
    sentence: Message,
    amount: int | None,
    *more: Message,
    fitting: frozenset[str],
) -> Finding:
    original = view.papers.get(key)
    if original is None:
        reason = view.why_absent(key, listed_periods.issued(paper))
        more = (*more, message("The archive does not hold the original."))
        grave = reason is None
    else:
        grave = bool(more) or original.state not in fitting
        if original.state not in fitting:
            more = (*more, message("The original's state is {state}.", state=evidence_text.state(original)))
    return RULE.found(
        paper.period,
        sentence,
        *more,
        papers=[paper],
        keys=[key],
        amount=amount,
        severity=Severity.MEDIUM if grave else Severity.LOW,
    )


def _name(view: View, key: str) -> str:
    original = view.papers.get(key)
    return evidence_text.named(original) if original is not None else evidence_text.named_key(key)
