"""What an accountant of real marketplaces has seen: names mistyped, numbers that are others', packs, guests, twins."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from confere.fiscal.credit_notes import CREDIT
from confere.reconcile.linker import link
from confere.sales.links import Decision, Link, Linked, LinkKind, PersonsWord
from confere.sales.reconciliation_input import DocumentReference, Ledger, OrderEntry, PaperEntry
from confere.sales.terms import Terms
from tests.reconcile.cases import (
    BRANCH,
    CARRIES,
    MARKETPLACE,
    OTHER_COMPANY,
    OWN,
    REFERENCES,
    buyer,
    cpf,
    freight_paper,
    items,
    key,
    ledger,
    note,
    of,
    order,
    returned,
    said,
    twins,
)

PACK = "2000003508419013"


def run(
    orders: Iterable[OrderEntry],
    papers: Iterable[PaperEntry],
    relations: Iterable[DocumentReference] = (),
    decisions: Sequence[Decision] = (),
) -> Linked:
    return link(ledger(orders, papers, relations), Terms(), decisions)


def pairs(found: Linked) -> dict[tuple[str, str], LinkKind]:
    return {(one.order_id, one.key): one.kind for one in found.links}


def tied(found: Linked) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    return [(one.orders, one.keys) for one in found.ties]


def only(found: Linked) -> Link:
    (made,) = found.links
    return made


def words(made: Link) -> str:
    return "; ".join(map(str, made.evidence))


def same_as(one: OrderEntry, number: int, **facts: Any) -> OrderEntry:
    """Another order of the same buyer for the same goods."""
    other = order(number)
    return replace(one, id=number, hub_id=other.hub_id, marketplace_id=other.marketplace_id, **facts)


# The key and the number on the order


def test_mistyped_key_of_another_buyers_note_gives_way_to_its_own_order() -> None:
    """By hub record, by quoted number or by likeness: the other order has better reasons than a key typed by hand."""
    a, b = order(1), order(2)
    for facts in ({"order_id": b.hub_id}, {"quoted": (b.marketplace_id,)}, {}):
        theirs, mine = note(2, b, **facts), note(1, a)
        wrong = replace(a, invoice_key=of(theirs))
        assert pairs(run([wrong, b], [theirs, mine])).keys() == {(b.hub_id, of(theirs)), (a.hub_id, of(mine))}


def test_key_of_another_buyers_note_that_nobody_else_claims_is_believed_and_doubted() -> None:
    a, k = order(1), note(2)
    made = only(run([replace(a, invoice_key=of(k))], [k]))
    assert (made.kind, made.confidence) == (LinkKind.ORDER_KEY, 75)
    assert words(made) == "the order names the document's access key; buyer and total are not the order's"


def test_key_that_the_hubs_record_agrees_with_is_not_doubted() -> None:
    a = order(1)
    k = note(2, order_id=a.hub_id)
    made = only(run([replace(a, invoice_key=of(k))], [k]))
    assert (made.kind, made.confidence, len(made.evidence)) == (LinkKind.ORDER_KEY, 100, 2)


def test_doubted_key_that_a_quoted_number_agrees_with_is_the_links_kind() -> None:
    a = order(1)
    k = note(2, quoted=(str(a.marketplace_id),))
    made = only(run([replace(a, invoice_key=of(k))], [k]))
    assert made.kind is LinkKind.ORDER_KEY and made.evidence[0].id == "the order names the document's access key"


@pytest.mark.parametrize("quote", [{"quoted": ("ERP-2026-77",)}, {"order_hint": "ERP-2026-77"}, {"quoted": (PACK,)}])
def test_a_note_quotes_the_number_of_the_sellers_system_or_the_one_the_marketplace_shows(quote: dict[str, Any]) -> None:
    orders = [order(1), order(2, partner_id="ERP-2026-77", marketplace_number=PACK), order(3)]
    made = only(run(orders, [note(2, **quote)]))
    assert (made.order_id, made.kind) == (orders[1].hub_id, LinkKind.QUOTED)


def test_the_hubs_record_of_a_note_names_an_order_by_any_number_of_it() -> None:
    orders = [order(1), order(2, partner_id="ERP-77"), order(3, marketplace_id="ERP-77", partner_id="X-77")]
    assert only(run(orders, [note(9, order_id="X-77")])).order_id == orders[2].hub_id
    found = only(run(orders, [note(9, order_id="ERP-77")]))
    assert (found.order_id, found.kind) == (orders[2].hub_id, LinkKind.DOCUMENT_ORDER)  # the marketplace's id first


def test_doubted_key_takes_nothing_that_is_tied() -> None:
    a, b, k1, k2 = twins(1)
    wrong = order(9, invoice_key=of(k1))
    found = run([a, b, wrong], [k1, k2])
    assert not found.links and tied(found) == [((a.hub_id, b.hub_id), tuple(sorted((of(k1), of(k2)))))]


def test_cart_billed_to_the_company_of_its_buyer_is_no_doubt() -> None:
    """Three orders name one note; neither CNPJ nor any single total is an order's, their sum is the note's."""
    orders = [order(number, buyer=buyer(1)) for number in (1, 2, 3)]
    whole = sum(one.total or 0 for one in orders)
    k = note(1, recipient=OTHER_COMPANY, recipient_name="Firma", total=whole)
    by_key = run([replace(one, invoice_key=of(k)) for one in orders], [k])
    named = {"invoice_series": 1, "invoice_number": 1, "invoice_on": "2025-03-11"}
    by_number = run([replace(one, **named) for one in orders], [k])
    by_words = run(orders, [replace(k, quoted=tuple(one.hub_id for one in orders))])
    assert [one.confidence for found in (by_key, by_number, by_words) for one in found.links] == [100] * 3 + [
        97
    ] * 3 + [93] * 3


def test_number_of_a_remessa_or_a_return_is_no_invoice() -> None:
    a = order(1, invoice_series=1, invoice_number=12, invoice_on="2025-03-11")
    sent = note(12, emitter=BRANCH, operation="inbound", recipient=MARKETPLACE)
    back = replace(returned(12, note(3, a)), issued_on="2025-03-11")
    assert not run([a], [sent, back]).links


def test_number_of_another_establishment_gives_way_to_the_order_of_that_note() -> None:
    a, b = order(1, invoice_series=1, invoice_number=12, invoice_on="2025-03-11"), order(2)
    branchs = note(12, b, emitter=BRANCH)
    assert pairs(run([a, b], [branchs])) == {(b.hub_id, of(branchs)): LinkKind.SCORED}
    alone = only(run([a], [branchs]))
    assert (alone.kind, alone.confidence) == (LinkKind.INVOICE_NUMBER, 70)


def test_two_establishments_with_equal_notes_of_one_number_are_a_tie_until_a_number_is_quoted() -> None:
    a = order(1, invoice_series=1, invoice_number=12)
    k1, k2 = note(12, a), note(12, a, emitter=BRANCH)
    found = run([a], [k1, k2])
    assert not found.links and tied(found) == [((a.hub_id,), tuple(sorted((of(k1), of(k2)))))]
    settled = run([a], [replace(k1, quoted=(str(a.marketplace_id),)), k2])
    assert pairs(settled) == {(a.hub_id, of(k1)): LinkKind.QUOTED} and not settled.ties


def test_more_notes_of_one_number_than_an_account_has_establishments_tell_nothing() -> None:
    a = order(1, buyer=None, buyer_name=None, invoice_series=1, invoice_number=12)
    notes = [replace(note(12, a), key=key(12, series=place + 1), id=place) for place in range(40)]
    found = run([a], notes)
    assert not found.links and not found.ties


def test_day_that_is_none_fits_no_other() -> None:
    a = order(1, invoice_series=1, invoice_number=12, invoice_on="soon")
    assert not run([replace(a, buyer=None, buyer_name=None)], [note(12, a)]).links


# Numbers that are others'


@pytest.mark.parametrize(
    "number",
    ["11987654321", "5511987654321", "1134567890", cpf("123456789"), OTHER_COMPANY, "7891000315507", "01310100"],
)
def test_number_that_may_be_a_telephone_or_a_tax_id_needs_the_buyer_or_the_total(number: str) -> None:
    a = order(1, hub_id=number, marketplace_id=None)
    assert not run([a], [note(1, quoted=(number,))]).links
    theirs = note(1, a, quoted=(number,), total=1)
    dear = note(2, quoted=(number,), total=a.total)
    assert pairs(run([a], [theirs])) == {(a.hub_id, of(theirs)): LinkKind.QUOTED}
    assert pairs(run([a], [dear])) == {(a.hub_id, of(dear)): LinkKind.QUOTED}


@pytest.mark.parametrize("field", ["order_hint", "external_id"])
def test_buyers_own_short_number_is_not_the_order_that_has_it(field: str) -> None:
    a = order(1, hub_id="1000872", marketplace_id=None)
    assert not run([a], [note(1, **{field: "1000872"})]).links
    assert run([a], [note(1, a, **{field: "1000872"}, lines=())]).links


@pytest.mark.parametrize(("number", "is_enough"), [("10008721", False), ("100087213", True)])
def test_nine_characters_where_a_field_asks_for_the_order_are_its_number(number: str, is_enough: bool) -> None:
    a = order(1, hub_id=number, marketplace_id=None)
    assert bool(run([a], [note(1, order_hint=number)]).links) is is_enough


@pytest.mark.parametrize(("number", "is_enough"), [("872", False), ("8721", True)])
def test_a_number_of_three_digits_stands_for_too_much_else(number: str, is_enough: bool) -> None:
    a = order(1, hub_id=number, marketplace_id=None)
    assert bool(run([a], [note(1, a, order_hint=number, total=1)]).links) is is_enough


def test_short_number_on_a_cte_needs_the_orders_buyer() -> None:
    a = order(1, hub_id="1000872")
    cte = replace(freight_paper(9), quoted=("1000872",))
    assert not run([a], [cte]).links
    assert run([a], [replace(cte, recipient=a.buyer)]).links


def test_receipt_without_recipient_is_linked_by_a_short_number_only_with_the_total() -> None:
    a = order(1, hub_id="1000872")
    receipt = note(1, a, type="nfce", model="65", recipient=None, recipient_name=None, quoted=("1000872",))
    assert run([a], [receipt]).links
    assert not run([a], [replace(receipt, total=1)]).links
    assert not run([a], [replace(receipt, quoted=())]).links  # nor by likeness: nobody knows whose it is


def test_purchase_that_quotes_an_equal_number_is_no_orders_sale() -> None:
    a = order(1)
    bought = note(1, emitter=OTHER_COMPANY, recipient=OWN, order_hint=a.hub_id)
    assert not run([a], [bought]).links


def test_number_of_more_orders_than_a_pack_holds_names_none() -> None:
    orders = [order(number, marketplace_id=PACK) for number in range(1, 41)]
    found = run(orders, [note(900, quoted=(PACK,))])
    assert not found.links and not found.ties


def test_cut_number_needs_the_buyer_or_the_total() -> None:
    """`xPed` holds 15 characters; the order of which the rest is right may not be here."""
    a, b = order(1, marketplace_id=PACK), order(2, marketplace_id=PACK[:15] + "4")
    k = note(2, b, order_hint=PACK[:15], total=1)
    assert not run([a], [k]).links
    assert pairs(run([a, b], [k])) == {(b.hub_id, of(k)): LinkKind.QUOTED}
    assert not run([a, b], [replace(k, order_hint=PACK[:14])]).links


def test_process_names_an_order_whose_number_has_dashes() -> None:
    a = order(1, marketplace_id="LV-2026-77")
    k = note(1, external_id="SALE-sale-LV-2026-77-1")
    assert pairs(run([a], [k])) == {(a.hub_id, of(k)): LinkKind.QUOTED}
    assert not run([a], [replace(k, external_id="SALE-sale-LV-2027-77-1")]).links


def test_words_that_look_like_a_process_name_no_order() -> None:
    a = order(1, marketplace_id="LV-2026-77")
    assert not run([a], [note(1, quoted=("SALE-sale-LV-2026-77-1",))]).links


def test_a_process_that_is_an_orders_number_is_that_orders() -> None:
    a, b = order(1, marketplace_id="LV-2026-77"), order(2, marketplace_id="SALE-sale-LV-2026-77-1")
    k = note(2, external_id="SALE-sale-LV-2026-77-1")
    assert pairs(run([a, b], [k])) == {(b.hub_id, of(k)): LinkKind.QUOTED}


# Packs and exchanges


@pytest.mark.parametrize("field", [{"quoted": (PACK,)}, {"order_id": PACK}])
def test_pack_of_several_orders_that_come_to_the_notes_total_is_all_theirs(field: dict[str, Any]) -> None:
    orders = [order(number, marketplace_id=PACK, buyer=buyer(1)) for number in (1, 2)]
    whole = note(1, orders[0], total=sum(one.total or 0 for one in orders), **field)
    assert pairs(run(orders, [whole])).keys() == {(one.hub_id, of(whole)) for one in orders}


def test_pack_with_a_note_each_is_told_apart_by_total() -> None:
    a, b = (order(number, marketplace_id=PACK, buyer=buyer(1)) for number in (1, 2))
    k1, k2 = note(1, a, quoted=(PACK,)), note(2, b, quoted=(PACK,))
    assert pairs(run([a, b], [k1, k2])).keys() == {(a.hub_id, of(k1)), (b.hub_id, of(k2))}


def test_pack_of_which_nothing_fits_is_a_tie_even_if_one_order_has_its_sale() -> None:
    a, b = (order(number, marketplace_id=PACK, buyer=buyer(1)) for number in (1, 2))
    k1, k2 = note(1, a, order_id=a.hub_id), note(900, quoted=(PACK,))
    found = run([a, b], [k1, k2])
    assert pairs(found).keys() == {(a.hub_id, of(k1))}
    assert tied(found) == [((a.hub_id, b.hub_id), (of(k2),))]


def test_reissue_after_a_cancellation_is_not_given_to_the_packs_other_order() -> None:
    """What has only a cancelled note waits for one as much as what has none."""
    a, b, _, _ = twins(1)
    a, b = replace(a, marketplace_id=PACK), replace(b, marketplace_id=PACK)
    k1, k2 = note(1, a, state="cancelled", order_id=a.hub_id), note(2, a, quoted=(PACK,))
    found = run([a, b], [k1, k2])
    assert pairs(found).keys() == {(a.hub_id, of(k1))} and tied(found) == [((a.hub_id, b.hub_id), (of(k2),))]
    living = run([a, b], [replace(k1, state="authorized"), k2])
    assert pairs(living).keys() == {(a.hub_id, of(k1)), (b.hub_id, of(k2))}


def test_exchange_that_mentions_the_first_order_is_not_its_sale() -> None:
    a, b = order(1), order(2)
    k = note(1, a, quoted=(str(a.marketplace_id), str(b.marketplace_id)))
    assert pairs(run([a, b], [k])).keys() == {(a.hub_id, of(k))}
    hinted = note(1, a, order_hint=a.hub_id, quoted=(str(b.marketplace_id),))
    assert pairs(run([a, b], [hinted])).keys() == {(a.hub_id, of(hinted))}


def test_sale_whose_orders_make_it_whole_but_for_freight_takes_no_more() -> None:
    a = order(1)
    stranger = order(2, invoice_series=1, invoice_number=1, invoice_on="2025-03-11", buyer=a.buyer)
    k = note(1, a, order_id=a.hub_id)
    charged = replace(a, total=(a.total or 0) + 500, freight=500)
    assert pairs(run([charged, stranger], [k])).keys() == {(a.hub_id, of(k))}


def test_cart_that_is_not_whole_takes_one_more_order_of_its_buyer_only() -> None:
    a, b, c = order(1), order(2, buyer=buyer(1)), order(3)
    k = note(1, a, order_id=a.hub_id, total=99_999, quoted=(str(b.marketplace_id), str(c.marketplace_id)))
    assert pairs(run([a, b, c], [k])).keys() == {(a.hub_id, of(k)), (b.hub_id, of(k))}


# Guests, masks and what cannot be compared


@pytest.mark.parametrize("hidden", ["*" * 11, "0" * 11, "*********{end}", None])
def test_guest_is_compared_by_name(hidden: str | None) -> None:
    a = order(1, buyer_name="José da Conceição")
    shown = hidden and hidden.format(end=(a.buyer or "")[-2:])
    k = note(1, a, recipient_name="JOSE  DA CONCEICAO")
    made = only(run([replace(a, buyer=shown)], [k]))
    assert (made.kind, made.confidence) == (LinkKind.SCORED, 90 - 1 - 12)
    assert not run([replace(a, buyer=shown, buyer_name=None)], [k]).links
    assert not run([replace(a, buyer=shown, buyer_name="Outro")], [k]).links


def test_mask_that_shows_little_still_rules_out() -> None:
    a = order(1)
    other = "7" if (a.buyer or "")[-1] != "7" else "8"
    assert not run([replace(a, buyer="*" * 10 + other)], [note(1, a)]).links


def test_note_without_tax_id_is_compared_by_name() -> None:
    a = order(1)
    assert only(run([a], [note(1, a, recipient=None)])).confidence == 90 - 1 - 12


def test_rarest_masks_are_not_compared() -> None:
    """So many ways of hiding a tax id are nobody's habit; each would be one more look at every note."""
    who = "12345678909"
    masks = [who[:at] + "*" * wide + who[at + wide :] for wide in (1, 2, 3) for at in range(7)]
    orders = [order(number, buyer=mask, buyer_name=None) for number, mask in enumerate(masks, 1)]
    notes = [replace(note(number, one), recipient=who) for number, one in enumerate(orders, 1)]
    assert len(run(orders, notes).links) == 16


