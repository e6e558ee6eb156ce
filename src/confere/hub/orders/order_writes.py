"""Writing to an order of the hub: the request as exact bytes that can be shown first, and sending it once.

The specification (PUT /orders/{id}) wants `order_id`, the status and what belongs to it; an early shipment is asked
for by `deliveryStatus` alone.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from confere.errors import HubAnswerUnreadable, HubBroken, HubError, HubNotFound, HubRefusedRequest, HubUnreachable
from confere.hub.documents.documents import segment
from confere.hub.json.json_values import moment
from confere.hub.orders.orders import HubOrder, order
from confere.hub.retry.rate import StopSignal
from confere.hub.session import HubSession
from confere.sales.order import Order, OrderInvoice, OrderStatus, Tracking
from confere.sales.order_moves import TARGETS, OrderMove, OrderMoveKind

METHOD = "PUT"
_TRIES = 3  # of sending, where reading shows each time that nothing had arrived
_SHIP_CONFIRMED: Final = "SHIP_CONFIRMED"
_SHIPPED: Final = (OrderStatus.PAID_WAITING_DELIVERY, OrderStatus.CONCLUDED)
_DATES: Final = {
    "shippedDate": "shipped_at",
    "estimateDate": "estimated_at",
    "deliveredDate": "delivered_at",
}
_TEXTS: Final = {"carrier": "carrier", "number": "number", "url": "url"}


@dataclass(frozen=True, slots=True)
class OrderWrite:
    """The request that makes a move. `path` is below the account's address, `body` what is sent."""

    order_id: str
    path: str
    body: bytes
    move: OrderMove


def order_write(order_id: str, move: OrderMove) -> OrderWrite:
    """The request that makes this move of an order.

    Raises `ValueError` where the move lacks what the specification wants: of an invoice series, number, key and date,
    of a shipment or delivery its date.
    """
    if move.is_asynchronous:
        body: dict[str, Any] = {"order_id": order_id, "deliveryStatus": _SHIP_CONFIRMED}
    else:
        body = {"order_id": order_id, "status": TARGETS[move.kind].value}
    if move.kind is OrderMoveKind.INVOICED:
        body["invoice"] = _invoice(move.invoice)
    elif move.kind in (OrderMoveKind.SHIPPED, OrderMoveKind.DELIVERED):
        body["tracking"] = _tracking(move)
    return OrderWrite(order_id, f"/orders/{segment(order_id)}", json.dumps(body, ensure_ascii=False).encode(), move)


def has_made(found: Order, move: OrderMove) -> bool:
    """Whether the order shows this very move: its status, and the invoice, dates and texts that were told with it.

    Of an invoice the key alone counts, whatever the status: the order may have gone on since.
    """
    if move.kind is OrderMoveKind.INVOICED:
        told = move.invoice or OrderInvoice()
        return found.invoice is not None and found.invoice.access_key == told.access_key
    if move.is_asynchronous:
        return found.status in _SHIPPED
    if move.kind in (OrderMoveKind.SHIPPED, OrderMoveKind.DELIVERED):
        return found.status in _SHIPPED and _shows(found.tracking or Tracking(), move.tracking or Tracking())
    return found.status == TARGETS[move.kind]


def write_order(
    session: HubSession, write: OrderWrite, before: Order | None = None, *, stop: StopSignal | None = None
) -> HubOrder | None:
    """Send the request as it stands, and give the order as the hub has it then; None where it accepted the request
    and does not show the order.

    Where an answer got lost, the order is read first, and the same is sent again only where it did not arrive and
    nobody else moved the order meanwhile (`before` is the order as it was). An early shipment is never sent again:
    the order does not show whether one is under way. Raises `HubRefusedRequest`, `HubNotFound` and `HubRefusedToken`
    with the hub's words where it refuses, `HubTooBusy` where it took nothing; after any other `HubError` nobody
    knows whether it arrived.
    """
    lost: HubError | None = None
    for _ in range(1 if write.move.is_asynchronous else _TRIES):
        lost = _sent(session, write, stop)
        try:
            found = order(session, write.order_id, stop=stop)
        except HubError as error:
            if lost is None and isinstance(error, HubNotFound | HubRefusedRequest):
                return None
            # Of the reading, whatever it says: that the request was refused is not known.
            raise lost or HubBroken(error.what, error.remedy, status=error.status, hub_words=error.hub_words) from error
        if lost is None or has_made(found.order, write.move):
            return found
        if _was_moved(found.order, before, write.move):
            break
    assert lost is not None
    raise lost


def _was_moved(found: Order, before: Order | None, move: OrderMove) -> bool:
    """Whether somebody else wrote to the order meanwhile."""
    if move.kind is OrderMoveKind.INVOICED and found.invoice is not None and found.invoice.access_key is not None:
        return True
    return before is not None and found.status != before.status


def _sent(session: HubSession, write: OrderWrite, stop: StopSignal | None) -> HubError | None:
    """What kept an answer from coming, where the request may have arrived all the same."""
    try:
        session.put(write.path, write.body, once=True, stop=stop)
    except (HubUnreachable, HubBroken, HubAnswerUnreadable) as error:
        return error
    return None


def _invoice(invoice: OrderInvoice | None) -> dict[str, str]:
    told = invoice or OrderInvoice()
    issued = moment(told.issued_at)
    if told.series is None or told.number is None or not told.access_key or issued is None:
        raise ValueError("an invoice has series, number, access key and date")
    return {
        "series": str(told.series),
        "number": str(told.number),
        "accessKey": told.access_key,
        "date": _utc(issued),
    }


def _tracking(move: OrderMove) -> dict[str, str]:
    told = move.tracking or Tracking()
    dates = {name: moment(getattr(told, attribute)) for name, attribute in _DATES.items()}
    if dates["shippedDate" if move.kind is OrderMoveKind.SHIPPED else "deliveredDate"] is None:
        raise ValueError("a shipment has its date, a delivery too")
    texts = {name: getattr(told, attribute) for name, attribute in _TEXTS.items()}
    return {
        **{name: _utc(at) for name, at in dates.items() if at is not None},
        **{name: text for name, text in texts.items() if text},
    }


def _shows(found: Tracking, told: Tracking) -> bool:
    """Whether all that was told of a shipment is there, dates to the second."""
    dates = ((getattr(told, name), getattr(found, name)) for name in _DATES.values())
    texts = ((getattr(told, name), getattr(found, name)) for name in _TEXTS.values())
    return all(_second(there) == _second(ours) for ours, there in dates if ours) and all(
        there == ours for ours, there in texts if ours
    )


def _second(written: str | None) -> str | None:
    at = moment(written)
    return None if at is None else _utc(at)


def _utc(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
