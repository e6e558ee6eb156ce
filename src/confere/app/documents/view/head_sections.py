"""The first sections of the summary: how a document stands, what is wrong with it, and what kind of paper it is."""

from __future__ import annotations

from confere.app.documents.browse import DocumentRow
from confere.app.documents.full_document import FullDocument
from confere.app.documents.view import detail_text, verdict_text
from confere.app.documents.view.facts import MUTED, STRONG, WARN, Fact, FactLine, Section, fact, section
from confere.app.documents.view.loaded import Loaded
from confere.app.labels import labels
from confere.errors import NC_
from confere.fiscal.authenticity.verdict import Result
from confere.fiscal.detail import Detail, HeadDetail, NoteDetail
from confere.fiscal.document_models import TYPE_OF_MODEL
from confere.fiscal.document_parts import Warning
from confere.fiscal.law import field_text
from confere.fiscal.model import Voiding
from confere.fiscal.state import Ground
from confere.fiscal.warnings import asks_attention, explain
from confere.system import formatting
from confere.system.messages import render, t


def situation(loaded: Loaded) -> Section:
    """The effective state with its reason, and what the hub says otherwise."""
    row, standing = loaded.view.full.row, loaded.view.standing
    if row is None:
        return section(
            t("Situation"),
            fact("", t("The document itself is not in the archive; only events of it are."), rank=WARN),
            fact(t("Access key"), labels.key_groups(loaded.view.full.access_key or "")),
        )
    word = labels.state_word(row.state if standing is None else standing.state)
    lines = [FactLine(word[:1].upper() + word[1:], STRONG)]
    if standing is not None:
        lines.append(FactLine(render(standing.reason), MUTED))
        is_contradicted = standing.ground is Ground.CONTRADICTED
        stands_on = t("Stands on: {ground}", ground=labels.ground_word(standing.ground))
        lines.append(FactLine(stands_on, WARN if is_contradicted else MUTED))
    return section(
        t("Situation"),
        Fact("", tuple(lines)) if row.type != "other" else None,
        *((verdict_text.whole(loaded.verdict),) if loaded.verdict is not None and is_authentic(loaded) else ()),
        *(Fact("", (FactLine(render(entry), WARN),), mark="warn") for entry in loaded.view.disagreements),
    )


def warnings(loaded: Loaded) -> Section:
    """What is worth knowing: what asks attention first."""
    full, row = loaded.view.full, loaded.view.full.row
    found = () if row is None else sorted(row.warnings, key=lambda entry: not asks_attention(entry[0]))
    said = {render(explain(Warning(code, detail))): asks_attention(code) for code, detail in found}
    others = sum(1 for entry in full.versions if row is None or entry.id != row.id)
    if others:
        # The law knows one content of a key: another one is a mistake of somebody's, or worse.
        warned = t("Other contents came under the same key: {count}. See below.", count=formatting.count(others))
        said = {warned: True, **said}
    said.update({render(problem): True for problem in loaded.problems})
    return section(
        t("Worth knowing"),
        *(
            Fact("", (FactLine(text, WARN if asks else MUTED),), mark="warn" if asks else "not_applicable")
            for text, asks in said.items()
        ),
    )


def is_authentic(loaded: Loaded) -> bool:
    """Whether no line of the verdict asks to be looked at first."""
    return loaded.verdict is not None and loaded.verdict.result is Result.OK


def verdict(loaded: Loaded) -> Section:
    """Whether the document is authentic, line by line."""
    found = loaded.verdict
    return section(t("Authenticity"), *(() if found is None else verdict_text.facts(found)))


