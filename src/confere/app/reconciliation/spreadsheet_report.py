"""The use case "the reconciliation as a spreadsheet": what the archive holds of it, for whoever signs it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Final, TypeVar

from confere.app.archive_session import OpenArchive
from confere.app.context import Workspace
from confere.app.labels import labels
from confere.app.labels.people import hidden_text, people_of
from confere.app.reconciliation import queries, report_sheets
from confere.app.reconciliation.queries import FindingFilter, FindingQuery, FindingState, RunLine
from confere.app.reconciliation.report_sheets import Of, ReportedFinding, ReportedLink
from confere.app.reconciliation.values import FindingRow, LinkLine
from confere.archive.accounts import accounts, preferences
from confere.archive.documents import documents, total_parts
from confere.archive.documents.documents import DocumentRow
from confere.archive.orders import orders
from confere.archive.transaction import Transaction
from confere.errors import UsageFault, message
from confere.export.spreadsheet.xlsx_writer import Cell, CellKind, Sheet, write
from confere.system.messages import render, t
from confere.system.processes.cancellation import Stop
from confere.system.settings import HIDE_PEOPLE

T = TypeVar("T")

Asked = tuple[str, str | None]
"""An account, and a month or None for all."""

_PAGE: Final = 500
_SHOWN: Final = tuple(FindingState)


def report(
    workspace: Workspace, asked: Sequence[Asked], path: Path, *, hide_people: bool = False, stop: Stop | None = None
) -> Path:
    """Write the findings of these accounts and months with their links, goods and taxes; where it was written.

    Natural persons are hidden where `hide_people` or the settings say so.

    Links and taxes are of the same months. Raises as `confere.export.spreadsheet.xlsx_writer.write` does.
    """
    refuse_others(path)
    with closing(OpenArchive(workspace)) as opened:
        hidden = hide_people or workspace.settings.get(HIDE_PEOPLE)
        sheets = map(without_people, _sheets(opened, asked, True)) if hidden else _sheets(opened, asked, False)
        write(path, sheets, title=t("Reconciliation"), stop=stop)
    return path


def without_people(sheet: Sheet) -> Sheet:
    """The sheet with every long text, in which anybody can be named, hidden; numbers and keys stay."""
    long = {number for number, column in enumerate(sheet.columns) if column.kind is CellKind.LONG}

    def hidden(row: Sequence[Cell]) -> Sequence[Cell]:
        return [
            hidden_text(cell) if number in long and isinstance(cell, str) else cell for number, cell in enumerate(row)
        ]

    return replace(sheet, rows=map(hidden, sheet.rows))


def refuse_others(path: Path) -> None:
    """`UsageFault` unless the name is a spreadsheet's."""
    if path.suffix.lower() != ".xlsx":
        raise UsageFault(
            message("{path} does not end in .xlsx.", path=str(path)), message("The report is an XLSX spreadsheet.")
        )


def _sheets(opened: OpenArchive, asked: Sequence[Asked], hide_people: bool) -> Iterator[Sheet]:
    """The sheets in their order; each is read from the archive while it is written."""

    def each(read: Callable[[str, str | None], Iterable[T]]) -> Iterator[Of[T]]:
        return (Of(account, value) for account, period in asked for value in read(account, period))

    parameters = [line for entry in asked for line in _parameters(opened, *entry)]
    yield report_sheets.rules(
        each(lambda account, period: queries.groups(opened, FindingQuery(account, FindingFilter(period)))), parameters
    )
    yield report_sheets.findings(each(lambda account, period: reported_findings(opened, account, period, hide_people)))
    yield report_sheets.links(each(lambda account, period: _links(opened, account, period, hide_people)))
    yield report_sheets.ties(each(lambda account, period: queries.ties(opened, account, period)))
    yield report_sheets.suggestions(each(lambda account, period: queries.suggestions(opened, account, period)))
    yield report_sheets.explained(each(lambda account, period: queries.explained(opened, account, period)))
    accounts_asked = dict.fromkeys(account for account, _ in asked)
    yield report_sheets.goods(
        Of(account, line) for account in accounts_asked for line in queries.stock(opened, account)
    )
    yield report_sheets.taxes(each(lambda account, period: queries.taxes(opened, account, period)))


