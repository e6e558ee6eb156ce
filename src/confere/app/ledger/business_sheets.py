"""The tables of events, findings and links of the month's ledger: those of its company and its month alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from confere.app.accounts.freshness import may_hold
from confere.app.archive_session import OpenArchive
from confere.app.labels import labels
from confere.app.ledger.ledger_columns import Shown, TableNames, column, table
from confere.app.reconciliation import compare, report_sheets, spreadsheet_report
from confere.app.reconciliation.report_sheets import Of, ReportedLink
from confere.archive.accounts import accounts
from confere.archive.accounts.accounts import Account
from confere.archive.documents import details, export_queries
from confere.archive.documents.details import EventRow
from confere.errors import NC_
from confere.export.ledger.ledger_reader import LedgerMonth
from confere.export.spreadsheet.xlsx_writer import CellKind, Sheet
from confere.fiscal.periods import local_date
from confere.system.messages import t

# Characters of each column of the report's sheets, so that a page is printed at 70 % of its size or more: a key in two
# lines, a text in as many as it needs.
_FINDING_WIDTHS: Final = (11, 12, 7, 16, 9, 11, 13, 13, 11, 14, 16, 25, 27, 15, 14, 17)
_PRINTED_FINDING: Final = 14  # who decided and when stand in the file alone
_LINK_WIDTHS: Final = (11, 12, 12, 13, 25, 14, 12, 13, 14, 11, 34, 13)


class EventLine(NamedTuple):
    """An event of a document of the month, or (`is_earlier`) of the month and of an earlier document."""

    event: EventRow
    is_earlier: bool


def events(opened: OpenArchive, month: LedgerMonth) -> Sheet:
    """Events of the month's documents, then those of the month whose document is of an earlier one."""
    columns: Shown[EventLine] = [
        column("access_key", t("Access key"), lambda one: one.event.access_key, CellKind.KEY),
        column(
            "document",
            t("Document"),
            lambda one: t("of an earlier month") if one.is_earlier else t("of the month"),
            width=18,
        ),
        column("code", t("Code"), lambda one: one.event.code, width=10),
        column(
            "event",
            t("Event"),
            lambda one: labels.event_word(one.event.code, one.event.description, one.event.access_key),
            width=40,
        ),
        column("sequence", t("Sequence"), lambda one: one.event.sequence, CellKind.WHOLE, 10),
        column("occurred_on", t(NC_("event", "On")), lambda one: _day(one.event), CellKind.DAY),
        column(
            "registered",
            t(NC_("yes or no", "Registered")),
            lambda one: t("yes") if one.event.registered else t("no"),
            width=12,
        ),
        column("cstat", t("cStat"), lambda one: one.event.cstat, width=8),
        column("protocol", t("Protocol"), lambda one: one.event.protocol, width=20),
    ]
    return table(TableNames("events", t("Events")), columns, _events(opened, month), total=False)


def _day(event: EventRow) -> str | None:
    moment = event.occurred_at or event.registered_at
    day = local_date(moment) if moment is not None else None
    return moment if day is None else day.isoformat()


def _events(opened: OpenArchive, month: LedgerMonth) -> Iterator[EventLine]:
    for keys in month.access_keys():
        with opened.reading() as transaction:
            rows = details.events(transaction, keys)
        yield from (EventLine(row, False) for row in rows if row.is_current)
    days = month.month.first_day, month.month.last_day
    with opened.reading() as transaction:
        earlier = frozenset(export_queries.earlier_event_ids(transaction, month.company, *days))
        sheets = export_queries.events_by_id(transaction, month.company, tuple(sorted(earlier)))
        rows = details.events(transaction, {sheet.access_key for sheet in sheets if sheet.access_key})
    yield from (EventLine(row, True) for row in rows if row.id in earlier)


def owners(opened: OpenArchive, company: str) -> tuple[Account, ...]:
    """The accounts in use that may hold what is of the company."""
    with opened.reading() as transaction:
        return tuple(account for account in accounts.every(transaction) if may_hold(account, company))


def findings(opened: OpenArchive, month: LedgerMonth, hide_people: bool) -> Sheet:
    """What does not agree in the company's month: open, not checked, explained and ignored."""
    sheet = report_sheets.findings(
        Of(owner.name, finding)
        for owner in owners(opened, month.company)
        for finding in spreadsheet_report.reported_findings(
            opened, owner.name, month.month.text, hide_people, month.company
        )
    )
    sheet = spreadsheet_report.without_people(sheet) if hide_people else sheet
    return _for_paper(sheet, "findings", _FINDING_WIDTHS, printed=_PRINTED_FINDING)


def _for_paper(sheet: Sheet, name: str, widths: Sequence[int], printed: int = 0) -> Sheet:
    """A page is one sheet wide and is to be read: texts are folded earlier than in the report of the reconciliation."""
    columns = [
        replace(shown, width=width, kind=CellKind.LONG if shown.kind is CellKind.TEXT else shown.kind)
        for shown, width in zip(sheet.columns, widths, strict=True)
    ]
    return replace(sheet, name=name, columns=columns, printed=printed)


def links(opened: OpenArchive, month: LedgerMonth, hide_people: bool) -> Sheet:
    """Which order belongs to which document of the month, and why."""
    sheet = report_sheets.links(_links(opened, month, hide_people))
    sheet = spreadsheet_report.without_people(sheet) if hide_people else sheet
    return _for_paper(sheet, "links", _LINK_WIDTHS)


def _links(opened: OpenArchive, month: LedgerMonth, hide_people: bool) -> Iterator[Of[ReportedLink]]:
    owned = owners(opened, month.company)
    for keys in month.access_keys():
        for owner in owned:
            yield from (Of(owner.name, link) for link in _links_of(opened, owner, keys, hide_people))


def _links_of(opened: OpenArchive, owner: Account, keys: Sequence[str], hide_people: bool) -> list[ReportedLink]:
    if not keys:
        return []
    with opened.reading() as transaction:
        lines = compare.link_lines(transaction, owner.id, (), keys)
        return spreadsheet_report.reported_links(transaction, owner.id, lines, hide_people)
