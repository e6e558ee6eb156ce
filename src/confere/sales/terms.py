"""The terms of a reconciliation: tolerances, terms in days and what the account declares; kept with each run."""

from __future__ import annotations

from dataclasses import dataclass


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
