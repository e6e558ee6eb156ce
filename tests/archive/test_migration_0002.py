"""An archive of the first format, brought to the second, says what one made anew says."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from confere.archive.documents import documents
from confere.archive.documents.search.document_search import DocumentQuery
from confere.archive.hub import download_queue
from confere.archive.store import Archive
from tests.archive.listed import PLAIN, VOIDING, add_accounts, download, observe
from tests.archive.older import made_older
from tests.archive.papers import cancellation, note, store
from tests.archive.schema.test_migrate import definitions

NEW = (
    *("warning_count", "emitter_id", "recipient_id", "taker_id", "hub_account_id"),
    *("hub_subtype", "hub_marketplace", "hub_order_id", "hub_disagrees"),
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """An archive with notes of several kinds, a voiding, a paper without a key, and two accounts that list them."""
    path = tmp_path / "archive.sqlite3"
    with Archive.to_write(path, "test") as archive:
        add_accounts(archive)
        (plain,) = store(archive, PLAIN)
        observe(archive, None)
        download(archive, plain)
        for number in (1, 2, 3):
            observe(archive, number, hub_id=f"one-{number}", order=str(number))
        observe(archive, 1, account=2, hub_id="two-1", subtype=None, marketplace="Feira")
        observe(archive, 2, account=2, hub_id="two-2", subtype="devolution")
        observe(archive, 3, account=2, hub_id="two-3", order="77")
        papers = [note(number) for number in (1, 2, 3)] + [
            note(4).replace(b"<vNF>10.00", b"<vNF>11.00"),
            note(5, cstat=None),
            b"\xef\xbb\xbf" + note(7).replace(b"<tpAmb>1", b"<tpAmb>2"),  # told, but no mark in a list
        ]
        store(archive, *papers, cancellation(1), VOIDING, note(2, padding=" outra"))
    return path


def made_old(path: Path) -> None:
    """Take from the archive what the second format added, and what came after."""
    made_older(path, "0001")
    with closing(sqlite3.connect(path)) as database:
        database.execute("UPDATE document SET operation = 'sale' WHERE operation = 'devolution'")
        # A trait that no reader told then.
        database.execute(
            "UPDATE document SET warnings = (SELECT nullif(json_group_array(json(w.value)), '[]') FROM"
            " json_each(document.warnings) w WHERE json_extract(w.value, '$[0]') != 'no_declaration')"
            " WHERE warnings IS NOT NULL"
        )
        database.execute("DELETE FROM taxpayer WHERE name IS NULL AND uf IS NULL")
        database.commit()


def said(path: Path) -> list[tuple[Any, ...]]:
    """Every document with all that is new, its taxpayers by what they are called."""
    who = ", ".join(
        f"(SELECT tax_id || ':' || coalesce(name, '-') FROM taxpayer WHERE id = d.{role}_id)"
        for role in ("emitter", "recipient", "taker")
    )
    rest = ", ".join(name for name in NEW if name not in ("emitter_id", "recipient_id", "taker_id"))
    with closing(sqlite3.connect(path)) as database:
        return database.execute(f"SELECT id, type, operation, {who}, {rest} FROM document d ORDER BY id").fetchall()


def test_it_says_what_an_archive_made_anew_says(path: Path) -> None:
    wanted, shape = said(path), definitions(path)
    assert {row[6] for row in wanted} == {None, 1}, "some paper has a warning"
    assert {row[-1] for row in wanted} == {None, 1}
    made_old(path)
    with Archive.to_write(path, "test") as archive:
        with archive.reading() as transaction:
            assert documents.summary(transaction, DocumentQuery(marketplaces=("Feira",))).count == 1
            assert documents.summary(transaction, DocumentQuery(uf="SP", types=("voiding",))).count == 1
            assert download_queue.count_open(transaction, 1)
        store(archive, note(6))
    assert said(path)[:-1] == wanted
    assert definitions(path) == shape
