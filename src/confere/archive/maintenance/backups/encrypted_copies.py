"""Copies of an archive that a passphrase protects: written and read back before they get their name."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, Final

from confere.archive.maintenance.backups.backup_check import damaged
from confere.errors import PassphraseUnavailable, message
from confere.system.files import age_encryption, held_files
from confere.system.files.age_encryption import AgeDamaged, WrongPassphrase
from confere.system.files.atomic_file import atomic_file, storage_fault
from confere.system.files.regular_files import open_regular

ENDING: Final = ".age"
_BLOCK: Final = 1024 * 1024

OnCopiedBytes = Callable[[int, int], None]
"""Told how many bytes of how many are done; what it raises ends the work."""


def is_encrypted(path: Path) -> bool:
    """Whether the file is in the age format. Raises `ConfereError` where it cannot be read."""
    try:
        with open_regular(path) as file:
            return age_encryption.is_encrypted(file.read(len(age_encryption.INTRODUCTION)))
    except OSError as error:
        raise storage_fault(error, path) from error


def encrypt(source: Path, target: Path, passphrase: str, progress: OnCopiedBytes | None = None) -> str:
    """Write `source` encrypted as `target`, and read it back; the SHA-256 of the file as written.

    Raises `DiskFull`, `EnvironmentFault`, `BackupRefused` where what was written cannot be read back.
    """
    size = 2 * source.stat().st_size  # written, and read back
    told = _Told(size, progress)
    plain, written = hashlib.sha256(), hashlib.sha256()
    draft = target.with_name(f"{target.name}.{secrets.token_hex(4)}.partial")
    try:
        with atomic_file(draft, private=True) as file, source.open("rb") as reading:
            age_encryption.encrypt(_Hashed(reading, plain), file, passphrase, told.more)
        again = hashlib.sha256()
        with draft.open("rb") as reading:
            try:
                age_encryption.decrypt(_Hashed(reading, written), _Digest(again), passphrase, told.more)
            except (AgeDamaged, WrongPassphrase):
                raise damaged(str(target), message("it cannot be read back")) from None
        if again.digest() != plain.digest():
            raise damaged(str(target), message("it cannot be read back"))
        held_files.replace(draft, target, pauses=held_files.LONG_PAUSES)
    except OSError as error:
        raise storage_fault(error, target) from error
    finally:
        with suppress(OSError):
            held_files.remove(draft)
    return written.hexdigest()


def decrypt(
    source: Path, target: Path, passphrase: str, progress: OnCopiedBytes | None = None, *, named: Path | None = None
) -> None:
    """Write what the encrypted `source` holds as `target`, which others on the machine cannot read.

    Raises `PassphraseUnavailable` for the wrong passphrase, `BackupRefused` for a file that was changed or cut off,
    `DiskFull`, `EnvironmentFault`; nothing has the name of `target` then.
    """
    name = str(named or source)
    try:
        with open_regular(source) as reading:
            told = _Told(source.stat().st_size, progress)
            with atomic_file(target, private=True) as file:
                age_encryption.decrypt(reading, file, passphrase, told.more)
    except WrongPassphrase:
        raise PassphraseUnavailable(
            message("The passphrase does not open the backup {path}.", path=name),
            message("Type it again, capital letters and blanks included. Nothing was changed."),
        ) from None
    except AgeDamaged:
        raise damaged(name, message("its encrypted content was changed, or it was cut off")) from None
    except OSError as error:
        raise storage_fault(error, source) from error


def sha256_of(path: Path, progress: OnCopiedBytes | None = None) -> str:
    """The SHA-256 of a file. Raises `OSError`."""
    told = _Told(path.stat().st_size, progress)
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            digest.update(block)
            told.more(len(block))
    return digest.hexdigest()


class _Told:
    """Adds up what is done, and never tells more than there is."""

    def __init__(self, total: int, progress: OnCopiedBytes | None) -> None:
        self._total, self._progress, self._done = total, progress, 0

    def more(self, count: int) -> None:
        self._done = min(self._done + count, self._total)
        if self._progress is not None:
            self._progress(self._done, self._total)


class _Hashed:
    """A stream that is read, and hashed on the way."""

    def __init__(self, source: BinaryIO, digest: hashlib._Hash) -> None:
        self._source, self._digest = source, digest

    def read(self, size: int) -> bytes:
        data = self._source.read(size)
        self._digest.update(data)
        return data

    def readline(self, limit: int) -> bytes:
        line = self._source.readline(limit)
        self._digest.update(line)
        return line


class _Digest:
    """A stream that is written to and keeps the hash alone."""

    def __init__(self, digest: hashlib._Hash) -> None:
        self._digest = digest

    def write(self, data: bytes) -> int:
        self._digest.update(data)
        return len(data)
