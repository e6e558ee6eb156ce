"""Lists of orders are read by these indexes, whatever narrows them."""

from __future__ import annotations

import pytest

from confere.archive.orders import order_search
from confere.archive.orders.order_search import OrderQuery
from confere.archive.store import Archive
from tests.archive.query_plans import plans

MONTH = {"from_day": "2026-10-01", "to_day": "2026-10-31"}
BY_ACCOUNT = "(account_id=?)"
BY_MONTH = "(account_id=? AND created_on>? AND created_on<?)"
LIST = "ix_sales_order_list"
FAILED = "ix_sales_order_transmission_error"
UNIQUE = "sqlite_autoindex_sales_order_1"
LINKED = "SEARCH l PRIMARY KEY (account_id=? AND order_hub_id=?)"
ROWS = ("SEARCH a INTEGER PRIMARY KEY (rowid=?)", LINKED, "sort ORDER BY")

# The query; how the ids of a page are chosen; how they are counted.
PLANS = {
    "everything": (
        OrderQuery(),
        (f"SCAN o covering {LIST}", "sort ORDER BY"),
        (f"SCAN sales_order covering {UNIQUE}",),
    ),
    "account": (
        OrderQuery(1),
        (f"SEARCH o covering {LIST} {BY_ACCOUNT}",),
        (f"SEARCH o covering {UNIQUE} {BY_ACCOUNT}",),
    ),
    "oldest first": (
        OrderQuery(1, descending=False),
        (f"SEARCH o covering {LIST} {BY_ACCOUNT}",),
        (f"SEARCH o covering {UNIQUE} {BY_ACCOUNT}",),
    ),
    "month": (
        OrderQuery(1, **MONTH),
        (f"SEARCH o covering {LIST} {BY_MONTH}",),
        (f"SEARCH o covering {LIST} {BY_MONTH}",),
    ),
    "status": (
        OrderQuery(1, statuses=("INVOICED",)),
        (f"SEARCH o covering {LIST} {BY_ACCOUNT}",),
        (f"SEARCH o covering {LIST} {BY_ACCOUNT}",),
    ),
    "month and statuses": (
        OrderQuery(1, statuses=("INVOICED", "CANCELLED"), **MONTH),
        (f"SEARCH o covering {LIST} {BY_MONTH}",),
        (f"SEARCH o covering {LIST} {BY_MONTH}",),
    ),
    "status of every account": (
        OrderQuery(statuses=("INVOICED",), **MONTH),
        (f"SCAN o covering {LIST}", "sort ORDER BY"),
        (f"SCAN o covering {LIST}",),
    ),
    "without invoice": (
        OrderQuery(1, without_invoice=True, **MONTH),
        (f"SEARCH o {LIST} {BY_MONTH}", LINKED),
        (f"SEARCH o {LIST} {BY_MONTH}", LINKED),
    ),
    "transmission failed": (
        OrderQuery(1, transmission_failed=True, **MONTH),
        (f"SEARCH o {FAILED} {BY_MONTH}",),
        (f"SEARCH o {FAILED} {BY_MONTH}",),
    ),
    "several accounts": (
        OrderQuery(account_ids=(1, 2), **MONTH),
        (f"SEARCH o covering {LIST} {BY_MONTH}", "sort ORDER BY"),
        (f"SEARCH o covering {LIST} {BY_MONTH}",),
    ),
    "marketplace": (
        OrderQuery(1, marketplaces=("Vitrine",), **MONTH),
        (f"SEARCH o {LIST} {BY_MONTH}",),
        (f"SEARCH o {LIST} {BY_MONTH}",),
    ),
    "text": (
        OrderQuery(1, text="900-1"),
        (f"SEARCH o {LIST} {BY_ACCOUNT}",),
        (f"SEARCH o {UNIQUE} {BY_ACCOUNT}",),
    ),
    "text of every account": (OrderQuery(text="Maria"), ("SCAN o", "sort ORDER BY"), ("SCAN o",)),
}


@pytest.mark.parametrize("name", PLANS)
def test_a_page_chooses_by_an_index_and_reads_its_rows_by_their_numbers(archive: Archive, name: str) -> None:
    query, chosen, _ = PLANS[name]
    with archive.reading() as transaction:
        found = plans(transaction, lambda transaction: order_search.page(transaction, query, 50))
    assert found[-1] == ("SEARCH o INTEGER PRIMARY KEY (rowid=?)", *chosen, *ROWS)
    assert len(found) == (4 if query.text else 1)  # words are tried on the first, then it is asked how many there are


@pytest.mark.parametrize("name", PLANS)
def test_orders_are_counted_by_an_index(archive: Archive, name: str) -> None:
    query, _, counted = PLANS[name]
    with archive.reading() as transaction:
        assert plans(transaction, lambda transaction: order_search.count(transaction, query))[-1] == counted
