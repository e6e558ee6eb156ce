"""An archive or a backup with anything in its schema that Confere did not make is refused, and its rows can be had."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from confere.app.backups import restore
from confere.app.context import Workspace
from confere.app.maintenance import rebuild
from confere.archive.driver import hardened
from confere.archive.engine import PAGE_SIZE, writer_engine
from confere.archive.maintenance import readable_rows, salvage
from confere.archive.maintenance.backups import backup, backup_check
from confere.archive.maintenance.salvage import Condition
from confere.archive.migrations import schema_check
from confere.archive.store import Archive
from confere.errors import ArchiveCorrupt, ArchiveForeign, BackupRefused, Message
from confere.system.secrets.token_store import Secret
from tests.archive.papers import note, store
from tests.releases.make import unpacked

TRIGGER = (
    "CREATE TRIGGER dearer AFTER INSERT ON sales_order BEGIN"
    " UPDATE sales_order SET total = total * 10 WHERE id = new.id; END"
)
FOREIGN = {
    TRIGGER: "the trigger dearer on sales_order is not",
    "CREATE VIEW totals AS SELECT total FROM sales_order": "the view totals is not",
    "CREATE TABLE notes (text)": "the table notes is not",
    "CREATE VIRTUAL TABLE words USING fts5(text)": "the table words is not",
    "CREATE INDEX search_by_note ON document (nature) WHERE abs(total) > 1": "the index search_by_note on document",
    "ALTER TABLE sales_order ADD COLUMN shown AS (total * 10)": "the column shown of the table sales_order is computed",
    "ALTER TABLE account ADD COLUMN more TEXT": "the columns of the table account are not",
    "DROP INDEX ix_document_access_key": "the index ix_document_access_key on document is not there",
    "DROP TABLE relation": "the table relation is not there",
}


@pytest.fixture
def filled(tmp_path: Path) -> Iterator[Path]:
    path = tmp_path / "home" / "archive.sqlite3"
    with Archive.to_write(path, "test") as archive:
        store(archive, *(note(number) for number in range(1, 4)))
    yield path


def change(path: Path, sql: str) -> None:
    with closing(sqlite3.connect(path)) as database, database:
        if sql.startswith("DROP INDEX"):
            name = database.execute(
                "SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = 'document' AND sql IS NOT NULL"
                " ORDER BY name LIMIT 1"
            ).fetchone()[0]
            sql = f"DROP INDEX {name}"
        database.execute(sql)


def test_the_digest_is_of_what_the_migrations_make() -> None:
    assert schema_check.digest(schema_check._expected()) == schema_check.HEAD_DIGEST, (
        "put the left one into HEAD_DIGEST"
    )


@pytest.mark.parametrize(("sql", "words"), FOREIGN.items(), ids=[" ".join(sql.split()[:3]) for sql in FOREIGN])
def test_what_confere_did_not_make_is_refused_by_name(filled: Path, sql: str, words: str) -> None:
    copied = backup.copy(filled, filled.parent / "copy.sqlite3")
    backup_check.check(copied)
    change(filled, sql)
    change(copied, sql)
    words = re.sub("ix_document_access_key", "ix_\\\\w+", words)
    with pytest.raises(ArchiveForeign, match=words):
        Archive.to_read(filled)
    with pytest.raises(ArchiveForeign, match=words):
        Archive.to_write(filled, "test")
    with pytest.raises(BackupRefused, match=words):
        backup_check.check(copied)
    assert salvage.condition(filled) is Condition.FOREIGN


def test_a_backup_with_a_trigger_is_not_restored(filled: Path, tmp_path: Path) -> None:
    copied = backup.copy(filled, tmp_path / "copy.sqlite3")
    change(copied, TRIGGER)
    before = filled.read_bytes()
    for use in (restore.look, restore.restore):
        with pytest.raises(BackupRefused, match="the trigger dearer on sales_order"):
            use(Workspace.at(filled.parent), copied, lambda _: Secret(""))
    assert filled.read_bytes() == before


@pytest.mark.parametrize("sql", [TRIGGER, "CREATE TABLE notes (text)"])
def test_a_repair_takes_the_rows_over_and_leaves_the_rest(filled: Path, sql: str) -> None:
    change(filled, sql)
    notes: list[Message] = []
    rebuild.make_readable(Workspace.at(filled.parent), notes)
    assert "is not Confere's" in str(notes[0]) and "archive-damaged-" in str(notes[0])
    assert not any("left out" in str(note) for note in notes)
    with Archive.to_read(filled) as archive, archive.reading() as transaction:
        assert transaction.scalar("SELECT count(*) FROM document") == 3
        assert transaction.scalar("SELECT count(*) FROM sqlite_master WHERE name IN ('dearer', 'notes')") == 0


def test_a_view_in_the_place_of_a_table_gives_no_rows_and_it_is_said_how_many_are_left_out(filled: Path) -> None:
    with closing(sqlite3.connect(filled)) as database, database:
        database.execute("PRAGMA legacy_alter_table = ON")
        database.execute("ALTER TABLE document RENAME TO kept")
        database.execute("CREATE VIEW document AS SELECT * FROM kept WHERE id <> 1")
        database.execute("UPDATE content SET size = 'x' WHERE id = 1")
    notes: list[Message] = []
    rebuild.make_readable(Workspace.at(filled.parent), notes)
    assert "left out" in str(notes[1]) and "content 1, document 2" in str(notes[1])


@pytest.mark.parametrize("revision", ["0024x", "24", "", "١٢٣٤", "-001"])
def test_a_format_that_is_no_number_is_damage(filled: Path, revision: str) -> None:
    with closing(sqlite3.connect(filled)) as database, database:
        database.execute("UPDATE alembic_version SET version_num = ?", (revision,))
    with pytest.raises(ArchiveCorrupt, match="no format"):
        Archive.to_read(filled)
    with pytest.raises(ArchiveCorrupt, match="no format"):
        Archive.to_write(filled, "test")
    rebuild.make_readable(Workspace.at(filled.parent), [])
    Archive.to_read(filled).close()


def test_an_older_archive_with_a_trigger_is_not_brought_up_to_date(tmp_path: Path) -> None:
    path = unpacked("0017", tmp_path / "home")
    change(path, TRIGGER)
    with pytest.raises(ArchiveForeign, match="the trigger dearer"):
        Archive.to_write(path, "test")
    with pytest.raises(BackupRefused, match="the trigger dearer"):
        backup_check.check(path)


def test_an_older_archive_with_another_table_stays_as_it_is(tmp_path: Path) -> None:
    path = unpacked("0017", tmp_path / "home")
    change(path, "CREATE TABLE notes (text)")
    with pytest.raises(ArchiveForeign, match="the table notes"):
        Archive.to_write(path, "test")
    with closing(sqlite3.connect(path)) as database:
        assert database.execute("SELECT version_num FROM alembic_version").fetchone() == ("0017",)


def test_what_analyze_makes_is_sqlite_s_own(filled: Path) -> None:
    change(filled, "ANALYZE")
    Archive.to_write(filled, "test").close()
    Archive.to_read(filled).close()


def test_every_connection_trusts_no_schema_and_a_temporary_trigger_may_call_a_function(filled: Path) -> None:
    with Archive.to_read(filled) as archive, archive.reading() as transaction:
        assert [transaction.scalar(f"PRAGMA {name}") for name in ("trusted_schema", "cell_size_check")] == [0, 1]
    engine = writer_engine(filled)
    called: list[int] = []
    with engine.begin() as connection:
        driver: sqlite3.Connection = connection.connection.driver_connection  # type: ignore[assignment]
        assert driver.execute("PRAGMA trusted_schema").fetchone() == (0,)
        driver.create_function("seal", 1, called.append)
        driver.execute("CREATE TEMP TRIGGER sealed AFTER UPDATE ON main.document BEGIN SELECT seal(new.id); END")
        driver.execute("UPDATE document SET nature = 'x' WHERE id = 2")
    engine.dispose()
    assert called == [2]


def test_a_trigger_of_a_file_may_call_no_function_of_the_program() -> None:
    with closing(hardened(sqlite3.connect(":memory:"))) as database:
        database.create_function("send", 1, lambda value: value)
        database.execute("CREATE TABLE t (x)")
        database.execute("CREATE TRIGGER f AFTER INSERT ON t BEGIN SELECT send(new.x); END")
        with pytest.raises(sqlite3.OperationalError, match="unsafe use"):
            database.execute("INSERT INTO t VALUES (1)")


@pytest.mark.parametrize("odd", [-5, 2**63 - 1])
def test_a_repair_ends_beside_a_damaged_page_and_a_number_that_nobody_gave(
    filled: Path, odd: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(readable_rows, "_MOST_FAILURES", 2000)
    with Archive.to_write(filled, "test") as archive:
        store(archive, *(note(number) for number in range(10, 160)))
    with closing(sqlite3.connect(filled)) as database, database:
        database.execute("PRAGMA foreign_keys = OFF")
        database.execute("UPDATE party SET taxpayer_id = 1")
        database.execute("UPDATE document SET id = ? WHERE id = 30", (odd,))
        pages = [
            page
            for (page,) in database.execute(
                "SELECT pageno FROM dbstat WHERE name = 'document' AND pagetype = 'leaf' ORDER BY path"
            )
        ]
    assert len(pages) > 3
    with filled.open("r+b") as file:
        for page in (pages[0], pages[-1]):
            file.seek((page - 1) * PAGE_SIZE)
            file.write(bytes(PAGE_SIZE))
    assert 10 < salvage.rebuild(filled).rows["document"] < 153
