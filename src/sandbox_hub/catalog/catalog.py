"""The catalog of an environment as clients see it: the world's, with what they wrote in its place or beside it."""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any

from sandbox_hub.catalog.campaigns import Discount, discount_of
from sandbox_hub.catalog.ids import FIRST_WRITTEN, IdRuns
from sandbox_hub.catalog.planted_errors import FIELDS, NBM, ORIGIN, on_invoices
from sandbox_hub.catalog.register import Register
from sandbox_hub.catalog.registered import brands, categories, variations
from sandbox_hub.catalog.world_catalog import ProductRecord, WorldCatalog
from sandbox_hub.world.parties.products import Product
from sandbox_hub.world.selection import Handful, Indexes
from sandbox_hub.world.timeline import START
from sandbox_hub.world.world import World


class Catalog:
    """`kept` belongs to the owner, who keeps it as JSON; `note` is called with the id of a product that has changed.

    A product that was written stands in `kept` whole, as a text of its own: when all of them are written again, a text
    is encoded in a tenth of the time. `share`: of how many products of the world a field is wrong on
    purpose (see `planted_errors`).
    """

    def __init__(self, world: World, share: float, kept: dict[str, Any], note: Callable[[int], None]) -> None:
        self._world = world
        self._base = WorldCatalog(world, share)
        self._note = note
        self.reserved: Callable[[str], Decimal] = lambda _code: Decimal(0)  # of a SKU; set by the owner
        self.brands = Register(brands(), kept.setdefault("brands", {}))
        self.categories = Register(categories(), kept.setdefault("categories", {}))
        self.variations = Register(variations(), kept.setdefault("variations", {}))
        self.campaigns = Register((), kept.setdefault("campaigns", {}))
        self._last_ids: dict[str, int] = kept.setdefault("last_ids", {})
        self._written: dict[str, str] = kept.setdefault("products", {})
        self._changed: dict[int, int] = {}  # when each of them did, in seconds
        self._owner_of_sku: dict[int, int] = {}
        self._owner_of_code: dict[str, int] = {}
        self._new_products: list[int] = []
        self._new_skus: list[int] = []
        for text in self._written.values():
            self._index(json.loads(text))

    @property
    def now(self) -> int:
        """The world's clock, in seconds."""
        return self._world.now

    def new_id(self, kind: str) -> int:
        """The next id of a `product`, `sku` or `image`."""
        self._last_ids[kind] = self._last_ids.get(kind, FIRST_WRITTEN - 1) + 1
        return self._last_ids[kind]

    # -- products and SKUs ---------------------------------------------------------------------------------

    @property
    def product_ids(self) -> Indexes:
        """Ids of all products, rising."""
        return IdRuns(self._base.product_ids, self._base.lot_ids, self._new_products)

    @property
    def sku_ids(self) -> Indexes:
        """Ids of all SKUs, rising."""
        return IdRuns(self._base.sku_ids, self._base.lot_ids, self._new_skus)

    def product(self, product_id: int) -> ProductRecord | None:
        """A copy of the product; None where there is none of this id."""
        text = self._written.get(str(product_id))
        if text is None:
            return self._base.product(product_id)
        record: ProductRecord = json.loads(text)
        return record

    def product_of_code(self, code: str) -> int | None:
        """The id of the product with the SKU of this code (`partnerId`)."""
        if code in self._owner_of_code:
            return self._owner_of_code[code]
        owner = self._base.product_of_code(code)
        return None if owner is None or str(owner) in self._written else owner

    def world_goods(self, code: str) -> Product | None:
        """What the world sells by this code, as its invoices describe it; None for what clients registered alone."""
        return self._base.goods(code)

    def product_of_sku(self, sku_id: int) -> int | None:
        """The id of the product with the SKU of this id."""
        owner = self._owner_of_sku.get(sku_id)
        return self._base.product_of_sku(sku_id) if owner is None else owner

    def changed_from(self, moment: int) -> Indexes:
        """Ids of the products that changed at `moment` (seconds) or later; the world's own are as old as the world."""
        if moment <= START:
            return self.product_ids
        return Handful([product_id for product_id, changed in self._changed.items() if changed >= moment])

    def store(self, record: ProductRecord) -> None:
        """Keep a product that is new or changed; one that is as it was stays untouched."""
        former = self.product(record["id"])
        if former is not None and former == {**record, "changed": former["changed"]}:
            return
        if former is not None and str(record["id"]) in self._written:
            for sku in former["skus"]:
                del self._owner_of_sku[sku["id"]], self._owner_of_code[sku["partnerId"]]
        record = {**record, "changed": self.now}
        self._written[str(record["id"])] = json.dumps(record, ensure_ascii=False)
        self._index(record)
        self._note(record["id"])

    def discount(self, sku: dict[str, Any]) -> Discount | None:
        """The SKU's price after the discount of a campaign that it is in now."""
        return discount_of(self.campaigns.values(), sku["partnerId"], sku["price"], self.now)

    def available(self, sku: dict[str, Any]) -> Decimal:
        """What of the SKU's stock no order holds back."""
        return max(Decimal(0), Decimal(sku["amount"]) - self.reserved(sku["partnerId"]))

    def take(self, code: str, amount: Decimal) -> None:
        """Goods have left the stock of the SKU with this code; there is never less than nothing."""
        product_id = self.product_of_code(code)
        product = None if product_id is None else self.product(product_id)
        if product is None:
            return
        for sku in product["skus"]:
            if sku["partnerId"] == code:
                left = max(Decimal(0), Decimal(sku["amount"]) - amount)
                sku["amount"] = format(left.normalize(), "f")
        self.store(product)

    # -- against the invoices ------------------------------------------------------------------------------

    def errors(self) -> Iterator[dict[str, Any]]:
        """Every SKU and field where the catalog states something else than the world's invoices do."""
        ids = {int(name) for name in self._written} | set(self._base.wrong_products())
        for product_id in sorted(ids):
            product = self.product(product_id)
            assert product is not None
            yield from self._errors_of(product)

    def _errors_of(self, product: ProductRecord) -> Iterator[dict[str, Any]]:
        for sku in product["skus"]:
            goods = self._base.goods(sku["partnerId"])
            if goods is None:
                continue
            right = on_invoices(goods)
            stated = {name: product.get(name, {}).get("id") for name in (NBM, ORIGIN)} | {
                name: sku.get(name) for name in FIELDS if name not in (NBM, ORIGIN)
            }
            for field in FIELDS:
                if stated[field] is not None and stated[field].replace(".", "") != right[field]:
                    yield {
                        "partnerId": sku["partnerId"],
                        "productId": product["id"],
                        "field": field,
                        "catalog": stated[field],
                        "invoices": right[field],
                    }

    def _index(self, record: ProductRecord) -> None:
        self._changed[record["id"]] = record["changed"]
        _add(self._new_products, record["id"])
        for sku in record["skus"]:
            self._owner_of_sku[sku["id"]] = record["id"]
            self._owner_of_code[sku["partnerId"]] = record["id"]
            _add(self._new_skus, sku["id"])


def _add(ids: list[int], new: int) -> None:
    """Put an id that clients made into its place in the list."""
    place = bisect_left(ids, new)
    if new >= FIRST_WRITTEN and ids[place : place + 1] != [new]:
        ids.insert(place, new)
