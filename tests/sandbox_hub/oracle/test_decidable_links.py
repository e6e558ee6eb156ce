"""Brute force on worlds of a few orders made by hand: what is decided, by elimination too, and what is not."""

from __future__ import annotations

from typing import Any

import pytest

from sandbox_hub.oracle.decidable_links import decided
from sandbox_hub.oracle.fitting_pairs import SeenAmounts, SeenOrder, SeenPaper, fits

BUYER = "12345678901"
MASKED = "***456789**"
AMOUNTS = SeenAmounts(total=10_000, discount=0, freight=0, other=0, goods="SKU-1:2")
DAY = 86_400


def order(n: int, /, **seen: Any) -> SeenOrder:
    plain = SeenOrder(1_000_000 + n, f"LV-{n}", 100, BUYER, AMOUNTS)
    return plain._replace(**seen)


def sale(n: int, /, **seen: Any) -> SeenPaper:
    plain = SeenPaper(
        key=f"sale {n}",
        refers=(),
        order_id=None,
        external_id=None,
        order_code=None,
        remarks="Dúvidas: consulte o vendedor.",
        number=("1", str(n)),
        issued_at=100 * DAY,
        day=100,
        buyer=BUYER,
        amounts=AMOUNTS,
    )
    return plain._replace(**seen)


def paper(key: str, /, *refers: str, **seen: Any) -> SeenPaper:
    return SeenPaper(key, refers, **seen)


A, B, C = 1_000_001, 1_000_002, 1_000_003


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"key": "sale 1"}, {}),
        ({"number": ("1", "1")}, {}),
        ({"number": ("1", "1"), "invoiced_at": 100 * DAY + 60}, {}),
        ({}, {"order_id": A}),
        ({}, {"external_id": f"SALE-sale-{A}-1"}),
        ({}, {"external_id": str(A)}),
        ({}, {"order_code": "LV-1"}),
        ({}, {"remarks": "Pedido LV-1 no marketplace."}),
        ({}, {"remarks": "Pedidos LV-1, LV-9."}),
        ({}, {}),
        ({"buyer": MASKED}, {}),
    ],
)
def test_each_piece_of_evidence_is_enough(one: dict[str, Any], other: dict[str, Any]) -> None:
    assert decided([order(1, **one)], [sale(1, **other)]) == {(A, "sale 1")}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"buyer": "***456780**"}, {}),
        ({"buyer": "12345678901234"}, {}),
        ({"day": 89}, {}),
        ({"day": 102}, {}),
        ({"amounts": AMOUNTS._replace(goods="SKU-1:1")}, {}),
        ({"amounts": AMOUNTS._replace(total=10_002)}, {}),
        ({"key": "another"}, {}),
        ({"number": ("1", "2")}, {}),
        ({"number": ("1", "1"), "invoiced_at": 102 * DAY}, {}),
        ({"number": ("1", "1"), "day": 80}, {}),
        ({"number": ("1", "1"), "buyer": "99999999999"}, {}),
        ({}, {"order_id": B}),
        ({}, {"external_id": str(B)}),
        ({}, {"order_code": "LV-2"}),
    ],
)
def test_what_contradicts_is_no_link(one: dict[str, Any], other: dict[str, Any]) -> None:
    assert decided([order(1, **one)], [sale(1, **other)]) == set()


@pytest.mark.parametrize("day", [90, 101])
def test_the_window_of_days_is_closed(day: int) -> None:
    assert decided([order(1, day=day)], [sale(1)]) == {(A, "sale 1")}


@pytest.mark.parametrize(
    ("mine", "its", "explained"),
    [
        ({"total": 10_001}, {}, True),
        ({"freight": 500, "total": 10_500}, {}, True),
        ({"freight": 500, "total": 10_500}, {"freight": 400}, False),
        ({}, {"freight": 500, "total": 10_500}, True),
        ({"discount": 700, "total": 9_300}, {}, True),
        ({"discount": 700, "total": 9_300}, {"discount": 100}, False),
        ({}, {"discount": 700, "total": 9_300}, True),
        ({}, {"other": 300, "total": 10_300}, True),
        ({"freight": 500, "total": 10_500}, {"other": 300, "total": 10_300}, True),
        ({}, {"other": 300, "total": 10_400}, False),
    ],
)
def test_totals_are_explained_by_what_is_visible(mine: dict[str, int], its: dict[str, int], explained: bool) -> None:
    one, other = order(1, amounts=AMOUNTS._replace(**mine)), sale(1, amounts=AMOUNTS._replace(**its))
    assert fits(one, other) is explained
    assert bool(decided([one], [other])) is explained


def test_twins_that_keep_nothing_are_undecidable() -> None:
    assert decided([order(1), order(2)], [sale(1), sale(2)]) == set()


