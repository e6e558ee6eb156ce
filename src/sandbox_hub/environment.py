"""One environment of the sandbox (sandbox or production): its world, token, feed, faults and counters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from functools import lru_cache
from hashlib import blake2b
from typing import Any

from sandbox_hub.callbacks.callbacks import TOPICS, Callbacks
from sandbox_hub.catalog.catalog import Catalog
from sandbox_hub.errors import ClockOutOfRange, SandboxError
from sandbox_hub.faults.plan import Fault, FaultPlan, Mishap, parse_faults
from sandbox_hub.feeds.change_feed import ChangeFeed
from sandbox_hub.feeds.feed_item import ChangeReader
from sandbox_hub.feeds.order_feed import OrderFeed, ReservationFeed
from sandbox_hub.limits import Bucket
from sandbox_hub.options import NONE, PRODUCTION, SandboxOptions
from sandbox_hub.paper.document_factory import Authority
from sandbox_hub.posted.document_book import DocumentBook
from sandbox_hub.posted.invoice_facts import CannotInvoice, items_of
from sandbox_hub.posted.invoices import Invoices, Numbered
from sandbox_hub.posted.order_book import OrderBook
from sandbox_hub.posted.posted_orders import PostedOrder, PostedOrders
from sandbox_hub.posted.reservations import Reservations
from sandbox_hub.publications.catalog_skus import sku_of_code, sku_of_id
from sandbox_hub.publications.hooks import Hooks
from sandbox_hub.publications.publication import OfferedSku
from sandbox_hub.publications.publications import Publications
from sandbox_hub.publications.publishing import Publishing
from sandbox_hub.shapes.downloads import wrapped
from sandbox_hub.shapes.files import FileShapes
from sandbox_hub.shapes.names import Shape, read_shapes
from sandbox_hub.state import State
from sandbox_hub.world.anomalies.spec import read_spec
from sandbox_hub.world.orders.order_changes import Change
from sandbox_hub.world.orders.order_lifecycle import Status
from sandbox_hub.world.seeded_random import Die, derive
from sandbox_hub.world.timeline import first_second, hub_time, last_second
from sandbox_hub.world.world import World

ORDERS = "orders"
PRODUCTS = "products"
TRANSMISSIONS = "transmissions"
PRICES = "transmissions-price"
RESERVATIONS = "reservations"
CHANGE_FEEDS = (PRODUCTS, TRANSMISSIONS, PRICES)
_PRINTED = 256  # XML bodies remembered, a few megabytes
_ONE_GONE_IN = 50
_MOST_GONE = 20


class Environment:
    """`prefix` is the path of its address, which ends with /v2; `marketplace_prefix` that of the marketplace's API."""

    def __init__(self, name: str, options: SandboxOptions, state: State) -> None:
        in_production = name == PRODUCTION
        seed = derive(options.seed, PRODUCTION) if in_production else options.seed
        documents = options.production_documents if in_production else options.documents
        self.name = name
        below = "/production" if in_production and options.environment is None else ""
        self.prefix = f"{below}/v2"
        self.marketplace_prefix = f"{below}/marketplace/v2"
        self.token = options.token_of_production if in_production else options.sandbox_token
        self.app_id = options.marketplace_app_id
        self.app_token = options.app_token_of(name)
        self.seed = seed
        self.shapes = read_shapes(options.shape)
        self.files = FileShapes(seed, self.shapes, self.storage_address)
        self.storage = ""  # the other host's address, set by the server where there is one
        self.strict_bodies = options.strict_bodies
        self.world = World(
            seed,
            documents,
            forget=options.forget,
            lies=read_spec(options.anomalies, options.clean_months),
            withhold=options.withhold,
        )
        self.faults = FaultPlan(seed, parse_faults(options.faults))
        self.bucket = Bucket(options.rate_limit)
        self.marketplace_bucket = Bucket(options.rate_limit)
        self.retry_after = options.retry_after
        self.counts: Counter[str] = Counter()
        self._state = state
        self._written: dict[str, Any] = state.section(_section(name, options, documents))
        posted = PostedOrders(self.world, self._written.setdefault("posted orders", {}))
        self.orders = OrderBook(self.world, posted)
        self.invoices = Invoices(self.world, self._written.setdefault("posted invoices", []))
        self.documents = DocumentBook(self.world, posted, self.invoices)
        self.reservations = Reservations(self.orders)
        self._order_feeds = {
            ORDERS: OrderFeed(self.orders, self._written.setdefault("feeds", {})),
            RESERVATIONS: ReservationFeed(self.orders, self._written.setdefault("reservation marks", {})),
        }
        self._changes = {
            domain: ChangeFeed(domain, self.world, self._written.setdefault(f"{domain} feed", {}))
            for domain in CHANGE_FEEDS
        }
        self.feeds: Mapping[str, ChangeReader] = {**self._order_feeds, **self._changes}
        self.catalog = Catalog(
            self.world,
            options.catalog_errors,
            self._written.setdefault("catalog", {}),
            self._product_changed,
        )
        self.catalog.reserved = self.reservations.held
        self.publishing = Publishing(
            Publications(
                seed,
                self._written.setdefault("publications", {}),
                now=lambda: self.world.now,
                changed=lambda item_id: self.note_change(TRANSMISSIONS, item_id),
                repriced=lambda item_id: self.note_change(PRICES, item_id),
            ),
            Hooks(options.hooks and options.hooks.rstrip("/"), name, options.secret_of_hooks, options.hook_timeout),
            now=lambda: self.world.now,
            save=self.save,
        )
        self.callbacks = Callbacks(self.documents, self._written.setdefault("callbacks", {}))
        if options.callback is not None and name == options.served[0]:
            self.callbacks.configure(options.callback, list(TOPICS))
        self._authority = _authority(seed)
        self._print = lru_cache(_PRINTED)(self._print_now)
        for key, at in self._written.setdefault("cancelled", {}).items():
            self._cancel(key, at)
        self.world.forget(self._written.setdefault("forgotten", []))
        for order_id, changes in self._written.setdefault("orders", {}).items():
            for change in changes:
                self.orders.write(int(order_id), Change.from_json(change))
        if options.clock is not None:
            now = read_clock(options.clock)
            self.world.set_clock(self._written.get("clock", now))
            self.set_clock(now)
        elif "clock" in self._written:
            self.world.set_clock(self._written["clock"])
        for order_id in self._written["orders"]:  # what a former process left waiting
            self.settle_shipment(int(order_id))

    def set_clock(self, now: int) -> None:
        """Move the clock and remember it; under the shape `gone` a few documents do not survive a step onwards."""
        before = self.world.now
        if Shape.GONE in self.shapes and now > before:
            self.forget(few_documents(self.seed, self.world))
        self.world.set_clock(now)
        self.reservations.changed()
        self._written["clock"] = now
        self.callbacks.clock_moved(before)
        self.follow_catalog()  # campaigns begin and end

    @property
    def now(self) -> datetime:
        """The world's clock, in UTC."""
        return datetime.fromtimestamp(self.world.now, UTC)

    def cancel(self, access_key: str) -> int | None:
        """Register a cancellation at the clock; its index, None where the hub holds no such document.

        Raises ValueError where it is cancelled already.
        """
        index = self.documents.of_key(access_key)
        if index is None:
            return None
        posted = self.documents.invoice(index)
        if len(self.documents.occurrences(index)) > 1 if posted else self.world.cancelled(index):
            raise ValueError("cancelled already")
        if posted is not None:
            self.invoices.cancel(posted[0])
        else:
            self._cancel(access_key, self.world.now)
            self._written["cancelled"][access_key] = self.world.now
        self.callbacks.document_changed(index)
        return index

    def forget(self, indexes: Collection[int]) -> None:
        """Let these documents disappear for good, as hubs do with what they no longer keep."""
        self.world.forget(indexes)
        forgotten = self._written.setdefault("forgotten", [])
        forgotten += [index for index in indexes if index not in forgotten]

    def post(self, order: PostedOrder, change: Change | None = None) -> None:
        """Keep a new order, and what its body says beyond its status; a marketplace that fulfils it invoices it."""
        self.orders.posted.add(order)
        if change is not None:
            self._write(order.id, change)
        self._follow_stock(order, before=None)
        self._invoice_if_fulfilled(order)

    def write(self, order_id: int, change: Change) -> None:
        """Change an order and remember it; in the feeds it is something new."""
        order = self.orders.order(order_id)
        assert order is not None
        before = self.orders.standing(order).left_stock
        self._write(order_id, change)
        if isinstance(order, PostedOrder):
            self._follow_stock(order, before=before)
            self._receive_invoice(order, change)
            self._invoice_if_fulfilled(order)

    def settle_shipment(self, order_id: int) -> None:
        """End the early shipment that was asked for this order, if it still waits for it."""
        order = self.orders.order(order_id)
        if order is not None and self.orders.standing(order).waits_for_shipment:
            self.write(order_id, self.orders.early_shipment(order))

    def invoice(self, order: PostedOrder, numbered: Numbered | None = None) -> int:
        """Issue the invoice of an order; its index. Without `numbered` the marketplace numbers it.

        Raises CannotInvoice where the order lacks what an invoice needs.
        """
        told = self.invoices.numbered_for(order) if numbered is None else numbered
        items = items_of(self.world, self.catalog, order, told.company)
        index = self.invoices.add(order, told, items).index
        self.callbacks.document_changed(index)
        return index

    def note_change(self, feed: str, item_id: int) -> None:
        """One of CHANGE_FEEDS has something new."""
        self._changes[feed].changed(item_id)

    def call_hooks_at(self, address: str) -> None:
        """The marketplace's middleware is there."""
        self.publishing.hooks = replace(self.publishing.hooks, address=address)

    def sku_facts(self, sku_id: int) -> OfferedSku | None:
        """The SKU of that id, as publications need it."""
        return sku_of_id(self.catalog, sku_id)

    def sku_named(self, partner_id: str) -> OfferedSku | None:
        """The SKU that the seller calls this."""
        return sku_of_code(self.catalog, partner_id)

    def follow_catalog(self, product_id: int | None = None) -> None:
        """Have the publications of a product, or of all, offer what the catalog says now."""
        for publication in self.publishing.publications.standing():
            if product_id in (None, publication.sku.product_id):
                sku = self.sku_facts(publication.sku.id)
                if sku is not None:
                    self.publishing.follow(publication, sku)

    def fed(self, feed: str, item_id: int) -> bool:
        """Whether an item of this id is, or was, in the feed."""
        if feed in self._order_feeds:
            return self.orders.order(item_id) is not None
        return self._changes[feed].knows(item_id)

    def save(self) -> None:
        self._state.save()

    def next_mishap(self, possible: Collection[Fault]) -> Mishap | None:
        """Count a request and draw its fault."""
        request = self.counts["requests"]
        self.counts["requests"] += 1
        mishap = self.faults.draw(request, possible)
        if mishap is not None:
            self.counts[mishap.fault] += 1
        return mishap

    def xml(self, item_id: str) -> bytes | None:
        """The bytes of a document item; None for an unknown id."""
        found = self.documents.item(item_id)
        return None if found is None else self._print(item_id, found[1].at)

    def download(self, item_id: str) -> tuple[bytes, str] | None:
        """A document item as it is served, and its media type; None for an unknown id."""
        xml = self.xml(item_id)
        return None if xml is None else wrapped(self.shapes, self.seed, item_id, xml)

    def storage_address(self, item_id: str) -> str:
        """Where the other host has a file; its last part is the same for all, as object storages have it."""
        return f"{self.storage}/{self.name}/{item_id}/content.xml?ticket={self.ticket(item_id)}"

    def ticket(self, item_id: str) -> str:
        """What opens a download on the other host, in place of credentials."""
        return blake2b(f"{self.seed}:ticket:{item_id}".encode(), digest_size=12).hexdigest()

    def authority_pem(self) -> bytes:
        """The certificates above the signers' own, root first, as PEM."""
        return self._authority.root_pem() + self._authority.issuer_pem()

    def describe(self) -> dict[str, object]:
        """For the panel; no token."""
        return {
            "documents": self.world.documents,
            "clock": hub_time(self.world.now),
            "companies": [
                {"cnpj": company.tax_id, "name": company.name, "uf": company.address.uf}
                for company in self.world.cast.companies
            ],
            "counts": dict(self.counts),
        }

    def _product_changed(self, product_id: int) -> None:
        self.note_change(PRODUCTS, product_id)
        self.follow_catalog(product_id)

    def _print_now(self, item_id: str, at: int) -> bytes:
        found = self.documents.item(item_id)
        assert found is not None
        assert found[1].at == at
        return self.documents.xml(*found, self._authority)

    def _write(self, order_id: int, change: Change) -> None:
        self.orders.write(order_id, change)
        for feed in self._order_feeds.values():
            feed.changed(order_id)
        self._written["orders"].setdefault(str(order_id), []).append(change.as_json())

    def _follow_stock(self, order: PostedOrder, *, before: int | None) -> None:
        """Have catalog and publications follow an order that was posted or moved; `before`: when it left, if it had."""
        self.reservations.changed()
        standing = self.orders.standing(order)
        for code, amount in self.orders.pieces(order):
            if before is None and standing.left_stock is not None and standing.was_shipped:
                self.catalog.take(code, Decimal(amount))
            product_id = self.catalog.product_of_code(code)
            if product_id is not None:
                self.follow_catalog(product_id)

    def _receive_invoice(self, order: PostedOrder, change: Change) -> None:
        """The invoice that a seller has issued and written to an order is held from then on."""
        told = change.invoice or {}
        key, issued = told.get("accessKey", ""), told.get("date")
        if not key or issued is None or self.documents.of_key(key) is not None:
            return
        numbered = self.invoices.numbered_by(key, first_second(issued))
        if numbered is not None:
            with suppress(CannotInvoice):
                self.invoice(order, numbered)

    def _invoice_if_fulfilled(self, order: PostedOrder) -> None:
        paid = self.orders.standing(order).status is Status.PAID_WAITING_SHIP
        if order.fulfilment and paid and not self.invoices.of_order(order.id):
            with suppress(CannotInvoice):
                self.invoice(order)

    def _cancel(self, access_key: str, at: int) -> None:
        index = self.world.numbering.find(access_key)
        if index is not None:
            self.world.cancel(index, at)


