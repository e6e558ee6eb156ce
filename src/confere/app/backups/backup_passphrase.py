"""The passphrase of encrypted backups: where it is kept, and how it is asked for. It is never on a command line."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from confere.errors import Message, PassphraseUnavailable, SecretUnavailable, UsageFault, message
from confere.system.secrets import system_keyring
from confere.system.secrets.secret_file import secret_text
from confere.system.secrets.token_store import Secret, Source

FILE_VARIABLE: Final = "CONFERE_BACKUP_PASSPHRASE_FILE"
SHORTEST: Final = 8

Ask = Callable[[Message], str]
"""Asks a person for a passphrase without showing it; empty where none was given."""


def find(
    archive_id: str,
    *,
    file: Path | None = None,
    ask: Ask | None = None,
    new: bool = False,
    environ: Mapping[str, str] | None = None,
) -> Secret:
    """The passphrase: of `file`, of the file that the variable names, of the keyring, or asked for.

    `new`: it is to encrypt, so it must be long enough and is asked for twice. Raises `PassphraseUnavailable`, which
    names the ways to give it, and `UsageFault` for one that is too short or was typed in two ways.
    """
    variables = os.environ if environ is None else environ
    named = file or (Path(variables[FILE_VARIABLE]) if variables.get(FILE_VARIABLE, "").strip() else None)
    if named is not None:
        try:
            text = secret_text(named.expanduser())
        except SecretUnavailable as error:
            raise PassphraseUnavailable(error.what, error.remedy) from error
        return _checked(text, Source.FILE, new=new)
    try:
        kept = system_keyring.read(_service(archive_id), system_keyring.BACKUPS_USER)
    except system_keyring.KeyringUnusable:
        kept = None
    if kept:
        return Secret(kept, Source.KEYRING)
    if ask is not None:
        typed = ask(message("Passphrase of the backup"))
        secret = _checked(typed, Source.PROMPT, new=new)
        if new and ask(message("The same passphrase again")) != typed:
            raise UsageFault(message("The two passphrases are not the same."), message("Nothing was written."))
        return secret
    raise _missing()


def keep(archive_id: str, passphrase: str) -> None:
    """Keep it in the system's keyring, for copies that are made by themselves. Raises `PassphraseUnavailable`."""
    secret = _checked(passphrase, Source.PROMPT, new=True)
    try:
        system_keyring.write(_service(archive_id), system_keyring.BACKUPS_USER, secret.reveal())
    except system_keyring.KeyringUnusable as error:
        raise PassphraseUnavailable(
            message("The passphrase cannot be kept. {why}", why=error.why),
            message("Put it into a file that only you can read, and name that in {variable}.", variable=FILE_VARIABLE),
        ) from error


def is_kept(archive_id: str) -> bool:
    """Whether scheduled copies find a passphrase."""
    try:
        find(archive_id)
    except SecretUnavailable:
        return False
    return True


def _checked(text: str, source: Source, *, new: bool) -> Secret:
    if not text:
        raise _missing()
    if new and len(text) < SHORTEST:
        raise UsageFault(
            message("A passphrase for backups has at least {count} characters.", count=SHORTEST),
            message("Some words that nobody guesses are best. Without it nobody can ever open the backup."),
        )
    return Secret(text, source)


def _missing() -> PassphraseUnavailable:
    return PassphraseUnavailable(
        message("There is no passphrase for an encrypted backup."),
        message(
            "Type it when asked, on a terminal; or put it into a file that only you can read and name that by "
            "--passphrase-file or in {variable}; or keep it in the system's keyring (Settings, Archive).",
            variable=FILE_VARIABLE,
        ),
    )


def _service(archive_id: str) -> str:
    return f"confere/{archive_id}"
