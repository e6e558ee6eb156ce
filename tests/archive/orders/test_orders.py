"""Orders: each version once, the newest as rows, and the questions that lists and syncs ask."""

from __future__ import annotations

import json
from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as some

from confere.archive.orders import order_requests, order_rows, order_search, orders, returns
from confere.archive.orders.order_requests import ABSENT, FAILED, FOUND, Asked
from confere.archive.orders.order_rows import FILE
from confere.archive.orders.order_search import OrderQuery
from confere.archive.orders.orders import RecordedOrders
from confere.archive.store import Archive
from confere.errors import message
from confere.sales.order import Order, OrderInvoice, OrderItem
from tests.archive.listed import add_accounts, observe
from tests.archive.papers import key, note, store
from tests.archive.sold import MUG, SEEN, a_return, an_order, received, record, record_returns

LATER = "2026-10-09T12:00:00.000+00:00"


@pytest.fixture(autouse=True)
def accounts_of_it(archive: Archive) -> None:
    add_accounts(archive)


def one(archive: Archive, hub_id: str = "900") -> orders.OrderRow:
    with archive.reading() as transaction:
        found = orders.one(transaction, 1, hub_id)
        assert found is not None
        return found


def listed(archive: Archive, **asked: object) -> list[str]:
    with archive.reading() as transaction:
        query = OrderQuery(**{"account_id": 1, **asked})  # type: ignore[arg-type]
        found = order_search.page(transaction, query, 100)
        assert order_search.count(transaction, query) == len(found)
        return [entry.hub_id for entry in found]


def test_an_order_is_kept_with_its_items_and_its_bytes(archive: Archive) -> None:
    invoice = OrderInvoice(1, 77, key(77), "2026-10-06T02:30:00Z")
    came = received(an_order(invoice=invoice))
    assert record(archive, came) == RecordedOrders(new=1)

    found = one(archive)
    assert (found.hub_id, found.status, found.total, found.freight) == ("900", "INVOICED", 1000, 250)
    assert found.created_at == "2026-10-05T12:00:00.000+00:00"
    assert (found.invoice_key, found.invoice_series, found.invoice_number) == (key(77), 1, 77)
    assert found.invoice_on == "2026-10-05"  # half past eleven in the evening in Brasília
    assert (found.buyer_name, found.uf, found.account, found.source) == ("Avó Maria", "SP", "shop", "hub")
    assert archive.content(found.content_id) == came.raw
    with archive.reading() as transaction:
        assert orders.items(transaction, found.id) == (MUG,)


def test_the_day_of_an_order_is_brasilias(archive: Archive) -> None:
    record(archive, received(an_order(created_at="2026-11-01T02:59:59Z")))
    assert one(archive).created_on == "2026-10-31"


@pytest.mark.parametrize(
    ("written", "day"),
    [
        ("2026-11-01T02:59:59+00:00", "2026-10-31"),
        ("2026-11-01T01:00:00-04:00", "2026-11-01"),  # as written: a paper's day
        ("2026-11-01", "2026-11-01"),
        ("2026-11-01T00:30:00", "2026-11-01"),
        ("0001-01-01T00:00:00Z", ""),
        ("yesterday", ""),
        (None, ""),
    ],
)
def test_the_day_of_an_invoice_is_its_own(written: str | None, day: str) -> None:
    assert order_rows.day_of(written) == day


def test_the_same_bytes_are_no_new_version_nor_are_other_blanks_and_orders_of_names(archive: Archive) -> None:
    order = an_order()
    record(archive, received(order, raw=b'{"id": 900, "total": 10.50}'))
    assert record(archive, received(order, raw=b'{"id": 900, "total": 10.50}', seen_at=LATER)) == RecordedOrders(same=1)
    assert record(archive, received(order, raw=b'{ "total":10.50,\n"id":900}', seen_at=LATER)) == RecordedOrders(same=1)

    found = one(archive)
    with archive.reading() as transaction:
        assert len(orders.versions(transaction, found.id)) == 1
    assert found.seen_at == LATER
    assert found.last_run_id > found.first_run_id


def test_every_change_is_a_version_and_one_that_comes_back_is_one_too(archive: Archive) -> None:
    steps = ["PAID_WAITING_SHIP", "INVOICED", "PAID_WAITING_SHIP"]
    for status in steps:
        record(archive, received(an_order(status=status)))

    found = one(archive)
    assert found.status == "PAID_WAITING_SHIP"
    with archive.reading() as transaction:
        versions = orders.versions(transaction, found.id)
    assert [entry.position for entry in versions] == [2, 1, 0]
    assert [json.loads(archive.content(entry.content_id))["status"] for entry in versions] == steps[::-1]
    assert versions[0].sha256 == versions[2].sha256 != versions[1].sha256


def test_several_versions_in_one_batch_stand_in_their_order(archive: Archive) -> None:
    came = [received(an_order(status=status)) for status in ("INVOICED", "CONCLUDED")]
    assert record(archive, *came, came[1]) == RecordedOrders(new=1, changed=1, same=1)
    assert one(archive).status == "CONCLUDED"


