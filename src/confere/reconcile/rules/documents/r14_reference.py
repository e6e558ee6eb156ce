"""R14: a reference to a document that the archive lacks, of another counterparty, or in a circle."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from confere.errors import N_, Message, message
from confere.fiscal import access_keys
from confere.fiscal.credit_notes import is_adjusting
from confere.fiscal.operations import Operation
from confere.fiscal.references import RelationKind
from confere.reconcile import evidence_text, predicates
from confere.reconcile.context import REFERRING, View
from confere.reconcile.coverage import listed_periods
from confere.reconcile.graph.order_groups import oldest
from confere.reconcile.graph.reference_cycles import circles
from confere.reconcile.rules.rule import Rule, Unchecked
from confere.reconcile.undecided_reasons import Reason
from confere.sales.findings import Finding, Severity
from confere.sales.reconciliation_input import PaperEntry

RULE: Final = Rule(
    "R14",
    1,
    Severity.MEDIUM,
    N_("Broken reference"),
    N_(
        "A document refers to one that is nowhere, to one of another counterparty, or through others to itself."
        " Check the reference; a wrong one is corrected by a new document."
    ),
)
_ADJUSTING: Final = frozenset({RelationKind.COMPLEMENTS.value, RelationKind.REPLACES.value, RelationKind.ANNULS.value})
_TO_STOCK: Final = frozenset({Operation.INBOUND.value, Operation.SYMBOLIC_INBOUND.value})
_FROM_STOCK: Final = frozenset({Operation.INBOUND_RETURN.value, Operation.SYMBOLIC_INBOUND_RETURN.value})


def find(view: View) -> Iterator[Finding]:
    """References of notes to notes, and of CT-e to the CT-e that they adjust; what a CT-e carries is R8's.

    A fulfilment sale names the warehouse's symbolic return and a symbolic remessa the buyer's return: these have
    other counterparties by their nature. A return names its buyer's sale, a retorno its warehouse's remessa, a
    complementary note its own recipient's. Documents without effect refer to nothing any more.

    Source: reconciliation rules, R14; MOC 7.0, annex I, group BA (`NFref`); MOC of the CT-e 4.00 (`infCteComp`,
    `infCteSub`, `infCteAnu`).
    """
    unchecked = Unchecked(RULE)
    edges: dict[str, Sequence[str]] = {}
    for paper in view.papers.values():
        if paper.state in predicates.WITHOUT_EFFECT or paper.state == predicates.TEST:
            continue
        kinds = REFERRING if paper.type in predicates.NOTES else _ADJUSTING
        targets = view.targets(paper.key, kinds)
        if targets:
            edges[paper.key or ""] = targets
        for key in targets:
            target = view.papers.get(key)
            if target is None:
                reason = _why_absent(view, paper, key)
                if reason is not None:
                    unchecked.add(paper.period, reason, evidence_text.named(paper))
                    continue
                sentence = message(
                    "{name} of {day} refers to a document that the archive does not hold: {missing}.",
                    name=evidence_text.named(paper),
                    day=evidence_text.day(paper.issued_on),
                    missing=evidence_text.named_key(key),
                )
            else:
                other = _other_counterparty(paper, target)
                if other is None:
                    continue
                sentence = other
            yield RULE.found(paper.period, sentence, papers=[paper], keys=[key], amount=paper.total)
    yield from (_circle(view, circle) for circle in circles(edges))
    yield from unchecked.findings()


def _why_absent(view: View, paper: PaperEntry, key: str) -> Reason | None:
    parts = access_keys.parse(key)
    # A buyer's or a supplier's own note never reached the hub; a stranger's has nothing to do with this paper.
    is_ours = parts is None or parts.emitter in view.ledger.own or parts.emitter == paper.emitter
    if parts is not None and not is_ours and predicates.same_company(parts.emitter, paper.recipient) is not False:
        return Reason.OTHER_EMITTER
    return view.why_absent(key, listed_periods.issued(paper))


def _other_counterparty(paper: PaperEntry, target: PaperEntry) -> Message | None:
    if not _same_parties_expected(paper, target) or _is_entered_by_itself(paper, target):
        return None
    sides = (target.emitter, target.recipient)
    if _between(paper, *sides) or _between(paper, *reversed(sides)):
        return None
    return message(
        "{name} of {day} is between {emitter} and {recipient}; it refers to {target}, which is between"
        " {other_emitter} and {other_recipient}.",
        name=evidence_text.named(paper),
        day=evidence_text.day(paper.issued_on),
        emitter=paper.emitter,
        recipient=paper.recipient,
        target=evidence_text.named(target),
        other_emitter=target.emitter,
        other_recipient=target.recipient,
    )


def _between(paper: PaperEntry, emitter: str | None, recipient: str | None) -> bool:
    """Whether a paper may be from one of these to the other."""
    if predicates.same_company(paper.emitter, emitter) is False:
        return False
    return predicates.same_company(paper.recipient, recipient) is not False


def _same_parties_expected(paper: PaperEntry, target: PaperEntry) -> bool:
    if paper.operation in predicates.RETURNS or paper.purpose == predicates.RETURN:
        return target.operation == predicates.SALE
    if paper.operation in _FROM_STOCK:
        return target.operation in _TO_STOCK
    return paper.type in predicates.NOTES and paper.purpose == predicates.COMPLEMENTARY


def _is_entered_by_itself(paper: PaperEntry, target: PaperEntry) -> bool:
    """Whether a company takes the goods of its own sale in by a credit note to itself, as it may."""
    if not is_adjusting(paper.purpose) or paper.type not in predicates.NOTES:
        return False
    own = predicates.same_company(paper.emitter, paper.recipient) is True
    return own and predicates.same_company(paper.emitter, target.emitter) is True


def _circle(view: View, circle: list[str]) -> Finding:
    papers = [view.papers[key] for key in circle]
    return RULE.found(
        oldest(papers).period,
        message("{names} refer to each other in a circle.", names=evidence_text.papers_named(papers)),
        papers=papers,
        amount=max(paper.total or 0 for paper in papers),
    )
