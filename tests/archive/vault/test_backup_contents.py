"""Bytes that an archive lost, taken from a copy of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from confere.archive.store import Archive
from confere.archive.vault.backup_contents import contents_of
from tests.archive.papers import store
from tests.fiscal import made

PAPERS = [made.event_proc(made.access_key(number=number)).encode() for number in (1, 2)]


@pytest.fixture
def digests(archive: Archive) -> dict[int, bytes]:
    """The digest of each content of an archive with two files."""
    store(archive, *PAPERS)
    with archive.reading() as transaction:
        return {row.id: row.digest for row in transaction.named("SELECT id, digest FROM content")}


def test_a_content_is_had_by_its_digest_or_by_its_number(
    archive: Archive, path: Path, digests: dict[int, bytes]
) -> None:
    first, second = sorted(digests)
    bodies = {number: archive.content(number) for number in digests}
    assert set(bodies.values()) == set(PAPERS)
    crossed = {first: digests[second], second: None}
    assert dict(contents_of(path, crossed)) == {first: bodies[second], second: bodies[second]}


def test_a_digest_that_the_copy_does_not_know_falls_back_to_the_number(
    archive: Archive, path: Path, digests: dict[int, bytes]
) -> None:
    number = min(digests)
    head = digests[number][:8] + bytes(24)  # another content with the same beginning is not it
    for unknown in (bytes(32), head):
        assert dict(contents_of(path, {number: unknown})) == {number: archive.content(number)}
    assert dict(contents_of(path, {9_999: bytes(32), 9_998: None})) == {}


def test_what_the_copy_has_damaged_is_left_out(archive: Archive, path: Path, digests: dict[int, bytes]) -> None:
    first, second = sorted(digests)
    with archive.writing() as transaction:
        transaction.execute("UPDATE content SET payload = x'00' WHERE id = ?", (first,))
    left = dict(contents_of(path, dict.fromkeys((first, second))))
    assert set(left) == {second}
