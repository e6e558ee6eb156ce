"""Predicates on a single order or document that several rules share."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import lru_cache
from typing import Final

from confere.fiscal.model import CANCELLED, IN_EFFECT, VOID, State
from confere.fiscal.operations import Operation, is_from_warehouse
from confere.fiscal.taxpayers import CNPJ_SHAPE, cnpj_root
from confere.sales.reconciliation_input import PaperEntry

EFFECTIVE: Final = frozenset(state.value for state in IN_EFFECT)
CANCELLED_STATES: Final = frozenset(state.value for state in CANCELLED)
WITHOUT_EFFECT: Final = frozenset(state.value for state in VOID)
NO_PROTOCOL: Final = State.NO_PROTOCOL.value
TEST: Final = "test"
"""The state, in a ledger of real business, of what was issued in the authority's test environment."""
NOTES: Final = frozenset({"nfe", "nfce"})
FREIGHTS: Final = frozenset({"cte", "cteos"})
RETURNS: Final = frozenset({Operation.SALE_RETURN.value, Operation.DEVOLUTION.value})
SALE: Final = Operation.SALE.value

COMPLEMENTARY: Final = "2"  # finNFe
ADJUSTMENT: Final = "3"
RETURN: Final = "4"
SALE_PURPOSES: Final = frozenset({None, "", "1"})
_PROCESS: Final = re.compile(r"[A-Za-z_]+-[a-z_]+-(.+)")
_MOST_PARTS: Final = 8


def effective(paper: PaperEntry) -> bool:
    """Authorized, and nothing registered took the effect away."""
    return paper.state in EFFECTIVE


def is_sale(paper: PaperEntry, own: Collection[str]) -> bool:
    """Whether an establishment of the account sells by this note, whatever became of it.

    Its tpNF is not asked: one that disagrees is R17's, and leaves no order without invoice.
    """
    return sells(paper) and paper.emitter in own


def sells(paper: PaperEntry) -> bool:
    """Whether somebody sells by this note, whoever that is."""
    return paper.operation == SALE and paper.type in NOTES and paper.purpose in SALE_PURPOSES


def complements_sale(paper: PaperEntry, own: Collection[str]) -> bool:
    """Whether it adds value to a sale (finNFe 2)."""
    return paper.purpose == COMPLEMENTARY and paper.type in NOTES and paper.emitter in own


def takes_back(paper: PaperEntry) -> bool:
    """Whether a note undoes what it refers to: a return, or the reversal of a note that could not be cancelled."""
    if paper.type not in NOTES:
        return False
    if paper.operation in RETURNS or paper.purpose == RETURN:
        return True
    return paper.purpose == ADJUSTMENT and paper.direction == "0"


def from_warehouse(paper: PaperEntry) -> bool:
    """Whether a CFOP says that the goods leave another one's warehouse (x.105, x.106)."""
    return _any_from_warehouse(paper.cfops)


@lru_cache(4_096)
def _any_from_warehouse(cfops: tuple[str, ...]) -> bool:
    return any(map(is_from_warehouse, cfops))


def orders_claimed(paper: PaperEntry) -> Iterator[str]:
    """The numbers by which the hub's record of a paper, or its external_id, may name an order."""
    if paper.order_id:
        yield paper.order_id
    if paper.external_id:
        text = paper.external_id.strip()
        process = _PROCESS.fullmatch(text)
        if process is not None:
            # The order's number may hold dashes itself.
            parts = process[1].split("-")[:_MOST_PARTS]
            yield from ("-".join(parts[:end]) for end in range(1, len(parts) + 1))
        elif text.isdecimal():
            yield text


def same_company(one: str | None, other: str | None) -> bool | None:
    """Whether two tax ids are of one person or company, whatever its establishment; None: cannot be told."""
    if not one or not other or "*" in one or "*" in other:
        return None
    if one == other:
        return True
    if CNPJ_SHAPE.fullmatch(one) and CNPJ_SHAPE.fullmatch(other):
        return cnpj_root(one) == cnpj_root(other)
    return one == other
