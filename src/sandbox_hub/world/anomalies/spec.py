"""Which anomalies a world has and how often, as it is asked for on a command line."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from sandbox_hub.errors import SandboxError
from sandbox_hub.options import CLEAN_MONTHS, NONE
from sandbox_hub.world.anomalies.variants import BY_NAME, RULES, VARIANTS
from sandbox_hub.world.timeline import DAY, HUB_ZONE

ALL = "all"
MILLION = 1_000_000
_MONTH = re.compile(r"20\d\d-(0[1-9]|1[0-2])", re.ASCII)
_AROUND = 2 * DAY  # a story that touches a clean month's edge may tell its finding inside


@dataclass(frozen=True, slots=True)
class Spec:
    """`rates`: of every anomaly wanted, how many of a million stories that could carry it do; None: the usual.

    `clean`: stretches of time (seconds) in which nothing is planted.
    """

    rates: tuple[tuple[str, int | None], ...] = ()
    clean: tuple[tuple[int, int], ...] = ()


def read_spec(text: str, clean_months: Iterable[str] = CLEAN_MONTHS) -> Spec:
    """`none`, `all`, or a list like `R1=0.02,R11.open=0.3,R12`: rules or single branches, with their rates.

    Raises SandboxError for anything else.
    """
    clean = tuple(_stretch(month) for month in clean_months)
    if text.strip() in ("", NONE):
        return Spec((), clean)
    if text.strip() == ALL:
        return Spec(tuple((variant.name, None) for variant in VARIANTS), clean)
    rates: dict[str, int | None] = {}
    for entry in text.split(","):
        name, given, rate = (part.strip() for part in entry.partition("="))
        named = [variant.name for variant in VARIANTS if name in (variant.name, variant.rule)]
        if not named:
            raise SandboxError(
                f"There is no anomaly {name!r}. Choose {NONE}, {ALL}, or of {', '.join(RULES)},"
                f" or a branch of one: {', '.join(found for found in BY_NAME if '.' in found)}."
            )
        rates |= dict.fromkeys(named, _rate(entry, rate) if given else None)
    return Spec(tuple(rates.items()), clean)


def _rate(entry: str, rate: str) -> int:
    try:
        millionths = round(float(rate) * MILLION)
    except (ValueError, OverflowError):
        millionths = -1
    if not 0 < millionths <= MILLION:
        raise SandboxError(f"The rate in {entry!r} must be a share above 0 and up to 1, like R1=0.02.")
    return millionths


def _stretch(month: str) -> tuple[int, int]:
    if not _MONTH.fullmatch(month):
        raise SandboxError(f"A clean month is written like 2026-02, not {month!r}.")
    year, number = int(month[:4]), int(month[5:])
    start = datetime(year, number, 1, tzinfo=HUB_ZONE)
    end = datetime(year + number // 12, number % 12 + 1, 1, tzinfo=HUB_ZONE)
    return int(start.timestamp()) - _AROUND, int(end.timestamp()) + _AROUND
