"""What the panel shows of one document, read in one go beside the window."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from confere.app import browsing
from confere.app.browsing import DocumentRow, FullDocument
from confere.app.open_archive import OpenArchive
from confere.desktop.details.trail import Place

_MOST_RELATED = 2000  # a CT-e can carry that many notes; beyond, their keys are shown without their particulars


@dataclass(frozen=True, slots=True)
class Loaded:
    """A document with the rows of those it is related to, by access key.

    `own` are the tax ids of the establishments we know as ours; `hidden`: natural persons are shown by initials.
    """

    full: FullDocument
    related: Mapping[str, DocumentRow] = field(default_factory=dict)
    own: frozenset[str] = frozenset()
    hidden: bool = False

    @property
    def place(self) -> Place | None:
        row = self.full.row
        return self.full.access_key if row is None else row.id


def load(opened: OpenArchive, place: Place, hidden: bool) -> Loaded:
    """Everything about the document at `place`. Raises `NotInArchive` and what opening an archive raises."""
    full = browsing.full(opened, place) if isinstance(place, int) else browsing.named(opened, place)
    keys = [entry.target_key for entry in full.relations if entry.archived]
    keys += [entry.source_key for entry in full.related_by if entry.archived]
    ids = [browsing.id_of(opened, key) for key in dict.fromkeys(keys[:_MOST_RELATED])]
    rows = browsing.rows(opened, [number for number in ids if number is not None])
    return Loaded(full, {row.access_key: row for row in rows if row.access_key}, browsing.own_tax_ids(opened), hidden)
