"""Small books with what the rule book asks to be said of them, written from the rule book alone.

A case is a function that makes its ledger, so that a case whose facts cannot even be written down yet fails alone.
What is expected names rule, state and amount; only the rules in `about` are compared.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from confere.sales.links import Decision, PersonsWord
from confere.sales.reconciliation_input import ItemQuantity, Ledger, OrderEntry, PaperEntry
from tests.reconcile.cases import buyer, cpf
from tests.reconcile.made import (
    NOTHING_SINCE_MARCH,
    SKU,
    carries,
    freight,
    key_of,
    ledger,
    note,
    order,
    refers,
    returned,
)

OPEN: Final = "open"
UNCHECKED: Final = "not checked"
SALES: Final = ("R1", "R2", "R3", "R4", "R5")

Told = tuple[str, str, int | None]  # rule, state, amount in centavos (None: whatever it is)


@dataclass(frozen=True)
class World:
    """`kept` and `apart` are pairs of order and key that must and must not be linked; `said`: in links' evidence.

    `explained`: the amounts that the rule itself explains. `suggested`: pairs that a person is asked about, each once.
    """

    book: Ledger
    findings: tuple[Told, ...] = ()
    about: tuple[str, ...] = SALES
    terms: Mapping[str, Any] = field(default_factory=dict)
    decisions: tuple[Decision, ...] = ()
    kept: tuple[tuple[OrderEntry, PaperEntry], ...] = ()
    apart: tuple[tuple[OrderEntry, PaperEntry], ...] = ()
    explained: tuple[int, ...] = ()
    suggested: tuple[tuple[OrderEntry, PaperEntry], ...] | None = None
    severity: str | None = None
    evidence: tuple[str, ...] = ()  # words that the findings' evidence holds
    said: tuple[str, ...] = ()  # words that the evidence of the kept links holds
    unsaid: tuple[str, ...] = ()


Case = Callable[[], World]
CASES: Final[dict[str, Case]] = {}


def case(make: Case) -> Case:
    CASES[make.__name__] = make
    return make


# What the cases are made of

OTHER_SKU: Final = ItemQuantity("SKU-2", "7891234567901", SKU.quantity, 15_000, "Bule")
ONLY_FILES: Final[dict[str, Any]] = {"orders_listed": (), "documents_listed": (), "returns": None}
UNLISTED: Final[dict[str, Any]] = {"orders_listed": NOTHING_SINCE_MARCH}


def keyed(ordered: dict[str, Any], billed: dict[str, Any]) -> tuple[OrderEntry, PaperEntry]:
    """An order that names its sale's key: nothing is to be found out about the link."""
    sale = note(**billed)
    return order(**{"invoice_key": sale.key} | ordered), sale


def both(ordered: dict[str, Any], billed: dict[str, Any], **facts: Any) -> Ledger:
    bought, sale = keyed(ordered, billed)
    return ledger([bought], [sale], **facts)


def open3(amount: int) -> tuple[Told, ...]:
    return (("R3", OPEN, amount),)


NOT_CHECKED3: Final[tuple[Told, ...]] = (("R3", UNCHECKED, None),)
CART: Final[dict[str, Any]] = {"total": 25_000, "products": 25_000, "lines": (SKU, OTHER_SKU)}


# 1. A cart of which another order was never listed


@case
def cart_whose_other_order_was_never_listed() -> World:
    return World(both({}, CART, **UNLISTED), NOT_CHECKED3)


@case
def cart_where_only_files_came() -> World:
    return World(both({}, CART, **ONLY_FILES), NOT_CHECKED3)


@case
def note_bills_what_nobody_ordered_and_all_orders_are_listed() -> World:
    return World(both({}, CART), open3(15_000))


@case
def the_same_goods_dearer_are_no_cart_whatever_was_listed() -> World:
    dearer = {"total": 11_000, "products": 11_000, "lines": (replace(SKU, total=11_000),)}
    return World(both({}, dearer, **ONLY_FILES), open3(1_000))


@case
def the_same_goods_dearer_are_no_cart_where_orders_have_holes() -> World:
    dearer = {"total": 11_000, "products": 11_000, "lines": (replace(SKU, total=11_000),)}
    return World(both({}, dearer, **UNLISTED), open3(1_000))


