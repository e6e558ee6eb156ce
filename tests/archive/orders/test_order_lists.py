"""Lists of many orders: their first rows are those of the whole, however much of it is read for them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import pytest

from confere.archive.accounts import accounts
from confere.archive.accounts.accounts import Establishment
from confere.archive.orders import order_search
from confere.archive.orders.order_search import SORTS, OrderQuery
from confere.archive.store import Archive
from confere.sales.order import OrderInvoice
from tests.archive.papers import EMITTER, key
from tests.archive.query_plans import plans
from tests.archive.sold import an_order, received, record

BRANCH = "11222333000262"
DAYS = {"from_day": "2026-10-02", "to_day": "2026-10-05"}
QUERIES = {
    "all": OrderQuery(),
    "accounts": OrderQuery(account_ids=(1, 2)),
    "company": OrderQuery(account_ids=(1,), company=EMITTER),
    "company and days": OrderQuery(account_ids=(1,), company=BRANCH, **DAYS),
    "of no company": OrderQuery(account_ids=(1,), company=EMITTER, of_no_company=True),
    "status": OrderQuery(statuses=("CANCELED",), company=BRANCH),
    "marketplace": OrderQuery(account_id=1, marketplaces=("Vitrine",)),
    "without invoice": OrderQuery(without_invoice=True),
    "buyer": OrderQuery(account_ids=(1, 2), text="maria"),
    "number": OrderQuery(text="V-907", company=EMITTER),
    "nobody": OrderQuery(text="nobody"),
}


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Archive]:
    with Archive.to_write(tmp_path_factory.mktemp("orders") / "a.sqlite3", "test") as opened:
        with opened.writing() as transaction:
            for name, companies in (("shop", (EMITTER, BRANCH)), ("other", (BRANCH,))):
                own = [Establishment(tax_id) for tax_id in companies]
                accounts.add(
                    transaction, name=name, environment="production", address="x", platform="x", establishments=own
                )
        for number in range(16):
            emitter = (EMITTER, BRANCH, None)[number % 3]
            order = an_order(
                str(900 + number),
                status=("INVOICED", "CANCELED", "DELIVERED")[number // 2 % 3],
                created_at=f"2026-10-0{1 + number % 7}T12:00:00Z",
                total=100 * (number * 7 % 11),
                marketplace=("Vitrine", "Praça")[number % 2],
                invoice=None if emitter is None else OrderInvoice(1, number, key(number, emitter=emitter), None),
            )
            if number % 5 == 0:
                order = replace(order, total_cents=None, tracking=None)
            record(opened, received(order), account_id=1 + number % 4 // 3)
        yield opened


@pytest.fixture(params=[(4000, 5000), (1, 5000), (1, 4), (3, 2)])
def sizes(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """How many orders are most of all, and how many of the first ones are tried."""
    for name, size in zip(("_MANY", "_HEAD"), request.param, strict=True):
        monkeypatch.setattr(order_search, name, size)


@pytest.mark.usefixtures("sizes")
@pytest.mark.parametrize("name", QUERIES)
def test_the_first_rows_are_those_of_the_whole_list(archive: Archive, name: str) -> None:
    with archive.reading() as transaction:
        for sort, descending in product(SORTS, (True, False)):
            query = replace(QUERIES[name], sort=sort, descending=descending)
            whole = [row.id for row in order_search.page(transaction, query, -1)]
            assert list(order_search.ids(transaction, query)) == whole
            for limit, offset in ((1, 0), (3, 2), (100, 0)):
                page = order_search.page(transaction, query, limit, offset)
                assert [row.id for row in page] == whole[offset : offset + limit], (sort, descending, limit)


@pytest.mark.usefixtures("sizes")
@pytest.mark.parametrize("name", QUERIES)
def test_totals_are_those_of_the_orders_listed(archive: Archive, name: str) -> None:
    query = QUERIES[name]
    with archive.reading() as transaction:
        listed = order_search.ids(transaction, query)
        found = order_search.totals(transaction, query)
        assert order_search.totals_of(transaction, listed) == replace(found, of_no_company=0)
        assert found.count == order_search.count(transaction, query) == len(listed)
        if query.company is not None:
            alone = order_search.count(transaction, replace(query, of_no_company=True))
            assert found.of_no_company == alone
        choices = order_search.choices(transaction, query)
        for name_of, values in (("statuses", choices.statuses), ("marketplaces", choices.marketplaces)):
            for value, number in values:
                both = replace(query, **{name_of: (value,)})
                if not getattr(query, name_of) or value in getattr(query, name_of):
                    assert order_search.count(transaction, both) == number


@pytest.mark.parametrize("sort", ["total", "buyer", "ready_by"])
def test_most_of_all_orders_are_read_one_after_the_other(
    archive: Archive, monkeypatch: pytest.MonkeyPatch, sort: str
) -> None:
    """Each looked up by the index of its account takes eight times as long."""
    query = OrderQuery(account_ids=(1, 2), sort=sort)
    monkeypatch.setattr(order_search, "_MANY", 1)
    with archive.reading() as transaction:
        steps = plans(transaction, lambda transaction: order_search.ids(transaction, query))[-1]
        assert steps == ("SCAN o", "sort ORDER BY")
        steps = plans(transaction, lambda transaction: order_search.totals(transaction, query))[-1]
        assert steps == ("SCAN o",)
        monkeypatch.setattr(order_search, "_MANY", 4000)
        steps = plans(transaction, lambda transaction: order_search.ids(transaction, query))[-1]
        assert steps == ("SEARCH o sqlite_autoindex_sales_order_1 (account_id=?)", "sort ORDER BY")


def test_the_first_of_a_company_are_looked_for_among_the_first_of_all(archive: Archive) -> None:
    query = OrderQuery(account_ids=(1,), company=EMITTER, sort="total")
    with archive.reading() as transaction:
        statements = plans(transaction, lambda transaction: order_search.page(transaction, query, 2))
    by_number = "SEARCH o INTEGER PRIMARY KEY (rowid=?)"
    assert [steps[0] for steps in statements if by_number in steps] == [by_number] * 2  # once to try, once to read
