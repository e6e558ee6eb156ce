"""The summary of a document as data: sections of labelled lines, which the summary draws and copies."""

from __future__ import annotations

from dataclasses import dataclass

from confere.app import words
from confere.app.browsing import DocumentRow, FullDocument, HubWord, PartyRow, VoidingRow
from confere.desktop.details import wording
from confere.desktop.details.loaded import Loaded
from confere.fiscal.model import Warning
from confere.fiscal.traits import asks_attention, explain
from confere.system import figures
from confere.system.messages import render, t

PLAIN, STRONG, MUTED, WARN, BAD = "text", "strong", "muted", "warn", "bad"


@dataclass(frozen=True, slots=True)
class Line:
    """A text in a rank; `link` is the row of the document that it leads to."""

    text: str
    rank: str = PLAIN
    link: int | None = None


@dataclass(frozen=True, slots=True)
class Fact:
    """A label with what there is to say; nothing to say is no fact."""

    label: str
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Section:
    title: str
    facts: tuple[Fact, ...]


def of(loaded: Loaded) -> tuple[Section, ...]:
    """The sections that have something to say, in the order in which a person asks."""
    full, row = loaded.full, loaded.full.row
    found = [_warnings(full)]
    if row is None:
        found.append(
            _section(
                t("Document"),
                _fact(t("Document"), t("It is not in the archive; only events of it are."), rank=WARN),
                _fact(t("Access key"), words.key_groups(full.access_key or "")),
            )
        )
    elif row.type != "voiding":
        found.append(_document(row, full))
    found.append(_section(t("Parties"), *(_party(entry, loaded.hidden) for entry in full.parties)))
    if full.voiding is not None:
        found.append(_voiding(full.voiding, loaded.hidden))
    elif row is not None and row.type != "other":
        found.append(_authorization(row))
    found += [_hub(word) for word in full.hub]
    found.append(_versions(full))
    found.append(_origin(full))
    return tuple(section for section in found if section.facts)


def as_text(sections: tuple[Section, ...]) -> str:
    """The same as plain text, for the clipboard."""
    lines: list[str] = []
    for section in sections:
        lines += ["", section.title] if lines else [section.title]
        for fact in section.facts:
            said = "; ".join(line.text for line in fact.lines)
            lines.append(f"{fact.label}: {said}" if fact.label else said)
    return "\n".join(lines)


def _section(title: str, *facts: Fact | None) -> Section:
    return Section(title, tuple(fact for fact in facts if fact is not None))


def _fact(label: str, text: str | None, rank: str = PLAIN) -> Fact | None:
    return Fact(label, (Line(text, rank),)) if text else None


def _warnings(full: FullDocument) -> Section:
    row = full.row
    found = () if row is None else sorted(row.warnings, key=lambda entry: not asks_attention(entry[0]))
    said = {render(explain(Warning(code, detail))): WARN if asks_attention(code) else MUTED for code, detail in found}
    others = sum(1 for entry in full.versions if row is None or entry.id != row.id)
    if others:
        # The law knows one content of a key: another one is a mistake of somebody's, or worse.
        warned = t("Other contents came under the same key: {count}. See below.", count=figures.count(others))
        said = {warned: WARN, **said}
    return _section(t("Worth knowing"), *(_fact("", text, rank) for text, rank in said.items()))


def _document(row: DocumentRow, full: FullDocument) -> Section:
    goods = [entry.total for entry in full.items if entry.total is not None]
    total = figures.money(row.total)
    return _section(
        t("Document"),
        _fact(t("Total"), total, STRONG),
        _fact(t("Sum of the items"), figures.money(sum(goods)) if goods and sum(goods) != row.total else None),
        _fact(t("Issued"), figures.moment(row.issued_at)),
        _fact(t("Operation"), words.operation_word(row.operation)),
        _fact(t("Nature"), row.nature),
        _fact(t("Purpose"), wording.purpose(row)),
        _fact(t("Direction"), words.direction_word(row.direction)),
        _fact("CFOP", (row.cfops or "").replace(",", ", ")),
        _fact(t("Layout"), row.layout),
        _fact(t("Order in the XML"), row.order_hint),
        _fact(t("External id"), row.external_id if row.external_id != row.order_hint else None),
    )


def _party(party: PartyRow, hidden: bool) -> Fact | None:
    name = words.person_name(party.name, party.tax_id, hidden)
    tax_id = words.tax_id_word(party.tax_id, hidden)
    registration = t("State registration {number}", number=party.state_registration) if party.state_registration else ""
    place = "/".join(filter(None, (party.city, party.uf)))
    lines = [Line(name, STRONG)] if name else []
    lines += [Line(text, MUTED) for text in (tax_id, registration, place) if text]
    return Fact(words.role_word(party.role), tuple(lines)) if lines else None


def _authorization(row: DocumentRow) -> Section:
    return _section(
        t("Authorization"),
        _fact(t("State"), f"{words.state_word(row.state)} ({row.cstat})" if row.cstat else words.state_word(row.state)),
        _fact(t("Protocol"), row.protocol),
        _fact(t("Authorized"), figures.moment(row.authorized_at)),
        _fact(t("Environment"), words.environment_word(row.environment)),
    )


def _voiding(void: VoidingRow, hidden: bool) -> Section:
    span = f"{void.first}" if void.first == void.last else t("{first} to {last}", first=void.first, last=void.last)
    return _section(
        t("Numbers that will not be used"),
        _fact(t("Numbers"), span if void.first is not None else None, STRONG),
        _fact(t("Series"), None if void.series is None else str(void.series)),
        _fact(t("Model"), void.model),
        _fact(t("Year"), f"20{void.year}" if void.year and len(void.year) == 2 else void.year),
        _fact(t("Emitter"), words.tax_id_word(void.emitter, hidden)),
        _fact(t("Reason"), void.reason),
        _fact(t("Answer"), void.cstat),
        _fact(t("Protocol"), void.protocol),
        _fact(t("Registered"), figures.moment(void.registered_at)),
    )


def _hub(word: HubWord) -> Section:
    shown = {word.type, word.subtype, word.cfop, word.document_type_value, word.marketplace, word.order_id}
    rest = [
        (name, value)
        for name, value in word.metadata
        if value and value not in shown and name not in ("number", "series", "emitter")
    ]
    return _section(
        t("The hub says ({account})", account=word.account),
        _fact(t("Marketplace"), word.marketplace),
        _fact(t("Order"), word.order_id),
        _fact(t("Type"), " · ".join(filter(None, (word.type, words.operation_word(word.subtype))))),
        _fact("CFOP", word.cfop),
        _fact(t("Created at"), wording.hub_moment(word.created_at)),
        _fact(t("Changed at"), wording.hub_moment(word.updated_at)),
        *(_fact(name, value) for name, value in rest),
        _fact("ID", word.hub_id, MUTED),
        _fact(t("Records kept"), figures.count(word.records) if word.records > 1 else None, MUTED),
    )


def _versions(full: FullDocument) -> Section:
    here = full.row.id if full.row is not None else None
    return _section(
        t("Other contents came under the same key"),
        *(
            Fact(words.state_word(entry.state), (Line(entry.sha256[:16] + "…", link=entry.id),))
            for entry in full.versions
            if entry.id != here
        ),
    )


def _origin(full: FullDocument) -> Section:
    row = full.row
    return _section(
        t("In the archive"),
        Fact(t("Came from"), tuple(Line(source) for source in full.sources)) if full.sources else None,
        _fact("SHA-256", row.sha256 if row is not None else None, MUTED),
    )
