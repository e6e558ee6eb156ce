"""Tax rates of the sandbox's calendar, in hundredths of a percent (1800 is 18%).

ICMS between states: Senate resolutions 22/1989 and 13/2012. Inside a state: the general rate in force in 2025.
Reform: the test rates of 2026 (complementary law 214/2025, articles 343 and 346).
"""

from __future__ import annotations

INSIDE = {
    "AC": 1900,
    "AL": 1900,
    "AM": 2000,
    "AP": 1800,
    "BA": 2050,
    "CE": 2000,
    "DF": 2000,
    "ES": 1700,
    "GO": 1900,
    "MA": 2300,
    "MG": 1800,
    "MS": 1700,
    "MT": 1700,
    "PA": 1900,
    "PB": 2000,
    "PE": 2050,
    "PI": 2250,
    "PR": 1950,
    "RJ": 2000,
    "RN": 2000,
    "RO": 1950,
    "RR": 2000,
    "RS": 1700,
    "SC": 1700,
    "SE": 1900,
    "SP": 1800,
    "TO": 2000,
}
POVERTY_FUND = {"RJ": 200}  # FCP on sales to final consumers
PIS = 165
COFINS = 760
REFORM_STARTS = 2026  # year of the first notes that carry the groups
IBS_STATE = 10
IBS_CITY = 0
CBS = 90

_RICH = frozenset({"MG", "PR", "RJ", "RS", "SC", "SP"})
_IMPORTED = frozenset({1, 2, 3, 8})


def between(origin: str, destination: str, goods_origin: int = 0) -> int:
    """ICMS on what goes from one state to another (`goods_origin` is the item's `orig`), or inside one."""
    if origin == destination:
        return INSIDE[origin]
    if goods_origin in _IMPORTED:
        return 400
    return 700 if origin in _RICH and destination not in _RICH else 1200


def part(cents: int, rate: int) -> int:
    """`rate` of an amount, rounded half up to the centavo."""
    return (cents * rate + 5000) // 10000
