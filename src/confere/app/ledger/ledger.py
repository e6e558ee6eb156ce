"""The use case "write the month's ledger": one company's month as a spreadsheet, as CSV or as Parquet."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from pathlib import Path

from confere.app.archive_session import OpenArchive
from confere.app.closing.checklist import company_month
from confere.app.closing.series_gaps import SeriesGaps, series_gaps
from confere.app.context import Workspace
from confere.app.labels import labels
from confere.app.ledger import bridge_sheet, business_sheets, document_sheets, ledger_notes, tax_sheets
from confere.app.reconciliation.review import signoffs
from confere.app.reconciliation.review.signoffs import MonthSignOff
from confere.archive.clock import from_text
from confere.archive.closing import closings
from confere.errors import ExportRefused, UsageFault, message
from confere.export.ledger.ledger_reader import LedgerMonth, read_month
from confere.export.months import Month, known_companies, month_of, months_of
from confere.export.package.missing import completeness_of
from confere.export.spreadsheet import table_files, xlsx_writer
from confere.export.spreadsheet.xlsx_writer import Cell, PrintSetUp, Sheet
from confere.fiscal import taxpayers
from confere.fiscal.periods import BRASILIA
from confere.sales.closings import ClosingName
from confere.system.messages import render, t
from confere.system.processes.cancellation import Stop
from confere.system.settings import HIDE_PEOPLE


class LedgerFormat(StrEnum):
    """What a ledger is written as."""

    XLSX = "xlsx"
    CSV = "csv"  # as Brazilian Excel opens it
    CSV_RFC4180 = "csv-rfc4180"
    PARQUET = "parquet"


_SUFFIXES = {LedgerFormat.XLSX: ".xlsx", LedgerFormat.CSV: ".zip", LedgerFormat.CSV_RFC4180: ".zip"}


@dataclass(frozen=True, slots=True)
class LedgerChoice:
    """What a person chose. `company` None means every establishment; `target` None the data folder's exports."""

    month: str
    company: str | None = None
    target: Path | None = None
    format: LedgerFormat = LedgerFormat.XLSX
    hide_people: bool | None = None  # None: as the settings have it


@dataclass(frozen=True, slots=True)
class LedgerResult:
    """A ledger that was written. `missing` counts what the month is known to lack; `unreadable` documents.

    `closing` is what the ledger names as the closing of the month; None where the month is not closed.
    """

    company: str
    month: str
    path: Path
    documents: int
    in_effect: int
    unreadable: int
    missing: int
    closing: ClosingName | None = None


def write(workspace: Workspace, choice: LedgerChoice, *, stop: Stop | None = None) -> tuple[LedgerResult, ...]:
    """Write the ledgers; without a company, one for each known one that has documents in that month.

    Raises `ExportRefused` where nobody has any, `UsageFault` for a target that cannot take them, and what the writers
    of the format raise.
    """
    if choice.format is LedgerFormat.PARQUET:
        table_files.check_parquet()
    month = month_of(choice.month)
    with closing(OpenArchive(workspace)) as opened:
        archive = opened.archive()
        companies = [
            company
            for company in ([taxpayers.normalise(choice.company)] if choice.company else known_companies(archive))
            if any(entry.month == month.text for entry in months_of(archive, company))
        ]
        if not companies:
            raise ExportRefused(
                message("There are no documents of {month}.", month=month.text),
                message("See whose documents are here with `confere list`, and name a company with --company."),
            )
        targets = {company: _target(workspace, choice, company, month, len(companies)) for company in companies}
        return tuple(_write_one(opened, choice, company, month, targets[company], stop) for company in companies)


def write_beside(workspace: Workspace, company: str, month: str, package: Path, *, stop: Stop | None = None) -> Path:
    """Write `{company}-{month}.xlsx` into the folder of a package; where it was written.

    An earlier one is replaced. Raises as `write` does.
    """
    target = package.parent / f"{taxpayers.normalise(company)}-{month}.xlsx"
    return write(workspace, LedgerChoice(month, company, target), stop=stop)[0].path


