"""R24 to R26: NFC-e to companies, notes that name no marketplace, refused deliveries without a credit note."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from confere.sales.findings import Finding
from confere.sales.reconciliation_input import DocumentEvent, PaperEntry, ReturnEntry
from tests.reconcile.made import (
    EVERYTHING,
    NOTHING_SINCE_MARCH,
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
    returned,
    words,
)

COMPANY = "11222333000181"
MAY = datetime(2026, 5, 30, tzinfo=UTC)


# -- R24 -------------------------------------------------------------------------------------------------


def consumer(day: str = "2026-05-04", **facts: Any) -> PaperEntry:
    return note(500, day, model="65", **{"type": "nfce", "recipient": COMPANY} | facts)


def test_an_nfc_e_to_a_company() -> None:
    found = only(find("R24", ledger([], [consumer()]), now=MAY))
    assert (found.period, found.keys, found.amount) == ("2026-05", (consumer().key,), 10_000)
    assert "NFC-e 1/500 of 04/05/2026 (R$ 100,00) is issued to the CNPJ 11222333000181." in words(found)
    from_supplier = consumer(emitter=COMPANY, recipient=OWN)
    assert find("R24", ledger([], [from_supplier]), now=MAY)
    assert find("R24", ledger([], [consumer(recipient="12ABC34501DE35")]), now=MAY)


@pytest.mark.parametrize(
    "facts",
    [
        {"day": "2026-05-03"},
        {"recipient": "52998224725"},
        {"recipient": None},
        {"state": "cancelled"},
        {"state": "test"},
        {"type": "nfe", "model": "55"},
    ],
)
def test_what_is_none(facts: dict[str, Any]) -> None:
    assert find("R24", ledger([], [consumer(**facts)]) if "model" not in facts else ledger([], [note()]), now=MAY) == []


# -- R25 -------------------------------------------------------------------------------------------------

ORDER = order()
SILENT = note(presence="2")


def named(sale: PaperEntry, marketplace: str | None = "LOJA_AZUL") -> list[Finding]:
    bought = replace(ORDER, marketplace=marketplace)
    return find("R25", ledger([bought], [sale]), linked((bought, sale)))


def test_a_sale_that_names_no_marketplace() -> None:
    found = only(named(SILENT))
    assert (found.orders, found.keys, found.amount) == ((ORDER.hub_id,), (SILENT.key,), 10_000)
    assert "is a sale on LOJA_AZUL and names no intermediary" in words(found)


@pytest.mark.parametrize("presence", ["3", "4", "9"])
def test_every_sale_at_a_distance(presence: str) -> None:
    assert len(named(note(presence=presence))) == 1


@pytest.mark.parametrize(
    "facts",
    [
        {"intermediary": COMPANY},
        {"presence": "1"},
        {"presence": "0"},
        {"presence": None},  # not read yet: `confere reindex`
        {"state": "cancelled"},
        {"purpose": "4", "operation": "devolution"},
    ],
)
def test_notes_that_leave_nothing_out(facts: dict[str, Any]) -> None:
    assert named(replace(SILENT, **facts)) == []


def test_notes_from_before_the_field_was_asked_for() -> None:
    assert named(note(day="2021-08-31", presence="2")) == []


@pytest.mark.parametrize("shop", [None, "VTEX", "Loja Própria", "shopify-br", "WooCommerce", "Site", "e-commerce"])
def test_ones_own_shop_is_no_marketplace(shop: str | None) -> None:
    assert named(SILENT, shop) == []


def test_the_hubs_record_tells_the_marketplace_where_no_order_does() -> None:
    sale = replace(SILENT, marketplace="SITE_DE_VENDAS")
    assert "SITE_DE_VENDAS" in words(only(find("R25", ledger([], [sale]))))
    assert find("R25", ledger([], [SILENT])) == []


def test_many_of_one_marketplace_are_one_finding_a_month() -> None:
    sales = [note(number, presence="2", marketplace="AZUL") for number in range(100, 125)]
    found = only(find("R25", ledger([], sales)))
    assert (found.subject, len(found.keys), found.amount) == ("2026-03/AZUL", 25, 250_000)


# -- R26 -------------------------------------------------------------------------------------------------

SALE = note()
REFUSED = happened(SALE, "210240")


def refused(
    *happenings: DocumentEvent, papers: tuple[PaperEntry, ...] = (), status: str = "CONCLUDED", **facts: Any
) -> list[Finding]:
    bought = replace(ORDER, status=status)
    book = ledger([bought], [SALE, *papers], happenings=happenings or (REFUSED,), **facts)
    return find("R26", book, linked((bought, SALE)))


@pytest.mark.parametrize("code", ["210220", "210240"])
def test_a_sale_that_its_recipient_refused(code: str) -> None:
    found = only(refused(happened(SALE, code)))
    assert (found.orders, found.keys, found.amount) == ((ORDER.hub_id,), (SALE.key,), 10_000)
    assert f"({code})" in words(found)


@pytest.mark.parametrize("purpose", ["4", "5"])
def test_any_note_that_takes_the_goods_back_settles_it(purpose: str) -> None:
    back = returned(purpose=purpose, credit_type="03" if purpose == "5" else None, operation="sale_return")
    assert refused(papers=(back,), relations=[refers(back, SALE)]) == []
    assert len(refused(papers=(replace(back, state="cancelled"),), relations=[refers(back, SALE)])) == 1


def test_a_reduction_of_value_does_not() -> None:
    less = returned(purpose="5", credit_type="04", operation="credit_note")
    assert "reduces its value only" in words(only(refused(papers=(less,), relations=[refers(less, SALE)])))


def test_the_recipients_last_word_counts() -> None:
    assert refused(REFUSED, happened(SALE, "210200", "2026-03-15")) == []
    assert len(refused(happened(SALE, "210200", "2026-03-11"), REFUSED)) == 1
    assert len(refused(REFUSED, happened(SALE, "210210", "2026-03-15"))) == 1  # aware of it, no more
    same_day = replace(happened(SALE, "210200"), sequence=2)
    assert refused(replace(REFUSED, sequence=1), same_day) == []


def test_what_other_rules_tell_is_not_told_twice() -> None:
    assert refused(status="CANCELED") == []  # R5
    entry = ReturnEntry("R-1", ORDER.hub_id, None, None, "2026-03-18", None, 10_000, ())
    assert refused(returns=(entry,)) == []  # R13


def test_a_failed_delivery_is_told_where_no_later_attempt_made_it_good() -> None:
    failed = happened(SALE, "110192")
    assert len(refused(failed, status="PAID_WAITING_DELIVERY")) == 1
    assert refused(failed) == []  # delivered in the end
    assert refused(failed, happened(SALE, "110193", "2026-03-14"), status="PAID_WAITING_DELIVERY") == []
    assert refused(failed, happened(SALE, "110130", "2026-03-14"), status="PAID_WAITING_DELIVERY") == []
    again = freight(901, "2026-03-16")
    assert refused(failed, papers=(again,), relations=[carries(again, SALE)], status="PAID_WAITING_DELIVERY") == []
    late = happened(SALE, "110192", "2026-04-25")
    assert refused(late, status="PAID_WAITING_DELIVERY") == []  # the carrier may still come back


def test_a_failed_freight() -> None:
    first, other = freight(), note(101)
    carried = carries(first, SALE)
    failed = happened(first, "110190")
    shipped = "PAID_WAITING_DELIVERY"
    found = only(refused(failed, papers=(first,), relations=[carried], status=shipped))
    assert "event 110190 of CT-e 1/900" in words(found)
    for code in ("110180", "110191"):
        later = happened(first, code, "2026-03-14")
        assert refused(failed, later, papers=(first,), relations=[carried], status=shipped) == [], code
    # Of a CT-e with several notes nobody can tell which one came back.
    both = [carried, carries(first, other)]
    assert refused(failed, papers=(first, other), relations=both, status=shipped) == []
    # Another CT-e of the same sale is on its way.
    second = freight(901, "2026-03-11")
    relations = [carried, carries(second, SALE)]
    assert refused(failed, papers=(first, second), relations=relations, status=shipped) == []


def test_what_cannot_be_decided_is_not_called_missing() -> None:
    alone = find("R26", ledger([], [SALE], happenings=(happened(SALE, "110192"),)))
    assert not only(alone).checked
    assert "later attempt" in words(only(alone))
    assert only(find("R26", ledger([], [SALE], happenings=(REFUSED,)))).checked  # the recipient's own word
    assert not only(refused(documents_listed=NOTHING_SINCE_MARCH)).checked
    assert only(refused(documents_listed=EVERYTHING)).checked
    assert not only(refused(replace(REFUSED, occurred_on=""))).checked
