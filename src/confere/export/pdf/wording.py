"""How the plain rendering writes amounts, keys and fields in one line, in the user's language."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal

from confere.export.pdf.sheet import Field
from confere.fiscal import access_keys
from confere.fiscal.detail import Fields, Tax
from confere.fiscal.law import codes, field_text
from confere.system import formatting
from confere.system.messages import render


def amount(cents: int | None) -> str:
    """Money in a column of money: without the currency's sign."""
    return formatting.money(cents).replace("R$ ", "")


def price(amount: Decimal | None) -> str:
    """A unit price in such a column, written as money is in every language."""
    return field_text.price(amount).replace("R$ ", "")


def groups(key: str) -> str:
    """A key in groups of four."""
    return " ".join(key[place : place + 4] for place in range(0, len(key), 4))


def named(fields: Iterable[tuple[str, str]], without: Iterable[str] = ()) -> list[Field]:
    """Fields of the paper with their labels; keys stand in groups of four."""
    left_out = frozenset(without)
    labelled = field_text.labelled((path, text) for path, text in fields if path not in left_out)
    return [(label, groups(text) if access_keys.has_shape(text) else text) for label, text in labelled]


def in_line(fields: Fields) -> str:
    """Fields one after the other."""
    return " · ".join(f"{label}: {text}" for label, text in named(fields))


def tax(entry: Tax) -> str:
    """A tax in a line: its variant and situation, and every field of it."""
    meaning = codes.situation(entry.name, entry.cst)
    title = entry.name if entry.group == entry.name else f"{entry.name} ({entry.group})"
    situation = f" {entry.cst} {render(meaning) if meaning is not None else ''}".rstrip() if entry.cst else ""
    rest = tuple((path, text) for path, text in entry.fields if field_text.tag_of(path) not in ("CST", "CSOSN"))
    return f"{title}{situation}" + (f" · {in_line(rest)}" if rest else "")
