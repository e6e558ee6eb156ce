"""What comes of an early shipment: the hub accepts it at once and shows the result at the order later.

Source: the hub's specification, States and transitions: where it fails, the order keeps its status and has
`transmissionStatus` ERROR with a message; where it is accepted, the status moves on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from confere.hub.orders.order_writes import has_made
from confere.hub.orders.orders import HubOrder, order
from confere.hub.retry.rate import StopSignal
from confere.hub.session import HubSession
from confere.sales.order import TRANSMISSION_ERROR, Order
from confere.sales.order_moves import OrderMove, OrderMoveKind

WAITS: Final = (0.2, 0.4, 0.8, 1.6, 3.0)
"""Seconds before each further look at the order; a marketplace that takes longer is looked at by the next sync."""
_MOVE: Final = OrderMove(OrderMoveKind.EARLY_SHIPMENT)


class ShipmentResult(Enum):
    SHIPPED = auto()
    DECLINED = auto()  # the order says why
    WAITING = auto()


@dataclass(frozen=True, slots=True)
class ShipmentAnswer:
    """What the order shows of its early shipment, and the order as it was read last."""

    result: ShipmentResult
    order: HubOrder


def failure_of(found: Order) -> str | None:
    """Why the order's transmission failed, in the hub's words (empty where it has none); None where it did not."""
    if (found.transmission_status or "").upper() != TRANSMISSION_ERROR:
        return None
    return found.transmission_message or ""


def wait_for_result(
    session: HubSession,
    order_id: str,
    before: Order,
    first: HubOrder,
    stop: StopSignal,
    *,
    waits: Sequence[float] = WAITS,
) -> ShipmentAnswer:
    """Read the order until it shows the result or the waits are over; `first` is what it was right after the sending.

    A failure that was there `before` counts again only where the order was without it in between, or was changed by
    the hub after `first`: it may be that of the earlier try. Raises `HubError` and `Cancelled` as reading does.
    """
    latest, is_fresh = first, False
    for seconds in (*waits, None):
        failure = failure_of(latest.order)
        is_fresh = is_fresh or failure != failure_of(before) or latest.order.updated_at != first.order.updated_at
        if has_made(latest.order, _MOVE):
            return ShipmentAnswer(ShipmentResult.SHIPPED, latest)
        if failure is not None and is_fresh:
            return ShipmentAnswer(ShipmentResult.DECLINED, latest)
        if seconds is None or stop.wait(seconds):
            break
        latest = order(session, order_id, stop=stop)
    return ShipmentAnswer(ShipmentResult.WAITING, latest)
