"""Whatever orders, notes and links there are: every page ties, and nothing stands for more than its amount."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from confere.reconcile.bridge import pieces
from confere.reconcile.bridge.page import marketplaces, page
from confere.reconcile.bridge.placement import Placement
from confere.reconcile.context import View
from confere.sales.bridge import BridgeCode, BridgeScope
from confere.sales.links import Link, Linked, LinkKind, Suggestion
from confere.sales.reconciliation_input import OrderEntry, PaperEntry
from confere.sales.terms import Terms
from tests.bridge_pages import check_page
from tests.reconcile import made

DAYS = ("2026-02-27", "2026-03-10", "2026-03-31", "2026-04-29")
AMOUNTS = st.sampled_from((0, 1, 4_000, 10_000, 10_001, 6_000, 3_333)) | st.integers(0, 20_000)
STATUSES = ("CONCLUDED", "INVOICED", "CANCELED", "PAID_WAITING_SHIP", "REFUNDED", "", "ODD")


@st.composite
def orders(draw: st.DrawFn, number: int) -> OrderEntry:
    total = draw(st.none() | AMOUNTS | st.just(-500))
    return made.order(
        number,
        draw(st.sampled_from(DAYS)),
        status=draw(st.sampled_from(STATUSES)),
        total=total,
        gross=draw(st.none() | st.just(total)),
        freight=draw(st.sampled_from((0, 0, 1_500))),
        discount=draw(st.sampled_from((0, 0, 500))),
        interest=draw(st.sampled_from((None, 300))),
        marketplace=draw(st.sampled_from(("AZUL", "RUBRA", None))),
        **({} if draw(st.booleans()) else {"created_on": "", "created_at": None}),
    )


@st.composite
def notes(draw: st.DrawFn, number: int) -> PaperEntry:
    day = draw(st.sampled_from(DAYS))
    kind = draw(st.sampled_from(("sale", "sale", "sale", "sale", "return", "complement", "transfer", "entry")))
    facts = {
        "sale": {},
        "return": {"operation": "devolution", "direction": "0", "purpose": "4"},
        "complement": {"purpose": "2"},
        "transfer": {"operation": "transfer"},
        "entry": {"direction": "0"},
    }[kind]
    return made.note(
        number,
        day,
        **facts,
        total=draw(st.none() | AMOUNTS),
        freight=draw(st.sampled_from((0, 0, 1_000))),
        discount=draw(st.sampled_from((0, 0, 200))),
        ipi=draw(st.sampled_from((None, 700))),
        emitter=draw(st.sampled_from((made.OWN, made.OWN, made.BRANCH))),
        state=draw(st.sampled_from(("authorized", "authorized", "authorized", "cancelled", "denied"))),
        marketplace=draw(st.sampled_from((None, "RUBRA"))),
    )


@st.composite
def views(draw: st.DrawFn) -> View:
    ordered = [draw(orders(number)) for number in range(1, draw(st.integers(0, 6)) + 1)]
    issued = [draw(notes(number)) for number in range(101, 101 + draw(st.integers(0, 6)))]
    pairs = [(one, other) for one in ordered for other in issued]
    chosen = draw(st.lists(st.sampled_from(pairs), unique_by=id, max_size=8)) if pairs else []
    references = [(one, other) for one in issued for other in issued if one is not other and one.purpose != "1"]
    referring = draw(st.lists(st.sampled_from(references), max_size=4)) if references else []
    free = [pair for pair in pairs if pair not in chosen]
    tied = draw(st.sampled_from(free)) if free and draw(st.booleans()) else None
    near = draw(st.sampled_from(free)) if free and draw(st.booleans()) else None
    ledger = made.ledger(
        ordered,
        issued,
        relations=tuple(made.refers(*pair) for pair in referring),
        elsewhere=frozenset(draw(st.lists(st.sampled_from([each.key or "" for each in issued]), max_size=1)))
        if issued
        else frozenset(),
        orders_listed=draw(st.sampled_from((made.EVERYTHING, made.NOTHING_SINCE_MARCH))),
        own=draw(st.sampled_from((frozenset({made.OWN, made.BRANCH}), frozenset({made.OWN}), frozenset[str]()))),
    )
    linked = Linked(
        tuple(Link(one.hub_id, other.key or "", LinkKind.ORDER_KEY, 100, ()) for one, other in chosen),
        () if tied is None else (made.tie([tied[0]], [tied[1]]),),
        () if near is None else (Suggestion(near[0].hub_id, near[1].key or "", (), ()),),
    )
    return View(ledger, linked, Terms(), made.NOW)


@settings(max_examples=60, deadline=None)
@given(views())
def test_every_page_ties(view: View) -> None:
    placement = Placement(view)
    taken, billed = 0, 0
    for month in placement.months:
        whole = page(placement, BridgeScope(month))
        check_page(placement, whole)
        taken += whole.line(BridgeCode.ORDERS_TAKEN).orders
        billed += whole.line(BridgeCode.INVOICES_AUTHORIZED).documents
        for name in marketplaces(placement, month):
            check_page(placement, page(placement, BridgeScope(month, None, name)))
            check_page(placement, page(placement, BridgeScope(month, made.OWN, name)))
    assert taken == len(view.orders)
    assert billed == len(placement.invoices)


@given(st.lists(st.integers(0, 50), min_size=1, max_size=5), st.data())
def test_amounts_are_divided_without_a_rest(amounts: list[int], data: st.DataObject) -> None:
    rooms: list[int] = []
    rest = sum(amounts)
    for _ in range(data.draw(st.integers(0, 4))):
        rooms.append(data.draw(st.integers(0, rest)))
        rest -= rooms[-1]
    rooms.append(rest)
    pairs = [(one, other) for one in range(len(amounts)) for other in range(len(rooms))]
    poured = pieces.pour(amounts, rooms, set(data.draw(st.lists(st.sampled_from(pairs)))))
    assert all(amount > 0 for _, _, amount in poured)
    assert [sum(amount for one, _, amount in poured if one == place) for place in range(len(amounts))] == amounts
    assert [sum(amount for _, other, amount in poured if other == place) for place in range(len(rooms))] == rooms
