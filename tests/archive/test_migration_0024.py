"""An archive of format 0023 gets the words of the owners of its documents, of versions that are not shown too."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from confere.archive.documents import documents, recompute
from confere.archive.documents.search import full_text
from confere.archive.documents.search.document_query import DocumentQuery, Lookup
from confere.archive.store import Archive
from confere.archive.transaction import Transaction
from tests.archive.older import made_older
from tests.archive.papers import EMITTER, note, store
from tests.export.made import freight, voiding

OTHER = "00000000000272"
NOWHERE = "12ABC345000199"


def owners_found(transaction: Transaction) -> set[tuple[int, str]]:
    """Each owner of each document that the index of words finds it by."""
    owned = recompute.owned_by(transaction, transaction.column("SELECT id FROM document"))
    owned += [(row[0], "", row[1], "") for row in transaction.fetch("SELECT tax_id, document_id FROM belonging")]
    pairs = {(number, tax_id) for tax_id, _, number, _ in owned}
    return {
        (number, tax_id)
        for number, tax_id in pairs
        if number
        in transaction.column("SELECT rowid FROM search WHERE search MATCH ?", (f'"{full_text.owner_word(tax_id)}"',))
    }


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Two versions of a note, another note, a freight of a carrier with letters in its CNPJ, and a voiding."""
    path = tmp_path / "archive.sqlite3"
    with Archive.to_write(path, "test") as archive:
        store(archive, note(1), note(1).replace(b"<xNome>", b"<xNome>Outra "), note(2), freight(7), voiding(90, 91))
    return path


def test_every_document_is_found_by_whose_it_is(path: Path) -> None:
    with Archive.to_write(path, "test") as archive, archive.reading() as transaction:
        before = owners_found(transaction)
        assert transaction.scalar("SELECT count(*) FROM document WHERE is_current = 0") == 1
        assert {number for number, _ in before} == set(transaction.column("SELECT id FROM document"))
    made_older(path, "0023")
    with closing(sqlite3.connect(path)) as database:
        database.execute("INSERT INTO search(search) VALUES ('delete-all')")
        database.commit()
    with Archive.to_write(path, "test") as archive, archive.reading() as transaction:
        assert owners_found(transaction) == before


def test_a_frequent_word_that_a_company_has_none_of_is_told_by_the_index(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(documents, "_MANY", 1)
    with Archive.to_write(path, "test") as archive, archive.reading() as transaction:
        matching = Lookup("words", "caneca")
        assert len(documents.page(transaction, DocumentQuery(company=EMITTER, matching=matching), 60)) == 2
        query = DocumentQuery(company=NOWHERE, matching=matching)
        assert documents.page(transaction, query, 60) == ()
        reading = documents._reading(transaction, query, stops_early=True)
        assert full_text.owner_word(NOWHERE) in "".join(reading.whole.parameters)


def test_owners_are_told_apart_by_their_root() -> None:
    assert full_text.owner_word(EMITTER) == full_text.owner_word(EMITTER[:8] + "000262")
    assert len({full_text.owner_word(tax_id) for tax_id in (EMITTER, OTHER, NOWHERE, "52998224725", "")}) >= 4
    word = full_text.owner_word(EMITTER)
    assert word not in (full_text.expression(word) or ""), "nobody asks for it by typing"
