"""What an anomaly changes between papers and orders: who belongs to whom, what refers to what, what took effect."""

from __future__ import annotations

from sandbox_hub.world.anomalies.variants import BY_NAME

REFUSED = "573"  # cStat of an event that the authority did not register
LATE = "150"
_DENIALS = ("301", "302")
# Orders that a paper no longer names: how many of them it keeps.
_ORDERS = {("R1.forgotten", "sale"): -1, ("R2", "sale1"): 0, ("R15.removal", "out2"): 0}
# Papers of the same story that a paper refers to instead.
_REFERS: dict[tuple[str, str], tuple[str, ...]] = {
    ("R8.unknown", "freight"): (),
    ("R8.none", "freight"): (),
    ("R14.nowhere", "devolution"): (),
    ("R14.circle", "sale"): ("devolution",),
    ("R15.removal", "sale2"): (),
    ("R11.complement", "again"): ("freight",),
    ("R11.overcharged", "again"): ("freight",),
    ("R11.substitution", "again"): ("sale", "freight"),
    ("R11.annulment", "again"): ("freight",),
}
_UNKNOWN = frozenset({("R8.unknown", "freight"), ("R14.nowhere", "devolution")})
_COPIED = frozenset({"R7a.outside", "R7a.reserialized"})


def orders_kept(variant: str, paper: str, ranks: tuple[int, ...]) -> tuple[int, ...]:
    """The orders that a paper still belongs to."""
    kept = _ORDERS.get((variant, paper))
    return ranks if kept is None else ranks[:kept]


def refers_instead(variant: str, paper: str) -> tuple[str, ...] | None:
    """The papers that it refers to instead of those of its story; None: it tells the truth."""
    return _REFERS.get((variant, paper))


def refers_to_nothing_known(variant: str, paper: str) -> bool:
    """Whether it refers to a key that no paper has."""
    return (variant, paper) in _UNKNOWN


def status_of(variant: str, paper: str, throw: int) -> str:
    """cStat of the paper's protocol."""
    if BY_NAME[variant].denied == paper:
        return _DENIALS[throw % len(_DENIALS)]
    return LATE if (variant, paper) == ("R6", "sale") else "100"


def refuses(variant: str, paper: str, code: str) -> bool:
    """Whether the authority did not register this event of the paper."""
    return BY_NAME[variant].refused == (paper, code)


def is_copied(variant: str, paper: str) -> bool:
    """Whether the hub has the paper twice, with other bytes the second time."""
    return variant in _COPIED and paper == "sale"


def packing(variant: str, paper: str) -> tuple[int, int] | None:
    """Which package of how many a sale is; None: as its story says. The first of one is the whole order."""
    whole = (variant, paper) in {("R2", "sale0"), ("R7b", "sale0"), ("R7b", "sale1")}
    return (0, 1) if whole else None
