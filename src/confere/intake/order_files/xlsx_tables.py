"""XLSX order files as rows of cells, within limits.

A workbook is unpacked here, measured, and handed on as plain bytes, so that neither a ZIP bomb, nor a cell at the far
end of a sheet, nor one long text in a million cells can make the reader ask for all memory.
"""

from __future__ import annotations

import io
import logging
import re
import zipfile
import zlib
from collections import Counter
from collections.abc import Sequence
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any
from xml.parsers import expat

from confere.errors import ConfereError, UsageFault, message
from confere.intake.order_files.cell_values import Cell, Row

_log = logging.getLogger(__name__)

LARGEST_UNPACKED = 96 * 1024 * 1024  # held twice while it is measured
MOST_ROWS, MOST_COLUMNS, MOST_CELLS = 1_000_000, 1_000, 3_000_000
_MOST_TAGS = 4 * MOST_CELLS + 2 * MOST_ROWS  # a cell and its value, each begun and ended
# A tag and the text behind it, which is 32,767 characters at most: all attributes of a tag are held at once.
_LONG_TAG = re.compile(rb"<[^<]{1000000}")
_DIGITS = 15  # that a spreadsheet keeps of a number
_PLACE = re.compile(r"([A-Z]{1,9})([0-9]{1,12})", re.IGNORECASE)


def rows(data: bytes, wanted: str | None, shown: str) -> tuple[list[Row], tuple[str, ...], str]:
    """The lines of the sheet `wanted` (else the first) that hold anything, the names of all sheets, and its own.

    Raises `UsageFault`, which calls the file `shown`.
    """
    from python_calamine import CalamineError, CalamineWorkbook

    plain = _unpacked(data, shown)
    try:
        book = CalamineWorkbook.from_filelike(io.BytesIO(plain))
        sheets = tuple(book.sheet_names)
        name = _sheet(sheets, wanted, shown)
        cells = book.get_sheet_by_name(name).to_python(skip_empty_area=False)
    except ConfereError:
        raise
    except (CalamineError, ValueError, OSError, OverflowError) as error:
        raise _no_workbook(shown, error) from error
    except BaseException as error:
        if type(error).__name__ != "PanicException":  # how the reader, which is no Python, says that it gave up
            raise
        raise _no_workbook(shown, error) from None
    found = [
        Row(line, tuple(_cell(cell) for cell in row)) for line, row in enumerate(cells, start=1) if any(map(_some, row))
    ]
    return found, sheets, name


def too_much(shown: str) -> UsageFault:
    """The refusal of a file that is larger than its bytes."""
    return UsageFault(
        message("{file} claims to hold more rows or columns than any list of orders.", file=shown),
        message("Copy the rows of orders into a new file, month by month."),
    )


def _sheet(sheets: Sequence[str], wanted: str | None, shown: str) -> str:
    if not sheets:
        raise _no_workbook(shown, ValueError("no sheets"))
    if wanted is None:
        return sheets[0]
    for name in sheets:
        if name.casefold() == wanted.strip().casefold():
            return name
    raise UsageFault(
        message("{file} has no sheet {name}.", file=shown, name=wanted),
        message("Its sheets are: {names}.", names=", ".join(sheets)),
    )


def _unpacked(data: bytes, shown: str) -> bytes:
    """The same workbook with its parts as they are, none of them larger than it said and all within limits."""
    target = io.BytesIO()
    left = LARGEST_UNPACKED
    measured: list[_Measure] = []
    try:
        with (
            zipfile.ZipFile(io.BytesIO(data)) as source,
            zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as plain,
        ):
            for entry in source.infolist():
                if entry.is_dir() or not entry.filename.lower().endswith((".xml", ".rels")):
                    continue  # pictures, macros, drawings
                if entry.file_size > left:
                    raise too_much(shown)
                part = source.read(entry)
                left -= len(part)
                measured.append(_Measure())
                if not measured[-1].takes(part):
                    raise too_much(shown)
                plain.writestr(entry.filename, part)
    except (zipfile.BadZipFile, zlib.error, expat.ExpatError, RuntimeError, ValueError, EOFError, OSError) as error:
        raise _no_workbook(shown, error) from error
    for texts in measured:
        for sheet in measured:
            if sum(texts.lengths[at] * count for at, count in sheet.uses.items() if at < len(texts.lengths)) > left:
                raise too_much(shown)
    return target.getvalue()


