"""What the audit trail says of saved searches and tags."""

from __future__ import annotations

from typing import Final

from confere.errors import N_

ARRANGED: Final = {
    "tag make": N_("tag made"),
    "tag add": N_("tag put on documents"),
    "tag remove": N_("tag taken off documents"),
    "tag rename": N_("tag renamed"),
    "tag delete": N_("tag deleted"),
    "tag restore": N_("deleted tag brought back"),
    "search save": N_("search saved"),
    "search change": N_("saved search changed"),
    "search rename": N_("saved search renamed"),
    "search remove": N_("saved search removed"),
}
"""By the action of a line."""
