"""R15 and R16: the fulfilment chain, and the goods at the marketplace."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from confere.reconcile.context import View
from confere.reconcile.goods import stock
from confere.reconcile.goods.stock import Move, StockLine
from confere.sales.findings import Severity
from confere.sales.links import Linked
from confere.sales.reconciliation_input import ItemQuantity, PaperEntry
from confere.sales.terms import Terms
from tests.reconcile.made import (
    BRANCH,
    MARKETPLACE,
    NOTHING_SINCE_MARCH,
    NOW,
    OWN,
    find,
    key_of,
    ledger,
    linked,
    note,
    only,
    order,
    refers,
    words,
)

SUBJECT = f"{OWN}/AZUL/SKU-1"


def moved(operation: str, number: int, pieces: int, day: str = "2026-03-10", **facts: Any) -> PaperEntry:
    """A note between the seller and the marketplace's warehouse, at R$ 10,00 a piece."""
    lines = (ItemQuantity("SKU-1", None, Decimal(pieces), pieces * 1_000, "Caneca"),)
    incoming = operation.endswith("_return")
    told = {"operation": operation, "recipient": MARKETPLACE, "lines": lines, "marketplace": "AZUL", "series": 2}
    return note(number, day, **told | {"direction": "0" if incoming else "1"} | facts)


SENT = moved("inbound", 10, 5, "2026-03-01")
OUT = moved("symbolic_inbound_return", 11, 2)
SALE = note(100, cfops=("5106",), lines=(ItemQuantity("SKU-1", None, Decimal(2), 10_000),), marketplace="AZUL")
CHAIN = (refers(OUT, SENT), refers(SALE, OUT))
ORDER = order()


def test_a_whole_chain() -> None:
    book = ledger([ORDER], [SENT, OUT, SALE], relations=CHAIN)
    assert find("R15", book, linked((ORDER, SALE))) == []
    assert find("R16", book, linked((ORDER, SALE))) == []


def test_a_sale_without_symbolic_return() -> None:
    found = only(find("R15", ledger([ORDER], [SENT, SALE]), linked((ORDER, SALE))))
    assert (found.orders, found.keys, found.severity) == (("70001",), (SALE.key,), Severity.MEDIUM)


def test_a_denied_symbolic_return_is_none_and_is_told() -> None:
    denied = moved("symbolic_inbound_return", 11, 2, state="denied")
    found = only(find("R15", ledger([], [SENT, denied, SALE], relations=CHAIN)))
    assert found.keys == (SALE.key,)
    assert "NF-e 2/11 is without effect (denied)" in words(found)


def test_a_sale_is_of_the_chain_by_what_it_refers_to_too() -> None:
    plain, denied = note(100), moved("symbolic_inbound_return", 11, 2, state="denied")
    assert only(find("R15", ledger([], [denied, plain], relations=(refers(plain, denied),)))).keys == (plain.key,)


def test_the_cfop_alone_is_not_the_marketplaces_warehouse() -> None:
    assert find("R15", ledger([], [SALE])) == []
    elsewhere = moved("inbound", 10, 5, emitter=BRANCH)
    assert find("R15", ledger([], [elsewhere, SALE])) == []
    issued_there = moved("inbound_return", 10, 5, emitter=MARKETPLACE, recipient=OWN)
    assert len(find("R15", ledger([], [issued_there, SALE]))) == 1


def test_a_symbolic_return_without_sale_is_a_removal() -> None:
    found = only(find("R15", ledger([ORDER], [SENT, OUT], relations=CHAIN[:1]), linked((ORDER, OUT))))
    assert (found.orders, found.keys, found.severity) == ((), (OUT.key,), Severity.LOW)
    assert "stock was removed" in words(found)
    void = note(100, state="cancelled")
    found = only(find("R15", ledger([], [SENT, OUT, void], relations=(refers(void, OUT),))))
    assert "NF-e 1/100 is without effect (cancelled)" in words(found)


def test_a_young_symbolic_return_may_wait_for_its_sale() -> None:
    assert find("R15", ledger([], [moved("symbolic_inbound_return", 11, 2, "2026-04-29")])) == []


