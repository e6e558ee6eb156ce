"""Migrations: the schema they make, the copy before, and a kill in the middle of one."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
import textwrap
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import create_engine

from confere.archive.documents.search import full_text
from confere.archive.engine import writer_engine
from confere.archive.schema import migrate, schema
from confere.archive.store import Archive
from confere.errors import ArchiveError
from tests.archive.papers import note, store

NEXT = '''
"""A next revision that takes its time, to be interrupted."""
from alembic import op

revision = "9999"
down_revision = "HEAD"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("CREATE TABLE half (x)")
    op.execute("UPDATE document SET state = 'half'")
    print("in the middle", flush=True)
    import sys
    sys.stdin.read()
    op.execute("CREATE TABLE whole (x)")
'''.replace("HEAD", migrate.HEAD)

UPGRADE = textwrap.dedent(
    """
    import sys
    from pathlib import Path
    from confere.archive.engine import writer_engine
    from confere.archive.schema.migrate import upgrade
    path, scripts = Path(sys.argv[1]), Path(sys.argv[2])
    engine = writer_engine(path)
    copied = upgrade(engine, path, path.parent / "backups", head="9999", scripts=scripts)
    print(copied, flush=True)
    """
)


def definitions(path: Path) -> dict[str, str]:
    """Tables and indexes with their columns, as SQLite holds them, apart from blanks and the order of clauses."""
    with closing(sqlite3.connect(path)) as database:
        found = {}
        for kind, name in database.execute("SELECT type, name FROM sqlite_master WHERE name NOT LIKE 'sqlite_%'"):
            if name.startswith(full_text.TABLES) or name == "alembic_version":
                continue
            columns = database.execute(
                f"PRAGMA {'table_xinfo' if kind == 'table' else 'index_xinfo'}({name})"
            ).fetchall()
            sql = database.execute("SELECT sql FROM sqlite_master WHERE name = ?", (name,)).fetchone()[0]
            found[name] = f"{kind} {columns} rowid={'WITHOUT ROWID' not in sql} where={sql.partition(' WHERE ')[2]}"
        return found


def test_the_migrations_make_the_schema(path: Path, tmp_path: Path) -> None:
    Archive.to_write(path, "test").close()
    wanted = tmp_path / "wanted.sqlite3"
    engine = create_engine(f"sqlite:///{wanted}")
    schema.metadata.create_all(engine)
    engine.dispose()
    assert definitions(path) == definitions(wanted)


def test_the_newest_revision_is_the_one_the_program_expects() -> None:
    names = sorted(file.name for file in (migrate.SCRIPTS / "versions").glob("0*.py"))
    assert names[-1].startswith(migrate.HEAD)


@pytest.fixture
def scripts(tmp_path: Path) -> Path:
    folder = tmp_path / "migrations"
    shutil.copytree(migrate.SCRIPTS, folder)
    (folder / "versions" / "9999_next.py").write_text(NEXT, encoding="utf-8")
    return folder


def start(path: Path, scripts: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", UPGRADE, str(path), str(scripts)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def test_killed_in_its_middle_a_migration_never_happened(path: Path, scripts: Path) -> None:
    with Archive.to_write(path, "test") as archive:
        store(archive, note(1), note(2))
    before = definitions(path)
    for _ in range(3):
        process = start(path, scripts)
        assert process.stdout and process.stdin
        assert process.stdout.readline() == "in the middle\n"
        process.kill()
        process.wait()
        process.stdout.close()
        process.stdin.close()
        with Archive.to_read(path) as archive, archive.reading() as transaction:
            assert transaction.fetch("SELECT DISTINCT state FROM document") == [("authorized",)]
            assert transaction.scalar("SELECT version_num FROM alembic_version") == migrate.HEAD
        assert definitions(path) == before
    copies = list((path.parent / "backups").glob(f"archive-{migrate.HEAD}-*.sqlite3"))
    assert copies
    for copy in copies:
        with Archive.to_read(copy) as archive, archive.reading() as transaction:
            assert transaction.scalar("SELECT count(*) FROM document") == 2

    process = start(path, scripts)
    said, _ = process.communicate("go on", timeout=60)
    assert process.returncode == 0
    assert f"archive-{migrate.HEAD}-" in said
    with closing(sqlite3.connect(path)) as database:
        assert database.execute("SELECT version_num FROM alembic_version").fetchone() == ("9999",)
        assert database.execute("SELECT DISTINCT state FROM document").fetchall() == [("half",)]


def test_an_archive_that_is_up_to_date_is_not_copied(path: Path) -> None:
    Archive.to_write(path, "test").close()
    engine = writer_engine(path)
    assert migrate.upgrade(engine, path, path.parent / "backups") is None
    engine.dispose()
    assert not (path.parent / "backups").exists()


def test_without_room_for_the_copy_nothing_is_migrated(path: Path, scripts: Path) -> None:
    Archive.to_write(path, "test").close()
    (path.parent / "backups").write_text("a file where the folder should be", encoding="utf-8")
    engine = writer_engine(path)
    with pytest.raises(ArchiveError):
        migrate.upgrade(engine, path, path.parent / "backups", head="9999", scripts=scripts)
    engine.dispose()
    with closing(sqlite3.connect(path)) as database:
        assert database.execute("SELECT version_num FROM alembic_version").fetchone() == (migrate.HEAD,)
