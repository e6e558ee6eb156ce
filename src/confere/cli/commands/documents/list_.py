"""`confere list`: find documents."""

from __future__ import annotations

import dataclasses
from typing import Annotated

import typer

from confere.cli import tables
from confere.cli.commands.documents import list_saved
from confere.cli.context import Face
from confere.cli.json import json_shapes
from confere.cli.options import options, typed_values
from confere.errors import UsageFault, message
from confere.fiscal.model import DocumentType, State
from confere.fiscal.state import Ground
from confere.system import formatting
from confere.system.messages import render, t
from confere.system.plain_text import plain

DIRECTIONS = ("in", "out")

_VERDICTS = ("ok", "failed", "altered", "unchecked", "test", "none")


def list_(
    face: Face,
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="WORDS",
            help=t(
                "Names, products, a number or series/number, an order, a key or its end, an amount (121,04, 100..200), "
                "a day or month (31/10/2026, out/2026), fields such as 'value>100' or state:cancelled; "
                "joined by OR, NOT, '-word' and '( )': '(uf:SP OR uf:RJ) value>1000'."
            ),
        ),
    ] = None,
    company: Annotated[
        str | None,
        typer.Option("--company", metavar="CNPJ", help=t("Documents that this company emitted or received.")),
    ] = None,
    month: options.Month = None,
    first: options.From = None,
    last: options.To = None,
    type: Annotated[
        list[str] | None,
        typer.Option("--type", metavar="T", help=t("nfe, nfce, cte, cteos, mdfe, voiding, other; may be repeated.")),
    ] = None,
    state: Annotated[
        list[str] | None,
        typer.Option(
            "--state",
            metavar="S",
            help=t(
                "authorized, complemented, unregistered, cancelled, cancelled_late, replaced, annulled, denied, "
                "rejected, no_protocol, voided, unknown; may be repeated."
            ),
        ),
    ] = None,
    verdict: Annotated[
        list[str] | None,
        typer.Option(
            "--verdict",
            metavar="VERDICT",
            help=t(
                "On authenticity: ok, failed (altered ones too), altered, unchecked, test or none; may be repeated."
            ),
        ),
    ] = None,
    ground: Annotated[
        list[str] | None,
        typer.Option(
            "--ground",
            metavar="GROUND",
            help=t(
                "What the state stands on: authentic_event, unchecked_event, answer_alone, other_document, "
                "contradicted or nothing; may be repeated."
            ),
        ),
    ] = None,
    direction: Annotated[
        str | None, typer.Option("--direction", metavar="in|out", help=t("Goods coming in or going out."))
    ] = None,
    marketplace: Annotated[
        str | None, typer.Option("--marketplace", metavar="M", help=t("As the hub writes it."))
    ] = None,
    subtype: Annotated[
        str | None, typer.Option("--subtype", metavar="S", help=t("The hub's word, such as sale or freight."))
    ] = None,
    order: Annotated[str | None, typer.Option("--order", metavar="ID", help=t("Documents of this order."))] = None,
    number: Annotated[int | None, typer.Option("--number", metavar="N", help=t("The document's number."))] = None,
    series: Annotated[int | None, typer.Option("--series", metavar="N", help=t("The document's series."))] = None,
    cfop: Annotated[str | None, typer.Option("--cfop", metavar="CFOP", help=t("With this CFOP in any item."))] = None,
    account: Annotated[
        str | None, typer.Option("--account", metavar="NAME", help=t("Listed by this account's hub."))
    ] = None,
    with_findings: Annotated[
        bool,
        typer.Option("--with-findings", metavar="", help=t("Named by an open finding of reconciliation.")),
    ] = False,
    no_longer_listed: Annotated[
        bool, typer.Option("--gone", metavar="", help=t("No longer listed by the hub; what is here is kept."))
    ] = False,
    sort: Annotated[
        str,
        typer.Option(
            "--sort",
            metavar="BY",
            help=t(
                "issued (default), number, type, counterparty, operation, marketplace, order, total, state, warnings, "
                "verdict, ground, emitter or recipient."
            ),
        ),
    ] = "issued",
    ascending: Annotated[bool, typer.Option("--ascending", metavar="", help=t("Smallest or oldest first."))] = False,
    limit: Annotated[
        int,
        typer.Option("--limit", metavar="N", min=0, help=t("At most this many (default: 50).")),
    ] = 50,
    every: Annotated[bool, typer.Option("--all", metavar="", help=t("Without a limit."))] = False,
    unreadable: Annotated[
        bool, typer.Option("--unreadable", metavar="", help=t("What was received and cannot be read, with the reason."))
    ] = False,
    not_believed: Annotated[
        bool,
        typer.Option(
            "--not-believed",
            metavar="",
            help=t("Events and answers of the authority that change no state, with the reason."),
        ),
    ] = False,
    not_understood: Annotated[
        bool,
        typer.Option(
            "--not-understood", metavar="", help=t("Records of a hub of which no file was understood, with the reason.")
        ),
    ] = False,
    save_xml: list_saved.SaveXml = None,
    save_pdf: list_saved.SavePdf = None,
    xlsx: list_saved.ToXlsx = None,
    csv: list_saved.ToCsv = None,
    replace: list_saved.Replace = False,
    hide_people: options.HidePeople = False,
    ids_from: list_saved.RowsFrom = None,
) -> int:
    """0: an empty list is an answer too. 1 where something was to be saved and could not be."""
    plan = list_saved.SavePlan(save_xml, save_pdf, xlsx, csv, replace, hide_people, ids_from)
    list_saved.check(plan)
    days = typed_values.days(first, last, month)
    owner = typed_values.tax_id(company) if company is not None else None
    types = typed_values.choices("--type", type, tuple(DocumentType))
    states = typed_values.choices("--state", state, tuple(State))
    judged = typed_values.choices("--verdict", verdict, _VERDICTS)
    grounds = typed_values.choices("--ground", ground, tuple(Ground))
    way = typed_values.choice("--direction", direction, DIRECTIONS) if direction is not None else None
    from confere.app.documents import browse
    from confere.app.documents.search import search_language

    base = browse.DocumentQuery(
        company=owner,
        from_day=days.from_day,
        to_day=days.to_day,
        types=types,
        states=states,
        verdict=judged,
        grounds=grounds,
        direction=way,
        marketplaces=(marketplace,) if marketplace is not None else (),
        subtype=subtype,
        order_id=order,
        account=account,
        number=number,
        series=series,
        cfop=cfop,
        with_findings=True if with_findings else None,
        gone=True if no_longer_listed else None,
        sort=typed_values.choice("--sort", sort, browse.SORTS),
        descending=not ascending,
    )
    text = " ".join(words or ())
    parsed = search_language.parse(text, base)
    if parsed.problems:
        raise UsageFault(
            parsed.problems[0].what,
            message(
                "It is about character {place}: {part}. What stands in quotes within the quotes of the shell is looked "
                "for as it is: '\"ref:10\"'.",
                place=parsed.problems[0].start + 1,
                part=text[parsed.problems[0].start : parsed.problems[0].end][:60],
            ),
        )
    query = parsed.query
    if plan.targets:
        if not_understood or not_believed or unreadable:
            raise UsageFault(
                message("What has no document cannot be saved as one."),
                message("Use the list without --unreadable, --not-believed and --not-understood."),
            )
        return list_saved.save(face, plan, query)
    if not_understood:
        if unreadable or query != browse.DocumentQuery(sort=query.sort, descending=query.descending):
            raise UsageFault(
                message("Records that were not understood have no dates, parties or numbers to choose by."),
                message("Use --not-understood alone."),
            )
        return _not_understood(face)
    if not_believed:
        if unreadable or query != browse.DocumentQuery(sort=query.sort, descending=query.descending):
            raise UsageFault(
                message("What is not believed is listed whole, newest first."),
                message("Use --not-believed alone."),
            )
        return _not_believed(face)
    if unreadable:
        if query != browse.DocumentQuery(sort=query.sort, descending=query.descending):
            raise UsageFault(
                message("What cannot be read has no dates, parties or numbers to choose by."),
                message("Use --unreadable alone."),
            )
        return _unreadable(face)
    found = browse.find(face.workspace, query, None if every else limit)
    if hide_people:
        from confere.app.labels.people import hidden_document

        found = dataclasses.replace(found, documents=tuple(map(hidden_document, found.documents)))
    face.out.result(json_shapes.listing(found))
    if face.out.for_people:
        if found.documents:
            face.out.print(
                tables.documents(
                    found.documents,
                    face.out.console.width,
                    hidden=hide_people or face.hides_people,
                    reasons=found.reasons,
                )
            )
        face.out.aside(
            t("1 document, worth {worth}.", worth=formatting.money(found.worth - found.void_worth))
            if found.total == len(found.documents) == 1
            else t(
                "{shown} of {total} documents; all of them are worth {worth}.",
                shown=formatting.count(len(found.documents)),
                total=formatting.count(found.total),
                worth=formatting.money(found.worth - found.void_worth),
            )
        )
        if found.void:
            face.out.aside(
                t(
                    "Cancelled or without effect, and not summed: {count}, {worth}.",
                    count=formatting.count(found.void),
                    worth=formatting.money(found.void_worth),
                )
            )
    return 0


