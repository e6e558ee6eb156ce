"""Accounting systems by name: how a package for each is laid out, and what is known of what it imports."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, Final, NamedTuple

from confere.app.documents.search.search_fields import Word
from confere.errors import UsageFault, message
from confere.system.messages import language
from confere.system.plain_text import folded
from confere.system.resources import resource

STANDARD: Final = "standard"
_STANDARD_WORD: Final = Word(STANDARD, "padrão", STANDARD, "estándar")


class ImportFact(NamedTuple):
    """Something that is known of a system, in the language in use.

    `confidence`: `maker`, `third_party` or `not_confirmed`; `source` is an address, None where nothing was found.
    """

    text: str
    confidence: str
    source: str | None


@dataclass(frozen=True, slots=True)
class AccountingSystem:
    """How a system is handed a month. `folder` and `document` are templates; None for the standard ones."""

    name: str
    title: str
    profile: str
    form: str
    events: str
    folder: str | None
    document: str | None
    facts: tuple[ImportFact, ...]

    @property
    def word(self) -> str:
        """Its name as a person types it, in the language in use."""
        return _word(self.name)


def every() -> tuple[AccountingSystem, ...]:
    """All that have a name here, the standard first."""
    return tuple(_system(name, entry) for name, entry in _table().items())


def named(name: str) -> AccountingSystem:
    """The system called `name`; `UsageFault` where there is none."""
    code = _code(name)
    entry = _table().get(code)
    if entry is None:
        raise UsageFault(
            message("{value} is not a known accounting system.", value=name),
            message("Choose one of: {known}.", known=", ".join(map(_word, _table()))),
        )
    return _system(code, entry)


def _code(name: str) -> str:
    wanted = folded(name.strip())
    return STANDARD if wanted in map(folded, _STANDARD_WORD.every) else wanted


def _word(code: str) -> str:
    """What a person types for the system, in the language in use: all but the standard one are proper names."""
    return _STANDARD_WORD.here if code == STANDARD else code


@cache
def _table() -> dict[str, dict[str, Any]]:
    import tomllib

    with resource("filing", "systems.toml").open("rb") as file:
        return tomllib.load(file)


def _system(name: str, entry: dict[str, Any]) -> AccountingSystem:
    spoken = language()
    return AccountingSystem(
        name,
        entry["title"],
        entry["profile"],
        entry["form"],
        entry["events"],
        entry.get("folder"),
        entry.get("document"),
        tuple(
            ImportFact(fact.get(spoken) or fact["en"], fact["confidence"], fact.get("source"))
            for fact in entry["facts"]
        ),
    )