@case
def note_quotes_another_order_that_is_not_here() -> World:
    bought = order(invoice_key=key_of(100), marketplace_id="2000000000000011")
    sale = note(**CART, quoted=("2000000000000011", "2000000000000012"))
    return World(ledger([bought], [sale]), NOT_CHECKED3)


@case
def cart_of_two_orders_that_are_here() -> World:
    sale = note(**CART)
    first = order(1, invoice_key=sale.key)
    second = order(2, invoice_key=sale.key, total=15_000, gross=15_000, lines=(OTHER_SKU,))
    return World(ledger([first, second], [sale]))


@case
def cart_of_two_orders_with_a_third_never_listed() -> World:
    third = ItemQuantity("SKU-3", "7891234567918", SKU.quantity, 4_000, "Prato")
    sale = note(total=29_000, products=29_000, lines=(SKU, OTHER_SKU, third))
    first = order(1, invoice_key=sale.key)
    second = order(2, invoice_key=sale.key, total=15_000, gross=15_000, lines=(OTHER_SKU,))
    return World(ledger([first, second], [sale], **UNLISTED), NOT_CHECKED3)


@case
def more_than_ordered_where_items_are_not_told_and_only_files_came() -> World:
    return World(both({"lines": ()}, {"total": 25_000, "lines": ()}, **ONLY_FILES), NOT_CHECKED3)


@case
def more_than_ordered_where_items_are_not_told_and_all_is_listed() -> World:
    return World(both({"lines": ()}, {"total": 25_000, "lines": ()}), open3(15_000))


# 2. Discounts, freight and vOutro on one side only are no explanation


@case
def freight_on_the_order_alone() -> World:
    return World(both({"freight": 1_500, "total": 11_500}, {}), open3(1_500))


@case
def freight_on_the_note_alone() -> World:
    return World(both({}, {"freight": 1_500, "total": 11_500}), open3(1_500))


@case
def discount_on_the_order_alone() -> World:
    return World(both({"discount": 800, "total": 9_200}, {}), open3(800))


@case
def discount_on_the_note_alone() -> World:
    return World(both({}, {"discount": 800, "total": 9_200}), open3(800))


@case
def other_charges_on_the_note_alone() -> World:
    return World(both({}, {"other": 300, "total": 10_300}), open3(300), evidence=("R$ 3,00",))


@case
def insurance_on_the_note_alone() -> World:
    return World(both({}, {"insurance": 300, "total": 10_300}), open3(300))


@case
def surplus_that_the_order_does_not_call_interest() -> World:
    return World(both({"total": 10_300}, {}), open3(300))


@case
def discount_on_one_side_and_freight_on_both() -> World:
    ordered = {"freight": 1_500, "discount": 800, "total": 10_700}
    return World(both(ordered, {"freight": 1_500, "total": 11_500}), open3(800))


# 3. What both sides tell, and tell differently, is explained, and the list says so


@case
def freight_on_both_sides() -> World:
    ordered, billed = {"freight": 1_500, "total": 11_500}, {"freight": 1_000, "total": 11_000}
    return World(both(ordered, billed), explained=(500,))


@case
def discount_on_both_sides() -> World:
    ordered, billed = {"discount": 800, "total": 9_200}, {"discount": 500, "total": 9_500}
    return World(both(ordered, billed), explained=(300,))


@case
def freight_that_the_orders_total_leaves_out() -> World:
    return World(both({"freight": 1_500}, {"freight": 1_500, "total": 11_500}), explained=(1_500,))


@case
def interest_that_the_order_states() -> World:
    return World(both({"total": 10_300, "interest": 300}, {}), explained=(300,))


@case
def interest_that_the_order_states_beside_its_total() -> World:
    return World(both({"interest": 300}, {"other": 300, "total": 10_300}), explained=(300,))


@case
def interest_on_both_sides() -> World:
    ordered, billed = {"total": 10_300, "interest": 300}, {"other": 250, "total": 10_250}
    return World(both(ordered, billed), explained=(50,))


@case
def freight_explains_a_part_only() -> World:
    ordered, billed = {"freight": 1_500, "total": 11_500}, {"freight": 1_000, "total": 10_800}
    return World(both(ordered, billed), open3(700))


@case
def totals_agree_whatever_stands_on_one_side() -> World:
    return World(both({"freight": 1_500, "total": 11_500}, {"other": 1_500, "total": 11_500}))


@case
def one_side_within_the_tolerance() -> World:
    return World(both({"discount": 1, "total": 9_999}, {}))


