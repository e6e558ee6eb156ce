"""`confere list`: find documents."""

from __future__ import annotations

import dataclasses
from typing import Annotated

import typer

from confere.app.labels import labels
from confere.cli import list_saving, tables
from confere.cli.context import Face
from confere.cli.json import json_shapes
from confere.cli.options import document_filters, option_values, option_words, options, typed_values
from confere.errors import UsageFault, message
from confere.system import formatting
from confere.system.messages import ngettext, render, t
from confere.system.plain_text import plain

# `browse.SORTS`, which is not loaded to explain a command.
_SORTS = (
    *("issued", "number", "type", "counterparty", "operation", "marketplace", "order", "total", "state", "warnings"),
    *("verdict", "ground", "emitter", "recipient"),
)


def list_(
    face: Face,
    words: document_filters.Words = None,
    company: document_filters.Company = None,
    month: options.Month = None,
    first: options.From = None,
    last: options.To = None,
    type: document_filters.Type = None,
    state: document_filters.State = None,
    verdict: document_filters.Verdict = None,
    ground: document_filters.Ground = None,
    direction: document_filters.Direction = None,
    marketplace: document_filters.Marketplace = None,
    subtype: document_filters.Subtype = None,
    order: document_filters.Order = None,
    number: document_filters.Number = None,
    series: document_filters.Series = None,
    cfop: document_filters.Cfop = None,
    account: document_filters.Account = None,
    with_findings: document_filters.WithFindings = False,
    no_longer_listed: document_filters.NoLongerListed = False,
    tag: document_filters.Tag = None,
    saved: document_filters.Saved = None,
    sort: Annotated[
        str,
        typer.Option(
            "--sort",
            metavar="FIELD",
            help=t(
                "{words} (default: {default}).",
                words=option_words.listed(_SORTS, option_values.DOCUMENT_SORTS),
                default=option_words.shown("issued", option_values.DOCUMENT_SORTS),
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
    save_xml: list_saving.SaveXml = None,
    save_pdf: list_saving.SavePdf = None,
    xlsx: list_saving.ToXlsx = None,
    csv: list_saving.ToCsv = None,
    replace: list_saving.Replace = False,
    hide_people: options.HidePeople = False,
    ids_from: list_saving.RowsFrom = None,
) -> int:
    """0: an empty list is an answer too. 1 where something was to be saved and could not be."""
    plan = list_saving.SavePlan(save_xml, save_pdf, xlsx, csv, replace, hide_people, ids_from)
    list_saving.check(plan)
    from confere.app.documents import browse

    base = document_filters.query(
        company=company,
        days=typed_values.days(first, last, month),
        type=type,
        state=state,
        verdict=verdict,
        ground=ground,
        direction=direction,
        marketplace=marketplace,
        subtype=subtype,
        order=order,
        number=number,
        series=series,
        cfop=cfop,
        account=account,
        with_findings=with_findings,
        no_longer_listed=no_longer_listed,
        tag=tag,
    )
    way = typed_values.choice("--sort", sort, browse.SORTS, option_values.DOCUMENT_SORTS)
    query = document_filters.understood(words, dataclasses.replace(base, sort=way, descending=not ascending))
    if saved is not None:
        query = document_filters.within(face, saved, query)
    if plan.targets:
        if not_understood or not_believed or unreadable:
            raise UsageFault(
                message("What has no document cannot be saved as one."),
                message("Use the list without --unreadable, --not-believed and --not-understood."),
            )
        from confere.app.selection.document_files import document_files

        return list_saving.save(face, plan, document_files(query, list_saving.rows(face, plan)))
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
                "{shown} of {total} documents; those in effect are worth {worth}.",
                shown=formatting.count(len(found.documents)),
                total=formatting.count(found.total),
                worth=formatting.money(found.worth - found.void_worth),
            )
        )
        if found.other_months is not None:
            face.out.aside(labels.other_months_text(found.other_months))
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
            ngettext(
                "{count} record that was not understood; `confere show` gives what the hub said of it.",
                "{count} records that were not understood; `confere show` gives what the hub said of each.",
                len(found),
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
            ngettext(
                "{count} event or answer that changes no state; `confere verify KEY` shows its lines.",
                "{count} events or answers that change no state; `confere verify KEY` shows their lines.",
                len(found),
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
        face.out.aside(ngettext("{count} file that cannot be read.", "{count} files that cannot be read.", len(found)))
    return 0
