"""Which faults a sandbox has and how often; the draw for each request, the same for the same seed."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum

from sandbox_hub.errors import SandboxError
from sandbox_hub.world.seeded_random import Die

BURST = 4  # requests in a row that a burst of 429 refuses


class Fault(StrEnum):
    RATE_429 = "rate429"  # bursts of 429
    ERROR_5XX = "error5xx"  # 500, 502 or 503
    SLOW = "slow"  # a fraction of a second late
    RESET = "reset"  # the connection is torn down before or amid the answer
    TRUNCATED = "truncated"  # XML cut short, with the length of what is left
    HTML = "html"  # a page for people, with status 200
    SHIFT = "shift"  # items missing from one answer, so that offsets move
    IGNORE_DATES = "ignore-dates"  # date filters echoed in the links and not applied
    NO_ID = "no-id"  # list items without their id
    NO_DATES = "no-dates"  # list items without their dates
    REDIRECT = "redirect"  # downloads sent to another host


# Transient faults: the share of requests that they hit.
_TRANSIENT = {
    Fault.RATE_429: 0.03,
    Fault.ERROR_5XX: 0.03,
    Fault.SLOW: 0.02,
    Fault.RESET: 0.02,
    Fault.TRUNCATED: 0.03,
    Fault.HTML: 0.02,
    Fault.SHIFT: 0.05,
}
# Standing faults: traits of the deployment; the rate is the share of items or downloads that show them.
_STANDING = {Fault.IGNORE_DATES: 1.0, Fault.NO_ID: 0.25, Fault.NO_DATES: 1.0, Fault.REDIRECT: 1.0}
_ALL = (*_TRANSIENT, Fault.NO_ID, Fault.REDIRECT)


@dataclass(frozen=True, slots=True)
class Mishap:
    """What goes wrong with one request; `throw` decides the details."""

    fault: Fault
    throw: int


class FaultPlan:
    """The faults of one environment and their rates."""

    def __init__(self, seed: int, rates: Mapping[Fault, float]) -> None:
        self.rates = dict(rates)
        self._dice = {fault: Die(seed, f"fault:{fault}") for fault in Fault}

    def draw(self, request: int, possible: Collection[Fault]) -> Mishap | None:
        """What happens to request number `request`, of the `possible` transient faults."""
        for fault in _TRANSIENT:
            if fault not in possible or fault not in self.rates:
                continue
            drawn = request // BURST if fault is Fault.RATE_429 else request
            if self._dice[fault].unit(2 * drawn) < self.rates[fault]:
                return Mishap(fault, self._dice[fault](2 * request + 1))
        return None

    def shows(self, fault: Fault, index: int) -> bool:
        """Whether standing `fault` shows on item `index`."""
        rate = self.rates.get(fault, 0.0)
        return rate > 0 and self._dice[fault].unit(index) < rate


def parse_faults(text: str) -> dict[Fault, float]:
    """Read `rate429,slow=0.5,…`; `all` is every transient fault with `no-id` and `redirect`.

    Raises SandboxError for a name that is not a fault or a rate outside 0 to 1.
    """
    rates: dict[Fault, float] = {}
    for entry in filter(None, (part.strip() for part in text.split(","))):
        name, has_rate, rate = entry.partition("=")
        if name != "all" and name not in set(Fault):
            raise SandboxError(f"There is no fault named {name!r}; there are all, {', '.join(Fault)}.")
        faults = _ALL if name == "all" else (Fault(name),)
        try:
            given = float(rate) if has_rate else None
        except ValueError:
            given = -1.0
        if given is not None and not 0 <= given <= 1:
            raise SandboxError(f"The rate of fault {name} must be a number from 0 to 1, not {rate!r}.")
        for fault in faults:
            usual = _TRANSIENT.get(fault, _STANDING.get(fault, 1.0))
            rates[fault] = usual if given is None else given
    return rates
