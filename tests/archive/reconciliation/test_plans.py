"""Lists of findings are read by these indexes, whatever narrows them."""

from __future__ import annotations

import pytest

from confere.archive.accounts import accounts
from confere.archive.reconciliation import finding_search, open_findings
from confere.archive.reconciliation.finding_search import FindingFilter
from confere.archive.store import Archive
from tests.archive.books import account
from tests.archive.papers import EMITTER, key
from tests.archive.query_plans import plans

LIST = "ix_finding_list"
UNIQUE = "sqlite_autoindex_finding_1 (account_id=?)"
PERIOD = "(account_id=? AND period=?)"
RULE = "(account_id=? AND period=? AND rule=?)"
STATE = "(account_id=? AND period=? AND rule=? AND state=?)"
NAMED = (
    "SEARCH x PRIMARY KEY (account_id=? AND order_hub_id=?)",
    *("SEARCH x PRIMARY KEY (account_id=?)", "SEARCH o sqlite_autoindex_sales_order_1 (account_id=? AND hub_id=?)") * 3,
)

# How it is told whose a finding is: by its subject, its documents and its orders.
TOLD = {
    "SEARCH e covering sqlite_autoindex_establishment_1 (account_id=?)",
    "SEARCH e covering sqlite_autoindex_establishment_1 (account_id=? AND tax_id=?)",
    "SCAN k VIRTUAL TABLE",
    "SCAN x",
    "SEARCH d ix_document_access_key (access_key=?)",
    "SEARCH t INTEGER PRIMARY KEY (rowid=?)",
    "SEARCH l PRIMARY KEY (account_id=? AND order_hub_id=?)",
    "SEARCH s sqlite_autoindex_sales_order_1 (account_id=? AND hub_id=?)",
    "sort group_concat(DISTINCT)",
}

# The filter; by what a page is chosen and what is counted are read; what else is looked up.
PLANS = {
    "account": (FindingFilter(), f"covering {LIST} (account_id=?)", f"covering {UNIQUE}", UNIQUE, ()),
    "month": (
        FindingFilter("2026-10"),
        f"covering {LIST} {PERIOD}",
        f"covering {LIST} {PERIOD}",
        f"{LIST} {PERIOD}",
        (),
    ),
    "rule": (
        FindingFilter("2026-10", rules=("R1",)),
        f"covering {LIST} {RULE}",
        f"covering {LIST} {RULE}",
        f"{LIST} {RULE}",
        (),
    ),
    "rules and state": (
        FindingFilter("2026-10", rules=("R1", "R2"), states=("open",)),
        f"covering {LIST} {STATE}",
        f"covering {LIST} {STATE}",
        f"{LIST} {STATE}",
        (),
    ),
    "states": (
        FindingFilter(states=("open", "not_checked")),
        f"covering {LIST} (account_id=?)",
        f"covering {LIST} (account_id=?)",
        UNIQUE,
        (),
    ),
    "severity": (FindingFilter(severities=("high",)), UNIQUE, UNIQUE, UNIQUE, ()),
    "run": (FindingFilter(run=3), UNIQUE, UNIQUE, UNIQUE, ()),
    "first run": (FindingFilter(first_run=3), UNIQUE, UNIQUE, UNIQUE, ()),
    "words": (
        FindingFilter(text="caneca"),
        f"covering {LIST} (account_id=?)",
        f"covering {UNIQUE}",
        UNIQUE,
        ("SCAN anon_1 VIRTUAL TABLE",),
    ),
    "words of a month": (
        FindingFilter("2026-10", text="caneca"),
        *(f"covering {LIST} {PERIOD}",) * 2,
        f"{LIST} {PERIOD}",
        ("SCAN anon_1 VIRTUAL TABLE",),
    ),
    "number": (
        FindingFilter(text="1234"),
        f"covering {LIST} (account_id=?)",
        f"covering {UNIQUE}",
        UNIQUE,
        ("SCAN anon_1 VIRTUAL TABLE",),
    ),
    "key": (
        FindingFilter("2026-10", text=key(1)),
        *(f"covering {LIST} {PERIOD}",) * 2,
        f"{LIST} {PERIOD}",
        ("SCAN anon_1 VIRTUAL TABLE",),
    ),
}


