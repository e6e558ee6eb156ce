"""The world of one environment: documents, orders and events by index, seen at a clock that can be moved."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, replace
from hashlib import blake2b

from sandbox_hub.world.companies import cast
from sandbox_hub.world.deck import Place, Seat, build_deck
from sandbox_hub.world.filters import DocumentQuery, OrderQuery, select_documents, select_orders, visible
from sandbox_hub.world.goods import Goods
from sandbox_hub.world.happenings import Happenings
from sandbox_hub.world.lives import Lives
from sandbox_hub.world.numbering import Numbering
from sandbox_hub.world.places import zone_of
from sandbox_hub.world.scenarios import Happening
from sandbox_hub.world.selection import Amended, Handful, Indexes, members
from sandbox_hub.world.timeline import DAY, END, Timeline

_FIRST_ORDER = 1_000_000
_REMEMBERED_SELECTIONS = 64
_BY_HAND = 7  # the ordinal of a cancellation registered by hand: after every planned happening
_TERM = DAY  # a cancellation within a day of the authorization is in term (cStat 135)


@dataclass(frozen=True, slots=True)
class Occurrence:
    """An event that has happened to a document; `ordinal` 0 is its authorization (or its voiding)."""

    ordinal: int
    happening: Happening | None
    at: int


@dataclass(frozen=True, slots=True)
class OrderRef:
    """An order: its seat in the deck and its own cycle."""

    seat: Seat
    cycle: int

    @property
    def story_cycle(self) -> int:
        return self.cycle - self.seat.delay


class World:
    """A pure function of `seed` and the number of documents, but for `now` and cancellations made by hand.

    Nothing is stored, whatever the size. `now` and the cancellations are set by the owner (see `state`).
    """

    def __init__(self, seed: int, documents: int) -> None:
        if documents < 1:
            raise ValueError("a world has at least one document")
        self.seed = seed
        self.documents = documents
        self.cast = cast(seed)
        self.deck = build_deck(seed, documents)
        self.timeline = Timeline(seed, documents)
        self.numbering = Numbering(seed, self.deck, self.timeline, self.cast)
        self.happenings = Happenings(seed, self.deck, self.timeline)
        self.lives = Lives(seed, self.deck, self.timeline, self.happenings)
        self.goods = Goods(seed, self.deck)
        self.marketplaces = tuple(marketplace.name for marketplace in self.cast.marketplaces)
        self.zones = [zone_of(emitter.address.uf) for emitter in self.numbering.emitters]
        self._order_base = _FIRST_ORDER - self.deck.first_cycle * len(self.deck.seats)
        self._now = END
        self._by_hand: dict[int, int] = {}
        self._selections: OrderedDict[Hashable, Indexes] = OrderedDict()
        self._lock = threading.Lock()

    # -- what can change ---------------------------------------------------------------------------------

    @property
    def now(self) -> int:
        """The clock, in seconds."""
        return self._now

    def set_clock(self, now: int) -> None:
        """Move the clock, forwards or back."""
        with self._lock:
            self._now = now
            self._selections.clear()

    def cancel(self, index: int, at: int) -> None:
        """Cancel document `index` at `at`; a planned cancellation that would come later does not happen."""
        with self._lock:
            self._by_hand[index] = at
            self._selections.clear()

    # -- documents ---------------------------------------------------------------------------------------

    def place(self, index: int) -> Place:
        return self.deck.places[index % self.deck.width]

    def story_cycle(self, index: int) -> int:
        return index // self.deck.width - self.place(index).delay

    def index_of(self, place: int, story_cycle: int) -> int:
        """The document at `place` of the story that began in `story_cycle`."""
        return (story_cycle + self.deck.places[place].delay) * self.deck.width + place

    def exists(self, index: int) -> bool:
        """Whether the hub holds document `index` at the clock."""
        return 0 <= index < self.documents and self.timeline.created(index) <= self._now

    def occurrences(self, index: int) -> list[Occurrence]:
        """What has happened to a document by now, its appearance first."""
        by_hand = self._by_hand.get(index, self._now + 1)
        found = [Occurrence(0, None, self.timeline.created(index))]
        for k, happening in enumerate(self.place(index).happenings):
            at = self.happenings.moment(index, k)
            if at <= self._now and at < by_hand:
                found.append(Occurrence(k + 1, happening, at))
        if by_hand <= self._now:
            found.append(Occurrence(_BY_HAND, self._hand(index, by_hand), by_hand))
        return found

    def last_update(self, index: int) -> int:
        """When its record last changed."""
        return self.occurrences(index)[-1].at

    def cancelled(self, index: int) -> bool:
        """Whether a cancellation of it has been registered by now."""
        return any(o.happening is not None and o.happening.code == "110111" for o in self.occurrences(index))

    def related(self, index: int) -> list[int]:
        """The documents that its paper refers to, or carries; below zero where the hub does not hold them."""
        cycle = self.story_cycle(index)
        return [self.index_of(place, cycle) for place in self.place(index).refers]

    def orders_of(self, index: int) -> list[OrderRef]:
        """The orders that a document belongs to; the hub's record names the first."""
        cycle = self.story_cycle(index)
        seats = (self.deck.seats[rank] for rank in self.place(index).orders)
        return [OrderRef(seat, cycle + seat.delay) for seat in seats]

    def select(self, query: DocumentQuery) -> Indexes:
        """Indexes of the documents that meet `query`, oldest first."""
        if query.order_id is not None:
            return self._documents_of_order(query)
        return self._remember(query, lambda: self._select(query))

    # -- orders ------------------------------------------------------------------------------------------

    def order_id(self, order: OrderRef) -> int:
        return self._order_base + order.cycle * len(self.deck.seats) + order.seat.rank

    def order_at(self, number: int) -> OrderRef:
        """The order of a member of `select_orders`."""
        cycle, rank = divmod(number, len(self.deck.seats))
        return OrderRef(self.deck.seats[rank], cycle)

    def order_number(self, order_id: int | None) -> int | None:
        """The member of `select_orders` that has this id, whether it exists or not; None for None."""
        return None if order_id is None else order_id - self._order_base

    def order(self, order_id: int) -> OrderRef | None:
        """The order of that id, if it has been placed by now."""
        order = self.order_at(order_id - self._order_base)
        first, end = self.lives.cycles(order.seat)
        if not first <= order.cycle < end or self.lives.created(order.seat, order.cycle) > self._now:
            return None
        return order

    def papers_of(self, order: OrderRef) -> list[int]:
        """Indexes of every document that names the order, oldest first, in or out of the world."""
        return [self.index_of(place, order.story_cycle) for place in order.seat.papers]

    def invoices_of(self, order: OrderRef) -> list[int]:
        """Its sales that stand, one a package."""
        return [self.index_of(place, order.story_cycle) for place in order.seat.invoices]

    def select_orders(self, query: OrderQuery) -> Indexes:
        """Orders that meet `query` (but its marketplace's own number), by creation; see `order_at`."""
        plain = replace(query, marketplace_id=None)
        return self._remember(plain, lambda: select_orders(self.deck, self.lives, plain, self.marketplaces, self._now))

    # -- names -------------------------------------------------------------------------------------------

    def document_id(self, index: int) -> str:
        """The hub's id of its record."""
        return f"fd-{index:08d}-{self._seal('document', index, 0)}"

    def item_id(self, index: int, ordinal: int) -> str:
        """The `document_item_id` of one of its occurrences."""
        return f"di-{index:08d}-{ordinal}-{self._seal('item', index, ordinal)}"

    def document_of(self, document_id: str) -> int | None:
        """The document of that id, if the hub holds it."""
        parts = document_id.split("-")
        if len(parts) != 3 or not parts[1].isascii() or not parts[1].isdigit():
            return None
        index = int(parts[1])
        return index if self.exists(index) and self.document_id(index) == document_id else None

    def item_of(self, item_id: str) -> tuple[int, Occurrence] | None:
        """The document and occurrence of that item id, if it has happened."""
        parts = item_id.split("-")
        if len(parts) != 4 or not parts[1].isascii() or not parts[1].isdigit():
            return None
        index = int(parts[1])
        if self.exists(index):
            for occurrence in self.occurrences(index):
                if self.item_id(index, occurrence.ordinal) == item_id:
                    return index, occurrence
        return None

    def all_documents(self) -> Iterator[int]:
        """Every document that the hub holds now."""
        return members(self.select(DocumentQuery()))

    # -- inside ------------------------------------------------------------------------------------------

    def _hand(self, index: int, at: int) -> Happening:
        out_of_term = at - self.timeline.issued(index) > _TERM
        return Happening(
            "110111", 0, 0, "155" if out_of_term else "135", text="Cancelamento registrado no painel do hub"
        )

    def _select(self, query: DocumentQuery) -> Indexes:
        base = select_documents(self.deck, self.timeline, self.happenings, query, self.marketplaces, self._now)
        if not query.by_change or not self._by_hand:
            return base
        return Amended(base, self._by_hand, [i for i in self._by_hand if self._meets(i, query)])

    def _documents_of_order(self, query: DocumentQuery) -> Indexes:
        assert query.order_id is not None
        order = self.order(query.order_id)
        if order is None:
            return Handful(())
        first_named = [i for i in self.papers_of(order) if self.place(i).orders[0] == order.seat.rank]
        return Handful([i for i in first_named if self._meets(i, query)])

    def _meets(self, index: int, query: DocumentQuery) -> bool:
        first, end = visible(self.timeline, query, self._now)
        place = self.place(index)
        if not first <= index < end:
            return False
        if query.marketplace is not None and self.marketplaces[place.marketplace] != query.marketplace:
            return False
        if query.subtype is not None and place.subtype is not query.subtype:
            return False
        if not query.by_change:
            return True
        changed = self.last_update(index)
        after = query.changed_from is None or changed >= query.changed_from
        return after and (query.changed_to is None or changed <= query.changed_to)

    def _remember(self, key: Hashable, make: Callable[[], Indexes]) -> Indexes:
        with self._lock:
            if key not in self._selections:
                self._selections[key] = make()
                if len(self._selections) > _REMEMBERED_SELECTIONS:
                    self._selections.popitem(last=False)
            self._selections.move_to_end(key)
            return self._selections[key]

    def _seal(self, kind: str, index: int, ordinal: int) -> str:
        """Four characters that make an id of another world, or a guessed one, unknown here."""
        return blake2b(f"{self.seed}:{kind}:{index}:{ordinal}".encode(), digest_size=2).hexdigest()