@pytest.mark.parametrize("kept", [{"key": "sale 2"}, {"number": ("1", "2"), "invoiced_at": 100 * DAY}])
def test_of_twins_one_decides_the_other(kept: dict[str, Any]) -> None:
    orders = [order(1), order(2, **kept)]
    assert decided(orders, [sale(1), sale(2)]) == {(A, "sale 1"), (B, "sale 2")}
    assert decided([order(1), order(2)], [sale(1, remarks="LV-2"), sale(2)]) == {(B, "sale 1"), (A, "sale 2")}


def test_elimination_goes_through_a_chain() -> None:
    """The third order fits one sale only, so the second has the next, and the first what is left."""
    orders = [order(1, day=90), order(2, day=95), order(3, day=108)]
    sales = [sale(1, day=99), sale(2, day=103), sale(3, day=110)]
    assert decided(orders, sales) == {(A, "sale 1"), (B, "sale 2"), (C, "sale 3")}


def test_orders_of_strangers_can_collide() -> None:
    """Two buyers whose masked numbers agree, or one who is shown and may be the masked one."""
    strangers = [order(1, buyer=MASKED), order(2, buyer=MASKED)]
    sales = [sale(1), sale(2, buyer="99945678999")]
    assert decided(strangers, sales) == set()
    assert decided([strangers[0], order(2, buyer="99945678999")], sales) == {(A, "sale 1"), (B, "sale 2")}


def test_a_sale_too_few_leaves_both_orders_open() -> None:
    assert decided([order(1), order(2)], [sale(1)]) == set()
    assert decided([order(1)], [sale(1), sale(2)]) == set()


def test_an_order_that_names_an_absent_sale_takes_no_other() -> None:
    """So its twin has the one that is there."""
    assert decided([order(1, key="withheld"), order(2)], [sale(1)]) == {(B, "sale 1")}


def test_a_large_knot_is_left_alone() -> None:
    """Not every way is tried where there are too many, and so nothing is claimed."""
    chain = [order(n, day=100 + 8 * n) for n in range(1, 8)]
    sales = [sale(n, day=102 + 8 * n) for n in range(1, 8)]
    assert len(decided(chain[:6], sales[:6])) == 6
    assert decided(chain, sales) == set()


def test_a_number_of_two_companies_is_told_apart() -> None:
    own, stranger, twin = sale(1), sale(1, key="of another", buyer="99999999999"), sale(1, key="of a third")
    numbered = order(1, number=("1", "1"))
    assert decided([numbered], [own, stranger]) == {(A, "sale 1")}
    dearer = twin._replace(amounts=AMOUNTS._replace(total=99))
    assert decided([numbered], [own, dearer]) == {(A, "sale 1")}
    assert decided([numbered], [own, twin]) == set()
    assert decided([numbered, order(2, key="of a third")], [own, twin]) == {(A, "sale 1"), (B, "of a third")}
    assert decided([numbered], [dearer]) == {(A, "of a third")}  # a number is proof enough where it is the only one


def test_carts_and_packages() -> None:
    cart = [order(1, key="sale 1"), order(2, key="sale 1")]
    assert decided(cart, [sale(1)]) == {(A, "sale 1"), (B, "sale 1")}
    packages = [sale(1, order_id=A), sale(2, order_id=A)]
    assert decided([order(1)], packages) == {(A, "sale 1"), (A, "sale 2")}


def test_other_papers_hang_on_their_sale() -> None:
    chain = [
        paper("inbound"),
        paper("out", "inbound"),
        sale(1, refers=("out",)),
        paper("back", "sale 1"),
        paper("restocked", "back"),
        paper("freight", "sale 1"),
        paper("home", "inbound"),
    ]
    keys = {"out", "sale 1", "back", "restocked", "freight"}
    assert decided([order(1)], chain) == {(A, key) for key in keys}
    assert decided([order(1), order(2)], [*chain, sale(2)]) == set()


def test_freight_of_several_sales_is_decided_order_by_order() -> None:
    papers = [sale(1, order_id=A), sale(2), sale(3), paper("freight", "sale 1", "sale 2")]
    assert decided([order(1), order(2), order(3)], papers) == {(A, "sale 1"), (A, "freight")}


def test_a_paper_that_names_its_order_needs_no_sale() -> None:
    assert decided([order(1)], [paper("back", "elsewhere", order_id=A)]) == {(A, "back")}
    assert decided([order(1)], [paper("freight", remarks="Entrega de pedido LV-1.")]) == {(A, "freight")}


def test_a_sale_that_is_not_here_is_known_by_its_key() -> None:
    back = paper("back", "before")
    assert decided([order(1, key="before")], [back]) == {(A, "back")}
    assert decided([order(1)], [back]) == set()


def test_references_in_a_circle_end() -> None:
    assert decided([order(1)], [paper("one", "other"), paper("other", "one")]) == set()


def test_the_order_of_what_is_seen_makes_no_difference() -> None:
    orders = [order(1), order(2, key="sale 2"), order(3, buyer=MASKED, day=95)]
    papers = [sale(1), sale(2), paper("back", "sale 1"), sale(3, day=90, buyer="00045678900")]
    told = decided(orders, papers)
    assert told == decided(orders[::-1], papers[::-1])
    assert told == {(B, "sale 2")}
