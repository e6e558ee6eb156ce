"""The ZIPs or folders of one export, each with its manifest: opened with their first file, settled all together."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import IO, Final

from confere.archive.documents.export_queries import OtherCopy
from confere.export.package.atomic_files import AtomicFile, is_same, refuse_existing
from confere.export.package.manifest import ENDING, Manifest, ManifestFile
from confere.export.package.output.bag import BagBook
from confere.export.package.output.folder import FolderBook
from confere.export.package.zip import Deflated, ZipWriter
from confere.system.files import held_files
from confere.system.files.atomic_file import storage_fault

_DIRECTORY_BYTES: Final = 256 * 1024  # of a ZIP's directory that wait in memory; the rest waits on its disk


class Book:
    """One ZIP and its manifest, under way. `read_back` compares both once they are sealed."""

    def __init__(self, path: Path, head: Mapping[str, object]) -> None:
        self.zip = AtomicFile(path)
        try:
            self.text = AtomicFile(path.with_name(path.stem + ENDING))
        except BaseException:
            self.zip.discard()
            raise
        self.manifest = Manifest(self.text)
        self.raw_bytes = 0
        self._directory: IO[bytes] = SpooledTemporaryFile(_DIRECTORY_BYTES, dir=str(path.parent))  # noqa: SIM115
        self.writer = ZipWriter(self.zip, self._directory)
        self.manifest.begin({**head, "package": path.name})

    @property
    def path(self) -> Path:
        """Where it will stand."""
        return self.zip.path

    @property
    def size(self) -> int:
        """Its bytes so far."""
        return self.zip.size

    @property
    def count(self) -> int:
        """Its files so far."""
        return self.writer.count

    @property
    def drafts(self) -> tuple[AtomicFile, AtomicFile]:
        """In the order in which they take their places: a ZIP in use elsewhere stops both."""
        return self.zip, self.text

    def add(self, entry: ManifestFile, content: Deflated) -> None:
        self.writer.add(entry.path, content, entry.issued_at)
        self.manifest.add(entry)
        self.raw_bytes += content.size

    def seal(self, tail: Mapping[str, object]) -> None:
        """Both files are whole and on the disk."""
        self.writer.finish()
        self.zip.seal()
        counts = {"xml": self.writer.count, "xml_bytes": self.raw_bytes}
        self.manifest.finish({**tail, **counts, "zip": {"size": self.zip.size, "sha256": self.zip.sha256}})
        self.text.seal()

    def settled(self) -> None:
        """Nothing is left to be done once both stand."""

    def discard(self) -> None:
        for draft in self.drafts:
            draft.discard()
        self.manifest.close()
        with suppress(OSError):
            self._directory.close()


class Shelf:
    """All of them. `path_of` gives the ZIP for a model's short name, `head` what its manifest begins with."""

    def __init__(
        self,
        path_of: Callable[[str], Path],
        head: Mapping[str, object],
        *,
        replace: bool,
        as_folder: bool = False,
        as_bag: bool = False,
    ) -> None:
        self._as_bag = as_bag
        self._as_folder = as_folder
        self._path_of = path_of
        self._head = head
        self._replace = replace
        self._books: dict[Path, Book | FolderBook] = {}
        self._by_model: dict[str, Book | FolderBook] = {}

    @property
    def books(self) -> tuple[Book | FolderBook, ...]:
        """By name."""
        return tuple(self._books[path] for path in sorted(self._books))

    def models(self, book: Book | FolderBook) -> tuple[str, ...]:
        """The models that went into this one."""
        return tuple(model for model, held in self._by_model.items() if held is book)

    def put(self, model: str, entry: ManifestFile, content: Deflated) -> None:
        """A file for the ZIP of its model."""
        book = self._by_model.get(model) or self._open(model)
        try:
            book.add(entry, content)
        except OSError as error:  # of the directory's spool, which lies beside the ZIP
            raise storage_fault(error, book.path) from error

    def beside(self, model: str, copy: OtherCopy) -> None:
        """Other bytes of a paper of that model, for the manifest; after the files it speaks of."""
        # A lot is in the ZIP of its first document, so its other documents may have no ZIP of their own.
        book = self._by_model.get(model) or next(iter(self._books.values()), None)
        if book is not None:
            book.manifest.beside(copy)

    def seal(self, tail_of: Callable[[tuple[str, ...]], Mapping[str, object]]) -> None:
        """Everything is whole and on the disk, under the names of drafts."""
        for book in self.books:
            try:
                book.seal(tail_of(self.models(book)))
            except OSError as error:
                raise storage_fault(error, book.path) from error

    def settle(self) -> bool:
        """Everything takes its place; where one cannot, those that are new go away again.

        What is there already with the same bytes is left as it is; True where all of it is.
        """
        drafts = [draft for book in self.books for draft in book.drafts]
        if self._replace:
            for draft in drafts:  # an old ZIP with a new manifest would be worse than either
                held_files.refuse_held(draft.path)
        else:
            drafts = [draft for draft in drafts if not is_same(draft)]
        fresh: list[Path] = []
        try:
            for draft in drafts:
                existed = draft.path.exists()
                draft.settle(self._replace)
                if not existed:
                    fresh.append(draft.path)
        except BaseException:
            for path in fresh:
                with suppress(OSError):
                    held_files.remove(path)
            raise
        for book in self.books:
            book.settled()
        return not drafts

    def discard(self) -> None:
        """Nothing of what is not settled stays."""
        for book in self._books.values():
            book.discard()

    def _open(self, model: str) -> Book | FolderBook:
        path = self._path_of(model)
        book = self._books.get(path)
        if book is None:
            if self._as_bag:
                book = BagBook(path, self._head, replace=self._replace)
                self._books[path] = self._by_model[model] = book
                return book
            if self._as_folder:
                book = FolderBook(path, self._head, replace=self._replace)
                self._books[path] = self._by_model[model] = book
                return book
            both = path, path.with_name(path.stem + ENDING)
            if self._replace:
                for existing in both:
                    held_files.refuse_held(existing)
            elif not path.is_file():  # else it may be this very package, of a run that was killed before its manifest
                for existing in both:
                    refuse_existing(existing)
            try:
                book = self._books[path] = Book(path, self._head)
            except OSError as error:
                raise storage_fault(error, path) from error
        self._by_model[model] = book
        return book
