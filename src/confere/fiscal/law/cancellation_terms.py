"""Until when a document may be cancelled by an event, counted from its authorization."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

_TERMS: Final = {
    "55": timedelta(hours=24),
    "65": timedelta(minutes=30),
    "57": timedelta(hours=168),
    "67": timedelta(hours=168),
}


def cancellation_ends(model: str | None, authorized_at: datetime | None) -> datetime | None:
    """When the term to cancel ends; None where the model has none here, or the authorization has no time.

    Afterwards some states still take a cancellation for a time of their own (480 hours in many), against a fee or
    after asking: that is not counted here.

    Source: Ajuste SINIEF 07/05, cl. 12 (NF-e, 24 hours); Ajuste SINIEF 19/16, cl. 15 (NFC-e, 30 minutes; states may
    set more); Ajuste SINIEF 09/07, cl. 14 (CT-e, 168 hours); Ajuste SINIEF 36/19 (CT-e OS, as the CT-e).
    """
    term = _TERMS.get(model or "")
    return None if term is None or authorized_at is None else authorized_at + term