def test_order_without_items_is_compared_by_the_rest_where_that_is_exact() -> None:
    a = order(1)
    k = note(1, a)
    bare = replace(a, lines=())
    made = only(run([bare], [k]))
    assert made.confidence == 90 - 1 - 10
    said = "the buyer's tax id, the total and day agree; the items cannot be compared; no other order or document fits"
    assert words(made) == said
    assert not run([replace(bare, total=(a.total or 0) + 500, freight=500)], [k]).links
    assert not run([replace(bare, buyer=f"***{(a.buyer or '')[3:9]}**")], [k]).links


def test_kit_with_other_codes_is_left_to_a_person() -> None:
    a = order(1)
    assert not run([a], [note(1, a, lines=items(7, 2, 500))]).links


def test_note_of_the_day_before_is_no_surer_than_one_of_the_day() -> None:
    a = order(1)
    sure = [only(run([a], [note(1, a, issued_on=day)])).confidence for day in ("2025-03-09", "2025-03-10")]
    assert sure == [89, 90]


def test_freight_that_explains_the_total_is_said() -> None:
    a = order(1)
    made = only(run([replace(a, total=(a.total or 0) + 500, freight=500)], [note(1, a)]))
    assert made.confidence == 90 - 1 - 6
    assert words(made).startswith("the buyer's tax id, the day and items agree; freight, discount, interest or taxes")


