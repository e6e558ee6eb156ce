"""The tables of a spreadsheet as CSV and as Parquet: one file a table, the same columns and rows.

Texts from outside are made harmless for who opens a CSV in a spreadsheet: one that would be a formula gets an
apostrophe in front.
"""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from itertools import islice
from pathlib import Path
from typing import Any, Final

from confere.errors import UsageFault, message
from confere.export.spreadsheet.xlsx_writer import Cell, CellKind, Sheet, SheetColumn
from confere.fiscal.periods import BRASILIA
from confere.system.files.atomic_file import atomic_file
from confere.system.files.held_files import refuse_held
from confere.system.messages import t
from confere.system.plain_text import cell
from confere.system.processes.cancellation import Stop

_EPOCH: Final = (1980, 1, 1, 0, 0, 0)  # of all files in a ZIP, so that the same tables give the same bytes
_AT_ONCE: Final = 2000
_CENT: Final = Decimal(100)


@dataclass(frozen=True, slots=True)
class CsvDialect:
    """`separator` between the fields, the `decimal` mark, the order of a day, and whether a BOM stands in front."""

    separator: str
    decimal: str
    day: str
    moment: str
    bom: bool


BRAZILIAN: Final = CsvDialect(";", ",", "%d/%m/%Y", "%d/%m/%Y %H:%M:%S", True)
"""What Excel with Brazilian settings opens by a double click."""
RFC_4180: Final = CsvDialect(",", ".", "%Y-%m-%d", "%Y-%m-%dT%H:%M:%S", False)
"""What programs read. Source: RFC 4180."""


def write_csv(path: Path, sheets: Iterable[Sheet], dialect: CsvDialect, *, stop: Stop | None = None) -> None:
    """A ZIP of one UTF-8 CSV a table, whole or not at all.

    Raises `DiskFull` or `EnvironmentFault` where it cannot be written, `Cancelled` for `stop`.
    """
    refuse_held(path)
    with atomic_file(path) as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as package:
        for number, sheet in enumerate(_with_heads(sheets), 1):
            name = zipfile.ZipInfo(f"{number:02d}-{sheet.file_name}.csv", _EPOCH)
            name.compress_type = zipfile.ZIP_DEFLATED
            name.external_attr = 0o644 << 16
            name.create_system = 3  # not the system's that writes it
            with package.open(name, "w", force_zip64=True) as entry:
                text = io.TextIOWrapper(entry, "utf-8-sig" if dialect.bom else "utf-8", newline="")
                _write_rows(text, sheet, dialect, stop)
                text.flush()
                text.detach()


def write_table(path: Path, sheet: Sheet, dialect: CsvDialect, *, stop: Stop | None = None) -> None:
    """One table as one CSV file, whole or not at all. Raises as `write_csv` does."""
    refuse_held(path)
    with atomic_file(path) as file:
        text = io.TextIOWrapper(file, "utf-8-sig" if dialect.bom else "utf-8", newline="")
        _write_rows(text, sheet, dialect, stop)
        text.flush()
        text.detach()


def _write_rows(text: io.TextIOWrapper, sheet: Sheet, dialect: CsvDialect, stop: Stop | None) -> None:
    lines = csv.writer(text, delimiter=dialect.separator, lineterminator="\r\n")
    lines.writerow([cell(column.header) for column in sheet.columns])
    for stretch in _stretches(sheet.rows):
        if stop is not None:
            stop.check()
        lines.writerows(
            [_csv_cell(value, column.kind, dialect) for column, value in zip(sheet.columns, row, strict=True)]
            for row in stretch
        )


def _csv_cell(value: Cell, kind: CellKind, dialect: CsvDialect) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        parsed = _as_day(value) if kind is CellKind.DAY else None
        return cell(value) if parsed is None else parsed.strftime(dialect.day)
    if isinstance(value, datetime):
        return _local(value).strftime(dialect.moment)
    if isinstance(value, date):
        return value.strftime(dialect.day)
    number = Decimal(value) / _CENT if kind is CellKind.MONEY else Decimal(value)
    return (f"{number:.2f}" if kind is CellKind.MONEY else f"{number:f}").replace(".", dialect.decimal)


