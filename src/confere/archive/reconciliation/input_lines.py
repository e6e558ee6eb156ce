"""Items, quantities and days of ledger entries, out of the archive's rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from itertools import groupby
from operator import attrgetter
from typing import Any, Final

from confere.archive.named_rows import NamedRow
from confere.fiscal.periods import local_date
from confere.sales.reconciliation_input import FiscalDescription, ItemQuantity

_END: Final = (1 << 63, ())
_UNTOLD: Final = (None, None, None)
_SAID: Final = attrgetter("code", "ean", "quantity", "total", "description", "ncm", "unit", "origin")


class Lines:
    """The items of orders or papers, which ask for theirs in the order of their numbers.

    Rows are that number as `owner`, code, EAN, quantity, total, description, NCM, unit and origin, and come in its
    order: so both tables are gone through once, side by side, and nothing of them is kept in between.
    """

    def __init__(self, rows: Iterable[NamedRow]) -> None:
        self._ahead: Iterator[tuple[int, Iterable[NamedRow]]] = groupby(rows, attrgetter("owner"))
        self._number: int = -1
        self._rows: Iterable[NamedRow] = ()
        self._made: dict[Any, ItemQuantity] = {}
        self._described: dict[Any, FiscalDescription] = {}

    def of(self, number: int) -> tuple[ItemQuantity, ...]:
        """The items of this one."""
        while self._number < number:
            self._number, self._rows = next(self._ahead, _END)
        if self._number != number:
            return ()
        # Lines that say the same are one value: a shop sells the same things over and over.
        made = self._made.get
        return tuple([made(_SAID(row)) or self._make(row) for row in self._rows])

    def _make(self, row: NamedRow) -> ItemQuantity:
        line = ItemQuantity(row.code, row.ean, exact(row.quantity), row.total, row.description, self._description(row))
        self._made[_SAID(row)] = line
        return line

    def _description(self, row: NamedRow) -> FiscalDescription | None:
        told = (row.ncm, row.unit, row.origin)
        if told == _UNTOLD:
            return None
        described = self._described.get(told)
        if described is None:
            described = self._described[told] = FiscalDescription(*told)
        return described


@lru_cache(16_384)
def exact(text: str | None) -> Decimal | None:
    """A decimal as written; None for what is none."""
    if text is None:
        return None
    try:
        found = Decimal(text)
    except InvalidOperation:
        return None
    return found if found.is_finite() else None


def day(written: str | None) -> str:
    """The local day of a time as written, empty where there is none."""
    if not written:
        return ""
    if written[-1] not in "Zz" and written[4:5] == written[7:8] == "-" and written[10:11] == "T":
        return written[:10]
    found = local_date(written)
    return "" if found is None else found.isoformat()
