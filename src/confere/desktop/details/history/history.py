"""A document's history as a list: issued, authorized, each event, and what only the hub tells."""

from __future__ import annotations

from dataclasses import dataclass

from confere.app.documents.full_document import EventRow, FullDocument, LoneAnswer
from confere.app.documents.view import detail_text, labelled_fields
from confere.app.documents.view.facts import Fact
from confere.app.documents.view.loaded import Loaded
from confere.app.labels import labels
from confere.desktop.details import document_files
from confere.desktop.dialogs.saving.save_xml import Content
from confere.fiscal.authenticity.verdict import Verdict
from confere.fiscal.warnings import asks_attention, explain
from confere.system import formatting
from confere.system.messages import render, t


@dataclass(frozen=True, slots=True)
class HistoryEvent:
    """One thing that happened. `kind` is good, bad, warn or neutral; what did not take effect is not `effective`.

    `quote` is what its author wrote; `lines` are particulars; `from_hub`: the hub says so, no paper here does.
    `verdict` is on the event's own paper, `fields` are everything that it says, labelled.
    """

    moment: str
    title: str
    kind: str = "neutral"
    effective: bool = True
    quote: str = ""
    lines: tuple[str, ...] = ()
    content: Content | None = None
    from_hub: bool = False
    verdict: Verdict | None = None
    fields: tuple[Fact, ...] = ()


def of(loaded: Loaded) -> tuple[HistoryEvent, ...]:
    """Oldest first; what only the hub tells comes at the end, apart."""
    full = loaded.view.full
    found = [*_beginning(full)]
    copies: dict[tuple[str | None, int | None], int] = {}
    for event in full.events:
        if not event.is_current:
            copies[event.code, event.sequence] = copies.get((event.code, event.sequence), 0) + 1
    files = {entry.sha256: entry for entry in document_files.every(full)}
    names = {entry.tax_id: entry.name for entry in full.parties if entry.tax_id and entry.name}
    for event in full.events:
        if event.is_current:
            found.append(_event(event, copies.get((event.code, event.sequence), 0), names, loaded, files))
    found += [_answer(entry, files) for entry in full.answers]
    return (*found, *_told_by_hub(full))


def _beginning(full: FullDocument) -> list[HistoryEvent]:
    row, void = full.row, full.voiding
    if void is not None:
        line = t("Protocol {number}", number=void.protocol) if void.protocol else ""
        registered = row is not None and row.state == "voided"
        return [
            HistoryEvent(
                formatting.moment(void.registered_at),
                t("Numbers voided") if registered else t("Voiding without registration"),
                "neutral" if registered else "warn",
                registered,
                quote=void.reason or "",
                lines=(line,) if line else (),
            )
        ]
    if row is None or row.type == "other":
        return []
    found = [HistoryEvent(formatting.moment(row.issued_at), t("Issue"))] if row.issued_at else []
    if row.cstat is None:
        return [*found, HistoryEvent("", t("No protocol of authorization in the file"), "warn", False)]
    lines = [t("Protocol {number}", number=row.protocol)] if row.protocol else []
    # What was cancelled later was authorized first; the row's own state says how it ended.
    title, kind = {
        "denied": (t("Denial"), "bad"),
        "rejected": (t("Rejection"), "bad"),
    }.get(row.state, (t("Authorization"), "good"))
    lines.append(t("Answer of the authority: {code}", code=labels.answer_word(row.cstat)))
    return [
        *found,
        HistoryEvent(formatting.moment(row.authorized_at), title, kind, kind == "good", lines=(" · ".join(lines),)),
    ]


def _answer(answer: LoneAnswer, files: dict[str, Content]) -> HistoryEvent:
    lines = [t("Answer of the authority: {code}", code=labels.answer_word(answer.cstat) or "-")]
    lines += [t("Protocol {number}", number=answer.number)] if answer.number else []
    why = [] if answer.doubt is None else [render(answer.doubt)]
    return HistoryEvent(
        formatting.moment(answer.received_at),
        t("Answer of the authority in a file of its own"),
        "info" if answer.doubt is None else "warn",
        answer.doubt is None,
        lines=(" · ".join(lines), *why),
        content=files.get(answer.sha256),
    )


def _event(
    event: EventRow, copies: int, names: dict[str, str], loaded: Loaded, files: dict[str, Content]
) -> HistoryEvent:
    hidden = loaded.hidden
    whole = loaded.view.whole.events.get(event.id)
    title = labels.event_word(event.code, event.description, event.access_key)
    title = title[:1].upper() + title[1:]
    if event.sequence and event.sequence > 1:
        title = t("{event} no. {number}", event=title, number=event.sequence)
    lines = []
    if event.author:
        name = labels.person_name(names.get(event.author), event.author, hidden)
        tax_id = labels.tax_id_word(event.author, hidden)
        lines.append(t("By {name}", name=f"{name} ({tax_id})" if name else tax_id))
    if event.registered:
        parts = [t("Registered {moment}", moment=formatting.moment(event.registered_at)).strip()]
        parts += [t("protocol {number}", number=event.protocol)] if event.protocol else []
        lines.append(", ".join(parts))
        if event.reason:
            lines.append(" – ".join(filter(None, (event.cstat, event.reason))))
    else:
        lines.append(
            t("Not registered: {reason}", reason=event.reason or event.cstat or t("no answer of the authority"))
        )
    if event.embedded:
        lines.append(t("Inside the file of the document"))
    doubt = loaded.view.full.doubts.get(event.id)
    if doubt is not None:
        lines.append(render(doubt))
    if copies:
        lines.append(t("Further copies kept: {count}", count=formatting.count(copies)))
    lines += [render(explain(warning)) for warning in event.warnings if asks_attention(warning.code)]
    takes_effect = event.registered and doubt is None
    kind = "warn" if not takes_effect else "bad" if event.code in ("110111", "110112") else "info"
    return HistoryEvent(
        formatting.moment(event.occurred_at or event.registered_at),
        title,
        kind,
        event.registered,
        (whole.text if whole is not None else None) or event.text or "",
        tuple(lines),
        files.get(event.sha256),
        verdict=loaded.verdict_of(event),
        fields=labelled_fields.facts(whole.fields, loaded.options) if whole is not None else (),
    )


def _told_by_hub(full: FullDocument) -> list[HistoryEvent]:
    """What the hub's own history has that no paper here proves: entries whose protocol stands on none."""
    proven = {event.protocol for event in full.events if event.protocol}
    if full.row is not None and full.row.protocol:
        proven.add(full.row.protocol)
    if full.voiding is not None and full.voiding.protocol:
        proven.add(full.voiding.protocol)
    found = {}
    for word in full.hub:
        for line in word.history:
            if line.protocol is None or line.protocol not in proven:
                lines = [t("Protocol {number}", number=line.protocol)] if line.protocol else []
                lines += [line.description] if line.description else []
                title = detail_text.hub_status(line.status) or t("no status")
                title = title[:1].upper() + title[1:]
                told = HistoryEvent(detail_text.hub_moment(line.at), title, lines=tuple(lines), from_hub=True)
                found[told] = told
    return list(found.values())
