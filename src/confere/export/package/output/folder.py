"""A package as a folder of files, each written whole or not at all, and the manifest last: a second run goes on.

A file that is there with the right SHA-256 is not written again, whoever stopped the first run. A finished package
(its manifest is there) is only compared, unless it is to be replaced: then its manifest is set aside as `….replaced`
until the new one stands, so that a run that was killed in between knows which files are the old package's.
"""

from __future__ import annotations

import hashlib
import os
import re
import secrets
from collections.abc import Iterator, Mapping
from contextlib import suppress
from io import FileIO
from pathlib import Path
from typing import Final

from confere.errors import ExportRefused, Message, message
from confere.export.package.atomic_files import AtomicFile
from confere.export.package.manifest import ENDING, Manifest, ManifestFile
from confere.export.package.output.read_back import different, told
from confere.export.package.zip import Deflated
from confere.system.files import held_files
from confere.system.files.atomic_file import move_to_free_place, settle_folder, storage_fault
from confere.system.files.safe_names import Taken, inside
from confere.system.files.stale_drafts import hold, remove_if_idle

SET_ASIDE: Final = ".replaced"
_DRAFT: Final = re.compile(r".+\.[0-9a-f]{8}\.partial")


class FolderBook:
    """One folder and its manifest beside it, under way. The root may lie below the package's folder, as in a bag."""

    def __init__(
        self,
        path: Path,
        head: Mapping[str, object],
        *,
        replace: bool,
        root: Path | None = None,
        name: str | None = None,
    ) -> None:
        """Files go below `root`, by itself `path`; the manifest lies beside `path` and begins as `name`, or as it.

        `ExportRefused` where something else is called `path`.
        """
        self.path = path
        self.size = 0
        self.count = 0
        self._root = root or path
        self._replace = replace
        self._folders: dict[str, Path] = {}
        self._written = Taken()
        self._before: dict[str, bytes] = {}  # files of the package that is replaced, with their SHA-256
        if path.is_symlink() or (path.exists() and not path.is_dir()):
            raise in_the_way(path)
        manifest = path.with_name((name or path.name) + ENDING)
        self._is_finished = manifest.exists()
        self._set_aside = manifest.with_name(manifest.name + SET_ASIDE)
        older = manifest if self._is_finished and replace else self._set_aside
        if older is manifest or (not self._is_finished and older.is_file()):
            self._before = {name.decode(): digest for name, digest, _ in told(older)}
        self.text = AtomicFile(manifest)
        self.manifest = Manifest(self.text)
        self.manifest.begin({**head, "package": name or path.name})

    @property
    def drafts(self) -> tuple[AtomicFile, ...]:
        """What takes its place in the end."""
        return (self.text,)

    def add(self, entry: ManifestFile, content: Deflated) -> None:
        """Put a file, as it is in `content`, where it belongs."""
        folder, _, name = entry.path.rpartition("/")
        place = self._folder(folder) / name
        try:
            if not self._is_there(place, entry):
                self._put(place, content.data, entry)
        except OSError as error:
            raise storage_fault(error, place) from error
        self._written.take(entry.path)
        self.manifest.add(entry)
        self.size += content.size
        self.count += 1

    def seal(self, tail: Mapping[str, object]) -> None:
        """Everything is on the disk, and nothing else is in the folder; what an older package left is removed."""
        for name in self._others():
            if (digest := self._before.get(name)) is not None and _digest(self._root / name) == digest:
                self._begin_to_replace()
                held_files.remove(self._root / name)
            else:
                raise not_of_it(self._root / name)
        whole = self._finished(tail)
        if hasattr(os, "sync"):
            os.sync()  # once for all of them: to wait for each would take hours
        self.manifest.finish({**tail, "xml": self.count, "xml_bytes": self.size, **whole})
        self.text.seal()

    def _finished(self, _tail: Mapping[str, object]) -> Mapping[str, object]:
        """What is written once all files are there, and what the manifest tells of the whole."""
        return {"folder": {"size": self.size}}

    def discard(self) -> None:
        """Files that are whole stay: the next run goes on from there."""
        self.text.discard()
        self.manifest.close()

    def settled(self) -> None:
        """The manifest stands: nothing of the package that was replaced is needed any more."""
        with suppress(OSError):
            self._set_aside.unlink(missing_ok=True)

    def _begin_to_replace(self) -> None:
        """From here on the older manifest tells what is no longer so."""
        if self._is_finished:
            held_files.replace(self.text.path, self._set_aside)
            self._is_finished = False

    def _is_there(self, place: Path, entry: ManifestFile) -> bool:
        if not os.path.lexists(place):
            return False
        if not place.is_symlink() and place.is_file():
            digest = _digest(place)
            if digest == entry.sheet.digest:
                return True
            if self._replace or self._before.get(entry.path) == digest:
                return False
        raise in_the_way(place)

    def _put(self, place: Path, data: bytes, entry: ManifestFile) -> None:
        digest = entry.sheet.digest
        if self._is_finished:
            if not self._replace:
                raise in_the_way(
                    self.path, message("The package there is another one: {name} is not in it.", name=place.name)
                )
            self._begin_to_replace()
        draft = place.with_name(f"{place.name}.{secrets.token_hex(4)}.partial")
        try:
            with FileIO(draft, "x") as file:
                hold(file.fileno())
                left = memoryview(data)
                while left:
                    left = left[file.write(left) or 0 :]
                if not hasattr(os, "sync"):  # Windows, which has no way to settle all of them at once
                    os.fsync(file.fileno())
            if _digest(draft) != digest:
                raise different(place, place.name)
            replaces = self._replace or entry.path in self._before  # `_is_there` looked at what is there
            move = held_files.replace if replaces else move_to_free_place
            held_files.patiently(lambda: move(draft, place))
        finally:
            with suppress(OSError):
                draft.unlink(missing_ok=True)

    def _folder(self, name: str) -> Path:
        """A folder below the root, made and swept when it is first asked for."""
        folder = self._folders.get(name)
        if folder is None:
            try:
                folder = inside(self._root, *name.split("/"), "x").parent if name else self._root
                folder.mkdir(parents=True, exist_ok=True)
                with os.scandir(folder) as entries:
                    for left in [Path(entry.path) for entry in entries if _DRAFT.fullmatch(entry.name)]:
                        with suppress(OSError):
                            remove_if_idle(left)
                settle_folder(folder)
            except OSError as error:
                raise storage_fault(error, self._root / name) from error
            self._folders[name] = folder
        return folder

    def _others(self) -> Iterator[str]:
        """What is in the folder and not of the package, with `/` between folders."""
        for parent, _, names in os.walk(self._root):
            above = Path(parent).relative_to(self._root)
            for name in sorted(names):
                path = (above / name).as_posix()
                if self._written.take(path):
                    yield path


def _digest(path: Path) -> bytes:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").digest()


def in_the_way(path: Path, why: Message | None = None) -> ExportRefused:
    return ExportRefused(
        message("{path} is in the way of the package.", path=str(path)) if why is None else message(
            "{path} is in the way of the package: {why}", path=str(path), why=why
        ),
        message("What was there is untouched. Move it away, choose another place with --to, or use --replace."),
    )  # fmt: skip


def not_of_it(path: Path) -> ExportRefused:
    """The error for a file in the package's folder that no manifest tells of: nobody's but a person's to remove."""
    return ExportRefused(
        message("{path} is in the way of the package: it is not of it.", path=str(path)),
        message("It is untouched. Move it away, or move the whole folder away and export again."),
    )