def test_order_made_anew_after_a_cancellation_is_a_tie_with_the_first() -> None:
    a, _, k, _ = twins(1)
    anew = same_as(a, 2, status="INVOICED")
    found = run([replace(a, status="CANCELED"), anew], [k])
    assert not found.links and tied(found) == [((a.hub_id, anew.hub_id), (of(k),))]


def test_order_that_is_not_paid_is_no_partner() -> None:
    a, b, k, _ = twins(1)
    assert pairs(run([replace(a, status="PENDING"), b], [k])).keys() == {(b.hub_id, of(k))}


def test_pair_that_only_its_neighbours_settle_says_so() -> None:
    a = order(1)
    b = same_as(a, 2, created_on="2025-03-16")
    k1, k2 = note(1, a, issued_on="2025-03-10"), note(2, a, issued_on="2025-03-16")
    found = run([a, b], [k1, k2])
    assert pairs(found).keys() == {(a.hub_id, of(k1)), (b.hub_id, of(k2))}
    assert all("others fit too, but only so each has its own" in words(one) for one in found.links)
    assert [one.confidence for one in found.links] == [86, 86]


def test_what_is_tied_by_its_number_may_be_the_partner_of_what_is_left() -> None:
    """Two orders share a number that one of two equal notes quotes: the other note is no third order's for sure."""
    a, b, k1, k2 = twins(1)
    c = same_as(a, 3)
    a, b = replace(a, marketplace_id=PACK), replace(b, marketplace_id=PACK)
    found = run([a, b, c], [replace(k1, quoted=(PACK,)), k2])
    assert not found.links and len(found.ties) == 2


