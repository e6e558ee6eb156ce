"""What the environment gives of an account's token, and for which origin: credentials of systemd, files, variables."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from confere.errors import SecretUnavailable, message
from confere.system.plain_text import ascii_letters
from confere.system.secrets.origin import origin_of
from confere.system.secrets.secret import Secret, Source
from confere.system.secrets.secret_file import secret_text


@dataclass(frozen=True, slots=True)
class TokenVariables:
    """The environment `variables` as they speak of one account; `alone`: those that name no account count too."""

    account: str
    alone: bool
    variables: Mapping[str, str]

    @property
    def origin(self) -> str:
        """The origin that a variable says the others are for; empty where none says it.

        Raises `SecretUnavailable` where the variable holds no address.
        """
        for name in (origin_variable(self.account), *(["CONFERE_TOKEN_ORIGIN"] if self.alone else [])):
            value = self.variables.get(name, "").strip()
            if value:
                origin = origin_of(value)
                if not origin:
                    raise SecretUnavailable(
                        message("The variable {name} does not hold an address.", name=name),
                        message("Give the address as the hub shows it, for example https://api.example.com/v2."),
                    )
                return origin
        return ""

    @property
    def files(self) -> list[Path]:
        """Token files that variables name, the most exact first."""
        named = [self.variables.get(file_variable(self.account), "")]
        if self.alone:
            named.append(self.variables.get("CONFERE_TOKEN_FILE", ""))
        return [Path(name).expanduser() for name in named if name.strip()]

    def credential(self) -> Secret | None:
        """What systemd hands to this service for the account."""
        folder = self.variables.get("CREDENTIALS_DIRECTORY")
        credential = Path(folder) / credential_name(self.account) if folder else None
        if credential is None or not credential.is_file():
            return None
        return Secret(token_in(credential, private=False), Source.CREDENTIAL)

    def value(self) -> Secret | None:
        """What a variable holds itself. `SecretUnavailable` where that is no token."""
        for name in (environment_name(self.account), *(["CONFERE_TOKEN"] if self.alone else [])):
            value = self.variables.get(name, "").strip()
            if value:
                if not is_plausible(value):
                    raise SecretUnavailable(
                        message("The variable {name} does not hold a token.", name=name),
                        message("A token is one line of letters, digits and signs without accents; copy it again."),
                    )
                return Secret(value, Source.ENVIRONMENT)
        return None


def environment_name(account: str) -> str:
    """The variable for one account: `Loja São João` is `CONFERE_TOKEN_LOJA_SAO_JOAO`."""
    name = _safe(account, "_").upper()
    # An account called "file" must not be read from CONFERE_TOKEN_FILE, which names a file; "origin" neither.
    return f"CONFERE_TOKEN__{name}" if name.startswith(("FILE", "ORIGIN")) else f"CONFERE_TOKEN_{name}"


def file_variable(account: str) -> str:
    """The variable that names one account's token file: `CONFERE_TOKEN_FILE_LOJA_SAO_JOAO`."""
    return f"CONFERE_TOKEN_FILE_{_safe(account, '_').upper()}"


def origin_variable(account: str) -> str:
    """The variable that names the address which the account's other variables are for, where nobody gave it a token
    here: `CONFERE_TOKEN_ORIGIN_LOJA_SAO_JOAO`."""
    return f"CONFERE_TOKEN_ORIGIN_{_safe(account, '_').upper()}"


def credential_name(account: str) -> str:
    """The systemd credential of one account: `Loja São João` is `confere-loja-sao-joao`."""
    return f"confere-{_safe(account, '-')}"


def token_in(path: Path, *, private: bool) -> str:
    token = secret_text(path, private=private)
    if not is_plausible(token):
        raise SecretUnavailable(
            message("The file {path} does not hold a token.", path=str(path)),
            message("Put the token alone into it, on one line."),
        )
    return token


def is_plausible(token: str) -> bool:
    """What a header can carry: printable ASCII. Anything else would break the request, or smuggle a header."""
    return bool(token) and all(" " <= letter <= "~" for letter in token)


def _safe(account: str, separator: str) -> str:
    """ASCII letters and digits of `account` with `separator` between the words, in lower case."""
    plain = ascii_letters(account).lower()
    words = re.findall(r"[a-z0-9]+", plain)
    return separator.join(words) or hashlib.sha256(account.encode()).hexdigest()[:8]
