"""Pieces of items on orders and papers, whatever they call an item: by the seller's code, else by EAN."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import TypeGuard

from confere.sales.reconciliation_input import ItemQuantity

_NONE = Decimal(0)


@dataclass(slots=True)
class Pieces:
    """How many of one item, and for how much (centavos; what has no total counts as nothing)."""

    quantity: Decimal = _NONE
    total: int = 0


def is_ean(text: str | None) -> TypeGuard[str]:
    """Whether it is one: papers write `SEM GTIN` where an item has none."""
    return text is not None and text.isdecimal()


class Names:
    """One name for each item: its EAN leads to the code that some line gives it, and codes stand for themselves.

    An order may know an item by its code while the note has another code with the same EAN.
    """

    def __init__(self, lines: Iterable[ItemQuantity]) -> None:
        self._code_of: dict[str, str] = {}
        for line in lines:
            if is_ean(line.ean) and line.code:
                self._code_of.setdefault(line.ean, line.code)

    def of(self, line: ItemQuantity) -> str | None:
        """The item's name; None where the line has neither EAN nor code."""
        if is_ean(line.ean):
            return self._code_of.get(line.ean, line.ean)
        return line.code


def count(lines: Iterable[ItemQuantity], names: Names) -> dict[str, Pieces]:
    """Pieces by item; lines that name no item or no quantity are left out."""
    counted: dict[str, Pieces] = {}
    for line in lines:
        name = names.of(line)
        if name is None or line.quantity is None:
            continue
        pieces = counted.setdefault(name, Pieces())
        pieces.quantity += line.quantity
        pieces.total += line.total or 0
    return counted


def dearer(taken: Mapping[str, Pieces], whole: Mapping[str, Pieces], tolerance: int) -> dict[str, int]:
    """By item of both, how many centavos `taken` is worth beyond `whole`, where that is more than the tolerance."""
    apart = {name: pieces.total - whole[name].total for name, pieces in taken.items() if name in whole}
    return {name: more for name, more in apart.items() if more > tolerance}


def beyond(taken: Mapping[str, Pieces], whole: Mapping[str, Pieces]) -> dict[str, Decimal]:
    """By item, how many pieces of `taken` are more than `whole` has."""
    excess = {}
    for name, pieces in taken.items():
        known = whole.get(name)
        more = pieces.quantity - (known.quantity if known is not None else _NONE)
        if more > 0:
            excess[name] = more
    return excess
