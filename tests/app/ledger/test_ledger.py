"""The month's ledger against sums of the same XML by another program, and as foreign programs read its files."""

from __future__ import annotations

import csv
import io
import zipfile
from decimal import Decimal
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from openpyxl.utils import range_boundaries
from openpyxl.worksheet.worksheet import Worksheet
from pyarrow import parquet

from confere.app.context import Workspace
from confere.app.ledger import ledger
from confere.app.ledger.ledger import LedgerChoice, LedgerFormat
from confere.archive.documents import export_queries
from confere.errors import ExportRefused, UsageFault
from confere.export.ledger.ledger_reader import read_month
from confere.export.months import month_of, months_of
from tests.app import filed_worlds
from tests.app.ledger.sheet_cells import SHEETS, Workbook
from tests.app.ledger.simples_notes import simples_note
from tests.app.sandboxed import copied, synced
from tests.archive.papers import EMITTER, cancellation, store
from tests.oracle import ledger as oracle
from tests.oracle.ledger import Tables
from tests.oracle.papers import read

MONTH = "2026-10"
EFFECTIVE = ("authorized", "complemented", "unregistered")
Rows = list[dict[str, Any]]


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """A small world of the sandbox; the tests only read it."""
    return copied(synced(tmp_path_factory), tmp_path_factory.mktemp("ledger") / "home")


@pytest.fixture
def simples(tmp_path: Path) -> Workspace:
    """A company of the Simples Nacional with every kind of revenue, one note cancelled and one denied."""
    workspace = Workspace.at(tmp_path / "home")
    with workspace.writing("test") as archive:
        store(
            archive,
            simples_note(1, "5102", "102", "49", "100.00", discount="5.00", freight="7.50"),
            simples_note(2, "5405", "500", "04", "40.10"),
            simples_note(3, "6108", "102", "04", "20.00"),
            simples_note(4, "7102", "300", "06", "900.00"),
            simples_note(5, "5102", "400", "49", "33.00"),
            simples_note(6, "1202", "102", "49", "10.00", kind="0", purpose="4"),
            simples_note(7, "5910", "400", "49", "15.00"),
            simples_note(9, "5102", "102", "49", "1000.00"),
            cancellation(9),
            simples_note(11, "5102", "102", "49", "2000.00", cstat="110"),
        )
    return workspace


def sheets_of(path: Path) -> dict[str, Rows]:
    """The rows of each sheet by its header, without the total; the header is what was frozen."""
    book = openpyxl.load_workbook(path)
    found: dict[str, Rows] = {}
    for page in book:
        head = int(page.freeze_panes[1:]) - 1
        names = [cell.value for cell in page[head]]
        rows = [[cell.value for cell in line] for line in page.iter_rows(min_row=head + 1)]
        found[page.title] = [dict(zip(names, row, strict=True)) for row in rows if row[0] != "Total"]
    return found


def money(value: object) -> Decimal:
    return Decimal(str(value or 0)).quantize(Decimal("0.01"))


def papers_of(workspace: Workspace, company: str, month: str) -> list[bytes]:
    """The XML of the documents of the month that are in effect."""
    days = month_of(month)
    with workspace.reading() as archive, archive.reading() as transaction:
        ids = [
            number
            for part in export_queries.document_ids(transaction, company, days.first_day, days.last_day)
            for number in part
        ]
        rows = export_queries.documents(transaction, company, ids)
        return [archive.vault.get(transaction, row.content_id) for row in rows if row.state in EFFECTIVE]


def hold(path: Path, tables: Tables) -> None:
    """Every table of the workbook is the one that the independent program finds."""
    book = Workbook(path)
    for table in SHEETS:
        # The revenue of the Simples is written for a company of it alone.
        expected = tables.of(table) if table != "simples" or tables.is_simples else {}
        assert book.cells(table) == expected, table


def test_totals_are_those_of_the_packages(tmp_path_factory: pytest.TempPathFactory, tmp_path: Path) -> None:
    filed = filed_worlds.made(tmp_path_factory, "sandboxed")
    seen: set[str] = set()
    newest: dict[str, list[str]] = {}
    for company, month in filed.months():
        newest[company] = [*newest.get(company, []), month][-2:]
    for company, months in newest.items():
        for month in months:
            result = ledger.write(filed.workspace, LedgerChoice(month, company, tmp_path))[0]
            tables = oracle.tables(filed.papers, company, month)
            hold(result.path, tables)
            sheets = sheets_of(result.path)
            seen |= {name for name in ("DIFAL and FCP", "IBS and CBS", "Simples Nacional") if sheets[name]}
            assert sum(money(row["Total"]) for row in sheets["Documents"] if row["Counts"]) * 100 == tables.total
            assert result.unreadable == 0
            assert len(sheets["Documents"]) == result.documents == tables.documents
            assert result.in_effect == tables.in_effect
    assert seen == {"DIFAL and FCP", "IBS and CBS", "Simples Nacional"}


