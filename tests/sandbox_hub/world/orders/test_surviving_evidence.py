"""What each order keeps of its documents: just its kind's evidence in the bytes that are served, in stable shares."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator

import pytest

from sandbox_hub.environment import Environment
from sandbox_hub.options import SANDBOX, SandboxOptions
from sandbox_hub.oracle.seen_world import decided_links
from sandbox_hub.oracle.truth import links, shares
from sandbox_hub.state import State
from sandbox_hub.web.records import document_record, order_record
from sandbox_hub.world.documents.nfe_facts import code_of, note_facts, sale_total_cents
from sandbox_hub.world.filters import DocumentQuery, OrderQuery
from sandbox_hub.world.hub_ids import item_id
from sandbox_hub.world.orders.order_lifecycle import Status
from sandbox_hub.world.orders.surviving_evidence import Evidence, Left, masked
from sandbox_hub.world.scenarios import Subtype
from sandbox_hub.world.selection import members
from sandbox_hub.world.world import OrderRef, World

LOOKED_AT = 3  # orders of each kind whose papers are printed
# The pieces of evidence that a sale and its order can hold, by kind; several sets: the order has one of them.
HELD = {
    Evidence.FULL: [{"key", "number", "date", "record", "external_id", "order_code", "quoted"}],
    Evidence.KEY: [{"key"}],
    Evidence.ORDER_ID: [{"record"}, {"external_id"}],
    Evidence.NUMBER: [{"number", "date"}, {"number"}],
    Evidence.QUOTED: [{"quoted"}],
    Evidence.SCORED: [set()],
    Evidence.MASKED: [set()],
    Evidence.DIFFERS: [set()],
    Evidence.TWINS: [set(), {"key"}, {"record"}, {"external_id"}, {"number", "date"}, {"number"}, {"quoted"}],
}


@pytest.fixture(scope="module")
def hub() -> Environment:
    return Environment(SANDBOX, SandboxOptions(seed=1, documents=600, forget=True), State(None))


def orders(world: World) -> Iterator[OrderRef]:
    """Those that are invoiced and whose every paper is here."""
    for number in members(world.select_orders(OrderQuery())):
        order = world.order_at(number)
        papers = world.papers_of(order)
        if papers and all(world.exists(index) for index in papers) and world.invoices_of(order):
            yield order


def xml(hub: Environment, index: int) -> str:
    data = hub.xml(item_id(hub.world, index, 0))
    assert data is not None
    return data.decode()


@pytest.mark.parametrize("seed", [1, 8, 23])
def test_every_kind_has_its_share_and_little_is_undecidable(seed: int) -> None:
    world = World(seed, 2_000, forget=True)
    decided = decided_links(world)
    told = shares(world, links(world, decided))
    assert set(told["evidence"]) == {kind.value for kind in Evidence}
    assert min(told["evidence"].values()) >= 0.08
    assert sum(told["evidence"].values()) == pytest.approx(1, abs=0.001)
    assert 0.01 < told["undecidable"] <= 0.05
    assert decided <= {(link["order"], link["key"]) for link in links(world, decided)}


def test_a_world_that_forgets_nothing_is_decidable_whole() -> None:
    world = World(3, 1_000)
    told = shares(world, links(world, decided_links(world)))
    assert told["evidence"] == {kind.value: float(kind is Evidence.FULL) for kind in Evidence}
    assert told["undecidable"] == 0


def test_each_order_holds_exactly_the_evidence_of_its_kind(hub: Environment) -> None:
    world = hub.world
    looked: Counter[Evidence] = Counter()
    seen: defaultdict[Evidence, list[set[str]]] = defaultdict(list)
    for order in orders(world):
        kind = world.left(order).kind
        if looked[kind] == LOOKED_AT * (3 if kind is Evidence.TWINS else 1):
            continue
        looked[kind] += 1
        own = order_record(world, order)
        invoice = own.get("invoice", {})
        order_id, code = str(world.order_id(order)), code_of(world, order)
        papers = world.papers_of(order)
        assert any(world.numbering.key(index) in json.dumps(own) for index in papers) == ("accessKey" in invoice)
        shown = set(invoice) - {"series"}
        assert ("series" in invoice) == ("number" in invoice)
        held = {"accessKey": "key"}
        pieces = {held.get(name, name) for name in shown}
        first = [index for index in papers if world.orders_of(index)[0] == order]
        for index in papers:
            record, paper = json.dumps(document_record(hub, index)), xml(hub, index)
            sale = world.place(index).subtype is Subtype.SALE
            named = {
                "record": f'"orderId": {order_id}' in record,
                "external_id": bool(re.search(rf'"external_id"><xTexto>[^<]*{order_id}', paper)),
                "quoted": bool(re.search(rf"<(infCpl|xObs)>[^<]*{code}", paper)),
                "order_code": f"<xPed>{code}</xPed>" in paper,
            }
            if index in first:
                told = {name for name, there in named.items() if there}
                if sale:
                    pieces |= told
                else:
                    assert told == {name for name in named if getattr(world.left(order), name)} - {"order_code"}
            assert named["record"] or order_id not in record
            assert code not in record
            if not (named["external_id"] or named["quoted"] or named["order_code"]):
                assert order_id not in paper
                assert code not in paper
        seen[kind].append(pieces)
        if first:
            assert pieces in HELD[kind], kind
        else:  # a cart's note names its first order
            assert pieces <= HELD[kind][0], kind
    assert set(looked) == set(Evidence)
    for kind in (Evidence.ORDER_ID, Evidence.TWINS):
        assert len({frozenset(pieces) for pieces in seen[kind]}) > 1


def test_papers_stay_reachable_from_the_sale(hub: Environment) -> None:
    world = hub.world
    for order in orders(world):
        if world.left(order).exact:
            continue
        papers = world.papers_of(order)
        around = {index for index in papers if world.place(index).subtype is Subtype.SALE}
        while more := {i for i in papers for a in around if i in world.related(a) or a in world.related(i)} - around:
            around |= more
        assert around == set(papers)


def test_a_masked_buyer_is_not_in_the_order(hub: Environment) -> None:
    world = hub.world
    hidden = 0
    for order in orders(world):
        number = world.goods.buyer_number(order.seat, order.story_cycle)
        tax_id = world.goods.buyer(number).taxpayer.tax_id
        record = order_record(world, order)
        if world.left(order).kind is Evidence.MASKED:
            hidden += 1
            assert tax_id not in json.dumps(record)
            assert record["buyer"]["document"] == masked(tax_id)
        else:
            assert record["buyer"]["document"] == tax_id
    assert hidden > 10


def test_masks() -> None:
    assert masked("12345678901") == "***.456.789-**"
    assert masked("AB345678000199") == "**.345.678/****-**"


def test_totals_differ_by_what_one_side_shows(hub: Environment) -> None:
    world = hub.world
    ways: Counter[str] = Counter()
    for order in orders(world):
        left, basket = world.left(order), world.goods.basket(order.seat, order.story_cycle)
        total = sum(sale_total_cents(world, index) for index in world.invoices_of(order))
        if left.kind is not Evidence.DIFFERS:
            assert total == sum(
                world.goods.basket(o.seat, o.story_cycle).total_cents
                for o in world.orders_of(world.invoices_of(order)[0])
            )
            continue
        (sale,) = world.invoices_of(order)
        facts = note_facts(world, sale)
        on_note = sum(item.discount_cents for item in facts.items)
        if left.freight_left_out:
            ways["freight"] += 1
            assert (facts.freight_cents, total - basket.total_cents) == (0, -basket.freight_cents)
        elif left.discount_left_out:
            ways["discount"] += 1
            assert (on_note, total - basket.total_cents) == (0, basket.discount_cents)
        else:
            ways["interest"] += 1
            assert total - basket.total_cents == facts.other_cents == left.interest_cents > 0
        assert total != basket.total_cents
    assert set(ways) == {"freight", "discount", "interest"}


def test_twins_are_equal_and_of_one_day() -> None:
    world = World(9, 2_500, forget=True)
    pairs: defaultdict[tuple[int, int], list[OrderRef]] = defaultdict(list)
    for order in orders(world):
        if world.left(order).kind is Evidence.TWINS:
            pairs[order.seat.like, order.story_cycle].append(order)
    whole = [pair for pair in pairs.values() if len(pair) == 2]
    assert len(whole) > 60
    same_day, keeping = 0, Counter[int]()
    for one, other in whole:
        a, b = (order_record(world, order) for order in (one, other))
        assert a["id"] != b["id"]
        assert [a[name] for name in ("buyer", "items", "total", "freight", "marketPlace")] == [
            b[name] for name in ("buyer", "items", "total", "freight", "marketPlace")
        ]
        same_day += a["createdAt"][:10] == b["createdAt"][:10]
        notes = [note_facts(world, world.invoices_of(order)[0]) for order in (one, other)]
        assert notes[0].number != notes[1].number
        assert notes[0].items == notes[1].items
        keeping[sum(world.left(order).exact for order in (one, other))] += 1
    assert same_day > 0.9 * len(whole)
    assert keeping[1] + keeping[2] >= len(whole) / 2
    assert min(keeping[n] for n in range(3)) > 0


def test_a_twin_that_keeps_something_decides_the_other() -> None:
    world = World(9, 1_000, forget=True)
    decided = decided_links(world)
    for order in orders(world):
        if world.left(order).kind is Evidence.TWINS:
            pair = [OrderRef(seat, order.story_cycle + seat.delay) for seat in world.deck.seats]
            pair = [twin for twin in pair if twin.seat.like == order.seat.like]
            kept = any(world.left(twin).exact for twin in pair)
            (sale,) = world.invoices_of(order)
            assert ((world.order_id(order), world.numbering.key(sale)) in decided) == kept


def test_orders_of_several_papers_keep_what_names_them_all(hub: Environment) -> None:
    world = hub.world
    shared, split = set(), set()
    for order in orders(world):
        sales = [i for i in world.papers_of(order) if world.place(i).subtype is Subtype.SALE]
        kind = world.left(order).kind
        if any(len(world.orders_of(sale)) > 1 for sale in sales):
            shared.add(kind)
            assert {world.left(other).kind for other in world.orders_of(sales[0])} == {kind}
        elif len(sales) > 1:
            split.add(kind)
    assert shared == {Evidence.FULL, Evidence.KEY, Evidence.NUMBER, Evidence.QUOTED}
    assert split == {Evidence.FULL, Evidence.ORDER_ID, Evidence.QUOTED}


def test_the_orders_filter_finds_only_what_names_the_order(hub: Environment) -> None:
    world = hub.world
    for order in orders(world):
        found = world.select(DocumentQuery(order_id=world.order_id(order)))
        for index in members(found):
            assert document_record(hub, index)["orderId"] == world.order_id(order)
        if not world.left(order).record:
            assert len(found) == 0


def test_what_is_left_is_a_function_of_the_seed() -> None:
    def told(seed: int, *, backwards: bool) -> dict[int, Left]:
        world = World(seed, 500, forget=True)
        found = list(orders(world))
        return {world.order_id(order): world.left(order) for order in (found[::-1] if backwards else found)}

    one = told(6, backwards=False)
    assert one == told(6, backwards=True)
    other = told(7, backwards=False)
    assert any(left.kind != other[order].kind for order, left in one.items() if order in other)


def test_an_order_that_is_not_invoiced_tells_no_invoice(hub: Environment) -> None:
    world = hub.world
    for number in members(world.select_orders(OrderQuery(status=Status.PAID_WAITING_SHIP))):
        assert "invoice" not in order_record(world, world.order_at(number))


def test_a_world_that_forgets_nothing_is_what_it_was() -> None:
    """Every byte of a small world, as it was before there was anything to forget.

    But for one late cancellation's protocol, which names the year of the cancellation since, not the document's.
    """
    whole = Environment(SANDBOX, SandboxOptions(seed=1, documents=120), State(None))
    digest = hashlib.sha256()
    for number in members(whole.world.select_orders(OrderQuery())):
        record = order_record(whole.world, whole.world.order_at(number))
        for name in ("partnerId", "lastUpdate", "marketPlaceNumber", "fulfillment", "interestValue"):
            del record[name]  # what orders have been given since
        if "shippedDate" not in record.get("tracking", {"shippedDate": ""}):
            del record["tracking"]  # what is made on demand says since by when it is ready
        for payment in record["payments"]:
            del payment["marketplaceFee"], payment["gatewayFee"]
        digest.update(json.dumps(record).encode())
    for index in whole.world.all_documents():
        digest.update(json.dumps(document_record(whole, index)).encode())
        for occurrence in whole.world.occurrences(index):
            data = whole.xml(item_id(whole.world, index, occurrence.ordinal))
            assert data is not None
            digest.update(data)
    assert digest.hexdigest() == "d74af1ece66b25d553c054c97373eea9205b5320725c33299ba705ccc6c59ff2"
