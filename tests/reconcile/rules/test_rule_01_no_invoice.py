"""R1: an order that must have its invoice has no authorized sale."""

from __future__ import annotations

import pytest

from confere.sales.order import OrderStatus
from confere.sales.reconciliation_input import ListedPeriod
from tests.reconcile.made import (
    EVERYTHING,
    NOTHING_SINCE_MARCH,
    OTHER_COMPANY,
    find,
    key_of,
    ledger,
    linked,
    note,
    only,
    order,
    tie,
    words,
)

ORDER = order()


@pytest.mark.parametrize("status", ["INVOICED", "PAID_WAITING_DELIVERY", "CONCLUDED"])
def test_an_order_that_is_invoiced_or_further_without_a_sale(status: str) -> None:
    found = only(find("R1", ledger([order(status=status)])))
    assert (found.orders, found.keys, found.amount, found.period) == (("70001",), (), 10_000, "2026-03")
    assert found.checked
    assert "70001" in words(found)
    assert "10/03/2026" in words(found)
    assert "R$ 100,00" in words(found)


@pytest.mark.parametrize("status", sorted(set(OrderStatus) - {"INVOICED", "PAID_WAITING_DELIVERY", "CONCLUDED"}))
def test_other_orders_need_none(status: str) -> None:
    assert find("R1", ledger([order(status=status)])) == []


def test_an_authorized_sale_settles_it() -> None:
    sale = note()
    assert find("R1", ledger([ORDER], [sale]), linked((ORDER, sale))) == []


@pytest.mark.parametrize(("state", "word"), [("cancelled", "cancelled on 12/03/2026"), ("denied", "not authorized")])
def test_a_sale_without_effect_does_not_and_is_told(state: str, word: str) -> None:
    sale = note(state=state, cancelled_on="2026-03-12" if state == "cancelled" else "")
    found = only(find("R1", ledger([ORDER], [sale]), linked((ORDER, sale))))
    assert word in words(found)
    assert "NF-e 1/100" in words(found)


def test_a_return_or_a_complement_is_no_sale() -> None:
    papers = [note(operation="devolution", direction="0", purpose="4"), note(101, purpose="2")]
    assert only(find("R1", ledger([ORDER], papers), linked(*((ORDER, paper) for paper in papers)))).checked


def test_a_young_order_may_wait() -> None:
    assert find("R1", ledger([order(day="2026-04-29")])) == []
    assert len(find("R1", ledger([order(day="2026-04-29")]), invoice_after_hours=1)) == 1


def test_an_invoice_named_and_not_here_is_not_called_missing() -> None:
    for named in ({"invoice_key": key_of(77)}, {"invoice_series": 1, "invoice_number": 77}):
        found = only(find("R1", ledger([order(**named)])))
        assert not found.checked
        assert "names an invoice" in words(found)


def test_an_invoice_named_and_denied_is() -> None:
    sale = note(77, state="denied")
    assert only(find("R1", ledger([order(invoice_key=sale.key)], [sale]))).checked
    assert only(find("R1", ledger([order(invoice_series=1, invoice_number=77)], [sale]))).checked


def test_outside_what_was_listed_nothing_is_missing() -> None:
    found = only(find("R1", ledger([ORDER, order(2)], documents_listed=NOTHING_SINCE_MARCH)))
    assert not found.checked
    assert found.orders == ()
    assert "2 (70001, 70002)" in words(found)


def test_the_days_after_the_order_count_too() -> None:
    listed = (ListedPeriod("1970-01-01T00:00:00.000+00:00", "2026-03-11T00:00:00.000+00:00"),)
    assert not only(find("R1", ledger([ORDER], documents_listed=listed))).checked
    longer = (ListedPeriod("1970-01-01T00:00:00.000+00:00", "2026-03-20T00:00:00.000+00:00"),)
    assert only(find("R1", ledger([ORDER], documents_listed=longer))).checked
    for later in ({"shipped_at": "2026-03-25T00:00:00Z"}, {"invoice_on": "2026-03-25"}):
        assert not only(find("R1", ledger([order(**later)], documents_listed=longer))).checked


def test_an_order_from_before_the_first_document() -> None:
    assert not only(find("R1", ledger([order(day="2025-12-20")]))).checked


