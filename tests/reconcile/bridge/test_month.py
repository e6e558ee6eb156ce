"""A month written by hand: what every line of its bridge comes to, and which orders and documents it opens."""

from __future__ import annotations

from decimal import Decimal

import pytest

from confere.reconcile.bridge.page import BridgePage, marketplaces, page
from confere.reconcile.bridge.placement import Placement
from confere.reconcile.context import View
from confere.sales.bridge import BridgeCode, BridgeScope
from confere.sales.links import Link, Linked, LinkKind, Suggestion
from confere.sales.reconciliation_input import ItemQuantity, Ledger, OrderEntry, PaperEntry
from confere.sales.terms import Terms
from tests.bridge_pages import check_page
from tests.reconcile import made
from tests.reconcile.made import BRANCH, NOW, note, order, refers, returned

MARCH = "2026-03"
NAKED: dict[str, tuple[ItemQuantity, ...]] = {"lines": ()}


def items(quantity: int, total: int) -> dict[str, tuple[ItemQuantity, ...]]:
    return {"lines": (ItemQuantity("SKU-1", "7891234567895", Decimal(quantity), total, "Caneca"),)}


# -- the orders and notes, each named for what happens to it; R$ 100,00 unless it says otherwise ------------
plain, plain_note = order(1), note(1001)
waiting = order(2, status="PAID_WAITING_SHIP", total=1_100)
young = order(3, "2026-03-31", created_at="2026-04-29T15:00:00Z", total=1_200)
cancelled = order(4, status="CANCELED", total=1_300)
refunded = order(5, status="REFUNDED", total=1_400)
uninvoiced = order(6, total=1_500)
revoked, revoked_note = order(7, total=1_600), note(1007, total=1_600, state="cancelled", cancelled_on="2026-03-12")
later, later_note = order(8, "2026-03-31", total=1_700), note(1008, "2026-04-01", total=1_700)
earlier, earlier_note = order(9, "2026-02-27", total=1_800), note(1009, "2026-03-02", total=1_800)
twin_1, twin_2, twin_note = order(10, total=1_900), order(11, total=1_900), note(1010, total=1_900)
near, near_note = order(12, total=2_000), note(1012, total=2_050)
unlisted = order(13, total=2_100, invoice_key=made.key_of(7777))
# Freight of R$ 20,00 against R$ 15,00; discount of R$ 5,00 against R$ 2,00; interest of R$ 4,00 that the order states.
shipped, shipped_note = (
    order(14, total=12_000, gross=10_000, freight=2_000),
    note(1014, total=11_500, freight=1_500),
)
reduced, reduced_note = order(15, total=9_500, gross=10_000, discount=500), note(1015, total=9_800, discount=200)
charged, charged_note = (
    order(16, total=10_400, gross=10_000, interest=400),
    note(1016),
)
taxed, taxed_note = order(17), note(1017, total=10_700, ipi=300, icms_st=400)
rounded, rounded_note = order(18), note(1018, total=10_001)
wrong, wrong_note = order(19), note(1019, total=10_900)
cheap, cheap_note = order(20), note(1020, total=9_300)
orderless = note(1021, total=2_200)
twice, twice_note, twice_again = order(22), note(1022), note(1023, "2026-03-11")
back, back_note, back_return, back_again = order(24), note(1024), returned(1025), note(1026, "2026-03-22")
dead, dead_note = order(27, status="CANCELED", total=2_300), note(1027, total=2_300)
undone, undone_note, undone_return = order(28, status="CANCELED", total=2_400), note(1028, total=2_400), returned(1029)
other_note = note(1030, total=2_500)
# A cart of two orders, one of February, billed by two notes, one of April: 40 + 60 = 30 + 70.
cart_1, cart_2 = order(31, "2026-02-28", total=4_000, **NAKED), order(32, total=6_000, **NAKED)
cart_note_1, cart_note_2 = note(1031, total=3_000, **NAKED), note(1032, "2026-04-02", total=7_000, **NAKED)
# Two marketplaces on one note.
blue, red = order(33, total=2_600, **NAKED), order(34, total=2_700, marketplace="LOJA_RUBRA", **NAKED)
both_note = note(1033, total=5_300, **NAKED)
# A note that complements a sale, in the month after it.
short, short_note = order(35, "2026-02-10", total=2_800), note(1035, "2026-02-11", total=2_500)
complement = note(1036, "2026-03-05", purpose="2", total=300, **NAKED)
branch, branch_note = order(37, total=2_900), note(1037, emitter=BRANCH, total=2_900)
symbolic = note(1038, operation="symbolic_inbound_return", direction="0", cfops=("1949",), total=9_900)
transfer = note(1039, operation="transfer", cfops=("5152",), total=8_800)
denied = note(1040, state="denied", total=7_700)

