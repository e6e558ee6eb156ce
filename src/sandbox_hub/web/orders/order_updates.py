"""Reading what public clients write to an order: often the whole order, of which only some fields can be changed.

The lenient twin of `order_bodies`: what it does not know, and what is empty, is passed over; what it does know must
be right all the same (a wrong value is 422).
"""

from __future__ import annotations

from typing import Any

from sandbox_hub.web.orders.order_bodies import (
    SHIP_CONFIRMED,
    TRACKING_DATES,
    Move,
    key_of,
    moment_of,
    text_of,
    whole_of,
)
from sandbox_hub.web.responses import bad_request, bad_value
from sandbox_hub.world.orders.order_lifecycle import Status
from sandbox_hub.world.timeline import DAY, utc_time

_TRACKING_TEXTS = ("carrier", "number", "url")


def read_written_back(body: Any, order_id: int, now: int, fixed: Status | None, present: Status) -> Move:
    """The move that a body asks for; `fixed` is the status that the path names, `present` the order's own.

    A body that says nothing of the status leaves it as it is.
    """
    if not isinstance(body, dict):
        raise bad_request("O corpo deve ser um objeto.")
    if _given(body, "order_id", order_id) not in (order_id, str(order_id)):
        raise bad_value("O campo order_id deve ser o id que está no endereço.")
    status = fixed or _status(_given(body, "status", present))
    if fixed is None and status is present and _given(body, "deliveryStatus") is not None:
        if body["deliveryStatus"] != SHIP_CONFIRMED:
            raise bad_value("Valor inválido para deliveryStatus.", f"Aceitos: {SHIP_CONFIRMED}")
        return Move(None)
    invoice = read_invoice(_object(_given(body, "invoice", {}), "invoice"), now)
    tracking = read_tracking(_object(_given(body, "tracking", {}), "tracking"))
    if fixed is None and "status" not in body and not invoice and not tracking:
        raise bad_request("O corpo deve conter status, deliveryStatus, invoice ou tracking.")
    return Move(status, invoice or None, tracking)


def _status(value: Any) -> Status:
    if not isinstance(value, str) or value not in set(Status):
        shown = value[:60] if isinstance(value, str) else type(value).__name__
        raise bad_value(f"Valor inválido para status: {shown}.", "Aceitos: " + ", ".join(Status))
    return Status(value)


def read_invoice(given: dict[str, Any], now: int) -> dict[str, str]:
    """What an invoice object says, checked field by field; empty where it holds none of the known fields."""
    told: dict[str, str] = {}
    for name, most, least in (("series", 999, 0), ("number", 999_999_999, 1)):
        if name in given:
            told[name] = str(whole_of(given[name], name, most, least=least))
    if "accessKey" in given:
        told["accessKey"] = key_of(given["accessKey"], told.get("series"), told.get("number"))
    if "date" in given:
        issued = moment_of(given["date"], "invoice.date")
        if issued > now + DAY:
            raise bad_value("O campo invoice.date está no futuro.")
        told["date"] = utc_time(issued)
    if "cfop" in given:
        told["cfop"] = text_of(given["cfop"], "invoice.cfop")
    if told and not {"accessKey", "number"} & set(told):
        raise bad_request("O campo invoice deve conter accessKey ou number.")
    return told


def read_tracking(given: dict[str, Any]) -> dict[str, str]:
    """What a tracking object says, checked field by field."""
    told = {name: utc_time(moment_of(given[name], f"tracking.{name}")) for name in TRACKING_DATES if name in given}
    return told | {name: text_of(given[name], f"tracking.{name}") for name in _TRACKING_TEXTS if name in given}


def _object(value: Any, name: str) -> dict[str, Any]:
    """Its fields without the empty ones."""
    if not isinstance(value, dict):
        raise bad_request(f"O campo {name} deve ser um objeto.")
    return {name: entry for name, entry in value.items() if entry is not None and entry != ""}


def _given(body: dict[str, Any], name: str, otherwise: Any = None) -> Any:
    """The field, or `otherwise` where it is absent or null."""
    value = body.get(name)
    return otherwise if value is None else value
