"""Keeps and finds the tokens of accounts: keyring, systemd credential, private file, variable, prompt."""

from __future__ import annotations

import hashlib
import hmac
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass
from enum import StrEnum
from pathlib import Path
from typing import NoReturn

from confere.errors import Message, SecretUnavailable, UsageFault, message
from confere.system import system_keyring
from confere.system.files.atomic_file import write_text
from confere.system.files.secret_file import secret_text
from confere.system.plain_text import ascii_letters
from confere.system.redaction import register_secret

Prompt = Callable[[Message], str]
"""Asks the user for a token without showing it. A face gives one only where somebody can answer."""


class Source(StrEnum):
    """Where a token is kept, in the order in which they are asked."""

    KEYRING = "keyring"
    CREDENTIAL = "credential"  # systemd's $CREDENTIALS_DIRECTORY
    FILE = "file"
    ENVIRONMENT = "environment"
    PROMPT = "prompt"


class Secret:
    """A token that does not show itself: `repr`, `str`, `format` and pickles do not hold it."""

    __slots__ = ("_token", "source")

    def __init__(self, token: str, source: Source) -> None:
        register_secret(token)
        object.__setattr__(self, "_token", token)
        object.__setattr__(self, "source", source)

    _token: str
    source: Source

    def reveal(self) -> str:
        """The token itself: for a request's header and nothing else."""
        return self._token

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a Secret cannot be changed ({name})")

    def __repr__(self) -> str:
        return f"Secret(hidden, from {self.source})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Secret):
            return NotImplemented
        return hmac.compare_digest(self._token.encode(), other._token.encode())

    def __hash__(self) -> int:
        return hash((Secret, self._token))

    def __reduce__(self) -> NoReturn:
        raise TypeError("a Secret is not written anywhere")


@dataclass(frozen=True, slots=True)
class Ask:
    """Which token is meant and where it may be.

    `alone` says that the archive has no other account: only then do `CONFERE_TOKEN` and `CONFERE_TOKEN_FILE`,
    which name no account, count; else one account's token would be sent to another's hub. `scope` tells apart
    the archives of one user that use the same account name (the archive's own id). `token_file` is a file that
    the user named for this account.
    """

    account: str
    scope: str = ""
    token_file: Path | None = None
    _: KW_ONLY
    alone: bool


def store(ask: Ask, token: str, environ: Mapping[str, str] | None = None) -> Source:
    """Keep `token` and say where: the keyring, else the file that the user named (made private).

    Where another way already gives this very token, nothing is written and that way is the answer. Raises
    `UsageFault` for what cannot be a token and `SecretUnavailable` when there is nowhere to keep it.
    """
    variables = os.environ if environ is None else environ
    clean = token.strip()
    if not _plausible(clean):
        raise UsageFault(
            message("What was given for the account {account} cannot be a token.", account=ask.account),
            message("A token is one line of letters, digits and signs without accents; copy it again."),
        )
    register_secret(clean)
    try:
        system_keyring.write(_service(ask), ask.account, clean)
        return Source.KEYRING
    except system_keyring.KeyringUnusable as unusable:
        why = unusable.why
    if ask.token_file is not None:
        write_text(ask.token_file, clean + "\n", private=True)
        return Source.FILE
    for named in _files(ask, variables):
        if not named.exists():
            write_text(named, clean + "\n", private=True)
            return Source.FILE
    found = _outside_keyring(ask, variables)
    if found is not None and found.reveal() == clean:
        return found.source
    raise SecretUnavailable(
        message("The token of the account {account} cannot be kept. {why}", account=ask.account, why=why),
        _ways(ask),
    )


def load(ask: Ask, environ: Mapping[str, str] | None = None, prompt: Prompt | None = None) -> Secret:
    """The token, from the first place that has it; what `prompt` gives is not kept.

    Raises `SecretUnavailable`, which names every way to give it; also for a file that the user named and that
    is missing, empty or open to other users (it is not passed over in silence).
    """
    variables = os.environ if environ is None else environ
    why = message("The system's keyring does not hold it.")
    try:
        kept = system_keyring.read(_service(ask), ask.account)
        if kept and _plausible(kept):
            return Secret(kept, Source.KEYRING)
    except system_keyring.KeyringUnusable as unusable:
        why = unusable.why
    found = _outside_keyring(ask, variables)
    if found is not None:
        return found
    if prompt is not None:
        answer = prompt(message("Token of the account {account}", account=ask.account)).strip()
        if _plausible(answer):
            return Secret(answer, Source.PROMPT)
    raise SecretUnavailable(
        message("There is no token for the account {account}. {why}", account=ask.account, why=why),
        _ways(ask),
    )


