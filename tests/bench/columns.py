"""One value of every column edited by the `sqlite3` driver, a row of every table deleted, one inserted: who finds it?

Each edit is one of its own, in a copy of an archive that has rows in every table, and `doctor --verify` looks at it: in
this process, and for some of the edits as a command of its own. What was wrong before the edit is not counted. Ends
with 1 where an edit is neither found nor excused.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

from confere.app.context import Workspace
from confere.app.maintenance import doctor
from confere.archive.schema.schema import metadata
from confere.system import messages
from confere.system.secrets import system_keyring
from tests.bench import rich_archive
from tests.end_to_end.confere import apart

EXCUSED: Final[dict[tuple[str, str], str]] = {
    **dict.fromkeys(
        (("vault_damage", "found_at"), ("vault_damage", "reason")),
        "the check itself writes it anew; the audit trail names the edit",
    ),
    ("event", "id"): "a number of its row alone: nothing else of the archive names an event by it",
    ("search_idx", "pgno"): "where SQLite finds its index of words; made anew by `reindex`",
}
"""By table and column (`*`: any) why it cannot matter that an edit is not found."""
_APART: Final = 25  # every so many edits the command itself looks too
_OTHERS: Final = ("alembic_version", "search_data", "search_idx", "search_config")
_JSON: Final = ("{", "[")


class Edit(NamedTuple):
    """What was done to one row. `key` names it; `before` and `after` are values of the column."""

    table: str
    column: str  # "(deleted)", "(inserted)"
    key: tuple[Any, ...]
    before: object
    after: object


@dataclass(frozen=True, slots=True)
class Result:
    """`checks`: topics under which the check-up names something that it did not name before the edit."""

    edit: Edit
    checks: tuple[str, ...]
    is_named: bool  # a fact has the table and the key
    why: str = ""

    @property
    def is_explained(self) -> bool:
        return bool(self.checks or self.why)


def run(only: str = "", documents: int = 240) -> None:
    """Print the table; `only` tables whose name has this in it."""
    system_keyring._backend = lambda: None
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder, "home")
        home.mkdir()
        rich_archive.make(home, documents)
        archive = home / "archive.sqlite3"
        with closing(sqlite3.connect(archive)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        print(
            f"{archive.stat().st_size >> 10} KiB; tables without a row: {rich_archive.empty_tables(archive) or 'none'}"
        )
        results = []
        for result in _each(home, Path(folder, "copy"), only):
            _print(result)
            results.append(result)
    _print_sums(results)
    if not all(result.is_explained for result in results):
        sys.exit(1)


def _each(home: Path, copy: Path, only: str) -> Iterator[Result]:
    _copy(home, copy)
    known = _examined(copy)
    with closing(sqlite3.connect(home / "archive.sqlite3")) as source:
        tables = [table.name for table in metadata.sorted_tables] + list(_OTHERS)
        number = 0
        for table in tables:
            if only not in table:
                continue
            for column in (*_columns(source, table), "(deleted)", "(inserted)"):
                _copy(home, copy)
                edit = _edit(copy / "archive.sqlite3", table, column)
                if edit is None:
                    continue
                number += 1
                yield _judged(edit, known, _examined(copy), _of_the_command(copy) if number % _APART == 0 else None)


def _copy(home: Path, copy: Path) -> None:
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(home, copy, ignore=shutil.ignore_patterns("papers", "exports", "logs", "*-sums", "*.xlsx", "*.csv"))


class Seen(NamedTuple):
    """Sentences that call for something, by topic, and every fact, as text."""

    sentences: frozenset[tuple[str, str]]
    facts: frozenset[str]


def _examined(home: Path) -> Seen:
    try:
        examination = doctor.examine(Workspace.at(home), verify=True, counts_copies=False)
    except Exception as error:  # what the program does not expect ends the command with 1 too
        return Seen(frozenset({("fault of the program", f"{type(error).__name__}: {error}")}), frozenset())
    sentences = {(result.topic, messages.render(result.what)) for result in examination.findings if not result.well}
    return Seen(frozenset(sentences), frozenset(_leaves(examination.facts)))


def _of_the_command(home: Path) -> int:
    return apart(home, "doctor", "--verify").code


def _leaves(facts: Any) -> Iterator[str]:
    """Each thing that a list of the facts names, as JSON."""
    if isinstance(facts, dict):
        for value in facts.values():
            yield from _leaves(value)
    elif isinstance(facts, list | tuple):
        for value in facts:
            yield json.dumps(value, ensure_ascii=False, default=str)


def _judged(edit: Edit, known: Seen, seen: Seen, code: int | None) -> Result:
    new = sorted({topic for topic, _ in seen.sentences - known.sentences})
    if code == 0 and new:
        raise SystemExit(f"found in this process, not by the command: {edit}")
    facts = [fact for fact in seen.facts - known.facts if edit.table in fact]
    parts = [json.dumps(_shown(part), ensure_ascii=False) for part in edit.key]
    is_named = any(all(part in fact for part in parts) for fact in facts)
    why = EXCUSED.get((edit.table, edit.column)) or EXCUSED.get((edit.table, "*")) or ""
    return Result(edit, tuple(new), is_named, "" if new else why)


def _shown(value: object) -> object:
    return value.hex() if isinstance(value, bytes) else value


def _columns(connection: sqlite3.Connection, table: str) -> list[str]:
    return [row[1] for row in connection.execute(f'PRAGMA table_info("{table}")')]


def _keys(connection: sqlite3.Connection, table: str) -> list[str]:
    keys = [(row[5], row[1]) for row in connection.execute(f'PRAGMA table_info("{table}")') if row[5]]
    return [name for _, name in sorted(keys)] or ["rowid"]


def _edit(archive: Path, table: str, column: str) -> Edit | None:
    """Do it with a plain connection, as another program would; None where the table has no row."""
    with closing(sqlite3.connect(archive, isolation_level=None)) as connection:
        connection.execute("PRAGMA foreign_keys = OFF")
        columns, keys = _columns(connection, table), _keys(connection, table)
        row = _chosen(connection, table, column, keys)
        if row is None:
            return None
        key = tuple(row[: len(keys)])
        values = dict(zip(columns, row[len(keys) :], strict=True))
        where = " AND ".join(f'"{name}" IS ?' for name in keys)
        if column == "(deleted)":
            connection.execute(f'DELETE FROM "{table}" WHERE {where}', key)
            return Edit(table, column, key, None, None)
        if column == "(inserted)":
            return _inserted(connection, table, columns, keys, values)
        for value in _others(connection, table, column, values[column]):
            try:
                connection.execute(f'UPDATE "{table}" SET "{column}" = ? WHERE {where}', (value, *key))
            except sqlite3.IntegrityError:
                continue
            return Edit(table, column, key, values[column], value)
    raise SystemExit(f"nothing fits {table}.{column} in place of {values[column]!r}")


def _chosen(connection: sqlite3.Connection, table: str, column: str, keys: list[str]) -> tuple[Any, ...] | None:
    """A row from the middle of the table, one that has something in this column where there is one."""
    names = ", ".join(f'"{name}"' for name in keys)
    has = "1" if column.startswith("(") else f'"{column}" IS NOT NULL'
    count = connection.execute(f'SELECT count(*) FROM "{table}" WHERE {has}').fetchone()[0]
    has, count = (has, count) if count else ("1", connection.execute(f'SELECT count(*) FROM "{table}"').fetchone()[0])
    row: tuple[Any, ...] | None = connection.execute(
        f'SELECT {names}, * FROM "{table}" WHERE {has} ORDER BY {names} LIMIT 1 OFFSET ?', (count // 2,)
    ).fetchone()
    return row


def _others(connection: sqlite3.Connection, table: str, column: str, value: Any) -> Iterator[Any]:
    """Values of the same type in place of this one, the most plausible first."""
    sql = f'SELECT DISTINCT "{column}" FROM "{table}" WHERE "{column}" IS NOT NULL AND "{column}" IS NOT ? LIMIT 20'
    known = [other for (other,) in connection.execute(sql, (value,)) if value is None or type(other) is type(value)]
    if isinstance(value, bytes):
        yield value[:-1] + bytes([value[-1] ^ 1]) if value else b"\x01"
    yield from known
    if isinstance(value, int):
        yield from (1 - value,) if value in (0, 1) else ()
        yield from (value + 1, value + 1_000_003)
    elif isinstance(value, str):
        yield '{"x": 1}' if value.startswith("{") else "[1]" if value.startswith("[") else value + "1"
    elif value is None:
        types = {row[1]: row[2].upper() for row in connection.execute(f'PRAGMA table_info("{table}")')}
        yield 1 if "INT" in types[column] else b"\x01" if "BLOB" in types[column] else "2026-09-01T00:00:00+00:00"


def _inserted(
    connection: sqlite3.Connection, table: str, columns: list[str], keys: list[str], values: dict[str, Any]
) -> Edit:
    """A second row like this one: with another key, and another value where one has to be its own."""
    marks = ", ".join(f'"{name}"' for name in columns)
    sql = f'INSERT INTO "{table}" ({marks}) VALUES ({", ".join("?" * len(columns))})'
    for changed in (
        [[key] for key in reversed(keys)]
        + [[keys[-1], name] for name in columns if name not in keys]
        + [[keys[-1], *columns]]
    ):
        row = dict(values)
        for name in changed:
            row[name] = _new(values.get(name))
        try:
            connection.execute(sql, tuple(row[name] for name in columns))
        except sqlite3.IntegrityError:
            continue
        return Edit(table, "(inserted)", tuple(row.get(key) for key in keys), None, None)
    raise SystemExit(f"no second row fits {table}")


def _new(value: Any) -> Any:
    if isinstance(value, int):
        return value + 1_000_003
    if isinstance(value, bytes):
        return value + b"\x01"
    return value if value is None else f"{value}1"


def _print(result: Result) -> None:
    edit = result.edit
    found = ", ".join(result.checks) + ("" if result.is_named else " (not by table and key)")
    outcome = found if result.checks else f"cannot matter: {result.why}" if result.why else "NOT FOUND"
    change = f"{_short(edit.before)} -> {_short(edit.after)}" if not edit.column.startswith("(") else ""
    print(f"{edit.table:22} {edit.column:22} {_short(edit.key):40} {change:60} {outcome}", flush=True)


def _print_sums(results: list[Result]) -> None:
    columns = [result for result in results if not result.edit.column.startswith("(")]
    for what, part in (("columns", columns), ("rows", [result for result in results if result not in columns])):
        tally = Counter(
            "named" if result.checks and result.is_named else "found" if result.checks else "excused" if result.why
            else "unexplained"
            for result in part
        )  # fmt: skip
        print(f"{what}: {len(part)} edited; " + ", ".join(f"{tally[name]} {name}" for name in _TALLY))


_TALLY: Final = ("named", "found", "excused", "unexplained")


def _short(value: object) -> str:
    text = value.hex() if isinstance(value, bytes) else repr(value)
    return text if len(text) <= 28 else text[:25] + "..."
