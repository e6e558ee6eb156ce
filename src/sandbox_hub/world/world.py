"""The world of one environment: documents, orders and events by index, seen at a clock that can be moved."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from sandbox_hub.world.anomalies.draw import Ground, Lies
from sandbox_hub.world.anomalies.effects import REFUSED
from sandbox_hub.world.anomalies.spec import Spec
from sandbox_hub.world.anomalies.withholding import Withholding
from sandbox_hub.world.documents.event_times import Happenings
from sandbox_hub.world.documents.numbering import Numbering
from sandbox_hub.world.filters import DocumentQuery, OrderQuery, select_documents, select_orders, visible
from sandbox_hub.world.orders.order_changes import Change, Standing, standing
from sandbox_hub.world.orders.order_contents import Goods
from sandbox_hub.world.orders.order_lifecycle import Lives
from sandbox_hub.world.orders.surviving_evidence import EVERYTHING, Left, Memory
from sandbox_hub.world.parties.cities import zone_of
from sandbox_hub.world.parties.companies import cast
from sandbox_hub.world.planted_anomalies import Planted
from sandbox_hub.world.scenarios import Happening
from sandbox_hub.world.schedule import Place, Seat, build_deck
from sandbox_hub.world.selection import Amended, Handful, Indexes, members
from sandbox_hub.world.timeline import DAY, END, Timeline

_FIRST_ORDER = 1_000_000
_REMEMBERED_SELECTIONS = 64
_REMEMBERED_ORDERS = 1_024  # documents whose orders are remembered: each is asked for again and again
COPY = 6  # the ordinal of a document's second copy
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
    """A pure function of `seed` and the number of documents, but for `now`, cancellations by hand and writes to orders.

    Nothing else is stored, whatever the size. These three are set by the owner (see `state`).
    """

    def __init__(
        self, seed: int, documents: int, *, forget: bool = False, lies: Spec | None = None, withhold: float = 0.0
    ) -> None:
        if documents < 1:
            raise ValueError("a world has at least one document")
        self.seed = seed
        self.documents = documents
        self.cast = cast(seed)
        lying = lies is not None and bool(lies.rates)
        self.deck = build_deck(seed, documents, twins=forget, lying=lying)
        self.timeline = Timeline(seed, documents)
        self.happenings = Happenings(seed, self.deck, self.timeline)
        self.lives = Lives(seed, self.deck, self.timeline, self.happenings)
        truthful = Goods(seed, self.deck)
        self._memory = Memory(seed, self.deck, truthful) if forget else None
        drawn = Lies(seed, lies, self._ground(truthful)) if lies is not None and lying else None
        self.planted = Planted(self.deck, drawn)
        self.goods = truthful if drawn is None else Goods(seed, self.deck, drawn)
        self.numbering = Numbering(seed, self.deck, self.timeline, self.cast, drawn)
        self._withholding = Withholding(seed, withhold, self.deck.width)
        self.marketplaces = tuple(marketplace.name for marketplace in self.cast.marketplaces)
        self.zones = [zone_of(emitter.address.uf) for emitter in self.numbering.emitters]
        self.orders_of = lru_cache(_REMEMBERED_ORDERS)(self._orders_of)
        self._order_base = _FIRST_ORDER - self.deck.first_cycle * len(self.deck.seats)
        self._now = END
        self._by_hand: dict[int, int] = {}
        self._forgotten: set[int] = set()
        self._changes: dict[int, list[Change]] = {}  # by order id, as they were written
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

    def forget(self, indexes: Iterable[int]) -> None:
        """Hold these documents no longer."""
        with self._lock:
            self._forgotten.update(indexes)
            self._selections.clear()

    def write(self, order_id: int, change: Change) -> None:
        """Change order `order_id`, which exists, as a client asked for."""
        with self._lock:
            self._changes.setdefault(order_id, []).append(change)
            self._selections.clear()

    def is_forgotten(self, index: int) -> bool:
        """Whether the hub was told to hold document `index` no longer."""
        return index in self._forgotten

    # -- documents ---------------------------------------------------------------------------------------

    def place(self, index: int) -> Place:
        places = self.deck.places
        return places[index % len(places)]

    def story_cycle(self, index: int) -> int:
        places = self.deck.places
        cycle, place = divmod(index, len(places))
        return cycle - places[place].delay

    def index_of(self, place: int, story_cycle: int) -> int:
        """The document at `place` of the story that began in `story_cycle`."""
        return (story_cycle + self.deck.places[place].delay) * self.deck.width + place

    def exists(self, index: int) -> bool:
        """Whether the hub holds document `index` at the clock."""
        return self.held(index) and not self.withheld(index) and index not in self._forgotten

    def held(self, index: int) -> bool:
        """Whether document `index` has come to the hub by the clock, withheld or not."""
        return 0 <= index < self.documents and self.timeline.created(index) <= self._now

    def withheld(self, index: int) -> bool:
        """Whether the hub never lists nor gives document `index`."""
        return self._withholding.hides(index)

    @property
    def withholds(self) -> bool:
        return bool(self._withholding)

    def paper(self, index: int) -> str:
        """What document `index` is called in its story."""
        return self.deck.names[index % self.deck.width]

    def copies(self, index: int) -> list[Occurrence]:
        """What the hub holds a second time, with other bytes."""
        return [Occurrence(COPY, None, self.timeline.created(index))] if self.planted.is_copied(index) else []

    def occurrences(self, index: int) -> list[Occurrence]:
        """What has happened to a document by now, its appearance first."""
        by_hand = self._by_hand.get(index, self._now + 1)
        found = [Occurrence(0, None, self.timeline.created(index))]
        for k, happening in enumerate(self.place(index).happenings):
            at = self.happenings.moment(index, k)
            if at <= self._now and at < by_hand:
                if self.planted.refuses(index, happening.code):
                    happening = replace(happening, status=REFUSED)
                found.append(Occurrence(k + 1, happening, at))
        if by_hand <= self._now:
            found.append(Occurrence(_BY_HAND, self._hand(index, by_hand), by_hand))
        return found

    def last_update(self, index: int) -> int:
        """When its record last changed."""
        return self.occurrences(index)[-1].at

    def cancelled(self, index: int) -> bool:
        """Whether a cancellation of it has been registered by now."""
        codes = [
            o.happening.code for o in self.occurrences(index) if o.happening is not None and o.happening.registered
        ]
        return "110111" in codes

    def related(self, index: int) -> list[int]:
        """The documents that its paper refers to, or carries; below zero where the hub does not hold them."""
        cycle = self.story_cycle(index)
        return [self.index_of(other, cycle) for other in self.planted.refers(index)]

    def references(self, index: int) -> tuple[str, ...]:
        """The keys that its paper refers to, or carries."""
        keys = tuple(self.numbering.key(other) for other in self.related(index))
        if self.planted.refers_to_nothing_known(index):
            return (*keys, self.numbering.unknown_key(index))
        return keys

    def _orders_of(self, index: int) -> tuple[OrderRef, ...]:
        """The orders that a document belongs to; the hub's record names the first, if any."""
        cycle = self.story_cycle(index)
        seats = (self.deck.seats[rank] for rank in self.planted.orders(index))
        return tuple(OrderRef(seat, cycle + seat.delay) for seat in seats)

    def order_named(self, index: int) -> int | None:
        """The id of the order that the hub's record of a document names."""
        for order in self.orders_of(index)[:1]:
            if self.left(order).record:
                return self.order_id(order)
        return None

    def select(self, query: DocumentQuery) -> Indexes:
        """Indexes of the documents that meet `query`, oldest first."""
        if query.order_id is not None:
            return self._documents_of_order(query)
        return self._remember(query, lambda: self._select(query))

    def all_documents(self) -> Iterator[int]:
        """Every document that the hub holds now."""
        return members(self.select(DocumentQuery()))

    # -- orders ------------------------------------------------------------------------------------------

    def order_id(self, order: OrderRef) -> int:
        return self._order_base + order.cycle * len(self.deck.seats) + order.seat.rank

    def left(self, order: OrderRef) -> Left:
        """The evidence of its documents that survives; all of it in a world that forgets nothing."""
        return self._left(order.seat, order.story_cycle)

    @property
    def forgets(self) -> bool:
        return self._memory is not None

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

    def standing(self, order: OrderRef) -> Standing:
        """What the order is by now, by itself and by what was written to it."""
        life = self.lives.reached(order.seat, order.cycle, self._now)
        return standing(life, self._changes.get(self.order_id(order), ()), self._now)

    def papers_of(self, order: OrderRef) -> list[int]:
        """Indexes of every document that names the order, oldest first, in or out of the world."""
        return self._named_by(order, order.seat.papers)

    def invoices_of(self, order: OrderRef) -> list[int]:
        """Its sales that stand, one a package."""
        return self._named_by(order, order.seat.invoices)

    def select_orders(self, query: OrderQuery) -> Indexes:
        """Orders that meet `query` (but its marketplace's own number), by creation; see `order_at`."""
        plain = replace(query, marketplace_id=None)
        return self._remember(plain, lambda: self._select_orders(plain))

    # -- inside ------------------------------------------------------------------------------------------

    def _ground(self, goods: Goods) -> Ground:
        emitters = self.cast.companies + self.cast.carriers
        return Ground(
            self.deck,
            self.timeline,
            self.happenings,
            self.lives,
            goods,
            self._left,
            [zone_of(emitter.address.uf) for emitter in emitters],
        )

    def _left(self, seat: Seat, story_cycle: int) -> Left:
        return EVERYTHING if self._memory is None else self._memory.left(seat, story_cycle)

    def _named_by(self, order: OrderRef, places: tuple[int, ...]) -> list[int]:
        """The documents at these places of the order's story that belong to it."""
        indexes = [self.index_of(place, order.story_cycle) for place in places]
        if self.planted.lie_of(order.seat.story, order.story_cycle):
            return [index for index in indexes if order in self.orders_of(index)]
        return indexes

    def _hand(self, index: int, at: int) -> Happening:
        out_of_term = at - self.timeline.issued(index) > _TERM
        return Happening(
            "110111", 0, 0, "155" if out_of_term else "135", text="Cancelamento registrado no painel do hub"
        )

    def _select(self, query: DocumentQuery) -> Indexes:
        runs = select_documents(self.deck, self.timeline, self.happenings, query, self.marketplaces, self._now)
        base = self._withholding.select(runs)
        moved = self._by_hand if query.by_change else {}
        touched = {*moved, *self._forgotten}
        return Amended(base, touched, [i for i in moved if self._meets(i, query)]) if touched else base

    def _select_orders(self, query: OrderQuery) -> Indexes:
        base = select_orders(self.deck, self.lives, query, self.marketplaces, self._now)
        if not self._changes or (query.status is None and query.changed_from is None):
            return base
        written = [order_id - self._order_base for order_id in self._changes if self.order(order_id) is not None]
        return Amended(base, written, [number for number in written if self._order_meets(number, query)])

    def _order_meets(self, number: int, query: OrderQuery) -> bool:
        order = self.order_at(number)
        found = self.standing(order)
        placed = self.lives.created(order.seat, order.cycle)
        return (
            query.marketplace in (None, self.marketplaces[order.seat.marketplace])
            and query.status in (None, found.status)
            and (query.created_from is None or placed >= query.created_from)
            and (query.created_to is None or placed <= query.created_to)
            and (query.changed_from is None or found.changed >= query.changed_from)
        )

    def _documents_of_order(self, query: DocumentQuery) -> Indexes:
        assert query.order_id is not None
        order = self.order(query.order_id)
        if order is None:
            return Handful(())
        named = [i for i in self.papers_of(order) if self.order_named(i) == query.order_id]
        return Handful([i for i in named if self._meets(i, query)])

    def _meets(self, index: int, query: DocumentQuery) -> bool:
        first, end = visible(self.timeline, query, self._now)
        place = self.place(index)
        if not first <= index < end or self.withheld(index) or index in self._forgotten:
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
