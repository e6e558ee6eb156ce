"""One publication: a SKU's ad on a marketplace, with its terms, its status and what the marketplace reported."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any, NamedTuple

PRE_VALIDATION = "PRE_VALIDATION"  # /canSave has not said yes
ACCEPTED = "ACCEPTED"  # it has: the seller is asked whether to send
STAND_BY = "STAND_BY"  # the seller said no
UNPUBLISHED = "UNPUBLISHED"  # sent; the specification's word
ACTIVE = "ACTIVE"  # the specification's word
REMOVED = "REMOVED"
UNSENT = frozenset({PRE_VALIDATION, ACCEPTED, STAND_BY})
INTERNAL = UNSENT | {REMOVED}  # the hub's own stages: nobody reports them
_PRICES_KEPT = 50
_CALLS_KEPT = 20


class Part(StrEnum):
    """What the flags onlySync* and update* are about."""

    PRICE = "price"
    STOCK = "stock"
    STATUS = "status"


class Terms(NamedTuple):
    """What the seller offers, amounts in centavos; `only_sync`: the parts that later updates are limited to."""

    price_cents: int
    discount_cents: int | None  # the price after discount
    campaign: str | None
    available: int
    only_sync: tuple[str, ...] = ()

    @property
    def sale_cents(self) -> int:
        """What a buyer pays."""
        return self.price_cents if self.discount_cents is None else self.discount_cents


class AdContent(NamedTuple):
    """What an ad shows beside its price and stock; addresses of images, the order is theirs."""

    title: str
    description: str
    images: tuple[str, ...]


class OfferedSku(NamedTuple):
    """A SKU of the hub: `partner_id` is the seller's own identifier, `offer` what it is sold at now."""

    id: int
    product_id: int
    partner_id: str
    content: AdContent
    offer: Terms


class PriceMoment(NamedTuple):
    """A price and since when (seconds) it is the publication's."""

    since: int
    price_cents: int
    discount_cents: int | None
    campaign: str | None


class Confirmation(NamedTuple):
    """What the marketplace said it shows, and when."""

    at: int
    price_cents: int | None
    discount_cents: int | None
    available: int | None


class HookCall(NamedTuple):
    """One hook that was called: how often it was tried and what came of it; `status` None: no answer."""

    hook: str
    at: int
    tries: int
    delivered: bool
    status: int | None
    reason: str


@dataclass(frozen=True, slots=True)
class Publication:
    """`unsent` are the parts that changed since the marketplace last took an update; `due`: a hook is to be called.

    `revision` counts what the marketplace was to be told of; `sku` is as it was when the publication last followed it.
    Times are seconds, ids the hub's.
    """

    id: int
    sku: OfferedSku
    account_id: int
    marketplace: str
    created: int
    changed: int
    terms: Terms
    prices: tuple[PriceMoment, ...]
    status: str = PRE_VALIDATION
    marketplace_status: str | None = None
    sku_in_marketplace: str | None = None
    id_in_marketplace: str = ""
    reason: str = ""
    confirmed: Confirmation | None = None
    unsent: tuple[str, ...] = ()
    due: bool = False
    revision: int = 0
    calls: tuple[HookCall, ...] = ()

    @property
    def is_sent(self) -> bool:
        """Whether the marketplace was told of it and it still stands."""
        return self.status not in INTERNAL

    @property
    def syncs_only(self) -> bool:
        """Whether later updates carry price, stock and status and nothing else."""
        return set(self.terms.only_sync) == set(Part)

    def as_json(self) -> dict[str, Any]:
        """For the state file."""
        return asdict(self)

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> Publication:
        """The publication that `as_json` wrote; lists of the file are tuples again."""
        confirmed = content["confirmed"]
        sku_id, product_id, partner_id, (title, description, images), offer = content["sku"]
        return cls(
            **{
                **content,
                "sku": OfferedSku(
                    sku_id, product_id, partner_id, AdContent(title, description, tuple(images)), _terms(offer)
                ),
                "terms": _terms(content["terms"]),
                "prices": tuple(PriceMoment(*moment) for moment in content["prices"]),
                "confirmed": None if confirmed is None else Confirmation(*confirmed),
                "unsent": tuple(content["unsent"]),
                "calls": tuple(HookCall(*call) for call in content["calls"]),
            }
        )


def _terms(values: list[Any]) -> Terms:
    price_cents, discount_cents, campaign, available, only_sync = values
    return Terms(price_cents, discount_cents, campaign, available, tuple(only_sync))


def with_price(prices: tuple[PriceMoment, ...], since: int, terms: Terms) -> tuple[PriceMoment, ...]:
    """The price history with the price of `terms` last; the same one where that price did not change."""
    if prices and prices[-1][1:] == terms[:3]:
        return prices
    return (*prices, PriceMoment(since, *terms[:3]))[-_PRICES_KEPT:]


def with_call(calls: tuple[HookCall, ...], call: HookCall) -> tuple[HookCall, ...]:
    """The hooks that were called, the latest last."""
    return (*calls, call)[-_CALLS_KEPT:]
