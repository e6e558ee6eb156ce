"""What a worker process of a package does: makes contents ready for a ZIP, and compares what was written.

Each worker loads this module anew, so it imports only what that takes: a worker that is ready a quarter of a second
earlier is worth the work of thousands of documents.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from confere.archive.driver import BareView
from confere.archive.vault.reader import Packed, VaultReader
from confere.errors import ConfereError
from confere.export.package.output.read_back import Stretch, first_different
from confere.export.package.zip import Deflated, deflate, stored
from confere.system.processes.worker_pool import Bulk

if TYPE_CHECKING:
    from confere.archive.store import Archive

_FIGURES: Final = 4  # of each file


Work = Sequence[int] | Stretch
"""What a worker is asked for: contents by their numbers, or a stretch of a written ZIP to compare."""
Done = Bulk | str | None


def prepare(path: Path, deflated: bool, bare: bool) -> Callable[[Work], Done]:
    """What a worker does: reads contents of the archive at `path` and makes them ready, compares stretches.

    `bare`: by the driver alone. Whatever fails so is done again by the archive, which has the words for it.
    """
    worker = _Worker(path, deflated, bare)

    def do(work: Work) -> Done:
        if isinstance(work, Stretch):
            return first_different(work)
        return answer(worker.ready(work))

    return do


def ready(
    archive: Archive | BareView, reader: VaultReader, content_ids: Sequence[int], deflated: bool
) -> list[Deflated]:
    """These contents, in the order asked for, read in one view of the archive."""
    if not content_ids:
        return []
    with archive.reading() as rows:
        packed = reader.fetch(rows, content_ids)
    return pressed(reader, packed, deflated)


def pressed(reader: VaultReader, packed: Sequence[Packed], deflated: bool) -> list[Deflated]:
    """As they stand in a ZIP, or as they are; the bytes are not checked where they are `deflated`."""
    if deflated:
        return [deflate(reader.unpack(content, check=False)) for content in packed]
    return [stored(reader.unpack(content)) for content in packed]


def answer(files: Sequence[Deflated]) -> Bulk:
    """Files as a worker sends them: one run of bytes, with the method, CRC, size and packed size of each."""
    figures = array("Q")
    for file in files:
        figures.extend((file.method, file.crc, file.size, len(file.data)))
    return Bulk(b"".join([file.data for file in files]), figures)


def files_of(answer: Bulk) -> list[Deflated]:
    """The files that a worker has sent."""
    data, start = answer.data, 0
    files: list[Deflated] = []
    for method, crc, size, packed in zip(*[iter(answer.figures)] * _FIGURES, strict=True):
        after = start + packed
        files.append(Deflated(data[start:after], method, crc, size))
        start = after
    return files


class _Worker:
    def __init__(self, path: Path, deflated: bool, bare: bool) -> None:
        self._path = path
        self._deflated = deflated
        self._reader = VaultReader()
        self._view: Archive | BareView | None = None
        self._is_bare = bare

    def ready(self, content_ids: Sequence[int]) -> list[Deflated]:
        if self._is_bare:
            try:
                self._view = self._view or BareView(self._path)
                return ready(self._view, self._reader, content_ids, self._deflated)
            except ConfereError:
                raise
            except Exception:  # whatever it is, the archive meets it again
                self._is_bare, self._view = False, None
        if self._view is None:
            from confere.archive.store import Archive

            self._view = Archive.to_read(self._path)
        return ready(self._view, self._reader, content_ids, self._deflated)
