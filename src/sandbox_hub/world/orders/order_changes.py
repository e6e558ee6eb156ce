"""What clients wrote to orders, and what an order is then: its own life with those changes in between."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sandbox_hub.world.orders.order_lifecycle import Status

# An order's own life only goes on forwards from where a client has moved it.
_FORWARDS = (
    Status.PENDING,
    Status.PAID_WAITING_SHIP,
    Status.INVOICED,
    Status.PAID_WAITING_DELIVERY,
    Status.CONCLUDED,
)
_SHIPPED = (Status.PAID_WAITING_DELIVERY, Status.CONCLUDED)
_ENDS_RESERVATION = (*_SHIPPED, Status.CANCELED)
_ROOM = 16  # more than an order's own stages


@dataclass(frozen=True, slots=True)
class Change:
    """One accepted write, or what came of one: `at` in seconds; what is None or empty stays as it was.

    `early_shipment` True: an early shipment was asked for, and what comes of it is a change of its own later.
    `failure`: why it was refused.
    """

    at: int
    status: Status | None = None
    invoice: Mapping[str, str] | None = None
    tracking: Mapping[str, str] = field(default_factory=dict)
    early_shipment: bool = False
    failure: str = ""

    def as_json(self) -> dict[str, Any]:
        """As the state file keeps it: what says nothing is left out."""
        told = {
            "at": self.at,
            "status": self.status,
            "invoice": None if self.invoice is None else dict(self.invoice),
            "tracking": dict(self.tracking),
            "earlyShipment": self.early_shipment,
            "failure": self.failure,
        }
        return {name: value for name, value in told.items() if value}

    @classmethod
    def from_json(cls, told: Mapping[str, Any]) -> Change:
        status = told.get("status")
        return cls(
            at=told["at"],
            status=None if status is None else Status(status),
            invoice=told.get("invoice"),
            tracking=told.get("tracking", {}),
            early_shipment=told.get("earlyShipment", False),
            failure=told.get("failure", ""),
        )


@dataclass(frozen=True, slots=True)
class Standing:
    """What an order is at a moment. `lived` are the stages that its own life came to, with their times, `passed` every
    status it had; `stage` grows with every change and names it in the feed; `invoice` and `tracking` are what clients
    wrote, `failure` why an early shipment failed. `left_stock` is when its goods were first shipped or set free."""

    status: Status
    changed: int
    stage: int
    lived: Mapping[Status, int]
    passed: frozenset[Status]
    invoice: Mapping[str, str] | None = None
    tracking: Mapping[str, str] = field(default_factory=dict)
    failure: str = ""
    waits_for_shipment: bool = False
    left_stock: int | None = None

    @property
    def was_shipped(self) -> bool:
        """Whether its goods were ever on their way."""
        return not self.passed.isdisjoint(_SHIPPED)


def standing(life: Iterable[tuple[Status, int]], changes: Sequence[Change], now: int) -> Standing:
    """What an order is at `now`: its own `life` so far, with the changes that were made to it by then.

    `changes` are in the order in which they were written: a clock that was moved back writes earlier moments later.
    """
    stages = list(life)
    last, at = stages[-1]
    left = next((moment for status, moment in stages if status in _ENDS_RESERVATION), None)
    found = Standing(last, at, len(stages), dict(stages), frozenset(dict(stages)), left_stock=left)
    made = [change for change in changes if change.at <= now]
    if not made:
        return found
    newest = max(number for number, change in enumerate(changes, 1) if change.at <= now)
    first, placed = stages[0]
    left = placed if first in _ENDS_RESERVATION else None
    found = Standing(first, placed, newest * _ROOM + len(stages), {first: placed}, frozenset({first}), left_stock=left)
    steps = [(at, Change(at, status), True) for status, at in stages[1:]]
    steps += [(change.at, change, False) for change in made]
    steps.sort(key=lambda step: step[0])  # stable: what happened by itself in the same second came first
    for at, change, by_itself in steps:
        if by_itself and not _goes_on(found.status, change.status):
            continue
        status = change.status or found.status
        found = replace(
            found,
            status=status,
            changed=at,
            lived={**found.lived, status: at} if by_itself else found.lived,
            passed=found.passed | {status},
            invoice=change.invoice or found.invoice,
            tracking={**found.tracking, **change.tracking},
            failure=change.failure,
            waits_for_shipment=change.early_shipment,
            left_stock=at if found.left_stock is None and status in _ENDS_RESERVATION else found.left_stock,
        )
    return found


def _goes_on(now: Status, then: Status | None) -> bool:
    """Whether an order's own life still has this stage: forwards only, and nothing comes after a cancellation."""
    if then is None or now is Status.CANCELED:
        return False
    return then is Status.CANCELED or _FORWARDS.index(then) > _FORWARDS.index(now)
