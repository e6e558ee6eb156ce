"""One document in full, for people: its facts, parties, items, events, relations and what the hub says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.console import RenderableType
from rich.text import Text

from confere.app.documents.view import detail_text
from confere.app.labels import labels as words_of
from confere.cli import tables
from confere.cli.render import cte_view, fields, head_view, labels, nfe_view
from confere.fiscal.authenticity.verdict import CheckLine, Result, Verdict
from confere.fiscal.detail import Fields, FreightDetail, HeadDetail, NoteDetail
from confere.fiscal.document_models import TYPE_OF_MODEL
from confere.fiscal.document_parts import Item, Warning
from confere.fiscal.law import codes
from confere.fiscal.model import DocumentType, Voiding
from confere.fiscal.warnings import explain
from confere.system import formatting
from confere.system.messages import render, t
from confere.system.plain_text import plain

if TYPE_CHECKING:
    from confere.app.documents.browse import DocumentRow, EventRow, FullDocument, HubWord
    from confere.app.documents.show import ShownDocument

_CORRECTION = "infCorrecao/"  # of a CT-e; the event's words tell it line by line
_MARKS = {Result.OK: "✓", Result.FAILED: "✗", Result.NOT_APPLICABLE: "–", Result.UNCHECKED: "?", Result.TEST: "•"}


def parts(shown: ShownDocument, most: int | None) -> list[RenderableType]:
    """What to print, in order; of items and carried documents the first `most`, None for all."""
    found, detail = shown.view.full, shown.view.detail
    made: list[RenderableType] = [_head(shown)]
    _worth_knowing(made, shown)
    _verdict(made, shown)
    _parties(made, shown)
    if found.voiding is not None:
        _voiding(made, found.voiding, found)
    if isinstance(detail, NoteDetail):
        nfe_view.items(made, detail.items, most)
        nfe_view.rest(made, detail)
    elif isinstance(detail, FreightDetail):
        cte_view.parts(made, detail, most)
    elif isinstance(detail, HeadDetail):
        head_view.parts(made, detail)
    elif found.items:
        _items(made, found.items, most)
    _events(made, shown)
    _answers(made, shown.view.full)
    _relations(made, found)
    for word in found.hub:
        _hub(made, word)
    _rest(made, found)
    return made


def _voiding(made: list[RenderableType], void: Voiding, found: FullDocument) -> None:
    who = [found.row.emitter_name if found.row is not None else None, labels.tax_id_word(void.emitter)]
    year = f"20{void.year}" if void.year is not None and len(void.year) == 2 else void.year
    kind = TYPE_OF_MODEL.get(void.model or "")
    fields.facts_section(
        made,
        t("Numbers that will not be used"),
        [
            (t("Emitter"), " · ".join(filter(None, who))),
            (t("Model"), f"{void.model} – {labels.type_word(kind)}" if kind is not None else void.model),
            (t("Series"), void.series),
            (t("Year"), year),
            (t("From"), void.first),
            (t("To"), void.last),
            (t("Reason"), void.reason),
        ],
    )


def _parties(made: list[RenderableType], shown: ShownDocument) -> None:
    detail = shown.view.detail
    if detail is not None and detail.parties:
        facts: fields.Facts = []
        for party in detail.parties:
            head, *rest = fields.party_facts(party)
            facts += [head, *((f"  {label}", said) for label, said in rest)]
        fields.facts_section(made, t("Parties"), facts)
    elif shown.view.full.parties and shown.view.full.voiding is None:
        rows = [
            (
                labels.role_word(entry.role),
                labels.tax_id_word(entry.tax_id),
                entry.name or "",
                " ".join(filter(None, (entry.city, entry.uf))),
            )
            for entry in shown.view.full.parties
        ]
        headers = [t("Role"), t("CNPJ or CPF"), t("Name"), t("City")]
        fields.section(made, t("Parties"), tables.table(headers, rows))


def _items(made: list[RenderableType], items: Sequence[Item], most: int | None) -> None:
    """Of a paper that cannot be read again: what the archive's rows have."""
    rows = [
        (
            "" if entry.number is None else str(entry.number),
            entry.code or "",
            entry.description or "",
            entry.ncm or "",
            entry.cfop or "",
            "" if entry.quantity is None else f"{entry.quantity:f}",
            entry.unit or "",
            formatting.money(entry.total_cents),
        )
        for entry in (items if most is None else items[:most])
    ]
    headers = ["#", t("Code"), t("Description"), "NCM", "CFOP", t("Quantity"), t("Unit"), t("Total")]
    fields.section(made, t("Items"), tables.table(headers, rows, right=(0, 5, 7)))


