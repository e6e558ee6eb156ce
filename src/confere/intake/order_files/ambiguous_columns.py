"""What a column of an order file may mean besides what its name says: a payout for a total, an item's for an order's.

A doubt is asked, never decided: a payout taken for a total would make every invoice of the file wrong (R3).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Final

from confere.errors import Message, UsageFault, message
from confere.intake.order_files.cell_values import Row
from confere.intake.order_files.columns import plain
from confere.system import formatting

Value = str | Decimal
Lines = Sequence[tuple[Row, Mapping[str, Value]]]
_LEAST_FEE, _MOST_FEE = Decimal("0.02"), Decimal("0.45")
"""What marketplaces keep of a sale, as a share: less is a rounding or a coupon, more a cancelled order."""
_TOLERANCE: Final = Decimal("0.01")
_PAYOUT_NAMES: Final = frozenset({"total brl", "total"})
_FEES: Final = re.compile(r"\b(?:tarifas?|comissao|comissoes|comision|comisiones|fees?|commissions?|cargos?)\b")
_CLEAR: Final = 3
"""So many orders whose lines bear equal totals, and none whose lines differ, tell that the total is the order's."""


class DoubtKind(StrEnum):
    """`payout`: what is paid out, after fees; `per_item`: what one line of an order comes to."""

    PAYOUT = "payout"
    PER_ITEM = "per_item"


@dataclass(frozen=True, slots=True)
class Doubt:
    """A question about a column. `choices` are the fields that it may be, what seems likely first."""

    kind: DoubtKind
    column: str
    choices: tuple[str, ...]
    why: Message


def doubts(
    orders: Sequence[Lines], mapping: Mapping[str, str], columns: Sequence[str], settled: Collection[str]
) -> tuple[Doubt, ...]:
    """What is to be asked of the column of totals; nothing of one that a person spoke of (`settled`, compared names).

    `orders` are the lines of each order as they were read.
    """
    column = next((name for name, field in mapping.items() if field == "total"), None)
    if column is None or plain(column) in settled:
        return ()
    found = (_per_item(orders, column), _payout(orders, column, columns))
    return tuple(doubt for doubt in found if doubt is not None)


def refuse(found: Sequence[Doubt]) -> None:
    """Raises `UsageFault` with the first question and how it is answered."""
    for doubt in found:
        raise UsageFault(
            doubt.why,
            message(
                "Say which it is: {choices}. The answer is remembered.",
                choices=" / ".join(f'--map "{doubt.column}={choice}"' for choice in doubt.choices),
            ),
        )


def _payout(orders: Sequence[Lines], column: str, columns: Sequence[str]) -> Doubt | None:
    choices = ("payout", "total")
    shares: list[Decimal] = []
    compared = 0
    for lines in orders:
        total, least = _said(lines, "total"), _least(lines)
        if total is None or least is None or total <= 0 or least <= 0:
            continue
        compared += 1
        share = (least - total) / least
        if _LEAST_FEE <= share <= _MOST_FEE:
            shares.append(share)
    if shares and 2 * len(shares) >= compared:
        return Doubt(
            DoubtKind.PAYOUT,
            column,
            choices,
            message(
                'The column "{column}" looks like what the marketplace pays out, not like the total of the order: in'
                " {count} of {compared} orders it is {least}% to {most}% below the sum of the items.",
                column=column,
                count=formatting.count(len(shares)),
                compared=formatting.count(compared),
                least=round(100 * min(shares)),
                most=round(100 * max(shares)),
            ),
        )
    fees = [name for name in columns if name != column and _FEES.search(plain(name))]
    if not compared and fees and plain(column) in _PAYOUT_NAMES:
        return Doubt(
            DoubtKind.PAYOUT,
            column,
            choices,
            message(
                'The column "{column}" may be what the marketplace pays out, not the total of the order: the file has'
                ' fees too ("{fee}"), and nothing to compare it with.',
                column=column,
                fee=fees[0],
            ),
        )
    return None


def _least(lines: Lines) -> Decimal | None:
    """The least that an order can come to by its own items or their total, with every discount that the file states."""
    items = [_line(read) for _, read in lines if _names_item(read)]
    known = [amount for amount in items if amount is not None]
    found = [sum(known, Decimal(0))] if items and len(known) == len(items) else []
    gross = _said(lines, "gross")
    if gross is not None:
        found.append(gross)
    if not found:
        return None
    return max(found) - abs(_said(lines, "discount") or Decimal(0)) - _TOLERANCE


def _per_item(orders: Sequence[Lines], column: str) -> Doubt | None:
    whole = single = unknown = apart = 0
    example = ""
    for lines in orders:
        totals = [read["total"] for _, read in lines if "total" in read]
        if len(totals) < 2 or len({_names(read) for _, read in lines}) < 2:
            continue
        if len(set(totals)) > 1:
            apart += 1
            continue
        total, amounts = totals[0], [_line(read) for _, read in lines]
        known = [amount for amount in amounts if amount is not None]
        assert isinstance(total, Decimal)
        if len(known) < len(amounts):
            unknown += 1
        elif _makes_up(lines, sum(known, Decimal(0)), total):
            whole += 1
            continue
        elif all(abs(amount - total) <= _TOLERANCE for amount in known) and total:
            single += 1
        else:
            whole += 1
            continue
        example = example or formatting.money(int(total.scaleb(2)))
    is_doubtful = single or (not whole and unknown and (apart or unknown < _CLEAR))
    if not is_doubtful:
        return None
    return Doubt(
        DoubtKind.PER_ITEM,
        column,
        ("item_total", "total"),
        message(
            'The column "{column}" may be the total of each item, not of the order: lines of one order bear the same'
            " amount ({amount}). Taken for the order's, it would be a part of it.",
            column=column,
            amount=example,
        ),
    )


def _makes_up(lines: Lines, items: Decimal, total: Decimal) -> bool:
    """Whether the items come to the total, with what the order states beside them."""
    discount, freight, interest = (_said(lines, name) or Decimal(0) for name in ("discount", "freight", "interest"))
    sums = {items - abs(discount) + more for more in (0, freight, interest, freight + interest)} | {items}
    return any(abs(value - total) <= _TOLERANCE for value in sums)


def _said(lines: Lines, field: str) -> Decimal | None:
    """The first amount that the lines state."""
    return next((value for _, read in lines if isinstance(value := read.get(field), Decimal)), None)


def _line(read: Mapping[str, Value]) -> Decimal | None:
    """What one line comes to by itself."""
    total = read.get("item_total")
    if isinstance(total, Decimal):
        return total
    unit, quantity = read.get("unit"), read.get("quantity", Decimal(1))
    if not isinstance(unit, Decimal) or not isinstance(quantity, Decimal):
        return None
    discount = read.get("item_discount")
    return unit * quantity - (abs(discount) if isinstance(discount, Decimal) else Decimal(0))


def _names_item(read: Mapping[str, Value]) -> bool:
    return any(name in read for name in ("code", "ean", "description", "unit", "item_total"))


def _names(read: Mapping[str, Value]) -> tuple[Value | None, ...]:
    return tuple(read.get(name) for name in ("code", "ean", "description", "quantity"))
