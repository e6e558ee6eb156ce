"""The use case "trust a sandbox's own authority": certificates for the papers of one account, and of no other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from confere.app.authenticity import certificate_files
from confere.app.context import PRODUCTION, Workspace
from confere.archive.accounts import accounts
from confere.archive.authenticity import account_roots
from confere.errors import UsageFault, message

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
            Trusted(str(path), names, account_roots.add(transaction, account, data, ", ".join(names)))
            for path, data, names in read
        )


def _read(path: Path) -> tuple[bytes, tuple[str, ...]]:
    found = certificate_files.read(path, _LARGEST)
    return found.data, tuple(entry.subject.rfc4514_string() for entry in found.certificates)
