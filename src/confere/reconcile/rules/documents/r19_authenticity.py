"""R19: a line of the authenticity verdict fails."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from confere.errors import N_, Message, message
from confere.fiscal.authenticity.verdict import Check
from confere.reconcile import evidence_text
from confere.reconcile.context import View
from confere.reconcile.rules.rule import Rule, Unchecked
from confere.reconcile.undecided_reasons import Reason
from confere.sales.findings import Finding, Severity

RULE: Final = Rule(
    "R19",
    1,
    Severity.HIGH,
    N_("Authenticity"),
    N_(
        "A check of the document's authenticity fails: it is not what its issuer signed or what the authority"
        " authorized. Get the document again from its issuer, and do not book it before."
    ),
)
_FAILED: Final = 2
_TEST: Final = 3
_WORDS: Final = {
    Check.CHECK_DIGIT: N_("Check digit of the access key"),
    Check.KEY_FIELDS: N_("Access key and fields agree"),
    Check.DIGEST: N_("Content as it was signed"),
    Check.SIGNATURE: N_("Signature"),
    Check.PROTOCOL_DIGEST: N_("Authorized for this content"),
    Check.PROTOCOL: N_("Answer of the authority"),
    Check.SIGNER: N_("Signed by whom it says"),
    Check.CERTIFICATE_DATES: N_("Certificate valid when it signed"),
    Check.CHAIN: N_("Certificate of ICP-Brasil"),
    Check.ENVIRONMENT: N_("Environment"),
    Check.SCHEMA: N_("Official schema"),
}
_BY_NAME: Final = {check.value: words for check, words in _WORDS.items()}


def find(view: View) -> Iterator[Finding]:
    """Documents whose verdict failed, with the failing checks; those not judged, or in part, are "not checked".

    A denial is a genuine answer and fails nothing; the official schema fails nothing by itself either, as in the
    verdict.

    Source: reconciliation rules, R19; Ajuste SINIEF 7/05 (whoever receives an NF-e verifies its validity and
    authenticity); Medida Provisória 2.200-2/2001 (ICP-Brasil).
    """
    unchecked = Unchecked(RULE)
    for paper in view.papers.values():
        if paper.verdict == _FAILED:
            yield RULE.found(
                paper.period,
                message(
                    "{name} of {day} ({total}) is not authentic.",
                    name=evidence_text.named(paper),
                    day=evidence_text.day(paper.issued_on),
                    total=evidence_text.money(paper.total),
                ),
                *(_line(line) for line in paper.failing),
                papers=[paper],
                amount=paper.total,
            )
        elif paper.verdict == _TEST:
            yield RULE.found(
                paper.period,
                message(
                    "{name} of {day} ({total}) is a test document: it has no fiscal value.",
                    name=evidence_text.named(paper),
                    day=evidence_text.day(paper.issued_on),
                    total=evidence_text.money(paper.total),
                ),
                papers=[paper],
                amount=paper.total,
            )
        elif paper.verdict is None:
            unchecked.add(paper.period, Reason.NOT_JUDGED, evidence_text.named(paper))
        elif paper.verdict:
            unchecked.add(paper.period, Reason.JUDGED_IN_PART, evidence_text.named(paper))
    yield from unchecked.findings()


def _line(line: str) -> Message:
    return message("It fails: {check}.", check=Message(_BY_NAME.get(line, line)))
