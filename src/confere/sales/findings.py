"""Findings: what does not agree, with its evidence, its amount at stake and an identity from run to run."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from confere.errors import Message


class Severity(StrEnum):
    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


class FindingState(StrEnum):
    """`not_checked`: data is missing to decide it, the evidence says which. `resolved`: it is found no longer."""

    OPEN = "open"
    NOT_CHECKED = "not_checked"
    EXPLAINED = "explained"
    IGNORED = "ignored"
    RESOLVED = "resolved"


AFTER_CLOSING: Final = frozenset({"R20", "R23"})
"""Rules that hold a month against its closing: before that they have nothing to check, and nothing lacks."""


def is_undecided(rule: str, state: str) -> bool:
    """Whether a finding of this rule (`R3`) in this state waits for a person or a run, so that a month is not done."""
    return state in (FindingState.OPEN, FindingState.NOT_CHECKED) and not awaits_closing(rule, state)


def awaits_closing(rule: str, state: str) -> bool:
    """Whether only the closing of its month lets a finding of this rule in this state be checked."""
    return state == FindingState.NOT_CHECKED and rule in AFTER_CLOSING


def graded(amount: int, high_from: int) -> Severity:
    """How severe a difference of `amount` is, where `high_from` and more is high; both in centavos."""
    if amount >= high_from:
        return Severity.HIGH
    return Severity.MEDIUM if amount * 10 >= high_from else Severity.LOW


@dataclass(frozen=True, slots=True)
class Discrepancy:
    """What does not agree, with what shows it. `amount` in centavos, None where there is none to tell."""

    period: str  # YYYY-MM
    orders: tuple[str, ...]  # the hub's ids
    keys: tuple[str, ...]
    amount: int | None
    evidence: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class Finding(Discrepancy):
    """What a rule found. `amount` is what is at stake.

    `subject` is what it is about, beside orders and keys, where these do not tell one finding of the rule from
    another (an item code, a series). `checked` False: it could not be decided, and the evidence says why.
    """

    rule: str  # R1, R7a …
    version: int
    severity: Severity
    subject: str = ""
    checked: bool = True

    @property
    def fingerprint(self) -> str:
        """The same disagreement has the same one in every run: rule, orders, keys and subject, nothing that moves."""
        told = "\n".join((self.rule, *sorted(self.orders), "/", *sorted(self.keys), "/", self.subject))
        return hashlib.sha256(told.encode()).hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class ExplainedDifference(Discrepancy):
    """A difference of totals that R3 itself explains, with what makes it up: no finding, but in a list to be seen."""

    amount: int
