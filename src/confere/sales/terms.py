"""The terms of a reconciliation: tolerances, terms in days and what the account declares; kept with each run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from confere.errors import N_


@dataclass(frozen=True, slots=True)
class Terms:
    """Money in centavos. Each account has its own (`confere.archive.accounts.preferences`)."""

    tolerance: int = 1
    invoice_after_hours: int = 48  # R1: an order younger than this may still wait for its invoice
    freight_after_days: int = 10  # R9
    standing_days: int = 90  # R16
    freight_by_cte: bool = True  # R9, R10: whether this account's freight comes as CT-e
    scored_days: int = 10  # links of the sixth kind: days between order and invoice
    high_from: int = 10_000  # from which amount a difference is high; from a tenth of it medium, below low
    visible_series: tuple[str, ...] = ()  # R12: `CNPJ/model/series` that are wholly visible to this account


TITLES: Final[Mapping[str, str]] = {
    "tolerance": N_("Tolerance, in reais"),
    "high_from": N_("High severity from, in reais"),
    "invoice_after_hours": N_("Hours until an order must have its invoice"),
    "freight_after_days": N_("Days until a shipped sale must have its CT-e"),
    "standing_days": N_("Days that goods may stand at the marketplace"),
    "scored_days": N_("Days between an order and an invoice that may belong together"),
    "relist_days": N_("Days back that orders are listed again for their status"),
    "relist_documents_days": N_("Days back that documents are listed again once a day"),
    "freight_by_cte": N_("Its freight comes as CT-e"),
    "visible_series": N_("Series that this account sees whole"),
}
"""What terms, and the days for which an account lists again, are called wherever they are shown."""
AMOUNTS: Final = frozenset({"tolerance", "high_from"})
"""Those in centavos."""
