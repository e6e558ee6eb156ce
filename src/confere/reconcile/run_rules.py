"""Runs every rule over a ledger with its links."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from confere.reconcile.context import View
from confere.reconcile.coverage.declared_evidence import with_proof
from confere.reconcile.rules.orders.r03_value import explained
from confere.reconcile.rules.registry import RULES, RegisteredRule
from confere.sales.findings import AFTER_CLOSING, ExplainedDifference, Finding
from confere.sales.links import Linked
from confere.sales.reconciliation_input import Ledger
from confere.sales.terms import Terms

OF_LINKS: Final = frozenset(("R1", "R2", "R3", "R4", "R5", "R6", "R7b", "R9", "R10", "R13", "R15", "R16", "R25", "R26"))
"""The rules that look at links, ties or suggestions: what the others find stays as it is when a person links."""


@dataclass(frozen=True, slots=True)
class Review:
    """The result of all rules on a ledger: their findings, and the value differences that R3 explains."""

    findings: list[Finding]
    explained: list[ExplainedDifference]


def findings(ledger: Ledger, linked: Linked, terms: Terms, now: datetime) -> list[Finding]:
    """Everything that does not agree, and what could not be checked, in the order of the rules; over all months.

    Pure: the same ledger, links, terms and `now` give the same findings, none of them twice.
    """
    return review(ledger, linked, terms, now).findings


def review(
    ledger: Ledger, linked: Linked, terms: Terms, now: datetime, rules: Iterable[RegisteredRule] = RULES
) -> Review:
    """As `findings`, with the differences that are explained; of these `rules` alone."""
    view = View(ledger, linked, terms, now)
    every_finding = [finding for registered in rules for finding in with_proof(view, registered.find(view))]
    return Review(every_finding, list(explained(view)))


def review_links(ledger: Ledger, linked: Linked, terms: Terms, now: datetime) -> Review:
    """As `review`, of the rules that look at links."""
    return review(ledger, linked, terms, now, [registered for registered in RULES if registered.rule.id in OF_LINKS])


def closing_findings(ledger: Ledger, terms: Terms, now: datetime) -> list[Finding]:
    """As `findings`, of the rules that hold a month against its closing: they look at no links."""
    view = View(ledger, Linked((), ()), terms, now)
    wanted = (registered for registered in RULES if registered.rule.id in AFTER_CLOSING)
    return [finding for registered in wanted for finding in with_proof(view, registered.find(view))]
