"""The summary of a document as data: sections of labelled lines, in the order in which a person asks."""

from __future__ import annotations

from confere.app.documents.full_document import HubWord
from confere.app.documents.view import (
    cte_sections,
    detail_text,
    head_sections,
    nfe_sections,
    nfse_sections,
    other_fields,
    party_sections,
)
from confere.app.documents.view.facts import MUTED, Fact, FactLine, Section, fact, section
from confere.app.documents.view.loaded import Loaded
from confere.app.labels import labels
from confere.app.labels.marketplace_labels import marketplace_word
from confere.fiscal import document_models
from confere.fiscal.detail import FreightDetail, HeadDetail, NoteDetail
from confere.system import formatting
from confere.system.messages import t


def of(loaded: Loaded) -> tuple[Section, ...]:
    """The sections that have something to say."""
    if loaded.unreadable is not None:
        sections = [head_sections.unreadable(loaded), _origin(loaded)]
        return tuple(section for section in sections if section.facts)
    return (*head(loaded), *contents(loaded), *archived(loaded))


def head(loaded: Loaded) -> tuple[Section, ...]:
    """How the document stands, what kind of paper it is, and between whom."""
    doubted = not head_sections.is_authentic(loaded)
    sections = [
        head_sections.situation(loaded),
        head_sections.warnings(loaded),
        *([head_sections.verdict(loaded)] if doubted else []),
        head_sections.document(loaded),
        party_sections.parties(loaded),
    ]
    return tuple(section for section in sections if section.facts)


def contents(loaded: Loaded) -> tuple[Section, ...]:
    """What the paper says below its parties and items, and what the authority answered."""
    full, row, detail = loaded.view.full, loaded.view.full.row, loaded.view.detail
    sections: list[Section] = []
    match detail:
        case NoteDetail():
            sections += nfe_sections.sections(detail, loaded)
        case FreightDetail():
            sections += cte_sections.sections(detail, loaded)
        case HeadDetail():
            sections += nfse_sections.sections(detail)
    if full.voiding is not None:
        sections.append(head_sections.voiding(full.voiding, loaded.hidden))
    elif row is not None and row.type != "other":
        sections.append(head_sections.authorization(row))
    if head_sections.is_authentic(loaded):
        sections.append(head_sections.verdict(loaded))  # a page of check marks is not what one comes for
    return tuple(section for section in sections if section.facts)


def archived(loaded: Loaded) -> tuple[Section, ...]:
    """What the hubs say of it, where it came from, and every other field."""
    full, detail = loaded.view.full, loaded.view.detail
    sections = [*(_hub(word) for word in full.hub), head_sections.versions(full), _origin(loaded)]
    if detail is not None:
        sections += other_fields.sections(detail, loaded.options)
    return tuple(section for section in sections if section.facts)


def _hub(word: HubWord) -> Section:
    shown = {word.type, word.subtype, word.cfop, word.document_type_value, word.marketplace, word.order_id}
    rest = [
        (name, value)
        for name, value in word.metadata
        if value and value not in shown and name not in ("number", "series", "emitter")
    ]
    return section(
        t("The hub says ({account})", account=word.account),
        fact(t("Marketplace"), marketplace_word(word.marketplace)),
        fact(t("Order"), word.order_id),
        fact(t("Type"), " · ".join(filter(None, (_type(word.type), labels.operation_word(word.subtype))))),
        fact("CFOP", word.cfop),
        fact(t("Created at"), detail_text.hub_moment(word.created_at)),
        fact(t("Changed at"), detail_text.hub_moment(word.updated_at)),
        fact(t("No longer listed since"), detail_text.hub_moment(word.gone_since)),
        *(fact(name, value) for name, value in rest),
        fact("ID", word.hub_id, MUTED),
        fact(t("Records kept"), formatting.count(word.records) if word.records > 1 else None, MUTED),
    )


def _type(code: str | None) -> str | None:
    """`NF-e` for the hub's `NFE`; what is not known stays as it is."""
    return code and (document_models.type_name(code.strip().lower()) or code)


def _origin(loaded: Loaded) -> Section:
    sources, row = loaded.view.full.sources, loaded.view.full.row
    sha256 = loaded.unreadable.sha256 if loaded.unreadable is not None else row.sha256 if row is not None else None
    return section(
        t("In the archive"),
        Fact(t("Came from"), tuple(FactLine(source) for source in sources)) if sources else None,
        fact("SHA-256", sha256, MUTED),
    )
