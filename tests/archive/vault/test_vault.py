"""The vault gives back exactly what it got, whatever it got, and says so when it cannot."""

from __future__ import annotations

import random
import sqlite3
import string
from pathlib import Path

import pytest
import zstandard
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from confere.archive.store import Archive
from confere.archive.vault.mending import mend
from confere.archive.vault.reader import VaultReader
from confere.archive.vault.vault import FIRST_TRAINING, Blob, Family, VaultWriter, digest_of, find
from confere.errors import ArchiveCorrupt
from tests.archive.papers import note

CERTIFICATE = b"MIIH" + b"QUJDRA" * 200


def put(archive: Archive, *files: bytes) -> list[int]:
    with archive.writing() as transaction:
        return list(archive.vault_writer.put(transaction, [Blob(data, digest_of(data)) for data in files]))


texts = st.one_of(
    st.binary(max_size=3000),
    st.lists(
        st.sampled_from(
            [
                b"<X509Certificate>",
                b"</X509Certificate>",
                b"<ds:X509Certificate>",
                CERTIFICATE,
                CERTIFICATE[::-1],
                b"X509Certificate>",
                b"<",
                b"abc",
            ]
        ),
        max_size=14,
    ).map(b"".join),
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(files=st.lists(texts, min_size=1, max_size=6, unique=True))
def test_any_bytes_come_back(archive: Archive, files: list[bytes]) -> None:
    with archive.reading() as transaction:
        held = find(transaction, {digest_of(data) for data in files})
    new = [data for data in files if digest_of(data) not in held]
    for data, content_id in zip(new, put(archive, *new), strict=True):
        assert archive.content(content_id) == data
    with archive.reading() as transaction:
        assert set(find(transaction, {digest_of(data) for data in files})) == {digest_of(data) for data in files}


def test_a_certificate_is_kept_once_and_put_back_exactly(archive: Archive) -> None:
    files = [b"<a>%d<X509Certificate>%s</X509Certificate>%d</a>" % (i, CERTIFICATE, i) for i in range(50)]
    ids = put(archive, *files)
    assert [archive.content(content_id) for content_id in ids] == files
    with archive.reading() as transaction:
        assert transaction.scalar("SELECT count(*) FROM certificate") == 1
        assert transaction.scalar("SELECT max(length(payload)) FROM content") < 200


def test_long_text_behind_a_certificate_is_none(archive: Archive) -> None:
    text = b"<X509Certificate>" + CERTIFICATE + b"</X509Certificate>" + b" " * 5_000 + b"<end/>"
    (number,) = put(archive, text)
    assert archive.content(number) == text
    with archive.reading() as transaction:
        assert transaction.scalar("SELECT count(*) FROM certificate") == 1


def test_documents_that_teach_nothing_are_not_learnt_from_each_time(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[int] = []

    def too_little(*_: object, **__: object) -> None:
        tried.append(1)
        raise zstandard.ZstdError

    monkeypatch.setattr(zstandard, "train_dictionary", too_little)
    files = [note(i) for i in range(1, FIRST_TRAINING + 50)]
    put(archive, *files[:FIRST_TRAINING])
    assert len(tried) == 1
    for file in files[FIRST_TRAINING:]:
        put(archive, file)
    assert len(tried) == 1  # after as many again, not at every file


def test_the_first_documents_train_a_dictionary_and_are_stored_again_with_it(archive: Archive) -> None:
    files = [note(i, item=f"Caneca modelo {i * 7919}") for i in range(1, FIRST_TRAINING + 50)]
    ids = [
        content_id for start in range(0, len(files), 100) for content_id in put(archive, *files[start : start + 100])
    ]
    with archive.reading() as transaction:
        assert transaction.scalar("SELECT count(*) FROM dictionary") == 1
        assert transaction.scalar("SELECT count(*) FROM content WHERE dictionary_id IS NULL") == 0
        stored, raw = transaction.fetch("SELECT sum(length(payload)), sum(size) FROM content")[0]
    assert stored < 0.16 * raw
    assert [archive.content(content_id) for content_id in ids] == files


def test_a_second_process_goes_on_counting_towards_the_dictionary(path: Path) -> None:
    files = [note(i, item=f"Caneca modelo {i * 7919}") for i in range(1, FIRST_TRAINING + 10)]
    for half in (files[: FIRST_TRAINING // 2], files[FIRST_TRAINING // 2 :]):
        with Archive.to_write(path, "test") as archive:
            put(archive, *half)
    with Archive.to_read(path) as archive, archive.reading() as transaction:
        assert transaction.scalar("SELECT count(*) FROM dictionary") == 1
        assert transaction.scalar("SELECT count(*) FROM content WHERE dictionary_id IS NULL") == 0


def test_a_new_kind_of_document_gets_a_dictionary_of_its_own(archive: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("confere.archive.vault.vault.CHECK_EVERY", 200)
    first = [note(i) for i in range(1, FIRST_TRAINING + 5)]
    chance = random.Random(5)
    words = ["".join(chance.choices(string.ascii_letters, k=30)) for _ in range(60)]
    second = [(" ".join(chance.sample(words, 40)) + str(i)).encode() for i in range(900)]
    ids = [i for start in range(0, len(first), 100) for i in put(archive, *first[start : start + 100])]
    ids += [i for start in range(0, len(second), 100) for i in put(archive, *second[start : start + 100])]
    with archive.reading() as transaction:
        assert transaction.scalar("SELECT count(*) FROM dictionary") >= 2
    assert [archive.content(content_id) for content_id in ids] == first + second


def test_families_do_not_share_a_dictionary(archive: Archive) -> None:
    put(archive, *[note(i) for i in range(1, FIRST_TRAINING + 5)])
    data = b'{"id": 1}'
    with archive.writing() as transaction:
        ids = archive.vault_writer.put(transaction, [Blob(data, digest_of(data), Family.JSON)])
        assert transaction.scalar("SELECT dictionary_id FROM content WHERE id = ?", (ids[0],)) is None
    assert archive.content(ids[0]) == data


def test_a_rolled_back_dictionary_is_not_used(archive: Archive) -> None:
    files = [note(i) for i in range(1, FIRST_TRAINING + 5)]
    with pytest.raises(RuntimeError), archive.writing() as transaction:
        archive.vault_writer.put(transaction, [Blob(data, digest_of(data)) for data in files])
        assert transaction.scalar("SELECT count(*) FROM dictionary") == 1
        raise RuntimeError
    (number,) = put(archive, files[0])
    with archive.reading() as transaction:
        assert transaction.fetch("SELECT dictionary_id FROM content") == [(None,)]
    assert archive.content(number) == files[0]


def test_a_rolled_back_certificate_is_not_believed(archive: Archive) -> None:
    data = b"<X509Certificate>" + CERTIFICATE + b"</X509Certificate>"
    with pytest.raises(RuntimeError), archive.writing() as transaction:
        archive.vault_writer.put(transaction, [Blob(data, digest_of(data))])
        raise RuntimeError
    assert archive.content(put(archive, data)[0]) == data


@pytest.mark.parametrize(
    "damage", ["UPDATE content SET payload = zeroblob(length(payload))", "other payload", "certificate"]
)
def test_damage_is_noticed_on_reading(path: Path, damage: str) -> None:
    with Archive.to_write(path, "test") as archive:
        wanted, _ = put(archive, b"<X509Certificate>" + CERTIFICATE + b"</X509Certificate>a", b"other")
    with sqlite3.connect(path) as database:
        if damage == "other payload":
            damage = "UPDATE content SET payload = (SELECT payload FROM content WHERE id = 2) WHERE id = 1"
        elif damage == "certificate":
            damage = "UPDATE certificate SET data = CAST(replace(data, 'Q', 'R') AS BLOB)"
        database.execute(damage)
    database.close()
    with Archive.to_read(path) as archive, pytest.raises(ArchiveCorrupt, match="SHA-256"):
        archive.content(wanted)


def test_a_writer_of_its_own_finds_the_dictionary(archive: Archive) -> None:
    put(archive, *[note(i) for i in range(1, FIRST_TRAINING + 5)])
    data = note(99999)
    with archive.writing() as transaction:
        ids = VaultWriter().put(transaction, [Blob(data, digest_of(data))])
        assert transaction.scalar("SELECT dictionary_id FROM content WHERE id = ?", (ids[0],)) == 1
    assert archive.content(ids[0]) == data


def columns(archive: Archive) -> list[tuple[object, ...]]:
    with archive.reading() as transaction:
        return transaction.fetch("SELECT id, digest_head, digest, family, size, problem, reader FROM content")


@pytest.mark.parametrize("wrong", ["digest = zeroblob(32)", "digest_head = 7", "size = size + 1"])
def test_a_column_beside_whole_bytes_is_written_anew(archive: Archive, wrong: str) -> None:
    (number,) = put(archive, note(1))
    with archive.writing() as transaction:
        transaction.execute("UPDATE content SET problem = 'unreadable', reader = 3")
    before = columns(archive)
    with archive.writing() as transaction:
        transaction.execute(f"UPDATE content SET {wrong}")
        mend(transaction, VaultReader(), archive.vault_writer, number)
    assert columns(archive) == before
    assert archive.content(number) == note(1)


def test_what_is_mended_stays_of_its_family(archive: Archive) -> None:
    data = b'{"id": 1}'
    with archive.writing() as transaction:
        (number,) = archive.vault_writer.put(transaction, [Blob(data, digest_of(data), Family.JSON)])
    before = columns(archive)
    with archive.writing() as transaction:
        transaction.execute("UPDATE content SET size = size + 1")
        mend(transaction, VaultReader(), archive.vault_writer, number)
    assert columns(archive) == before


def test_bytes_that_no_column_speaks_for_are_not_mended(archive: Archive) -> None:
    (number,) = put(archive, note(1))
    with archive.writing() as transaction:
        transaction.execute("UPDATE content SET digest = zeroblob(32), digest_head = 7")
        wrong = transaction.fetch("SELECT digest, digest_head FROM content")
        mend(transaction, VaultReader(), archive.vault_writer, number)
        assert transaction.fetch("SELECT digest, digest_head FROM content") == wrong


def test_a_content_that_is_gone_is_not_mended(archive: Archive) -> None:
    with archive.writing() as transaction:
        mend(transaction, VaultReader(), archive.vault_writer, 7)
    assert columns(archive) == []