def test_two_cancelled_notes_are_tied_or_linked_whatever_comes_first() -> None:
    a, b = order(1), order(1)
    b = same_as(a, 2, created_on="2025-03-16")
    gone = {"state": "cancelled", "cancelled_on": "2025-03-17"}
    both, first = note(1, a, issued_on="2025-03-16", **gone), note(2, a, issued_on="2025-03-10", **gone)
    for papers in ([both, first], [first, both]):
        found = run([a, b], papers)
        assert pairs(found).keys() == {(a.hub_id, of(first))}
        assert tied(found) == [((a.hub_id, b.hub_id), (of(both),))]


def test_cancelled_note_of_a_tied_order_stays_open() -> None:
    a, b, k1, k2 = twins(1)
    gone = note(3, a, state="cancelled", issued_on="2025-03-09")
    late = replace(b, created_on="2025-03-12")
    found = run([a, late], [k1, k2, gone])
    assert not found.links and ((a.hub_id,), (of(gone),)) in tied(found)


# References


def test_return_of_a_sale_that_is_not_here_belongs_to_the_order_that_names_it() -> None:
    a = order(1, invoice_key=key(99))
    back, cte = returned(41, note(1, a)), freight_paper(61)
    relations = [DocumentReference(of(back), key(99), REFERENCES), DocumentReference(of(cte), key(99), CARRIES)]
    found = run([a], [back, cte], relations)
    assert {one.confidence for one in found.links} == {90} and len(found.links) == 2
    stranger = replace(back, recipient=buyer(7))
    assert not run([a], [stranger], relations[:1]).links
    assert not run([a], [back], relations[:1], [Decision(a.hub_id, key(99), PersonsWord.UNLINK)]).links
    assert run([replace(a, buyer="*" * 11)], [stranger], relations[:1]).links
    masked = replace(a, buyer=f"***{buyer(1)[3:9]}**")
    assert run([masked], [back], relations[:1]).links
    assert not run([masked], [stranger], relations[:1]).links
    own = replace(back, order_id=order(2).hub_id)
    assert pairs(run([a, order(2)], [own], relations[:1])) == {(order(2).hub_id, of(own)): LinkKind.DOCUMENT_ORDER}


