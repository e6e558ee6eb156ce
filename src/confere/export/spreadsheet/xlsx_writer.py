"""Spreadsheets in constant memory: sheets of typed columns, written so that nothing from outside is a formula."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, BinaryIO, Final

from confere.errors import ExportRefused, Message, message
from confere.system.files import system_words
from confere.system.files.atomic_file import atomic_file
from confere.system.files.held_files import refuse_held
from confere.system.processes.cancellation import Stop

if TYPE_CHECKING:
    from xlsxwriter.format import Format
    from xlsxwriter.workbook import Workbook
    from xlsxwriter.worksheet import Worksheet

_log = logging.getLogger(__name__)

MOST_ROWS: Final = 1_048_576  # of a sheet, its header included
MOST_TEXT: Final = 32_767  # characters of a cell
_MOST_WIDTH: Final = 90
_LINE: Final = 15  # points of a line of text
_MOST_HEIGHT: Final = 400  # points of a row
_CHECK_EVERY: Final = 1000  # rows between two looks at whether somebody wants it to stop
_ILLEGAL: Final = {
    **{number: "\ufffd" for number in (*range(0x20), 0xFFFE, 0xFFFF) if number not in (0x09, 0x0A, 0x0D)},
    **dict.fromkeys(range(55296, 57344), "�"),
}

_OPTIONS: Final = {
    "constant_memory": True,
    "strings_to_formulas": False,
    "strings_to_urls": False,
    "strings_to_numbers": False,
    "remove_timezone": True,
}

Cell = str | int | Decimal | date | datetime | None


class CellKind(Enum):
    """What a column holds: its cells' type in the file, their format and how wide the column is at least."""

    TEXT = ("", 12)
    LONG = ("", 60)  # folded at the edge of the column
    KEY = ("@", 47)
    MONEY = ("#,##0.00", 15)  # centavos come in, reais stand there
    WHOLE = ("#,##0", 10)
    SERIAL = ("0", 10)  # a number that is a name: no marks between thousands
    PIECES = ("#,##0.####", 12)
    DAY = ("dd/mm/yyyy", 12)
    MOMENT = ("dd/mm/yyyy hh:mm", 17)

    @property
    def number_format(self) -> str:
        return self.value[0]

    @property
    def width(self) -> int:
        return self.value[1]


_RIGHT: Final = {
    CellKind.MONEY,
    CellKind.WHOLE,
    CellKind.SERIAL,
    CellKind.PIECES,
    CellKind.DAY,
    CellKind.MOMENT,
}


@dataclass(frozen=True, slots=True)
class SheetColumn:
    """A column: its header in the reader's language, and what it holds."""

    header: str
    kind: CellKind = CellKind.TEXT
    name: str = ""  # for programs, the same in every language
    width: int = 0  # characters; 0: as its kind wants
    is_summed: bool = True  # money only: whether the total of the sheet adds it up


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet: `rows` are read once, while it is written. Texts stand as texts, whatever they begin with.

    `top` are lines above the table: a label, and a value. `total` is the word of a last line that adds up the columns
    of money, of the rows for which `counts` holds; without it there is none. `name` is a file's, where each table is
    one.
    """

    title: str
    columns: Sequence[SheetColumn]
    rows: Iterable[Sequence[Cell]]
    top: Sequence[tuple[str, Cell]] = field(default=())
    name: str = ""
    total: str = ""
    counts: Callable[[Sequence[Cell]], bool] | None = None
    printed: int = 0  # how many of the first columns are printed; 0: all
    folds_empty: bool = False  # columns of money in which nothing but zero stands are hidden

    @property
    def file_name(self) -> str:
        """`name`, or the title as a file can be called."""
        return self.name or _sheet_name(self.title, ())


@dataclass(frozen=True, slots=True)
class PrintSetUp:
    """How pages are printed: landscape A4, one page wide, titles repeated, `head` above and page numbers below.

    `made_at` is what the file says of its making, so that the same rows give the same bytes.
    """

    head: str
    made_at: datetime


def write(
    path: Path, sheets: Iterable[Sheet], *, title: str, stop: Stop | None = None, paper: PrintSetUp | None = None
) -> None:
    """Write the sheets to `path`, whole or not at all: what stood there stays until all of it is written.

    Raises `DiskFull`, `EnvironmentFault` or `ExportRefused` where it cannot be written, `Cancelled` for `stop`.
    """
    import xlsxwriter  # a tenth of a second that only who wants a report pays
    from xlsxwriter.exceptions import XlsxWriterException

    refuse_held(path)
    try:
        with atomic_file(path) as plain, TemporaryDirectory(prefix="confere-") as folder:
            file = _UntilFailure(plain)
            book = xlsxwriter.Workbook(file, {**_OPTIONS, "tmpdir": folder})
            try:
                made = {} if paper is None else {"created": paper.made_at}
                book.set_properties({"title": _text(title), **made})
                formats = _Formats(book)
                for sheet in sheets:
                    _write_sheet(book, sheet, formats, stop, paper)
            finally:  # also where it is given up: its temporary files are open
                try:
                    book.close()
                except XlsxWriterException:
                    if file.failure is not None:
                        raise file.failure from None
                    raise
    except XlsxWriterException as error:
        raise ExportRefused(
            message("The spreadsheet {path} cannot be written: {why}.", path=str(path), why=_why(error)),
            message("Close it where it is open, or choose another place."),
        ) from error


def _why(error: Exception) -> Message:
    """The library's own words are English."""
    cause = next((inner for inner in error.args if isinstance(inner, OSError)), None)
    if cause is not None:
        return system_words.why(cause)
    _log.info("the spreadsheet writer's words: %s", error)
    return message("it has become too large, or its sheets cannot be named so")


