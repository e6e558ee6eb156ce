"""Reading what a client writes to an order, strictly: a wrong or missing name is 400, a wrong value 422."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from sandbox_hub.paper.keys import check_digit
from sandbox_hub.web.responses import bad_request, bad_value
from sandbox_hub.world.orders.order_lifecycle import Status
from sandbox_hub.world.timeline import DAY, first_second, utc_time

SHIP_CONFIRMED = "SHIP_CONFIRMED"
_INVOICE = ("series", "number", "accessKey", "date")
TRACKING_DATES = ("date", "shippedDate", "estimateDate", "deliveredDate", "bufferingDate")
_TRACKING = (*TRACKING_DATES, "carrier", "number", "url")
_MODELS = ("55", "65")
_LONGEST = 300


@dataclass(frozen=True, slots=True)
class Move:
    """What is asked for: a status with what belongs to it, or (`status` None) an early shipment."""

    status: Status | None
    invoice: dict[str, str] | None = None
    tracking: dict[str, str] = field(default_factory=dict)


def read_move(body: Any, order_id: int, now: int, fixed: Status | None) -> Move:
    """The move that a body asks for; `fixed` is the status that the path already names."""
    known = {"order_id", "status", "deliveryStatus", "invoice", "tracking"}
    given = _object(body, "O corpo", known if fixed is None else known - {"deliveryStatus"}, {"order_id"})
    if given["order_id"] != str(order_id):
        raise bad_value("O campo order_id deve ser o texto do id que está no endereço.")
    if "deliveryStatus" in given:
        _object(given, "O corpo com deliveryStatus", {"order_id", "deliveryStatus"})
        if given["deliveryStatus"] != SHIP_CONFIRMED:
            raise bad_value("Valor inválido para deliveryStatus.", f"Aceitos: {SHIP_CONFIRMED}")
        return Move(None)
    status = _status(given, fixed)
    belongs = {Status.INVOICED: "invoice", Status.PAID_WAITING_DELIVERY: "tracking"}.get(status)
    for name in ("invoice", "tracking"):
        if name in given and name != belongs:
            raise bad_request(f"O campo {name} não faz parte da mudança para {status}.")
    if belongs is not None and belongs not in given:
        raise bad_request(f"O campo {belongs} é obrigatório na mudança para {status}.")
    if status is Status.INVOICED:
        return Move(status, invoice=_invoice(given["invoice"], now))
    if status is Status.PAID_WAITING_DELIVERY:
        return Move(status, tracking=_tracking(given["tracking"]))
    return Move(status)


def _status(given: dict[str, Any], fixed: Status | None) -> Status:
    if "status" not in given:
        if fixed is None:
            raise bad_request("O corpo deve conter status ou deliveryStatus.")
        return fixed
    accepted = [fixed] if fixed is not None else [status for status in Status if status is not Status.PENDING]
    if given["status"] not in accepted:
        raise bad_value(f"Valor inválido para status: {_shown(given['status'])}.", "Aceitos: " + ", ".join(accepted))
    return Status(given["status"])


def _invoice(value: Any, now: int) -> dict[str, str]:
    given = _object(value, "O campo invoice", _INVOICE, _INVOICE)
    series = str(whole_of(given["series"], "series", 999, least=0))
    number = str(whole_of(given["number"], "number", 999_999_999, least=1))
    key = key_of(given["accessKey"], series, number)
    issued = moment_of(given["date"], "invoice.date")
    if issued > now + DAY:
        raise bad_value("O campo invoice.date está no futuro.")
    return {"series": series, "number": number, "accessKey": key, "date": utc_time(issued)}


def _tracking(value: Any) -> dict[str, str]:
    given = _object(value, "O campo tracking", _TRACKING)
    if not {"shippedDate", "deliveredDate"} & set(given):
        raise bad_request("O campo tracking deve conter shippedDate ou deliveredDate.")
    told = {}
    for name, entry in given.items():
        if name in TRACKING_DATES:
            told[name] = utc_time(moment_of(entry, f"tracking.{name}"))
        else:
            told[name] = text_of(entry, f"tracking.{name}")
    return told


def _object(value: Any, what: str, known: Collection[str], needed: Collection[str] = ()) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise bad_request(f"{what} deve ser um objeto.")
    strange = [name for name in value if name not in known]
    if strange:
        raise bad_request(
            f"{what} tem um campo desconhecido: {strange[0][:60]}.", "Aceitos: " + ", ".join(sorted(known))
        )
    lacking = [name for name in needed if name not in value]
    if lacking:
        raise bad_request(f"{what} deve conter o campo {lacking[0]}.")
    return value


def key_of(value: Any, series: str | None, number: str | None) -> str:
    """An access key of a note, of this series and number where they are told too. Refused otherwise."""
    if not isinstance(value, str) or not _is_key(value):
        raise bad_value("O campo invoice.accessKey deve ter 44 posições e um dígito verificador correto.")
    if value[20:22] not in _MODELS:
        raise bad_value("O campo invoice.accessKey não é de uma NF-e nem de uma NFC-e.")
    for told, stands in ((series, value[22:25]), (number, value[25:34])):
        if told is not None and int(told) != int(stands):
            raise bad_value("Os campos invoice.series e invoice.number não conferem com a chave de acesso.")
    return value


def text_of(value: Any, name: str) -> str:
    """A text that is neither empty nor endless. Refused otherwise."""
    if not isinstance(value, str) or not 0 < len(value) <= _LONGEST:
        raise bad_value(f"O campo {name} deve ser um texto de até {_LONGEST} caracteres.")
    return value


def whole_of(value: Any, name: str, most: int, *, least: int) -> int:
    """The number of an invoice's field, written as a number or in digits. Refused otherwise."""
    text = str(value) if isinstance(value, int | str) and not isinstance(value, bool) else ""
    if not (text.isascii() and text.isdigit() and len(text) <= len(str(most)) and least <= int(text) <= most):
        raise bad_value(f"O campo invoice.{name} deve ser um número de {least} a {most}.")
    return int(text)


def _is_key(key: str) -> bool:
    body, digit = key[:43], key[43:]
    plain = body.isascii() and body.isalnum() and body == body.upper() and (body[:6] + body[20:]).isdigit()
    return len(key) == 44 and plain and digit == check_digit(body)


def moment_of(value: Any, name: str) -> int:
    """Seconds of a moment with its offset. Refused otherwise."""
    try:
        moment = first_second(value) if isinstance(value, str) and "T" in value else None
    except (ValueError, OverflowError):
        moment = None
    if moment is None or not 0 <= moment <= _LAST:
        raise bad_value(f"O campo {name} deve ser um horário ISO 8601 com fuso, em UTC.")
    return moment


def _shown(value: Any) -> str:
    return value[:60] if isinstance(value, str) else type(value).__name__


_LAST = int(datetime(2199, 12, 31, tzinfo=UTC).timestamp())