def _head(shown: ShownDocument) -> RenderableType:
    found, standing = shown.view.full, shown.view.standing
    row = found.row
    why = render(standing.reason) if standing is not None else ""
    if row is None:
        return tables.facts(
            [(t("Access key"), found.access_key), (t("Document"), t("not here; only events of it are")), ("", why)]
        )
    return tables.facts(
        [
            (t("Document"), f"{labels.type_word(row.type)} {labels.number_word(row.series, row.number)}".strip()),
            (t("Access key"), row.access_key),
            (t("State"), _state(row)),
            ("", why),
            (t("Stands on"), words_of.ground_word(row.state_ground if standing is None else standing.ground)),
            (t("Issued"), formatting.moment(row.issued_at)),
            (t("Authorized"), formatting.moment(row.authorized_at)),
            (t("Protocol"), row.protocol),
            *_nature(row),
            (t("Operation"), labels.operation_word(row.operation)),
            (t("Purpose"), _purpose(row)),
            (t("Marketplace (infIntermed)"), words_of.tax_id_word(row.intermediary)),
            ("CFOP", (row.cfops or "").replace(",", ", ")),
            (t("Total"), formatting.money(row.total)),
            (t("Environment"), t("test: no fiscal value") if row.environment == "2" else ""),
            (t("Row"), row.id),
            ("SHA-256", row.sha256),
        ]
    )


def _nature(row: DocumentRow) -> fields.Facts:
    """Of a voiding this column holds the reason, of XML that is not read its root element."""
    if row.type == DocumentType.VOIDING:
        return []
    return [(t("Root element") if row.type == DocumentType.OTHER else t("Nature"), row.nature)]


def _purpose(row: DocumentRow) -> str:
    """What a note is issued for, with the type of a credit or debit note; nothing of a normal one."""
    if row.type not in (DocumentType.NFE, DocumentType.NFCE) or row.purpose in (None, "1"):
        return ""
    told = [codes.word("finNFe", row.purpose), codes.word("tpNFCredito", row.credit_type)]
    told.append(codes.word("tpNFDebito", row.debit_type))
    return ": ".join(render(entry) for entry in told if entry is not None)


def _state(row: DocumentRow) -> str:
    return f"{labels.state_word(row.state)} ({row.cstat})" if row.cstat else labels.state_word(row.state)


def _worth_knowing(made: list[RenderableType], shown: ShownDocument) -> None:
    """Warnings of the paper, where the hub says otherwise, and what could not be found out."""
    row = shown.view.full.row
    told = [*shown.view.disagreements, *shown.problems]
    told += [explain(Warning(code, detail)) for code, detail in row.warnings] if row is not None else []
    if told:
        fields.section(made, t("Worth knowing"), *(Text(f"- {plain(render(entry))}") for entry in told))


def _verdict(made: list[RenderableType], shown: ShownDocument) -> None:
    """The document's own; those of its events stand with them."""
    for entry in shown.view.verdicts:
        if entry.judged.kind != "event" and (shown.view.full.row is None or entry.sha256 == shown.view.full.row.sha256):
            verdict = entry.verdict
            rows = [
                (_MARKS[line.result], words_of.check_word(line.check), words_of.result_word(line.word), _why(line))
                for line in verdict.lines
            ]
            title = f"{t('Authenticity')}: {words_of.verdict_word(verdict.word)}"
            fields.section(made, title, tables.table(["", t("Check"), t("Result"), t("Why")], rows))


def _why(line: CheckLine) -> str:
    return render(line.why) if line.why is not None else ""


def _events(made: list[RenderableType], shown: ShownDocument) -> None:
    current = [entry for entry in shown.view.full.events if entry.is_current]
    if not current:
        return
    fields.section(made, t("Events"))
    for entry in current:
        made.append(tables.facts((plain(label), said) for label, said in _event(entry, shown)))
        made.append(Text(""))
    made.pop()


def _answers(made: list[RenderableType], found: FullDocument) -> None:
    if not found.answers:
        return
    fields.section(made, t("Answers of the authority in files of their own"))
    for entry in found.answers:
        lines = [
            (formatting.moment(entry.received_at) or "–", f"{entry.cstat or '-'} {entry.reason or ''}".strip()),
            (t("Protocol"), entry.number),
            (t("Not believed"), "" if entry.doubt is None else render(entry.doubt)),
            ("SHA-256", entry.sha256),
        ]
        made.append(tables.facts((plain(label), said) for label, said in lines))


