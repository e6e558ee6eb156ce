"""The names of the fiscal events, by their code."""

from __future__ import annotations

from confere.errors import Message
from confere.fiscal import access_keys
from confere.fiscal.law.tables import law_tables
from confere.fiscal.state import CLOSING_MODEL


def name_of(code: str, access_key: str | None = None) -> Message | None:
    """The name of an event on the document of this key; None for a code that is not known."""
    names = law_tables("events")
    parts = access_keys.parse(access_key) if access_key else None
    if parts is not None and parts.model == CLOSING_MODEL and code in names["mdfe"]:
        return names["mdfe"][code]
    return names["documents"].get(code)