@case
def cancelled_order_that_the_note_leaves_out_is_in_the_list() -> World:
    sale = note()
    orders = [order(1, invoice_key=sale.key), order(2, invoice_key=sale.key, status="CANCELED", lines=(OTHER_SKU,))]
    return World(ledger(orders, [sale]), about=("R3",), explained=(10_000,))


@case
def exchange_billed_again_is_in_the_list() -> World:
    sale, again, back = note(), note(101, "2026-03-25"), returned()
    bought = order(invoice_key=sale.key)
    again = replace(again, order_id=bought.hub_id)
    book = ledger([bought], [sale, again, back], relations=(refers(back, sale),))
    return World(book, about=("R3",), explained=(10_000,))


# 4. One arithmetic for links and for R3

LACKING: Final[dict[str, Any]] = {"gross": 12_000, "discount": 0, "total": 10_000}
DEARER: Final[dict[str, Any]] = {"total": 12_000, "products": 12_000}


@case
def order_below_its_own_parts_differs_from_the_note_of_its_parts() -> World:
    return World(both(LACKING, DEARER), open3(2_000))


@case
def order_below_its_own_parts_is_not_linked_by_likeness() -> World:
    bought, sale = order(**LACKING), note(**DEARER)
    return World(ledger([bought], [sale]), apart=((bought, sale),), about=("R3",), suggested=((bought, sale),))


# 5. IPI and ICMS-ST


@case
def ipi_that_makes_up_the_note() -> World:
    return World(both({}, {"ipi": 1_000, "total": 11_000}), open3(1_000), evidence=("IPI", "R$ 10,00"))


@case
def ipi_that_the_order_holds_too() -> World:
    return World(both({"total": 11_000, "gross": 11_000}, {"ipi": 1_000, "total": 11_000}))


@case
def substitution_that_makes_up_the_note() -> World:
    return World(both({}, {"icms_st": 1_250, "total": 11_250}), open3(1_250), evidence=("ICMS-ST", "R$ 12,50"))


@case
def ipi_and_another_difference() -> World:
    return World(both({}, {"ipi": 1_000, "total": 11_700}), open3(1_700), evidence=("IPI",))


# 6. Statuses of refund and return


def given_back(status: str, **facts: Any) -> Ledger:
    return both({"status": status}, {}, **facts)


GIVEN_BACK: Final = (("R5", UNCHECKED, None),)


@case
def order_devolvido_with_a_valid_note() -> World:
    return World(given_back("Devolvido"), GIVEN_BACK, ("R5",))


@case
def order_reembolsado_with_a_valid_note() -> World:
    return World(given_back("Reembolsado"), GIVEN_BACK, ("R5",))


@case
def order_returned_at_the_hub() -> World:
    return World(given_back("RETURNED"), GIVEN_BACK, ("R5",))


@case
def order_refunded_at_the_hub() -> World:
    return World(given_back("REFUNDED"), GIVEN_BACK, ("R5",))


@case
def order_with_a_return_under_way() -> World:
    return World(given_back("Devolução em andamento"), GIVEN_BACK, ("R5",))


@case
def order_partly_refunded() -> World:
    return World(given_back("Parcialmente reembolsado"), GIVEN_BACK, ("R5",))


@case
def order_of_a_chargeback_in_spanish() -> World:
    return World(given_back("Devuelto"), GIVEN_BACK, ("R5",))


@case
def order_devolvido_whose_return_is_here() -> World:
    bought, sale = keyed({"status": "Devolvido"}, {})
    back = returned()
    return World(ledger([bought], [sale, back], relations=(refers(back, sale),)), (), ("R5",))


@case
def order_devolvido_whose_note_was_cancelled() -> World:
    return World(both({"status": "Devolvido"}, {"state": "cancelled", "cancelled_on": "2026-03-11"}), (), ("R5",))


@case
def order_not_returned() -> World:
    return World(given_back("Não devolvido"), (), ("R5",))


# 7. CT-e lead to orders as far as their notes are known


@case
def cte_with_a_note_that_is_not_here_leads_no_note_to_its_order() -> World:
    carried = note(407, lines=(OTHER_SKU,), total=15_000, products=15_000, recipient=buyer(7))
    other = order(2, buyer=None, total=8_000, gross=8_000, lines=())
    cte = freight(order_id="70002")
    relations = (carries(cte, carried), carries(cte, key_of(300)))
    return World(ledger([other], [carried, cte], relations=relations), about=("R3",), apart=((other, carried),))


