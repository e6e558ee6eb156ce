"""All fiscal documents of an environment, those of its world and the invoices of posted orders, by one index."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from sandbox_hub.paper.document_factory import Authority
from sandbox_hub.posted.invoice_facts import invoice_xml
from sandbox_hub.posted.invoices import FIRST_INVOICE, Invoice, Invoices
from sandbox_hub.posted.posted_orders import PostedOrder, PostedOrders
from sandbox_hub.world.documents.document_xml import print_xml
from sandbox_hub.world.filters import DocumentQuery
from sandbox_hub.world.hub_ids import document_id, document_of, document_of_key, index_in, item_id, item_of
from sandbox_hub.world.scenarios import Subtype
from sandbox_hub.world.selection import Indexes, Interleaved, members
from sandbox_hub.world.world import Occurrence, World


class DocumentBook:
    """What the fiscal documents interface reads; an index that is no invoice's is the world's."""

    def __init__(self, world: World, orders: PostedOrders, invoices: Invoices) -> None:
        self.world = world
        self.invoices = invoices
        self._orders = orders

    def select(self, query: DocumentQuery) -> Indexes:
        """Indexes of the documents that meet `query`, oldest first."""
        base = self.world.select(query)
        names = {order.id: self.world.marketplaces[order.marketplace] for order in self._orders.all()}
        invoices = self.invoices.select(query, names)
        if not invoices:
            return base
        return Interleaved(base, [(self._before(base, query, invoice.at), invoice.index) for invoice in invoices])

    def all(self) -> Iterator[int]:
        """Every document that the hub holds now."""
        return members(self.select(DocumentQuery()))

    def of_id(self, wanted: str) -> int | None:
        """The document of that id, if the hub holds it."""
        invoice = self.invoices.get(index_in(wanted, 3) or 0)
        if invoice is None:
            return document_of(self.world, wanted)
        return invoice.index if document_id(self.world, invoice.index) == wanted else None

    def of_key(self, access_key: str) -> int | None:
        """The document of that access key, if the hub holds it."""
        invoice = self.invoices.of_key(access_key)
        return document_of_key(self.world, access_key) if invoice is None else invoice.index

    def item(self, wanted: str) -> tuple[int, Occurrence] | None:
        """The document and occurrence of that item id, if it has happened."""
        invoice = self.invoices.get(index_in(wanted, 4) or 0)
        if invoice is None:
            return item_of(self.world, wanted)
        for occurrence in self.invoices.occurrences(invoice):
            if item_id(self.world, invoice.index, occurrence.ordinal) == wanted:
                return invoice.index, occurrence
        return None

    def invoice(self, index: int) -> tuple[Invoice, PostedOrder] | None:
        """The invoice of that index with its order; None for a document of the world."""
        invoice = self.invoices.get(index) if index >= FIRST_INVOICE else None
        if invoice is None:
            return None
        order = self._orders.order(invoice.order_id)
        assert order is not None
        return invoice, order

    def key(self, index: int) -> str | None:
        """Its access key; None for a voiding, which has none."""
        invoice = self.invoices.get(index)
        if invoice is not None:
            return self.invoices.key(invoice)
        voiding = self.world.place(index).subtype is Subtype.VOIDING
        return None if voiding else self.world.numbering.key(index)

    def copies(self, index: int) -> list[Occurrence]:
        """What the hub holds a second time, with other bytes."""
        return [] if index >= FIRST_INVOICE else self.world.copies(index)

    def occurrences(self, index: int) -> list[Occurrence]:
        """What has happened to a document by now, its appearance first."""
        invoice = self.invoices.get(index)
        return self.world.occurrences(index) if invoice is None else self.invoices.occurrences(invoice)

    def xml(self, index: int, occurrence: Occurrence, authority: Authority) -> bytes:
        """The bytes of an occurrence."""
        posted = self.invoice(index)
        if posted is None:
            return print_xml(self.world, index, occurrence, authority)
        invoice, order = posted
        return invoice_xml(self.world, self.invoices, order, invoice, occurrence, authority)

    def _before(self, base: Indexes, query: DocumentQuery, at: int) -> int:
        """How many of the world's documents in `base` came to the hub by then."""
        return len(base) if at >= self.world.now else len(self.world.select(replace(query, created_to=at)))
