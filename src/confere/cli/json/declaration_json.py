"""The JSON of declarations of completeness."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from confere.cli.json.encoder import Shape, fields_of

if TYPE_CHECKING:
    from confere.errors import Message
    from confere.sales.declarations import Declaration


def declaration(made: Declaration) -> Shape:
    """What a person declared complete."""
    scope = ("id", "account", "what", "month", "marketplaces")
    return fields_of(made, *scope, "file", "sha256", "at", "actor", "revoked_at", "revoked_by")


def declared(made: Iterable[Declaration], why_not: Message | None) -> Shape:
    """What an import declared, and why it did not."""
    return {"declared": [declaration(each) for each in made], "not_declared": why_not}
