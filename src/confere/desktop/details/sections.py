"""The summary of a document as data: sections of labelled lines, in the order in which a person asks."""

from __future__ import annotations

from confere.app import words
from confere.app.browsing import HubWord
from confere.desktop.details import (
    summary_fields,
    summary_freight,
    summary_head,
    summary_note,
    summary_parties,
    summary_service,
    wording,
)
from confere.desktop.details.facts import MUTED, Fact, Line, Section, fact, section
from confere.desktop.details.loaded import Loaded
from confere.fiscal.detail import FreightDetail, HeadDetail, NoteDetail
from confere.system import figures
from confere.system.messages import t


def of(loaded: Loaded) -> tuple[Section, ...]:
    """The sections that have something to say."""
    if loaded.unreadable is not None:
        found = [summary_head.unreadable(loaded), _origin(loaded)]
        return tuple(entry for entry in found if entry.facts)
    full, row, detail = loaded.full, loaded.full.row, loaded.detail
    doubted = not summary_head.is_authentic(loaded)
    found = [
        summary_head.situation(loaded),
        summary_head.warnings(loaded),
        *([summary_head.verdict(loaded)] if doubted else []),
        summary_head.document(loaded),
        summary_parties.parties(loaded),
    ]
    match detail:
        case NoteDetail():
            found += summary_note.sections(detail, loaded.hidden)
        case FreightDetail():
            found += summary_freight.sections(detail, loaded)
        case HeadDetail():
            found += summary_service.sections(detail)
    if full.voiding is not None:
        found.append(summary_head.voiding(full.voiding, loaded.hidden))
    elif row is not None and row.type != "other":
        found.append(summary_head.authorization(row))
    found += [] if doubted else [summary_head.verdict(loaded)]  # a page of check marks is not what one comes for
    found += [_hub(word) for word in full.hub]
    found += [summary_head.versions(full), _origin(loaded)]
    if detail is not None:
        found += summary_fields.sections(detail, loaded.hidden)
    return tuple(entry for entry in found if entry.facts)


def _hub(word: HubWord) -> Section:
    shown = {word.type, word.subtype, word.cfop, word.document_type_value, word.marketplace, word.order_id}
    rest = [
        (name, value)
        for name, value in word.metadata
        if value and value not in shown and name not in ("number", "series", "emitter")
    ]
    return section(
        t("The hub says ({account})", account=word.account),
        fact(t("Marketplace"), word.marketplace),
        fact(t("Order"), word.order_id),
        fact(t("Type"), " · ".join(filter(None, (word.type, words.operation_word(word.subtype))))),
        fact("CFOP", word.cfop),
        fact(t("Created at"), wording.hub_moment(word.created_at)),
        fact(t("Changed at"), wording.hub_moment(word.updated_at)),
        fact(t("No longer listed since"), wording.hub_moment(word.gone_since)),
        *(fact(name, value) for name, value in rest),
        fact("ID", word.hub_id, MUTED),
        fact(t("Records kept"), figures.count(word.records) if word.records > 1 else None, MUTED),
    )


def _origin(loaded: Loaded) -> Section:
    sources, row = loaded.full.sources, loaded.full.row
    sha256 = loaded.unreadable.sha256 if loaded.unreadable is not None else row.sha256 if row is not None else None
    return section(
        t("In the archive"),
        Fact(t("Came from"), tuple(Line(source) for source in sources)) if sources else None,
        fact("SHA-256", sha256, MUTED),
    )