def of_file(path: Path) -> Secret:
    """The token in a file of the user's; `SecretUnavailable` where it holds none or others can read it."""
    return Secret(_token_in(path.expanduser(), private=True), Source.FILE)


def delete(ask: Ask) -> bool:
    """Forget the token in the keyring; False when it held none or cannot be used.

    Files and variables belong to the user and are left alone.
    """
    try:
        return system_keyring.erase(_service(ask), ask.account)
    except system_keyring.KeyringUnusable:
        return False


def environment_name(account: str) -> str:
    """The variable for one account: `Loja São João` is `CONFERE_TOKEN_LOJA_SAO_JOAO`."""
    name = _safe(account, "_").upper()
    # An account called "file" must not be read from CONFERE_TOKEN_FILE, which names a file.
    return f"CONFERE_TOKEN__{name}" if name.startswith("FILE") else f"CONFERE_TOKEN_{name}"


def file_variable(account: str) -> str:
    """The variable that names one account's token file: `CONFERE_TOKEN_FILE_LOJA_SAO_JOAO`."""
    return f"CONFERE_TOKEN_FILE_{_safe(account, '_').upper()}"


def credential_name(account: str) -> str:
    """The systemd credential of one account: `Loja São João` is `confere-loja-sao-joao`."""
    return f"confere-{_safe(account, '-')}"


def _outside_keyring(ask: Ask, variables: Mapping[str, str]) -> Secret | None:
    folder = variables.get("CREDENTIALS_DIRECTORY")
    if folder:
        credential = Path(folder) / credential_name(ask.account)
        if credential.is_file():
            return Secret(_token_in(credential, private=False), Source.CREDENTIAL)
    for file in _files(ask, variables):
        return Secret(_token_in(file, private=True), Source.FILE)
    for name in (environment_name(ask.account), *(["CONFERE_TOKEN"] if ask.alone else [])):
        value = variables.get(name, "").strip()
        if value:
            if not _plausible(value):
                raise SecretUnavailable(
                    message("The variable {name} does not hold a token.", name=name),
                    message("A token is one line of letters, digits and signs without accents; copy it again."),
                )
            return Secret(value, Source.ENVIRONMENT)
    return None


def _files(ask: Ask, variables: Mapping[str, str]) -> list[Path]:
    """Token files that the user named, the most exact first."""
    named = [str(ask.token_file) if ask.token_file else "", variables.get(file_variable(ask.account), "")]
    if ask.alone:
        named.append(variables.get("CONFERE_TOKEN_FILE", ""))
    return [Path(name).expanduser() for name in named if name.strip()]


def _token_in(path: Path, *, private: bool) -> str:
    token = secret_text(path, private=private)
    if not _plausible(token):
        raise SecretUnavailable(
            message("The file {path} does not hold a token.", path=str(path)),
            message("Put the token alone into it, on one line."),
        )
    return token


def _plausible(token: str) -> bool:
    """What a header can carry: printable ASCII. Anything else would break the request, or smuggle a header."""
    return bool(token) and all(" " <= letter <= "~" for letter in token)


def _ways(ask: Ask) -> Message:
    return message(
        "Give it in one of these ways: the system's keyring (confere account add); a systemd credential named "
        "{credential}; a file that only you can read, named in {file}; the variable {variable} (weak: "
        "other programs of yours can read it); or type it when asked, on a terminal.",
        credential=credential_name(ask.account),
        file="CONFERE_TOKEN_FILE" if ask.alone else file_variable(ask.account),
        variable="CONFERE_TOKEN" if ask.alone else environment_name(ask.account),
    )


def _service(ask: Ask) -> str:
    return f"confere/{ask.scope}" if ask.scope else "confere"


def _safe(account: str, separator: str) -> str:
    """ASCII letters and digits of `account` with `separator` between the words, in lower case."""
    plain = ascii_letters(account).lower()
    words = re.findall(r"[a-z0-9]+", plain)
    return separator.join(words) or hashlib.sha256(account.encode()).hexdigest()[:8]
