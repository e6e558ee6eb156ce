"""What the archive speaks of and no longer has, table by table."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from confere.archive.catalog import products
from confere.archive.catalog.products import ReceivedProduct
from confere.archive.feeds import feed_records
from confere.archive.feeds.feed_records import FeedOutcome, NamedRecord
from confere.archive.store import Archive
from confere.archive.vault import damage, missing_contents
from confere.sales.catalog_product import CatalogProduct
from confere.sales.hub_feeds import HubFeed
from tests.archive.listed import add_accounts, download, observe
from tests.archive.papers import cancellation, note, store
from tests.archive.sold import a_return, an_order, received, record, record_returns

SPEAKING = (
    ("document", "content_id"),
    ("event", "content_id"),
    ("download", "content_id"),
    ("arrival", "content_id"),
    ("hub_record", "content_id"),
    ("sales_order", "content_id"),
    ("hub_return", "content_id"),
    ("catalog_product", "content_id"),
)


@pytest.fixture
def full(archive: Archive) -> Archive:
    """An archive in which every table speaks of contents: of a document, event, record, order, return and product."""
    add_accounts(archive)
    observe(archive, 1)
    (document,) = store(archive, note(1), source="hub:shop/item-fd-1")
    store(archive, cancellation(2))
    download(archive, document)
    record(archive, received(an_order("900")))
    record_returns(archive, a_return("r1"))
    with archive.writing() as transaction:
        product = ReceivedProduct(CatalogProduct("7", "Rede", *[None] * 7), b'{"id": 7}')
        products.record(transaction, archive.vault_writer, 1, 1, [product])
        named = NamedRecord("8", FeedOutcome.NAMED, "2026-10-05T12:00:00.000+00:00")  # of which there is no content
        feed_records.record(transaction, archive.vault_writer, 1, 1, HubFeed.ORDERS, [named])
    return archive


def test_a_whole_archive_lacks_nothing(full: Archive) -> None:
    with full.reading() as transaction:
        assert missing_contents.missing(transaction) == ()
        assert missing_contents.broken(transaction) == ()
        assert missing_contents.without_rows(transaction) == ()
        assert missing_contents.lost_records(transaction) == ()
        assert missing_contents.downloads_lost(transaction) == ()
        assert missing_contents.versions_lost(transaction) == ()
        assert missing_contents.arrivals_lost(transaction) == ()


@pytest.mark.parametrize(("table", "column"), SPEAKING)
def test_each_table_speaks_of_its_contents(full: Archive, table: str, column: str) -> None:
    with full.writing() as transaction:
        number = transaction.scalar(f"SELECT max({column}) FROM {table}")
        transaction.execute("DELETE FROM content WHERE id = ?", (number,))
        for other, its_column in (*SPEAKING, ("order_version", "content_id"), ("catalog_version", "content_id")):
            if other != table:
                transaction.execute(f"UPDATE {other} SET {its_column} = 1 WHERE {its_column} = ?", (number,))
        assert missing_contents.missing(transaction) == (number,)


def test_all_that_is_lost_is_named_in_order(full: Archive) -> None:
    with full.writing() as transaction:
        every = [row[0] for row in transaction.fetch("SELECT id FROM content ORDER BY id")]
        assert missing_contents.highest_spoken_of(transaction) == every[-1]
        lost = (every[1], every[2], every[-1])
        transaction.execute("DELETE FROM content WHERE id IN (?, ?, ?)", lost)
        assert missing_contents.missing(transaction) == lost
        damage.note(transaction, {every[0]: damage.DAMAGED})
        assert missing_contents.broken(transaction) == (every[0], *lost)


def test_a_hole_that_nothing_speaks_of_is_no_loss(archive: Archive) -> None:
    first, second = store(archive, note(1), note(2))
    with archive.writing() as transaction:
        for table in ("content", "document", "arrival"):
            column = "id" if table == "content" else "content_id"
            transaction.execute(f"DELETE FROM {table} WHERE {column} = ?", (first,))
        assert missing_contents.missing(transaction) == ()
        assert missing_contents.highest_spoken_of(transaction) == second


def test_contents_that_were_read_have_rows(archive: Archive) -> None:
    document, event, other = store(archive, note(1), cancellation(2), note(3))
    with archive.writing() as transaction:
        transaction.execute("DELETE FROM document WHERE content_id = ?", (document,))
        transaction.execute("DELETE FROM event WHERE content_id = ?", (event,))
        assert missing_contents.without_rows(transaction) == (document, event)
        transaction.execute("UPDATE content SET problem = 'unreadable' WHERE id = ?", (document,))
        assert missing_contents.without_rows(transaction) == (event,)
        transaction.execute("UPDATE content SET family = 1 WHERE id = ?", (event,))
        assert missing_contents.without_rows(transaction) == ()
        transaction.execute("DELETE FROM content WHERE id = ?", (other,))
        assert missing_contents.without_rows(transaction) == ()


def lose_record(path: Path, number: int) -> None:
    """As damage does it: nothing asks whether other rows speak of it."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DELETE FROM hub_document WHERE id = ?", (number,))


