"""The use case "which packages were written": when, of whom, where, and whether they stand there still."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from confere.app.archive_session import OpenArchive
from confere.archive.accounts import audit
from confere.errors import ArchiveMissing
from confere.system.folders.network_share import is_unc

_MOST = 100
_STEP = 1024 * 1024


@dataclass(frozen=True, slots=True)
class PastPackage:
    """One package as the audit trail has it. `at` is UTC text.

    `sha256` is of what stands at `path` now; None where nothing stands there or it is a folder. On a network share
    outside of the data folder nobody looks: what is there counts as gone.
    """

    at: str
    company: str
    month: str
    path: Path
    exists: bool
    folder_exists: bool
    sha256: str | None


def written(opened: OpenArchive, company: str | None, month: str | None) -> tuple[PastPackage, ...]:
    """The newest first, at most a hundred; of every company or month where none is named."""
    try:
        with opened.reading() as transaction:
            lines = audit.of_action(transaction, "export", company or "", month or "", _MOST)
    except ArchiveMissing:
        return ()
    root = opened.workspace.home.root
    return tuple(_package(line, root) for line in lines if line.detail)


def _package(line: audit.AuditLine, root: Path) -> PastPackage:
    company, _, month = line.subject.partition(" ")
    path = Path(line.detail or "")
    if is_unc(line.detail or "") and not path.is_relative_to(root):
        # The archive may be a stranger's: to look would have Windows log in at a server that the archive names.
        return PastPackage(line.at, company, month, path, False, False, None)
    try:
        seen = path.stat()
    except (OSError, ValueError):
        return PastPackage(line.at, company, month, path, False, path.parent.is_dir(), None)
    digest = _digest(path, seen.st_size, seen.st_mtime_ns) if path.is_file() else None
    return PastPackage(line.at, company, month, path, True, True, digest)


@lru_cache(maxsize=4 * _MOST)
def _digest(path: Path, _size: int, _changed: int) -> str | None:
    """The SHA-256 of a file, computed again when its size or time changed: the list is asked for often."""
    digest = hashlib.sha256()
    try:
        with path.open("rb") as file:
            while block := file.read(_STEP):
                digest.update(block)
    except OSError:
        return None
    return digest.hexdigest()
