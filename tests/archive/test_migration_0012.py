"""Sentences that an archive of the eleventh format holds in English become codes, and say what they said."""

from __future__ import annotations

import hashlib
import itertools
import json
import runpy
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from confere.archive import message_encoding, migrations
from confere.archive.engine import writer_engine
from confere.archive.schema import migrate
from confere.archive.vault.vault import digest_head
from confere.errors import Message, message
from confere.system import message_codes
from confere.system.messages import render, set_language

COLUMNS: tuple[tuple[str, str], ...] = runpy.run_path(
    str(Path(migrations.__path__[0]) / "versions" / "0012_sentence_codes.py")
)["SENTENCES"]
WITHIN = message("{what} {remedy}", what=message("It was authorized on {day}.", day="2026-10-04"), remedy="x")
LIBRARYS = Message("words of a library, with {no} code")
SAID = [WITHIN, LIBRARYS, Message("plain words")]
IN_LISTS = {("suggestion", "agrees"), ("suggestion", "differs"), ("finding", "evidence"), ("link", "evidence")}


def in_english(sentence: Message) -> dict[str, object]:
    """As the eleventh format held it."""
    params = {
        name: in_english(value) if isinstance(value, Message) else value for name, value in sentence.params.items()
    }
    return {"id": sentence.id, "params": params}


def with_sentences(path: Path) -> None:
    """An archive of the eleventh format with both sentences in each column, and a text that is no JSON."""
    engine = writer_engine(path)
    migrate.upgrade(engine, path, path.parent / "backups", head="0011")
    engine.dispose()
    both = [in_english(WITHIN), in_english(LIBRARYS)]
    numbers = itertools.count(1)
    with closing(sqlite3.connect(path)) as database:
        for table, column in COLUMNS:
            texts = [json.dumps(both)] if (table, column) in IN_LISTS else [json.dumps(entry) for entry in both]
            for text in [*texts, "plain words"]:
                number = next(numbers)
                told = database.execute(f"PRAGMA table_info({table})").fetchall()
                row = {name: f"{number}" for _, name, _, needed, _, key in told if needed or key}
                row[column] = text
                marks = ", ".join("?" * len(row))
                database.execute(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({marks})", list(row.values()))
        database.execute("INSERT INTO phrase VALUES (1, ?)", (json.dumps([WITHIN.id, "remedy", "what"]),))
        database.execute("INSERT INTO phrase VALUES (2, ?)", (json.dumps([LIBRARYS.id]),))
        database.commit()


def texts(path: Path, table: str, column: str) -> list[str]:
    with closing(sqlite3.connect(path)) as database:
        return [row[0] for row in database.execute(f"SELECT {column} FROM {table} ORDER BY length({column}) DESC")]


def upgrade(path: Path) -> None:
    engine = writer_engine(path)
    migrate.upgrade(engine, path, path.parent / "backups")
    engine.dispose()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "archive.sqlite3"
    with_sentences(path)
    return path


def test_each_column_says_the_same_by_codes(path: Path) -> None:
    upgrade(path)
    for table, column in COLUMNS:
        found = [text for text in texts(path, table, column) if len(text) > len("plain words") - 1]
        assert [said for text in found for said in message_encoding.read_all(text)] == SAID, table
        assert '"@it-was-authorized-on"' in found[0] and "It was authorized" not in "".join(found), table
    assert set(texts(path, "phrase", "text")) == {'["@what-remedy","remedy","what"]', json.dumps([LIBRARYS.id])}


def test_words_of_a_library_that_begin_as_codes_do_stay_whole(path: Path) -> None:
    said = Message("@home gave no answer")
    with closing(sqlite3.connect(path)) as database:
        database.execute("UPDATE run SET problem = ?", (json.dumps(in_english(said)),))
        database.execute("UPDATE phrase SET text = ? WHERE id = 2", (json.dumps([said.id]),))
        database.commit()
    upgrade(path)
    assert [message_encoding.read(text) for text in texts(path, "run", "problem")] == [said] * 3
    assert message_codes.sentence_id(json.loads(texts(path, "phrase", "text")[1])[0]) == said.id


def test_sentences_of_verdicts_are_found_again_by_their_digest(path: Path) -> None:
    upgrade(path)
    with closing(sqlite3.connect(path)) as database:
        for head, text in database.execute("SELECT digest_head, text FROM why"):
            assert head == digest_head(hashlib.sha256(text.encode()).digest())


def test_a_reworded_sentence_changes_nothing_stored(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    upgrade(path)
    before = {column: texts(path, *column) for column in COLUMNS}
    codes = message_codes._codes()
    reworded = codes.sentences | {"it-was-authorized-on": "Authorized: {day}."}
    by_sentence = {text: code for code, text in reworded.items()} | {
        "It was authorized on {day}.": "it-was-authorized-on"
    }
    monkeypatch.setattr(message_codes, "_codes", lambda: codes._replace(by_sentence=by_sentence, sentences=reworded))
    (stored,) = (text for text in before["run", "problem"] if "authorized" in text)
    again = message_encoding.read(stored)
    set_language("en")
    assert render(again) == "Authorized: 2026-10-04. x"
    assert message_encoding.kept(again) == stored
    assert message_encoding.kept(WITHIN) == stored, "an archive or a test that still has the former text"


def test_killed_in_its_middle_nothing_happened(path: Path) -> None:
    before = {column: texts(path, *column) for column in COLUMNS}
    code = (
        "import os, sys; from pathlib import Path; import alembic.op\n"
        "from confere.archive.engine import writer_engine; from confere.archive.schema import migrate\n"
        "alembic.op.drop_table = lambda name, real=alembic.op.drop_table, left=[5]: (\n"
        "    real(name), left.append(left.pop() - 1), left[0] or os._exit(9))\n"
        "path = Path(sys.argv[1]); migrate.upgrade(writer_engine(path), path, path.parent / 'copies')"
    )
    assert subprocess.run([sys.executable, "-c", code, str(path)], check=False).returncode == 9
    assert {column: texts(path, *column) for column in COLUMNS} == before
    upgrade(path)
    assert '"@it-was-authorized-on"' in texts(path, "why", "text")[0]
