"""What becomes of cancelled documents in a package."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from confere.fiscal.model import CANCELLED
from confere.fiscal.state import CANCELLATION_CODES, CLOSING_MODEL

AUTHORIZED_HALF: Final = "authorized"
CANCELLED_HALF: Final = "cancelled"


class Profile(StrEnum):
    """Which documents and events go out.

    Only cancelled documents, in term or out of it, and cancelling events (110111, 110112; on an MDF-e 110112 closes a
    journey and cancels nothing) are told apart. What is denied, rejected, voided or has no protocol goes wherever no
    cancelled document is asked for alone, since books want denied and voided numbers too.
    """

    AUTHORIZATIONS = "authorizations"
    """No cancelled document, and no event that cancels, registered or not."""
    WITH_CANCELLATIONS = "with-cancellations"
    """Everything: the count of documents is the one that the list of the month totals. The default."""
    CANCELLATIONS = "cancellations"
    """Only cancelled documents, with the events that cancel them."""
    BOTH = "both"
    """Everything, in two halves: cancelled documents with all their events below `cancelled/`, the rest below
    `authorized/`, so that either can be imported alone."""


def cancels(code: str | None, model: str | None) -> bool:
    """Whether an event of this code, on a document of this model, is a cancellation."""
    return code in CANCELLATION_CODES and not (model == CLOSING_MODEL and code == "110112")


def wants_document(profile: Profile, state: str) -> bool:
    """Whether a document in this state goes out."""
    if profile is Profile.AUTHORIZATIONS:
        return state not in CANCELLED
    if profile is Profile.CANCELLATIONS:
        return state in CANCELLED
    return True


def wants_event(profile: Profile, state: str, code: str | None, model: str | None) -> bool:
    """Whether an event goes out; `state` and `model` are its document's."""
    if profile is Profile.AUTHORIZATIONS:
        return state not in CANCELLED and not cancels(code, model)
    if profile is Profile.CANCELLATIONS:
        return state in CANCELLED and cancels(code, model)
    return True


def half(profile: Profile, state: str) -> str | None:
    """The folder above all others for a document in this state and its events, where the profile has halves."""
    if profile is not Profile.BOTH:
        return None
    return CANCELLED_HALF if state in CANCELLED else AUTHORIZED_HALF
