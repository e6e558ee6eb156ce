"""An archive of format 0011 shows today what the program of its time showed, also after a migration that was killed."""

from __future__ import annotations

import difflib
import json
import shutil
import sqlite3
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import pytest
from sqlalchemy import event

from confere.archive.engine import writer_engine
from confere.archive.schema import migrate
from confere.archive.seals import seal_check
from confere.archive.store import Archive
from tests.cli.json_recorder import answer_of, neutral_environment
from tests.desktop.once import made_once
from tests.releases.make import shown_file, unpacked
from tests.releases.rendered import LANGUAGES, in_language, shown

REVISION: Final = "0011"
AFTER: Final = "9999"
SHOWN: Final = json.loads(shown_file(REVISION).read_text(encoding="utf-8"))

# After the newest migration of the program comes one that touches every table that there is then.
NEXT: Final = f'''
"""Copies each table; whatever nothing refers to is emptied."""
from alembic import op

revision = "{AFTER}"
down_revision = "{migrate.HEAD}"
branch_labels = None
depends_on = None


def upgrade() -> None:
    connection = op.get_bind()
    tables = connection.exec_driver_sql("SELECT name FROM sqlite_master WHERE type = 'table'").scalars().all()
    own = [name for name in tables if not name.startswith(("search", "sqlite_", "alembic_"))]
    referred = {{row[2] for name in own for row in connection.exec_driver_sql(f"PRAGMA foreign_key_list({{name}})")}}
    for name in own:
        op.execute(f"CREATE TABLE copy_of_{{name}} AS SELECT * FROM {{name}}")
        if name not in referred:
            op.execute(f"DELETE FROM {{name}}")
'''

# Tells each statement before it is run, and runs it when it hears of it.
STEP_BY_STEP: Final = textwrap.dedent(
    """
    import sys
    from pathlib import Path
    from sqlalchemy import event
    from confere.archive.engine import writer_engine
    from confere.archive.schema.migrate import upgrade
    path, scripts, head, stop_at = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], int(sys.argv[4])
    engine = writer_engine(path)
    seen = 0

    @event.listens_for(engine, "before_cursor_execute")
    def wait(*_):
        global seen
        seen += 1
        if seen == stop_at:
            print("in the middle", flush=True)
            sys.stdin.read()

    upgrade(engine, path, path.parent / "backups", head=head, scripts=scripts)
    """
)


@pytest.fixture(autouse=True)
def _neutral() -> Iterator[None]:
    with neutral_environment():
        yield


@pytest.fixture(scope="session")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The archive as this program's own format has it; tests only read it."""

    def make(home: Path) -> None:
        path = unpacked(REVISION, home)
        assert revision_of(path) == REVISION
        with neutral_environment():
            bring_up_to_date(path)

    return made_once(tmp_path_factory, f"release-{REVISION}", make)


def bring_up_to_date(path: Path) -> None:
    """As a person does it."""
    answer_of("doctor", "--migrate", "--json", "--home", str(path.parent))
    assert revision_of(path) == migrate.HEAD
    with Archive.to_read(path) as archive, archive.reading() as transaction:
        seals = seal_check.verify(transaction)
    assert seals.rows > 100
    assert seals.changes == ()


def revision_of(path: Path) -> str:
    with closing(sqlite3.connect(path)) as database:
        (revision,) = database.execute("SELECT version_num FROM alembic_version").fetchone()
    return str(revision)


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_is_shown_as_it_was(opened: Path, language: str) -> None:
    assert_shown(opened, language)


def assert_shown(home: Path, language: str, kept: Any = SHOWN) -> None:
    expected = in_language(kept, language)
    before, now = as_lines(expected), as_lines(_without_later_fields(shown(home, language), expected))
    different = list(difflib.unified_diff(before, now, "as it was", "now", n=6, lineterm=""))
    assert not different, "\n".join(different[:200])


def _without_later_fields(now: Any, before: Any, *, listed: bool = False) -> Any:
    """`now` without the fields of its records that the program of that time did not have: they are only ever added."""
    if isinstance(now, dict) and isinstance(before, dict):
        names = [name for name in now if name in before or not listed]
        return {name: _without_later_fields(now[name], before.get(name)) for name in names}
    if isinstance(now, list) and isinstance(before, list) and len(now) == len(before):
        return [_without_later_fields(one, other, listed=True) for one, other in zip(now, before, strict=True)]
    return now


