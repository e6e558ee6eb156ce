"""Credit and debit notes of the world (finNFe 5 and 6): which papers are one, and what they and the hub say of them."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from sandbox_hub.world.orders.order_contents import OrderLine
from sandbox_hub.world.scenarios import CREDIT, DEBIT, Adjusts, Subtype
from sandbox_hub.world.world import World


class Meaning(Enum):
    """What such a note does."""

    RETURN = "return"
    VALUE = "value"
    PREPAYMENT = "prepayment"
    LOSS = "loss"


class Saying(NamedTuple):
    """natOp, the CFOP's last three digits, and what a hub that looks at these two takes it for."""

    nature: str
    cfop: str
    taken_for: str


# Everything beside the type leads astray: that is how such notes come.
_SAYINGS = {
    (CREDIT, "03"): Saying("RETORNO SIMBOLICO DE MERCADORIA NAO ENTREGUE", "949", "symbolic_inbound_return"),
    (CREDIT, "06"): Saying("RETORNO SIMBOLICO DE MERCADORIA RECUSADA EM PARTE", "949", "symbolic_inbound_return"),
    (CREDIT, "04"): Saying("DEVOLUCAO DE PARTE DO VALOR DA VENDA", "949", "devolution"),
    (DEBIT, "06"): Saying("VENDA PARA ENTREGA FUTURA", "922", "sale"),
    (DEBIT, "07"): Saying("RETORNO DE MERCADORIA PERDIDA EM DEPOSITO", "927", "inbound_return"),
}
_MEANINGS = {
    (CREDIT, "03"): Meaning.RETURN,
    (CREDIT, "06"): Meaning.RETURN,
    (CREDIT, "04"): Meaning.VALUE,
    (DEBIT, "06"): Meaning.PREPAYMENT,
    (DEBIT, "07"): Meaning.LOSS,
}
# By anomaly and paper, what a note is that honestly is something else.
_INSTEAD: dict[tuple[str, str], Adjusts] = {
    ("R5.reduced", "back"): (CREDIT, "04"),
    ("R15.refused", "back"): (CREDIT, "03"),
    ("R16.lost", "home"): (DEBIT, "07"),
}


def adjusts(world: World, index: int) -> Adjusts | None:
    """finNFe and type of a credit or debit note; None for every other document."""
    lie = world.planted.lie(index)
    instead = _INSTEAD.get((lie, world.paper(index))) if lie else None
    return world.place(index).adjusts if instead is None else instead


def meaning(world: World, index: int) -> Meaning | None:
    """What a credit or debit note does; None for every other document."""
    found = adjusts(world, index)
    return None if found is None else _MEANINGS[found]


def saying(world: World, index: int) -> Saying | None:
    """What it says beside its type."""
    found = adjusts(world, index)
    return None if found is None else _SAYINGS[found]


def hub_word(world: World, index: int) -> str | None:
    """What the hub calls a document: its subtype; of a credit or debit note nothing, or what it takes it for."""
    found = saying(world, index)
    if found is None:
        return world.place(index).subtype.value
    return found.taken_for if world.numbering.number(index) % 2 else None


def takes_back(world: World, index: int) -> bool:
    """Whether goods of a sale come back by a document."""
    gives_back = world.place(index).subtype in (Subtype.SALE_RETURN, Subtype.DEVOLUTION)
    return gives_back and meaning(world, index) in (None, Meaning.RETURN)


def is_in_part(world: World, index: int) -> bool:
    """Whether it takes back only the items that it refers to."""
    return adjusts(world, index) == (CREDIT, "06")


def adjusted_lines(world: World, index: int, lines: list[OrderLine]) -> list[OrderLine]:
    """Of a sale's lines those that a credit or debit note is about: a tenth of the price of one, one alone, or all."""
    if not lines or adjusts(world, index) is None:
        return lines
    if meaning(world, index) is Meaning.VALUE:
        return [lines[0]._replace(unit_cents=max(1, lines[0].unit_cents // 10), discount_cents=0)]
    return lines[:1] if is_in_part(world, index) else lines