def test_items_that_change_are_replaced_and_a_record_without_any_keeps_them(archive: Archive) -> None:
    record(archive, received(an_order(items=(MUG, MUG))))
    record(archive, received(an_order(status="CONCLUDED", items=())))
    with archive.reading() as transaction:
        assert len(orders.items(transaction, 1)) == 2
    record(archive, received(an_order(status="CANCELED", items=(replace(MUG, code="B2"),))))
    with archive.reading() as transaction:
        assert [entry.code for entry in orders.items(transaction, 1)] == ["B2"]


def test_the_hubs_word_wins_over_a_files_and_not_the_other_way(archive: Archive) -> None:
    assert record(archive, received(an_order(total=1), source=FILE)) == RecordedOrders(new=1)
    assert record(archive, received(an_order(total=2))) == RecordedOrders(changed=1)
    assert record(archive, received(an_order(total=3), source=FILE)) == RecordedOrders(outranked=1)
    found = one(archive)
    assert (found.total, found.source) == (2, "hub")


def test_orders_of_two_accounts_are_two_orders(archive: Archive) -> None:
    record(archive, received(an_order()))
    assert record(archive, received(an_order()), account_id=2) == RecordedOrders(new=1)
    assert listed(archive) == ["900"]


def test_what_no_column_holds_does_not_stop_an_order(archive: Archive) -> None:
    item = OrderItem("x", None, None, Decimal("1E+400"), 10**30, None, None, None)
    hostile = Order(hub_id="9\udce700", created_at="99999-01-01", total_cents=2**70, items=(item,))
    record(archive, received(hostile, raw=b"[" * 5000))
    found = one(archive, "9\udce700")
    assert (found.total, found.created_at, found.created_on) == (None, None, "")
    with archive.reading() as transaction:
        assert orders.items(transaction, found.id) == (OrderItem("x", None, None, None, None, None, None, None),)


@given(some.recursive(some.none() | some.integers() | some.text(max_size=5), lambda part: some.lists(part, max_size=3)
                      | some.dictionaries(some.text(max_size=3), part, max_size=3), max_leaves=8))  # fmt: skip
def test_a_digest_is_of_what_the_json_says(value: object) -> None:
    plain = json.dumps(value).encode()
    assert order_rows.canonical_digest(plain) == order_rows.canonical_digest(json.dumps(value, indent=2).encode())
    assert order_rows.canonical_digest(plain) != order_rows.canonical_digest(json.dumps([value]).encode())


def test_an_order_is_found_by_the_marketplaces_number_where_no_id_is_that(archive: Archive) -> None:
    record(archive, received(an_order("900")), received(an_order("V-900")))
    assert one(archive, "V-900").hub_id == "V-900"
    assert one(archive, "V-V-900").hub_id == "V-900"
    with archive.reading() as transaction:
        assert orders.one(transaction, 1, "901") is None
        assert orders.one(transaction, 2, "900") is None
        assert set(orders.named(transaction, 1, ["900", "901"])) == {"900"}


def test_lists(archive: Archive) -> None:
    record(
        archive,
        received(an_order("1", created_at="2026-09-30T12:00:00Z", status="CANCELED")),
        received(an_order("2", created_at="2026-10-01T12:00:00Z", invoice=OrderInvoice(access_key=key(5)))),
        received(an_order("3", created_at="2026-10-31T12:00:00Z", tax_id="***.111.222-**", marketplace="Feira")),
        received(an_order("4", created_at=None, status="CONCLUDED", invoice=OrderInvoice(number=9))),
    )
    assert listed(archive) == ["3", "2", "1", "4"]
    assert listed(archive, descending=False) == ["4", "1", "2", "3"]
    assert listed(archive, from_day="2026-10-01", to_day="2026-10-31") == ["3", "2"]
    assert listed(archive, statuses=("CANCELED", "CONCLUDED")) == ["1", "4"]
    assert listed(archive, marketplaces=("Feira",)) == ["3"]
    assert listed(archive, without_invoice=True) == ["3", "1"]
    assert listed(archive, text="V-2") == listed(archive, text="2") == listed(archive, text=key(5)) == ["2"]
    assert listed(archive, text="111.444.777-35") == ["2", "1", "4"]
    assert listed(archive, text="avó m", statuses=("CANCELED",)) == ["1"]
    for written in ("AVO M", "m avó", "Avô"):
        assert "1" in listed(archive, text=written), written
    assert listed(archive, text="100%") == []
    assert listed(archive, account_id=None) == ["3", "2", "1", "4"]
    with archive.reading() as transaction:
        assert order_search.statuses(transaction, 1) == ("CANCELED", "CONCLUDED", "INVOICED")
        second = order_search.page(transaction, OrderQuery(account_id=1), 2, 1)
    assert [entry.hub_id for entry in second] == ["2", "1"]


def test_a_link_is_an_invoice(archive: Archive) -> None:
    record(archive, received(an_order("1")))
    with archive.writing() as transaction:
        transaction.execute("INSERT INTO link VALUES (1, '1', ?, 6, 90, '[]', 1)", (key(1),))
    assert listed(archive, without_invoice=True) == []
    assert one(archive, "1").links == 1


