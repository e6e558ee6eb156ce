"""What commands that list write instead of a list: XML, PDF or a spreadsheet of all that they would have shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from confere.app.labels import labels as words_of
from confere.cli.context import Face
from confere.cli.json.encoder import Shape, each_of, fields_of
from confere.cli.options.file_input import input_bytes
from confere.errors import UsageFault, message
from confere.system import formatting
from confere.system.files import system_words
from confere.system.messages import ngettext, render, t
from confere.system.plain_text import plain

if TYPE_CHECKING:
    from confere.app.selection.list_files import ListFiles, SavedSelection

SaveXml = Annotated[
    Path | None,
    typer.Option("--save-xml", metavar="DIR|FILE.zip", help=t("Save the XML of all of them, into a folder or a ZIP.")),
]
SavePdf = Annotated[
    Path | None, typer.Option("--save-pdf", metavar="DIR", help=t("Save the PDF of all of them into a folder."))
]
ToXlsx = Annotated[
    Path | None, typer.Option("--xlsx", metavar="FILE", help=t("Write all of them to a spreadsheet (XLSX)."))
]
ToCsv = Annotated[Path | None, typer.Option("--csv", metavar="FILE", help=t("Write all of them to a CSV file."))]
Replace = Annotated[
    bool, typer.Option("--replace", metavar="", help=t("Write over the ZIP or spreadsheet that is there."))
]
RowsFrom = Annotated[
    Path | None,
    typer.Option("--ids-from", metavar="FILE|-", help=t("Only the rows that this file names, one a line, or stdin.")),
]

_MOST_REASONS = 8  # that people are shown


@dataclass(frozen=True, slots=True)
class SavePlan:
    """Which of the files are wanted, and how. At most one of them; a list without documents has no XML and PDF."""

    xml: Path | None = None
    pdf: Path | None = None
    xlsx: Path | None = None
    csv: Path | None = None
    replace: bool = False
    hides_people: bool = False
    rows_from: Path | None = None

    @property
    def targets(self) -> tuple[Path, ...]:
        return tuple(path for path in (self.xml, self.pdf, self.xlsx, self.csv) if path is not None)


def check(plan: SavePlan) -> None:
    """`UsageFault` for a plan that cannot be meant."""
    if len(plan.targets) > 1:
        raise UsageFault(
            message("One file or folder at a time: --save-xml, --save-pdf, --xlsx or --csv."),
            message("Run the command once for each."),
        )
    if plan.targets:
        if plan.xlsx is not None and plan.xlsx.suffix.lower() != ".xlsx":
            raise UsageFault(message("A spreadsheet's name ends in {ending}.", ending=".xlsx"))
        if plan.csv is not None and plan.csv.suffix.lower() != ".csv":
            raise UsageFault(message("A spreadsheet's name ends in {ending}.", ending=".csv"))
        return
    if plan.replace or plan.rows_from is not None:
        raise UsageFault(
            message("--replace and --ids-from belong to what is saved."),
            message("Say what to save: --save-xml, --save-pdf, --xlsx or --csv."),
        )


def save(face: Face, plan: SavePlan, files: ListFiles) -> int:
    """Write what the plan says of this list; 1 where something could not be saved or somebody stopped it."""
    from confere.app.selection import pdf_files, table_file, xml_files

    with face.job() as reporter:
        if plan.xml is not None:
            saved = xml_files.save(
                face.workspace, files, plan.xml, replaces=plan.replace, reporter=reporter, stop=face.stop
            )
        elif plan.pdf is not None:
            saved = pdf_files.save(face.workspace, files, plan.pdf, reporter=reporter, stop=face.stop)
        else:
            (target,) = plan.targets
            saved = table_file.write(
                face.workspace,
                files,
                target,
                hides_people=plan.hides_people or face.hides_people,
                replaces=plan.replace,
                reporter=reporter,
                stop=face.stop,
            )
    code = 1 if saved.failed or saved.stopped else 0
    face.out.result(_shape(saved), code)
    if face.out.for_people:
        _tell(face, saved)
    return code


def _shape(saved: SavedSelection) -> Shape:
    return {
        "saved": fields_of(saved, "path", "rows", "documents", "files", "already"),
        "failures": each_of(saved.failed, "access_key", "sha256", "why"),
        "stopped": saved.stopped,
    }


def _tell(face: Face, saved: SavedSelection) -> None:
    out = face.out
    path = str(saved.path)
    if saved.documents:
        documents = words_of.documents_word(saved.documents)
        out.aside(
            ngettext(
                "{documents}: {count} file written to {path}.",
                "{documents}: {count} files written to {path}.",
                saved.files,
                documents=documents,
                path=path,
            )
        )
    else:
        out.aside(t("Rows of the list: {rows}; written to {path}.", rows=formatting.count(saved.rows), path=path))
    if saved.already:
        out.aside(
            ngettext(
                "{count} was there already and was left as it is.",
                "{count} were there already and were left as they are.",
                saved.already,
            )
        )
    for lack in saved.failed[:_MOST_REASONS]:
        out.aside(f"{plain(lack.access_key or lack.sha256)}: {plain(render(lack.why))}")
    if len(saved.failed) > _MOST_REASONS:
        out.aside(t("… and {count} more", count=formatting.count(len(saved.failed) - _MOST_REASONS)))
    if saved.stopped:
        out.aside(t("It was stopped; what was done is kept. Start it again to go on from there."))
    if saved.failed:
        first = saved.failed[0]
        out.ends_with_1(
            t("not saved: {count}, the first {name}", count=len(saved.failed), name=first.access_key or first.sha256)
        )


def rows(face: Face, plan: SavePlan) -> Sequence[int] | None:
    """The rows that the plan's file names, one a line; None where it is all of the list."""
    file = plan.rows_from
    if file is None:
        return None
    if str(file) == "-" and face.given.exit_with_stdin:
        raise UsageFault(message("Stdin has another use here."), message("Write the rows into a file."))
    try:
        found = [int(line) for line in input_bytes(file).decode("ascii").split()]
    except (OSError, ValueError) as error:
        why = system_words.why(error)
        raise UsageFault(
            message("The list of rows {file} cannot be read: {why}.", file=str(file), why=why),
            message("Write one row number a line, as the list gives them with --json."),
        ) from error
    if not found or not all(0 < number < 2**63 for number in found):
        raise UsageFault(message("The list of rows {file} names none.", file=str(file)))
    return found
