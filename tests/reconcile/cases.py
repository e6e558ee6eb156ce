"""Thirty small ledgers with the links and ties that the rule book asks for, written from the rule book alone.

Where the rule book leaves room, a case holds every outcome that it allows. Keys have real check digits, tax ids too.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import product
from typing import Any, TypeAlias

from confere.sales.links import Decision, LinkKind, PersonsWord
from confere.sales.reconciliation_input import DocumentReference, ItemQuantity, Ledger, OrderEntry, PaperEntry

CANCELLED, DENIED = "cancelled", "denied"
SALE, SALE_RETURN = "sale", "sale_return"
OTHER_OPERATION = "symbolic_inbound_return"
REFERENCES, CARRIES = "references", "carries"

Fact: TypeAlias = tuple[str, str, LinkKind]  # order's hub id, key, kind
TieFact: TypeAlias = tuple[frozenset[str], frozenset[str]]  # orders' hub ids, keys


@dataclass(frozen=True, slots=True)
class Outcome:
    links: frozenset[Fact]
    ties: frozenset[TieFact] = frozenset()


@dataclass(frozen=True, slots=True)
class Case:
    """`outcomes` are those that the rule book allows: one, where it is definite."""

    name: str
    why: str
    ledger: Ledger
    outcomes: tuple[Outcome, ...]
    decisions: tuple[Decision, ...] = ()


# What the cases are made of


def _digit(digits: str, weights: Iterable[int]) -> str:
    rest = sum(int(one) * weight for one, weight in zip(digits, weights, strict=True)) % 11
    return "0" if rest < 2 else str(11 - rest)


def cpf(nine: str) -> str:
    """A CPF with its check digits."""
    ten = nine + _digit(nine, range(10, 1, -1))
    return ten + _digit(ten, range(11, 1, -1))


def cnpj(twelve: str) -> str:
    """A CNPJ with its check digits."""
    weights = (6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2)
    thirteen = twelve + _digit(twelve, weights[1:])
    return thirteen + _digit(thirteen, weights)


def checked(first43: str) -> str:
    """A key with its check digit."""
    return first43 + _digit(first43, [2 + place % 8 for place in range(42, -1, -1)])


OWN, BRANCH = cnpj("112223330001"), cnpj("112223330002")
OTHER_COMPANY, CARRIER, MARKETPLACE = cnpj("457236720001"), cnpj("604098370001"), cnpj("030073310001")


def key(number: int, emitter: str = OWN, model: str = "55", month: str = "2503", series: int = 1) -> str:
    """A key of 44 characters of a paper of São Paulo."""
    return checked(f"35{month}{emitter}{model}{series:03d}{number:09d}1{(number * 7919) % 10**8:08d}")


def buyer(number: int) -> str:
    return cpf(f"{314159000 + number * 1117:09d}")


def items(number: int, pieces: int, total: int) -> tuple[ItemQuantity, ...]:
    return (ItemQuantity(f"SKU-{number}", f"789{number:010d}", Decimal(pieces), total, f"Produto {number}"),)


def order(number: int, **fields: Any) -> OrderEntry:
    """An order of 10 March 2025 with a buyer, total and item of its own."""
    total = 10_000 + 731 * number
    made = OrderEntry(
        number,
        f"48{number:08d}",
        created_at="2025-03-10T15:00:00Z",
        created_on="2025-03-10",
        status="INVOICED",
        marketplace="mercadolivre",
        marketplace_id=f"20{number:014d}",
        total=total,
        gross=total,
        discount=0,
        freight=0,
        buyer=buyer(number),
        buyer_name=f"Comprador {number}",
        uf="SP",
        lines=items(number, 1, total),
    )
    return replace(made, **fields)


def note(number: int, sold: OrderEntry | None = None, **fields: Any) -> PaperEntry:
    """An authorized sale of the day after, to the order's buyer for the order's total; without one, to a stranger."""
    sold = sold or order(500 + number)
    emitter = str(fields.get("emitter", OWN))
    made = PaperEntry(
        1000 + number,
        key(number, emitter),
        "nfe",
        model="55",
        series=1,
        number=number,
        emitter=emitter,
        recipient=sold.buyer,
        recipient_name=sold.buyer_name,
        issued_at="2025-03-11T10:00:00-03:00",
        issued_on="2025-03-11",
        authorized_on="2025-03-11",
        operation=SALE,
        direction="1",
        purpose="1",
        cfops=("5102",),
        total=sold.total,
        products=sold.total,
        uf="SP",
        emitter_uf="SP",
        lines=sold.lines,
    )
    return replace(made, **fields)


def returned(number: int, sale: PaperEntry) -> PaperEntry:
    """The return of a whole sale, an entry that the seller issues a week later."""
    made = note(number, operation=SALE_RETURN, direction="0", purpose="4", cfops=("1202",), recipient=sale.recipient)
    made = replace(made, total=sale.total, products=sale.total, lines=sale.lines)
    return replace(made, issued_at="2025-03-18T09:00:00-03:00", issued_on="2025-03-18", authorized_on="2025-03-18")


def freight_paper(number: int) -> PaperEntry:
    return PaperEntry(
        1000 + number,
        key(number, CARRIER, "57"),
        "cte",
        model="57",
        series=1,
        number=number,
        emitter=CARRIER,
        taker=OWN,
        issued_at="2025-03-12T08:00:00-03:00",
        issued_on="2025-03-12",
        authorized_on="2025-03-12",
        cfops=("5353",),
        total=4_500,
    )


def of(paper: PaperEntry) -> str:
    assert paper.key is not None
    return paper.key


def ledger(
    orders: Iterable[OrderEntry], papers: Iterable[PaperEntry], relations: Iterable[DocumentReference] = ()
) -> Ledger:
    return Ledger("loja", frozenset({OWN, BRANCH}), tuple(orders), tuple(papers), tuple(relations))


def linked(sold: OrderEntry, paper: PaperEntry, kind: LinkKind) -> Fact:
    return sold.hub_id, of(paper), kind


def tied(orders: Iterable[OrderEntry], papers: Iterable[PaperEntry]) -> TieFact:
    return frozenset(one.hub_id for one in orders), frozenset(of(one) for one in papers)


def told(
    facts: Iterable[Fact] = (), ties: Iterable[TieFact] = (), open_: Iterable[tuple[Fact | None, ...]] = ()
) -> tuple[Outcome, ...]:
    """The outcomes with these facts and ties; each of `open_` is a choice that the rule book leaves (None: no link)."""
    sure, knots = frozenset(facts), frozenset(ties)
    return tuple(Outcome(sure | {one for one in chosen if one is not None}, knots) for chosen in product(*open_))


def either(sold: OrderEntry, paper: PaperEntry, *kinds: LinkKind | None) -> tuple[Fact | None, ...]:
    return tuple(None if kind is None else linked(sold, paper, kind) for kind in kinds)


def said(sold: OrderEntry, paper: PaperEntry, word: PersonsWord) -> Decision:
    return Decision(sold.hub_id, of(paper), word)


PERSON, KEY, HUB, NUMBER, QUOTED, REFERENCE, SCORED = LinkKind


# One kind of evidence at a time


def order_carries_key() -> Case:
    a = order(1)
    k = note(1)
    a = replace(a, invoice_key=of(k))
    why = "The order's invoice.accessKey = the document's key is the strongest evidence, whatever buyer and total say."
    return Case("order_carries_key", why, ledger([a], [k]), told([linked(a, k, KEY)]))


def hub_record_names_order() -> Case:
    a, b = order(1), order(2)
    k1, k2 = note(1, order_id=a.hub_id), note(2, b, order_id=b.marketplace_id)
    why = "The document's order id (hub field, metadata) links; whether the marketplace's number counts as one is open."
    outcomes = told([linked(a, k1, HUB)], open_=[either(b, k2, HUB, QUOTED)])
    return Case("hub_record_names_order", why, ledger([a, b], [k1, k2]), outcomes)


def series_number_emitter_date() -> Case:
    a = order(1, invoice_series=1, invoice_number=11, invoice_on="2025-03-11")
    b = order(2, invoice_series=1, invoice_number=12, invoice_on="2025-03-11")
    k1, k2 = note(11), note(12, emitter=BRANCH)
    why = "Series + number + emitter (any establishment of the account) + date of the order's invoice."
    facts = [linked(a, k1, NUMBER), linked(b, k2, NUMBER)]
    return Case("series_number_emitter_date", why, ledger([a, b], [k1, k2]), told(facts))


def infcpl_quotes_number() -> Case:
    a, b = order(1), order(2)
    k1 = note(1, quoted=("0800123456", str(a.marketplace_id)))
    k2 = note(2, quoted=(b.hub_id,))
    why = "An order number quoted in infCpl links, be it the marketplace's number or the hub's id; others do not."
    return Case(
        "infcpl_quotes_number", why, ledger([a, b], [k1, k2]), told([linked(a, k1, QUOTED), linked(b, k2, QUOTED)])
    )


def xped_and_external_id() -> Case:
    a, b, c = order(1), order(2), order(3)
    papers = [
        note(1, order_hint=a.hub_id),
        note(2, external_id=b.hub_id),
        note(3, external_id=f"SALE-sale-{c.hub_id}-1"),
    ]
    why = "`external_id` and `xPed` name the order, bare or inside SALE-sale-<order>-1."
    facts = [linked(one, paper, QUOTED) for one, paper in zip((a, b, c), papers, strict=True)]
    return Case("xped_and_external_id", why, ledger([a, b, c], papers), told(facts))


def scored_on_all_counts() -> Case:
    a, b = order(1), order(2)
    k1, k2 = note(1, a), note(2)
    why = "Scored: buyer's tax id, total within tolerance, date window, items; a stranger's note fits nobody."
    return Case("scored_on_all_counts", why, ledger([a, b], [k1, k2]), told([linked(a, k1, SCORED)]))


# Stronger against weaker


def key_beats_quoted_number() -> Case:
    a, b = order(1), order(2)
    k1, k2 = note(1, a, quoted=(str(b.marketplace_id),)), note(2, b)
    a, b = replace(a, invoice_key=of(k1)), replace(b, invoice_key=of(k2))
    why = "Strongest evidence first: both orders carry their keys, so a number mistyped in infCpl links nothing."
    return Case(
        "key_beats_quoted_number", why, ledger([a, b], [k1, k2]), told([linked(a, k1, KEY), linked(b, k2, KEY)])
    )


def hub_record_beats_number() -> Case:
    a = order(1)
    b = order(2, invoice_series=1, invoice_number=21, invoice_on="2025-03-11")
    k = note(21, a, order_id=a.hub_id)
    why = "The document's order id stands above series and number: buyer and total agree with it, not with the other."
    return Case("hub_record_beats_number", why, ledger([a, b], [k]), told([linked(a, k, HUB)]))


def quoted_beats_score() -> Case:
    a = order(1)
    twin = replace(order(2), buyer=a.buyer, buyer_name=a.buyer_name, total=a.total, gross=a.gross, lines=a.lines)
    k = note(1, a, quoted=(str(a.marketplace_id),))
    why = (
        "A document linked by stronger evidence is not free for scores: the equal order of the same buyer goes without."
    )
    return Case("quoted_beats_score", why, ledger([a, twin], [k]), told([linked(a, k, QUOTED)]))


# Many to many


def cart() -> Case:
    one_buyer = {"buyer": buyer(1), "buyer_name": "Comprador 1"}
    orders = [order(number, **one_buyer) for number in (1, 2, 3)]
    whole = sum(one.total or 0 for one in orders)
    k = note(
        1,
        orders[0],
        total=whole,
        products=whole,
        lines=tuple(line for one in orders for line in one.lines),
        quoted=tuple(str(one.marketplace_id) for one in orders),
    )
    why = "Links are many to many: one invoice for a cart of three orders whose totals add up to it."
    return Case("cart", why, ledger(orders, [k]), told(linked(one, k, QUOTED) for one in orders))


def packages() -> Case:
    lines = items(1, 1, 18_000) + items(2, 1, 12_000)
    a = order(1, total=30_000, gross=30_000, lines=lines)
    k1 = note(1, a, total=18_000, products=18_000, lines=lines[:1])
    k2 = note(2, a, total=12_000, products=12_000, lines=lines[1:], order_id=a.hub_id)
    a = replace(a, invoice_key=of(k1))
    why = "Links are many to many: an order in two packages has two invoices, each linked by its own evidence."
    return Case("packages", why, ledger([a], [k1, k2]), told([linked(a, k1, KEY), linked(a, k2, HUB)]))


# Ties


def twins(first: int) -> tuple[OrderEntry, OrderEntry, PaperEntry, PaperEntry]:
    """Two equal orders of one buyer on one day and two equal notes."""
    a = order(first)
    other = order(first + 1)
    b = replace(a, id=other.id, hub_id=other.hub_id, marketplace_id=other.marketplace_id)
    return a, b, note(first, a), note(first + 1, a)


def twins_tie() -> Case:
    a, b, k1, k2 = twins(1)
    why = "A tie is never linked by itself: two equal orders and two equal notes fit in two ways."
    return Case("twins_tie", why, ledger([a, b], [k1, k2]), told(ties=[tied([a, b], [k1, k2])]))


def one_order_two_equal_notes() -> Case:
    a, _, k1, k2 = twins(1)
    why = "A tie is never linked by itself: either of two equal notes could be the order's."
    return Case("one_order_two_equal_notes", why, ledger([a], [k1, k2]), told(ties=[tied([a], [k1, k2])]))


def key_of_one_twin_settles_both() -> Case:
    a, b, k1, k2 = twins(1)
    a = replace(a, invoice_key=of(k1))
    why = "Stronger evidence first: once one twin has its note by key, the other two fit only each other."
    facts = [linked(a, k1, KEY), linked(b, k2, SCORED)]
    return Case("key_of_one_twin_settles_both", why, ledger([a, b], [k1, k2]), told(facts))


def number_of_two_marketplaces() -> Case:
    a = order(1)
    b = replace(order(2), marketplace="shopee", marketplace_id=a.marketplace_id, total=a.total, lines=a.lines)
    c = order(3, buyer=None, buyer_name=None)
    d = replace(c, id=4, hub_id=order(4).hub_id, marketplace="shopee")
    k1 = note(1, a, marketplace="mercadolivre", quoted=(str(a.marketplace_id),))
    k2 = note(2, order(3), quoted=(str(c.marketplace_id),))
    knot = tied([c, d], [k2])
    why = "A quoted number of two marketplaces' orders is a tie, never linked by itself, unless the document names one."
    outcomes = told([linked(a, k1, QUOTED)], [knot]) + told(ties=[tied([a, b], [k1]), knot])
    return Case("number_of_two_marketplaces", why, ledger([a, b, c, d], [k1, k2]), outcomes)


# Scores, count by count


def masked_tax_id() -> Case:
    whole = cpf("123456789")
    a = order(1, buyer=f"***{whole[3:9]}**")
    b = replace(order(2), buyer="***654321**", total=a.total, gross=a.gross, lines=a.lines)
    k = replace(note(1, a), recipient=whole)
    why = "Scored by the buyer's tax id: a masked one agrees where its visible digits do, and only there."
    return Case("masked_tax_id", why, ledger([a, b], [k]), told([linked(a, k, SCORED)]))


def totals_made_up() -> Case:
    a, b, c, exact = order(1), order(2), order(3), order(4)
    k1, k2, k4 = note(1, a), note(2, b), note(4, exact)
    k3 = note(3, c, total=(c.total or 0) + 320, other=320)
    a = replace(a, total=(a.total or 0) + 1_500, freight=1_500)
    b = replace(b, total=(b.total or 0) - 900, discount=900)
    why = "Freight, discount and interest explain a difference; whether a score may rest on that is left open."
    choices = [either(one, paper, SCORED, None) for one, paper in ((a, k1), (b, k2), (c, k3))]
    outcomes = told([linked(exact, k4, SCORED)], open_=choices)
    return Case("totals_made_up", why, ledger([a, b, c, exact], [k1, k2, k3, k4]), outcomes)


def beyond_tolerance_or_window() -> Case:
    dear, late, near = order(1), order(2), order(3)
    k1 = note(1, dear, total=(dear.total or 0) + 500)
    k2 = note(2, late, issued_at="2025-05-09T10:00:00-03:00", issued_on="2025-05-09", authorized_on="2025-05-09")
    k2 = replace(k2, key=key(2, month="2505"))
    k3 = note(3, near, total=(near.total or 0) + 1)
    why = "Total within tolerance (R$ 0.01) and date window: R$ 5.00 that nothing explains or two months are outside."
    told_ = told([linked(near, k3, SCORED)])
    return Case("beyond_tolerance_or_window", why, ledger([dear, late, near], [k1, k2, k3]), told_)


def items_tell_orders_apart() -> Case:
    a, c = order(1), order(3)
    b = replace(order(2), buyer=a.buyer, total=a.total, gross=a.gross, lines=items(2, 1, a.total or 0))
    d = replace(order(4), buyer=c.buyer, total=c.total, gross=c.gross, lines=items(4, 1, c.total or 0))
    k1, k2, k3, k4 = note(1, a), note(2, b), note(3, c), note(4, d)
    k3 = replace(k3, lines=(replace(k3.lines[0], code="NF-0903"),))
    k4 = replace(k4, lines=(replace(k4.lines[0], code="NF-0904"),))
    why = "Items (code, EAN, quantity): equal buyer, day and total, yet the code tells, or the EAN where codes differ."
    facts = [linked(one, paper, SCORED) for one, paper in ((a, k1), (b, k2), (c, k3), (d, k4))]
    return Case("items_tell_orders_apart", why, ledger([a, b, c, d], [k1, k2, k3, k4]), told(facts))


def same_number_is_not_enough() -> Case:
    a = order(1, invoice_series=1, invoice_number=31, invoice_on="2025-03-11")
    b = order(2, invoice_series=1, invoice_number=32, invoice_on="2025-03-11")
    bought = note(31, emitter=OTHER_COMPANY, recipient=OWN, operation="unknown")
    last_year = note(32, issued_at="2024-03-11T10:00:00-03:00", issued_on="2024-03-11", authorized_on="2024-03-11")
    last_year = replace(last_year, key=key(32, month="2403"))
    right = replace(note(32, emitter=BRANCH), id=2032)
    why = "Series and number need the emitter, an establishment of the account, and the date of the order's invoice."
    papers = [bought, last_year, right]
    return Case("same_number_is_not_enough", why, ledger([a, b], papers), told([linked(b, right, NUMBER)]))


# References


def returns_reach_the_order() -> Case:
    a, b = order(1), order(2)
    k1, k2 = note(1, a), note(2, b)
    a = replace(a, invoice_key=of(k1))
    r1, r2 = returned(41, k1), returned(42, k2)
    relations = [DocumentReference(of(r1), of(k1), REFERENCES), DocumentReference(of(r2), of(k2), REFERENCES)]
    why = "A return's refNFe leads to the sale's order, also where the sale itself is linked by score only."
    facts = [linked(a, k1, KEY), linked(a, r1, REFERENCE), linked(b, k2, SCORED), linked(b, r2, REFERENCE)]
    return Case("returns_reach_the_order", why, ledger([a, b], [k1, k2, r1, r2], relations), told(facts))


def symbolic_return_referred_to_by_sale() -> Case:
    a = order(1)
    k = note(1, a)
    a = replace(a, invoice_key=of(k))
    back = note(51, emitter=MARKETPLACE, recipient=OWN, operation=OTHER_OPERATION, cfops=("5907",), total=a.total)
    relations = [DocumentReference(of(k), of(back), REFERENCES)]
    why = "Fulfilment: the sale refers to its symbolic return; whether that leads back to the order is left open."
    outcomes = told([linked(a, k, KEY)], open_=[either(a, back, REFERENCE, None)])
    return Case("symbolic_return_referred_to_by_sale", why, ledger([a], [k, back], relations), outcomes)


def cte_carries_three_orders() -> Case:
    orders = [order(number) for number in (1, 2, 3)]
    notes = [note(number, one) for number, one in enumerate(orders, 1)]
    orders = [replace(one, invoice_key=of(paper)) for one, paper in zip(orders, notes, strict=True)]
    stray = note(4)
    cte, other = freight_paper(61), freight_paper(62)
    relations = [DocumentReference(of(cte), of(paper), CARRIES) for paper in notes] + [
        DocumentReference(of(other), of(stray), CARRIES)
    ]
    why = "A CT-e's carried NF-e leads to its order: three notes, three orders; an unlinked NF-e leads nowhere."
    facts = [linked(one, paper, KEY) for one, paper in zip(orders, notes, strict=True)]
    facts += [linked(one, cte, REFERENCE) for one in orders]
    return Case("cte_carries_three_orders", why, ledger(orders, [*notes, stray, cte, other], relations), told(facts))


# Documents that do not live, or are no sale


def cancelled_and_its_reissue() -> Case:
    a = order(1)
    k1 = note(1, a, state=CANCELLED, cancelled_on="2025-03-11")
    k2 = note(2, a, order_id=a.hub_id)
    a = replace(a, invoice_key=of(k1))
    why = "A key is a key: the cancelled note stays linked (R4 needs it), and so is the newer sale that replaced it."
    facts = [linked(a, k1, KEY), linked(a, k2, HUB)]
    return Case("cancelled_and_its_reissue", why, ledger([a], [k1, k2]), told(facts))


def score_takes_living_notes_only() -> Case:
    a, b, c = order(1), order(2), order(3)
    k1 = note(1, a, state=CANCELLED, cancelled_on="2025-03-11")
    k2 = note(2, b, state=DENIED, authorized_on="")
    k3, k4 = note(3, c, state=CANCELLED, cancelled_on="2025-03-11"), note(4, c)
    why = "A score never takes a denied note, and a cancelled one takes no order from the living note of it."
    papers = [k1, k2, k3, k4]
    # The rule book leaves open whether a cancelled note may be linked by its likeness at all.
    living = linked(c, k4, SCORED)
    cancelled_too = [linked(a, k1, SCORED), linked(c, k3, SCORED), living]
    outcomes = (*told([living]), *told(cancelled_too))
    return Case("score_takes_living_notes_only", why, ledger([a, b, c], papers), outcomes)


def remessa_of_no_order() -> Case:
    a, b = order(1), order(2)
    k = note(1, a)
    a = replace(a, invoice_key=of(k))
    sent = note(2, b, recipient=MARKETPLACE, operation=OTHER_OPERATION, cfops=("5949",), external_id="INB-778812")
    why = "Goods sent to the marketplace belong to no order, even where total, day and item are those of one."
    return Case("remessa_of_no_order", why, ledger([a, b], [k, sent]), told([linked(a, k, KEY)]))


def wrong_key_does_not_stop_the_rest() -> Case:
    a = order(1, invoice_key=key(71)[:43], invoice_series=1, invoice_number=71, invoice_on="2025-03-11")
    b = order(2, invoice_key=key(7200))
    c = order(3, invoice_key=key(73)[:20])
    k1, k2, k3 = note(71, a), note(72, b, quoted=(b.hub_id,)), note(73, c)
    why = "A key that is cut or leads to no document is no evidence; the next kind in strength decides."
    facts = [linked(a, k1, NUMBER), linked(b, k2, QUOTED), linked(c, k3, SCORED)]
    return Case("wrong_key_does_not_stop_the_rest", why, ledger([a, b, c], [k1, k2, k3]), told(facts))


# A person's word


def person_links() -> Case:
    a, (b, c, k2, k3) = order(9), twins(2)
    k1 = note(1)
    back = returned(41, k1)
    why = "A person can link what no evidence links: a return follows the sale, and a twin's other half is settled."
    facts = [linked(a, k1, PERSON), linked(a, back, REFERENCE), linked(b, k2, PERSON), linked(c, k3, SCORED)]
    made = ledger([a, b, c], [k1, back, k2, k3], [DocumentReference(of(back), of(k1), REFERENCES)])
    return Case("person_links", why, made, told(facts), (said(a, k1, PersonsWord.LINK), said(b, k2, PersonsWord.LINK)))


def person_unlinks() -> Case:
    a, (b, _, k2, k3) = order(9), twins(2)
    k1 = note(1, a, order_id=a.hub_id, quoted=(str(a.marketplace_id),), order_hint=a.hub_id)
    a = replace(a, invoice_key=of(k1), invoice_series=1, invoice_number=1, invoice_on="2025-03-11")
    why = "No later run undoes a person's decision, key or not; ruling out one of two equal notes settles the other."
    told_ = told([linked(b, k3, SCORED)])
    decisions = (said(a, k1, PersonsWord.UNLINK), said(b, k2, PersonsWord.UNLINK))
    return Case("person_unlinks", why, ledger([a, b], [k1, k2, k3]), told_, decisions)


def person_confirms() -> Case:
    a, (b, c, k2, k3) = order(9), twins(2)
    k1 = note(1, a)
    why = "A confirmed pair stays linked, as the person's or by its own kind, and settles the other half of the twins."
    choices = [either(a, k1, PERSON, SCORED), either(b, k2, PERSON, SCORED)]
    outcomes = told([linked(c, k3, SCORED)], open_=choices)
    decisions = (said(a, k1, PersonsWord.CONFIRM), said(b, k2, PersonsWord.CONFIRM))
    return Case("person_confirms", why, ledger([a, b, c], [k1, k2, k3]), outcomes, decisions)


CASES = tuple(
    make()
    for make in (
        order_carries_key,
        hub_record_names_order,
        series_number_emitter_date,
        infcpl_quotes_number,
        xped_and_external_id,
        scored_on_all_counts,
        key_beats_quoted_number,
        hub_record_beats_number,
        quoted_beats_score,
        cart,
        packages,
        twins_tie,
        one_order_two_equal_notes,
        key_of_one_twin_settles_both,
        number_of_two_marketplaces,
        masked_tax_id,
        totals_made_up,
        beyond_tolerance_or_window,
        items_tell_orders_apart,
        same_number_is_not_enough,
        returns_reach_the_order,
        symbolic_return_referred_to_by_sale,
        cte_carries_three_orders,
        cancelled_and_its_reissue,
        score_takes_living_notes_only,
        remessa_of_no_order,
        wrong_key_does_not_stop_the_rest,
        person_links,
        person_unlinks,
        person_confirms,
    )
)
