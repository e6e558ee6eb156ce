"""Findings that came back: which run had closed each and which one found it again, kept for its history.

A finding's own row tells only how it stands. Such a line is an act of nobody's: it is not listed among what people
did, and neither undone nor done again.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from confere.archive.schema import act, finding_act
from confere.archive.transaction import Transaction
from confere.fiscal.books.findings import FindingState

KIND: Final = "run"
"""The kind of the acts that hold these lines."""


@dataclass(frozen=True, slots=True)
class Comeback:
    """A finding that run `resolved` closed and run `reopened` found again; `state` is how it stood then."""

    fingerprint: str
    state: FindingState
    resolved: int
    reopened: int


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
    rows = transaction.fetch(
        "SELECT f.to_state, a.detail FROM finding_act f JOIN act a ON a.id = f.act_id"
        " WHERE f.account_id = ? AND f.fingerprint = ? AND a.kind = ? ORDER BY f.id",
        (account_id, fingerprint, KIND),
    )
    return tuple(Comeback(fingerprint, FindingState(state), **json.loads(detail)) for state, detail in rows)