@pytest.mark.parametrize(
    ("papers", "facts"),
    [
        ([SENT, SALE], {"relations": (refers(SALE, key_of(5, "2026-01-02", series=2)),)}),
        ([SENT, SALE], {"relations": CHAIN, "undownloaded": frozenset({OUT.key})}),
        ([SENT, moved("symbolic_inbound_return", 11, 2, state="no_protocol"), SALE], {"relations": CHAIN}),
        ([SENT, OUT], {"documents_listed": NOTHING_SINCE_MARCH}),
        ([SENT, OUT], {"undownloaded": frozenset({key_of(321)})}),
        ([SENT, moved("symbolic_inbound_return", 11, 2, issued_at=None, issued_on="")], {}),
    ],
)
def test_what_leaves_the_chain_open(papers: list[PaperEntry], facts: dict[str, Any]) -> None:
    assert not only(find("R15", ledger([], papers, **facts))).checked


def table(*papers: PaperEntry, links: Linked | None = None, **facts: Any) -> tuple[StockLine, ...]:
    orders = facts.pop("orders", ())
    return stock.table(View(ledger(orders, papers, **facts), links or Linked(), Terms(), NOW))


def test_each_kind_of_movement_counts_once() -> None:
    home = moved("inbound_return", 12, 1, "2026-03-20")
    again = moved("symbolic_inbound", 13, 1, "2026-03-25")
    removed = moved("symbolic_inbound_return", 14, 1, "2026-03-26")
    (line,) = table(SENT, OUT, SALE, home, again, removed, relations=CHAIN)
    assert line.subject == SUBJECT
    assert (line.sent, line.sent_symbolically, line.sold, line.removed, line.returned) == (5, 1, 2, 1, 1)
    assert (line.balance, line.lowest, line.negative, line.description) == (2, 0, None, "Caneca")
    assert [movement.balance for movement in line.movements] == [5, 3, 2, 3, 2]
    assert [movement.key for movement in line.movements] == [p.key for p in (SENT, OUT, home, again, removed)]


def test_a_sale_counts_by_itself_only_without_symbolic_return() -> None:
    (line,) = table(SENT, SALE)
    assert (line.sold, line.balance) == (2, 3)
    links = linked((ORDER, SALE), (ORDER, OUT))
    (line,) = table(SENT, SALE, OUT, orders=[ORDER], links=links)
    assert (line.sold, line.removed, line.balance) == (2, 0, 3)


def test_papers_without_effect_and_other_notes_move_nothing() -> None:
    void = moved("inbound", 12, 9, state="cancelled")
    back = moved("sale_return", 13, 9)
    (line,) = table(SENT, void, back, note(500))
    assert line.balance == 5


def test_the_marketplace_is_found_by_order_or_warehouse() -> None:
    bare = moved("symbolic_inbound_return", 11, 2, marketplace=None)
    (line,) = table(SENT, bare)
    assert line.marketplace == "AZUL"
    sale = note(100, cfops=("5106",), lines=SALE.lines)
    bought = order(marketplace="AZUL")
    (line,) = table(SENT, sale, orders=[bought], links=linked((bought, sale)))
    assert (line.marketplace, line.sold) == ("AZUL", 2)
    (line,) = table(moved("inbound", 10, 5, marketplace=None))
    assert line.marketplace == MARKETPLACE


def test_the_owner_is_the_seller_whoever_issues() -> None:
    issued_there = moved("inbound_return", 12, 1, emitter=MARKETPLACE, recipient=OWN)
    (line,) = table(SENT, issued_there)
    assert line.balance == 4


def test_lines_without_code_or_quantity_and_undated_papers() -> None:
    lines = (
        ItemQuantity(None, "789", Decimal(1), 1),
        ItemQuantity(None, None, Decimal(1), 1),
        ItemQuantity("X", None, None, 1),
    )
    (line,) = table(moved("inbound", 10, 5, lines=lines), moved("inbound", 11, 5, issued_at=None, issued_on=""))
    assert line.code == "789"


