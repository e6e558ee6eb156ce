"""Accounting systems by name: how a package for each is laid out, and what is known of what it imports."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, Final, NamedTuple

from confere.errors import UsageFault, message
from confere.system.messages import language
from confere.system.resources import resource

STANDARD: Final = "standard"


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


def every() -> tuple[AccountingSystem, ...]:
    """All that have a name here, the standard first."""
    return tuple(_system(name, entry) for name, entry in _table().items())


def named(name: str) -> AccountingSystem:
    """The system called `name`; `UsageFault` where there is none."""
    entry = _table().get(name.strip().lower())
    if entry is None:
        raise UsageFault(
            message("{value} is not a known accounting system.", value=name),
            message("Choose one of: {known}.", known=", ".join(_table())),
        )
    return _system(name.strip().lower(), entry)


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
