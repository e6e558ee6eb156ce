"""What an order and a sale have in common: buyer, total, day, items; each told as agrees, differs or unknown."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from decimal import Decimal
from functools import lru_cache
from typing import Final

from confere.sales.reconciliation_input import ItemQuantity, OrderEntry, PaperEntry
from confere.system.plain_text import folded_words

HIDDEN: Final = "*"
_LEAST_SHOWN: Final = 4  # characters of a masked tax id
EARLIEST: Final = -1  # a note may be issued on the day before, where clocks and zones differ

Items = tuple[tuple[str, Decimal], ...]


def same_buyer(order: OrderEntry, paper: PaperEntry) -> bool | None:
    """Whether the buyer can be the note's recipient: tax ids, of which one may be masked; else names. None: unknown.

    A mask that shows too little rules out whom it does not fit, and proves nothing of whom it fits: names decide.
    """
    shown, whole = known_tax_id(order.buyer), known_tax_id(paper.recipient)
    if shown and whole:
        if HIDDEN not in shown:
            return shown == whole
        if not fits_mask(shown, whole):
            return False
        if shows_enough(shown):
            return True
    if order.buyer_name and paper.recipient_name:
        same = plain_name(order.buyer_name) == plain_name(paper.recipient_name)
        return same or (None if shown and whole else False)
    return None


def known_tax_id(text: str | None) -> str | None:
    """The tax id, unless it is none: wholly hidden, or one digit repeated, as guests' orders are filled."""
    return text if text and text.count(text[0]) < len(text) else None


def shows_enough(mask: str) -> bool:
    """Whether what a mask leaves to see tells people apart; two digits fit one buyer in a hundred."""
    return len(mask) - mask.count(HIDDEN) >= _LEAST_SHOWN


def one_buyer(order: OrderEntry, other: OrderEntry) -> bool:
    """Whether both orders tell of the same buyer in the same way."""
    if known_tax_id(order.buyer) and known_tax_id(other.buyer):
        return order.buyer == other.buyer
    return bool(order.buyer_name and other.buyer_name) and plain_name(order.buyer_name or "") == plain_name(
        other.buyer_name or ""
    )


def fits_mask(shown: str, whole: str) -> bool:
    """Whether `shown` can be `whole` with some characters hidden; one with nothing left to see fits nothing."""
    if HIDDEN not in shown:
        return shown == whole
    if len(shown) != len(whole) or not shown.strip(HIDDEN):
        return False
    return all(mark in (HIDDEN, letter) for mark, letter in zip(shown, whole, strict=True))


@lru_cache(65_536)
def plain_name(name: str) -> str:
    """A name without accents, case and stray spaces."""
    return folded_words(name)


def total_difference(order: OrderEntry, paper: PaperEntry) -> int | None:
    """The note's total less the order's, in centavos."""
    return None if order.total is None or paper.total is None else paper.total - order.total


def days_between(order: OrderEntry, paper: PaperEntry) -> int | None:
    """Days from the order to the note; None where one has no day."""
    first, last = day_of(order.created_on), day_of(paper.issued_on)
    return None if first is None or last is None else last - first


def in_window(days: int | None, most: int) -> bool:
    return days is not None and EARLIEST <= days <= most


@lru_cache(8_192)
def day_of(text: str) -> int | None:
    """A day's number in the calendar; None for what is no day."""
    try:
        return date.fromisoformat(text).toordinal()
    except ValueError:
        return None


def by_code(lines: Iterable[ItemQuantity]) -> Items | None:
    """Pieces by the seller's code; None where a line has no code or quantity."""
    return _pieces([(line.code, line.quantity) for line in lines])


def by_ean(lines: Iterable[ItemQuantity]) -> Items | None:
    """Pieces by EAN; None where a line has none."""
    return _pieces([(line.ean, line.quantity) for line in lines])


def _pieces(lines: Iterable[tuple[str | None, Decimal | None]]) -> Items | None:
    counted: dict[str, Decimal] = {}
    for name, quantity in lines:
        if not name or quantity is None:
            return None
        counted[name] = counted[name] + quantity if name in counted else quantity
    return tuple(sorted(counted.items())) or None


def same_items(order: OrderEntry, paper: PaperEntry) -> bool | None:
    """Whether both hold the same pieces, by code or by EAN; None where neither can be compared."""
    known = None
    for pieces in (by_code, by_ean):
        left, right = pieces(order.lines), pieces(paper.lines)
        if left is not None and right is not None:
            if left == right:
                return True
            known = False
    return known
