"""The first rows of every order are those of the whole list, however they were found."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Any, NamedTuple

import pytest

from confere.archive.documents import documents
from confere.archive.documents.search import facets, value_indexes
from confere.archive.documents.search.document_query import Lookup
from confere.archive.documents.search.document_search import SORTS, DocumentQuery
from confere.archive.documents.search.first_rows import list_reading, order_heads, order_names
from confere.archive.store import Archive
from tests.archive.papers import EMITTER, note, store
from tests.archive.query_plans import plans

LIST = "ix_document_list"
BY_ID = "SEARCH d INTEGER PRIMARY KEY (rowid=?)"
CUTS = (1, 2, 5, 20, 40)
QUERIES = {
    "all": DocumentQuery(),
    "company": DocumentQuery(company=EMITTER),
    "kind": DocumentQuery(types=("nfe",)),
    "total": DocumentQuery(total_from=300, total_to=1500),
    "from a day": DocumentQuery(from_day="2026-10-04"),
    "month": DocumentQuery(from_day="2026-10-04", to_day="2026-10-31"),
    "words": DocumentQuery(matching=Lookup("words", "azul")),
    "company and words": DocumentQuery(company=EMITTER, matching=Lookup("words", "azul")),
    "item": DocumentQuery(item_words="azul"),
    "marketplace": DocumentQuery(marketplaces=("Feira",)),
    "other kinds": DocumentQuery(types=("cte", "voiding")),
    "states": DocumentQuery(states=("cancelled", "voided")),
    "company and states": DocumentQuery(company=EMITTER, states=("cancelled",)),
    "warnings": DocumentQuery(with_warnings=True),
    "verdicts": DocumentQuery(verdict=("failed",)),
    "grounds": DocumentQuery(grounds=("other_document",)),
    "emitter": DocumentQuery(emitter="bia"),
    "recipient of company": DocumentQuery(company=EMITTER, recipient="an"),
    "nobody": DocumentQuery(emitter="nobody of that name"),
    "direction": DocumentQuery(company=EMITTER, direction="in", operations=("devolution",)),
    "company until a day": DocumentQuery(company=EMITTER, to_day="2026-10-03"),
}
_VALUES: dict[str, tuple[Any, ...]] = {
    "total": (None, 100, 500, 1000, 1000, 2000),
    "number": (None, 7, 7, 8, 9, 12, 30),
    "hub_marketplace": (None, None, "Feira", "Vitrine"),
    "warning_count": (None, None, None, 1, 2),
    "verdict": (None, None, 0, 2),
    "state_ground": (None, 1, 3),
    "hub_order_id": (None, "1", "2"),
    "recipient_id": (None, 3, 4, 5, 6, 7),
    "type": ("nfe", "nfe", "nfe", "cte", "voiding"),
    "state": ("authorized", "authorized", "cancelled", "voided"),
    "operation": (None, "sale", "sale", "devolution"),
    "is_current": (1, 1, 1, 1, 0),
}


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Archive]:
    """Forty notes of six days that share most of their values, two of the five recipients without a name."""
    drawn = random.Random(5)
    with Archive.to_write(tmp_path_factory.mktemp("first") / "a.sqlite3", "test") as opened:
        papers = (
            note(number, day=f"2026-10-0{drawn.randint(1, 6)}", item=drawn.choice(("Caneca azul", "Prato verde")))
            for number in range(1, 41)
        )
        store(opened, *papers)
        with opened.writing() as transaction:
            for number, name in ((3, "ana"), (4, "Bia"), (5, "BIA"), (6, None), (7, "Ângela")):
                transaction.execute("INSERT INTO taxpayer(id, tax_id, name) VALUES (?, '1', ?)", (number, name))
            # All stay the company's, whoever emitted them.
            transaction.execute("UPDATE document SET taker_id = emitter_id")
            transaction.execute("UPDATE document SET emitter_id = 3 + id % 5 WHERE id % 3 = 0")
            transaction.execute("UPDATE belonging SET direction = 'in' WHERE document_id % 3 = 0")
            for document_id in transaction.column("SELECT id FROM document"):
                changes = ", ".join(f"{column} = ?" for column in _VALUES)
                values = [drawn.choice(among) for among in _VALUES.values()]
                transaction.execute(f"UPDATE document SET {changes} WHERE id = ?", (*values, document_id))
            transaction.execute(
                "DELETE FROM belonging WHERE document_id IN (SELECT id FROM document WHERE is_current = 0)"
            )
        yield opened


class Sizes(NamedTuple):
    """What counts as many, as few or as a part of all, and how far into an order it is looked."""

    many: int = 0
    head: int = 4000
    stretch: int = 4000
    at_once: int = 300
    few: int = 1500
    few_part: int = 1
    large_part: int = 1


SIZES = (
    Sizes(),
    Sizes(head=3, stretch=3, at_once=2, few=1, few_part=100, large_part=100),
    Sizes(head=8, stretch=6, at_once=5, few=4, few_part=8),
    Sizes(many=4000),
)


@pytest.fixture(params=SIZES)
def sizes(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """From how many documents on a list counts as long, and how far into an order it is looked."""
    many, head, stretch, at_once, few, few_part, large_part = request.param
    monkeypatch.setattr(documents, "_MANY", many)
    for name in ("_FEW", "_MANY", "_MOST"):
        monkeypatch.setattr(order_heads, name, head)
    monkeypatch.setattr(list_reading, "_STRETCHES", (stretch, 2 * stretch))
    monkeypatch.setattr(order_names, "_AT_ONCE", at_once)
    monkeypatch.setattr(order_names, "FEW", few)
    monkeypatch.setattr(value_indexes, "FEW", few)
    monkeypatch.setattr(documents, "_FEW_PART", few_part)
    monkeypatch.setattr(documents, "_LARGE_PART", large_part)


@pytest.mark.usefixtures("sizes")
@pytest.mark.parametrize("name", QUERIES)
def test_the_first_rows_are_those_of_the_whole_list(archive: Archive, name: str) -> None:
    with archive.reading() as transaction:
        for sort, descending in product(SORTS, (True, False)):
            query = replace(QUERIES[name], sort=sort, descending=descending)
            whole = list(documents.ids(transaction, query))
            for limit, offset in product(CUTS, (0, 3)):
                found = [row.id for row in documents.page(transaction, query, limit, offset)]
                assert found == whole[offset : offset + limit], (sort, descending, limit, offset)


@pytest.mark.usefixtures("sizes")
@pytest.mark.parametrize("name", QUERIES)
def test_totals_are_those_of_the_documents_listed(archive: Archive, name: str) -> None:
    with archive.reading() as transaction:
        listed = documents.ids(transaction, QUERIES[name])
        assert documents.totals(transaction, QUERIES[name]) == documents.totals_of(transaction, listed)
        summary = documents.summary(transaction, QUERIES[name])
    assert summary.count == len(listed)


def test_choices_among_all_are_those_of_a_filter_that_all_meet(archive: Archive) -> None:
    with archive.reading() as transaction:
        found = facets.choices(transaction, DocumentQuery())
        assert found == facets.choices(transaction, DocumentQuery(from_day=""))
    assert {choice.value for choice in found.states} == {"authorized", "cancelled", "voided"}
    assert {choice.value for choice in found.verdicts} == {"none", "ok", "failed"}


@pytest.mark.parametrize("most", [1, 50])
def test_a_company_of_many_spellings_is_looked_up(archive: Archive, monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    with archive.reading() as transaction:
        expected = documents.ids(transaction, DocumentQuery(company=EMITTER))
        monkeypatch.setattr(documents, "_MANY", 0)
        monkeypatch.setattr(documents, "_MOST_SPELLINGS", most)
        assert documents.ids(transaction, DocumentQuery(company=EMITTER)) == expected
        (*_, steps) = plans(transaction, lambda asked: documents.ids(asked, DocumentQuery(company=EMITTER)))
    assert ("SEARCH taxpayer covering ix_taxpayer_tax_id (tax_id=?)" in steps) is (most == 1)


@pytest.mark.parametrize(
    ("sort", "steps"),
    [
        ("total", ("SEARCH document ix_document_total (total>?)", BY_ID)),
        ("number", ("SEARCH document ix_document_number (number>?)", BY_ID)),
        ("order", ("SEARCH document ix_document_order (hub_order_id>?)", BY_ID)),
        ("type", ("SEARCH document ix_document_type (type=?)", BY_ID)),
        ("marketplace", ("SEARCH document ix_document_marketplace (hub_marketplace=?)", BY_ID)),
        ("recipient", ("SEARCH document INTEGER PRIMARY KEY (rowid=?)", BY_ID)),
    ],
)
def test_only_rows_that_may_be_among_the_first_are_read(archive: Archive, sort: str, steps: tuple[str, ...]) -> None:
    """Each order is read from its own index; no statement walks along all documents."""
    with archive.reading() as transaction:
        query = DocumentQuery(sort=sort, descending=False)
        found = plans(transaction, lambda asked: documents.page(asked, query, 1))
    assert not any(LIST in step for step in sum(found, ()))
    read = [step.replace(" covering", "") for step in found[-2] if step != "SCAN f"]  # some SQLites see through it
    assert tuple(read[: len(steps)]) == steps


@pytest.mark.parametrize(
    ("party", "index"),
    [
        ("emitter", "ix_document_emitter (emitter_id=?)"),
        ("recipient", "ix_document_recipient (recipient_id=?)"),
        ("counterparty", "ix_document_emitter (emitter_id=? AND recipient_id=?)"),
    ],
)
def test_names_are_met_in_their_order(archive: Archive, party: str, index: str) -> None:
    query = DocumentQuery(sort=party, descending=False)
    with archive.reading() as transaction:
        found = plans(transaction, lambda asked: documents.page(asked, query, 1))
    walked = next(steps for steps in found if " n " in steps[0])
    assert "ix_taxpayer_name" in walked[0]
    assert f"SEARCH d {index}" in [step.replace(" covering", "") for step in walked]
    assert not any(step.startswith("sort") for step in walked)
