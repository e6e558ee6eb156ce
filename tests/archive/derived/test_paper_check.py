"""Every row that is lost or changed is found by reading the bytes again, and named by its paper's key."""

from __future__ import annotations

import pytest

from confere.archive.maintenance import health
from confere.archive.store import Archive
from confere.archive.vault import check_times
from tests.archive.papers import cancellation, key, note, store

VOIDING_LINES = (
    "DELETE FROM document WHERE access_key = '{key}'",
    "DELETE FROM item WHERE document_id = 1",
    "DELETE FROM party WHERE document_id = 1 AND position = 1",
    "DELETE FROM tax_group WHERE document_id = 1",
    "DELETE FROM taxpayer WHERE id = 1",
    "DELETE FROM belonging WHERE document_id = 1",
    "DELETE FROM relation WHERE source_key = '{key}'",
    "DELETE FROM event WHERE access_key = '{key}'",
    "INSERT INTO search(search) VALUES ('delete-all')",
    "UPDATE document SET total = total + 1 WHERE id = 1",
    "UPDATE document SET emitter_id = recipient_id WHERE id = 1",
    "UPDATE item SET description = 'x' WHERE document_id = 1",
    "UPDATE event SET description = 'x' WHERE access_key = '{key}'",
    "UPDATE belonging SET direction = 'in' WHERE document_id = 1 AND direction = 'out'",
)


@pytest.mark.parametrize("damage", VOIDING_LINES)
def test_each_lost_or_changed_row_is_named_by_its_key(archive: Archive, damage: str) -> None:
    store(archive, note(1, refers=key(7)), note(2), cancellation(1), note(1, total="20.00"))
    assert health.verify_vault(archive).rows == ()
    with archive.writing() as transaction:
        assert transaction.execute(damage.format(key=key(1)))
    found = health.verify_vault(archive)
    assert key(1) in {name for entry in found.rows for name in entry.names}
    assert found.broken == ()


def test_a_share_reads_its_blocks_alone_and_all_shares_are_the_whole(archive: Archive) -> None:
    store(archive, *(note(number) for number in range(1, 4)))
    with archive.reading() as transaction:
        assert check_times.last_whole(transaction) is None
    read = []
    for number in (1, 2):
        found = health.verify_vault(archive, part=health.VaultShare(number, 2))
        read.append(found.read)
        with archive.writing() as transaction:
            health.write_down(transaction, found)
            assert (check_times.last_whole(transaction) is None) == (number == 1)
    assert read == [3, 0]
