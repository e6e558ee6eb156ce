"""What broken contents are the bytes of, and how bytes that come again are known."""

from __future__ import annotations

import pytest

from confere.archive.documents import recorder
from confere.archive.store import Archive
from confere.archive.transaction import Transaction
from confere.archive.vault import damage
from confere.archive.vault.damage import DAMAGED, MISSING, BrokenContent
from confere.archive.vault.vault import Blob, digest_of
from confere.fiscal.reading.document import read
from tests.archive.listed import add_accounts, download, observe
from tests.archive.papers import cancellation, key, note, store
from tests.archive.sold import a_return, an_order, received, record, record_returns


def named(transaction: Transaction, *numbers: int) -> list[tuple[int, str, str]]:
    names = damage.named(transaction, dict.fromkeys(numbers, MISSING))
    assert {one.reason for one in names} <= {MISSING}
    return [(one.content_id, one.kind, one.name) for one in names]


def test_each_content_is_named_by_the_first_that_knows_it(archive: Archive) -> None:
    add_accounts(archive)
    observe(archive, 1)
    document, event = store(archive, note(1), cancellation(2), source="box.zip")
    with archive.writing() as transaction:
        (unread,) = archive.vault_writer.put(transaction, [Blob(b"no XML at all", digest_of(b"no XML at all"))])
        recorder.arrive(transaction, 1, [recorder.Arrival(unread, "box.zip")])
    download(archive, document)  # the hub's record knows the document too
    record(archive, received(an_order("900")))
    record_returns(archive, a_return("r1"))
    with archive.reading() as transaction:
        (listed,) = transaction.integers("SELECT content_id FROM hub_record")
        (version,) = transaction.integers("SELECT content_id FROM sales_order")
        (returned,) = transaction.integers("SELECT content_id FROM hub_return")
        everything = (document, event, unread, listed, version, returned, 999)
        assert named(transaction, *everything) == sorted(
            [
                (document, "document", key(1)),
                (event, "event", key(2)),
                (unread, "file", "box.zip"),
                (listed, "hub_record", key(1)),
                (version, "order", "900"),
                (returned, "return", "r1"),
                (999, "file", "999"),
            ]
        )
        assert damage.named(transaction, {document: DAMAGED}) == (BrokenContent(document, DAMAGED, "document", key(1)),)


def test_a_content_of_a_document_and_its_event_is_named_by_both(archive: Archive) -> None:
    document, event = store(archive, note(1), cancellation(2))
    with archive.writing() as transaction:
        transaction.execute("UPDATE event SET content_id = ? WHERE content_id = ?", (document, event))
        assert named(transaction, document) == [(document, "document", key(1)), (document, "event", key(2))]


def test_bytes_that_come_again_are_known_by_their_source_or_their_papers(archive: Archive) -> None:
    first, second = store(archive, note(1), source="one.xml") + store(archive, note(2), source="two.xml")
    with archive.writing() as transaction:
        assert damage.known(transaction) is None
        damage.note(transaction, {first: MISSING, second: MISSING})
        known = damage.known(transaction)
    assert known is not None
    assert damage.place_for(known, "one.xml", None, ()) == first
    assert damage.place_for(known, "two.xml", read(note(1)), ()) == second  # the source goes before
    assert damage.place_for(known, "new.xml", read(note(1)), ()) == first
    assert damage.place_for(known, "new.xml", read(note(3)), ()) is None
    assert damage.place_for(known, "new.xml", None, ()) is None
    assert damage.place_for(known, "one.xml", None, (first,)) is None


@pytest.mark.parametrize(("reason", "is_known"), [(MISSING, True), (damage.NOT_GIVEN, True), (DAMAGED, False)])
def test_what_is_there_and_damaged_keeps_its_place(archive: Archive, reason: str, is_known: bool) -> None:
    (number,) = store(archive, note(1), source="one.xml")
    with archive.writing() as transaction:
        damage.note(transaction, {number: reason})
        known = damage.known(transaction)
    assert known is not None
    assert damage.place_for(known, "one.xml", read(note(1)), ()) == (number if is_known else None)


def test_a_broken_content_waits_for_its_download_until_it_is_whole(archive: Archive) -> None:
    add_accounts(archive)
    observe(archive, 1)
    (number,) = store(archive, note(1))
    download(archive, number)

    def states(transaction: Transaction) -> list[str]:
        return [row[0] for row in transaction.fetch("SELECT state FROM download")]

    with archive.writing() as transaction:
        damage.note(transaction, {number: DAMAGED})
        assert states(transaction) == ["waiting"]
        assert damage.noted(transaction) == {number: DAMAGED}
        damage.clear(transaction, [number + 1])
        assert states(transaction) == ["waiting"]
        damage.clear(transaction, [number])
        assert states(transaction) == ["done"]
        assert damage.noted(transaction) == {}


def test_a_download_that_waits_for_another_reason_goes_on_waiting(archive: Archive) -> None:
    add_accounts(archive)
    observe(archive, 1)
    (number,) = store(archive, note(1))
    download(archive, number)
    with archive.writing() as transaction:
        transaction.execute("UPDATE download SET state = 'waiting'")
        damage.clear(transaction, [number])
        assert transaction.column("SELECT state FROM download") == ["waiting"]


def test_what_is_not_there_at_all_is_noted_once(archive: Archive) -> None:
    first, second = store(archive, note(1), note(2))
    with archive.writing() as transaction:
        transaction.execute("DELETE FROM content WHERE id = ?", (first,))
        assert damage.note_missing(transaction) == 1
        assert damage.note_missing(transaction) == 0
        assert damage.noted(transaction) == {first: MISSING}
        transaction.execute("DELETE FROM content WHERE id = ?", (second,))
        assert damage.note_missing(transaction) == 1


def test_a_lost_record_of_the_list_asks_for_a_whole_listing_until_that_was_done(archive: Archive) -> None:
    add_accounts(archive)
    observe(archive, 1)
    with archive.writing() as transaction:
        (number,) = transaction.integers("SELECT content_id FROM hub_record")
        assert not damage.records_to_list(transaction, 1)
        damage.note(transaction, {number: MISSING})
        assert damage.records_to_list(transaction, 1)
        assert not damage.records_to_list(transaction, 2)
        damage.give_up_records(transaction)
        assert not damage.records_to_list(transaction, 1)
        assert damage.noted(transaction) == {number: damage.NOT_GIVEN}
