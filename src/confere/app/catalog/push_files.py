"""Files of a push: the template with every column explained, and the report with what became of each row."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from confere.app.catalog.push_result import PushResult, RowOutcome
from confere.errors import NC_, Message, UsageFault, message
from confere.export.spreadsheet.xlsx_writer import Cell, CellKind, Sheet, SheetColumn, write
from confere.intake.catalog_files.catalog_columns import COLUMNS
from confere.system.files.atomic_file import write_text
from confere.system.messages import render, t
from confere.system.plain_text import cell

SHEET: Final = "Produtos"
_CSV, _XLSX = ".csv", ".xlsx"
OUTCOME_WORDS: Final = {
    RowOutcome.CREATED: message("created"),
    RowOutcome.CHANGED: message("changed"),
    RowOutcome.UNCHANGED: message("unchanged"),
    RowOutcome.REFUSED: message(NC_("product", "refused")),
    RowOutcome.FAILED: message(NC_("outcome", "not known")),
    RowOutcome.NOT_SENT: message("not sent"),
}
"""What a person reads of a row."""


def write_template(path: Path) -> None:
    """An XLSX file with every column, and a second sheet that says what each holds. An existing file is replaced."""
    _ending(path, (_XLSX,))
    kinds = {"code": CellKind.KEY, "ean": CellKind.KEY, "ncm": CellKind.KEY, "origin": CellKind.KEY}
    columns = [SheetColumn(column.header, kinds.get(column.field, CellKind.TEXT)) for column in COLUMNS]
    explained = []
    for column in COLUMNS:
        needed = t("yes") if column.required else ""
        explained.append((column.header, needed, render(Message(column.meaning)), column.example))
    headers = (
        SheetColumn(t("Column")),
        SheetColumn(t("Needed for a new product")),
        SheetColumn(t("Meaning"), CellKind.LONG),
        SheetColumn(t("Example"), CellKind.TEXT),
    )
    write(path, (Sheet(SHEET, columns, ()), Sheet(t("Help"), headers, explained)), title=SHEET)


def write_report(path: Path, sheet: str, result: PushResult) -> None:
    """What became of each row, as XLSX or CSV by the file's ending. An existing file is replaced."""
    headers = (
        t("Sheet"),
        t(NC_("spreadsheet", "Row")),
        t("SKU"),
        t("Product"),
        t("Outcome"),
        t("Why"),
        t("The hub's words"),
    )
    if _ending(path, (_XLSX, _CSV)) == _CSV:
        text = io.StringIO()
        table = csv.writer(text, delimiter=";", lineterminator="\r\n")
        table.writerow(headers)
        table.writerows([cell(str(value)) for value in row] for row in _rows(sheet, result))
        write_text(path, "\ufeff" + text.getvalue())
        return
    kinds = (CellKind.TEXT, CellKind.WHOLE, CellKind.KEY, *[CellKind.TEXT] * 2, CellKind.LONG, CellKind.LONG)
    columns = [SheetColumn(header, kind) for header, kind in zip(headers, kinds, strict=True)]
    write(path, (Sheet(t("Rows"), columns, _rows(sheet, result)),), title=t("Report of a push"))


def check_report(path: Path) -> None:
    """Raises `UsageFault` for a report that could not be written, before anything is sent."""
    _ending(path, (_XLSX, _CSV))
    if not path.absolute().parent.is_dir():
        raise UsageFault(
            message("The folder of {path} does not exist.", path=str(path)), message("Make it, or choose another.")
        )


def _rows(sheet: str, result: PushResult) -> Iterable[Sequence[Cell]]:
    for row in result.rows:
        why = "" if row.why is None else render(row.why)
        yield sheet, row.line, row.code, row.product, render(OUTCOME_WORDS[row.outcome]), why, row.hub_words


def _ending(path: Path, endings: tuple[str, ...]) -> str:
    ending = path.suffix.lower()
    if ending not in endings:
        raise UsageFault(
            message("{path} must end in {endings}.", path=str(path), endings=" / ".join(endings)),
            message("Choose another name."),
        )
    return ending
