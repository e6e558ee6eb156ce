"""The list of findings as files: one row a finding as the report has it, and the documents that findings name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from confere.app.reconciliation import findings as finding_rows
from confere.app.reconciliation import report_sheets, spreadsheet_report
from confere.app.reconciliation.report_sheets import Of, ReportedFinding
from confere.app.reconciliation.values import FindingQuery
from confere.app.selection.list_files import ListFiles, once, steps
from confere.archive.documents import total_parts
from confere.archive.reconciliation import finding_search, findings
from confere.archive.store import Archive
from confere.archive.transaction import Transaction
from confere.export.spreadsheet.xlsx_writer import Sheet


def of_numbers(chosen: Sequence[int]) -> ListFiles:
    """These findings, of whatever accounts."""
    return ListFiles(lambda _: once(chosen), _sheet, _documents)


def finding_files(query: FindingQuery) -> ListFiles:
    """Everything that `query` lists."""

    def ids(archive: Archive) -> Sequence[int]:
        with archive.reading() as transaction:
            return finding_search.ids(transaction, *finding_rows.asked(transaction, query))

    return ListFiles(ids, _sheet, _documents)


def _documents(transaction: Transaction, rows: Sequence[int]) -> Sequence[int]:
    """The current documents that these findings name by their keys."""
    known = findings.numbered(transaction, rows)
    keys = [key for number in rows if number in known for key in known[number][1].found.keys]
    numbers = total_parts.current_of(transaction, keys)
    return [numbers[key] for key in keys if key in numbers]


def _sheet(archive: Archive, ids: Sequence[int], hides_people: bool) -> Sheet:
    lines = (line for part in steps(archive, ids, _reading(hides_people)) for line in part)
    sheet = report_sheets.findings(lines)
    return spreadsheet_report.without_people(sheet) if hides_people else sheet


def _reading(
    hides_people: bool,
) -> Callable[[Transaction, Sequence[int]], tuple[Of[ReportedFinding], ...]]:
    def read(transaction: Transaction, ids: Sequence[int]) -> tuple[Of[ReportedFinding], ...]:
        return tuple(_read(transaction, ids, hides_people))

    return read


def _read(transaction: Transaction, ids: Sequence[int], hides_people: bool) -> Iterator[Of[ReportedFinding]]:
    known = findings.numbered(transaction, ids)
    made: dict[int, Of[ReportedFinding]] = {}
    for account_id in {account_id for account_id, _ in known.values()}:
        of_account = [stored for owner, stored in known.values() if owner == account_id]
        rows = finding_rows.rows(transaction, account_id, of_account)
        for one in spreadsheet_report.with_orders(transaction, account_id, rows, hides_people):
            made[one.row.id] = Of(one.row.account, one)
    return (made[number] for number in ids if number in made)
