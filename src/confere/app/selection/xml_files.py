"""The use case "save the XML of these": exact bytes of the vault, in one ZIP or as files of a folder."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import Final

from confere.app.context import Workspace
from confere.app.documents import save_xml
from confere.app.selection.list_files import ListFiles, NotSaved, SavedSelection, documents_of, in_steps, rows_of
from confere.archive.documents import details
from confere.archive.documents.documents import DocumentRow
from confere.archive.store import Archive
from confere.errors import ArchiveError, NotInArchive, UsageFault, message
from confere.export.package.zip import ZipWriter, deflate
from confere.system.files.atomic_file import atomic_file, storage_fault, write_bytes
from confere.system.files.held_files import refuse_held
from confere.system.files.safe_names import Taken, inside, marked
from confere.system.processes.cancellation import Stop
from confere.system.progress import Meter, Reporter, Silent

_DIRECTORY_BYTES: Final = 256 * 1024  # of a ZIP's directory that wait in memory
_LOST: Final = message("The archive lost its bytes, or they fail their SHA-256.")

_File = tuple[str, DocumentRow, bytes]


def save(
    workspace: Workspace,
    files: ListFiles,
    target: Path,
    *,
    replaces: bool = False,
    reporter: Reporter | None = None,
    stop: Stop | None = None,
) -> SavedSelection:
    """Write the XML of these rows' documents to `target`: a ZIP where its name ends in `.zip`, else a folder.

    A ZIP is written whole or not at all, and over another only with `replaces`. In a folder nothing is written over: a
    file that is there with the same bytes is left alone, one with others keeps its name and the new one is marked.
    What the archive lost is named in the result. Raises `NotInArchive`, `UsageFault`, `DiskFull`,
    `EnvironmentFault`, and `Cancelled` for a ZIP that was stopped.
    """
    halt = stop or Stop()
    with workspace.reading() as archive:
        rows = rows_of(archive, files)
        ids = documents_of(archive, files, rows)
        meter = Meter(reporter or Silent(), message("Saving XML"), len(ids))
        failed: list[NotSaved] = []
        contents = _files(archive, ids, failed, meter.advance)
        write = _as_zip if target.suffix.lower() == ".zip" else _as_folder
        if write is _as_zip and target.exists() and not replaces:
            raise UsageFault(
                message("There is something at {path} already; nothing was written.", path=str(target)),
                message("Choose another name, or move that one away."),
            )
        written, already = write(contents, target, halt)
    meter.finish()
    return SavedSelection(target, len(rows), len(ids), written, already, tuple(failed), halt.is_set)


def loose(archive: Archive, files: ListFiles, folder: Path) -> list[Path]:
    """Write the XML of these rows' documents into a new folder for a moment; what is lost is left out.

    Raises `NotInArchive` where no document belongs to them, `DiskFull` and `EnvironmentFault`.
    """
    ids = documents_of(archive, files, rows_of(archive, files))
    paths = []
    for name, _, data in _files(archive, ids, [], lambda: None):
        path = inside(folder, name)
        try:
            path.write_bytes(data)
        except OSError as error:
            raise storage_fault(error, path) from error
        paths.append(path)
    return paths


def _files(
    archive: Archive, ids: Sequence[int], failed: list[NotSaved], advance: Callable[[], object]
) -> Iterator[_File]:
    """Each content once, under the name that importers look for; of many documents in one file, its first's."""
    names, contents = Taken(), set[int]()
    for rows in in_steps(archive, ids):
        for row in rows:
            advance()
            if row.content_id in contents:
                continue
            contents.add(row.content_id)
            try:
                with archive.reading() as transaction:
                    voiding = details.voiding(transaction, row.id) if row.type == "voiding" else None
                    data = archive.vault.get(transaction, row.content_id)
            except (ArchiveError, NotInArchive):
                failed.append(NotSaved(row.access_key, row.sha256, _LOST))
                continue
            name = save_xml.document_name(row, voiding)
            if not names.take(name):
                name = marked(name, row.sha256[:16])
                names.take(name)
            yield name, row, data


def _as_zip(files: Iterator[_File], target: Path, stop: Stop) -> tuple[int, int]:
    refuse_held(target)
    _make(target.parent)
    with atomic_file(target) as output, SpooledTemporaryFile(_DIRECTORY_BYTES, dir=str(target.parent)) as directory:
        writer = ZipWriter(output, directory)
        for name, row, data in files:
            stop.check(message("Nothing was written."))
            writer.add(name, deflate(data), row.issued_at)
        if not writer.count:
            raise NotInArchive(message("The archive has the bytes of none of these documents."))
        writer.finish()
        return writer.count, 0


def _as_folder(files: Iterator[_File], target: Path, stop: Stop) -> tuple[int, int]:
    _make(target)
    written = already = 0
    for name, row, data in files:
        if stop.is_set:
            break
        path = inside(target, name)
        if path.exists() and not _holds(path, data):
            path = inside(target, marked(name, row.sha256[:16]))
        if path.exists() and _holds(path, data):
            already += 1
            continue
        write_bytes(path, data)
        written += 1
    return written, already


def _holds(path: Path, data: bytes) -> bool:
    """Whether these bytes stand there already."""
    try:
        if path.stat().st_size != len(data):
            return False
        return hashlib.sha256(path.read_bytes()).digest() == hashlib.sha256(data).digest()
    except OSError:
        return False


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise UsageFault(
            message("{path} is a file, and a folder is wanted.", path=str(folder)),
            message("Give a folder, or a name that ends in .zip."),
        ) from None
    except OSError as error:
        raise storage_fault(error, folder) from error
