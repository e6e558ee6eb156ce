"""`confere catalog push`: products of a file at the hub; shown first, sent after a yes, each row's outcome named."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from confere.cli import order_writes
from confere.cli.context import Face
from confere.cli.json import catalog_json
from confere.cli.options import reconciliation_options
from confere.cli.render import catalog_view
from confere.errors import UsageFault, message
from confere.system import formatting
from confere.system.messages import t

if TYPE_CHECKING:
    from confere.app.catalog.push_plan import PushPlan


def catalog_push(
    face: Face,
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE", help=t("Products, one SKU a row: XLSX or CSV."))
    ] = None,
    account: reconciliation_options.Account = None,
    sheet: Annotated[str | None, typer.Option("--sheet", metavar="NAME", help=t("Which sheet of a workbook."))] = None,
    template: Annotated[
        Path | None,
        typer.Option("--template", metavar="FILE", help=t("Write an empty XLSX file with every column explained.")),
    ] = None,
    preview: Annotated[
        bool, typer.Option("--preview", metavar="", help=t("Show what would be sent and send nothing."))
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", metavar="", help=t("Send without asking."))] = False,
    only_if: order_writes.OnlyIf = None,
    report: Annotated[
        Path | None,
        typer.Option("--report", metavar="FILE", help=t("Write what became of each row: XLSX or CSV.")),
    ] = None,
) -> int:
    """1 where a row is wrong, was refused or is not known to be at the hub, or where the user said no or stopped it."""
    from confere.app.catalog import push, push_files

    if template is not None:
        if file is not None:
            raise UsageFault(
                message("--template writes a file and pushes none."), message("Give one of the two files.")
            )
        push_files.write_template(template)
        face.out.result({"template": template})
        if face.out.for_people:
            face.out.aside(t("Written: {path}", path=str(template)))
        return 0
    if file is None:
        raise UsageFault(
            message("Which file shall be pushed?"),
            message("`confere catalog push FILE.xlsx`; --template FILE.xlsx writes one to fill in."),
        )
    order_writes.check_choice(preview=preview, yes=yes)
    if report is not None:
        push_files.check_report(report)
    with face.job() as reporter:
        made = push.prepare(
            face.workspace, file, account, sheet=sheet, reporter=reporter, stop=face.stop, prompt=face.prompt
        )
    if face.out.for_people:
        catalog_view.push_planned(face.out, made)
    if made.faults or preview:
        code = 1 if made.faults else 0
        face.out.result(catalog_json.pushed(made, None), code)
        return code
    if made.steps:
        order_writes.check_digest(only_if, made.digest)
    if made.steps and not yes and not _confirmed(face, made):
        face.out.aside(t("Nothing was sent."))
        return 1
    with face.job() as reporter:
        result = push.send(face.workspace, made, reporter=reporter, stop=face.stop, prompt=face.prompt)
    if report is not None:
        push_files.write_report(report, made.file.sheet, result)
    code = 0 if result.complete else 1
    face.out.result(catalog_json.pushed(made, result), code)
    if face.out.for_people:
        catalog_view.push_done(face.out, result)
        if report is not None:
            face.out.aside(t("Written: {path}", path=str(report)))
    return code


def _confirmed(face: Face, made: PushPlan) -> bool:
    if not face.interactive:
        raise UsageFault(
            message(
                "Nobody is there to confirm what would be written to the catalog of {account}.", account=made.account
            ),
            message("Look at it with --preview, then give --yes."),
        )
    count = formatting.count(len(made.steps))
    return face.confirm(message("Write {count} things to the hub of {account}?", count=count, account=made.account))