class _UntilFailure:
    """A file whose first failure is raised, and after that takes everything and keeps nothing.

    The ZIP that XlsxWriter leaves open when the disk is full tries to write its end when it is collected: long after
    the error was told, and with a trace on the screen that nobody can catch.
    """

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._place = 0
        self.failure: OSError | None = None

    def write(self, data: bytes) -> int:
        if self._is_open:
            try:
                self._file.write(data)
            except OSError as error:
                self.failure = error
                raise
        self._place += len(data)
        return len(data)

    def seek(self, offset: int, whence: int = 0) -> int:
        self._place = self._file.seek(offset, whence) if self._is_open else max(0, offset)
        return self._place

    def tell(self) -> int:
        return self._place

    def flush(self) -> None:
        if self._is_open:
            try:
                self._file.flush()
            except OSError as error:
                self.failure = error
                raise

    @property
    def _is_open(self) -> bool:
        return self.failure is None and not self._file.closed


class _Formats:
    """Formats of cells, each made once."""

    def __init__(self, book: Workbook) -> None:
        self._book = book
        self._made: dict[str, Format] = {}
        self.label = book.add_format({"bold": True})

    def head(self, align: dict[str, str | int]) -> Format:
        """Of a head that stands as what is under it does."""
        name = f"head {align}"
        if name not in self._made:
            shape = {"bold": True, "bottom": 1, "text_wrap": True, "valign": "top", **align}
            self._made[name] = self._book.add_format(shape)
        return self._made[name]

    def of(self, kind: CellKind, align: dict[str, str | int] | None = None, *, is_total: bool = False) -> Format:
        name = f"{kind.name} {align or ''} {is_total}"
        made = self._made.get(name)
        if made is None:
            shape = {"bold": True, "top": 1} if is_total else {}
            made = self._book.add_format({"valign": "top", **shape, **(align or {})})
            if kind.number_format:
                made.set_num_format(kind.number_format)
            if kind in (CellKind.LONG, CellKind.KEY):
                made.set_text_wrap()
            self._made[name] = made
        return made


def _write_sheet(book: Workbook, sheet: Sheet, formats: _Formats, stop: Stop | None, paper: PrintSetUp | None) -> None:
    page = book.add_worksheet(_sheet_name(sheet.title, [entry.get_name() for entry in book.worksheets()]))
    for place, column in enumerate(sheet.columns):
        page.set_column(place, place, _width(column))
    line = 0
    for label, value in sheet.top:
        page.write_string(line, 0, _text(label), formats.label)
        if value is not None and value != "":
            _put(page, line, 1, _kind_of(value), value, formats.of(_kind_of(value)))
        line += 1
    head = line + 1 if sheet.top else line
    aligns = [_align(sheet.columns, place) for place in range(len(sheet.columns))]
    widths = [_width(column) for column in sheet.columns]
    folded = max((_lines(column.header, width) for column, width in zip(sheet.columns, widths, strict=True)), default=1)
    if folded > 1:
        page.set_row(head, folded * _LINE)
    for place, column in enumerate(sheet.columns):
        page.write_string(head, place, _text(column.header), formats.head(aligns[place]))
    page.freeze_panes(head + 1, 0)
    if paper is not None:
        _set_up(page, sheet, paper, head)
    line = head
    tall = [
        (place, widths[place])
        for place, column in enumerate(sheet.columns)
        if column.kind in (CellKind.LONG, CellKind.KEY)
    ]
    shapes = [
        (column.kind, formats.of(column.kind, align)) for column, align in zip(sheet.columns, aligns, strict=True)
    ]
    filled: set[int] = set()
    sums = [0 if column.kind is CellKind.MONEY and column.is_summed else None for column in sheet.columns]
    for row in sheet.rows:
        line += 1
        if line >= MOST_ROWS - (1 if sheet.total else 0):
            page.write_string(MOST_ROWS - 1, 0, "…")
            break
        if stop is not None and not line % _CHECK_EVERY:
            stop.check()
        if tall:  # of what is folded a program that prints does not always find the height itself
            folded = max(_lines(row[place], width) for place, width in tall)
            if folded > 1:
                page.set_row(line, min(folded * _LINE, _MOST_HEIGHT))
        for place, ((kind, shown), value) in enumerate(zip(shapes, row, strict=True)):
            if value is None or value == "":  # most cells of a table of taxes
                continue
            _put(page, line, place, kind, value, shown)
            if value and kind is CellKind.MONEY:
                filled.add(place)
        if sheet.total and (sheet.counts is None or sheet.counts(row)):
            sums = [
                so_far if so_far is None or not isinstance(value, int) else so_far + value
                for so_far, value in zip(sums, row, strict=True)
            ]
    if sheet.columns:
        page.autofilter(head, 0, max(line, head), len(sheet.columns) - 1)
        if sheet.total and line > head:
            page.write_string(line + 1, 0, _text(sheet.total), formats.of(CellKind.TEXT, is_total=True))
            for place, total in enumerate(sums):
                if total is not None:
                    page.write_number(line + 1, place, total / 100, formats.of(CellKind.MONEY, is_total=True))
            line += 1
        if sheet.folds_empty and line > head:
            for place, column in enumerate(sheet.columns):
                if column.kind is CellKind.MONEY and place not in filled:
                    page.set_column(place, place, widths[place], None, {"hidden": True})
        if paper is not None and sheet.printed:
            page.print_area(0, 0, max(line, head), min(sheet.printed, len(sheet.columns)) - 1)