def _section(name: str, options: SandboxOptions, documents: int) -> str:
    """The world's name in the state file: what is written to one is not written to another."""
    lies = f":{options.anomalies}:{','.join(options.clean_months)}" if options.anomalies != NONE else ""
    hides = f":withholds {options.withhold}" if options.withhold else ""
    errs = f":catalog errors {options.catalog_errors}" if options.catalog_errors else ""
    return f"{name}:{options.seed}:{documents}" + (":forgets" if options.forget else "") + lies + hides + errs


@lru_cache(16)
def _authority(seed: int) -> Authority:
    """Its keys are dear and a function of the seed: another start in the same process finds them made."""
    return Authority(seed)


def few_documents(seed: int, world: World) -> list[int]:
    """About one in fifty of what the hub holds now, twenty at most: the same for the same world and clock."""
    held = world.timeline.first_created_after(world.now)
    count = min(_MOST_GONE, -(-min(held, world.documents) // _ONE_GONE_IN))
    die = Die(seed, "gone")
    drawn = {die.below(number, min(held, world.documents)) for number in range(count)}
    return sorted(index for index in drawn if world.exists(index))


def read_clock(text: str) -> int:
    """Seconds of an ISO 8601 moment with its offset.

    Raises SandboxError for anything else, ClockOutOfRange for a moment at which no electronic document can be.
    """
    try:
        now = last_second(text)
    except (ValueError, OverflowError):
        raise SandboxError(
            f"The clock must be a time with its offset, like 2026-07-15T12:00:00-03:00, not {text!r}."
        ) from None
    if not _EARLIEST <= now < _LATEST:
        raise ClockOutOfRange(f"The clock must be between the years 2000 and 2099, not {text!r}.")
    return now


_EARLIEST = int(datetime(2000, 1, 1, tzinfo=UTC).timestamp())
_LATEST = int(datetime(2100, 1, 1, tzinfo=UTC).timestamp())
