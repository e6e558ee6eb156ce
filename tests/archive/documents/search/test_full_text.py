"""Words are asked for as they stand in the index, and find what the beginning that was typed finds."""

from __future__ import annotations

import sqlite3
import unicodedata
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from confere.archive.documents.search import full_text
from confere.archive.store import Archive
from confere.archive.transaction import Transaction
from confere.errors import ArchiveLocked

LETTERS = [letter for letter in map(chr, range(0x30, 0x250)) if unicodedata.category(letter)[0] in "LN"]
WORDS = ["camiseta", "Camisetas", "camisaria", "São", "SAO", "caneca", "ação", *(f"prefixo{n:02}" for n in range(40))]


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Archive]:
    """Document n has the word n of `WORDS`; from 1000 on, each has a word with another letter."""
    with Archive.to_write(tmp_path_factory.mktemp("words") / "a.sqlite3", "test") as opened:
        with opened.writing() as transaction:
            full_text.add(transaction, list(enumerate(WORDS, 1)))
            full_text.add(transaction, [(1000 + n, f"abcd{letter}efgh") for n, letter in enumerate(LETTERS)])
        yield opened


def found(transaction: Transaction, asked: str | None) -> list[int]:
    return transaction.column("SELECT rowid FROM search WHERE search MATCH ? ORDER BY rowid", (asked,))


@pytest.mark.parametrize(
    ("typed", "asked"),
    [
        ("camiset", '("camiseta" OR "camisetas")'),
        ("CAMISETA caneca", '("camiseta" OR "camisetas") AND ("caneca")'),
        ("Ação", '("acao")'),
        ("cami", '("camisaria" OR "camiseta" OR "camisetas")'),
        ("cam", '"cam"*'),  # the index has gathered what begins with three letters
        ("nada", '"nada"'),  # no word begins so
        ("prefixo", '"prefixo"*'),  # too many to be named
        ("prefixo1", "(" + " OR ".join(f'"prefixo1{n}"' for n in range(10)) + ")"),
        ("straße", '"straße"*'),  # not surely a letter with something on it
        (" _ ", None),
    ],
)
def test_words_are_spelt_as_they_stand_in_the_index(archive: Archive, typed: str, asked: str | None) -> None:
    with archive.reading() as transaction:
        assert full_text.spelling(transaction)(typed) == asked
        if asked is not None:
            assert found(transaction, asked) == found(transaction, full_text.expression(typed))


def test_no_letter_is_spelt_otherwise_than_sqlite_does(archive: Archive) -> None:
    with archive.reading() as transaction:
        spelling = full_text.spelling(transaction)
        for typed in (text for letter in LETTERS for text in (f"abcd{letter}efgh", f"ABCD{letter}ef")):
            assert found(transaction, spelling(typed)) == found(transaction, full_text.expression(typed)), typed


def test_a_word_that_was_just_added_is_known(archive: Archive) -> None:
    with archive.reading() as transaction:
        assert full_text.spelling(transaction)("novidade") == '"novidade"'
    with archive.writing() as transaction:
        full_text.add(transaction, [(900, "novidades")])
        assert full_text.spelling(transaction)("novidade") == '("novidades")'
    with archive.reading() as transaction:
        assert full_text.spelling(transaction)("novidade") == '("novidades")'


def test_an_index_made_anew_is_asked_anew(archive: Archive) -> None:
    with archive.writing() as transaction:
        full_text.make_anew(transaction)
        assert full_text.spelling(transaction)("camiseta") == '"camiseta"'
        transaction.connection.rollback()


def test_without_the_vocabulary_words_are_asked_for_as_beginnings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(full_text, "VOCABULARY", "CREATE VIRTUAL TABLE temp.search_word USING nothing()")
    with Archive.to_write(tmp_path / "a.sqlite3", "test") as archive, archive.writing() as transaction:
        full_text.add(transaction, [(1, "camisetas")])
        asked = full_text.spelling(transaction)("camiseta")
        assert asked == full_text.expression("camiseta") == '"camiseta"*'
        assert found(transaction, asked) == [1]


def test_a_locked_archive_is_told_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The vocabulary does not wait for the lock before the question does."""
    path, connect = tmp_path / "a.sqlite3", sqlite3.connect
    with Archive.to_write(path, "test"):
        pass
    monkeypatch.setattr(sqlite3, "connect", lambda *args, **given: connect(*args, **(given | {"timeout": 0})))
    with closing(connect(path, isolation_level=None)) as holder:
        holder.execute("PRAGMA locking_mode = EXCLUSIVE")
        holder.execute("BEGIN EXCLUSIVE")
        with pytest.raises(ArchiveLocked), Archive.to_read(path) as archive, archive.reading() as transaction:
            transaction.scalar("SELECT count(*) FROM document")