@pytest.mark.parametrize(
    ("facts", "follows"),
    [
        ({}, True),
        ({"recipient": buyer(7)}, False),
        ({"recipient": buyer(7), "purpose": CREDIT}, False),
        ({"recipient": OWN}, False),
        ({"recipient": OWN, "purpose": CREDIT}, True),
        ({"recipient": BRANCH, "purpose": CREDIT}, False),
    ],
)
def test_a_return_names_the_buyer_of_its_sale_or_is_a_credit_note_to_the_seller(
    facts: dict[str, Any], follows: bool
) -> None:
    a = order(1)
    k = note(1, a, order_id=a.hub_id)
    back = replace(returned(41, k), **facts)
    linked = pairs(run([a], [k, back], [DocumentReference(of(back), of(k), REFERENCES)]))
    assert ((a.hub_id, of(back)) in linked) is follows


def test_return_that_the_hub_names_leads_its_sale_to_the_order() -> None:
    a, b = order(1), order(2)
    k = note(1, replace(a, lines=()), issued_on="2025-05-01")
    back = returned(41, k)
    refers = DocumentReference(of(back), of(k), REFERENCES)
    assert only_kind(run([a], [k, replace(back, order_id=a.hub_id)], [refers]), a, k) is LinkKind.REFERENCE
    assert not pairs(run([b], [k, replace(back, order_id=b.hub_id)], [refers])).get((b.hub_id, of(k)))
    billed = replace(a, invoice_key=of(note(7, a)))
    found = run([billed], [k, note(7, a), replace(back, order_id=a.hub_id)], [refers])
    assert (a.hub_id, of(k)) not in pairs(found)  # it has its sale
    other = note(8, a, issued_on="2025-05-01")
    two = [refers, DocumentReference(of(back), of(other), REFERENCES)]
    found = run([a], [k, other, replace(back, order_id=a.hub_id)], two)
    assert set(pairs(found)) == {(a.hub_id, of(back))}  # it gives back two sales, and may have its order from either


