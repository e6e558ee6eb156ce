"""The JSON of declarations of completeness."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from confere.system.messages import render

if TYPE_CHECKING:
    from confere.errors import Message
    from confere.sales.declarations import Declaration


def declaration(found: Declaration) -> dict[str, Any]:
    """What a person declared complete."""
    return {
        "id": found.id,
        "account": found.account,
        "what": found.what.value,
        "month": found.month,
        "marketplaces": list(found.marketplaces),
        "file": found.file,
        "sha256": found.sha256,
        "at": found.at,
        "actor": found.actor,
        "revoked_at": found.revoked_at,
        "revoked_by": found.revoked_by,
    }


def declared(found: Iterable[Declaration], why_not: Message | None) -> dict[str, Any]:
    """What an import declared, and why it did not."""
    return {
        "declared": [declaration(entry) for entry in found],
        "not_declared": None if why_not is None else render(why_not),
    }
