"""A package as a BagIt bag (RFC 8493): a folder whose payload is the XML below `data/`, or that folder in a ZIP.

The `bagit` library writes the tag files, in a process of its own, since it changes the working directory. They hold
no moment but the one of the package's content, so that the same content gives the same bag.
"""

from __future__ import annotations

import shutil
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryFile
from typing import Final

from confere.export.package.atomic_files import AtomicFile, refuse_existing
from confere.export.package.output.folder import FolderBook, in_the_way
from confere.export.package.output.read_back import different
from confere.export.package.zip import ZipWriter, deflate
from confere.system.diagnostics import version
from confere.system.files import stale_drafts
from confere.system.files.atomic_file import storage_fault, write_bytes
from confere.system.processes import worker_pool

_DECLARATION: Final = b"BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n"
_TAGS: Final = ("bag-info.txt", "manifest-sha256.txt", "tagmanifest-sha256.txt")
_STAGING: Final = ".bag.partial"


class BagBook(FolderBook):
    """One bag and its manifest beside it, under way. A ZIP's bag is put together beside it, and taken away again."""

    def __init__(self, path: Path, head: Mapping[str, object], *, replace: bool) -> None:
        """A `path` that ends in `.zip` is the ZIP's, which holds the bag as its one folder."""
        self._zip: AtomicFile | None = None
        self._info = {
            "Source-Organization": str(head["organization"]),
            "External-Identifier": f"{head['company']}-{head['month']}",
            "Bag-Software-Agent": f"confere {version()}",
        }
        self.bag = path
        name = path.name
        if path.suffix.lower() == ".zip":
            manifest = path.with_name(f"{path.stem}.manifest.json")
            if not replace and not path.is_file():  # else it may be this very package
                for existing in (path, manifest):
                    refuse_existing(existing)
            name = path.stem
            self.bag = path.with_name(path.name + _STAGING) / name
        super().__init__(path.with_name(name), head, replace=replace, root=self.bag / "data", name=name)
        if self.bag != path:
            self.path = path
            self._zip = AtomicFile(path)
            self._is_finished = False  # what stands there is a ZIP, and it is made anew

    @property
    def drafts(self) -> tuple[AtomicFile, ...]:
        """What takes its place in the end."""
        return (self.text,) if self._zip is None else (self._zip, self.text)

    def discard(self) -> None:
        """Files that are whole stay until the package stands; the next run goes on from there."""
        if self._zip is not None:
            self._zip.discard()
            if self._zip.path.exists() and self._is_sealed:
                shutil.rmtree(self.bag.parent, ignore_errors=True)
        super().discard()

    _is_sealed = False

    def _finished(self, tail: Mapping[str, object]) -> Mapping[str, object]:
        stale_drafts.sweep(self.bag, older_than=0)  # of a run that was killed; nobody else writes this bag
        known = {"data", "bagit.txt", *_TAGS}
        for other in sorted(self.bag.iterdir()):
            if other.name not in known:
                raise in_the_way(other)
        try:
            for name in _TAGS:  # halves of a run that was killed
                (self.bag / name).unlink(missing_ok=True)
            write_bytes(self.bag / "bagit.txt", _DECLARATION)
        except OSError as error:
            raise storage_fault(error, self.bag) from error
        info = {**self._info, "Bagging-Date": str(tail["content_as_of"] or "")[:10] or "1980-01-01"}
        for _ in worker_pool.work(prepare, (), [(str(self.bag.absolute()), info)], 1, ahead=1):
            pass
        if self._zip is None:
            return {"folder": {"size": self.size}}
        self._pack(self._zip)
        self._is_sealed = True
        return {"zip": {"size": self._zip.size, "sha256": self._zip.sha256}}

    def _pack(self, output: AtomicFile) -> None:
        """The whole bag into the ZIP, by name."""
        with TemporaryFile() as directory:
            writer = ZipWriter(output, directory)
            for path in sorted(path for path in self.bag.rglob("*") if path.is_file()):
                writer.add(path.relative_to(self.bag.parent).as_posix(), deflate(path.read_bytes()))
            writer.finish()
        output.seal()
        with zipfile.ZipFile(output.draft) as written:
            for name in written.namelist():
                if written.read(name) != (self.bag.parent / name).read_bytes():
                    raise different(output.path, name)


Task = tuple[str, dict[str, str]]


def prepare() -> Callable[[Task], str]:
    """What a worker does: writes the tag files of a bag whose payload is there; what went wrong, or an empty text."""

    def do(task: Task) -> str:
        import bagit

        path, info = task
        bag = bagit.Bag(path)
        bag.algorithms = ["sha256"]
        bag.info = info
        bag.save(manifests=True)
        bagit.Bag(path).validate()  # every checksum of what is on the disk now
        return ""

    return do
