"""What the world tells: causes before effects, chains whole, sums that agree, life as the specification has it."""

from __future__ import annotations

from collections import Counter
from decimal import Decimal

import pytest

from sandbox_hub.world.documents.cte_facts import freight_facts
from sandbox_hub.world.documents.nfe_facts import first_cfop, note_facts, protocol, sale_total_cents
from sandbox_hub.world.documents.operations import incoming
from sandbox_hub.world.filters import DocumentQuery, OrderQuery
from sandbox_hub.world.hub_ids import document_id
from sandbox_hub.world.orders.order_contents import SPARE
from sandbox_hub.world.orders.order_lifecycle import Status
from sandbox_hub.world.orders.order_numbers import order_code, order_id_of
from sandbox_hub.world.scenarios import Subtype
from sandbox_hub.world.selection import members
from sandbox_hub.world.timeline import DAY, END
from sandbox_hub.world.world import OrderRef, World

WORLD = World(5, 2_000)
EVERY = list(WORLD.all_documents())


def orders() -> list[OrderRef]:
    return [WORLD.order_at(number) for number in members(WORLD.select_orders(OrderQuery()))]


def by_subtype(subtype: Subtype) -> list[int]:
    return [index for index in EVERY if WORLD.place(index).subtype is subtype]


def test_every_document_exists_at_the_end_of_the_calendar() -> None:
    assert list(range(2_000)) == EVERY
    assert {WORLD.place(index).subtype for index in EVERY} == set(Subtype) - {Subtype.ADJUSTMENT}
    assert {WORLD.place(index).company for index in EVERY} == {0, 1}
    assert {WORLD.place(index).marketplace for index in EVERY} == {0, 1, 2}


@pytest.mark.parametrize("documents", [1, 2, 60, 3_000, 1_000_000])
def test_any_size_holds_exactly_its_documents(documents: int) -> None:
    world = World(2, documents)
    everything = world.select(DocumentQuery())
    assert len(everything) == documents
    assert everything.page(documents - 1, 5) == [documents - 1]


def test_what_a_paper_refers_to_came_before_it() -> None:
    for index in EVERY:
        for other in WORLD.related(index):
            assert other < index
            assert WORLD.timeline.issued(other) <= WORLD.timeline.issued(index)


EXPECTED_REFERENCES = {
    Subtype.SYMBOLIC_INBOUND_RETURN: {Subtype.INBOUND},
    Subtype.INBOUND_RETURN: {Subtype.INBOUND},
    Subtype.SYMBOLIC_INBOUND: {Subtype.SALE_RETURN},
    Subtype.SALE_RETURN: {Subtype.SALE},
    Subtype.DEVOLUTION: {Subtype.SALE},
    Subtype.FREIGHT: {Subtype.SALE},
    Subtype.INBOUND: set(),
    Subtype.VOIDING: set(),
}


def test_chains_are_as_the_paper_has_them() -> None:
    for index in EVERY:
        place = WORLD.place(index)
        kinds = {WORLD.place(other).subtype for other in WORLD.related(index)}
        if place.subtype is Subtype.SALE:
            assert kinds == ({Subtype.SYMBOLIC_INBOUND_RETURN} if place.fulfilment else set())
        else:
            assert kinds == EXPECTED_REFERENCES[place.subtype]


def test_freight_carries_one_or_several_notes_of_one_buyer() -> None:
    carried = Counter(len(WORLD.related(index)) for index in by_subtype(Subtype.FREIGHT))
    assert carried[1] > carried[3] > 0
    for index in by_subtype(Subtype.FREIGHT)[:40]:
        facts = freight_facts(WORLD, index)
        notes = [note_facts(WORLD, other) for other in WORLD.related(index)]
        assert {note.recipient for note in notes} == {facts.recipient}
        assert {note.emitter for note in notes} == {facts.sender}
        assert facts.goods_value_cents == sum(sale_total_cents(WORLD, other) for other in WORLD.related(index))


def test_orders_and_invoices_add_up() -> None:
    carts, packages = 0, 0
    for order in orders():
        basket = WORLD.goods.basket(order.seat, order.story_cycle)
        invoices = WORLD.invoices_of(order)
        if not invoices:
            continue
        sharers = WORLD.orders_of(invoices[0])
        total = sum(WORLD.goods.basket(o.seat, o.story_cycle).total_cents for o in sharers)
        assert sum(sale_total_cents(WORLD, invoice) for invoice in invoices) == total
        assert basket.total_cents == basket.gross_cents - basket.discount_cents + basket.freight_cents
        assert order in sharers
        carts += len(sharers) > 1
        packages += len(invoices) > 1
    assert carts > 50
    assert packages > 20


def test_a_warehouse_receives_all_that_is_sold_from_it() -> None:
    for index in by_subtype(Subtype.INBOUND)[:20]:
        cycle, story = WORLD.story_cycle(index), WORLD.place(index).story
        sent = {item.code: item.quantity for item in note_facts(WORLD, index).items}
        left = Counter(sent)
        for place in WORLD.deck.places:
            if place.story == story and place.subtype in (Subtype.SYMBOLIC_INBOUND_RETURN, Subtype.INBOUND_RETURN):
                for item in note_facts(WORLD, WORLD.index_of(place.place, cycle)).items:
                    left[item.code] -= item.quantity
        assert set(left.values()) == {0}
        assert min(sent.values()) > SPARE


