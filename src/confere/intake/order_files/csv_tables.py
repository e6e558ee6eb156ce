"""Order files as tables: CSV in the separators and encodings of Brazilian exports, and XLSX (`order_workbook`)."""

from __future__ import annotations

import csv
import hashlib
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from confere.archive.message_encoding import storable
from confere.errors import EnvironmentFault, Message, UsageFault, message
from confere.intake.order_files import xlsx_tables
from confere.intake.order_files.cell_values import Cell, Row
from confere.intake.order_files.columns import guess
from confere.intake.order_files.xlsx_tables import MOST_CELLS, MOST_COLUMNS, MOST_ROWS, too_much
from confere.system.files import system_words
from confere.system.files.regular_files import open_regular

LARGEST_FILE = 64 * 1024 * 1024
LARGEST_TEXT = 20 * 1024 * 1024  # of a CSV, of which each byte costs some twenty of memory
_MARKS = ";,\t|"
_HEAD = 1_000_000  # characters of a text by which its separator is known
_LOOK = 40  # rows among which the names of the columns are looked for
_FORMULA_TEXT = re.compile(r'="(.*)"', re.DOTALL)  # how a CSV tells spreadsheets that 00123 is a text


@dataclass(frozen=True, slots=True)
class OrderTable:
    """A table with its columns' names. `sheets` are all of the workbook, empty for CSV; `sha256` is the file's."""

    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    sheets: tuple[str, ...] = ()
    name: str = ""
    sha256: str = ""


def read(path: Path, sheet: str | None = None, names: Sequence[str] = ()) -> OrderTable:
    """The table of a file; `names` are columns that a person spoke of, by which the line of names is found too.

    Raises `UsageFault` for what is no such file, and `EnvironmentFault` where it cannot be read from the disk.
    """
    shown = storable(path.name)
    data = _bytes(path, shown)
    if data.startswith(b"PK"):
        rows, sheets, name = xlsx_tables.rows(data, sheet, shown)
    elif path.suffix.lower() in (".xls", ".xlsx", ".ods") and b"\0" in data[:512]:
        raise UsageFault(
            message("{file} is no workbook of the kind XLSX.", file=shown),
            message("Open it in a spreadsheet and save it as XLSX or CSV."),
        )
    elif len(data) > LARGEST_TEXT:
        raise _too_large(shown, LARGEST_TEXT)
    else:
        rows, sheets, name = _text_rows(data, shown), (), ""
    found = [row for row in rows if any(cell != "" for cell in row.cells)]
    if not found:
        raise UsageFault(message("{file} holds no rows.", file=shown), message("Choose another file or sheet."))
    at = _head(found[:_LOOK], names)
    columns = _columns(found[at].cells)
    return OrderTable(columns, tuple(found[at + 1 :]), sheets, name, hashlib.sha256(data).hexdigest())


def _bytes(path: Path, shown: str) -> bytes:
    try:
        with open_regular(path) as file:
            data = file.read(LARGEST_FILE + 1)
    except OSError as error:
        raise EnvironmentFault(
            message("{file} cannot be read from the disk: {why}.", file=shown, why=system_words.why(error)),
            message("Check the name, and whether another program holds the file."),
        ) from error
    if len(data) > LARGEST_FILE:
        raise _too_large(shown, LARGEST_FILE)
    return data


def _too_large(shown: str, most: int) -> UsageFault:
    return UsageFault(
        message("{file} is larger than {size} MB.", file=shown, size=most // 1024**2),
        message("Split it, month by month for example."),
    )


def _head(rows: Sequence[Row], names: Sequence[str]) -> int:
    """Which of the first rows names the columns: exports may begin with titles."""

    def known(row: Row) -> int:
        texts = [cell for cell in row.cells if isinstance(cell, str) and cell]
        return len(guess(texts)) + 2 * len(set(texts) & set(names))

    best = max(range(len(rows)), key=lambda at: (known(rows[at]), -at))
    return best if known(rows[best]) > 1 or names else 0


def _columns(cells: Sequence[Cell]) -> tuple[str, ...]:
    """Their names, each told apart: a second `Estado` is `Estado (2)`, one without a name goes by its place."""
    found: dict[str, None] = {}
    for place, cell in enumerate(cells, start=1):
        name = " ".join(str(cell).split()) or f"({place})"
        number = 2
        told = name
        while told in found:
            told = f"{name} ({number})"
            number += 1
        found[told] = None
    return tuple(found)


# -- CSV ---------------------------------------------------------------------------------------------------


def _text_rows(data: bytes, shown: str) -> list[Row]:
    text = _decoded(data)
    first, _, rest = text.partition("\n")
    skipped = 0
    mark = None
    if re.fullmatch(r"sep=.\r?", first.strip("\ufeff"), re.IGNORECASE):  # Excel's own word on it
        mark, text, skipped = first.strip("\ufeff\r")[4], rest, 1
    mark = mark or _mark(text)
    rows: list[Row] = []
    taken: list[str] = []  # the lines of the record that is being read

    def lines() -> Iterator[str]:
        for found in io.StringIO(text, newline=""):
            taken.append(found)
            yield found

    reader = csv.reader(lines(), delimiter=mark)
    line = 1
    count = 0
    last = ""
    try:
        for cells in reader:
            count += len(cells)
            if len(rows) >= MOST_ROWS or len(cells) > MOST_COLUMNS or count > MOST_CELLS:
                raise too_much(shown)
            rows.append(Row(line + skipped, tuple(map(_cell, cells))))
            last = "".join(taken)
            taken.clear()
            line = reader.line_num + 1
        if rows and _is_open(last, mark):  # everything after the mark would be lost in one cell
            line = rows[-1].line - skipped
            raise csv.Error("unexpected end of data")
    except csv.Error as error:
        raise UsageFault(
            message(
                "{file} is unreadable from line {line} on: {why}.", file=shown, line=line + skipped, why=_csv_why(error)
            ),
            message("Look there for a quotation mark that is never closed."),
        ) from error
    return rows


def _csv_why(error: csv.Error) -> Message:
    """The reader's own words are English."""
    if "field limit" in str(error):
        return message("a cell is too long")
    return message("a cell does not end")


def _is_open(record: str, mark: str) -> bool:
    """Whether a record ends inside quotation marks: then another line would still be part of it."""
    return len(list(csv.reader(io.StringIO(record.rstrip("\r\n") + "\nz", newline=""), delimiter=mark))) == 1


def _cell(text: str) -> str:
    bare = text.strip()
    found = _FORMULA_TEXT.fullmatch(bare)
    return found[1].strip() if found else bare


def _decoded(data: bytes) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", errors="replace").replace("\0", "")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("cp1252", errors="replace")
    return text.replace("\0", "")


def _mark(text: str) -> str:
    """The separator that cuts the first lines into the most columns, and most of them into as many."""

    def worth(mark: str) -> tuple[int, int]:
        try:
            rows = [len(row) for row in csv.reader(text[:_HEAD].splitlines()[:_LOOK], delimiter=mark)]
        except csv.Error:
            return 0, 0
        counts = sorted(rows)
        return (counts[len(counts) // 2], counts[-1]) if counts else (0, 0)

    return max(_MARKS, key=worth)
