"""A secret that does not show itself, and the places where secrets are kept."""

from __future__ import annotations

import hmac
from enum import StrEnum
from typing import NoReturn

from confere.system.redaction import register_secret


class Source(StrEnum):
    """Where a token is kept, in the order in which they are asked."""

    KEYRING = "keyring"
    CREDENTIAL = "credential"  # systemd's $CREDENTIALS_DIRECTORY
    FILE = "file"
    CONFIGURATION = "configuration"  # of this installation: a sandbox's token, which is no secret
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