def _not_understood(face: Face) -> int:
    from confere.app.documents import unread_records

    found = unread_records.not_understood(face.workspace)
    face.out.result(json_shapes.not_understood(found))
    if face.out.for_people:
        for entry in found:
            face.out.print(tables.facts(tables.of_record(entry)), "")
        face.out.aside(
            t("1 record that was not understood; `confere show` gives what the hub said of it.")
            if len(found) == 1
            else t(
                "{count} records that were not understood; `confere show` gives what the hub said of each.",
                count=formatting.count(len(found)),
            )
        )
    return 0


def _not_believed(face: Face) -> int:
    from confere.app.authenticity import untrusted_events

    found = untrusted_events.not_believed(face.workspace)
    face.out.result(json_shapes.not_believed(found))
    if face.out.for_people:
        for entry in found:
            event, answer = entry.event, entry.answer
            lines = [
                (t("Access key"), plain(entry.access_key or "-")),
                (t("Event"), f"{plain(event.code or '-')}/{event.sequence or '-'}" if event is not None else ""),
                (t("Answer of the authority"), plain(answer.cstat or "-") if answer is not None else ""),
                (t("Why"), render(entry.why)),
                ("SHA-256", entry.sha256),
            ]
            face.out.print(tables.facts(lines), "")
        face.out.aside(
            t("1 event or answer that changes no state; `confere verify KEY` shows its lines.")
            if len(found) == 1
            else t(
                "{count} events or answers that change no state; `confere verify KEY` shows their lines.",
                count=formatting.count(len(found)),
            )
        )
    return 0


def _unreadable(face: Face) -> int:
    from confere.app.documents import browse

    found = browse.unreadable(face.workspace)
    face.out.result(json_shapes.unreadable(found))
    if face.out.for_people:
        for entry in found:
            lines = [(t("Problem"), render(entry.problem)), ("SHA-256", entry.sha256)]
            lines.append((t("Size"), formatting.size(entry.size)))
            lines += [(t("Came from"), plain(source)) for source in entry.sources]
            face.out.print(tables.facts(lines), "")
        face.out.aside(
            t("1 file that cannot be read.")
            if len(found) == 1
            else t("{count} files that cannot be read.", count=formatting.count(len(found)))
        )
    return 0
