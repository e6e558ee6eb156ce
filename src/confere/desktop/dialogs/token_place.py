"""Where an account's token is kept, in words, and whether this system has a keyring for it."""

from __future__ import annotations

from dataclasses import dataclass

from confere.system.messages import render, t
from confere.system.secrets import system_keyring
from confere.system.secrets.token_store import Source

DEMONSTRATION = "demonstration"
"""In the place of a place: Confere starts the hub and so knows its token."""


@dataclass(frozen=True, slots=True)
class Keyring:
    """Whether this system keeps tokens by itself: the keyring's `name`, or `why` there is none, as a sentence."""

    name: str = ""
    why: str = ""

    @property
    def is_there(self) -> bool:
        return bool(self.name)


def keyring() -> Keyring:
    """The keyring in use. May wait for it."""
    try:
        return Keyring(name=system_keyring.usable())
    except system_keyring.KeyringUnusable as unusable:
        return Keyring(why=render(unusable.why))


def token_words(place: str) -> str:
    """Where a token is kept, in plain words."""
    match place:
        case Source.KEYRING:
            return t("in the system's keyring")
        case Source.FILE:
            return t("in a file that only you can read")
        case Source.CREDENTIAL:
            return t("given by the system's service manager")
        case Source.ENVIRONMENT:
            return t("in an environment variable (weak: other programs of yours can read it)")
        case Source.CONFIGURATION:
            return t("in Confere's configuration: it opens invented documents only")
        case "demonstration":
            return t("not needed: Confere starts the hub of the demonstration itself")
    return t("none yet")
