"""Numbers of orders that a spreadsheet rounded to 15 digits: two orders would become one, neither to be found."""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal
from typing import Final

from confere.errors import message
from confere.intake.order_files.cell_values import Cell, UnreadableCell, shown

EXACT_DIGITS: Final = 15
"""As many digits of a number a spreadsheet keeps; it writes zeros for the others."""
_LONG: Final = re.compile(rf"'?(\d{{{EXACT_DIGITS + 1},}})")


def rounded(cells: Iterable[Cell]) -> frozenset[Cell]:
    """Those cells of a column whose last digits look lost: where every long number of the column ends in zeros.

    One number of 16 digits that stands as text may well end in a zero; a number that stands as a number hardly does.
    """
    numbers: set[Cell] = set()
    texts: set[Cell] = set()
    for cell in set(cells):
        if isinstance(cell, Decimal):
            if cell == cell.to_integral_value() and cell.adjusted() >= EXACT_DIGITS:
                numbers.add(cell)
        elif isinstance(cell, str) and _LONG.fullmatch(cell.strip()):
            texts.add(cell)
    lost: set[Cell] = set()
    if all(map(_ends_in_zeros, numbers)):
        lost |= numbers
    if all(map(_ends_in_zeros, texts)) and (len(texts) > 1 or any(_zeros(cell) > 1 for cell in texts)):
        lost |= texts
    return frozenset(lost)


def refuse(cell: Cell) -> None:
    """Raise what is to be said of a cell that `rounded` named."""
    raise UnreadableCell(
        message(
            "{text} may have lost its last digits: every number of this column has zeros after the {digits}th digit,"
            " as a spreadsheet writes them. Download the list again and import it without opening it in a spreadsheet,"
            " or give the column the format Text before the numbers are put into it.",
            text=shown(cell),
            digits=EXACT_DIGITS,
        )
    )


def _digits(cell: Cell) -> str:
    if isinstance(cell, Decimal):
        return f"{abs(cell):f}".partition(".")[0]
    return str(cell).strip().lstrip("'")


def _zeros(cell: Cell) -> int:
    """How many digits there are beyond those that are exact."""
    return len(_digits(cell)) - EXACT_DIGITS


def _ends_in_zeros(cell: Cell) -> bool:
    return not _digits(cell)[EXACT_DIGITS:].strip("0")
