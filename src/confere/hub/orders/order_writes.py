"""Writing to an order of the hub: the request as exact bytes that can be shown first, and sending it once.

The specification (PUT /orders/{id}) wants `order_id`, the status and what belongs to it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC

from confere.errors import HubAnswerUnreadable, HubBroken, HubError, HubNotFound, HubRefusedRequest, HubUnreachable
from confere.hub.documents.documents import segment
from confere.hub.json.json_values import moment
from confere.hub.orders.orders import HubOrder, order
from confere.hub.retry.rate import StopSignal
from confere.hub.session import HubSession
from confere.sales.order import Order, OrderInvoice, OrderStatus

METHOD = "PUT"
_TRIES = 3  # of sending, where reading shows each time that nothing had arrived


@dataclass(frozen=True, slots=True)
class InvoiceWrite:
    """The request that gives an order its invoice. `path` is below the account's address, `body` what is sent."""

    order_id: str
    path: str
    body: bytes
    invoice: OrderInvoice


def invoice_write(order_id: str, invoice: OrderInvoice) -> InvoiceWrite:
    """The request that moves an order to INVOICED with this invoice.

    Raises `ValueError` where series, number, key or date is missing: the specification wants all four.
    """
    issued = moment(invoice.issued_at)
    if invoice.series is None or invoice.number is None or not invoice.access_key or issued is None:
        raise ValueError("an invoice has series, number, access key and date")
    told = {
        "order_id": order_id,
        "status": OrderStatus.INVOICED.value,
        "invoice": {
            "series": str(invoice.series),
            "number": str(invoice.number),
            "accessKey": invoice.access_key,
            "date": issued.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        },
    }
    body = json.dumps(told, ensure_ascii=False).encode()
    return InvoiceWrite(order_id, f"/orders/{segment(order_id)}", body, invoice)


def has_invoice(found: Order, invoice: OrderInvoice) -> bool:
    """Whether the order names this very invoice."""
    return found.invoice is not None and found.invoice.access_key == invoice.access_key


def set_invoice(session: HubSession, write: InvoiceWrite, *, stop: StopSignal | None = None) -> HubOrder | None:
    """Send the request as it stands, and give the order as the hub has it then; None where it accepted the request
    and does not show the order.

    Where an answer got lost, the order is read first, and the same is sent again only where it did not arrive and
    nobody else gave the order an invoice meanwhile. Raises `HubRefusedRequest`, `HubNotFound` and `HubRefusedToken`
    with the hub's words where it refuses, `HubTooBusy` where it took nothing; after any other `HubError` nobody
    knows whether it arrived.
    """
    lost: HubError | None = None
    for _ in range(_TRIES):
        lost = _sent(session, write, stop)
        try:
            found = order(session, write.order_id, stop=stop)
        except HubError as error:
            if lost is None and isinstance(error, HubNotFound | HubRefusedRequest):
                return None
            # Of the reading, whatever it says: that the request was refused is not known.
            raise lost or HubBroken(error.what, error.remedy, status=error.status, hub_words=error.hub_words) from error
        if lost is None or has_invoice(found.order, write.invoice):
            return found
        if found.order.invoice is not None and found.order.invoice.access_key is not None:
            break
    assert lost is not None
    raise lost


def _sent(session: HubSession, write: InvoiceWrite, stop: StopSignal | None) -> HubError | None:
    """What kept an answer from coming, where the request may have arrived all the same."""
    try:
        session.put(write.path, write.body, once=True, stop=stop)
    except (HubUnreachable, HubBroken, HubAnswerUnreadable) as error:
        return error
    return None