def only_kind(found: Linked, one: OrderEntry, paper: PaperEntry) -> LinkKind | None:
    return pairs(found).get((one.hub_id, of(paper)))


def test_sale_that_is_tied_gets_no_order_by_its_return() -> None:
    a, b = (order(number, marketplace_id=PACK, buyer=None, buyer_name=None) for number in (1, 2))
    k = note(900, quoted=(PACK,))
    back = replace(returned(41, k), order_id=a.hub_id)
    found = run([a, b], [k, back], [DocumentReference(of(back), of(k), REFERENCES)])
    assert set(pairs(found)) == {(a.hub_id, of(back))} and tied(found) == [((a.hub_id, b.hub_id), (of(k),))]


def test_cte_with_an_order_of_its_own_takes_others_only_with_it() -> None:
    a, b, c = order(1), order(2), order(3)
    k1, k2 = note(1, a, order_id=a.hub_id), note(2, b, order_id=b.hub_id)
    cte = freight_paper(61)
    carried = [DocumentReference(of(cte), of(k1), CARRIES), DocumentReference(of(cte), of(k2), CARRIES)]
    first = run([a, b, c], [k1, k2, replace(cte, order_id=b.hub_id)], carried)
    assert {one.order_id for one in first.links if one.key == of(cte)} == {a.hub_id, b.hub_id}
    stranger = run([a, b, c], [k1, k2, replace(cte, order_id=c.hub_id)], carried)
    assert {one.order_id for one in stranger.links if one.key == of(cte)} == {c.hub_id}


