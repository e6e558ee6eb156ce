"""The first rows of every order are those of the whole list, however they were found."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from confere.archive.documents import documents
from confere.archive.documents.search import first_rows
from confere.archive.documents.search.document_query import Lookup
from confere.archive.documents.search.document_search import SORTS, DocumentQuery
from confere.archive.store import Archive
from tests.archive.papers import EMITTER, note, store
from tests.archive.query_plans import plans

LIST = "ix_document_list"
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
}
_VALUES: dict[str, tuple[Any, ...]] = {
    "total": (None, 100, 500, 1000, 1000, 2000),
    "number": (None, 7, 7, 8, 9, 12, 30),
    "hub_marketplace": (None, None, "Feira", "Vitrine"),
    "warning_count": (None, None, None, 1, 2),
    "verdict": (None, None, 0, 2),
    "state_ground": (None, 1, 3),
    "hub_order_id": (None, "1", "2"),
    "recipient_id": (None, 3, 4, 5, 6),
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
            for number, name in ((3, "ana"), (4, "Bia"), (5, "BIA"), (6, None)):
                transaction.execute("INSERT INTO taxpayer(id, tax_id, name) VALUES (?, '1', ?)", (number, name))
            for document_id in transaction.column("SELECT id FROM document"):
                changes = ", ".join(f"{column} = ?" for column in _VALUES)
                values = [drawn.choice(among) for among in _VALUES.values()]
                transaction.execute(f"UPDATE document SET {changes} WHERE id = ?", (*values, document_id))
            transaction.execute(
                "DELETE FROM belonging WHERE document_id IN (SELECT id FROM document WHERE is_current = 0)"
            )
        yield opened


@pytest.fixture(params=[(0, 3), (0, 4000), (4000, 4000)])
def sizes(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """From how many documents on a list counts as long, and how far into an order it is looked."""
    many, head = request.param
    monkeypatch.setattr(documents, "_MANY", many)
    monkeypatch.setattr(first_rows, "_HEAD", head)
    monkeypatch.setattr(first_rows, "_FEWEST_NAMES", 1)


@pytest.mark.usefixtures("sizes")
@pytest.mark.parametrize("descending", [True, False])
@pytest.mark.parametrize("sort", SORTS)
@pytest.mark.parametrize("name", QUERIES)
def test_the_first_rows_are_those_of_the_whole_list(archive: Archive, name: str, sort: str, descending: bool) -> None:
    query = replace(QUERIES[name], sort=sort, descending=descending)
    with archive.reading() as transaction:
        whole = list(documents.ids(transaction, query))
        for limit in CUTS:
            for offset in (0, 3):
                found = [row.id for row in documents.page(transaction, query, limit, offset)]
                assert found == whole[offset : offset + limit]


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
        ("total", ("SEARCH document ix_document_total (total>?)", "SCAN f", "SEARCH d INTEGER PRIMARY KEY (rowid=?)")),
        ("number", ("SEARCH document ix_document_number (number>?)", "SCAN f")),
        ("marketplace", (f"SCAN d {LIST}",)),
        ("verdict", (f"SCAN d {LIST}",)),
        ("recipient", (f"SCAN d {LIST}", "SCAN taxpayer", "SEARCH n INTEGER PRIMARY KEY (rowid=?)")),
    ],
)
def test_no_row_of_the_table_is_read_that_is_not_among_the_first(
    archive: Archive, monkeypatch: pytest.MonkeyPatch, sort: str, steps: tuple[str, ...]
) -> None:
    monkeypatch.setattr(first_rows, "_FEWEST_NAMES", 1)
    with archive.reading() as transaction:
        query = DocumentQuery(sort=sort, descending=False)
        found = plans(transaction, lambda asked: documents.page(asked, query, 1))[-2]
    assert tuple(step.replace(" covering", "") for step in found[: len(steps)]) == steps  # newer SQLites see it sooner
    assert ("sort ORDER BY" in found) is (sort not in ("marketplace", "verdict"))
