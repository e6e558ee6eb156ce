"""Credit and debit notes in the archive: columns and filters, what their items name, and the hub's word of them."""

from __future__ import annotations

import itertools
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from confere.app.maintenance.reindex import reindex_archive
from confere.archive.accounts import accounts
from confere.archive.documents import documents, reindex
from confere.archive.documents.search.document_search import DocumentQuery
from confere.archive.reconciliation import input_reader
from confere.archive.store import Archive
from confere.fiscal.reading.reader_version import READER
from confere.sales.reconciliation_input import NamedItem
from tests.archive.listed import add_accounts, observe
from tests.archive.older import made_older
from tests.archive.papers import key, note, store
from tests.archive.query_plans import plans
from tests.archive.schema.test_migrate import definitions

NEW = "credit_type, debit_type, intermediary, presence"


def adjusting(
    number: int, purpose: str, type: str, *, cfop: str = "1949", names: tuple[str, int] | None = None
) -> bytes:
    tag = "tpNFCredito" if purpose == "5" else "tpNFDebito"
    made = note(number, cfop=cfop, refers=key(1))
    told = f"<finNFe>{purpose}</finNFe><{tag}>{type}</{tag}><indPres>2</indPres>"
    made = made.replace(b"<finNFe>1</finNFe>", told.encode())
    if names is not None:
        inside = f"<DFeReferenciado><chaveAcesso>{names[0]}</chaveAcesso><nItem>{names[1]}</nItem></DFeReferenciado>"
        made = made.replace(b"</prod></det>", f"</prod>{inside}</det>".encode())
    return made.replace(b"</infNFe>", b"<infIntermed><CNPJ>11444777000161</CNPJ></infIntermed></infNFe>")


REFUSED = adjusting(2, "5", "03")
PARTLY = adjusting(3, "5", "06", names=(key(1), 1))
REDUCED = adjusting(4, "5", "04")
ADVANCE = adjusting(5, "6", "06", cfop="5922")
LOSS = adjusting(6, "6", "07", cfop="5927")
FILES = (note(1), REFUSED, PARTLY, REDUCED, ADVANCE, LOSS)


def numbers(archive: Archive, **filters: object) -> list[int | None]:
    with archive.reading() as transaction:
        found = documents.page(transaction, DocumentQuery(**filters), -1)  # type: ignore[arg-type]
    return sorted(row.number for row in found if row.number is not None)


def test_they_are_found_by_purpose_and_type(archive: Archive) -> None:
    store(archive, *FILES)
    assert numbers(archive, purposes=("5",)) == [2, 3, 4]
    assert numbers(archive, purposes=("1", "6")) == [1, 5, 6]
    assert numbers(archive, credit_types=("03", "06")) == [2, 3]
    assert numbers(archive, debit_types=("07",)) == [6]
    assert numbers(archive, credit_types=("06",), debit_types=("06",)) == []
    assert numbers(archive, operations=("sale_return",)) == [2, 3]
    assert numbers(archive, operations=("credit_note", "prepayment", "stock_loss")) == [4, 5, 6]
    with archive.reading() as transaction:
        (row,) = documents.page(transaction, DocumentQuery(credit_types=("03",)), -1)
    assert (row.purpose, row.credit_type, row.debit_type) == ("5", "03", None)
    assert (row.intermediary, row.presence) == ("11444777000161", "2")


def test_types_are_looked_up_in_their_index(archive: Archive) -> None:
    store(archive, *FILES)
    with archive.reading() as transaction:
        query = DocumentQuery(credit_types=("03",))
        (steps,) = plans(transaction, lambda transaction: documents.ids(transaction, query))
    assert any("ix_document_credit_type" in step for step in steps)


def test_items_that_name_items_are_in_the_ledger(archive: Archive) -> None:
    add_accounts(archive)
    store(archive, *FILES)
    for number in range(1, 7):
        observe(archive, number, hub_id=f"fd-{number}", subtype=None)
    with archive.reading() as transaction:
        ledger = input_reader.load(transaction, accounts.named(transaction, "shop"))
    found = {paper.number: paper for paper in ledger.papers}
    assert found[3].named_items == (NamedItem(0, key(1), 1),)
    assert all(found[number].named_items == () for number in (1, 2, 4, 5, 6))
    assert [(found[n].credit_type, found[n].debit_type) for n in (2, 6)] == [("03", None), (None, "07")]
    assert (found[2].intermediary, found[2].presence) == ("11444777000161", "2")


@pytest.mark.parametrize(
    ("file", "number", "word", "expected"),
    [
        (REFUSED, 2, "symbolic_inbound_return", "sale_return"),
        (REFUSED, 2, "devolution", "devolution"),
        (REDUCED, 4, "devolution", "credit_note"),
        (ADVANCE, 5, "sale", "prepayment"),
        (LOSS, 6, "inbound_return", "stock_loss"),
    ],
)
def test_a_word_of_the_hub_that_contradicts_the_note_is_shown_and_not_followed(
    tmp_path: Path, file: bytes, number: int, word: str, expected: str
) -> None:
    steps: tuple[Callable[[Archive], object], ...] = (
        lambda archive: store(archive, file),
        lambda archive: observe(archive, number, subtype=word),
    )
    for place, order in enumerate(itertools.permutations(steps)):
        with Archive.to_write(tmp_path / str(place) / "a.sqlite3", "test") as archive:
            add_accounts(archive)
            for step in order:
                step(archive)
            with archive.reading() as transaction:
                (row,) = documents.page(transaction, DocumentQuery(), -1)
            assert (row.hub_subtype, row.operation) == (word, expected)


def test_an_older_archive_has_it_all_once_it_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "archive.sqlite3"
    with Archive.to_write(path, "test") as archive:
        store(archive, *FILES)
    wanted, shape = told(path), definitions(path)
    assert wanted[1][2:] == ("03", None, "11444777000161", "2")
    made_older(path, "0007")
    with closing(sqlite3.connect(path)) as database:
        # As the release before read them: without types, by their CFOP.
        database.execute("UPDATE content SET reader = ?", (READER - 1,))
        database.execute("UPDATE document SET operation = 'symbolic_inbound_return' WHERE purpose = '5'")
        database.commit()
    with Archive.to_write(path, "test") as archive:
        assert [row[2:] for row in told(path)] == [(None, None, None, None)] * len(FILES)
        with archive.reading() as transaction:
            assert reindex.count(transaction) == len(FILES)
            assert transaction.fetch("SELECT * FROM item_reference") == []
        reindex_archive(archive, workers=0)
    assert told(path) == wanted
    assert definitions(path) == shape


def told(path: Path) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as database:
        named = database.execute("SELECT document_id, position, target_key, target_item FROM item_reference").fetchall()
        assert named in ([], [(3, 0, key(1), 1)])
        return database.execute(f"SELECT number, operation, {NEW} FROM document ORDER BY id").fetchall()
