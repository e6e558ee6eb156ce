"""Rows that another program changed: named by the check-up, given back from a backup, accepted by a person."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from confere.app.context import Workspace
from confere.app.maintenance import rebuild
from confere.archive.accounts import accounts, audit
from confere.archive.maintenance.backups import backup
from confere.archive.seals import seal_check
from tests.archive.papers import note, store
from tests.end_to_end.confere import Done, confere

_TAG = "INSERT INTO tag (id, name, folded, colour, created_at) VALUES (?, ?, ?, ?, '2026-09-01T00:00:00+00:00')"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A data folder with an account, two documents and two tags, and a backup of it."""
    workspace = Workspace.at(tmp_path / "home")
    with workspace.writing("test") as archive:
        with archive.writing() as transaction:
            accounts.add(transaction, name="a", environment="sandbox", address="http://127.0.0.1:9", platform="p")
            for number, name in enumerate(("red", "green"), 1):
                transaction.execute(_TAG, (number, name, name, number))
        store(archive, note(1), note(2))
    backup.copy(workspace.home.archive, workspace.home.backups / "archive-1.sqlite3")
    return workspace.home.root


def edit(home: Path, *statements: str) -> None:
    with closing(sqlite3.connect(home / "archive.sqlite3")) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()


def values(home: Path, sql: str) -> list[Any]:
    with closing(sqlite3.connect(home / "archive.sqlite3")) as connection:
        return connection.execute(sql).fetchall()


def wrong(done: Done) -> list[str]:
    """What the check-up says of rows that calls for something."""
    return [entry["what"] for entry in done.json["findings"] if entry["topic"] == "rows" and not entry["well"]]


def trail(home: Path) -> list[tuple[str, str, str | None]]:
    with Workspace.at(home).reading() as archive, archive.reading() as transaction:
        lines = audit.lines(transaction)
    return [(line.action, line.subject, line.detail) for line in reversed(lines) if line.action.startswith("rows ")]


def test_the_check_up_names_table_key_and_column_and_ends_with_1(home: Path) -> None:
    clean = confere(home, "doctor", "--verify")
    assert wrong(clean) == []
    assert clean.json["facts"]["foreign_rows"] == []
    assert clean.json["facts"]["sealed_rows"] > 5
    edit(home, "UPDATE account SET address = 'http://evil.example/v2'", "DELETE FROM tag WHERE id = 2")
    found = confere(home, "doctor", "--verify")
    assert found.code == 1
    assert found.json["facts"]["foreign_rows"] == [
        {"table": "account", "key": [1], "what": "edited", "columns": ["address"]},
        {"table": "tag", "key": [2], "what": "deleted", "columns": []},
    ]
    edited, deleted = wrong(found)
    assert "account: 1 (1 (address))" in edited
    assert "tag: 1 (2)" in deleted


def test_after_the_programs_next_write_the_check_up_still_says_so(home: Path) -> None:
    edit(home, "UPDATE tag SET colour = 7 WHERE id = 1")
    assert confere(home, "tag", "rename", "red", "better").code == 0
    assert trail(home) == [("rows edited elsewhere", "tag", "1 (colour)")]
    found = confere(home, "doctor")
    assert found.json["facts"]["foreign_changes_in_trail"] == 1
    assert any(entry["topic"] == "rows" and "1 line" in entry["what"] for entry in found.json["findings"])


def test_a_repair_takes_rows_from_the_backup_that_has_them(home: Path) -> None:
    edit(
        home,
        "UPDATE account SET address = 'http://evil.example/v2', platform = 'q'",
        "UPDATE tag SET colour = 77 WHERE id = 1",
        "DELETE FROM tag WHERE id = 2",
    )
    done = confere(home, "doctor", "--repair", "--verify")
    assert {entry["key"] for entry in done.json["facts"]["repaired"]} == {
        "account 1 (address, platform)", "tag 1 (colour)", "tag 2",
    }  # fmt: skip
    assert done.json["facts"]["foreign_rows"] == done.json["facts"]["still_missing"] == []
    assert values(home, "SELECT address, platform FROM account") == [("http://127.0.0.1:9", "p")]
    assert values(home, "SELECT id, name, colour FROM tag") == [(1, "red", 1), (2, "green", 2)]
    assert sorted(trail(home)) == [
        ("rows given back", "account", "1 (address, platform); archive-1.sqlite3"),
        ("rows given back", "tag", "1 (colour); 2; archive-1.sqlite3"),
    ]


def test_a_row_that_the_backup_has_otherwise_stays_named(home: Path) -> None:
    assert confere(home, "tag", "rename", "red", "crimson").code == 0  # since the backup
    edit(home, "UPDATE tag SET name = 'evil' WHERE id = 1", "INSERT INTO tag VALUES (9, 'x', 'x', 1, '2026')")
    done = confere(home, "doctor", "--repair")
    assert done.code == 1
    assert {entry["key"] for entry in done.json["facts"]["still_missing"]} == {"tag 1 (name)", "tag 9"}
    assert values(home, "SELECT id, name FROM tag") == [(1, "evil"), (2, "green"), (9, "x")]


def test_a_person_accepts_rows_as_they_stand(home: Path) -> None:
    edit(
        home,
        "UPDATE tag SET name = 'evil' WHERE id = 1",
        "DELETE FROM tag WHERE id = 2",
        "INSERT INTO tag VALUES (9, 'x', 'x', 1, '2026')",
    )
    done = confere(home, "doctor", "--accept-edits", "--verify")
    assert wrong(done) == []
    assert [(entry["key"], entry["what"]) for entry in done.json["facts"]["accepted_rows"]] == [
        ([1], "edited"), ([9], "inserted"), ([2], "deleted"),
    ]  # fmt: skip
    assert done.json["facts"]["foreign_rows"] == []
    assert values(home, "SELECT id, name FROM tag") == [(1, "evil"), (9, "x")]
    assert trail(home) == [("rows accepted", "tag", "1 (name); 9; 2")]
    assert confere(home, "doctor", "--accept-edits").json["facts"]["accepted_rows"] == []
    assert trail(home) == [("rows accepted", "tag", "1 (name); 9; 2")]


