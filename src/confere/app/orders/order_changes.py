"""What changed between two versions of an order's JSON, field by field, in words where the field is known."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from confere.errors import N_, Message

MOST_FIELDS: Final = 2_000
"""Of one version that are compared; no honest order has as many."""
_KNOWN: Final[Mapping[str, str]] = {
    "status": N_("Status"),
    "marketPlaceStatus": N_("Status at the marketplace"),
    "marketPlaceShipmentStatus": N_("Status of the shipment"),
    "transmissionStatus": N_("Transmission"),
    "transmissionMessage": N_("Transmission's message"),
    "deliveryStatus": N_("Delivery"),
    "lastUpdate": N_("Last change at the hub"),
    "gross": N_("Goods"),
    "discount": N_("Discount"),
    "freight": N_("Freight"),
    "total": N_("Total"),
    "invoice.series": N_("Invoice: series"),
    "invoice.number": N_("Invoice: number"),
    "invoice.accessKey": N_("Invoice: access key"),
    "invoice.date": N_("Invoice: date"),
    "tracking.date": N_("Shipment: date"),
    "tracking.shippedDate": N_("Shipped"),
    "tracking.estimateDate": N_("Expected"),
    "tracking.deliveredDate": N_("Delivered"),
    "tracking.bufferingDate": N_("Ready by"),
    "tracking.carrier": N_("Carrier"),
    "tracking.number": N_("Tracking number"),
    "tracking.url": N_("Tracking address"),
}
_INDEX: Final = re.compile(r"\[[0-9]+\]")


@dataclass(frozen=True, slots=True)
class FieldChange:
    """A field that two versions tell differently: `path` as in the JSON, `label` in words where it is a known one.

    `before` and `after` are texts; None where that version has no such field.
    """

    path: str
    label: Message | None
    before: str | None
    after: str | None


def changes(older: bytes, newer: bytes) -> tuple[FieldChange, ...]:
    """The fields that differ, in the order of the newer version, then those that only the older one has.

    What is no JSON has no field.
    """
    before, after = _fields(older), _fields(newer)
    paths = dict.fromkeys((*after, *before))
    return tuple(
        FieldChange(path, _label(path), before.get(path), after.get(path))
        for path in paths
        if before.get(path) != after.get(path)
    )


def _label(path: str) -> Message | None:
    known = _KNOWN.get(_INDEX.sub("", path))
    return None if known is None else Message(known)


def _fields(raw: bytes) -> dict[str, str]:
    try:
        value = json.loads(raw, parse_float=str, parse_int=str)
        values: dict[str, str] = {}
        for path, text in _leaves(value, ""):
            if len(values) == MOST_FIELDS:
                break
            values[path] = text
    except (ValueError, RecursionError):
        return {}
    return values


def _leaves(value: object, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _leaves(inner, f"{path}.{name}" if path else str(name))
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from _leaves(inner, f"{path}[{number}]")
    elif value is not None:
        yield path, value if isinstance(value, str) else json.dumps(value)
