"""Taxes by CFOP, CST and state of the recipient: the table that R20 holds against the closed month's."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from confere.fiscal.document_parts import TaxSums
from confere.fiscal.tax_groups import TaxGroup
from confere.reconcile import predicates

AMOUNTS: Final = tuple(name for name in TaxSums._fields if name not in ("cfop", "cst"))
"""The columns that are added up, in the order of `TaxSums` and of `PivotLine.amounts`."""


@dataclass(frozen=True, slots=True)
class PivotLine:
    """One cell of the table: the sums of `documents` documents, in centavos, None where none of them names the field.

    `in_effect` False: cancelled, denied, replaced and the like, which count apart in every sum. What has no protocol
    counts as in effect here no more than it is authorized: it stands apart too.
    """

    period: str
    direction: str
    cfop: str | None
    cst: str | None
    uf: str | None
    in_effect: bool
    documents: int
    amounts: tuple[int | None, ...]

    def amount(self, name: str) -> int | None:
        """The sum of one of `AMOUNTS`."""
        return self.amounts[AMOUNTS.index(name)]

    @property
    def named_amounts(self) -> dict[str, int]:
        """The sums that some document names, by their names in `AMOUNTS`."""
        return {name: amount for name, amount in zip(AMOUNTS, self.amounts, strict=True) if amount is not None}


_Place = tuple[str, str, str | None, str | None, str | None, bool]


def pivot(groups: Iterable[TaxGroup]) -> tuple[PivotLine, ...]:
    """The table, by month, direction, CFOP, CST, state; what is in effect first.

    Source: reconciliation rules, R20.
    """
    sums: dict[_Place, list[int | None]] = {}
    keys: dict[_Place, set[str | None]] = {}
    for group in groups:
        cfop, cst, *amounts = group.sums
        place = (group.period, group.direction, cfop, cst, group.uf, group.state in predicates.EFFECTIVE)
        so_far = sums.setdefault(place, [None] * len(AMOUNTS))
        keys.setdefault(place, set()).add(group.key)
        for at, amount in enumerate(amounts):
            if amount is not None:
                so_far[at] = amount + (so_far[at] or 0)
    return tuple(
        PivotLine(*place, documents=len(keys[place]), amounts=tuple(sums[place]))
        for place in sorted(sums, key=lambda place: (not place[5], *(part or "" for part in place[:5])))
    )
