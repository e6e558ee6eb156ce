"""Credit and debit notes under the rules: what takes goods back, what only moves value, what is no sale."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from confere.fiscal.document_parts import TaxSums
from confere.fiscal.tax_groups import TaxGroup
from confere.reconcile.context import View
from confere.reconcile.goods import stock
from confere.reconcile.linker import link
from confere.reconcile.tax_pivot import pivot
from confere.sales.reconciliation_input import DocumentReference, ItemQuantity, NamedItem, PaperEntry, ReturnEntry
from confere.sales.terms import Terms
from tests.reconcile.made import (
    CARRIER,
    MARKETPLACE,
    NOW,
    OWN,
    carries,
    find,
    freight,
    happened,
    ledger,
    linked,
    note,
    only,
    order,
    refers,
    words,
)

SALE = note()
ORDER = order(invoice_key=SALE.key)
CANCELLED = replace(ORDER, status="CANCELED")


def credit(number: int = 300, day: str = "2026-03-20", **facts: Any) -> PaperEntry:
    """The seller's entry note for a delivery that was refused."""
    told = {"operation": "sale_return", "direction": "0", "purpose": "5", "credit_type": "03", "cfops": ("1949",)}
    return note(number, day, **told | facts)


REFUSED = credit()
REDUCED = credit(operation="credit_note", credit_type="04", total=1_000, lines=())
BACK = refers(REFUSED, SALE)
ONLY_VALUE = refers(REDUCED, SALE)


def booked(**facts: Any) -> ReturnEntry:
    made = ReturnEntry("R-1", ORDER.hub_id, "TOTAL", "DONE", "2026-03-18", None, 10_000, ORDER.lines)
    return replace(made, **facts)


# -- R5 --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("type", ["03", "06"])
def test_a_refused_delivery_closes_r5(type: str) -> None:
    back = credit(credit_type=type)
    book = ledger([CANCELLED], [SALE, back], relations=[BACK])
    assert find("R5", book, linked((CANCELLED, SALE))) == []


def test_a_reduction_of_value_leaves_r5_open_and_is_told() -> None:
    book = ledger([CANCELLED], [SALE, REDUCED], relations=[ONLY_VALUE])
    found = only(find("R5", book, linked((CANCELLED, SALE))))
    assert "NF-e 1/300 of R$ 10,00 reduces its value only" in words(found)


@pytest.mark.parametrize(
    ("code", "told"),
    [("210240", "was not carried out (210240)"), ("210220", "is unknown (210220)"), ("110192", "failed on 12/03/2026")],
)
def test_r5_tells_what_recipient_and_carrier_registered(code: str, told: str) -> None:
    book = ledger([CANCELLED], [SALE], happenings=[happened(SALE, code)])
    assert told in words(only(find("R5", book, linked((CANCELLED, SALE)))))


def test_r5_tells_the_failure_of_the_freight_that_carries_it() -> None:
    carrier = freight()
    book = ledger(
        [CANCELLED], [SALE, carrier], relations=[carries(carrier, SALE)], happenings=[happened(carrier, "110190")]
    )
    assert "failed on 12/03/2026 (event 110190 of CT-e 1/900)" in words(
        only(find("R5", book, linked((CANCELLED, SALE))))
    )


# -- R13 -------------------------------------------------------------------------------------------------


def test_a_refused_delivery_is_the_document_of_a_booked_return() -> None:
    book = ledger([ORDER], [SALE, REFUSED], relations=[BACK], returns=(booked(),))
    assert find("R13", book, linked((ORDER, SALE))) == []


@pytest.mark.parametrize("named", [False, True])
def test_a_reduction_of_value_is_no_return_document_whatever_the_hub_takes_it_for(named: bool) -> None:
    entry = booked(key=REDUCED.key if named else None)
    book = ledger([ORDER], [SALE, REDUCED], relations=[ONLY_VALUE], returns=(entry,))
    found = only(find("R13", book, linked((ORDER, SALE))))
    assert (found.keys, found.checked) == ((), True)
    assert "reduces its value only" in words(found)


