"""`confere pdf`: papers as PDF, DANFE and DACTE where they have one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from confere.cli.context import Face
from confere.cli.json.encoder import Shape, each_of
from confere.cli.options import document_name, options, typed_values
from confere.errors import UsageFault, message
from confere.system import formatting
from confere.system.messages import ngettext, render, t
from confere.system.plain_text import plain

if TYPE_CHECKING:
    from confere.app.documents.print_pdf import PrintResult

_MOST_REASONS = 8  # different ones that people are shown


def pdf(
    face: Face,
    name: Annotated[
        list[str] | None,
        typer.Argument(
            metavar=document_name.FORMS,
            help=document_name.FORMS_HELP,
        ),
    ] = None,
    month: options.Month = None,
    company: Annotated[
        str | None,
        typer.Option("--company", metavar="CNPJ", help=t("Documents that this company emitted or received.")),
    ] = None,
    event: Annotated[
        int | None,
        typer.Option("--event", metavar="N", min=1, help=t("The Nth event of the document, in the document's place.")),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", metavar="FILE|DIR", help=t("Where to (default: this folder, under a name of its own).")
        ),
    ] = None,
) -> int:
    """1 where a paper has no PDF, or the user stopped it."""
    days = typed_values.days(None, None, month)
    owner = typed_values.tax_id(company) if company is not None else None
    by_query = month is not None or owner is not None
    if bool(name) == by_query:
        raise UsageFault(
            message("Say what to print: papers by name, or a month or company, not both."),
            message("See {command}.", command="confere pdf --help"),
        )
    if event is not None and len(name or ()) != 1:
        raise UsageFault(message("--event is for one document."), message("Give its key, and nothing else."))
    from confere.app.documents import browse, print_pdf

    names = tuple(document_name.exact(face, typed) for typed in name or ())
    query = browse.DocumentQuery(company=owner, from_day=days.from_day, to_day=days.to_day, descending=False)
    choice = print_pdf.PrintChoice(names, query if by_query else None, event, output)
    with face.job() as reporter:
        result = print_pdf.print_papers(face.workspace, choice, reporter=reporter, stop=face.stop)
    code = 1 if result.failed or result.stopped else 0
    face.out.result(_shape(result), code)
    if face.out.for_people:
        _tell(face, result)
    return code


def _shape(result: PrintResult) -> Shape:
    from confere.app.documents.print_pdf import By

    return {
        "documents": each_of(result.printed, "access_key", "sha256", "path", "pages", "size", "by", "why"),
        "failures": each_of(result.failed, "access_key", "sha256", "why"),
        "counts": {
            "library": result.count(By.LIBRARY),
            "own": result.count(By.OWN),
            "already": result.already,
            "failed": len(result.failed),
        },
        "stopped": result.stopped,
    }


def _tell(face: Face, result: PrintResult) -> None:
    from confere.app.documents.print_pdf import By

    out = face.out
    if len(result.printed) == 1 and not result.failed and not result.already:
        printed = result.printed[0]
        out.aside(t("Written to {path}.", path=printed.path))
        if printed.why is not None:
            out.aside(render(printed.why))
        return
    library, own = result.count(By.LIBRARY), result.count(By.OWN)
    count = len(result.printed)
    out.aside(
        f"{ngettext('{count} PDF', '{count} PDFs', count)}: "
        f"{ngettext('{count} official form', '{count} official forms', library)}, "
        f"{ngettext('{count} plain rendering', '{count} plain renderings', own)}."
    )
    reasons: dict[str, int] = {}
    for printed in result.printed:
        if printed.why is not None:
            reasons[render(printed.why)] = reasons.get(render(printed.why), 0) + 1
    for reason, times in sorted(reasons.items(), key=lambda pair: -pair[1])[:_MOST_REASONS]:
        out.aside(f"  {formatting.count(times)} × {plain(reason)}")
    if result.already:
        out.aside(
            ngettext(
                "{count} was there already and was left as it is.",
                "{count} were there already and were left as they are.",
                result.already,
            )
        )
    for lack in result.failed[:_MOST_REASONS]:
        out.aside(f"{plain(lack.asked or lack.access_key or lack.sha256)}: {plain(render(lack.why))}")
    if len(result.failed) > _MOST_REASONS:
        out.aside(t("… and {count} more without a PDF.", count=formatting.count(len(result.failed) - _MOST_REASONS)))
    if result.stopped:
        out.aside(t("It was stopped; what was done is kept. Start it again to go on from there."))
