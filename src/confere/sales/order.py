"""A marketplace order, whole, as frozen values in the terms of the hub's specification.

Units: money is an integer number of centavos; quantities are exact `Decimal`. Times are as written by the hub
(ISO 8601, UTC there). A field that the order lacks is None; a status that the specification does not name stays
as it is written.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from functools import lru_cache
from typing import Final

from confere.errors import N_, NC_
from confere.system.plain_text import folded

READER: Final = 3
"""Raised when more is read of an order's JSON: rows that an older reader made are then read again."""


class OrderStatus(StrEnum):
    """The specification's statuses; others may come, and are kept as text."""

    PENDING = "PENDING"
    PAID_WAITING_SHIP = "PAID_WAITING_SHIP"
    INVOICED = "INVOICED"
    PAID_WAITING_DELIVERY = "PAID_WAITING_DELIVERY"
    CONCLUDED = "CONCLUDED"
    CANCELED = "CANCELED"


RETURNED: Final = "RETURNED"
"""The goods came back. Not of the specification: marketplaces say so in lists of orders."""
REFUNDED: Final = "REFUNDED"
"""The buyer got the money back; as `RETURNED`."""
KNOWN_STATUSES: Final = frozenset({*(status.value for status in OrderStatus), RETURNED, REFUNDED})
"""All that Confere knows the meaning of."""
STATUS_MEANINGS: Final[Mapping[str, str]] = {
    "pending": OrderStatus.PENDING.value,
    "paid": OrderStatus.PAID_WAITING_SHIP.value,
    "invoiced": OrderStatus.INVOICED.value,
    "shipped": OrderStatus.PAID_WAITING_DELIVERY.value,
    "delivered": OrderStatus.CONCLUDED.value,
    "cancelled": OrderStatus.CANCELED.value,
    "returned": RETURNED,
    "refunded": REFUNDED,
}
"""What a person can say that a word means, and the status it is."""
STATUS_WORDS: Final[Mapping[str, str]] = {
    OrderStatus.PENDING.value: N_("waiting for payment"),
    OrderStatus.PAID_WAITING_SHIP.value: N_("paid, to be invoiced"),
    OrderStatus.INVOICED.value: N_("invoiced"),
    OrderStatus.PAID_WAITING_DELIVERY.value: N_("shipped"),
    OrderStatus.CONCLUDED.value: N_("delivered"),
    OrderStatus.CANCELED.value: N_("cancelled"),
    RETURNED: NC_("order", "returned"),
    REFUNDED: N_("refunded"),
}
"""What each status of `KNOWN_STATUSES` is called: ids of the catalogue."""
STATUS_MEANING_WORDS: Final[Mapping[str, str]] = {
    meaning: STATUS_WORDS[status] for meaning, status in STATUS_MEANINGS.items()
}
"""What each of `STATUS_MEANINGS` is called."""
TRANSMISSION_ERROR: Final = "ERROR"
"""The `transmission_status` of an order that could not be told to its marketplace; the message says why."""
INVOICED_STATUSES = frozenset({OrderStatus.INVOICED, OrderStatus.PAID_WAITING_DELIVERY, OrderStatus.CONCLUDED})
"""In these an order must have its invoice (R1)."""


_GIVEN_BACK: Final = re.compile(
    r"(?<![a-z])(?:devol|reembols|estorn|ressarc|charge ?back|contesta|refund|return|devuel)", re.ASCII
)
_NOT_GIVEN_BACK: Final = re.compile(r"(?<![a-z])(?:nao|no|not|sem|sin|without|un)(?![a-z])", re.ASCII)


@lru_cache(1_024)
def gives_back(status: str) -> bool:
    """Whether a status says that goods or money went back to the buyer, in part or whole, be it under way.

    `status` is a status of ours or a marketplace's word for it, in Portuguese, Spanish or English: hubs hand on both.
    """
    plain = folded(status).replace("_", " ")
    return _GIVEN_BACK.search(plain) is not None and _NOT_GIVEN_BACK.search(plain) is None


@dataclass(frozen=True, slots=True)
class OrderItem:
    """One line. `code` is the seller's own SKU (`sku.partnerId`)."""

    code: str | None
    ean: str | None
    description: str | None
    quantity: Decimal | None
    unit_cents: int | None
    discount_cents: int | None
    gross_cents: int | None
    total_cents: int | None

    @property
    def before_discount_cents(self) -> int | None:
        """What the line costs before its discount, as `vProd` of a note's item does."""
        if self.gross_cents is None and self.unit_cents is not None and self.quantity is not None:
            return round(self.unit_cents * self.quantity)
        return self.total_cents if self.gross_cents is None else self.gross_cents


@dataclass(frozen=True, slots=True)
class OrderPayment:
    """One payment, with what the marketplace and the payment gateway keep of it where the hub says."""

    method: str | None
    status: str | None
    amount_cents: int | None
    marketplace_fee_cents: int | None = None
    gateway_fee_cents: int | None = None


@dataclass(frozen=True, slots=True)
class Buyer:
    """`tax_id` as the hub gives it without punctuation; a hub that masks it writes `*` for what it hides."""

    id: str | None = None
    name: str | None = None
    email: str | None = None
    tax_id: str | None = None
    tax_id_type: str | None = None
    phone: str | None = None


@dataclass(frozen=True, slots=True)
class Shipping:
    city: str | None = None
    uf: str | None = None
    country: str | None = None
    address: str | None = None
    postal_code: str | None = None


@dataclass(frozen=True, slots=True)
class OrderInvoice:
    """What the order says about its invoice."""

    series: int | None = None
    number: int | None = None
    access_key: str | None = None
    issued_at: str | None = None


@dataclass(frozen=True, slots=True)
class Tracking:
    at: str | None = None
    shipped_at: str | None = None
    estimated_at: str | None = None
    delivered_at: str | None = None
    ready_by: str | None = None  # bufferingDate
    carrier: str | None = None
    number: str | None = None
    url: str | None = None


@dataclass(frozen=True, slots=True)
class Order:
    """`hub_id` is the hub's own id; `marketplace_id` the marketplace's.

    `marketplace_number` is the number that the marketplace shows to people, `partner_id` the one that the seller's own
    system gave the order: documents quote either. `interest_cents` is what the buyer pays for paying later.
    `fulfillment` says who ships, in the hub's word. `updated_at` is when the hub last changed the order.
    """

    hub_id: str
    created_at: str | None = None
    status: str | None = None
    marketplace: str | None = None
    marketplace_id: str | None = None
    marketplace_status: str | None = None
    shipment_status: str | None = None
    transmission_status: str | None = None
    transmission_message: str | None = None
    total_cents: int | None = None
    gross_cents: int | None = None
    discount_cents: int | None = None
    freight_cents: int | None = None
    buyer: Buyer = Buyer()
    shipping: Shipping = Shipping()
    invoice: OrderInvoice | None = None
    tracking: Tracking | None = None
    items: tuple[OrderItem, ...] = ()
    payments: tuple[OrderPayment, ...] = ()
    partner_id: str | None = None
    marketplace_number: str | None = None
    interest_cents: int | None = None
    fulfillment: str | None = None
    updated_at: str | None = None


@dataclass(frozen=True, slots=True)
class Return:
    """A return booked at the hub; `kind` is `total` or `partial` where the hub says."""

    hub_id: str
    order_id: str | None
    kind: str | None
    status: str | None
    created_at: str | None
    access_key: str | None  # of its return invoice
    total_cents: int | None
    items: tuple[OrderItem, ...] = ()
