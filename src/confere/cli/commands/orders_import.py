"""`confere orders import`: orders out of a CSV or XLSX file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from confere.cli import desk_options, order_reports, order_shapes, tables
from confere.cli.face import Face
from confere.system import figures
from confere.system.messages import t

if TYPE_CHECKING:
    from confere.app.ordering import Preview


def orders_import(
    face: Face,
    file: Annotated[Path, typer.Argument(metavar="FILE", help=t("A list of orders: CSV or XLSX."))],
    account: desk_options.Account = None,
    map: Annotated[
        list[str] | None,
        typer.Option(
            "--map",
            metavar="COLUMN=FIELD,…",
            help=t("What columns mean, where their names do not tell; kept for the account. - leaves a column out."),
        ),
    ] = None,
    forget_map: Annotated[
        bool,
        typer.Option("--forget-map", metavar="", help=t("Forget what earlier files told of columns.")),
    ] = False,
    sheet: Annotated[str | None, typer.Option("--sheet", metavar="NAME", help=t("Which sheet of a workbook."))] = None,
    preview: Annotated[
        bool, typer.Option("--preview", metavar="", help=t("Show how the file would be read; write nothing."))
    ] = False,
) -> int:
    """1 where lines could not be read or the user stopped it."""
    from confere.app import ordering

    mapping = ordering.parse_mapping(map)
    if preview:
        found = ordering.preview(face.workspace, file, account=account, mapping=mapping, sheet=sheet, forget=forget_map)
        return _preview(face, found)
    with face.job() as reporter:
        result = ordering.import_file(
            face.workspace,
            file,
            account=account,
            mapping=mapping,
            sheet=sheet,
            forget=forget_map,
            reporter=reporter,
            stop=face.stop,
        )
    code = 1 if result.unreadable or result.stopped else 0
    face.out.result(order_shapes.imported(result), code)
    if face.out.for_people:
        order_reports.imported(face.out, result)
    return code


def _preview(face: Face, found: Preview) -> int:
    face.out.result(order_shapes.preview(found))
    if face.out.for_people:
        unused = [
            order_reports.name_of(name, name in found.remembered) for name in found.columns if name not in found.mapping
        ]
        face.out.print(
            tables.facts(
                [
                    (t("Lines"), figures.count(found.lines)),
                    (t("Orders"), figures.count(found.orders)),
                    (t("Lines of sums left out"), figures.count(found.left_out) if found.left_out else ""),
                    (t("Columns"), order_reports.columns(found.mapping, found.remembered)),
                    (t("Not used"), "; ".join(unused)),
                    (t("Sheets"), "; ".join(found.sheets)),
                ]
            ),
            "",
            tables.table(found.columns, found.rows),
        )
        order_reports.problems(face.out, found.problems)
        order_reports.statuses(face.out, found.unknown_statuses)
        face.out.aside(t("Nothing was written. Without --preview the orders are brought in."))
    return 0
