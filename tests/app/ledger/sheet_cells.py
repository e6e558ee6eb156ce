"""The tables of a ledger's workbook as openpyxl reads them, in the cells of the independent program."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import openpyxl

DIRECTIONS = {"incoming": "in", "outgoing": "out"}
ISSUERS = {"own": True, "of others": False}
MARKETS = {"inside": False, "abroad": True}
KINDS = {"revenue": "revenue", "returns of the month (deducted)": "return"}
ICMS = {
    "ordinary": "ordinary",
    "tax substitution (ICMS-ST)": "substitution",
    "immune, exempt or not taxed": "exempt",
    "no code that says": "other",
    "service (ISS)": "service",
}
CONTRIBUTIONS = {
    "ordinary": "ordinary",
    "single-phase, resale (CST 04)": "single_phase",
    "own rate or by unit (CST 02, 03)": "differentiated",
    "tax substitution (CST 05)": "substitution",
    "zero, exempt or without incidence (CST 06 to 09)": "exempt",
}
# Of each table: its sheet, and how many columns name a cell.
SHEETS = {
    "cfops": ("CFOP, CST and state", 5),
    "difal": ("DIFAL and FCP", 4),
    "contributions": ("PIS and COFINS", 5),
    "simples": ("Simples Nacional", 5),
    "reform": ("IBS and CBS", 4),
}
Row = list[Any]


class Workbook:
    """A ledger as it was written. Amounts in centavos."""

    def __init__(self, path: Path) -> None:
        self._book = openpyxl.load_workbook(path)

    def head(self, sheet: str) -> Row:
        """The titles of the columns."""
        page = self._book[sheet]
        return [cell.value for cell in page[int(page.freeze_panes[1:]) - 1]]

    def rows(self, sheet: str) -> list[Row]:
        """The rows below the titles, the total apart."""
        return [row for row in self._below(sheet) if row[0] != "Total"]

    def total(self, sheet: str) -> dict[str, int]:
        """The row of the total: amounts that are not zero by the title of their column."""
        (row,) = (row for row in self._below(sheet) if row[0] == "Total")
        titles = self.head(sheet)
        return {
            title: cents(value)
            for title, value in zip(titles[1:], row[1:], strict=True)
            if isinstance(value, int | float) and value and title not in ("Documents", "Items")
        }

    def cells(self, table: str) -> dict[Any, tuple[int, int, tuple[int, ...]]]:
        """A table of sums, as `tests.oracle.ledger.Tables.of` has it."""
        sheet, names = SHEETS[table]
        found = {}
        for row in self.rows(sheet):
            cell = _CELLS[table](row[:names])
            amounts = row[names + 2 : -1] if table == "difal" else row[names + 2 :]
            assert cell not in found, cell
            found[cell] = (row[names], row[names + 1], tuple(map(cents, amounts)))
        return found

    def _below(self, sheet: str) -> list[Row]:
        page = self._book[sheet]
        head = int(page.freeze_panes[1:]) - 1
        return [[cell.value for cell in line] for line in page.iter_rows(min_row=head + 1)]


def cents(value: object) -> int:
    return int((Decimal(str(value or 0)) * 100).quantize(Decimal(1)))


def _text(value: object) -> str:
    return "" if value is None else str(value)


def _placed(row: Row) -> tuple[Any, ...]:
    return (DIRECTIONS[row[0]], ISSUERS[row[1]], *map(_text, row[2:]))


def _difal(row: Row) -> tuple[Any, ...]:
    return (DIRECTIONS[row[1]], ISSUERS[row[2]], _text(row[0]), _text(row[3]))


def _contribution(row: Row) -> tuple[Any, ...]:
    rate = None if row[4] is None else Decimal(str(row[4])).quantize(Decimal("0.01"))
    return (DIRECTIONS[row[0]], ISSUERS[row[1]], row[2].lower(), row[3], rate)


def _revenue(row: Row) -> tuple[Any, ...]:
    return _text(row[1]), KINDS[row[0]], MARKETS[row[2]], ICMS[row[3]], CONTRIBUTIONS[row[4]]


_CELLS = {"cfops": _placed, "difal": _difal, "reform": _placed, "contributions": _contribution, "simples": _revenue}
