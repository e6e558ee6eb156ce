"""The anomalies: each is a variant of a story of some kind, the same papers and orders with one fact that differs."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Variant:
    """One anomaly. `name` is its rule with the branch behind a dot.

    `kinds`: stories that can carry it. `every`: once in so many cycles of the deck, unless a rate is given.
    `exact`: purchases of which the hub keeps evidence that names their documents; None: all of the story's.
    `denied`: the paper whose use the authority denies. `refused`: the paper whose event of that code (tpEvento) is
    not registered. `settles`: days from the story's last happening until it is a finding.
    `tempts`: it is right as it stands, and only who misreads it calls it a finding of that rule.
    """

    name: str
    kinds: tuple[str, ...]
    every: int = 16
    exact: tuple[int, ...] | None = None
    denied: str = ""
    refused: tuple[str, str] = ("", "")
    settles: int = 3
    tempts: bool = False

    @property
    def rule(self) -> str:
        return self.name.split(".")[0]


_CANCELLATION = "110111"
_SETTLEMENT = "610111"
_CONFIRMATION = "210200"
_NOT_CANCELLED = ("freight", _CANCELLATION)

# Those that fewest stories can carry come first: of two that want one story the first one has it.
VARIANTS: tuple[Variant, ...] = (
    Variant("R4", ("reissued",), denied="sale"),
    Variant("R10.twice", ("freight_again",), refused=_NOT_CANCELLED),
    Variant("R11.complement", ("freight_again",), refused=_NOT_CANCELLED),
    Variant("R11.overcharged", ("freight_again",), refused=_NOT_CANCELLED),
    Variant("R11.substitution", ("freight_again",), refused=_NOT_CANCELLED),
    Variant("R11.annulment", ("freight_again",), refused=_NOT_CANCELLED, settles=13),
    Variant("R11.open", ("settled",), refused=("freight", _SETTLEMENT)),
    Variant("R12", ("voided",)),
    Variant("R16.standing", ("fulfilment",), exact=(), settles=52),
    Variant("R16.oversold", ("fulfilment",), exact=()),
    Variant("R15.sale", ("fulfilment",), exact=(2,), denied="out2"),
    Variant("R15.removal", ("fulfilment",), exact=(2,)),
    Variant("R15.refused", ("fulfilment",), exact=(1,), tempts=True),
    Variant("R16.lost", ("fulfilment",), exact=(), settles=52, tempts=True),
    Variant("R5.reduced", ("refused",)),
    Variant("R13.beyond", ("refused_in_part",)),
    Variant("R1.prepaid", ("prepaid",), denied="sale"),
    Variant("R24", ("consumer",)),
    Variant("R26", ("doubted",), refused=("sale", _CONFIRMATION), settles=14),
    Variant("R2", ("packages",)),
    Variant("R7b", ("packages",)),
    Variant("R5", ("cancelled",), refused=("sale", _CANCELLATION)),
    Variant("R1.forgotten", ("cart",)),
    Variant("R13.missing", ("given_back",), denied="devolution"),
    Variant("R13.quantity", ("given_back",)),
    Variant("R13.value", ("given_back",)),
    Variant("R14.nowhere", ("given_back",)),
    Variant("R14.counterparty", ("given_back",)),
    Variant("R14.circle", ("given_back",)),
    Variant("R17.direction", ("given_back",)),
    Variant("R7c", ("given_back", "shared_freight")),
    Variant("R8.unknown", ("shipped",), settles=13),
    Variant("R8.none", ("shipped",), settles=13),
    Variant("R10.total", ("shipped",)),
    Variant("R6", ("plain",)),
    Variant("R1.denied", ("plain",), denied="sale"),
    Variant("R3", ("plain", "shipped")),
    Variant("R9", ("plain",), settles=14),
    Variant("R17.destination", ("plain",)),
    Variant("R17.cfop", ("plain",)),
    Variant("R25", ("plain", "shipped")),
    Variant("R18", ("plain",)),
    Variant("R7a.outside", ("plain",)),
    Variant("R7a.reserialized", ("plain",)),
    Variant("R19.tampered", ("plain",)),
    Variant("R19.signer", ("plain",)),
)
BY_NAME = {variant.name: variant for variant in VARIANTS}
RULES = tuple(dict.fromkeys(variant.rule for variant in sorted(VARIANTS, key=lambda v: (len(v.rule), v.rule))))
