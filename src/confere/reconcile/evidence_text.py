"""How evidence names things: documents by kind, series and number, money and days in one way in every language.

What is written here is kept in the archive and compared from run to run: it must not differ by who ran it. So days
are written as Brazilian papers write them, as `confere.system.formatting.money` does with amounts; English shows a
day that stands for itself in a sentence as it shows all days (`WrittenDay`).
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from typing import Final

from confere.errors import N_, Message, WrittenDay
from confere.fiscal import access_keys, document_models
from confere.sales.order import STATUS_WORDS
from confere.sales.reconciliation_input import OrderEntry, PaperEntry
from confere.system import formatting

_STATES: Final = {**document_models.STATE_WORDS, "test": N_("issued as a test")}
_MOST_NAMED: Final = 5

money = formatting.money


def named(paper: PaperEntry) -> str:
    """`NF-e 1/1234`; the key where the paper has no number."""
    kind = document_models.type_name(paper.type) or ""
    number = paper.key or "" if paper.number is None else f"{paper.series or 0}/{paper.number}"
    return f"{kind} {number}".strip()


def named_key(key: str) -> str:
    """A document that is not here, by what its key says."""
    parts = access_keys.parse(key)
    if parts is None:
        return key
    return f"{parts.model_name} {parts.series}/{parts.number} ({key})"


def day(text: str) -> str:
    """`2026-10-31` as 31/10/2026; a month `2026-10` as 10/2026. What is neither stays as it is."""
    match text.split("-"):
        case [year, month]:
            return f"{month}/{year}"
        case [year, month, date]:
            return WrittenDay.of(f"{date}/{month}/{year}")
    return text


def state(paper: PaperEntry) -> Message:
    """What an effective state is called."""
    return Message(_STATES.get(paper.state, paper.state))


def order_status(code: str) -> Message:
    """How an order stands; a status that the specification does not name stays as it is."""
    return Message(STATUS_WORDS.get(code, code))


def cfops(codes: Iterable[str]) -> str:
    """The first few CFOPs as papers write them, `5.102`."""
    return listed(f"{code[:1]}.{code[1:]}" if len(code) == 4 else code for code in codes)


def quantity(value: Decimal) -> str:
    """Without trailing zeros, with the comma of Brazilian papers: `2`, `1,5`."""
    text = f"{value:f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return text.replace(".", ",")


def listed(names: Iterable[str]) -> str:
    """The first few, and `…` where there are more."""
    every = list(dict.fromkeys(names))
    shown = ", ".join(every[:_MOST_NAMED])
    return f"{shown} …" if len(every) > _MOST_NAMED else shown


def papers_named(papers: Iterable[PaperEntry]) -> str:
    return listed(named(paper) for paper in papers)


def orders_named(orders: Iterable[OrderEntry]) -> str:
    return listed(order.hub_id for order in orders)