def test_revenue_is_segregated_and_what_has_no_effect_is_listed_alone(simples: Workspace, tmp_path: Path) -> None:
    result = ledger.write(simples, LedgerChoice(MONTH, EMITTER, tmp_path / "l.xlsx"))[0]
    sheets = sheets_of(result.path)
    hold(result.path, oracle.tables(read(papers_of(simples, EMITTER, MONTH)), EMITTER, MONTH))
    assert sum(money(row["Revenue"]) for row in sheets["Simples Nacional"]) == Decimal("1095.60") - 10
    assert {row["Market"] for row in sheets["Simples Nacional"]} == {"inside", "abroad"}
    assert [row["Counts"] for row in sheets["Documents"]] == [1, 1, 1, 1, 1, 1, 1, 0, 0]
    assert [(row["From number"], row["To number"]) for row in sheets["Numbers"]] == [(8, 8), (10, 10)]
    assert [row["Code"] for row in sheets["Events"]] == ["110111"]
    assert (result.documents, result.in_effect) == (9, 7)


def test_cells_have_types_pages_are_set_up_and_no_text_is_a_formula(simples: Workspace, tmp_path: Path) -> None:
    first, again = (
        ledger.write(simples, LedgerChoice(MONTH, EMITTER, tmp_path / name / "l.xlsx"))[0].path for name in "ab"
    )
    assert first.read_bytes() == again.read_bytes()
    book = openpyxl.load_workbook(first)
    page = book["Documents"]
    line = {head.value: cell for head, cell in zip(page[1], page[2], strict=True)}
    assert (line["Access key"].data_type, len(line["Access key"].value)) == ("s", 44)
    assert (line["Issued on"].data_type, line["Total"].data_type) == ("d", "n")
    assert (line["Recipient's name"].data_type, line["Recipient's name"].value) == ("s", "=cmd|' /C calc'!A0")
    assert line["Total"].number_format == "#,##0.00"
    for sheet in book:
        assert (sheet.page_setup.orientation, sheet.page_setup.fitToWidth or 1, sheet.page_setup.fitToHeight) == (
            "landscape",
            1,
            0,
        )
        assert sheet.sheet_properties.pageSetUpPr.fitToPage
        assert sheet.print_title_rows
        assert sheet.auto_filter.ref
        assert "2026" in sheet.oddHeader.left.text
        assert "&P" in sheet.oddFooter.right.text
    for name in ("Findings", "Links"):
        assert scale_of(book[name]) >= 0.7, name
    total = [cell.value for cell in page[page.max_row]]
    assert (total[0], total[list(line).index("Total")]) == ("Total", 1118.1)


def scale_of(sheet: Worksheet) -> float:
    """At which part of its size a sheet is printed, one page of A4 wide."""
    area = sheet.print_area.rpartition("!")[2]
    last = range_boundaries(area)[2] if area else sheet.max_column
    groups = sheet.column_dimensions.values()  # neighbours of one width stand together
    pixels = sum(
        round(group.width * 7) * (min(group.max, last) - group.min + 1) for group in groups if group.min <= last
    )
    return (11.69 - sheet.page_margins.left - sheet.page_margins.right) * 96 / pixels


def test_people_can_be_hidden(simples: Workspace, tmp_path: Path) -> None:
    path = ledger.write(simples, LedgerChoice(MONTH, EMITTER, tmp_path / "l.xlsx", hide_people=True))[0].path
    told = {str(row["Recipient"]) + str(row["Recipient's name"]) for row in sheets_of(path)["Documents"]}
    assert not any("529" in text or "cmd" in text for text in told)


def test_csv_and_parquet_say_the_same(simples: Workspace, tmp_path: Path) -> None:
    def written(form: LedgerFormat) -> Path:
        return ledger.write(simples, LedgerChoice(MONTH, EMITTER, tmp_path / form, form))[0].path

    def rows(form: LedgerFormat, separator: str) -> list[dict[str, str]]:
        with zipfile.ZipFile(written(form)) as package:
            assert package.testzip() is None
            name = next(name for name in package.namelist() if "documents" in name)
            data = package.read(name)
            assert data.startswith(b"\xef\xbb\xbf") == (form is LedgerFormat.CSV)
            return list(csv.DictReader(io.StringIO(data.decode("utf-8-sig")), delimiter=separator))

    brazilian, plain = rows(LedgerFormat.CSV, ";"), rows(LedgerFormat.CSV_RFC4180, ",")
    assert (brazilian[1]["Total"], plain[1]["Total"]) == ("40,10", "40.10")
    assert (brazilian[1]["Issued on"], plain[1]["Issued on"]) == ("05/10/2026", "2026-10-05")
    assert plain[0]["Recipient's name"] == "'=cmd|' /C calc'!A0"
    folder = written(LedgerFormat.PARQUET)
    table = parquet.read_table(next(folder.glob("*-documents.parquet"))).to_pylist()
    assert [row["total"] for row in table] == [Decimal(row["Total"]) for row in plain]
    assert len(list(folder.glob("*.parquet"))) == 14


def test_worker_processes_change_nothing(world: Workspace) -> None:
    with world.reading() as archive:
        company = ledger.known_companies(archive)[0]
        month = month_of(months_of(archive, company)[-1].month)
        with (
            read_month(archive, company, month, workers=0) as alone,
            read_month(archive, company, month, workers=2) as helped,
        ):
            assert list(alone.documents()) == list(helped.documents())


def test_refusals(simples: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ExportRefused, match="2020-01"):
        ledger.write(simples, LedgerChoice("2020-01", EMITTER, tmp_path))
    with pytest.raises(UsageFault, match="xlsx"):
        ledger.write(simples, LedgerChoice(MONTH, EMITTER, tmp_path / "l.zip"))
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    with pytest.raises(UsageFault, match="pyarrow"):
        ledger.write(simples, LedgerChoice(MONTH, EMITTER, tmp_path, LedgerFormat.PARQUET))