@case
def cte_of_one_known_note_leads_it_to_its_order() -> World:
    carried = note(recipient=None)
    bought = order(buyer=None, lines=())
    cte = freight(order_id=bought.hub_id)
    pairs = ((bought, carried), (bought, cte))
    return World(ledger([bought], [carried, cte], relations=(carries(cte, carried),)), about=("R3",), kept=pairs)


@case
def cte_of_an_absent_note_that_is_the_orders_own() -> World:
    bought = order(invoice_key=key_of(300))
    cte = freight()
    book = ledger([bought], [cte], relations=(carries(cte, key_of(300)), carries(cte, key_of(301))))
    return World(book, about=("R3",), kept=((bought, cte),))


@case
def cte_of_two_notes_of_which_one_is_here() -> World:
    bought, sale = keyed({}, {})
    cte = freight()
    book = ledger([bought], [sale, cte], relations=(carries(cte, sale), carries(cte, key_of(300))))
    return World(book, about=("R3",), kept=((bought, cte), (bought, sale)))


# 8. A name alone is no evidence

NAMED: Final[dict[str, Any]] = {"buyer": None, "buyer_name": "Maria da Silva", "uf": "SP"}
BILLED: Final[dict[str, Any]] = {"recipient": cpf("123456789"), "recipient_name": "MARIA DA SILVA", "uf": "SP"}


def named(ordered: dict[str, Any], billed: dict[str, Any]) -> tuple[Ledger, tuple[OrderEntry, PaperEntry]]:
    bought, sale = order(**NAMED | ordered), note(**BILLED | billed)
    return ledger([bought], [sale]), (bought, sale)


@case
def homonym_of_another_state() -> World:
    book, pair = named({}, {"uf": "BA"})
    return World(book, about=("R3",), apart=(pair,))


@case
def name_state_total_items_and_day() -> World:
    book, pair = named({}, {})
    return World(book, kept=(pair,), said=("name", "tax id"))


@case
def name_without_a_state_is_asked_about() -> World:
    book, pair = named({"uf": None}, {})
    return World(book, about=("R2", "R3"), apart=(pair,), suggested=(pair,))


@case
def name_and_state_of_which_only_an_explanation_makes_up_the_total() -> World:
    book, pair = named({"freight": 1_500, "total": 11_500}, {"freight": 1_000, "total": 11_000})
    return World(book, about=("R3",), apart=(pair,))


@case
def name_and_state_without_items() -> World:
    book, pair = named({"lines": ()}, {})
    return World(book, about=("R3",), apart=(pair,))


@case
def tax_id_with_another_name() -> World:
    bought, sale = order(buyer_name="Maria S."), note(recipient_name="Maria da Silva", uf="BA")
    return World(ledger([bought], [sale]), kept=((bought, sale),), said=("tax id",))


@case
def tax_id_without_items_says_what_was_missing() -> World:
    bought, sale = order(lines=()), note()
    return World(ledger([bought], [sale]), kept=((bought, sale),), said=("items cannot be compared",))


# 9. Item lines with equal totals

HALF: Final = replace(SKU, total=5_000)
OTHER_HALF: Final = replace(OTHER_SKU, total=5_000)


@case
def total_of_one_of_two_equal_lines_is_not_the_orders() -> World:
    ordered = {"total": 5_000, "gross": 5_000, "lines": (HALF, OTHER_HALF)}
    return World(both(ordered, {"lines": (HALF, OTHER_HALF)}), NOT_CHECKED3)


@case
def total_of_one_of_three_equal_lines_is_not_the_orders() -> World:
    lines = (HALF, OTHER_HALF, ItemQuantity("SKU-3", "7891234567918", SKU.quantity, 5_000, "Prato"))
    ordered = {"total": 5_000, "gross": None, "lines": lines}
    return World(both(ordered, {"total": 15_000, "products": 15_000, "lines": lines}), NOT_CHECKED3)


@case
def lines_of_unequal_totals_hide_nothing() -> World:
    lines = (replace(SKU, total=6_000), replace(OTHER_SKU, total=4_000))
    return World(both({"total": 6_000, "gross": 6_000, "lines": lines}, {"lines": lines}), open3(4_000))


