"""An archive of the third format, brought to the fourth, is like one made anew; `reindex` fills in what is new."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from confere.app.maintenance.reindex import reindex_archive
from confere.archive.accounts import accounts, preferences
from confere.archive.accounts.preferences import Preferences
from confere.archive.documents import documents, recompute, reindex
from confere.archive.documents.search.document_search import DocumentQuery
from confere.archive.store import Archive
from tests.archive.listed import VOIDING, add_accounts, observe
from tests.archive.older import made_older
from tests.archive.papers import cancellation, note, store
from tests.archive.schema.test_migrate import definitions

NEW = "freight_mode, weight, quoted, mismatches"
ASKED = note(3, order="LV-00100123").replace(
    b"</infNFe></NFe>",
    b"<transp><modFrete>0</modFrete><vol><pesoB>1.250</pesoB></vol></transp>"
    b"<infAdic><infCpl>Pedido LV-00100123</infCpl></infAdic></infNFe></NFe>",
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "archive.sqlite3"
    with Archive.to_write(path, "test") as archive:
        add_accounts(archive)
        observe(archive, 1)
        store(archive, note(1), note(2), note(2, padding=" outra"), ASKED, cancellation(1), VOIDING)
    return path


def everything(path: Path) -> dict[str, list[tuple[object, ...]]]:
    with Archive.to_read(path) as archive, archive.reading() as transaction:
        return {
            "documents": [tuple(str(row) for row in documents.walk(transaction, DocumentQuery()))],
            "new": transaction.fetch(f"SELECT id, {NEW} FROM document ORDER BY id"),
            "taxes": transaction.fetch("SELECT * FROM tax_group ORDER BY document_id, position"),
            "accounts": [tuple(str(entry) for entry in accounts.every(transaction))],
        }


def older(path: Path) -> None:
    """As the release before would have left it: its reader made the rows."""
    made_older(path, "0003")
    with closing(sqlite3.connect(path)) as database:
        assert "quoted" not in {row[1] for row in database.execute("PRAGMA table_info(document)")}
        database.execute("UPDATE content SET reader = 2")
        database.commit()


def test_it_is_like_one_made_anew_once_it_is_read_again(path: Path) -> None:
    wanted, shape = everything(path), definitions(path)
    assert (4, "0", "1.250", "LV-00100123", None) in wanted["new"]
    assert len(wanted["taxes"]) == 4
    older(path)

    with Archive.to_write(path, "test") as archive:
        with archive.writing() as transaction:
            recompute.owed(transaction, 100)
        migrated = everything(path)
        assert {**migrated, "new": wanted["new"], "taxes": wanted["taxes"]} == wanted
        assert migrated["taxes"] == []
        assert migrated["new"] == [(row[0], None, None, None, None) for row in wanted["new"]]
        with archive.reading() as transaction:
            assert reindex.count(transaction) == 6
        reindex_archive(archive, workers=0)
    assert everything(path) == wanted
    assert definitions(path) == shape


def test_accounts_get_the_programs_own_preferences(path: Path) -> None:
    older(path)
    with Archive.to_write(path, "test") as archive:
        with archive.reading() as transaction:
            assert preferences.get(transaction, 1) == Preferences()
        with archive.writing() as transaction:
            preferences.set(transaction, 1, Preferences(mark_feed=True))
            added = accounts.add(transaction, name="new", environment="production", address="x", platform="x")
            assert preferences.get(transaction, added.id) == Preferences()
            assert preferences.get(transaction, 1).mark_feed
