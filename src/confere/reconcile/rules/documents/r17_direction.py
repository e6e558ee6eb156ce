"""R17: subtype, tpNF, first digit of the CFOP and idDest disagree.

Source: MOC 7.0, annex I, B11 (`tpNF`), B11a (`idDest`) and I08 (the first digit of the CFOP).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from confere.errors import N_, Message, message
from confere.fiscal.credit_notes import is_adjusting
from confere.fiscal.operations import Operation
from confere.reconcile import evidence_text, predicates
from confere.reconcile.context import View
from confere.reconcile.rules.rule import Rule
from confere.sales.findings import Finding, Severity
from confere.sales.reconciliation_input import PaperEntry

RULE: Final = Rule(
    "R17",
    1,
    Severity.MEDIUM,
    N_("Direction mismatch"),
    N_(
        "What the hub calls the note, its direction (tpNF), the first digit of its CFOPs and its destination (idDest)"
        " do not agree. Check how it is to be booked, and correct its issue for the next ones."
    ),
)
_IN, _OUT = "0", "1"
# Of notes that the account's own establishments issue; a devolução may go either way.
_DIRECTIONS: Final = {
    Operation.SALE.value: _OUT,
    Operation.INBOUND.value: _OUT,
    Operation.SYMBOLIC_INBOUND.value: _OUT,
    Operation.SALE_RETURN.value: _IN,
    Operation.INBOUND_RETURN.value: _IN,
    Operation.SYMBOLIC_INBOUND_RETURN.value: _IN,
}
_FLOW: Final = {"1": _IN, "2": _IN, "3": _IN, "5": _OUT, "6": _OUT, "7": _OUT}
_REACH: Final = {"1": "1", "5": "1", "2": "2", "6": "2", "3": "3", "7": "3"}


def find(view: View) -> Iterator[Finding]:
    """Notes of the account whose subtype, `tpNF`, first digit of the CFOPs and `idDest` contradict each other.

    The states of both parties alone make no finding: the authority itself asks idDest to agree with them but for the
    cases (delivery elsewhere, sale over the counter) in which they may differ. They are told as evidence.

    Source: reconciliation rules, R17; MOC 7.0, annex I, B11 (`tpNF`), B11a (`idDest`) and I08 (`CFOP`); Convênio s/nº
    of 15 December 1970, annex (CFOP: the first digit).
    """
    own = view.ledger.own
    for paper in view.papers.values():
        if paper.type not in predicates.NOTES:
            continue
        # A credit or debit note is what its type says, whatever the hub calls it.
        named = paper.emitter in own and not is_adjusting(paper.purpose)
        subtype = paper.subtype if named else None
        reasons = _reasons(subtype, paper.direction, paper.destination, paper.cfops)
        if reasons:
            yield RULE.found(paper.period, _sentence(paper), *reasons, papers=[paper], amount=paper.total)


@lru_cache(4_096)  # thousands of notes say the same
def _reasons(
    subtype: str | None, direction: str | None, destination: str | None, cfops: tuple[str, ...]
) -> tuple[Message, ...]:
    return tuple(_contradictions(subtype, direction, destination, cfops))


def _contradictions(
    subtype: str | None, direction: str | None, destination: str | None, cfops: tuple[str, ...]
) -> Iterator[Message]:
    expected = _DIRECTIONS.get((subtype or "").strip().lower())
    if expected is not None and direction is not None and direction != expected:
        yield message(
            "The hub calls it {subtype}, which has tpNF {expected}; its tpNF is {direction}.",
            subtype=subtype,
            expected=expected,
            direction=direction,
        )
    flows = [cfop for cfop in cfops if cfop[:1] in _FLOW]
    against = [cfop for cfop in flows if direction is not None and _FLOW[cfop[0]] != direction]
    if against:
        yield message(
            "Its tpNF is {direction}, and CFOP {cfops} goes the other way.",
            direction=direction,
            cfops=evidence_text.cfops(against),
        )
    elsewhere = [cfop for cfop in flows if destination is not None and _REACH[cfop[0]] != destination]
    if elsewhere:
        yield message(
            "Its idDest is {destination}, and CFOP {cfops} is of another destination.",
            destination=destination,
            cfops=evidence_text.cfops(elsewhere),
        )


def _sentence(paper: PaperEntry) -> Message:
    return message(
        "{name} of {day} goes from {emitter_uf} to {uf}: tpNF {direction}, idDest {destination}, CFOP {cfops}.",
        name=evidence_text.named(paper),
        day=evidence_text.day(paper.issued_on),
        emitter_uf=paper.emitter_uf or "?",
        uf=paper.uf or "?",
        direction=paper.direction or "?",
        destination=paper.destination or "?",
        cfops=evidence_text.cfops(paper.cfops) or "?",
    )
