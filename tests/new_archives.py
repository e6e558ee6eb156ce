"""New archives as copies of one that every migration made: most of what a new archive costs is Alembic's."""

from __future__ import annotations

import shutil
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from sqlalchemy import Engine


@contextmanager
def new_archives_are_copies(folder: Path) -> Iterator[None]:
    """The first is made in `folder`; each copy has an id of its own. The migrations are tested where they are."""
    from confere.archive import store
    from confere.archive.engine import writer_engine
    from confere.archive.seals.row_seals import RowSeals

    really = store.upgrade
    made = folder / "archive.sqlite3"

    def upgrade(engine: Engine, path: Path, backups: Path) -> Path | None:
        if not made.exists():
            first = writer_engine(made)
            really(first, made, made.parent / "backups")
            first.dispose()
        if not path.exists():
            with suppress(OSError):  # where nothing can be written the program itself is to find out
                shutil.copyfile(made, path)
                RowSeals.of_engine(engine)
                with engine.begin() as connection:
                    connection.exec_driver_sql("UPDATE info SET value = ? WHERE name = 'id'", (uuid.uuid4().hex,))
        return really(engine, path, backups)

    store.upgrade = upgrade  # type: ignore[assignment]
    try:
        yield
    finally:
        store.upgrade = really
