"""The use case "a spreadsheet of these": the table of a list's rows as XLSX or CSV."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from confere.app.context import Workspace
from confere.app.selection.list_files import ListFiles, SavedSelection, rows_of
from confere.errors import UsageFault, message
from confere.export.spreadsheet import table_files, xlsx_writer
from confere.system.processes.cancellation import Stop
from confere.system.progress import Meter, Reporter, Silent

T = TypeVar("T")


def write(
    workspace: Workspace,
    files: ListFiles,
    target: Path,
    *,
    hides_people: bool = False,
    replaces: bool = False,
    reporter: Reporter | None = None,
    stop: Stop | None = None,
) -> SavedSelection:
    """Write the table of these rows to `target`: XLSX, or CSV where its name ends in `.csv`.

    Money is exact to the centavo; numbers and days are cells of their kind. `hides_people` masks natural persons.
    Nothing in the file is a formula. Whole or not at all; over a file that is there only with `replaces`. Raises
    `NotInArchive`, `UsageFault`, `DiskFull`, `EnvironmentFault`, `ExportRefused` and `Cancelled`.
    """
    if target.exists() and not replaces:
        raise UsageFault(
            message("There is something at {path} already; nothing was written.", path=str(target)),
            message("Choose another name, or move that one away."),
        )
    halt = stop or Stop()
    with workspace.reading() as archive:
        ids = rows_of(archive, files)
        meter = Meter(reporter or Silent(), message("Writing the spreadsheet"), len(ids))
        sheet = files.sheet(archive, ids, hides_people)
        sheet = replace(sheet, rows=_counted(sheet.rows, meter.advance))
        if target.suffix.lower() == ".csv":
            table_files.write_table(target, sheet, table_files.BRAZILIAN, stop=halt)
        else:
            xlsx_writer.write(target, [sheet], title=sheet.title, stop=halt)
    meter.finish()
    return SavedSelection(target, len(ids), len(ids) if files.of_documents else 0, 1)


def _counted(rows: Iterable[T], advance: Callable[[], object]) -> Iterator[T]:
    for row in rows:
        advance()
        yield row