def write_parquet(folder: Path, sheets: Iterable[Sheet], *, stop: Stop | None = None) -> None:
    """One Parquet file a table into `folder`; money is `decimal128(18, 2)`, columns have their plain names.

    Raises `UsageFault` where `pyarrow` is not installed, otherwise as `write_csv`. Each file is whole or not there.
    """
    arrow, parquet = _pyarrow()
    folder.mkdir(parents=True, exist_ok=True)
    for number, sheet in enumerate(_with_heads(sheets), 1):
        schema = arrow.schema([(column.name or column.header, _type(arrow, column)) for column in sheet.columns])
        path = folder / f"{number:02d}-{sheet.file_name}.parquet"
        refuse_held(path)
        with atomic_file(path) as file, parquet.ParquetWriter(file, schema, compression="zstd") as writer:
            for stretch in _stretches(sheet.rows):
                if stop is not None:
                    stop.check()
                columns = zip(sheet.columns, zip(*stretch, strict=True), strict=True)
                arrays = [
                    arrow.array([_parquet_cell(value, column) for value in values], _type(arrow, column))
                    for column, values in columns
                ]
                writer.write_table(arrow.Table.from_arrays(arrays, schema=schema))


def check_parquet() -> None:
    """`UsageFault` where `pyarrow` is not installed."""
    _pyarrow()


def _pyarrow() -> tuple[Any, Any]:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        raise UsageFault(
            message("Parquet files need the package pyarrow, which is not installed."),
            message("Install it with: pip install 'confere[parquet]'. Or choose xlsx or csv."),
        ) from error
    return pyarrow, parquet


def _type(arrow: Any, column: SheetColumn) -> Any:
    makers: dict[CellKind, Callable[[], Any]] = {
        CellKind.MONEY: lambda: arrow.decimal128(18, 2),
        CellKind.WHOLE: arrow.int64,
        CellKind.SERIAL: arrow.int64,
        CellKind.PIECES: lambda: arrow.decimal128(38, 10),
        CellKind.DAY: arrow.date32,
        CellKind.MOMENT: lambda: arrow.timestamp("s"),
    }
    return makers.get(column.kind, arrow.string)()


def _parquet_cell(value: Cell, column: SheetColumn) -> object:
    if value is None:
        return None
    if column.kind is CellKind.MONEY and not isinstance(value, str):
        return Decimal(str(value)).scaleb(-2).quantize(Decimal("0.01"))
    if column.kind is CellKind.PIECES and not isinstance(value, str):
        return round(Decimal(str(value)), 10)
    if column.kind is CellKind.DAY:
        return _as_day(value) if isinstance(value, str) else value
    if isinstance(value, datetime):
        return _local(value).replace(tzinfo=None)
    return value if column.kind in (CellKind.WHOLE, CellKind.SERIAL) else str(value)


def _with_heads(sheets: Iterable[Sheet]) -> Iterator[Sheet]:
    """The lines above a table are a table of their own."""
    for sheet in sheets:
        if sheet.top:
            columns = (SheetColumn(t("What"), name="what"), SheetColumn(t("Value"), name="value"))
            yield Sheet(
                sheet.title, columns, [(label, _plain(value)) for label, value in sheet.top], (), f"{sheet.name}-head"
            )
        yield sheet


def _plain(value: Cell) -> str:
    return "" if value is None else str(value)


def _local(value: datetime) -> datetime:
    return value.astimezone(BRASILIA) if value.tzinfo is not None else value


def _as_day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _stretches(rows: Iterable[Sequence[Cell]]) -> Iterator[list[Sequence[Cell]]]:
    following = iter(rows)
    while stretch := list(islice(following, _AT_ONCE)):
        yield stretch
