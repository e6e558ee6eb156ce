"""The PDFs of a package's documents (DANFE, DACTE, DAMDFE, voided numbers), in a ZIP of their own beside it.

Importers walk through whatever is in a package, so that nothing but XML is ever in there. The same documents give the
same bytes in the same language: a PDF is as old as its document.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import Final

from confere.app.documents import print_pdf
from confere.archive.documents import documents
from confere.archive.store import Archive
from confere.errors import Cancelled, Message, message
from confere.export.package.atomic_files import AtomicFile, is_same
from confere.export.package.contents import NotDrawn, PdfPackage
from confere.export.package.output.read_back import told
from confere.export.package.package import PackageResult
from confere.export.package.zip import ZipWriter, deflate
from confere.system.files.atomic_file import storage_fault
from confere.system.files.safe_names import Taken, marked
from confere.system.processes.cancellation import Stop
from confere.system.progress import Meter, Reporter, Silent

ENDING: Final = "-pdf.zip"
_DIRECTORY_BYTES: Final = 256 * 1024


def write_beside(
    archive: Archive, result: PackageResult, *, reporter: Reporter | None = None, stop: Stop | None = None
) -> tuple[PdfPackage, ...]:
    """Write `{company}-{month}-pdf.zip` beside each package that has documents; an earlier one is replaced.

    In it are the package's folders. A document that cannot be drawn is named and left out. Raises `Cancelled` once
    `stop` is set, `DiskFull` or `EnvironmentFault`.
    """
    return tuple(
        written
        for path, manifest in zip(result.contents.paths, result.manifests, strict=True)
        if (written := _write(archive, result, path, manifest, reporter or Silent(), stop or Stop())) is not None
    )


def _write(
    archive: Archive, result: PackageResult, package: Path, manifest: Path, reporter: Reporter, stop: Stop
) -> PdfPackage | None:
    ids, folders = array("q"), []
    for number, folder in _documents(archive, manifest):
        ids.append(number)
        folders.append(folder)
    if not ids:
        return None
    company, month = result.contents.company, result.contents.month
    stem = package.stem if package.suffix.lower() == ".zip" else package.name
    draft = AtomicFile(package.with_name(stem + ENDING))
    meter = Meter(
        reporter, message("Drawing the PDFs of {company} for {month}", company=company, month=month), len(ids)
    )
    not_drawn: list[NotDrawn] = []
    names = Taken()
    try:
        with SpooledTemporaryFile(_DIRECTORY_BYTES, dir=str(draft.path.parent)) as directory:
            writer = ZipWriter(draft, directory)
            for drawing, folder in zip(print_pdf.draw(archive, ids, stop), folders, strict=False):
                if isinstance(drawing.made, Message):
                    not_drawn.append(NotDrawn(drawing.name, drawing.made))
                else:
                    path = folder + drawing.file_name
                    if not names.take(path):
                        path = folder + marked(drawing.file_name, f"{drawing.sha256[:8]}-{drawing.position}")
                        names.take(path)
                    writer.add(path, deflate(drawing.made.pdf), drawing.issued_at)
                meter.advance()
            if stop.is_set:
                raise Cancelled(
                    message("The PDFs of {company} for {month} were not finished.", company=company, month=month),
                    message("The package itself is there. Export it again to have its PDFs too."),
                )
            writer.finish()
        draft.seal()
        if not is_same(draft):
            draft.settle(replace=True)
    except OSError as error:  # of the directory's spool, which lies beside the ZIP
        raise storage_fault(error, draft.path) from error
    finally:
        draft.discard()
    meter.finish()
    return PdfPackage(draft.path, writer.count, tuple(not_drawn))


def _documents(archive: Archive, manifest: Path) -> Iterator[tuple[int, str]]:
    """Every document of the package in its order, by its number in the archive, with the folder that it is in."""
    with archive.reading() as transaction:
        for path, digest, _ in told(manifest):
            folder, slash, _ = path.decode().rpartition("/")
            for number in documents.of_digest(transaction, digest)[1]:  # of an event's file there is none
                yield number, folder + slash
