"""The use case "trust a sandbox's own authority": certificates for the papers of one account, and of no other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from confere.app.workspace import PRODUCTION, Workspace
from confere.archive import accounts, roots
from confere.errors import UsageFault, message
from confere.fiscal.verdict import bundles
from confere.system.regular_files import open_regular

_LARGEST: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Trusted:
    """A file's certificates, by the names they bear; `new` is False where they were trusted already."""

    file: str
    names: tuple[str, ...]
    new: bool


def trust(workspace: Workspace, name: str, files: Sequence[Path]) -> tuple[Trusted, ...]:
    """Trust the certificates in these files for the account's papers. `UsageFault` for a production account.

    What is real is judged by ICP-Brasil alone: certificates of its own that lack go into the data folder's `trust`.
    """
    with workspace.writing("account trust") as archive, archive.writing() as transaction:
        account = accounts.named(transaction, name)
        if account.environment == PRODUCTION:
            raise UsageFault(
                message("{name} is a production account: its papers are judged by ICP-Brasil alone.", name=name),
                message(
                    "Certificates of ICP-Brasil that are lacking go into {folder}.",
                    folder=str(workspace.home.root / "trust"),
                ),
            )
        read = [(path, *_read(path)) for path in files]
        return tuple(
            Trusted(str(path), names, roots.add(transaction, account, data, ", ".join(names)))
            for path, data, names in read
        )


def _read(path: Path) -> tuple[bytes, tuple[str, ...]]:
    try:
        with open_regular(path) as file:
            data = file.read(_LARGEST + 1)
    except FileNotFoundError:
        raise UsageFault(
            message("There is no file {path}.", path=str(path)),
            message("Give a file with certificates: PEM, DER or PKCS #7."),
        ) from None
    except OSError as error:
        raise UsageFault(
            message("{path} cannot be read: {why}.", path=str(path), why=error.strerror or type(error).__name__),
            message("Give a file with certificates: PEM, DER or PKCS #7."),
        ) from error
    found = bundles.read(data).certificates if len(data) <= _LARGEST else ()
    if not found:
        raise UsageFault(
            message("There is no certificate in {path}.", path=str(path)),
            message("Give a file with certificates: PEM, DER or PKCS #7."),
        )
    return data, tuple(entry.subject.rfc4514_string() for entry in found)
