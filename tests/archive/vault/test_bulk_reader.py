"""Contents read in bulk are the ones that the vault gives one by one, and damage is found."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from confere.archive.store import Archive
from confere.archive.vault import reader
from confere.archive.vault.bulk_reader import STEP_BYTES, by_weight, contents
from confere.archive.vault.reader import VaultReader
from confere.archive.vault.vault import Blob, Family, digest_of
from confere.errors import ArchiveCorrupt

CERTIFICATE = b"<X509Certificate>" + b"MIIC" * 300 + b"</X509Certificate>"


def blobs() -> Iterator[bytes]:
    """Enough for a dictionary to be trained on the way, certificates at every place, and odd ones."""
    dice = random.Random(11)
    for number in range(700):
        words = b" ".join(b"<vProd>%d.00</vProd>" % dice.randrange(10**6) for _ in range(40))
        yield b"<nfeProc n='%d'>%s%s</nfeProc>" % (number, words, CERTIFICATE.replace(b"IC", b"%02d" % (number % 40)))
    yield b""
    yield CERTIFICATE
    yield CERTIFICATE * 3 + b"<X509Certificate>short</X509Certificate>"
    yield dice.randbytes(300_000)


@pytest.fixture
def filled(archive: Archive) -> tuple[Archive, dict[int, bytes]]:
    datas = list(blobs())
    kept: dict[int, bytes] = {}
    for start in range(0, len(datas), 100):
        with archive.writing() as transaction:
            part = datas[start : start + 100]
            ids = archive.vault_writer.put(transaction, [Blob(data, digest_of(data)) for data in part])
            kept.update(zip(ids, part, strict=True))
    with archive.writing() as transaction:
        record = Blob(b'{"id": "fd-1"}', digest_of(b'{"id": "fd-1"}'), Family.JSON)
        kept[archive.vault_writer.put(transaction, [record])[0]] = record.data
    return archive, kept


def test_bulk_gives_what_went_in_and_what_the_vault_gives(filled: tuple[Archive, dict[int, bytes]]) -> None:
    archive, kept = filled
    with archive.reading() as transaction:
        assert transaction.scalar("SELECT count(DISTINCT dictionary_id) FROM content") > 0
        assert transaction.scalar("SELECT count(*) FROM certificate") > 40
        one_by_one = {number: archive.vault.get(transaction, number) for number in kept}
    backwards = sorted(kept, reverse=True)
    found = list(contents(archive, backwards))
    assert [number for number, _ in found] == backwards
    assert dict(found) == kept == one_by_one


def test_the_same_content_can_be_asked_for_twice(filled: tuple[Archive, dict[int, bytes]]) -> None:
    archive, kept = filled
    assert list(contents(archive, [5, 7, 5])) == [(5, kept[5]), (7, kept[7]), (5, kept[5])]
    assert list(contents(archive, [])) == []


def test_threads_share_a_reader(filled: tuple[Archive, dict[int, bytes]]) -> None:
    archive, kept = filled
    reader = VaultReader()
    with archive.reading() as transaction:
        packed = reader.fetch(transaction, list(kept))
    wrong: list[int] = []

    def check() -> None:
        wrong.extend(entry.content_id for entry in packed if reader.unpack(entry) != kept[entry.content_id])

    threads = [threading.Thread(target=check) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


class Forgetful(dict[int, bytes]):
    """What is remembered, as a thread sees it while another clears it whenever it can."""

    def update(self, *args: Any, **names: Any) -> None:
        super().update(*args, **names)
        self.clear()

    def get(self, *args: Any) -> Any:
        found = super().get(*args)
        self.clear()
        return found


def test_what_another_thread_forgets_is_no_damage(filled: tuple[Archive, dict[int, bytes]]) -> None:
    archive, kept = filled
    reader = VaultReader()
    with archive.reading() as transaction:
        reader.fetch(transaction, list(kept))
        held = reader._certificates = Forgetful(reader._certificates)
        assert len(held) > 30
        for number, data in kept.items():
            assert reader.get(transaction, number) == data


def test_many_certificates_do_not_pile_up(
    filled: tuple[Archive, dict[int, bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    archive, kept = filled
    monkeypatch.setattr(reader, "_REMEMBERED_CERTIFICATES", 3)
    assert dict(contents(archive, kept)) == kept


def test_an_absent_content_is_named(archive: Archive) -> None:
    with pytest.raises(ArchiveCorrupt, match="9999"):
        list(contents(archive, [9999]))


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE content SET payload = substr(payload, 1, 20) WHERE id = 3",
        "UPDATE content SET payload = (SELECT payload FROM content WHERE id = 4) WHERE id = 3",
        "UPDATE content SET digest = zeroblob(32) WHERE id = 3",
        "UPDATE certificate SET data = zeroblob(1200)",
        "DELETE FROM certificate",
        "DELETE FROM dictionary",
    ],
)
def test_damage_is_found(filled: tuple[Archive, dict[int, bytes]], damage: str) -> None:
    archive, _ = filled
    with archive.writing() as transaction:
        transaction.execute(damage)
    with pytest.raises(ArchiveCorrupt):
        list(contents(archive, [3]))


@given(st.lists(st.integers(0, STEP_BYTES + 10) | st.integers(0, 100), max_size=60), st.integers(1, 20))
def test_stretches_are_whole_and_bounded(sizes: list[int], most: int) -> None:
    stretches = list(by_weight(sizes, most))
    assert [place for start, stop in stretches for place in range(start, stop)] == list(range(len(sizes)))
    for start, stop in stretches:
        assert 1 <= stop - start <= most
        assert stop - start == 1 or sum(sizes[start:stop]) <= STEP_BYTES


def test_reading_is_enough(filled: tuple[Archive, dict[int, bytes]], path: Path) -> None:
    archive, kept = filled
    archive.close()
    with Archive.to_read(path) as reader:
        assert dict(contents(reader, kept)) == kept
