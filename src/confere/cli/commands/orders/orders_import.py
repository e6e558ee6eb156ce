"""`confere orders import`: orders out of a CSV or XLSX file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from confere.cli import tables
from confere.cli.context import Face
from confere.cli.json import order_json
from confere.cli.options import declaration_options, option_words, reconciliation_options
from confere.cli.render import order_reports
from confere.sales.order import STATUS_MEANING_WORDS
from confere.system import formatting
from confere.system.messages import t

if TYPE_CHECKING:
    from confere.app.orders.orders import OrderFilePreview


def orders_import(
    face: Face,
    file: Annotated[Path, typer.Argument(metavar="FILE", help=t("A list of orders: CSV or XLSX."))],
    account: reconciliation_options.Account = None,
    map: Annotated[
        list[str] | None,
        typer.Option(
            "--map",
            metavar="COLUMN=FIELD,…",
            help=t("What columns mean, where their names do not tell; kept for the account. - leaves a column out."),
        ),
    ] = None,
    status: Annotated[
        list[str] | None,
        typer.Option(
            "--status",
            metavar="WORD=STATUS,…",
            help=t(
                "What words for statuses mean: {known}; kept for the account and marketplace.",
                known=option_words.listed(tuple(STATUS_MEANING_WORDS), option_words.of_labels(STATUS_MEANING_WORDS)),
            ),
        ),
    ] = None,
    forget_map: Annotated[
        bool,
        typer.Option("--forget-map", metavar="", help=t("Forget what earlier files told of columns and statuses.")),
    ] = False,
    sheet: Annotated[str | None, typer.Option("--sheet", metavar="NAME", help=t("Which sheet of a workbook."))] = None,
    complete: declaration_options.Complete = None,
    marketplace: Annotated[
        list[str] | None,
        typer.Option(
            "--marketplace",
            metavar="NAME",
            help=t("With --complete: only of this marketplace (default: of all); may be repeated."),
        ),
    ] = None,
    preview: Annotated[
        bool, typer.Option("--preview", metavar="", help=t("Show how the file would be read; write nothing."))
    ] = False,
) -> int:
    """1 where lines could not be read, what was declared complete is not, or the user stopped it."""
    from confere.app.orders import orders

    choice = orders.FileChoice(
        mapping=orders.parse_mapping(map),
        statuses=orders.parse_statuses(status),
        sheet=sheet,
        forget=forget_map,
        complete=declaration_options.claim(complete, marketplace),
    )
    if preview:
        return _preview(face, orders.preview(face.workspace, file, choice, account=account))
    with face.job() as reporter:
        result = orders.import_file(face.workspace, file, choice, account=account, reporter=reporter, stop=face.stop)
    code = 1 if result.unreadable or result.stopped or result.not_declared else 0
    face.out.result(order_json.imported(result), code)
    if face.out.for_people:
        order_reports.imported(face.out, result)
    return code


def _preview(face: Face, found: OrderFilePreview) -> int:
    face.out.result(order_json.preview(found))
    if face.out.for_people:
        unused = [
            order_reports.name_of(name, name in found.reading.remembered)
            for name in found.columns
            if name not in found.reading.mapping
        ]
        months = (f"{month} ({formatting.count(number)})" for month, number in found.months.items())
        face.out.print(
            tables.facts(
                [
                    (t("Lines"), formatting.count(found.lines)),
                    (t("Orders"), formatting.count(found.orders)),
                    (t("Months"), "; ".join(months)),
                    (t("Marketplaces"), "; ".join(found.marketplaces)),
                    (
                        t("Lines of sums left out"),
                        formatting.count(found.reading.left_out) if found.reading.left_out else "",
                    ),
                    (t("Columns"), order_reports.columns(found.reading.mapping, found.reading.remembered)),
                    (t("Not used"), "; ".join(unused)),
                    (t("Sheets"), "; ".join(found.sheets)),
                ]
            ),
            "",
            tables.table(found.columns, found.rows),
        )
        order_reports.problems(face.out, found.reading.problems)
        order_reports.doubts(face.out, found.reading.doubts)
        order_reports.statuses(face.out, found.reading.unknown_statuses)
        order_reports.totals(face.out, found.reading.without_total, found.orders)
        face.out.aside(t("Nothing was written. Without --preview the orders are brought in."))
    return 0