# A text is looked for first: words in the findings, and in the names of their documents' parties and their orders'
# buyers; digits in what findings name.
_OF_PEOPLE = (
    ("SCAN taxpayer covering ix_taxpayer_name",),
    ("SCAN x", "SEARCH o sqlite_autoindex_sales_order_1 (account_id=? AND hub_id=?)"),
)
BEFORE = {
    "words": ((f"SEARCH f {UNIQUE}",), *_OF_PEOPLE),
    "words of a month": ((f"SEARCH f {LIST} {PERIOD}",), *_OF_PEOPLE),
    "number": ((f"SEARCH f {UNIQUE}", *NAMED, "SCAN finding_key"),),
    "key": ((f"SEARCH f {LIST} {PERIOD}", *NAMED, "SEARCH finding_key PRIMARY KEY (access_key=?)"),),
}


@pytest.mark.parametrize("name", PLANS)
def test_a_page_chooses_by_an_index_and_reads_its_findings_by_their_numbers(archive: Archive, name: str) -> None:
    wanted, chosen, _, _, named = PLANS[name]
    with archive.reading() as transaction:
        *before, found = plans(transaction, lambda transaction: finding_search.page(transaction, 1, wanted, 50))
    assert tuple(before) == BEFORE.get(name, ())
    assert found == ("SEARCH f INTEGER PRIMARY KEY (rowid=?)", f"SEARCH f {chosen}", *named, *["sort ORDER BY"] * 2)


@pytest.mark.parametrize("name", PLANS)
def test_findings_are_counted_by_an_index(archive: Archive, name: str) -> None:
    wanted, _, counted, tallied, named = PLANS[name]
    with archive.reading() as transaction:
        *before, found = plans(transaction, lambda transaction: finding_search.count(transaction, 1, wanted))
        assert (tuple(before), found) == (BEFORE.get(name, ()), (f"SEARCH f {counted}", *named))
        *before, found = plans(transaction, lambda transaction: finding_search.tallies(transaction, 1, wanted))
        assert (tuple(before), found) == (BEFORE.get(name, ()), (f"SEARCH f {tallied}", *named, "sort GROUP BY"))


@pytest.mark.parametrize(
    ("period", "step"),
    [(None, "SEARCH f ix_finding_open (account_id=? AND state=?)"), ("2026-10", f"SEARCH f {LIST} {PERIOD}")],
)
def test_what_waits_for_a_person_is_counted_by_an_index(archive: Archive, period: str | None, step: str) -> None:
    with archive.reading() as transaction:
        found = plans(transaction, lambda transaction: open_findings.waiting(transaction, [1, 2], period))
    assert len(found) == 1 and found[0][:2] == (step, "sort GROUP BY")
    assert set(found[0][2:]) <= TOLD


@pytest.mark.parametrize("several", [False, True])
def test_a_companys_findings_are_told_by_indexes_and_only_where_its_account_has_several(
    archive: Archive, several: bool
) -> None:
    account(archive)
    with archive.writing() as transaction:
        if several:
            accounts.set_establishments(transaction, 1, [accounts.Establishment("11222333000262")])
        wanted = FindingFilter("2026-10", company=EMITTER)
        _, counted = plans(transaction, lambda transaction: finding_search.count(transaction, 1, wanted))
    step, *told = counted
    assert step == (f"SEARCH f {LIST} {PERIOD}" if several else f"SEARCH f covering {LIST} {PERIOD}")
    assert set(told) == (TOLD if several else set())


def test_findings_of_an_order_are_looked_up_by_its_id(archive: Archive) -> None:
    with archive.reading() as transaction:
        found = plans(transaction, lambda transaction: finding_search.of_order(transaction, 1, "1000"))
    assert found == (
        (
            "SEARCH f INTEGER PRIMARY KEY (rowid=?)",
            "SEARCH finding_order PRIMARY KEY (account_id=? AND order_hub_id=?)",
            "sort ORDER BY",
        ),
    )


def test_findings_of_documents_are_looked_up_by_their_keys(archive: Archive) -> None:
    with archive.reading() as transaction:
        found = plans(transaction, lambda transaction: open_findings.marks(transaction, [key(1), key(2)]))
        assert found == (
            (
                "SEARCH k PRIMARY KEY (access_key=?)",
                "SEARCH f INTEGER PRIMARY KEY (rowid=?)",
                "SCAN account",
                "sort ORDER BY",
            ),
        )
        found = plans(transaction, lambda transaction: finding_search.periods(transaction, 1))
        assert found == ((f"SEARCH finding covering {LIST} (account_id=?)",),)
