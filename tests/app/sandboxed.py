"""An archive of a sandbox's signed papers, synced once over HTTP, and what is looked at in it."""

from __future__ import annotations

import shutil
import sqlite3
import unicodedata
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from confere.app.accounts import accounts
from confere.app.accounts.accounts import NewAccount
from confere.app.accounts.sync import sync_accounts
from confere.app.context import EMBEDDED, Workspace
from confere.archive.seals import seal_check
from sandbox_hub.options import SandboxOptions
from sandbox_hub.server import running
from tests.desktop.once import made_once

DOCUMENTS = 150
SEED = 23
# What differs between two archives of the same papers: who did what when, and how the index of words is cut up.
_LEFT_OUT = ("run", "audit", "alembic_version", "search", "info", "dictionary", "seal")


def synced(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with everything that a small world's hub has; tests work on copies of it."""
    return made_once(tmp_path_factory, "sandboxed", _sync)


def _sync(home: Path) -> None:
    with running(SandboxOptions(documents=DOCUMENTS, seed=SEED)) as hub:
        workspace = Workspace.at(home)
        accounts.add(workspace, NewAccount("world", hub.address, "test", EMBEDDED), hub.token)
        assert sync_accounts(workspace).downloaded > DOCUMENTS


def copied(home: Path, to: Path) -> Workspace:
    """A data folder of one's own with the same archive."""
    to.mkdir(parents=True)
    shutil.copy(home / "archive.sqlite3", to / "archive.sqlite3")
    return Workspace.at(to)


def files_of(workspace: Workspace, folder: Path) -> list[Path]:
    """Every XML of the archive as a file."""
    folder.mkdir()
    with workspace.reading() as archive, archive.reading() as transaction:
        ids = [row[0] for row in transaction.fetch("SELECT id FROM content WHERE family = 0 ORDER BY id")]
        written = [folder / f"{number:06d}.xml" for number in ids]
        for number, path in zip(ids, written, strict=True):
            path.write_bytes(archive.vault.get(transaction, number))
    return written


def dump(home: Path, *only: str) -> dict[str, list[tuple[Any, ...]]]:
    """All rows of all tables (or of `only` these), and which words find which documents. Every row fits its seal."""
    with closing(sqlite3.connect(home / "archive.sqlite3")) as database:
        tables = [row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        found = {
            name: sorted(database.execute(f"SELECT * FROM {name}").fetchall(), key=repr)
            for name in tables
            if (name in only if only else name not in _LEFT_OUT and not name.startswith("search_"))
        }
        if not only:
            database.execute("CREATE VIRTUAL TABLE temp.words USING fts5vocab('main', 'search', 'instance')")
            found["words"] = sorted(set(database.execute("SELECT term, doc FROM temp.words").fetchall()))
            assert all(unicodedata.is_normalized("NFC", word) for word, _ in found["words"])
            with Workspace.at(home).reading() as archive, archive.reading() as transaction:
                assert seal_check.verify(transaction).changes == ()
        return found