def test_cte_keeps_waiting_orders_until_likeness_finds_its_own() -> None:
    """The note of the order that the CT-e quotes is linked last; then the CT-e takes the other note's order too."""
    a, b = order(1), order(2)
    k1, k2 = note(1, a, order_id=a.hub_id), note(2, b)
    cte = replace(freight_paper(61), quoted=(str(b.marketplace_id),))
    carried = [DocumentReference(of(cte), of(k1), CARRIES), DocumentReference(of(cte), of(k2), CARRIES)]
    found = run([a, b], [k1, k2, cte], carried)
    assert {one.order_id for one in found.links if one.key == of(cte)} == {a.hub_id, b.hub_id}


def test_tie_of_a_cte_ends_where_its_note_has_an_order() -> None:
    a, b = (order(number, marketplace_id=PACK) for number in (1, 2))
    k = note(1, a, order_id=a.hub_id)
    cte = replace(freight_paper(61), quoted=(PACK,))
    assert tied(run([a, b], [k, cte])) == [((a.hub_id, b.hub_id), (of(cte),))]
    found = run([a, b], [k, cte], [DocumentReference(of(cte), of(k), CARRIES)])
    assert not found.ties and (a.hub_id, of(cte)) in pairs(found)


def test_surest_way_tells_the_confidence_whatever_comes_first() -> None:
    a = order(1)
    k1, k2 = note(1, a), note(2, a, order_id=a.hub_id)
    a = replace(a, invoice_key=of(k1))
    cte = freight_paper(61)
    carried = [DocumentReference(of(cte), of(k2), CARRIES), DocumentReference(of(cte), of(k1), CARRIES)]
    for relations in (carried, carried[::-1]):
        (made,) = (one for one in run([a], [k1, k2, cte], relations).links if one.key == of(cte))
        assert made.confidence == 95
        assert [one.params["name"] for one in made.evidence] == ["NF-e 1/1", "NF-e 1/2"]


# A person's word


def test_order_whose_own_key_a_person_parted_is_open_again() -> None:
    """And so the equal order is not sure of the note that is left."""
    a, b, k1, k2 = twins(1)
    a = replace(a, invoice_key=of(k1))
    parted = said(a, k1, PersonsWord.UNLINK)
    assert pairs(run([a], [k1, k2], (), [parted])).keys() == {(a.hub_id, of(k2))}
    assert tied(run([a, b], [k2], (), [parted, said(a, k1, PersonsWord.UNLINK)])) == []
    found = run([a, b], [k1, k2], (), [parted, said(b, k1, PersonsWord.UNLINK)])
    assert not found.links and tied(found) == [((a.hub_id, b.hub_id), (of(k2),))]


def test_order_whose_own_number_a_person_parted_is_open_again() -> None:
    a = order(1, invoice_series=1, invoice_number=1, invoice_on="2025-03-11")
    k1, k2 = note(1, a), note(2, a)
    assert pairs(run([a], [k2])) == {}  # it names another
    assert pairs(run([a], [k1, k2], (), [said(a, k1, PersonsWord.UNLINK)])) == {(a.hub_id, of(k2)): LinkKind.SCORED}


def test_decision_waits_for_what_is_not_here_yet() -> None:
    a, k = order(1), note(2)
    linked, parted = said(a, k, PersonsWord.LINK), said(a, note(1, a), PersonsWord.UNLINK)
    assert not run([a], [note(1, a)], (), [linked, parted]).links
    assert pairs(run([a], [note(1, a), k], (), [linked, parted])) == {(a.hub_id, of(k)): LinkKind.PERSON}


def test_newest_word_counts() -> None:
    a, k = order(1), note(1)
    spoken = [said(a, k, word) for word in (PersonsWord.LINK, PersonsWord.UNLINK, PersonsWord.CONFIRM)]
    made = only(run([a], [k], (), spoken))
    assert made.manual and words(made) == "a person confirmed it"
    assert not run([a], [k], (), spoken[:2]).links


