"""One document in full, for people: its facts, parties, items, events, relations and what the hub says."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from rich.console import RenderableType
from rich.text import Text

from confere.cli import tables, words
from confere.cli.output import clean
from confere.fiscal.model import Warning
from confere.fiscal.periods import BRASILIA
from confere.fiscal.traits import explain
from confere.system import figures
from confere.system.messages import render, t

if TYPE_CHECKING:
    from confere.app.browsing import DocumentRow, FullDocument, HubWord


def parts(found: FullDocument) -> list[RenderableType]:
    """What to print, in order."""
    made: list[RenderableType] = [_head(found)]
    if found.parties:
        _section(made, t("Parties"))
        made.append(
            tables.table(
                [t("Role"), t("CNPJ or CPF"), t("Name"), t("City")],
                [
                    (
                        words.role_word(entry.role),
                        words.tax_id_word(entry.tax_id),
                        entry.name or "",
                        " ".join(filter(None, (entry.city, entry.uf))),
                    )
                    for entry in found.parties
                ],
            )
        )
    if found.voiding is not None:
        void = found.voiding
        _section(made, t("Numbers that will not be used"))
        made.append(
            tables.facts(
                [
                    (t("From"), void.first),
                    (t("To"), void.last),
                    (t("Year"), void.year),
                    (t("Reason"), void.reason),
                ]
            )
        )
    if found.items:
        _section(made, t("Items"))
        made.append(
            tables.table(
                ["#", t("Code"), t("Description"), "NCM", "CFOP", t("Quantity"), t("Unit"), t("Total")],
                [
                    (
                        "" if entry.number is None else str(entry.number),
                        entry.code or "",
                        entry.description or "",
                        entry.ncm or "",
                        entry.cfop or "",
                        entry.quantity or "",
                        entry.unit or "",
                        figures.money(entry.total),
                    )
                    for entry in found.items
                ],
                right=(0, 5, 7),
            )
        )
    _events(made, found)
    _relations(made, found)
    for word in found.hub:
        _hub(made, word)
    _rest(made, found)
    return made


def _head(found: FullDocument) -> RenderableType:
    row = found.row
    if row is None:
        return tables.facts(
            [(t("Access key"), found.access_key), (t("Document"), t("not here; only events of it are"))]
        )
    return tables.facts(
        [
            (t("Document"), f"{words.type_word(row.type)} {words.number_word(row.series, row.number)}".strip()),
            (t("Access key"), row.access_key),
            (t("State"), _state(row)),
            (t("Issued"), figures.moment(row.issued_at)),
            (t("Authorized"), figures.moment(row.authorized_at)),
            (t("Protocol"), row.protocol),
            (t("Nature"), row.nature),
            (t("Operation"), words.operation_word(row.operation)),
            ("CFOP", (row.cfops or "").replace(",", ", ")),
            (t("Total"), figures.money(row.total)),
            (t("Environment"), t("test: no fiscal value") if row.environment == "2" else ""),
            (t("Row"), row.id),
            ("SHA-256", row.sha256),
        ]
    )


def _state(row: DocumentRow) -> str:
    return f"{words.state_word(row.state)} ({row.cstat})" if row.cstat else words.state_word(row.state)


def _events(made: list[RenderableType], found: FullDocument) -> None:
    current = [entry for entry in found.events if entry.is_current]
    if not current:
        return
    _section(made, t("Events"))
    made.append(
        tables.table(
            [t("When"), t("Event"), t("Registered"), t("Text")],
            [
                (
                    figures.moment(entry.occurred_at),
                    f"{entry.description or ''} ({entry.code} · {entry.sequence})".strip(),
                    t("yes") if entry.registered else t("no: {reason}", reason=entry.reason or entry.cstat or "-"),
                    entry.words or "",
                )
                for entry in current
            ],
        )
    )


def _relations(made: list[RenderableType], found: FullDocument) -> None:
    rows = [(entry, entry.target_key, False) for entry in found.relations]
    rows += [(entry, entry.source_key, True) for entry in found.related_by]
    if not rows:
        return
    _section(made, t("Relations"))
    made.append(
        tables.table(
            [t("This document"), t("Access key"), t("Says"), t("Here")],
            [
                (
                    words.relation_word(entry.kind, reverse=reverse),
                    key,
                    words.claims_word(entry.claims),
                    t("yes") if entry.archived else t("not in the archive"),
                )
                for entry, key, reverse in rows
            ],
        )
    )


def _hub(made: list[RenderableType], word: HubWord) -> None:
    _section(made, t("What the hub says ({account})", account=clean(word.account)))
    made.append(
        tables.facts(
            [
                (t("Subtype"), word.subtype),
                (t("Marketplace"), word.marketplace),
                (t("Order"), word.order_id),
                (t("Created at"), _local(word.created_at)),
                (t("Changed at"), _local(word.updated_at)),
                ("ID", word.hub_id),
            ]
        )
    )
    if word.history:
        made.append(
            tables.table(
                [t("When"), t("Status"), t("Protocol"), t("Description")],
                [
                    (_local(at), status or "", protocol or "", description or "")
                    for status, at, protocol, _item_id, description in word.history
                ],
            )
        )


def _local(written: str | None) -> str:
    """A time of the hub as people in Brazil read it: what is in UTC is not a local time."""
    try:
        moment = datetime.fromisoformat(written or "")
    except ValueError:
        return written or ""
    return figures.moment(moment.astimezone(BRASILIA) if moment.utcoffset() == timedelta(0) else moment)


def _rest(made: list[RenderableType], found: FullDocument) -> None:
    if found.row is not None and found.row.warnings:
        _section(made, t("Worth knowing"))
        made += [Text(f"- {clean(render(explain(Warning(code, detail))))}") for code, detail in found.row.warnings]
    if found.versions:
        _section(made, t("Other contents came under the same key"))
        made.append(
            tables.table(
                [t("Row"), "SHA-256", t("State")],
                [(str(entry.id), entry.sha256, words.state_word(entry.state)) for entry in found.versions],
            )
        )
    if found.sources:
        _section(made, t("Came from"))
        made += [Text(clean(source), overflow="fold") for source in found.sources]


def _section(made: list[RenderableType], title: str) -> None:
    made += [Text(""), Text(title, style="bold")]
