"""Until when a note may be cancelled, for findings of which cancelling it is a way out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from confere.archive.accounts.accounts import Account
from confere.archive.reconciliation import reviews
from confere.archive.reconciliation.findings import StoredFinding
from confere.archive.transaction import Transaction
from confere.fiscal import access_keys
from confere.fiscal.law.cancellation_terms import cancellation_ends
from confere.fiscal.law.states import uf_of_ibge_code
from confere.fiscal.model import IN_EFFECT
from confere.fiscal.periods import BRASILIA
from confere.sales.findings import FindingState

CANCELLING: Final = frozenset(("R2", "R3", "R5", "R7b", "R17", "R18"))
"""The rules whose findings cancelling a note may settle: no order, another value, a cancelled order, billed twice, or
a note that contradicts itself."""
_STANDING: Final = frozenset(state.value for state in IN_EFFECT)
_WAITING: Final = frozenset({FindingState.OPEN, FindingState.NOT_CHECKED})


@dataclass(frozen=True, slots=True)
class CancelTerm:
    """`until` is when the term to cancel the note `key` ends, in the zone of Brasília; `is_over`: it did already."""

    key: str
    until: datetime
    is_over: bool


def cancel_terms(
    transaction: Transaction, account: Account, found: Iterable[StoredFinding], now: datetime
) -> dict[int, CancelTerm]:
    """By the number of the finding: the first term that still runs, else the last that ended.

    Of notes in effect that an establishment of the account issued, and of findings that nobody settled.
    """
    own = {entry.tax_id for entry in account.establishments}
    wanted = [entry for entry in found if entry.found.rule in CANCELLING and entry.state in _WAITING]
    keys = {key for entry in wanted for key in entry.found.keys if _emitter(key) in own}
    terms: dict[str, CancelTerm] = {}
    for note in reviews.authorizations(transaction, keys):
        until = None
        if note.state in _STANDING:
            until = cancellation_ends(note.model, _moment(note.authorized_at), _state_of(note.key))
        if until is not None:
            terms[note.key] = CancelTerm(note.key, until, until <= now)
    chosen: dict[int, CancelTerm] = {}
    for entry in wanted:
        of_notes = [terms[key] for key in entry.found.keys if key in terms]
        running = [term for term in of_notes if not term.is_over]
        if of_notes:
            chosen[entry.id] = (
                min(running, key=lambda term: term.until) if running else max(of_notes, key=lambda term: term.until)
            )
    return chosen


def _emitter(key: str) -> str | None:
    parts = access_keys.parse(key)
    return None if parts is None else parts.emitter


def _state_of(key: str) -> str | None:
    parts = access_keys.parse(key)
    return None if parts is None else uf_of_ibge_code(parts.uf_code)


def _moment(written: str | None) -> datetime | None:
    """A time as a protocol writes it; without an offset it is Brasília's."""
    try:
        at = datetime.fromisoformat(written) if written else None
    except ValueError:
        return None
    if at is None:
        return None
    return at.replace(tzinfo=BRASILIA) if at.tzinfo is None else at.astimezone(BRASILIA)