# 10. Severity grows with the amount


def differing(amount: int) -> Ledger:
    return both({}, {"total": 10_000 + amount, "products": 10_000 + amount})


@case
def two_centavos_are_low() -> World:
    return World(differing(2), open3(2), severity="low")


@case
def fifteen_reais_are_medium() -> World:
    return World(differing(1_500), open3(1_500), severity="medium")


@case
def nine_hundred_reais_are_high() -> World:
    return World(differing(98_998), open3(98_998), severity="high")


@case
def threshold_is_the_accounts() -> World:
    return World(differing(2), open3(2), terms={"high_from": 2}, severity="high")


@case
def order_without_invoice_is_high_whatever_it_comes_to() -> World:
    small = replace(SKU, total=50)
    book = ledger([order(total=50, gross=50, lines=(small,))])
    return World(book, (("R1", OPEN, 50),), severity="high")


# 11. A link by hand that a later key contradicts


def by_hand(bought: OrderEntry, sale: PaperEntry) -> tuple[Decision, ...]:
    return (Decision(bought.hub_id, sale.key or "", PersonsWord.LINK),)


@case
def hand_link_that_the_orders_key_contradicts() -> World:
    chosen, other = note(101), note(102)
    bought = order(invoice_key=other.key)
    book = ledger([bought], [chosen, other])
    return World(book, about=("R5",), decisions=by_hand(bought, chosen), kept=((bought, chosen),), said=("1/102",))


@case
def hand_link_that_the_hubs_record_contradicts() -> World:
    chosen = note(101, order_id="70002")
    bought, other = order(1), order(2, buyer=buyer(9))
    book = ledger([bought, other], [chosen])
    return World(book, about=("R5",), decisions=by_hand(bought, chosen), kept=((bought, chosen),), said=("70002",))


@case
def hand_link_that_the_key_confirms() -> World:
    bought, sale = keyed({}, {})
    book = ledger([bought], [sale])
    return World(book, decisions=by_hand(bought, sale), kept=((bought, sale),), unsaid=("another",))


# 12. Near misses


@case
def total_that_nothing_explains_is_asked_about_once() -> World:
    bought, sale = order(), note(total=10_500, products=10_500)
    return World(
        ledger([bought], [sale]), (("R1", OPEN, 10_000),), apart=((bought, sale),), suggested=((bought, sale),)
    )


@case
def other_goods_of_the_same_total_are_asked_about_once() -> World:
    bought, sale = order(), note(lines=(replace(OTHER_SKU, total=10_000),))
    return World(ledger([bought], [sale]), (("R1", OPEN, 10_000),), suggested=((bought, sale),))


@case
def order_and_note_of_strangers_are_two_findings() -> World:
    bought = order()
    sale = note(total=33_000, products=33_000, recipient=buyer(9), lines=(OTHER_SKU,))
    return World(ledger([bought], [sale]), (("R1", OPEN, 10_000), ("R2", OPEN, 33_000)), suggested=())


@case
def second_near_note_stays_without_order() -> World:
    bought = order()
    near, further = note(100, total=10_100, products=10_100), note(101, total=10_900, products=10_900)
    told = (("R1", OPEN, 10_000), ("R2", OPEN, 10_900))
    return World(ledger([bought], [near, further]), told, suggested=((bought, near),))


@case
def parted_pair_is_not_asked_about_again() -> World:
    bought, sale = order(), note(total=10_500, products=10_500)
    parted = (Decision(bought.hub_id, sale.key or "", PersonsWord.UNLINK),)
    told = (("R1", OPEN, 10_000), ("R2", OPEN, 10_500))
    return World(ledger([bought], [sale]), told, decisions=parted, suggested=())


@case
def accepted_suggestion_is_a_link_with_its_divergence() -> World:
    bought, sale = order(), note(total=10_500, products=10_500)
    book = ledger([bought], [sale])
    return World(book, open3(500), decisions=by_hand(bought, sale), kept=((bought, sale),), suggested=())


# 13. Two accounts of one company


@case
def sale_of_an_order_of_another_account_of_the_company() -> World:
    sale = note()
    return World(ledger([], [sale], elsewhere=frozenset({sale.key})))


@case
def sale_of_no_account_is_still_told() -> World:
    return World(ledger([], [note()], elsewhere=frozenset({key_of(777)})), (("R2", OPEN, 10_000),))
