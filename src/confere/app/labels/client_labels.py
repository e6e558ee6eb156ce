"""The words for clients and how they stand, shared by both faces."""

from __future__ import annotations

from typing import Final

from confere.app.closing.checklist_line import LineState
from confere.app.labels.checklist_labels import findings_text
from confere.app.overview.client_choice import ClientFlag, ClientSort
from confere.app.overview.clients import ClientRow
from confere.errors import N_, NC_, Message
from confere.system import formatting
from confere.system.messages import ngettext, render, t

FLAGS: Final = {
    ClientFlag.PROBLEMS: N_("With problems"),
    ClientFlag.NOT_CLOSED: N_("Not closed"),
    ClientFlag.STALE: N_("Not synced lately"),
}
SORTS: Final = {
    ClientSort.WORST: N_("Situation"),
    ClientSort.NAME: N_("Company"),
    ClientSort.LISTED: N_("Last sync"),
    ClientSort.DOCUMENTS: N_("Documents"),
    ClientSort.MISSING: N_("Missing XML"),
    ClientSort.HIGH: N_("High"),
    ClientSort.MEDIUM: N_("Medium"),
    ClientSort.LOW: N_("Low"),
    ClientSort.EXPORTED: N_("Package"),
    ClientSort.CLOSED: N_("Closed"),
    ClientSort.TAX_ID: N_("CNPJ"),
    ClientSort.ACCOUNTS: N_("Account"),
}


def flag_word(flag: ClientFlag) -> str:
    return render(Message(FLAGS[flag]))


def sort_word(sort: ClientSort) -> str:
    """The head of the column that it orders by."""
    return render(Message(SORTS[sort]))


def situation(row: ClientRow, *, of_month: bool) -> str:
    """What is worst about a client, or what comes next, in a few words; `of_month`: one month is looked at."""
    match row.state:
        case LineState.PROBLEM:
            parts = [ngettext("{count} XML missing", "{count} XML missing", row.missing)] if row.missing else []
            if row.high:
                parts.append(ngettext("{count} serious", "{count} serious", row.high))
            return " · ".join(parts) or t("list incomplete")
        case LineState.NOT_CHECKED:
            if row.is_never_listed:
                return t("never synced")
            return t("not synced lately") if row.is_stale else t("not reconciled")
        case LineState.WARNING:
            if row.lower:
                return t("{count} to look at", count=formatting.count(row.lower))
            return t("reconcile again") if row.is_outdated else t("from files only")
    if not of_month:
        return t("no problem")
    if row.closed_at is not None:
        return t("closed")
    return t("to close") if row.packaged_at is not None else t("to export")


def last_sync_text(row: ClientRow) -> str:
    """When its lists were last read and, where they grow old, how many days ago that is."""
    if not row.accounts:
        return "—"
    if row.listed_at is None:
        return t("never")
    day = formatting.date(row.listed_at.date())
    return t("{day} ({days} d)", day=day, days=formatting.count(row.days)) if row.days else day


def number_text(number: int | None) -> str:
    """A count, or that nobody counted."""
    return t(NC_("line", "not checked")) if number is None else formatting.count(number)


def findings_tip(row: ClientRow) -> str:
    """Its open findings in words, which of them are of no company, and whether they are of before what came last."""
    words = findings_text(row.findings)
    if row.of_no_company:
        of_none = formatting.count(row.of_no_company)
        words = t("{findings}, {count} of them of the account and of no company", findings=words, count=of_none)
    return t("{findings}; documents or orders came after", findings=words) if row.is_outdated else words