def _event(entry: EventRow, shown: ShownDocument) -> fields.Facts:
    name = words_of.event_word(entry.code, entry.description, entry.access_key)
    whole = shown.view.whole.events.get(entry.id)
    verdict = next(
        (
            found.verdict
            for found in shown.view.verdicts
            if found.judged.kind == "event"
            and (found.sha256, found.judged.code, found.judged.sequence) == (entry.sha256, entry.code, entry.sequence)
        ),
        None,
    )
    missing = t("no: {reason}", reason=entry.reason or entry.cstat or "-")
    doubt = shown.view.full.doubts.get(entry.id)
    return [
        (formatting.moment(entry.occurred_at) or "–", f"{name} ({entry.code} · {entry.sequence})"),
        (t("Registered"), formatting.moment(entry.registered_at) or t("yes") if entry.registered else missing),
        (t("Protocol"), entry.protocol),
        (t("Author"), labels.tax_id_word(entry.author)),
        (t("Authenticity"), "" if verdict is None else _event_verdict(verdict)),
        (t("Not believed"), "" if doubt is None else render(doubt)),
        *_said(entry.text, whole.fields if whole is not None else ()),
        ("SHA-256", entry.sha256),
    ]


def _said(told: str | None, found: Fields) -> fields.Facts:
    """What an event says, its author's words once: under their own name where one field holds them all."""
    rest = tuple(
        (path, text) for path, text in found if path.rpartition("/")[2] not in ("descEvento", "xDesc")
    )  # the head names it
    if not told or any(text == told for _, text in rest):
        return fields.fields(rest)
    lines = set(told.splitlines())
    rest = tuple(
        (path, text) for path, text in rest if _CORRECTION not in path and not lines.issuperset(text.splitlines())
    )
    return [(t("Text"), told), *fields.fields(rest)]


def _event_verdict(verdict: Verdict) -> str:
    """The whole of it, then the lines that failed or could not be asked."""
    wrong = [line for line in verdict.lines if line.result in (Result.FAILED, Result.UNCHECKED, Result.TEST)]
    told = [f"{words_of.check_word(line.check)}: {_why(line)}" for line in wrong]
    return "; ".join((words_of.verdict_word(verdict.word), *told))


def _relations(made: list[RenderableType], found: FullDocument) -> None:
    rows = [(entry, entry.target_key, False) for entry in found.relations]
    rows += [(entry, entry.source_key, True) for entry in found.related_by]
    if not rows:
        return
    fields.section(made, t("Relations"))
    made.append(
        tables.table(
            [t("This document"), t("Access key"), t("Says"), t("Here")],
            [
                (
                    labels.relation_word(entry.kind, reverse=reverse),
                    key,
                    labels.claims_word(entry.claims),
                    t("yes") if entry.archived else t("not in the archive"),
                )
                for entry, key, reverse in rows
            ],
        )
    )


def _hub(made: list[RenderableType], word: HubWord) -> None:
    fields.section(made, t("What the hub says ({account})", account=plain(word.account)))
    made.append(
        tables.facts(
            [
                (t("Subtype"), word.subtype),
                (t("Marketplace"), word.marketplace),
                (t("Order"), word.order_id),
                (t("Created at"), detail_text.hub_moment(word.created_at)),
                (t("Changed at"), detail_text.hub_moment(word.updated_at)),
                (t("No longer listed since"), detail_text.hub_moment(word.gone_since)),
                ("ID", word.hub_id),
            ]
        )
    )
    if word.history:
        made.append(
            tables.table(
                [t("When"), t("Status"), t("Protocol"), t("Description")],
                [
                    (detail_text.hub_moment(line.at), line.status or "", line.protocol or "", line.description or "")
                    for line in word.history
                ],
            )
        )


def _rest(made: list[RenderableType], found: FullDocument) -> None:
    if found.versions:
        fields.section(made, t("Other contents came under the same key"))
        made.append(
            tables.table(
                [t("Row"), "SHA-256", t("State"), t("Authenticity")],
                [
                    (
                        str(entry.id),
                        entry.sha256,
                        labels.state_word(entry.state),
                        words_of.verdict_word(entry.verdict_word),
                    )
                    for entry in found.versions
                    if found.row is None or entry.id != found.row.id
                ],
            )
        )
    if found.sources:
        fields.section(made, t("Came from"))
        made += [Text(plain(source), overflow="fold") for source in found.sources]
