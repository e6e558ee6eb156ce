"""Spreadsheets as a foreign reader sees them: typed cells, texts that stay texts, and all of it or nothing."""

from __future__ import annotations

import errno
import gc
import io
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path

import openpyxl
import pytest

from confere.errors import Cancelled, DiskFull, EnvironmentFault
from confere.export.spreadsheet import xlsx_writer
from confere.export.spreadsheet.xlsx_writer import Cell, CellKind, Sheet, SheetColumn, write
from confere.fiscal.periods import BRASILIA
from confere.system.files.atomic_file import storage_fault
from confere.system.processes.cancellation import Stop

INERT = ("=cmd|' /C calc'!A0", "+1+1", "-2", "@SUM(A1)", "{=1}", "http://example.com/x", "007", '=HYPERLINK("x")')
COLUMNS = (
    SheetColumn("Text"),
    SheetColumn("Long", CellKind.LONG),
    SheetColumn("Key", CellKind.KEY),
    SheetColumn("Money", CellKind.MONEY),
    SheetColumn("Count", CellKind.WHOLE),
    SheetColumn("Pieces", CellKind.PIECES),
    SheetColumn("Day", CellKind.DAY),
    SheetColumn("Moment", CellKind.MOMENT),
)
MOMENT = datetime(2026, 10, 31, 14, 5, tzinfo=BRASILIA)
ROW: tuple[Cell, ...] = ("a", "b\nc", "3" * 44, 123456, 7, Decimal("1.5"), "2026-10-31", MOMENT)


def written(path: Path, rows: Sequence[Sequence[Cell]], top: Sequence[tuple[str, Cell]] = ()) -> openpyxl.Workbook:
    write(path, [Sheet("Sheet", COLUMNS, rows, top)], title="test")
    return openpyxl.load_workbook(path)


def test_cells_are_of_their_kind(tmp_path: Path) -> None:
    page = written(tmp_path / "a.xlsx", [ROW, (None,) * 8])["Sheet"]
    cells = page[2]
    told = ("a", "b\nc", "3" * 44, 1234.56, 7, 1.5, datetime(2026, 10, 31), datetime(2026, 10, 31, 14, 5))
    assert tuple(cell.value for cell in cells) == told
    assert [cell.data_type for cell in cells] == ["s", "s", "s", "n", "n", "n", "d", "d"]
    assert cells[3].number_format == "#,##0.00"
    assert (cells[6].number_format, cells[7].number_format) == ("dd/mm/yyyy", "dd/mm/yyyy hh:mm")
    assert {cell.value for cell in page[3]} == {None}
    assert page.freeze_panes == "A2"
    assert page.auto_filter.ref == "A1:H3"
    assert page.column_dimensions["C"].width > 44


def test_lines_stand_above_the_table(tmp_path: Path) -> None:
    top = (("Month", "2026-10"), ("Day", date(2026, 10, 1)), ("Now", MOMENT), ("Count", 3), ("Rate", Decimal("0.5")))
    page = written(tmp_path / "a.xlsx", [ROW], top)["Sheet"]
    assert [page.cell(line, 1).value for line in range(1, 6)] == [label for label, _ in top]
    assert page.cell(2, 2).value == datetime(2026, 10, 1)
    assert page.cell(3, 2).value == datetime(2026, 10, 31, 14, 5)
    assert (page.cell(4, 2).value, page.cell(5, 2).value) == (3, 0.5)
    assert page.cell(7, 1).value == "Text"
    assert page.freeze_panes == "A8"


def test_figures_stand_under_their_heads_and_apart_from_texts(tmp_path: Path) -> None:
    columns = (
        SheetColumn("Total", CellKind.MONEY),
        SheetColumn("Day", CellKind.DAY),
        SheetColumn("UF do destinatário", width=6),
        SheetColumn("Name"),
    )
    write(tmp_path / "a.xlsx", [Sheet("A", columns, [(100, "2026-10-31", "SP", "Ana")])], title="A")
    page = openpyxl.load_workbook(tmp_path / "a.xlsx")["A"]
    for row in (1, 2):
        aligns = [page.cell(row, place).alignment for place in range(1, 5)]
        assert [align.horizontal for align in aligns] == ["right", "right", "left", None]
        assert [int(align.indent) for align in aligns] == [0, 0, 1, 0]
    assert page.column_dimensions["C"].width > len("destinatário")  # no word of a head is broken