def test_person_who_links_one_of_two_twins_by_a_word_against_every_other_evidence() -> None:
    a, b = order(1), order(2)
    k = note(2, b, order_id=b.hub_id, quoted=(str(b.marketplace_id),))
    found = run(
        [a, replace(b, invoice_key=of(k))], [k], (), [said(a, k, PersonsWord.LINK), said(b, k, PersonsWord.UNLINK)]
    )
    assert pairs(found) == {(a.hub_id, of(k)): LinkKind.PERSON}


# Crowds


def test_equal_orders_of_a_month_are_one_tie() -> None:
    model = order(1, buyer=OTHER_COMPANY)
    bill = note(1, model)
    days = [f"2025-03-{n % 30 + 1:02d}" for n in range(3_000)]
    orders = [replace(model, id=n, hub_id=f"H{n}", marketplace_id=None, created_on=day) for n, day in enumerate(days)]
    notes = [replace(bill, id=n, key=f"{n:044d}", number=n, issued_on=day) for n, day in enumerate(days)]
    found = run(orders, notes)
    assert not found.links and [(len(one.orders), len(one.keys)) for one in found.ties] == [(3_000, 3_000)]


def test_buyer_with_many_different_orders_gets_each_its_note() -> None:
    orders = [order(n, buyer=OTHER_COMPANY, lines=items(1, 1, 5)) for n in range(300)]
    notes = [note(n, one) for n, one in enumerate(orders)]
    assert pairs(run(orders, notes)).keys() == {(one.hub_id, of(k)) for one, k in zip(orders, notes, strict=True)}


def test_crowd_that_nothing_tells_apart_is_a_tie_without_a_trial() -> None:
    """Totals a centavo apart, in any of which a discount may be left out: each order meets hundreds of notes."""
    model = order(1, buyer=OTHER_COMPANY)
    bill = note(1, model)
    amounts = [{"total": 50_000 + n, "discount": n} for n in range(700)]
    orders = [replace(model, id=n, hub_id=f"H{n}", marketplace_id=None, gross=50_000 + 2 * n, **of_it)
              for n, of_it in enumerate(amounts)]  # fmt: skip
    notes = [replace(bill, id=n, key=f"{n:044d}", number=n, **of_it) for n, of_it in enumerate(amounts)]
    gone = [replace(one, key=f"9{n:043d}", number=9_000 + n, state="cancelled") for n, one in enumerate(notes[:3])]
    found = run(orders, [*notes, *gone])
    assert not found.links and max(len(one.orders) for one in found.ties) == 700


def test_day_or_total_that_is_missing_fits_nothing_among_many_too() -> None:
    orders = [order(n, buyer=OTHER_COMPANY, lines=items(1, 1, 5)) for n in range(20)]
    notes = [note(n, one) for n, one in enumerate(orders)]
    orders[0], orders[1] = replace(orders[0], created_on=""), replace(orders[1], total=None)
    notes[2], notes[3] = replace(notes[2], issued_on=""), replace(notes[3], total=None)
    assert {one.order_id for one in run(orders, notes).links} == {one.hub_id for one in orders[4:]}


def test_a_chain_of_orders_as_long_as_years_is_bounded() -> None:
    """Each order fits two notes, from end to end: exact while it is short, a tie where it is long."""

    def chain(length: int) -> Linked:
        lines = items(1, 1, 5)
        model = order(1, buyer=OTHER_COMPANY, lines=lines)
        bill = note(1, model)
        orders = [replace(model, id=n, hub_id=f"H{n}", total=1_000 + n, gross=1_000 + n) for n in range(length)]
        return run(orders, [replace(bill, key=f"{n:044d}", number=n, total=1_000 + n) for n in range(length)])

    assert not chain(50).links and len(chain(50).ties) == 1
    assert not chain(1_000).links and len(chain(1_000).ties) == 1


def test_ledger_keeps_its_accounts_own_notes_to_itself() -> None:
    a = order(1)
    theirs = note(1, a, emitter=OTHER_COMPANY)
    assert not run([a], [theirs]).links


@pytest.mark.parametrize("on", [True, False])
def test_empty_ledger_has_nothing_and_the_collector_is_left_as_it_was(on: bool) -> None:
    was_on = gc.isenabled()
    (gc.enable if on else gc.disable)()
    try:
        assert link(Ledger("loja", frozenset()), Terms()) == Linked()
        assert gc.isenabled() is on
    finally:
        (gc.enable if was_on else gc.disable)()
