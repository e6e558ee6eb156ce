"""The journal of pushed files: what is about to be sent is written before it, and its outcome after.

So a run that was killed leaves no request of which nobody knows that it may have been sent. A file is known by its
bytes: pushed again it goes on, changed it is another.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from confere.archive.clock import utc_now
from confere.archive.message_encoding import storable
from confere.archive.orders.order_rows import text_of
from confere.archive.schema.schema import catalog_push, catalog_push_step
from confere.archive.transaction import Transaction


class StepState(StrEnum):
    """What is known of a step. `CREATING`, `CHANGING`: it is being sent, and may have arrived."""

    CREATING = "creating"
    CHANGING = "changing"
    CREATED = "created"
    CHANGED = "changed"
    REFUSED = "refused"


ARRIVED = {StepState.CREATING: StepState.CREATED, StepState.CHANGING: StepState.CHANGED}
"""What a step is that was being sent, once the hub shows it."""


class StepName(NamedTuple):
    """A step of a file: what kind of thing, and what the file calls it."""

    kind: str
    name: str


class JournalStep(NamedTuple):
    """What the journal has of a step; `words` are the hub's where it refused."""

    state: StepState
    hub_id: str | None = None
    words: str | None = None


def open_file(transaction: Transaction, account_id: int, sha256: str, name: str) -> int:
    """The journal's number of a file that is pushed to an account: the one it has, or a new one."""
    digest = bytes.fromhex(sha256)
    known: int | None = transaction.scalar(
        "SELECT id FROM catalog_push WHERE account_id = ? AND file_digest = ?", (account_id, digest)
    )
    if known is not None:
        return known
    number = transaction.new_ids(catalog_push, 1)[0]
    # A file's number may be that of one whose row was lost, and whose steps are still here.
    transaction.execute("DELETE FROM catalog_push_step WHERE push_id = ?", (number,))
    transaction.insert(catalog_push, [(number, account_id, digest, storable(name), utc_now(), None)])
    return number


def steps(transaction: Transaction, account_id: int, sha256: str) -> dict[StepName, JournalStep]:
    """Every step of a file that was pushed to an account; nothing of one that never was."""
    rows = transaction.named(
        "SELECT s.kind, s.name, s.state, s.hub_id, s.words FROM catalog_push_step s JOIN catalog_push p"
        " ON p.id = s.push_id WHERE p.account_id = ? AND p.file_digest = ?",
        (account_id, bytes.fromhex(sha256)),
    )
    return {StepName(row.kind, row.name): JournalStep(StepState(row.state), row.hub_id, row.words) for row in rows}


def made_by_others(transaction: Transaction, account_id: int, sha256: str) -> frozenset[StepName]:
    """What other files created at an account's hub, or may have created."""
    rows = transaction.named(
        "SELECT DISTINCT s.kind, s.name FROM catalog_push_step s JOIN catalog_push p ON p.id = s.push_id"
        " WHERE p.account_id = ? AND p.file_digest != ? AND s.state IN (?, ?)",
        (account_id, bytes.fromhex(sha256), StepState.CREATING.value, StepState.CREATED.value),
    )
    return frozenset(StepName(row.kind, row.name) for row in rows)


def begin(transaction: Transaction, push_id: int, creates: Mapping[StepName, bool]) -> None:
    """These steps are about to be sent; of each, whether it makes something new."""
    states = {True: StepState.CREATING, False: StepState.CHANGING}
    _write(transaction, push_id, {name: JournalStep(states[is_new]) for name, is_new in creates.items()})


def settle(transaction: Transaction, push_id: int, outcomes: Mapping[StepName, JournalStep | None]) -> None:
    """What became of steps; None for one that was not sent after all, which the journal forgets."""
    _write(transaction, push_id, {name: step for name, step in outcomes.items() if step is not None})
    transaction.execute_many(
        "DELETE FROM catalog_push_step WHERE push_id = ? AND kind = ? AND name = ?",
        [(push_id, name.kind, storable(name.name)) for name, step in outcomes.items() if step is None],
    )


def finish(transaction: Transaction, push_id: int) -> None:
    """Everything of the file is at the hub, or refused."""
    transaction.execute("UPDATE catalog_push SET finished_at = ? WHERE id = ?", (utc_now(), push_id))


def _write(transaction: Transaction, push_id: int, entries: Mapping[StepName, JournalStep]) -> None:
    now = utc_now()
    rows: Sequence[tuple[int | str | None, ...]] = [
        (push_id, name.kind, storable(name.name), step.state.value, text_of(step.hub_id), text_of(step.words), now)
        for name, step in entries.items()
    ]
    transaction.execute_many(
        "DELETE FROM catalog_push_step WHERE push_id = ? AND kind = ? AND name = ?", [row[:3] for row in rows]
    )
    transaction.insert(catalog_push_step, rows)
