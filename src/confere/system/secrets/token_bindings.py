"""Which token belongs to which address: the file in this installation's configuration that binds them.

An archive is data and may be a stranger's: it never says where a token is or where it goes. What is bound here was
bound by a person on this machine.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

from confere.errors import EnvironmentFault, Message, SecretUnavailable, message
from confere.system.files.atomic_file import storage_fault, write_text
from confere.system.files.regular_files import open_regular
from confere.system.folders import chosen_folder

_NAME: Final = "tokens.json"
_MOST: Final = 4 * 1024 * 1024  # bytes; a binding takes about 200
_PATIENCE: Final = 10.0  # seconds for another process that writes the file


class TokenBinding(NamedTuple):
    """The token of `account`, in the archive of the id `archive`, is for `origin` alone, such as `https://hub.example`.

    `file` is the file that holds it, where the user named one. `token` is that of a sandbox on this machine, which is
    no secret. Without both it is where `token_store` looks: keyring, credential, variables.
    """

    archive: str
    account: str
    origin: str
    file: str = ""
    token: str = ""


class TokenBindings:
    """All bindings of this installation, one for an account of an archive; each call reads the file anew."""

    def __init__(self, file: Path | None = None) -> None:
        self.file = chosen_folder.configuration_folder() / _NAME if file is None else file

    def of(self, archive: str, account: str) -> TokenBinding | None:
        """The binding of an account; None where nobody made one on this machine. `SecretUnavailable` for a bad file."""
        return next((each for each in self._read() if (each.archive, each.account) == (archive, account)), None)

    def origin_of(self, archive: str, account: str) -> str | None:
        """Where the account's token was given for; None where nobody gave one on this machine."""
        binding = self.of(archive, account)
        return None if binding is None else binding.origin

    def keep(self, binding: TokenBinding) -> None:
        """Write a binding in the place of the account's former one.

        Raises `SecretUnavailable` for a bad file, `DiskFull` or `EnvironmentFault` where it cannot be written.
        """
        with self._alone():
            self._write([*self._others(binding.archive, binding.account), binding])

    def forget(self, archive: str, account: str) -> None:
        """Remove the binding of an account, where there is one; raises as `keep` does."""
        if self.of(archive, account) is not None:
            with self._alone():
                self._write(self._others(archive, account))

    def _others(self, archive: str, account: str) -> list[TokenBinding]:
        return [each for each in self._read() if (each.archive, each.account) != (archive, account)]

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """What two processes bind at the same time is both kept."""
        from filelock import FileLock, Timeout  # with asyncio

        try:
            self.file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with FileLock(self.file.with_name(f"{self.file.name}.lock"), timeout=_PATIENCE):
                yield
        except Timeout:
            raise EnvironmentFault(
                message("Another process holds the file {path}.", path=str(self.file)), message("Try again.")
            ) from None
        except OSError as error:
            raise storage_fault(error, self.file) from error

    def _write(self, bindings: Iterable[TokenBinding]) -> None:
        rows = [{name: value for name, value in each._asdict().items() if value} for each in bindings]
        write_text(self.file, json.dumps({"tokens": rows}, indent=1, ensure_ascii=False) + "\n", private=True)

    def _read(self) -> list[TokenBinding]:
        try:
            with open_regular(self.file) as file:
                mode = os.fstat(file.fileno()).st_mode
                data = file.read(_MOST + 1)
        except FileNotFoundError:
            return []
        except (OSError, EnvironmentFault) as error:
            fault = storage_fault(error, self.file) if isinstance(error, OSError) else error
            raise self._refused(fault.what) from error
        if sys.platform != "win32" and mode & 0o077:
            raise SecretUnavailable(
                message("Other users of this machine can read the file {path}.", path=str(self.file)),
                message("Close it with: chmod 600 {path}", path=str(self.file)),
            )
        try:
            if len(data) > _MOST:
                raise ValueError
            return [_binding(row) for row in json.loads(data)["tokens"]]
        except (ValueError, TypeError, KeyError, RecursionError):
            raise self._refused(message("It cannot be understood.")) from None

    def _refused(self, why: Message) -> SecretUnavailable:
        return SecretUnavailable(
            message(
                "The file {path}, which says which address each token is for, cannot be used. {why}",
                path=str(self.file),
                why=why,
            ),
            message("Move it away, and give each account its token again with `confere account token NAME`."),
        )


def _binding(row: Any) -> TokenBinding:
    """One row of the file; `ValueError`, `TypeError` or `KeyError` for what is none."""
    binding = TokenBinding(row["archive"], row["account"], row["origin"], row.get("file", ""), row.get("token", ""))
    if not all(isinstance(value, str) for value in binding) or not binding.origin:
        raise ValueError
    return binding