def test_documents_of_an_order_by_link_by_the_hub_and_by_its_invoice(archive: Archive) -> None:
    store(archive, note(1), note(2), note(3), note(4))
    record(archive, received(an_order(invoice=OrderInvoice(access_key=key(1)))))
    observe(archive, 2, order="900")
    with archive.writing() as transaction:
        transaction.execute("INSERT INTO link VALUES (1, '900', ?, 6, 90, '[]', 1)", (key(3),))
    with archive.reading() as transaction:
        assert orders.documents_of(transaction, 1, "900") == (1, 2, 3)
        assert orders.documents_of(transaction, 2, "900") == ()


def external(number: int, name: str) -> bytes:
    told = f'<infAdic><obsCont xCampo="external_id"><xTexto>{name}</xTexto></obsCont></infAdic></infNFe></NFe>'
    return note(number).replace(b"</infNFe></NFe>", told.encode())


def test_orders_that_documents_name_and_the_archive_lacks(archive: Archive) -> None:
    store(archive, external(1, "SALE-sale-7001-1"), external(2, "INBOUND-inbound-9000001-1"), external(3, "7002"))
    for number in (1, 2, 3):
        observe(archive, number, hub_id=f"fd-{number}", order="900" if number == 1 else "901")
    record(archive, received(an_order("900")))

    def unknown(**asked: object) -> set[str]:
        with archive.reading() as transaction:
            return set(order_requests.quoted_unknown(transaction, 1, **asked))  # type: ignore[arg-type]

    assert unknown() == {"901", "7001", "7002"}
    with archive.writing() as transaction:
        why = message("The hub said no.")
        answers = [Asked("901", ABSENT), Asked("7001", FAILED, why), Asked("7002", FOUND)]
        order_requests.mark_asked(transaction, 1, answers)
        assert order_requests.absent(transaction, 1) == {"901"}
        assert order_requests.failures(transaction, 1) == (("7001", why),)
    assert unknown() == set()
    assert unknown(failed=True) == {"7001"}
    assert unknown(absent_before="9999") == {"901"}
    with archive.writing() as transaction:
        order_requests.mark_asked(transaction, 1, [Asked("7001", ABSENT)])
        assert order_requests.failures(transaction, 1) == ()


@pytest.mark.parametrize(
    ("external_id", "order"),
    [
        ("SALE-symbolic_inbound_return-90001-2", "90001"),
        ("SALE_RETURN-sale_return-90001-1", "90001"),
        (" 90001 ", "90001"),
        ("INBOUND-inbound-90001-1", None),
        ("loose words", None),
        (None, None),
    ],
)
def test_the_order_in_an_external_id(external_id: str | None, order: str | None) -> None:
    assert order_requests.order_named(external_id) == order


def test_orders_that_may_still_move_are_asked_for_those_not_seen_longest_first(archive: Archive) -> None:
    record(
        archive,
        received(an_order("1"), seen_at=LATER),
        received(an_order("2"), seen_at=SEEN),
        received(an_order("3", status="CONCLUDED")),
        received(an_order("4", created_at="2026-10-20T00:00:00Z")),
        received(an_order("5"), source=FILE),
    )
    with archive.reading() as transaction:
        before = "2026-10-10T00:00:00.000+00:00"
        assert order_requests.unfinished(transaction, 1, created_before=before, limit=10) == ("2", "1")
        assert order_requests.unfinished(transaction, 1, created_before=before, limit=1) == ("2",)
        assert order_requests.newest_creation(transaction, 1) == "2026-10-20T00:00:00.000+00:00"
        assert order_requests.newest_creation(transaction, 2) is None


def test_returns_are_kept_as_they_stand(archive: Archive) -> None:
    assert record_returns(archive, a_return(), a_return("r2", order=None)) == RecordedOrders(new=2)
    assert record_returns(archive, a_return()) == RecordedOrders(same=1)
    assert record_returns(archive, a_return(status="REFUSED")) == RecordedOrders(changed=1)
    with archive.reading() as transaction:
        (found,) = returns.of_order(transaction, 1, "900")
        assert (found.status, found.created_on, found.total) == ("REFUSED", "2026-10-31", 500)
        assert found.last_run_id > found.first_run_id
        assert returns.items(transaction, found.id) == (MUG,)
        assert returns.of_order(transaction, 2, "900") == ()


def test_orders_and_returns_whose_rows_were_lost_come_again(archive: Archive) -> None:
    record(archive, received(an_order()))
    record_returns(archive, a_return())
    with archive.writing() as transaction:
        transaction.execute("DELETE FROM hub_return")
        transaction.execute("DELETE FROM sales_order")
    archive.close()
    with Archive.to_write(archive.path, "test") as again:  # the numbers of what was lost are given anew
        record_returns(again, a_return())
        record(again, received(an_order()))
        with again.reading() as transaction:
            for table, items in (("hub_return", "return_item"), ("sales_order", "order_item")):
                assert transaction.scalar(f"SELECT count(*) FROM {table}") == 1
                assert transaction.scalar(f"SELECT count(*) FROM {items}") > 0
