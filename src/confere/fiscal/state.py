"""The effective state of a document: what its protocol says, and what registered events changed since."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from confere.fiscal.model import State

AUTHORIZED: Final = frozenset({"100", "150"})
DENIED: Final = frozenset({"110", "205", "301", "302", "303"})
CANCELLED: Final = frozenset({"101", "151"})
"""Answers of the time before events: 101 cancelled, 151 cancelled out of term."""

CANCELLATION_CODES: Final = frozenset({"110111", "110112"})
"""110111 cancels; 110112 cancels an NF-e or NFC-e by substitution."""
CLOSING_MODEL: Final = "58"
"""On an MDF-e 110112 closes the journey and cancels nothing."""

_REGISTERED_NFE: Final = frozenset({"135", "136", "155"})
_REGISTERED_CTE: Final = frozenset({"134", "135", "136"})


def is_registered(cstat: str | None, model: str | None) -> bool:
    """Whether the authority's answer `cstat` to an event means that the event took effect.

    NF-e and NFC-e: 135, 136 and 155 (out of term). CT-e and its kin: 134, 135, 136. `101` and `151` answer the
    cancellations of the time before events. Anything else, an absent answer included, is "not registered".
    """
    if cstat in CANCELLED:
        return True
    return cstat in (_REGISTERED_NFE if model in ("55", "65") else _REGISTERED_CTE)


def effective_state(
    cstat: str | None,
    events: Iterable[tuple[str | None, bool]],
    *,
    model: str | None = None,
) -> State:
    """The state of a document whose protocol answered `cstat` and that had `events` (code, registered).

    A registered cancellation wins over every protocol but a denial: only what was authorized can be
    cancelled, so it also proves an authorization that the archive does not hold. Without protocol and
    without events nothing is known, which is a state of its own.
    """
    if cstat in DENIED:
        return State.DENIED
    codes = CANCELLATION_CODES - {"110112"} if model == CLOSING_MODEL else CANCELLATION_CODES
    if cstat in CANCELLED or any(registered and code in codes for code, registered in events):
        return State.CANCELLED
    if cstat in AUTHORIZED:
        return State.AUTHORIZED
    return State.NO_PROTOCOL if cstat is None else State.REJECTED
