"""Credit and debit notes (finNFe 5 and 6): what each type does with the goods, whatever its natOp and CFOP say.

Source: NT 2025.002, groups B25.1 and B25.2 (`tpNFDebito`, `tpNFCredito`); Ajustes SINIEF 47/2025, 49/2025 and 8/2026,
in force since 4 May 2026: goods that were refused or not delivered come back by a credit note, a lower value or
quantity is a credit note too, lost stock and money taken in advance are debit notes.
"""

from __future__ import annotations

from typing import Final

CREDIT: Final = "5"  # finNFe
DEBIT: Final = "6"

REFUSED: Final = "03"  # tpNFCredito: the whole delivery comes back
REDUCED: Final = "04"  # only its value or quantity is less
REFUSED_IN_PART: Final = "06"  # the items that it refers to come back
_OTHER_CREDITS: Final = frozenset({"01", "02", REDUCED, "05"})

PREPAID: Final = "06"  # tpNFDebito: money taken in advance
LOST: Final = "07"  # goods went out of stock without a sale

_RETURNS: Final = frozenset({"201", "202", "203", "204", "208", "209", "410", "411", "412", "413", "949"})
"""Last three digits of the CFOPs by which goods come back, where a credit note names no type that is known."""


def is_adjusting(purpose: str | None) -> bool:
    """Whether finNFe `purpose` is that of a credit or a debit note. Of notes only: tpCTe has a 5 and a 6 too.

    Source: NT 2025.002 v1.50, B25 (`finNFe` 5 and 6).
    """
    return purpose in (CREDIT, DEBIT)


def takes_goods_back(purpose: str | None, credit_type: str | None, cfops: tuple[str, ...] = ()) -> bool:
    """Whether a note brings the goods of a sale back: types 03 and 06; without a known type, by its CFOPs.

    Source: NT 2025.002 v1.50, B25.2 (`tpNFCredito`); Ajustes SINIEF 47/2025, 49/2025 and 8/2026; Convênio s/nº of 15
    December 1970, annex (CFOP).
    """
    if purpose != CREDIT:
        return False
    if credit_type in (REFUSED, REFUSED_IN_PART):
        return True
    return credit_type not in _OTHER_CREDITS and bool(cfops) and all(cfop[1:] in _RETURNS for cfop in cfops)


def loses_goods(purpose: str | None, debit_type: str | None) -> bool:
    """Whether a note writes off lost stock: debit note of type 07 (CFOP 5.927).

    Source: NT 2025.002 v1.50, B25.1 (`tpNFDebito` 07); Ajustes SINIEF 47/2025, 49/2025 and 8/2026.
    """
    return purpose == DEBIT and debit_type == LOST