ORDERS: tuple[OrderEntry, ...] = (
    *(plain, waiting, young, cancelled, refunded, uninvoiced, revoked, later, earlier, twin_1, twin_2, near, unlisted),
    *(shipped, reduced, charged, taxed, rounded, wrong, cheap, twice, back, dead, undone, cart_1, cart_2, blue, red),
    *(short, branch),
)
NOTES: tuple[PaperEntry, ...] = (
    *(plain_note, revoked_note, later_note, earlier_note, twin_note, near_note, shipped_note, reduced_note),
    *(charged_note, taxed_note, rounded_note, wrong_note, cheap_note, orderless, twice_note, twice_again, back_note),
    *(back_return, back_again, dead_note, undone_note, undone_return, other_note, cart_note_1, cart_note_2, both_note),
    *(short_note, complement, branch_note, symbolic, transfer, denied),
)
PAIRS = (
    *((plain, plain_note), (revoked, revoked_note), (later, later_note), (earlier, earlier_note)),
    *((shipped, shipped_note), (reduced, reduced_note), (charged, charged_note), (taxed, taxed_note)),
    *((rounded, rounded_note), (wrong, wrong_note), (cheap, cheap_note), (twice, twice_note), (twice, twice_again)),
    *((back, back_note), (back, back_again), (dead, dead_note), (undone, undone_note)),
    *((cart_1, cart_note_1), (cart_2, cart_note_1), (cart_2, cart_note_2), (blue, both_note), (red, both_note)),
    *((short, short_note), (branch, branch_note)),
)
LEDGER: Ledger = made.ledger(
    ORDERS,
    NOTES,
    relations=(refers(back_return, back_note), refers(undone_return, undone_note), refers(complement, short_note)),
    elsewhere=frozenset({other_note.key or ""}),
)
LINKED = Linked(
    tuple(Link(one.hub_id, other.key or "", LinkKind.ORDER_KEY, 100, ()) for one, other in PAIRS),
    (made.tie((twin_1, twin_2), (twin_note,)),),
    (Suggestion(near.hub_id, near_note.key or "", (), ()),),
)
EXPECTED = {
    # What was taken in March.
    BridgeCode.ORDERS_TAKEN: (
        10_000 + 1_100 + 1_200 + 1_300 + 1_400 + 1_500 + 1_600 + 1_700 + 2 * 1_900 + 2_000 + 2_100 + 12_000 + 9_500
        + 10_400 + 6 * 10_000 + 2_300 + 2_400 + 6_000 + 2_600 + 2_700 + 2_900
    ),
    BridgeCode.NOT_DUE: -(1_100 + 1_200),
    BridgeCode.CANCELLED: -(1_300 + 1_400 + 2_300 + 2_400),
    BridgeCode.NO_INVOICE: -1_500,
    BridgeCode.INVOICE_CANCELLED: -1_600,
    BridgeCode.INVOICED_ELSEWHEN: -(1_700 + 6_000),  # and what April bills of the cart
    BridgeCode.UNDECIDED_ORDERS: -(2 * 1_900 + 2_000),
    BridgeCode.UNCHECKED_ORDERS: -2_100,
    BridgeCode.ORDERED_ELSEWHEN: 1_800 + 3_000 + 300,  # and the cart's first note, the complement
    BridgeCode.FREIGHT: -500,
    BridgeCode.DISCOUNT: 300,
    BridgeCode.INTEREST: -400,
    BridgeCode.IPI_ICMS_ST: 700,
    BridgeCode.ROUNDING: 1,
    BridgeCode.UNEXPLAINED: 900 - 700,
    BridgeCode.NO_ORDER: 2_200,
    BridgeCode.BILLED_TWICE: 10_000,
    BridgeCode.BILLED_AGAIN: 10_000,
    BridgeCode.ORDER_CANCELLED: 2_300,
    BridgeCode.ORDER_RETURNED: 2_400,
    BridgeCode.OTHER_ACCOUNT: 2_500,
    BridgeCode.UNDECIDED_INVOICES: 1_900 + 2_050,
    BridgeCode.CANCELLED_INVOICES: 1_600,
    BridgeCode.VOID_INVOICES: 7_700,
    BridgeCode.RETURNS: 20_000,
    BridgeCode.NO_SALES: 9_900 + 8_800,
}  # fmt: skip