def test_direction_cfop_and_states_agree() -> None:
    firsts = Counter()
    for index in EVERY[:400]:
        subtype = WORLD.place(index).subtype
        if subtype is Subtype.VOIDING:
            continue
        if subtype is Subtype.FREIGHT:
            freight = freight_facts(WORLD, index)
            far = freight.sender.address.uf != freight.recipient.address.uf
            assert freight.cfop == first_cfop(WORLD, index) == ("6353" if far else "5353")
            continue
        facts = note_facts(WORLD, index)
        assert facts.recipient is not None
        far = facts.recipient.address.uf != facts.emitter.address.uf
        assert facts.direction == (0 if incoming(subtype) else 1)
        assert facts.emitter in WORLD.cast.companies
        assert facts.items[0].cfop == first_cfop(WORLD, index)
        for item in facts.items:
            assert (
                item.cfop[0] == {(0, False): "1", (0, True): "2", (1, False): "5", (1, True): "6"}[facts.direction, far]
            )
            firsts[item.cfop] += 1
        assert (facts.purpose == 4) == (subtype in (Subtype.SALE_RETURN, Subtype.DEVOLUTION))
    assert {"6108", "5102", "5106", "6106", "5949", "6905", "1949", "2907"} <= set(firsts)


def test_a_note_names_its_order_three_ways() -> None:
    bare = 0
    for index in by_subtype(Subtype.SALE)[:300]:
        facts = note_facts(WORLD, index)
        order = WORLD.orders_of(index)[0]
        order_id = WORLD.order_id(order)
        code = order_code(order.seat.marketplace, order_id)
        assert facts.order_code == code
        assert len(code) <= 15
        assert facts.notes is not None
        assert code in facts.notes
        assert facts.external_id in (f"SALE-sale-{order_id}-{WORLD.place(index).part + 1}", str(order_id))
        bare += facts.external_id == str(order_id)
    assert 0 < bare < 100


def test_order_codes_lead_back() -> None:
    for marketplace in range(3):
        for order_id in (1_000_000, 1_000_001, 1_234_567, 99_999_999):
            assert order_id_of(order_code(marketplace, order_id)) == order_id
    for text in ("", "LV-", "LV-1", "2000037000001", "x", "00-1-FD", "-FD", "٣"):
        assert order_id_of(text) is None


def test_events_are_registered_in_their_time() -> None:
    late, soon, codes = 0, 0, Counter()
    WORLD.set_clock(END + 200 * DAY)
    try:
        for index in EVERY:
            seen = WORLD.occurrences(index)
            assert [o.at for o in seen] == sorted(o.at for o in seen)
            assert WORLD.last_update(index) == seen[-1].at
            for occurrence in seen[1:]:
                assert occurrence.happening is not None
                codes[occurrence.happening.code, occurrence.happening.sequence] += 1
                after = occurrence.at - seen[0].at
                if occurrence.happening.code == "110111":
                    assert (occurrence.happening.status == "155") == (after > DAY)
                    late += 90 * DAY <= after <= 101 * DAY
                    soon += after <= 2 * DAY
    finally:
        WORLD.set_clock(END)
    assert late == 20  # one in a hundred
    assert soon >= 40
    assert set(codes) == {("110111", 1), ("110110", 1), ("110110", 2), ("210200", 1), ("610110", 1)}


def test_protocols_are_unique() -> None:
    numbers = [protocol(WORLD, index, ordinal) for index in EVERY for ordinal in range(8)]
    assert len(set(numbers)) == len(numbers)
    assert all(len(number) == 15 and number.isdigit() for number in numbers)


def test_statuses_of_orders_follow_the_specification() -> None:
    seen = Counter()
    for order in orders():
        reached = WORLD.lives.reached(order.seat, order.cycle, WORLD.now)
        moments = [at for _, at in reached]
        assert moments == sorted(moments)
        assert reached[0][0] is Status.PENDING
        seen[reached[-1][0]] += 1
        invoiced = Status.INVOICED in dict(reached)
        first = WORLD.invoices_of(order)[:1]
        assert invoiced == bool(first and first[0] < WORLD.documents)
    assert set(seen) == set(Status)


def test_orders_are_placed_in_order_and_before_their_papers() -> None:
    placed = [WORLD.lives.created(order.seat, order.cycle) for order in orders()]
    assert placed == sorted(placed)
    ids = [WORLD.order_id(order) for order in orders()]
    assert ids == sorted(ids)
    assert min(ids) >= 1_000_000
    for order in orders():
        for index in WORLD.papers_of(order):
            assert WORLD.lives.created(order.seat, order.cycle) <= WORLD.timeline.created(index)


def test_an_order_from_before_the_world_exists_only_for_its_later_papers() -> None:
    early = [order for order in orders() if all(index < 0 for index in WORLD.papers_of(order)) and order.cycle < 0]
    assert early == []
    assert any(order.cycle < 0 for order in orders())
    for index in EVERY:
        for order in WORLD.orders_of(index):
            assert WORLD.order(WORLD.order_id(order)) == order


def test_weights_and_buyers_are_real() -> None:
    buyers = set()
    for order in orders()[:500]:
        buyer = WORLD.goods.buyer(WORLD.goods.buyer_number(order.seat, order.story_cycle))
        buyers.add(buyer.taxpayer.tax_id)
        assert len(buyer.taxpayer.tax_id) == (14 if buyer.is_company else 11)
        assert buyer.taxpayer.address.uf == WORLD.goods.buyers.uf(buyer.number)
        assert WORLD.goods.basket(order.seat, order.story_cycle).weight > Decimal(0)
    assert len(buyers) > 300


def test_another_seed_is_another_world() -> None:
    other = World(6, 2_000)
    assert {c.tax_id for c in other.cast.companies}.isdisjoint(c.tax_id for c in WORLD.cast.companies)
    assert {other.numbering.key(i) for i in range(200)}.isdisjoint(WORLD.numbering.key(i) for i in range(200))
    assert {document_id(other, i) for i in range(200)}.isdisjoint(document_id(WORLD, i) for i in range(200))
    with pytest.raises(ValueError):
        World(1, 0)
