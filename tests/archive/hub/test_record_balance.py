"""listed = archived + waiting + refused, each record once; what breaks the sum is counted as lost, and named."""

from __future__ import annotations

from confere.archive.hub import download_queue
from confere.archive.hub.record_balance import AccountSum, account_sum
from confere.archive.store import Archive
from confere.archive.vault.vault import Blob, digest_of
from confere.errors import message
from tests.archive import listed
from tests.archive.papers import key, note, store


def the_sum(archive: Archive) -> AccountSum:
    with archive.reading() as transaction:
        return account_sum(transaction, 1)


def archive_with_two(archive: Archive) -> tuple[int, int]:
    listed.add_accounts(archive)
    first, second = store(archive, note(1), note(2))
    listed.observe(archive, 1, hub_id="fd-1")
    listed.download(archive, first)
    listed.observe(archive, 2, hub_id="fd-2")
    listed.download(archive, second)
    return first, second


def test_each_record_is_counted_once(archive: Archive) -> None:
    archive_with_two(archive)
    assert the_sum(archive) == AccountSum(listed=2, archived=2)
    listed.observe(archive, 3, hub_id="fd-3")
    assert the_sum(archive) == AccountSum(listed=3, archived=2, waiting=1)
    with archive.writing() as transaction:
        (queued,) = download_queue.open_items(transaction, 1, 0, 10)
        download_queue.mark_failed(transaction, [(queued.id, message("gone"), None)])
    assert the_sum(archive) == AccountSum(listed=3, archived=2, waiting=1)
    with archive.writing() as transaction:
        (broken,) = archive.vault_writer.put(transaction, [Blob(b"<nfe", digest_of(b"<nfe"), problem="cut short")])
    with archive.writing() as transaction:
        download_queue.mark_failed(transaction, [(queued.id, message("broken"), broken)])
    found = the_sum(archive)
    assert found == AccountSum(listed=3, archived=2, refused=1)
    assert found.balances


def test_what_the_hub_has_no_file_for_is_refused_unless_it_came_from_elsewhere(archive: Archive) -> None:
    archive_with_two(archive)
    with archive.writing() as transaction:
        transaction.execute("DELETE FROM download WHERE item_id = 'item-fd-1'")
    assert the_sum(archive) == AccountSum(listed=2, archived=2)
    with archive.writing() as transaction:
        transaction.execute("DELETE FROM document WHERE access_key = ?", (key(1),))
    assert the_sum(archive) == AccountSum(listed=2, archived=1, refused=1)


def test_what_was_not_understood_is_refused(archive: Archive) -> None:
    archive_with_two(archive)
    with archive.writing() as transaction:
        transaction.execute("UPDATE hub_document SET problem = 'not understood' WHERE hub_id = 'fd-1'")
    assert the_sum(archive) == AccountSum(listed=2, archived=1, refused=1)


def test_a_content_that_is_gone_breaks_the_sum_and_is_named(archive: Archive) -> None:
    first, second = archive_with_two(archive)
    for content_id, name in ((second, key(2)), (first, key(1))):
        with archive.writing() as transaction:
            kept = transaction.fetch("SELECT * FROM content WHERE id = ?", (content_id,))
            transaction.execute("DELETE FROM content WHERE id = ?", (content_id,))
        found = the_sum(archive)
        assert (found.listed, found.archived, found.lost, found.lost_names) == (2, 1, 1, (name,))
        assert not found.balances
        with archive.writing() as transaction:
            transaction.execute_many(f"INSERT INTO content VALUES ({','.join('?' * len(kept[0]))})", kept)
    assert the_sum(archive).balances


def test_a_content_known_to_be_damaged_breaks_the_sum(archive: Archive) -> None:
    first, _ = archive_with_two(archive)
    with archive.writing() as transaction:
        transaction.execute("INSERT INTO vault_damage VALUES (?, '2026-10-05T12:00:00.000+00:00', 'damaged')", (first,))
    assert the_sum(archive).lost_names == (key(1),)


def test_two_accounts_have_a_sum_each(archive: Archive) -> None:
    archive_with_two(archive)
    listed.observe(archive, 9, account=2, hub_id="fd-1")
    with archive.reading() as transaction:
        assert account_sum(transaction, 2) == AccountSum(listed=1, waiting=1)
    assert the_sum(archive) == AccountSum(listed=2, archived=2)