@pytest.fixture(scope="module")
def placement() -> Placement:
    return Placement(View(LEDGER, LINKED, Terms(), NOW))


@pytest.fixture(scope="module")
def march(placement: Placement) -> BridgePage:
    return page(placement, BridgeScope(MARCH))


def names(made_page: BridgePage, code: BridgeCode) -> set[str | None]:
    return {share.order_id or share.key for share in made_page.shares(code)}


def test_every_line_comes_to_what_was_written(march: BridgePage) -> None:
    sums = {line.code: line.amount for line in march.lines if line.amount}
    matched = sums.pop(BridgeCode.MATCHED)
    authorized = sums.pop(BridgeCode.INVOICES_AUTHORIZED)
    assert sums == EXPECTED
    in_effect = [
        each
        for each in NOTES
        if each.issued_on[:7] == MARCH and each.state == "authorized" and each.operation == "sale"
    ]
    assert authorized == sum(each.total or 0 for each in in_effect)
    assert matched == 10_000 + 12_000 + 9_500 + 10_400 + 6 * 10_000 + 2_600 + 2_700 + 2_900


def test_the_documents_of_each_line_add_up_to_it(placement: Placement, march: BridgePage) -> None:
    check_page(placement, march)
    assert march.line(BridgeCode.ORDERS_TAKEN).orders == 27
    assert names(march, BridgeCode.NO_INVOICE) == {uninvoiced.hub_id}
    assert names(march, BridgeCode.INVOICED_ELSEWHEN) == {later.hub_id, cart_2.hub_id}
    assert {share.key for share in march.shares(BridgeCode.BILLED_TWICE)} == {twice_again.key}
    assert {share.key for share in march.shares(BridgeCode.BILLED_AGAIN)} == {back_note.key}
    assert {share.key for share in march.shares(BridgeCode.NO_SALES)} == {symbolic.key, transfer.key}
    assert all(share.reason is not None for share in march.shares(BridgeCode.UNCHECKED_ORDERS))


def test_months_beside_it_tie_too_and_hold_the_other_half(placement: Placement) -> None:
    for month in placement.months:
        check_page(placement, page(placement, BridgeScope(month)))
    april = page(placement, BridgeScope("2026-04"))
    assert april.line(BridgeCode.ORDERED_ELSEWHEN).amount == 1_700 + 7_000
    february = page(placement, BridgeScope("2026-02"))
    assert february.line(BridgeCode.INVOICED_ELSEWHEN).amount == -(1_800 + 4_000 + 300)


def test_pages_of_marketplaces_come_to_the_page_of_all(placement: Placement, march: BridgePage) -> None:
    pages = {name: page(placement, BridgeScope(MARCH, None, name)) for name in marketplaces(placement, MARCH)}
    assert set(pages) == {"LOJA_AZUL", "LOJA_RUBRA", ""}
    for made_page in pages.values():
        check_page(placement, made_page)
    for code in (BridgeCode.ORDERS_TAKEN, BridgeCode.INVOICES_AUTHORIZED, BridgeCode.UNEXPLAINED, BridgeCode.FREIGHT):
        assert sum(made_page.line(code).amount for made_page in pages.values()) == march.line(code).amount
    # The note of both is of the first one's page; the other's order is invoiced there.
    assert pages["LOJA_RUBRA"].line(BridgeCode.ORDERS_ELSEWHERE).amount == -2_700
    assert pages["LOJA_AZUL"].line(BridgeCode.INVOICES_ELSEWHERE).amount == 2_700


def test_an_order_without_an_invoice_is_on_no_companys_page(placement: Placement, march: BridgePage) -> None:
    ours, theirs = (page(placement, BridgeScope(MARCH, company)) for company in (made.OWN, BRANCH))
    for made_page in (ours, theirs):
        check_page(placement, made_page)
    assert theirs.line(BridgeCode.INVOICES_AUTHORIZED).amount == 2_900
    alone = ours.line(BridgeCode.NO_COMPANY)
    assert alone == theirs.line(BridgeCode.NO_COMPANY) and alone.orders == 8
    assert not march.line(BridgeCode.NO_COMPANY).orders, "the bridge of all companies has them in its lines"
    amount = alone.amount
    taken = sum(made_page.line(BridgeCode.ORDERS_TAKEN).amount for made_page in (ours, theirs))
    assert taken + amount == march.line(BridgeCode.ORDERS_TAKEN).amount