class _Measure:
    """How far the cells of a part lie apart, and how much text they share: read as XML, as the reader will.

    `lengths` are of the texts that it keeps for others, `uses` how often its cells name each by its place.
    """

    def __init__(self) -> None:
        self.lengths: list[int] = []
        self.uses: Counter[int] = Counter()
        self._row = self._column = 0
        self._last_row = self._last_column = 0
        self._in_text = self._in_shared = False
        self._digits: list[str] | None = None

    def takes(self, part: bytes) -> bool:
        """Whether the part is within limits. Raises `ValueError` or `ExpatError` where it is no part of a workbook."""
        if part[:2] in (b"\xff\xfe", b"\xfe\xff"):
            raise ValueError("UTF-16")
        if part.count(b"<") > _MOST_TAGS or _LONG_TAG.search(part):
            return False
        parser = expat.ParserCreate("utf-8")  # whatever it claims: so the reader takes it
        parser.buffer_text = True
        parser.StartElementHandler = self._begin
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text
        parser.StartDoctypeDeclHandler = _no_doctype
        parser.Parse(part, True)
        return (
            self._last_row <= MOST_ROWS
            and self._last_column <= MOST_COLUMNS
            and self._last_row * self._last_column <= MOST_CELLS
        )

    def _begin(self, name: str, attributes: dict[str, str]) -> None:
        tag = name.rpartition(":")[2]
        if tag == "c":
            self._cell(attributes)
        elif tag == "row":
            self._row = int(attributes["r"]) if "r" in attributes else self._row + 1
            self._column = 0
            self._last_row = max(self._last_row, self._row)
        elif tag == "si":
            self._in_text = True
            self.lengths.append(0)
        elif tag == "v" and self._in_shared:
            self._digits = []

    def _cell(self, attributes: dict[str, str]) -> None:
        row, self._column = self._row, self._column + 1
        if "r" in attributes:
            place = _PLACE.fullmatch(attributes["r"].strip())
            if place is None:
                raise ValueError(attributes["r"][:40])
            row, self._column = int(place[2]), _number(place[1])
        self._last_row = max(self._last_row, row)
        self._last_column = max(self._last_column, self._column)
        self._in_shared = attributes.get("t") == "s"

    def _end(self, name: str) -> None:
        tag = name.rpartition(":")[2]
        if tag == "si":
            self._in_text = False
        elif tag == "v" and self._digits is not None:
            place = "".join(self._digits).strip()
            if not place.isdecimal():  # the reader would count a negative one from the end, or break
                raise ValueError(place[:40])
            self.uses[int(place)] += 1
            self._digits = None

    def _text(self, text: str) -> None:
        if self._in_text:
            self.lengths[-1] += len(text)
        elif self._digits is not None:
            self._digits.append(text)


def _no_doctype(*_: Any) -> None:
    raise ValueError("DTD")


def _number(letters: str) -> int:
    found = 0
    for letter in letters.upper():
        found = found * 26 + ord(letter) - 64
    return found


def _cell(value: object) -> Cell:
    if isinstance(value, bool):
        return str(value)
    if isinstance(value, int):
        return Decimal(value)
    if isinstance(value, float):
        if value != value or abs(value) >= 1e300:
            return str(value)
        # Whole numbers are ids, exact as they are; of others a spreadsheet shows so many digits.
        return Decimal(int(value)) if value.is_integer() else Decimal(f"{value:.{_DIGITS}g}")
    if isinstance(value, datetime):
        return value
    if isinstance(value, date):
        return datetime.combine(value, time())
    return "" if value is None else str(value).strip()


def _some(value: object) -> bool:
    return value is not None and value != ""


def _no_workbook(shown: str, error: BaseException) -> UsageFault:
    _log.info("the workbook reader's words: %s", str(error)[:200])  # they are English
    return UsageFault(
        message("{file} cannot be read as a workbook: it is none, or it is damaged.", file=shown),
        message("Open it in a spreadsheet and save it as XLSX or CSV."),
    )
