"""The formats of the archive: their numbers, and the scripts that lead from one to the next."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sqlalchemy import Connection

HEAD = "0026"  # the newest revision; a test holds it against the files
SCRIPTS = Path(__file__).parent


def revision_of(connection: Connection | sqlite3.Connection) -> str | None:
    """The archive's revision; None for a file with nothing in it."""
    if not first_value(connection, "SELECT count(*) FROM sqlite_master WHERE name = 'alembic_version'"):
        return None
    revision = first_value(connection, "SELECT version_num FROM alembic_version")
    return str(revision) if revision is not None else None


def first_value(connection: Connection | sqlite3.Connection, sql: str) -> Any:
    """The first column of the first row; None where there is no row."""
    run: Any = connection.execute if isinstance(connection, sqlite3.Connection) else connection.exec_driver_sql
    row = run(sql).fetchone()
    return None if row is None else row[0]


def is_revision(revision: str) -> bool:
    """Whether a text is the number of a format, known or newer."""
    return len(revision) == 4 and revision.isascii() and revision.isdecimal() and revision > "0000"


def run_scripts(connection: Connection, head: str = HEAD, scripts: Path = SCRIPTS) -> None:
    """Take every step from the format of the database to `head`."""
    # Alembic takes a quarter of a second to import: only those who migrate pay.
    from alembic.config import Config
    from alembic.runtime.environment import EnvironmentContext
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(scripts).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    directory = ScriptDirectory.from_config(config)

    with EnvironmentContext(
        config,
        directory,
        fn=lambda revision, _context: directory._upgrade_revs(head, revision),
        destination_rev=head,
    ) as environment:
        environment.configure(connection=connection, transactional_ddl=True, transaction_per_migration=False)
        environment.run_migrations()
