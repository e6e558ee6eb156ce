"""Packs: a row that adds up the orders of one cart, before the rows of its products, as Mercado Livre lists them.

A pack is one order of several products, or several orders and a row that repeats their sum. Which of them is told by
the totals; where these do not tell it, the pack is left out with the reason: half of it would be a wrong figure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import takewhile
from typing import Final

from confere.errors import message
from confere.intake.order_files.cell_values import Cell, Row
from confere.intake.order_files.columns import plain
from confere.intake.order_files.row_problems import RowProblem

Value = str | Decimal
_PACK: Final = re.compile(
    r"(?:pacote|paquete|carrinho|carrito|pack|package|cart) (?:com |con |with )?(\d{1,3})"
    r" (?:produtos?|productos?|products?|itens|items?)"
)
_BEGIN: Final = frozenset({"pac", "paq", "car"})
_LONGEST: Final = 40  # characters of such words
_CENT: Final = Decimal("0.01")
_ITEM: Final = ("code", "ean", "description", "quantity", "unit", "item_discount", "item_total")
_STATUS: Final = ("status", "marketPlaceStatus")
_NAMES: Final = ("marketplace_id", "marketplace_number", "partner_id")
_OF_THE_PACK: Final = ("total", "gross", "discount", "freight", "interest")


@dataclass(slots=True)
class PackRow:
    """A row that was read: the order that it names, and its fields. `read` is empty where one cannot be understood.

    `size` is how many rows a pack's row says that follow; None for any other row. `members` are their numbers.
    """

    number: str
    row: Row
    read: dict[str, Value]
    size: int | None = None
    members: tuple[str, ...] = ()


@dataclass(slots=True)
class Packs:
    """`entries` name an order each; `left_out` counts rows that repeat others; `spoilt` are orders to leave out."""

    entries: list[PackRow] = field(default_factory=list)
    left_out: int = 0
    spoilt: set[str] = field(default_factory=set)
    problems: list[RowProblem] = field(default_factory=list)


def gathered(entries: Sequence[PackRow]) -> Packs:
    """The rows of packs as rows of one order, or of orders of their own."""
    found = Packs()
    at = 0
    while at < len(entries):
        entry = entries[at]
        count = entry.size
        if count is None:
            found.entries.append(entry)
            at += 1
            continue
        following = entries[at + 1 : at + 1 + count]
        members = list(takewhile(lambda member: member.size is None, following))
        if len(members) < count:
            _refuse(found, entry, members)
        else:
            _settle(found, entry, members)
        at += 1 + len(members)
    return found


def size(cells: Iterable[Cell]) -> int | None:
    """How many rows follow, by the words of a row (`Pacote de 2 produtos`); None where it says nothing of the kind."""
    for cell in cells:
        if not isinstance(cell, str) or len(cell) > _LONGEST or cell[:3].casefold() not in _BEGIN:
            continue
        match = _PACK.fullmatch(plain(cell))
        if match is not None:
            return int(match[1]) or None
    return None


def _settle(found: Packs, pack: PackRow, members: list[PackRow]) -> None:
    total = pack.read.get("total")
    totals = [member.read.get("total") for member in members]
    whole = [value for value in totals if isinstance(value, Decimal)]
    is_one = all(member.number == pack.number for member in members)
    repeated = isinstance(total, Decimal) and len(members) > 1 and whole == [total] * len(members)
    if not whole or repeated:
        _gather(found, pack, members)
    elif len(whole) == len(members) and (total is None or abs(sum(whole) - _number(total)) <= _CENT):
        if is_one:
            for member in members:
                member.read.setdefault("item_total", member.read["total"])
            _gather(found, pack, members)
        else:
            found.entries += members
            found.left_out += 1
    else:
        _refuse(found, pack, members)


def _gather(found: Packs, pack: PackRow, members: list[PackRow]) -> None:
    """One order under the pack's number: its money, and its rows' products."""
    words = {member.read.get("status") for member in members}
    first: dict[str, Value] = {name: value for name, value in pack.read.items() if name not in _ITEM}
    first.pop("status", None)
    if len(words) == 1 and (status := words.pop()) is not None:
        first["status"] = status
    numbers = tuple(dict.fromkeys(member.number for member in members if member.number != pack.number))
    found.entries.append(PackRow(pack.number, pack.row, first, members=numbers))
    for member in members:
        read = {name: value for name, value in member.read.items() if name not in (*_OF_THE_PACK, *_STATUS, *_NAMES)}
        found.entries.append(PackRow(pack.number, member.row, read))


def _refuse(found: Packs, pack: PackRow, members: list[PackRow]) -> None:
    found.problems.append(
        RowProblem(
            pack.row.line,
            "",
            message(
                "The pack {number} and the rows of its products do not add up to one order: only some of the rows"
                " have a total, or their totals do not come to the pack's.",
                number=pack.number,
            ),
        )
    )
    found.spoilt.update(entry.number for entry in (pack, *members))
    found.entries += (pack, *members)


def _number(value: Value) -> Decimal:
    return value if isinstance(value, Decimal) else Decimal(0)
