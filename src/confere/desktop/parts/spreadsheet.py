"""Rows as a spreadsheet takes them from the clipboard: tab-separated, and nothing in them is a formula."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from confere.system import figures

# What a spreadsheet would take for a formula.
_FORMULA: Final = ("=", "+", "-", "@")


def line(fields: Iterable[str]) -> str:
    """One row, without the end of its line."""
    return "\t".join(map(_cell, fields))


def money(cents: int | None) -> str:
    """Centavos as a number with the comma of Brazil, `1234,56`, like every amount on the screen; None is empty."""
    return (figures.decimal_string(cents) or "").replace(".", ",")


def _cell(text: str) -> str:
    plain = " ".join(text.split())
    # A minus may begin an amount; what a stranger wrote into a name must not become a formula.
    return f"'{plain}" if plain.startswith(_FORMULA) and not _is_amount(plain) else plain


def _is_amount(text: str) -> bool:
    digits = text[1:].replace(",", "", 1).replace(".", "", 1)
    return digits.isascii() and digits.isdigit()
