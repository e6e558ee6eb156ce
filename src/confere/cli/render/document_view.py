"""One document in full, for people: the window's sections, with items, events, relations and the hub's history."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import RenderableType

from confere.app.documents.search.search_fields import row_name
from confere.app.documents.view import detail_text, sections
from confere.cli import tables
from confere.cli.render import labels
from confere.cli.render.event_view import add_answers, add_events
from confere.cli.render.item_tables import add_items
from confere.cli.render.section_view import add_section, add_title
from confere.errors import NC_
from confere.system.messages import t

if TYPE_CHECKING:
    from confere.app.documents.full_document import FullDocument, HubWord
    from confere.app.documents.view.loaded import Loaded


def parts(loaded: Loaded, most: int | None) -> list[RenderableType]:
    """What to print, in order; of items and carried documents the first `most`, None for all."""
    full = loaded.view.full
    made: list[RenderableType] = [_heading(loaded)]
    for section in sections.head(loaded):
        add_section(made, section)
    add_items(made, loaded, most)
    for section in sections.contents(loaded):
        if not section.in_table:
            add_section(made, section)
    add_events(made, loaded)
    add_answers(made, full)
    _add_relations(made, full)
    for word in full.hub:
        _add_hub_history(made, word)
    for section in sections.archived(loaded):
        add_section(made, section)
    return made


def _heading(loaded: Loaded) -> RenderableType:
    """What it is called, in the ways that a command takes."""
    full = loaded.view.full
    return tables.facts(
        [
            (t("Document"), detail_text.heading(loaded)),
            (t("Access key"), full.access_key),
            (t(NC_("archive", "Row")), row_name(full.row.id) if full.row is not None else None),
        ]
    )


def _add_relations(made: list[RenderableType], full: FullDocument) -> None:
    rows = [(relation, relation.target_key, False) for relation in full.relations]
    rows += [(relation, relation.source_key, True) for relation in full.related_by]
    if not rows:
        return
    cells = [
        (
            labels.relation_word(relation.kind, reverse=reverse),
            key,
            labels.claims_word(relation.claims),
            t("yes") if relation.archived else t("not in the archive"),
        )
        for relation, key, reverse in rows
    ]
    headers = [t("This document"), t("Access key"), t("Says"), t("Here")]
    add_title(made, t("Relations"), tables.table(headers, cells))


def _add_hub_history(made: list[RenderableType], word: HubWord) -> None:
    if not word.history:
        return
    cells = [
        (
            detail_text.hub_moment(line.at),
            detail_text.hub_status(line.status),
            line.protocol or "",
            line.description or "",
        )
        for line in word.history
    ]
    headers = [t("When"), t("Status"), t("Protocol"), t("Description")]
    add_title(made, t("History at the hub ({account})", account=word.account), tables.table(headers, cells))