def test_what_is_rebuilt_of_a_damaged_file_is_sealed_and_keeps_the_evidence(home: Path) -> None:
    archive = home / "archive.sqlite3"
    shutil.rmtree(home / "backups")
    edit(home, "UPDATE tag SET name = 'evil' WHERE id = 1")
    edit(home, "PRAGMA wal_checkpoint(TRUNCATE)")
    (page,) = values(home, "SELECT rootpage FROM sqlite_master WHERE name = 'item'")[0]
    with archive.open("r+b") as file:
        file.seek((page - 1) * 8192)
        file.write(b"\xff" * 8192)
    rebuild.make_readable(Workspace.at(home), [])
    with Workspace.at(home).reading() as opened, opened.reading() as transaction:
        check = seal_check.verify(transaction)
    assert check.rows > 5
    assert [(change.table, change.key, change.columns) for change in check.changes] == [("tag", (1,), ("name",))]


def test_a_text_that_is_not_utf_8_comes_back_too(home: Path) -> None:
    edit(home, "UPDATE tag SET name = CAST(x'ff80' AS TEXT) WHERE id = 1")
    done = confere(home, "doctor", "--repair", "--verify")
    assert [entry["key"] for entry in done.json["facts"]["repaired"]] == ["tag 1 (name)"], done
    assert done.json["facts"]["foreign_rows"] == []
    assert confere(home, "tag", "rename", "red", "crimson").code == 0  # its rows are sealed again
    assert values(home, "SELECT id, name FROM tag") == [(1, "crimson"), (2, "green")]
    assert wrong(confere(home, "doctor", "--verify")) == []


def test_a_foreign_table_excuses_no_row_that_was_put_in_or_deleted(home: Path) -> None:
    shutil.rmtree(home / "backups")
    edit(
        home,
        "INSERT INTO tag VALUES (9, 'x', 'x', 1, '2026')",
        "DELETE FROM tag WHERE id = 2",
        "CREATE VIEW v AS SELECT 1",
    )
    done = confere(home, "doctor", "--repair")
    assert done.code == 1
    assert {entry["key"] for entry in done.json["facts"]["still_missing"]} == {"tag 9", "tag 2"}
    found = confere(home, "doctor", "--verify")
    assert found.code == 1
    assert [(row["table"], row["key"], row["what"]) for row in found.json["facts"]["foreign_rows"]] == [
        ("tag", [9], "inserted"), ("tag", [2], "deleted"),
    ]  # fmt: skip
    assert "rows lost" not in {action for action, *_ in trail(home)}


def test_a_seal_of_a_key_that_is_no_text_is_named_and_can_be_accepted(home: Path) -> None:
    (number,) = values(home, "SELECT table_number FROM seal WHERE typeof(row_key) = 'text' LIMIT 1")[0]
    edit(
        home,
        f"INSERT INTO seal VALUES ({number}, CAST(x'ff80' AS TEXT), x'00')",
        "INSERT INTO seal VALUES (1, CAST(x'fe' AS TEXT), x'00')",
    )
    found = confere(home, "doctor", "--verify")
    assert (found.code, sorted(row["what"] for row in found.json["facts"]["foreign_rows"])) == (
        1,
        ["deleted", "inserted"],
    )
    assert confere(home, "doctor", "--repair").code == 1
    confere(home, "doctor", "--accept-edits")
    assert confere(home, "doctor", "--verify").json["facts"]["foreign_rows"] == []


def test_what_confere_deleted_since_the_backup_does_not_come_back_with_a_rebuilding(home: Path) -> None:
    assert confere(home, "tag", "delete", "green").code == 0
    edit(home, "CREATE VIEW v AS SELECT 1", "DELETE FROM tag WHERE id = 1")
    done = confere(home, "doctor", "--repair", "--verify")
    assert done.json["facts"]["foreign_rows"] == []
    assert values(home, "SELECT id, name, colour FROM tag") == [(1, "red", 1)]


@pytest.mark.parametrize("seal", ["5", "'eleven text'", "CAST(x'fffe' AS TEXT)"])
def test_a_seal_that_is_none_is_an_edit_like_another(home: Path, seal: str) -> None:
    edit(home, f"UPDATE seal SET seal = {seal} WHERE row_key = 1 AND table_number IN (SELECT table_number FROM seal)")
    found = confere(home, "doctor", "--verify")
    assert found.code == 1
    assert {row["what"] for row in found.json["facts"]["foreign_rows"]} == {"edited"}
    assert confere(home, "tag", "rename", "red", "better").code == 0
    confere(home, "doctor", "--accept-edits")
    assert confere(home, "doctor", "--verify").json["facts"]["foreign_rows"] == []


@pytest.mark.parametrize(("table", "column"), [("audit", "hash"), ("content", "payload"), ("seal", "seal")])
def test_text_in_a_column_of_bytes_is_damage_and_no_fault(home: Path, table: str, column: str) -> None:
    edit(home, f"UPDATE {table} SET {column} = CAST(x'fffe' AS TEXT)")
    found = confere(home, "doctor", "--verify")
    assert found.code in (1, 3)
    assert "fault of Confere" not in str(found)