def _target(workspace: Workspace, choice: LedgerChoice, company: str, month: Month, count: int) -> Path:
    target = choice.target if choice.target is not None else workspace.home.exports
    suffix = _SUFFIXES.get(choice.format)
    name = f"{company}-{month.text}"
    if suffix is None:
        return target / f"{name}-parquet"
    if target.suffix.lower() != suffix:
        if target.suffix.lower() in (".xlsx", ".zip", ".csv") and not target.is_dir():
            raise UsageFault(
                message("{path} does not end in {suffix}.", path=str(target), suffix=suffix),
                message("Give a folder, or a file that does."),
            )
        return target / (f"{name}{suffix}" if suffix == ".xlsx" else f"{name}-csv{suffix}")
    if count > 1:
        raise UsageFault(
            message("{count} companies do not fit into one file {path}.", count=count, path=str(target)),
            message("Give a folder, or name one company with --company."),
        )
    return target


def _write_one(
    opened: OpenArchive, choice: LedgerChoice, company: str, month: Month, target: Path, stop: Stop | None
) -> LedgerResult:
    hide = choice.hide_people if choice.hide_people is not None else opened.workspace.settings.get(HIDE_PEOPLE)
    known = completeness_of(opened.archive(), company, month)
    with read_month(opened.archive(), company, month, stop=stop) as read:
        with opened.reading() as transaction:
            named = closings.name_of(transaction, company, month.text)
            signed = signoffs.of_month(transaction, read.company, month.text)
            gaps = series_gaps(transaction, company_month(transaction, company, month))
        head = list(_head(read, named, signed, hide))
        for listed in known.listed:
            until = from_text(listed.created_until) if listed.created_until else None
            shown: Cell = until.astimezone(BRASILIA) if until is not None else t("never")
            head.append((t("Listed until ({account})", account=listed.account), shown))
        head += [(t("Missing"), render(lack.what)) for lack in known.missing]
        sheets = _sheets(opened, read, head, hide, gaps)
        target.parent.mkdir(parents=True, exist_ok=True)
        if choice.format is LedgerFormat.XLSX:
            paper = PrintSetUp(
                f"{labels.tax_id_word(company, hide)}  {labels.month_word(month.text)}",
                datetime.fromisoformat(month.last_day),
            )
            xlsx_writer.write(target, sheets, title=t("Ledger"), stop=stop, paper=paper)
        elif choice.format is LedgerFormat.PARQUET:
            table_files.write_parquet(target, sheets, stop=stop)
        else:
            dialect = table_files.BRAZILIAN if choice.format is LedgerFormat.CSV else table_files.RFC_4180
            table_files.write_csv(target, sheets, dialect, stop=stop)
        return LedgerResult(
            company,
            month.text,
            target,
            read.sums.documents,
            read.sums.in_effect,
            read.sums.unreadable,
            len(known.missing),
            named,
        )


def _head(
    read: LedgerMonth, named: ClosingName | None, signed: MonthSignOff | None, hide: bool
) -> Iterator[tuple[str, Cell]]:
    sums = read.sums
    yield t("Company"), labels.tax_id_word(read.company, hide)
    yield t("Month"), labels.month_word(read.month.text)
    if sums.regimes:
        words = ", ".join(f"{regime} ({count})" for regime, count in sorted(sums.regimes.items()))
        yield t("Regime (CRT), by own documents"), words
    yield t("Documents"), sums.documents
    yield t("Documents in effect"), sums.in_effect
    yield t("Documents that cannot be read"), sums.unreadable
    yield t("Included"), t("all documents issued in the month; sums are of those in effect, as their XML writes them")
    closed = ""
    if named is not None:
        closed = t("No. {number}, hash of the chain {head}", number=named.number, head=named.head)
    yield t("Closing snapshot"), closed or t("not closed")
    yield t("Reviewer's signature"), t("not signed") if signed is None else render(signoffs.sentence(signed))


def _sheets(
    opened: OpenArchive,
    read: LedgerMonth,
    head: list[tuple[str, Cell]],
    hide: bool,
    gaps: SeriesGaps,
) -> Iterator[Sheet]:
    """The tables in their order; each is read while it is written."""
    yield document_sheets.states(read.sums, head)
    yield document_sheets.documents(read, hide)
    yield document_sheets.items(read)
    yield tax_sheets.cfops(read.sums)
    yield tax_sheets.difal(read.sums)
    yield tax_sheets.contributions(read.sums)
    yield tax_sheets.simples(read.sums)
    yield tax_sheets.reform(read.sums)
    yield business_sheets.events(opened, read)
    yield document_sheets.numbers(read.sums, gaps)
    yield business_sheets.findings(opened, read, hide)
    crossing = bridge_sheet.bridge(opened, read.company, read.month.text)
    if crossing is not None:
        yield crossing
    yield business_sheets.links(opened, read, hide)
    yield ledger_notes.notes()