def as_lines(tree: Any) -> list[str]:
    return json.dumps(tree, ensure_ascii=False, indent=1).splitlines()


def test_it_has_every_kind_of_sentence_in_three_languages() -> None:
    """Else the comparison would say nothing."""
    for name in ("not believed", "not understood", "unreadable", "failed downloads", "activities", "audit trail"):
        assert SHOWN[name], name
    assert any(entry["problem"] for entry in SHOWN["activities"])
    accounts = SHOWN["accounts"].values()
    for name in ("findings", "links", "ties", "near misses", "explained by a rule", "history", "orders"):
        assert any(entry[name] for entry in accounts), name
    findings = [entry for account in accounts for entry in account["findings"]]
    assert {entry["state"] for entry in findings} >= {"open", "not_checked", "explained", "ignored"}
    assert len({entry["rule"] for entry in findings}) > 15
    for entry in findings:
        assert tuple(entry["evidence"]) == LANGUAGES
        assert len({entry["evidence"][language] for language in LANGUAGES}) == len(LANGUAGES), entry["rule"]
    links = [entry for account in accounts for entry in account["links"]]
    assert any(entry["manual"] for entry in links)
    (tie,) = SHOWN["accounts"]["shop"]["ties"]
    assert tuple(tie["reason"]) == LANGUAGES


@pytest.fixture
def scripts(tmp_path: Path) -> Path:
    folder = tmp_path / "migrations"
    shutil.copytree(migrate.SCRIPTS, folder)
    (folder / "versions" / f"{AFTER}_next.py").write_text(NEXT, encoding="utf-8")
    return folder


def test_killed_anywhere_a_migration_leaves_it_as_it_was(tmp_path: Path, scripts: Path) -> None:
    """All migrations since 0011, whatever they are, and one more: stopped before its first statement that writes, its
    last, and three in between."""
    whole = unpacked(REVISION, tmp_path / "whole")
    writing = writing_statements(whole, scripts)
    assert revision_of(whole) == AFTER
    path = unpacked(REVISION, tmp_path / "home")
    before = rows_of(path)
    for share in range(5):
        kill_at(path, scripts, writing[share * (len(writing) - 1) // 4])
        assert rows_of(path) == before
        assert revision_of(path) == REVISION
        with closing(sqlite3.connect(path)) as database:
            assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    bring_up_to_date(path)
    assert_shown(path.parent, "pt_BR")


def writing_statements(path: Path, scripts: Path) -> list[int]:
    """Runs the migrations; which of their statements change the archive, by number from 1."""
    numbers: list[int] = []
    seen = 0
    engine = writer_engine(path)

    def count(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        nonlocal seen
        seen += 1
        if not statement.lstrip().upper().startswith(("SELECT", "PRAGMA", "BEGIN")):
            numbers.append(seen)

    event.listen(engine, "before_cursor_execute", count)
    migrate.upgrade(engine, path, path.parent / "backups", head=AFTER, scripts=scripts)
    engine.dispose()
    return numbers


def kill_at(path: Path, scripts: Path, statement: int) -> None:
    """Migrate in a process of its own and kill it before that statement."""
    process = subprocess.Popen(
        [sys.executable, "-c", STEP_BY_STEP, str(path), str(scripts), AFTER, str(statement)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with process:
        assert process.stdout is not None
        assert process.stdout.readline() == "in the middle\n"
        process.kill()


def rows_of(path: Path) -> dict[str, list[tuple[Any, ...]]]:
    """The definitions, and the rows of every table: an index of words has its own in tables beside it."""
    with closing(sqlite3.connect(path)) as database:
        definitions = database.execute("SELECT type, name, sql FROM sqlite_master").fetchall()
        tables = [name for type, name, sql in definitions if type == "table" and "VIRTUAL" not in sql]
        return {"": definitions} | {name: database.execute(f"SELECT * FROM {name}").fetchall() for name in tables}
