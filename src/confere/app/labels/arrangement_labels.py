"""What the audit trail calls acts on saved searches and tags, on the archive as a whole, and on the trail itself."""

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
# Acts on the archive as a whole, and on the trail itself.
MAINTAINED: Final = {
    "archive restored": N_("archive restored from a backup"),
    "archive copied": N_("archive copied from another data folder"),
    "backup drill": N_("backup restored for a trial"),
    "backup loss accepted": N_("accepted that newer backups hold less"),
    "audit text erased": N_("a text of this trail was erased"),
    "rows edited elsewhere": N_("another program edited rows of this table"),
    "rows inserted elsewhere": N_("another program put rows into this table"),
    "rows deleted elsewhere": N_("another program deleted rows of this table"),
    "rows given back": N_("rows of this table came back from a backup"),
    "rows accepted": N_("rows of this table that another program changed were accepted"),
    "rows lost": N_("rows of this table, or their seals, were lost with a damaged file"),
    "audit lines lost": N_("lines of this trail were lost with a damaged file"),
}