def test_what_is_not_downloaded_may_be_its_invoice() -> None:
    found = only(find("R1", ledger([ORDER], undownloaded=frozenset({key_of(321)}))))
    assert not found.checked
    assert "not downloaded" in words(found)
    assert only(find("R1", ledger([ORDER], undownloaded=frozenset({key_of(321, "2026-01-10")})))).checked
    assert only(find("R1", ledger([ORDER], undownloaded=frozenset({key_of(321, model="57")})))).checked


def test_a_sale_without_answer_of_the_authority() -> None:
    sale = note(state="no_protocol")
    found = only(find("R1", ledger([ORDER], [sale]), linked((ORDER, sale))))
    assert not found.checked
    assert "no answer" in words(found)


def test_a_tie_is_one_finding_that_is_not_checked() -> None:
    twins, notes = [order(1), order(2)], [note(100), note(101)]
    found = only(find("R1", ledger(twins, notes), linked(ties=[tie(twins, notes)])))
    assert not found.checked
    assert found.orders == ("70001", "70002")
    assert set(found.keys) == {paper.key for paper in notes}
    assert "more than one way" in words(found)


def test_an_order_without_any_day() -> None:
    found = only(find("R1", ledger([order(created_at=None, created_on="")])))
    assert (found.checked, found.period) == (False, "2026-04")


def test_only_a_day_is_enough() -> None:
    assert only(find("R1", ledger([order(created_at=None)], documents_listed=EVERYTHING))).checked


def test_without_establishments_nothing_is_called_missing() -> None:
    found = only(find("R1", ledger([ORDER, order(2)], own=frozenset())))
    assert not found.checked
    assert "names no establishment" in words(found)
    assert "2 (70001, 70002)" in words(found)


def test_an_invoice_that_another_company_issued() -> None:
    theirs = note(emitter=OTHER_COMPANY)
    found = only(find("R1", ledger([ORDER], [theirs]), linked((ORDER, theirs))))
    assert not found.checked
    assert "not among the account's establishments" in words(found)
    void = note(emitter=OTHER_COMPANY, state="cancelled")
    assert only(find("R1", ledger([ORDER], [void]), linked((ORDER, void)))).checked


def test_a_marketplace_whose_invoices_are_issued_elsewhere_is_told_once_a_month() -> None:
    orders = [order(n, "2026-02-10" if n < 5 else "2026-03-10", marketplace="FAR") for n in range(2, 24)]
    sale = note()
    found = find("R1", ledger([ORDER, *orders], [sale]), linked((ORDER, sale)))
    assert [(entry.period, entry.orders, entry.amount, entry.checked) for entry in found] == [
        ("2026-02", (), 30_000, True),
        ("2026-03", (), 190_000, True),
    ]
    assert "3 orders of FAR of 02/2026 (R$ 300,00)" in words(found[0])
    assert "70002, 70003, 70004" in words(found[0])
    fewer = find("R1", ledger([ORDER, *orders[1:]], [sale]), linked((ORDER, sale)))
    assert [entry.fingerprint for entry in fewer] == [entry.fingerprint for entry in found]
    assert len(find("R1", ledger([ORDER, *orders[3:]], [sale]), linked((ORDER, sale)))) == 19
    same = [order(n) for n in range(2, 30)]
    assert len(find("R1", ledger([ORDER, *same], [sale]), linked((ORDER, sale)))) == 28


@pytest.mark.parametrize("status", [None, "", "Em separação"])
def test_an_order_whose_status_is_unknown_is_not_checked(status: str | None) -> None:
    unknown, other = order(status=status), order(2, status=status)
    found = only(find("R1", ledger([unknown, other])))
    assert (found.checked, found.period, found.subject) == (False, "2026-03", "2026-03/no_status")
    assert "2 (70001, 70002)" in words(found)


def test_an_unknown_status_does_not_matter_beside_a_sale_or_in_a_tie() -> None:
    sold, tied, sale = order(status=None), order(2, status=None), note()
    undecided = [note(101), note(102)]
    links = linked((sold, sale), ties=[tie([tied], undecided)])
    assert find("R1", ledger([sold, tied], [sale, *undecided]), links) == []
