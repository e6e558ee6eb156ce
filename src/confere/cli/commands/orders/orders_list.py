"""`confere orders list`: find orders."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import typer

from confere.app.labels import labels, reconciliation_labels
from confere.cli import list_saving
from confere.cli.context import Face
from confere.cli.json import order_json
from confere.cli.options import option_words, options, reconciliation_options, typed_values
from confere.cli.render import order_view
from confere.sales.bridge import NO_MARKETPLACE, NONE_NAMED
from confere.system import formatting
from confere.system.messages import render, t

_WORDS = reconciliation_labels.status_words


def orders_list(
    face: Face,
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="WORDS", help=t("An order's number, a key, a CPF or CNPJ, or the buyer's name.")),
    ] = None,
    account: Annotated[
        str | None, typer.Option("--account", metavar="NAME", help=t("Only this account's orders."))
    ] = None,
    company: reconciliation_options.Company = None,
    month: options.Month = None,
    first: options.From = None,
    last: options.To = None,
    status: Annotated[
        list[str] | None,
        typer.Option(
            "--status",
            metavar="STATUS",
            help=t(
                "A status as the list shows it, such as {words}; may be repeated.",
                words=option_words.listed(
                    ("PAID_WAITING_SHIP", "INVOICED", "CANCELED"), reconciliation_labels.status_words
                ),
            ),
        ),
    ] = None,
    marketplace: Annotated[
        str | None,
        typer.Option("--marketplace", metavar="MARKETPLACE", help=t("As the hub writes it; - for what names none.")),
    ] = None,
    without_invoice: Annotated[
        bool,
        typer.Option("--without-invoice", metavar="", help=t("That name no invoice and have no document linked.")),
    ] = False,
    transmission_error: Annotated[
        bool,
        typer.Option("--transmission-error", metavar="", help=t("That could not be told to their marketplace.")),
    ] = False,
    of_no_company: Annotated[
        bool,
        typer.Option("--of-no-company", metavar="", help=t("That nothing tells the company of.")),
    ] = False,
    limit: Annotated[int, typer.Option("--limit", metavar="N", min=0, help=t("At most this many (default: 50)."))] = 50,
    every: Annotated[bool, typer.Option("--all", metavar="", help=t("Without a limit."))] = False,
    hide_people: options.HidePeople = False,
    save_xml: list_saving.SaveXml = None,
    save_pdf: list_saving.SavePdf = None,
    xlsx: list_saving.ToXlsx = None,
    csv: list_saving.ToCsv = None,
    replace_file: list_saving.Replace = False,
    ids_from: list_saving.RowsFrom = None,
) -> int:
    """0: an empty list is an answer too. 1 where something was to be saved and could not be."""
    plan = list_saving.SavePlan(save_xml, save_pdf, xlsx, csv, replace_file, hide_people, ids_from)
    list_saving.check(plan)
    days = typed_values.days(first, last, month)
    from confere.app.labels.finding_labels import of_no_company_sentence
    from confere.app.labels.people import hidden_order
    from confere.app.orders import orders

    query = orders.OrderQuery(
        from_day=days.from_day,
        to_day=days.to_day,
        statuses=typed_values.choices(
            "--status",
            status,
            orders.statuses(face.workspace, account) if status else (),
            reconciliation_labels.status_words,
        ),
        marketplaces=() if marketplace is None else (NO_MARKETPLACE if marketplace == NONE_NAMED else marketplace,),
        text=" ".join(words or ()),
        without_invoice=without_invoice,
        transmission_failed=transmission_error,
        company=None if company is None else typed_values.tax_id(company),
        of_no_company=of_no_company,
    )
    if plan.targets:
        from confere.app.selection.order_files import order_files

        return list_saving.save(face, plan, order_files(query, account, list_saving.rows(face, plan)))
    found = orders.find(face.workspace, query, account=account, limit=None if every else limit)
    if hide_people:
        found = replace(found, orders=tuple(map(hidden_order, found.orders)))
    face.out.result(order_json.listing(found))
    if face.out.for_people:
        if found.orders:
            face.out.print(order_view.orders(found.orders, hidden=face.hides_people))
        face.out.aside(
            t("1 order.")
            if found.total == len(found.orders) == 1
            else t(
                "{shown} of {total} orders.",
                shown=formatting.count(len(found.orders)),
                total=formatting.count(found.total),
            )
        )
        if found.other_months is not None:
            face.out.aside(labels.other_months_text(found.other_months))
        if found.of_no_company:
            face.out.aside(of_no_company_sentence(found.of_no_company))
        if not found.total and query.company is not None:
            from confere.app.accounts.known_companies import why_nothing_of

            with reconciliation_options.archive_of(face) as opened:
                unknown = why_nothing_of(opened, query.company)
            if unknown is not None:
                face.out.aside(render(unknown))
    return 0
