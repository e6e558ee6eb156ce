"""Until when a document may be cancelled by an event, counted from its authorization.

Source: `resources/fiscal/cancellation.toml`, each term with its own, and what is not confirmed.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import cache

from confere.fiscal.law.tables import law_rows


def cancellation_ends(model: str | None, authorized_at: datetime | None, uf: str | None = None) -> datetime | None:
    """When the term to cancel ends; None where the model has none here, or the authorization has no time.

    `uf` is the emitter's state, whose own term counts where one is known. Afterwards some states still take a
    cancellation for a time of their own, against a fine or after asking: that is not counted here.

    Source: Ajuste SINIEF 07/05, cl. 12 (NF-e); Ajuste SINIEF 19/16, cl. 15 (NFC-e); Ajuste SINIEF 09/07, cl. 14 (CT-e).
    """
    terms = _terms()
    term = terms.get(f"{model} {uf}") or terms.get(model or "")
    return None if term is None or authorized_at is None else authorized_at + term


@cache
def _terms() -> dict[str, timedelta]:
    """Each term by model, or by model and state."""
    rows = law_rows("cancellation")["terms"]
    return {code: timedelta(minutes=int(row["minutes"])) for code, row in rows.items()}