CAP = ItemQuantity("SKU-2", None, Decimal(1), 5_000, "Boné")
TWO = note(total=15_000, lines=(ORDER.lines[0], CAP))


def partly(*lines: ItemQuantity, named: tuple[NamedItem, ...], **facts: Any) -> PaperEntry:
    return credit(credit_type="06", lines=lines, named_items=named, **facts)


def beyond(back: PaperEntry) -> list[str]:
    book = ledger([ORDER], [TWO, back], relations=[DocumentReference(back.key or "", TWO.key or "", "item_references")])
    return [words(found) for found in find("R13", book, linked((ORDER, TWO)))]


def test_of_a_partial_refusal_only_the_referenced_items_come_back() -> None:
    key = TWO.key or ""
    # The second line tells what stays with the buyer: counted as well, it would be more than was sold.
    back = partly(CAP, replace(CAP, quantity=Decimal(9)), named=(NamedItem(0, key, 2),), total=10_000)
    assert beyond(back) == []
    every = replace(back, named_items=())
    assert "Item SKU-2: 9 more" in beyond(every)[0]


def test_a_referenced_item_is_the_sales_item_whatever_it_is_called() -> None:
    key = TWO.key or ""
    renamed = replace(CAP, code="DEV-77", ean=None)
    assert beyond(partly(renamed, named=(NamedItem(0, key, 2),), total=5_000)) == []
    more = replace(renamed, quantity=Decimal(3))
    assert "Item SKU-2: 2 more" in beyond(partly(more, named=(NamedItem(0, key, 2),), total=5_000))[0]
    lost = partly(renamed, named=(NamedItem(0, key, 9),), total=5_000)  # an item that the sale has not
    assert "Item DEV-77: 1 more" in beyond(lost)[0]


def test_what_stays_counts_for_no_value_either() -> None:
    key = TWO.key or ""
    back = partly(CAP, replace(CAP, quantity=Decimal(2), total=10_000), named=(NamedItem(0, key, 2),), total=45_000)
    assert beyond(back) == []  # a third of it comes back
    dearer = replace(back, total=46_000)
    assert "come back of R$ 150,00" in beyond(dearer)[0]


# -- R1, R2, R7b: money in advance is no sale --------------------------------------------------------------


def test_money_in_advance_is_no_sale() -> None:
    advance = note(301, operation="prepayment", purpose="6", debit_type="06", cfops=("5922",))
    settled = refers(SALE, advance, "prepayment")
    both = linked((ORDER, advance), (ORDER, SALE))
    book = ledger([ORDER], [advance, SALE], relations=[settled])
    for rule in ("R1", "R2", "R3", "R7b", "R14"):
        assert find(rule, book, both) == [], rule
    alone = ledger([replace(ORDER, invoice_key=None)], [advance])
    assert only(find("R1", alone, linked((ORDER, advance)))).orders == (ORDER.hub_id,)


def test_advance_and_reduction_belong_to_the_order_of_their_sale() -> None:
    advance = note(301, operation="prepayment", purpose="6", debit_type="06", cfops=("5922",))
    relations = [refers(SALE, advance, "prepayment"), ONLY_VALUE, refers(REFUSED, SALE)]
    found = link(ledger([ORDER], [advance, SALE, REDUCED], relations=relations), Terms())
    assert {(entry.order_id, entry.key) for entry in found.links} == {
        (ORDER.hub_id, paper.key) for paper in (advance, SALE, REDUCED)
    }


def test_a_note_to_the_company_itself_may_take_goods_of_its_own_sale_in() -> None:
    own = replace(REFUSED, recipient=OWN)
    book = ledger([CANCELLED], [SALE, own], relations=[BACK])
    found = link(book, Terms())
    assert (CANCELLED.hub_id, own.key) in {(entry.order_id, entry.key) for entry in found.links}
    assert find("R14", book, found) == []
    stranger = replace(REFUSED, recipient=CARRIER)
    assert find("R14", ledger([CANCELLED], [SALE, stranger], relations=[BACK]), linked((CANCELLED, SALE)))


