"""The use case "a spreadsheet of these": one row a document as XLSX or CSV, whose sums are those of the list."""

from __future__ import annotations

import csv
from array import array
from codecs import BOM_UTF8
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final

from confere.app.context import Workspace
from confere.app.documents.selection.chosen_documents import ChosenDocuments, SavedSelection, ids_of, in_steps
from confere.app.labels import labels
from confere.app.labels.people import hidden_document
from confere.archive.documents.documents import DocumentRow
from confere.archive.store import Archive
from confere.errors import N_, Message, UsageFault, message
from confere.export.spreadsheet import xlsx_writer
from confere.export.spreadsheet.xlsx_writer import Cell, CellKind, Sheet, SheetColumn
from confere.fiscal.model import VOID
from confere.system import formatting
from confere.system.files.atomic_file import atomic_file
from confere.system.files.held_files import refuse_held
from confere.system.messages import render, t
from confere.system.plain_text import cell
from confere.system.processes.cancellation import Stop
from confere.system.progress import Meter, Reporter, Silent

_DELIMITER: Final = ";"  # with the comma of Brazil in amounts, what a spreadsheet of this country expects

_Value = Callable[[DocumentRow], Cell]


@dataclass(frozen=True, slots=True)
class TableField:
    """A column of the file: its title, what kind of cells it has, and the value of a row."""

    title: str
    kind: CellKind
    value: _Value


def _worth(row: DocumentRow) -> Cell:
    return 0 if row.state in VOID and row.total is not None else row.total


def _void_worth(row: DocumentRow) -> Cell:
    return row.total if row.state in VOID else None


FIELDS: Final = (
    TableField(N_("Type"), CellKind.TEXT, lambda row: labels.type_word(row.type)),
    TableField(N_("Series"), CellKind.WHOLE, lambda row: row.series),
    TableField(N_("Number"), CellKind.WHOLE, lambda row: row.number),
    TableField(N_("Issued"), CellKind.DAY, lambda row: row.issued_on),
    TableField(
        N_("CNPJ or CPF of the emitter"),
        CellKind.TEXT,
        lambda row: labels.tax_id_word(row.emitter_tax_id),
    ),
    TableField(N_("Emitter"), CellKind.TEXT, lambda row: labels.person_name(row.emitter_name, row.emitter_tax_id)),
    TableField(
        N_("CNPJ or CPF of the recipient"),
        CellKind.TEXT,
        lambda row: labels.tax_id_word(row.recipient_tax_id),
    ),
    TableField(
        N_("Recipient"),
        CellKind.TEXT,
        lambda row: labels.person_name(row.recipient_name, row.recipient_tax_id),
    ),
    TableField(N_("Operation"), CellKind.TEXT, lambda row: labels.operation_word(row.operation)),
    TableField("CFOP", CellKind.TEXT, lambda row: (row.cfops or "").replace(",", ", ")),
    TableField(N_("Marketplace"), CellKind.TEXT, lambda row: row.hub_marketplace or ""),
    TableField(N_("Order"), CellKind.TEXT, lambda row: row.hub_order_id or row.order_hint or ""),
    TableField(N_("State"), CellKind.TEXT, lambda row: labels.state_word(row.state)),
    TableField(
        N_("Authenticity"), CellKind.TEXT, lambda row: labels.verdict_word(row.verdict_word) if row.verdict else ""
    ),
    TableField(N_("Value"), CellKind.MONEY, _worth),
    TableField(N_("Value without effect"), CellKind.MONEY, _void_worth),
    TableField(N_("Protocol"), CellKind.TEXT, lambda row: row.protocol or ""),
    TableField(N_("Access key"), CellKind.KEY, lambda row: row.access_key or ""),
    TableField(N_("Account"), CellKind.TEXT, lambda row: row.hub_account or ""),
    TableField(N_("Tags"), CellKind.TEXT, lambda row: ", ".join(tag.name for tag in row.tags)),
)


def write(
    workspace: Workspace,
    chosen: ChosenDocuments,
    target: Path,
    *,
    hides_people: bool = False,
    replace: bool = False,
    reporter: Reporter | None = None,
    stop: Stop | None = None,
) -> SavedSelection:
    """Write one row for each of these documents to `target`: XLSX, or CSV where its name ends in `.csv`.

    "Value" sums up to what the list says, "Value without effect" to what that leaves out; in centavos never rounded.
    `hides_people` masks natural persons. Nothing in the file is a formula. Whole or not at all; over a file that is
    there only with `replace`. Raises `NotInArchive`, `UsageFault`, `DiskFull`, `EnvironmentFault`, `ExportRefused`
    and `Cancelled`.
    """
    if target.exists() and not replace:
        raise UsageFault(
            message("There is something at {path} already; nothing was written.", path=str(target)),
            message("Choose another name, or move that one away."),
        )
    halt = stop or Stop()
    with workspace.reading(whole=True) as archive:
        ids = ids_of(archive, chosen)
        meter = Meter(reporter or Silent(), message("Writing the spreadsheet"), len(ids))
        rows = _rows(archive, ids, hides_people, meter.advance)
        if target.suffix.lower() == ".csv":
            _as_csv(target, rows, halt)
        else:
            columns = [SheetColumn(render(Message(field.title)), field.kind) for field in FIELDS]
            title = t("Documents")
            xlsx_writer.write(target, [Sheet(title, columns, rows)], title=title, stop=halt)
    meter.finish()
    return SavedSelection(target, len(ids), 1)


def _rows(
    archive: Archive, ids: array[int], hides_people: bool, advance: Callable[[], object]
) -> Iterator[tuple[Cell, ...]]:
    for rows in in_steps(archive, ids):
        for row in rows:
            advance()
            shown = hidden_document(row) if hides_people else row
            yield tuple(field.value(shown) for field in FIELDS)


def _as_csv(target: Path, rows: Iterator[tuple[Cell, ...]], stop: Stop) -> None:
    """UTF-8 with the mark by which spreadsheets know it."""
    refuse_held(target)
    with atomic_file(target) as file:
        file.write(BOM_UTF8)
        writer = csv.writer(_Utf8(file), delimiter=_DELIMITER, lineterminator="\r\n")
        writer.writerow([render(Message(field.title)) for field in FIELDS])
        for row in rows:
            stop.check(message("Nothing was written."))
            writer.writerow([_csv_cell(field.kind, value) for field, value in zip(FIELDS, row, strict=True)])


class _Utf8:
    """Texts into a file of bytes, which stays its owner's to close."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    def write(self, text: str, /) -> object:
        return self._file.write(text.encode("utf-8", "replace"))


def _csv_cell(kind: CellKind, value: Cell) -> str:
    if value is None:
        return ""
    if kind is CellKind.MONEY and isinstance(value, int):
        return (formatting.decimal_string(value) or "").replace(".", ",")
    if kind is CellKind.DAY and isinstance(value, str):
        return formatting.date(value)
    return cell(str(value))