def _width(column: SheetColumn) -> int:
    """Its own or its kind's, and never so narrow that a word of the head is broken."""
    longest = max(map(len, column.header.split()), default=0) + 2
    return max(longest, column.width or min(max(column.kind.width, len(column.header) + 4), _MOST_WIDTH))


def _align(columns: Sequence[SheetColumn], place: int) -> dict[str, str | int]:
    """Figures and days stand at the right, with their heads; a text after them stands apart from them."""
    if columns[place].kind in _RIGHT:
        return {"align": "right"}
    return {"align": "left", "indent": 1} if place and columns[place - 1].kind in _RIGHT else {}


def _lines(value: Cell, width: int) -> int:
    """How many lines a text takes in a column of `width` characters."""
    if not isinstance(value, str) or (len(value) < width and "\n" not in value):
        return 1
    return sum(max(1, -(-len(part) * 11 // (width * 10))) for part in value.split("\n"))


def _set_up(page: Worksheet, sheet: Sheet, paper: PrintSetUp, head: int) -> None:
    plain = [_text(text).replace("&", "&&")[:100] for text in (paper.head, sheet.title)]
    page.set_landscape()
    page.set_paper(9)  # A4
    page.fit_to_pages(1, 0)
    page.set_margins(left=0.4, right=0.4, top=0.7, bottom=0.6)
    page.set_header(f"&L&B{plain[0]}&R{plain[1]}")
    page.set_footer("&L&F&R&P / &N")
    if sheet.columns:
        page.repeat_rows(head)


def _put(
    page: Worksheet, line: int, place: int, kind: CellKind, value: str | int | Decimal | date, shown: Format
) -> None:
    """One cell, typed: a text is written as text, so that `=…`, `+…` and `@…` stay what they are."""
    if isinstance(value, str):
        parsed = _day(value) if kind is CellKind.DAY else None
        if parsed is not None:
            page.write_datetime(line, place, parsed, shown)
        else:
            page.write_string(line, place, _text(value), shown)
    elif isinstance(value, date):  # a datetime is one
        page.write_datetime(line, place, value, shown)
    elif kind is CellKind.MONEY:
        page.write_number(line, place, float(value / 100), shown)  # the nearest number, as by Decimal
    else:
        page.write_number(line, place, float(value), shown)


def _kind_of(value: Cell) -> CellKind:
    if isinstance(value, datetime):
        return CellKind.MOMENT
    if isinstance(value, date):
        return CellKind.DAY
    return (
        CellKind.WHOLE if isinstance(value, int) else CellKind.PIECES if isinstance(value, Decimal) else CellKind.TEXT
    )


def _day(text: str) -> date | None:
    """A day `YYYY-MM-DD`; None for what spreadsheets cannot count from 1900 on."""
    try:
        found = date.fromisoformat(text)
    except ValueError:
        return None
    return found if found.year >= 1900 else None


def _text(value: str) -> str:
    """`value` as XML and a cell can hold it."""
    plain = value.translate(_ILLEGAL)
    return plain if len(plain) <= MOST_TEXT else plain[: MOST_TEXT - 1] + "…"


def _sheet_name(title: str, taken: Sequence[str]) -> str:
    """A sheet's name: at most 31 characters, none of those that formulas need, and no other sheet's."""
    plain = "".join(" " if letter in "[]:*?/\\'" else letter for letter in _text(title)).strip()[:31] or "-"
    name, number = plain, 2
    while name.casefold() in {entry.casefold() for entry in taken}:
        name = f"{plain[:27]} ({number})"
        number += 1
    return name
