"""Rows as a spreadsheet takes them from the clipboard: tab-separated, and nothing in them is a formula."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal

from confere.system import formatting
from confere.system.plain_text import cell


def line(fields: Iterable[str]) -> str:
    """One row, without the end of its line."""
    return "\t".join(map(cell, fields))


def money(cents: int | None) -> str:
    """Centavos as a number with the comma of Brazil, `1234,56`, like every amount on the screen; None is empty."""
    return (formatting.decimal_string(cents) or "").replace(".", ",")


def number(quantity: Decimal | None) -> str:
    """A number with the comma of Brazil, without separators of thousands and needless zeros; None is empty."""
    return "" if quantity is None else f"{quantity.normalize():f}".replace(".", ",")