@pytest.mark.parametrize("text", INERT)
def test_a_text_stays_a_text(tmp_path: Path, text: str) -> None:
    row = (text, text, text, text, text, text, text, text)
    page = written(tmp_path / "a.xlsx", [row], ((text, text),))["Sheet"]
    for cell in (*page[4], *page[1][:2]):
        assert (cell.value, cell.data_type) == (text, "s")
        assert cell.hyperlink is None


def test_what_no_cell_holds_is_made_to_fit(tmp_path: Path) -> None:
    row: list[Cell] = [*ROW]
    row[:3] = ["a\x00b\x1f", "x" * 40_000, "\ud800\ufffe"]
    row[6] = "1899-12-31"
    page = written(tmp_path / "a.xlsx", [row])["Sheet"]
    cells = page[2]
    assert cells[0].value == "a\ufffdb\ufffd"
    assert len(str(cells[1].value)) == xlsx_writer.MOST_TEXT
    assert cells[2].value == "\ufffd\ufffd"
    assert cells[6].value == "1899-12-31"


def test_sheets_get_names_that_can_be_names(tmp_path: Path) -> None:
    titles = ("A/B: [c]?", "a" * 40, "A" * 40, "")
    write(tmp_path / "a.xlsx", [Sheet(title, COLUMNS, []) for title in titles], title="")
    names = openpyxl.load_workbook(tmp_path / "a.xlsx").sheetnames
    assert names == ["A B   c", "a" * 31, "A" * 27 + " (2)", "-"]


def test_a_sheet_takes_no_more_than_it_holds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xlsx_writer, "MOST_ROWS", 5)
    page = written(tmp_path / "a.xlsx", [ROW] * 10)["Sheet"]
    assert page.max_row == 5
    assert [page.cell(line, 1).value for line in (4, 5)] == ["a", "…"]


def test_it_takes_the_place_of_another_only_when_it_is_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.xlsx"
    path.write_bytes(b"before")
    monkeypatch.setattr(xlsx_writer, "_CHECK_EVERY", 1)
    stop = Stop()

    def rows() -> Iterator[Sequence[Cell]]:
        yield ROW
        stop.set()
        yield ROW

    with pytest.raises(Cancelled):
        write(path, [Sheet("a", COLUMNS, rows())], title="", stop=stop)
    assert path.read_bytes() == b"before"
    assert list(tmp_path.iterdir()) == [path]


def test_a_place_that_takes_nothing_is_named(tmp_path: Path) -> None:
    with pytest.raises(EnvironmentFault, match=r"nowhere"):
        write(tmp_path / "nowhere" / "a.xlsx", [Sheet("a", COLUMNS, [])], title="")


class Filling:
    """A file on a disk that takes so many bytes and no more."""

    def __init__(self, room: int) -> None:
        self._file, self._room = io.BytesIO(), room
        self.closed = False

    def write(self, data: bytes) -> int:
        if self._file.tell() + len(data) > self._room:
            raise OSError(errno.ENOSPC, "No space left on device")
        return self._file.write(data)

    def seek(self, offset: int, whence: int = 0) -> int:
        return self._file.seek(offset, whence)

    def tell(self) -> int:
        return self._file.tell()

    def flush(self) -> None:
        self._file.flush()


@pytest.mark.parametrize("room", [0, 200, 3000])
def test_a_full_disk_is_said_once_and_nothing_comes_after(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, room: int
) -> None:
    @contextmanager
    def filling(path: Path) -> Iterator[Filling]:
        try:
            yield Filling(room)
        except OSError as error:
            raise storage_fault(error, path) from error

    late: list[object] = []
    monkeypatch.setattr(xlsx_writer, "atomic_file", filling)
    monkeypatch.setattr(sys, "unraisablehook", late.append)
    with pytest.raises(DiskFull, match=r"a\.xlsx"):
        write(tmp_path / "a.xlsx", [Sheet("a", COLUMNS, [ROW] * 50)], title="")
    gc.collect()  # the ZIP that was left open is gone now
    assert late == []