def test_records_that_downloads_or_versions_speak_of(full: Archive, path: Path) -> None:
    observe(full, 2, hub_id="fd-2")
    observe(full, 3, hub_id="fd-3")
    with full.reading() as transaction:
        first, second, third = (row[0] for row in transaction.fetch("SELECT id FROM hub_document ORDER BY id"))
    lose_record(path, third)  # above the highest that is left
    with full.writing() as transaction:
        assert missing_contents.lost_records(transaction) == (third,)
        transaction.execute("DELETE FROM download WHERE hub_document_id IN (?, ?)", (first, third))
        assert missing_contents.lost_records(transaction) == (third,)  # its version speaks of it
    lose_record(path, first)
    with full.reading() as transaction:
        assert missing_contents.lost_records(transaction) == (first, third)
        assert second not in missing_contents.lost_records(transaction)


def test_arrivals_by_a_download_that_the_queue_does_not_know(full: Archive) -> None:
    with full.writing() as transaction:
        number = transaction.scalar("SELECT content_id FROM arrival WHERE source = 'hub:shop/item-fd-1'")
        transaction.execute("UPDATE arrival SET source = 'hub:shop/other' WHERE content_id = ?", (number,))
        assert missing_contents.downloads_lost(transaction) == (number,)
        transaction.execute("UPDATE arrival SET source = 'hub:shopping/other' WHERE content_id = ?", (number,))
        assert missing_contents.downloads_lost(transaction) == ()
        transaction.execute("UPDATE arrival SET source = 'hub:other/item-fd-1' WHERE content_id = ?", (number,))
        assert missing_contents.downloads_lost(transaction) == (number,)  # another account's queue knows it


def test_versions_of_which_only_the_digest_is_left(full: Archive) -> None:
    with full.writing() as transaction:
        (number,) = transaction.integers("SELECT id FROM hub_document")
        transaction.execute("UPDATE hub_document SET detail_digest = zeroblob(32)")
        assert missing_contents.versions_lost(transaction) == (number,)
        transaction.execute("UPDATE hub_document SET detail_digest = NULL")
        transaction.execute("UPDATE hub_record SET source = 'detail'")
        assert missing_contents.versions_lost(transaction) == (number,)
        transaction.execute("UPDATE hub_document SET list_digest = NULL, detail_digest = zeroblob(32)")
        assert missing_contents.versions_lost(transaction) == ()


def test_arrivals_are_written_down_again(full: Archive) -> None:
    with full.writing() as transaction:
        (number,) = transaction.integers("SELECT content_id FROM download")
        transaction.execute("DELETE FROM arrival WHERE content_id = ?", (number,))
        assert missing_contents.arrivals_lost(transaction) == (number,)
        missing_contents.write_arrivals(transaction)
        assert missing_contents.arrivals_lost(transaction) == ()
        sources = transaction.fetch("SELECT source FROM arrival WHERE content_id = ?", (number,))
        assert sources == [("hub:shop/item-fd-1",)]
