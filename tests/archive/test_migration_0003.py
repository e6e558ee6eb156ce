"""An archive of the second format, brought to the third, is like one made anew; its rows wait for a newer reader."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from confere.archive.authenticity import verdicts
from confere.archive.documents import documents, recompute, reindex
from confere.archive.documents.search.document_search import DocumentQuery
from confere.archive.schema.schema import LISTED
from confere.archive.store import Archive
from tests.archive.listed import PLAIN, VOIDING, add_accounts, download, observe
from tests.archive.older import made_older
from tests.archive.papers import cancellation, note, store
from tests.archive.schema.test_migrate import definitions


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "archive.sqlite3"
    with Archive.to_write(path, "test") as archive:
        add_accounts(archive)
        (plain,) = store(archive, PLAIN)
        observe(archive, None)
        download(archive, plain)
        store(archive, note(1), note(2), note(2, padding=" outra"), cancellation(1), VOIDING)
    return path


def rows(path: Path) -> list[documents.DocumentRow]:
    with Archive.to_read(path) as archive, archive.reading() as transaction:
        return list(documents.walk(transaction, DocumentQuery()))


def test_it_is_like_one_made_anew(path: Path) -> None:
    wanted, shape = rows(path), definitions(path)
    made_older(path, "0002")
    with closing(sqlite3.connect(path)) as database:
        names = {row[1] for row in database.execute("PRAGMA table_info(document)")}
        assert {"emitter_tax_id", "recipient_name"} <= names
        assert database.execute("SELECT emitter_tax_id FROM document WHERE type = 'voiding'").fetchone()[0]

    with Archive.to_write(path, "test") as archive:
        with archive.reading() as transaction:
            assert reindex.count(transaction) == 6
            assert verdicts.tally(transaction) == verdicts.VerdictTally(0, 0, 0, 3)
        with archive.writing() as transaction:
            assert recompute.owed(transaction, 100) > 0
            assert recompute.owed(transaction, 100) == 0
    assert definitions(path) == shape
    assert rows(path) == wanted


def test_what_comes_in_afterwards_was_read_by_this_reader(path: Path) -> None:
    made_older(path, "0002")
    with Archive.to_write(path, "test") as archive:
        store(archive, note(9))
        with archive.reading() as transaction:
            assert reindex.count(transaction) == 6


def test_the_index_has_the_columns_that_the_program_reads(path: Path) -> None:
    made_older(path, "0002")
    Archive.to_write(path, "test").close()
    with closing(sqlite3.connect(path)) as database:
        found = [row[2] for row in database.execute("PRAGMA index_info(ix_document_list)")]
    assert found == list(LISTED)