def _parameters(opened: OpenArchive, account: str, period: str | None) -> Iterator[tuple[str, Cell]]:
    yield t("Account"), account
    yield t("Month"), t("all months") if period is None else labels.month_word(period)
    line = next((line for line in queries.runs(opened, account) if _covers(line, period)), None)
    if line is not None:
        yield t("Run"), line.entry.id
        yield t("Reconciled at"), line.entry.started_at
        yield t("As of"), line.as_of
        if line.period == period:  # a run of all months counts what is not of this one
            for label, number in line.entry.counts:
                yield render(label), number
    if period is not None:
        groups = queries.groups(opened, FindingQuery(account, FindingFilter(period)))
        yield t("Open findings of the month"), sum(group.open for group in groups)
        yield t("Findings of the month not checked"), sum(group.not_checked for group in groups)
        yield t("Links of the month"), sum(1 for _ in _links(opened, account, period))
        yield t("Goods at marketplaces"), t("as they stand now, of all months")
    with opened.reading() as transaction:
        terms = preferences.get(transaction, accounts.named(transaction, account).id).terms
    yield t("Tolerance, centavos"), terms.tolerance
    yield t("High severity from, centavos"), terms.high_from
    yield t("Hours until an order must have its invoice"), terms.invoice_after_hours
    yield t("Days until a shipped sale must have its CT-e"), terms.freight_after_days
    yield t("Days that goods may stand at a marketplace"), terms.standing_days


def _covers(line: RunLine, period: str | None) -> bool:
    return line.entry.outcome == "done" and line.period in (period, None)


def reported_findings(
    opened: OpenArchive, account: str, period: str | None, hide_people: bool, company: str | None = None
) -> Iterator[ReportedFinding]:
    """The findings of a month, or of all, that are not resolved, each with its orders; of a company, or of all."""
    states = tuple(state for state in _SHOWN if state is not FindingState.RESOLVED)
    query = FindingQuery(account, FindingFilter(period, states=states, company=company))
    offset = 0
    while True:
        rows = queries.findings(opened, query, offset, _PAGE)
        with opened.reading() as transaction:
            of_page = with_orders(transaction, accounts.named(transaction, account).id, rows, hide_people)
        yield from of_page
        if len(rows) < _PAGE:
            return
        offset += _PAGE


def with_orders(
    transaction: Transaction, account_id: int, rows: Sequence[FindingRow], hide_people: bool
) -> list[ReportedFinding]:
    """Findings of an account, each with its orders, and with the people in them where they are to be hidden."""
    known = orders.named(transaction, account_id, {name for row in rows for name in row.finding.orders})
    papers = _documents(transaction, {key for row in rows for key in row.finding.keys}) if hide_people else {}
    made = []
    for row in rows:
        of_row = [known[name] for name in row.finding.orders if name in known]
        of_paper = [papers[key] for key in row.finding.keys if key in papers]
        people = people_of(of_paper, of_row) if hide_people else frozenset()
        made.append(ReportedFinding(row, of_row, hide_people, people))
    return made


def _links(opened: OpenArchive, account: str, period: str | None, hide_people: bool = False) -> Iterator[ReportedLink]:
    """The links of which the order or the document is of the month."""
    every = queries.links(opened, account)
    for start in range(0, len(every), _PAGE):
        part = every[start : start + _PAGE]
        with opened.reading() as transaction:
            owner = accounts.named(transaction, account)
            of_part = reported_links(transaction, owner.id, part, hide_people)
        for made in of_part:
            if period is None or period in (made.order_on[:7], made.document_on[:7]):
                yield made


def reported_links(
    transaction: Transaction, account_id: int, lines: Sequence[LinkLine], hide_people: bool
) -> list[ReportedLink]:
    """Links of an account with both their ends."""
    known = orders.named(transaction, account_id, {line.link.order_id for line in lines})
    papers = _documents(transaction, {line.link.key for line in lines})
    return [ReportedLink(each, known.get(each.link.order_id), papers.get(each.link.key), hide_people) for each in lines]


def _documents(transaction: Transaction, keys: set[str]) -> dict[str, DocumentRow]:
    """The current documents with these access keys."""
    numbers = total_parts.current_of(transaction, keys)
    rows = documents.by_ids(transaction, list(numbers.values()))
    return {row.access_key: row for row in rows if row.access_key is not None}
