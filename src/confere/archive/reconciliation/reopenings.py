"""What runs did to findings that had rest: which came back, and which a person's word no longer covers.

A finding's own row tells only how it stands. Such a line is an act of nobody's: it is not listed among what people
did, and neither undone nor done again.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from confere.archive.schema.schema import act, finding_act
from confere.archive.transaction import Row, Transaction
from confere.sales.findings import FindingState

KIND: Final = "run"
"""The kind of the acts that hold these lines."""


@dataclass(frozen=True, slots=True)
class Comeback:
    """A finding that run `resolved` closed and run `reopened` found again; `state` is how it stood then."""

    fingerprint: str
    state: FindingState
    resolved: int
    reopened: int


@dataclass(frozen=True, slots=True)
class Outgrown:
    """A finding that a person had settled for `before` centavos, and that run `run` found with `now`, or otherwise.

    `settled` is how it stood, `state` how it stands since: a word is given for an amount and for what is said with it.
    """

    fingerprint: str
    settled: FindingState
    state: FindingState
    run: int
    before: int | None
    now: int | None
    note: str | None = None


def record_outgrown(transaction: Transaction, account_id: int, found: Iterable[Outgrown], at: str) -> None:
    """Add these lines, each an act of its own; `at` is UTC text."""
    entries = list(found)
    for number, line, entry in zip(
        transaction.new_ids(act, len(entries)), transaction.new_ids(finding_act, len(entries)), entries, strict=True
    ):
        detail = json.dumps({"outgrown": entry.run, "before": entry.before, "now": entry.now})
        transaction.insert(act, [(number, account_id, at, "", KIND, detail, None, 1)])
        told = (entry.settled.value, entry.state.value, entry.note, entry.note)
        transaction.insert(finding_act, [(line, number, account_id, entry.fingerprint, *told)])


def outgrown(transaction: Transaction, account_id: int, fingerprint: str) -> tuple[Outgrown, ...]:
    """How often a run opened a finding that a person had settled, oldest first."""
    found: list[Outgrown] = []
    for settled, state, note, text in _lines(transaction, account_id, fingerprint):
        detail = json.loads(text)
        if "outgrown" in detail:
            told = (detail["outgrown"], detail["before"], detail["now"])
            found.append(Outgrown(fingerprint, FindingState(settled), FindingState(state), *told, note))
    return tuple(found)


def _lines(transaction: Transaction, account_id: int, fingerprint: str) -> list[Row]:
    return transaction.fetch(
        "SELECT f.from_state, f.to_state, f.note, a.detail FROM finding_act f JOIN act a ON a.id = f.act_id"
        " WHERE f.account_id = ? AND f.fingerprint = ? AND a.kind = ? ORDER BY f.id",
        (account_id, fingerprint, KIND),
    )


def record(transaction: Transaction, account_id: int, found: Iterable[Comeback], at: str) -> None:
    """Add these lines; `at` is UTC text."""
    together: dict[tuple[int, int], list[Comeback]] = defaultdict(list)
    for entry in found:
        together[entry.resolved, entry.reopened].append(entry)
    for number, ((resolved, reopened), entries) in zip(
        transaction.new_ids(act, len(together)), together.items(), strict=True
    ):
        detail = json.dumps({"resolved": resolved, "reopened": reopened})
        transaction.insert(act, [(number, account_id, at, "", KIND, detail, None, 1)])
        ids = transaction.new_ids(finding_act, len(entries))
        was = FindingState.RESOLVED.value
        transaction.insert(
            finding_act,
            [
                (line, number, account_id, entry.fingerprint, was, entry.state.value, None, None)
                for line, entry in zip(ids, entries, strict=True)
            ],
        )


def of_finding(transaction: Transaction, account_id: int, fingerprint: str) -> tuple[Comeback, ...]:
    """How often a finding of the account came back, oldest first."""
    rows = _lines(transaction, account_id, fingerprint)
    details = ((state, json.loads(text)) for _, state, _, text in rows)
    return tuple(
        Comeback(fingerprint, FindingState(state), **detail) for state, detail in details if "resolved" in detail
    )