# -- R15, R16, R17 -----------------------------------------------------------------------------------------

PIECES = (ItemQuantity("SKU-1", None, Decimal(5), 5_000, "Caneca"),)
SENT = note(10, "2026-01-05", operation="inbound", recipient=MARKETPLACE, marketplace="AZUL", series=2, lines=PIECES)


def test_a_refused_delivery_out_of_the_warehouse_is_no_symbolic_return() -> None:
    out = note(11, operation="symbolic_inbound_return", direction="0", recipient=MARKETPLACE, series=2,
               marketplace="AZUL")  # fmt: skip
    sale = note(100, cfops=("5106",), marketplace="AZUL")
    back = credit(series=2)
    relations = [refers(out, SENT), refers(sale, out), refers(back, sale)]
    book = ledger([ORDER], [SENT, out, sale, back], relations=relations)
    assert find("R15", book, linked((ORDER, sale))) == []
    (line,) = stock.table(View(book, linked((ORDER, sale)), Terms(), NOW))
    assert (line.sold, line.removed, line.balance) == (Decimal(2), Decimal(0), Decimal(3))


def lost(**facts: Any) -> PaperEntry:
    told = {"operation": "stock_loss", "purpose": "6", "debit_type": "07", "cfops": ("5927",), "recipient": OWN}
    return note(302, "2026-01-20", **told | {"lines": PIECES} | facts)


def test_a_loss_takes_goods_out_of_the_warehouse_that_it_names() -> None:
    loss = lost()
    book = ledger([], [SENT, loss], relations=[refers(loss, SENT)])
    assert find("R16", book, standing_days=30) == []
    (line,) = stock.table(View(book, linked(), Terms(), NOW))
    assert (line.marketplace, line.lost, line.balance) == ("AZUL", Decimal(5), Decimal(0))
    assert [move.move for move in line.movements] == [stock.Move.SENT, stock.Move.LOST]
    to_warehouse = lost(recipient=MARKETPLACE)
    assert find("R16", ledger([], [SENT, to_warehouse]), standing_days=30) == []


def test_a_loss_in_the_companys_own_stock_is_none_of_the_marketplaces() -> None:
    found = only(find("R16", ledger([], [SENT, lost()]), standing_days=30))
    assert "5 stand there" in words(found)


def test_more_lost_than_was_sent_is_a_finding() -> None:
    loss = lost(lines=(replace(PIECES[0], quantity=Decimal(7)),))
    found = only(find("R16", ledger([], [SENT, loss], relations=[refers(loss, SENT)])))
    assert "7 of them were lost" in words(found)
    assert "at the worst 2 were lacking" in words(found)


def test_a_hub_that_misnames_such_a_note_makes_no_contradiction_of_it() -> None:
    assert find("R17", ledger([], [replace(REFUSED, subtype="symbolic_inbound")])) == []
    assert find("R17", ledger([], [note(subtype="sale_return")])) != []
    assert find("R17", ledger([], [replace(REFUSED, direction="1")])) != []  # CFOP 1.949 goes the other way


def test_in_the_taxes_a_credit_note_came_in_beside_the_sales() -> None:
    def group(key: str | None, direction: str, cfop: str, icms: int) -> TaxGroup:
        return TaxGroup(key=key, period="2026-05", state="authorized", direction=direction, uf="SP",
                        sums=TaxSums(cfop, "000", products=10_000, icms=icms))  # fmt: skip

    lines = pivot([group(SALE.key, "out", "5102", 1_800), group(REFUSED.key, "in", "1949", 1_800)])
    assert [(line.direction, line.cfop, line.amount("icms"), line.documents) for line in lines] == [
        ("in", "1949", 1_800, 1),
        ("out", "5102", 1_800, 1),
    ]