def test_more_left_than_was_sent() -> None:
    more = moved("symbolic_inbound_return", 11, 7)
    later = moved("inbound", 12, 3, "2026-04-02")
    found = only(find("R16", ledger([], [SENT, more, later], relations=(refers(more, SENT),))))
    assert (found.subject, found.period, found.amount, found.severity) == (SUBJECT, "2026-03", 2_000, Severity.HIGH)
    assert (found.orders, found.keys) == ((), ())
    assert "on 10/03/2026" in words(found)
    assert "at the worst 2 were lacking" in words(found)


def test_what_comes_and_goes_in_one_second_never_falls_below_zero() -> None:
    at = {"issued_at": SENT.issued_at, "issued_on": SENT.issued_on}
    assert find("R16", ledger([], [moved("symbolic_inbound_return", 9, 5, **at), SENT])) == []


def test_goods_that_stand_too_long() -> None:
    old = moved("inbound", 10, 5, "2026-01-20")
    taken = moved("symbolic_inbound_return", 11, 2, "2026-02-10")
    found = only(find("R16", ledger([], [old, taken, moved("inbound", 12, 4, "2026-04-01")])))
    assert (found.subject, found.period, found.amount, found.severity) == (SUBJECT, "2026-01", 3_000, Severity.MEDIUM)
    assert "3 stand there for more than 90 days, the oldest since 20/01/2026" in words(found)
    assert find("R16", ledger([], [old]), standing_days=200) == []


def test_first_in_is_first_out() -> None:
    old = moved("inbound", 10, 5, "2026-01-20")
    assert find("R16", ledger([], [old, moved("inbound", 12, 4, "2026-04-01"), moved("inbound_return", 13, 5)])) == []


def test_what_was_sent_before_the_archive_begins_is_not_known() -> None:
    before = key_of(1, "2025-12-01", series=2)
    out = moved("symbolic_inbound_return", 11, 2, "2026-01-25")
    assert find("R16", ledger([], [out], relations=(refers(out, before),))) == []
    (line,) = table(out, relations=(refers(out, before),))
    assert (line.balance, line.movements[0].counted, line.movements[0].move) == (0, False, Move.REMOVED)
    restocked = moved("symbolic_inbound", 10, 2, "2026-01-20")
    assert find("R16", ledger([], [restocked, out], relations=(refers(out, before),))) == []
    assert len(find("R16", ledger([], [restocked]))) == 1


@pytest.mark.parametrize(
    "papers", [[moved("inbound", 10, 5, "2026-01-20")], [SENT, moved("inbound_return", 11, 7)]], ids=["old", "negative"]
)
@pytest.mark.parametrize(
    "facts", [{"documents_listed": NOTHING_SINCE_MARCH}, {"undownloaded": frozenset({key_of(321)})}]
)
def test_a_remessa_or_a_retorno_may_be_missing_here(papers: list[PaperEntry], facts: dict[str, Any]) -> None:
    found = only(find("R16", ledger([], papers, **facts)))
    assert not found.checked
    assert SUBJECT in words(found)


def test_what_stood_when_it_was_listed_last_may_have_left_since() -> None:
    early = {"documents_listed": NOTHING_SINCE_MARCH, "orders_listed": NOTHING_SINCE_MARCH}
    found = only(find("R16", ledger([], [moved("inbound", 10, 5, "2026-01-20")], **early)))
    assert not found.checked
    assert SUBJECT in words(found)


_DAYS = st.integers(1, 28)


@given(st.lists(st.tuples(st.booleans(), _DAYS, st.integers(1, 9)), min_size=1, max_size=12))
def test_the_balance_is_what_came_less_what_left(moves: list[tuple[bool, int, int]]) -> None:
    papers = [
        moved("inbound" if comes else "inbound_return", 10 + n, pieces, f"2026-02-{day:02d}")
        for n, (comes, day, pieces) in enumerate(moves)
    ]
    (line,) = table(*papers)
    assert line.balance == sum(pieces if comes else -pieces for comes, _, pieces in moves)
    assert line.sent - line.returned == line.balance
    assert line.movements[-1].balance == line.balance
    assert line.lowest == min(0, *(movement.balance for movement in line.movements))
    assert (line.negative is None) is (line.lowest == 0)
    assert bool(line.standing_since) is (line.balance > 0)
