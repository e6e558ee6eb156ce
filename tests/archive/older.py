"""An archive as an older release would have made it: its own schema, with what the newer archive holds of it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from confere.archive.engine import writer_engine
from confere.archive.schema import migrate

# What the second format kept on the document beside its taxpayers.
_REPEATED = {
    f"{role}_{name}": f"(SELECT {name} FROM newer.taxpayer WHERE id = document.{role}_id)"
    for role in ("emitter", "recipient")
    for name in ("tax_id", "name")
}


def made_older(path: Path, revision: str) -> None:
    """Put an archive of `revision` in the place of the one at `path`."""
    newer = path.with_name("newer.sqlite3")
    path.rename(newer)
    engine = writer_engine(path)
    migrate.upgrade(engine, path, path.parent / "none", head=revision)
    engine.dispose()
    with closing(sqlite3.connect(path)) as database:
        database.execute("ATTACH ? AS newer", (str(newer),))
        tables = database.execute("SELECT name, sql FROM main.sqlite_master WHERE type = 'table'").fetchall()
        for name, sql in tables:
            if name == "alembic_version" or sql.startswith("CREATE VIRTUAL"):
                continue
            there = {row[1] for row in database.execute(f"PRAGMA newer.table_info({name})")}
            columns = [row[1] for row in database.execute(f"PRAGMA main.table_info({name})")]
            values = {column: f'"{column}"' if column in there else _REPEATED.get(column, "NULL") for column in columns}
            database.execute(f"DELETE FROM main.{name}")
            database.execute(_insert(name, values))
        database.commit()
    newer.unlink()


def _insert(name: str, values: dict[str, str]) -> str:
    columns = ", ".join(f'"{column}"' for column in values)
    return f"INSERT INTO main.{name} ({columns}) SELECT {', '.join(values.values())} FROM newer.{name}"
