"""Where mutants are drawn: a room is a set of patterns of module names. Adapt it when modules move."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import Final

from tests.house.measures.source import Module, Tree

ROOMS: Final[dict[str, tuple[str, ...]]] = {
    "linking": ("confere.reconcile.linking.*", "confere.reconcile.linker"),
    "state": ("confere.fiscal.state", "confere.fiscal.state_evidence"),
    "verdict": ("confere.fiscal.authenticity.*",),
    "cursor": ("confere.hub.listing.*", "confere.intake.listing.*"),
    "coverage": ("confere.reconcile.coverage.*", "confere.archive.hub.coverage*"),
    "vault": ("confere.archive.vault.*",),
    "naming": ("confere.export.package.paper_names", "confere.export.package.name_templates"),
    "retry": ("confere.hub.retry.*",),
    "closing": ("confere.app.closing.*",),
    "ledger": ("confere.app.ledger.*", "confere.export.ledger.*"),
}


class UnknownRoom(Exception):
    """No such room, or a pattern of it that no module answers to any more."""


def modules_of(room: str, tree: Tree) -> list[Module]:
    """The modules of a room, packages left out. Raises `UnknownRoom`."""
    if room not in ROOMS:
        raise UnknownRoom(f"There is no room {room}: {', '.join(ROOMS)}.")
    chosen: dict[str, Module] = {}
    for pattern in ROOMS[room]:
        matching = [module for module in tree if fnmatchcase(module.name, pattern) and not module.is_package]
        if not matching:
            raise UnknownRoom(f"No module is named {pattern} (room {room} in {__name__}).")
        chosen |= {module.name: module for module in matching}
    return list(chosen.values())
