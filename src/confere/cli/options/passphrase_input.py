"""How a command gets the passphrase of a backup: from a file, the keyring or a person; never from its own line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from confere.cli.context import Face
from confere.system.messages import t
from confere.system.secrets.token_store import Secret

PassphraseFile = Annotated[
    Path | None,
    typer.Option(
        "--passphrase-file", metavar="FILE", help=t("A file that only you can read, with the passphrase on one line.")
    ),
]


def passphrase(face: Face, file: Path | None, *, new: bool) -> Callable[[str], Secret]:
    """Gives the passphrase for the archive of an id, looked for once; `new`: one that encrypts, asked for twice."""
    kept: list[Secret] = []

    def find(archive_id: str) -> Secret:
        from confere.app.backups import backup_passphrase

        if not kept:
            kept.append(backup_passphrase.find(archive_id, file=file, ask=face.prompt, new=new))
        return kept[0]

    return find
