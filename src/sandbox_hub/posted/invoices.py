"""Invoices of posted orders: what was issued when, under which number, and what happened to it since.

The specification does not show who issues an invoice. Here a marketplace issues it on the seller's behalf (at once
for a paid order that it fulfils, else when the panel says so); and where the seller writes the access key of an
invoice of its own to an order, the hub has received that invoice. What an invoice says of its items is kept with it:
a catalog that changes later changes no byte of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any, NamedTuple

from sandbox_hub.paper.facts import SaleItem
from sandbox_hub.paper.keys import compose
from sandbox_hub.posted.posted_orders import FIRST_POSTED, PostedOrder
from sandbox_hub.world.filters import DocumentQuery
from sandbox_hub.world.scenarios import Happening, Subtype
from sandbox_hub.world.seeded_random import Die
from sandbox_hub.world.world import Occurrence, World

FIRST_INVOICE = 1_000_000_000  # indexes of documents that no world comes to
SERIES = 77  # of what a marketplace issues here; no line of numbers of the world has it
_CANCELLED = 1  # the ordinal of its cancellation
_TERM = 86_400  # a cancellation within a day of the authorization is in term (cStat 135)


class Numbered(NamedTuple):
    """What makes an access key with its company: `issued` in seconds."""

    company: int
    series: int
    number: int
    code: int
    issued: int


@dataclass(frozen=True, slots=True)
class Invoice:
    """`at` is when the hub came to hold it, `cancelled` when it was cancelled, both in seconds."""

    index: int
    order_id: int
    at: int
    numbered: Numbered
    items: tuple[SaleItem, ...]
    cancelled: int | None = None


class Invoices:
    """`kept` belongs to the owner, who keeps it: the invoices in the order in which they came."""

    def __init__(self, world: World, kept: list[dict[str, Any]]) -> None:
        self._world = world
        self._kept = kept
        self._codes = Die(world.seed, "codes of posted orders' invoices")

    def numbered_for(self, order: PostedOrder) -> Numbered:
        """The number that the marketplace gives the order's invoice: a function of seed, order and clock."""
        serial = order.id - FIRST_POSTED
        company = serial % len(self._world.cast.companies)
        code = self._codes.below(serial, 10**8)
        return Numbered(company, SERIES, serial + 1, code if code != serial + 1 else code + 1, self._world.now)

    def numbered_by(self, key: str, issued: int) -> Numbered | None:
        """What an access key says of an invoice of `issued`; None where no company of this seller has issued it."""
        for company, taxpayer in enumerate(self._world.cast.companies):
            if key[6:20] == taxpayer.tax_id and (key[22:43].isascii() and key[22:43].isdigit()):
                numbered = Numbered(company, int(key[22:25]), int(key[25:34]), int(key[35:43]), issued)
                return numbered if self._key(numbered) == key else None
        return None

    def add(self, order: PostedOrder, numbered: Numbered, items: tuple[SaleItem, ...]) -> Invoice:
        """Hold a new invoice of the order."""
        index = FIRST_INVOICE + len(self._kept)
        self._kept.append(
            {"order": order.id, "at": self._world.now, "numbered": numbered, "items": [_kept(item) for item in items]}
        )
        return self._read(index)

    def get(self, index: int) -> Invoice | None:
        """The invoice of that index, if the hub holds it."""
        if not FIRST_INVOICE <= index < FIRST_INVOICE + len(self._kept):
            return None
        invoice = self._read(index)
        return invoice if invoice.at <= self._world.now and not self._world.is_forgotten(index) else None

    def of_key(self, key: str) -> Invoice | None:
        """The invoice of that access key, if the hub holds it."""
        return next((invoice for invoice in self.all() if self.key(invoice) == key), None)

    def of_order(self, order_id: int) -> list[Invoice]:
        """Those of an order."""
        return [invoice for invoice in self.all() if invoice.order_id == order_id]

    def all(self) -> Iterator[Invoice]:
        """Every invoice that the hub holds, oldest first."""
        found = (self.get(FIRST_INVOICE + n) for n in range(len(self._kept)))
        return (invoice for invoice in found if invoice is not None)

    def select(self, query: DocumentQuery, marketplaces: dict[int, str]) -> list[Invoice]:
        """Those that meet `query`; `marketplaces` are the names of the orders' marketplaces by order id."""
        if query.subtype not in (None, Subtype.SALE):
            return []
        return [invoice for invoice in self.all() if self._meets(invoice, query, marketplaces)]

    def cancel(self, invoice: Invoice) -> None:
        """Register its cancellation at the clock."""
        self._kept[invoice.index - FIRST_INVOICE]["cancelled"] = self._world.now

    def occurrences(self, invoice: Invoice) -> list[Occurrence]:
        """What has happened to it by now, its authorization first."""
        found = [Occurrence(0, None, invoice.at)]
        at = invoice.cancelled
        if at is not None and at <= self._world.now:
            status = "155" if at - invoice.numbered.issued > _TERM else "135"
            text = "Cancelamento registrado no painel do hub"
            found.append(Occurrence(_CANCELLED, Happening("110111", 0, 0, status, text=text), at))
        return found

    def key(self, invoice: Invoice) -> str:
        """Its access key."""
        return self._key(invoice.numbered)

    def issued_at(self, numbered: Numbered) -> datetime:
        """dhEmi, in the company's own offset."""
        return datetime.fromtimestamp(numbered.issued, self._world.zones[numbered.company])

    def _key(self, numbered: Numbered) -> str:
        emitter = self._world.cast.companies[numbered.company]
        issued = self.issued_at(numbered)
        return compose(emitter, issued, "55", numbered.series, numbered.number, f"{numbered.code:08d}")

    def _meets(self, invoice: Invoice, query: DocumentQuery, marketplaces: dict[int, str]) -> bool:
        changed = self.occurrences(invoice)[-1].at
        return (
            query.order_id in (None, invoice.order_id)
            and query.marketplace in (None, marketplaces[invoice.order_id])
            and (query.created_from is None or invoice.at >= query.created_from)
            and (query.created_to is None or invoice.at <= query.created_to)
            and (query.changed_from is None or changed >= query.changed_from)
            and (query.changed_to is None or changed <= query.changed_to)
        )

    def _read(self, index: int) -> Invoice:
        kept = self._kept[index - FIRST_INVOICE]
        items = tuple(SaleItem(**{**item, "quantity": Decimal(item["quantity"])}) for item in kept["items"])
        return Invoice(index, kept["order"], kept["at"], Numbered(*kept["numbered"]), items, kept.get("cancelled"))


def _kept(item: SaleItem) -> dict[str, Any]:
    """As the state file keeps it: what it leaves to the layout is left out."""
    told = {name: getattr(item, name) for name in item.__dataclass_fields__}
    return {name: str(value) if name == "quantity" else value for name, value in told.items() if value is not None}
