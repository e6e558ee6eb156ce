"""Bringing an archive to this program's schema: copy first, then every step and its record in one transaction."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from confere.archive.clock import utc_now
from confere.archive.migrations import schema_check
from confere.archive.migrations.revisions import HEAD as HEAD
from confere.archive.migrations.revisions import SCRIPTS as SCRIPTS
from confere.archive.migrations.revisions import first_value, is_revision, revision_of, run_scripts
from confere.errors import ArchiveCorrupt, ArchiveForeign, ArchiveNewer, message

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

_SEALED_SINCE: Final = "0026"


def refuse_newer(connection: Connection | sqlite3.Connection, path: Path, head: str = HEAD) -> str | None:
    """The revision, or `ArchiveNewer` where this program does not know it; revisions are numbered."""
    revision = revision_of(connection)
    if revision is None:
        if first_value(connection, "SELECT count(*) FROM sqlite_master"):
            raise ArchiveCorrupt(
                message("{path} is a database, but not an archive of Confere.", path=str(path)),
                message("Choose another folder with --home."),
            )
    elif not is_revision(revision):
        raise ArchiveCorrupt(
            message(
                "The archive {path} is damaged: {why}.",
                path=str(path),
                why=message("{found} is no format of Confere's", found=revision),
            ),
            message(
                "Do not delete it. Run `confere doctor --repair`, or restore the newest copy of the backups folder."
            ),
        )
    elif revision > head:
        raise ArchiveNewer(
            message(
                "The archive {path} has format {found}; this program knows formats up to {known}.",
                path=str(path),
                found=revision,
                known=head,
            ),
            message("Install the newest Confere and open it again; nothing was changed."),
        )
    return revision


def refuse_foreign(connection: Connection | sqlite3.Connection, path: Path, revision: str) -> None:
    """Raise `ArchiveForeign` where the archive's schema is not what the migrations make up to `revision`."""
    why = schema_check.foreign_part(connection, is_head=revision == HEAD)
    if why is not None:
        raise ArchiveForeign(
            message("The archive {path} is not as Confere makes it: {why}.", path=str(path), why=why),
            message(
                "Somebody changed the file. `confere doctor --repair` takes its rows over into a new one without that;"
                " else restore a backup."
            ),
        )


def upgrade(engine: Engine, path: Path, backups: Path, *, head: str = HEAD, scripts: Path = SCRIPTS) -> Path | None:
    """Upgrade to `head`; the path of the copy made before, or None where none was needed.

    `scripts` may name another folder of revisions: the tests interrupt one of their own.
    """
    with engine.connect() as connection:
        revision = refuse_newer(connection, path, head)
        if revision is not None:
            refuse_foreign(connection, path, revision)
        connection.rollback()
    if revision == head:
        return None
    import uuid

    from confere.archive.maintenance.backups.backup import copy_before_migration

    copied = None if revision is None else copy_before_migration(path, backups, revision)
    with engine.begin() as connection:
        run_scripts(connection, head, scripts)
        refuse_foreign(connection, path, head)
        if revision is None:
            connection.exec_driver_sql("INSERT INTO info (name, value) VALUES ('id', ?)", (uuid.uuid4().hex,))
            connection.exec_driver_sql("INSERT INTO info (name, value) VALUES ('created_at', ?)", (utc_now(),))
        if (revision is None or revision < _SEALED_SINCE) and head >= _SEALED_SINCE:
            from confere.archive.seals.row_seals import seal_unsealed

            driver: Any = connection.connection.driver_connection
            seal_unsealed(driver)
    return copied
