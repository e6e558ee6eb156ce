"""R2: an authorized sale that belongs to no order."""

from __future__ import annotations

import pytest

from tests.reconcile.made import (
    NOTHING_SINCE_MARCH,
    OTHER_COMPANY,
    OWN,
    find,
    ledger,
    linked,
    note,
    only,
    order,
    tie,
    words,
)


def test_a_sale_without_order() -> None:
    sale = note(recipient_name="Ana")
    found = only(find("R2", ledger([order()], [sale])))
    assert (found.orders, found.keys, found.amount) == ((), (sale.key,), 10_000)
    assert "NF-e 1/100 of 10/03/2026 (R$ 100,00) to Ana" in words(found)


def test_a_linked_one_has_one() -> None:
    sale = note()
    assert find("R2", ledger([order()], [sale]), linked((order(), sale))) == []


@pytest.mark.parametrize(
    "facts",
    [
        {"state": "cancelled"},
        {"state": "denied"},
        {"operation": "inbound"},
        {"direction": "0"},
        {"emitter": OTHER_COMPANY},
        {"purpose": "2"},
        {"type": "cte", "model": "57"},
    ],
)
def test_what_is_no_authorized_sale_of_ours(facts: dict[str, str]) -> None:
    assert find("R2", ledger([], [note(**facts)])) == []


def test_orders_of_its_days_must_be_listed() -> None:
    found = only(find("R2", ledger([], [note(), note(101)], orders_listed=NOTHING_SINCE_MARCH)))
    assert not found.checked
    assert found.keys == ()
    assert "2 (NF-e 1/100, NF-e 1/101)" in words(found)
    assert not only(find("R2", ledger([], [note(issued_at=None, issued_on="")]))).checked


@pytest.mark.parametrize("named", [{"order_id": "5"}, {"external_id": "SALE-sale-5-1"}, {"external_id": "5"}])
def test_an_order_that_nobody_asked_for_may_be_its_own(named: dict[str, str]) -> None:
    found = only(find("R2", ledger([], [note(**named)])))
    assert not found.checked
    assert "names an order" in words(found)


def test_one_that_the_hub_does_not_have_is_told_wherever_it_was_listed() -> None:
    book = ledger([], [note(order_id="5")], absent_orders=frozenset({"5"}), orders_listed=())
    found = only(find("R2", book))
    assert found.checked
    assert "order 5, which the hub does not have" in words(found)


def test_one_that_is_here_and_a_person_unlinked() -> None:
    assert only(find("R2", ledger([order()], [note(order_id="70001")]))).checked
    assert only(find("R2", ledger([order(hub_id="701-55")], [note(external_id="SALE-sale-701-55-1")]))).checked


def test_a_tie_is_one_finding_that_is_not_checked() -> None:
    twins, notes = [order(1), order(2)], [note(100), note(101)]
    found = only(find("R2", ledger(twins, notes), linked(ties=[tie(twins, notes)])))
    assert (found.checked, len(found.keys), found.amount) == (False, 2, 20_000)
    assert "more than one way" in words(found)


def test_without_establishments_nobody_knows_whose_sales_they_are() -> None:
    papers = [note(), note(101, emitter=OTHER_COMPANY), note(102, state="cancelled"), note(103, operation="inbound")]
    found = only(find("R2", ledger([], papers, own=frozenset())))
    assert not found.checked
    assert "names no establishment" in words(found)
    assert "2 (NF-e 1/100, NF-e 1/101)" in words(found)


def test_a_series_that_sells_elsewhere_is_told_once_a_month() -> None:
    counter = [
        note(n, "2026-02-10" if n < 303 else "2026-03-10", type="nfce", model="65", series=7) for n in range(300, 322)
    ]
    sale = note()
    found = find("R2", ledger([order()], [sale, *counter]), linked((order(), sale)))
    assert [(entry.period, entry.keys, entry.amount, entry.checked) for entry in found] == [
        ("2026-02", (), 30_000, True),
        ("2026-03", (), 190_000, True),
    ]
    assert f"3 authorized sales of series {OWN}/65/7 of 02/2026 (R$ 300,00)" in words(found[0])
    assert "NFC-e 7/300, NFC-e 7/301, NFC-e 7/302" in words(found[0])
    more = find("R2", ledger([order()], [sale, *counter[1:]]), linked((order(), sale)))
    assert [entry.fingerprint for entry in more] == [entry.fingerprint for entry in found]


def test_few_of_a_series_and_those_of_one_that_serves_orders_are_told_one_by_one() -> None:
    sale = note()
    few = [note(n, series=7) for n in range(300, 319)]
    assert len(find("R2", ledger([order()], [sale, *few]), linked((order(), sale)))) == 19
    same = [note(n) for n in range(300, 330)]
    assert len(find("R2", ledger([order()], [sale, *same]), linked((order(), sale)))) == 30


def test_what_was_issued_as_a_test_is_no_sale() -> None:
    assert find("R2", ledger([], [note(state="test")])) == []
    found = only(find("R1", ledger([order()], [note(state="test")]), linked((order(), note()))))
    assert "not authorized (issued as a test)" in words(found)