def document(loaded: Loaded) -> Section:
    """What kind of paper it is."""
    row, detail = loaded.view.full.row, loaded.view.detail
    if row is None or row.type == "voiding":
        return section("")
    goods = [item.total_cents for item in loaded.view.full.items if item.total_cents is not None]
    note = detail if isinstance(detail, NoteDetail) else None
    paper = loaded.view.whole.document if note is not None else None
    return section(
        t("Document"),
        fact(t("Total"), formatting.money(row.total), STRONG),
        fact(t("Sum of the items"), formatting.money(sum(goods)) if goods and sum(goods) != row.total else None),
        fact(t("Issued"), formatting.moment(row.issued_at)),
        fact(t("Exit or entry"), formatting.moment(note.left_at) if note else None),
        fact(t("Operation"), labels.operation_word(row.operation)),
        fact(t("Root element") if row.type == "other" else t("Nature"), row.nature),
        fact(t("Purpose"), detail_text.purpose(row)),
        fact(t("In or out"), labels.direction_word(row.direction)),
        fact("CFOP", (row.cfops or "").replace(",", ", ")),
        fact(t("Destination"), field_text.meaning("idDest", paper.destination) if paper else None),
        fact(t("Final consumer"), field_text.meaning("indFinal", note.final_consumer) if note else None),
        fact(t("Presence of the buyer"), field_text.meaning("indPres", note.presence) if note else None),
        fact(t("Marketplace (infIntermed)"), labels.tax_id_word(row.intermediary)),
        fact(t("Emission"), _emission(detail)),
        fact(t("Layout"), row.layout),
        fact(t("Order in the XML"), row.order_hint),
        fact(t("External id"), row.external_id if row.external_id != row.order_hint else None),
    )


def authorization(row: DocumentRow) -> Section:
    """What the authority answered."""
    return section(
        t("Authorization"),
        fact(t("Protocol"), row.protocol),
        fact(t("Answer"), labels.answer_word(row.cstat)),
        fact(t("Authorized"), formatting.moment(row.authorized_at)),
        fact(t("Environment"), labels.environment_word(row.environment)),
    )


def voiding(void: Voiding, hidden: bool) -> Section:
    """Which numbers will not be used."""
    span = f"{void.first}" if void.first == void.last else t("{first} to {last}", first=void.first, last=void.last)
    return section(
        t("Numbers that will not be used"),
        fact(t("Numbers"), span if void.first is not None else None, STRONG),
        fact(t("Series"), None if void.series is None else str(void.series)),
        fact(t("Model"), _model(void.model)),
        fact(t("Year"), f"20{void.year}" if void.year and len(void.year) == 2 else void.year),
        fact(t("Emitter"), labels.tax_id_word(void.emitter, hidden)),
        fact(t("Reason"), void.reason),
        fact(t("Answer"), labels.answer_word(void.cstat)),
        fact(t("Protocol"), void.protocol),
        fact(t(NC_("moment", "Registered")), formatting.moment(void.registered_at)),
    )


def _model(code: str | None) -> str | None:
    kind = TYPE_OF_MODEL.get(code or "")
    return f"{code} – {labels.type_word(kind)}" if kind is not None else code


def unreadable(loaded: Loaded) -> Section:
    """Why a file is no document."""
    file = loaded.unreadable
    if file is None:
        return section("")
    problem = render(file.problem)
    return section(
        t("This file cannot be read"),
        Fact("", (FactLine(problem[:1].upper() + problem[1:], WARN),), mark="warn"),
        fact("", t("It is kept byte for byte as it came. Ask whoever sent it for the right file, and import that.")),
        fact(t("Size"), formatting.size(file.size)),
    )


def _emission(detail: Detail | None) -> str | None:
    """How it was emitted, where that is out of the ordinary."""
    if detail is None or isinstance(detail, HeadDetail) or detail.emission_type in (None, "1"):
        return None
    return field_text.meaning("tpEmis", detail.emission_type)


def versions(full: FullDocument) -> Section:
    """Other contents under the same key."""
    here = full.row.id if full.row is not None else None
    return section(
        t("Other contents came under the same key"),
        *(
            Fact(
                f"{labels.state_word(entry.state)}, {labels.verdict_word(entry.verdict_word)}",
                (FactLine(entry.sha256, link=entry.id),),
            )
            for entry in full.versions
            if entry.id != here
        ),
    )
