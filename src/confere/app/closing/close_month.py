"""The use case "close the month": what was filed is frozen and chained; a month is opened again for a reason."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from confere.app.archive_session import OpenArchive
from confere.app.closing.changes import since
from confere.app.closing.checklist import check_month
from confere.app.closing.checklist_line import LineState
from confere.app.context import Workspace
from confere.app.reconciliation.review.closing_judgement import ClosingJudgement, judge_month
from confere.archive.closing import closings, month_rows
from confere.archive.closing.closings import SHORT as SHORT
from confere.archive.store import Archive
from confere.archive.transaction import Transaction
from confere.errors import Message, NotInArchive, UsageFault, message
from confere.export.months import known_companies, month_of
from confere.export.package.request import company_of
from confere.reconcile import month_changes
from confere.sales.closings import ClosingAct, ClosingKind, MonthRows, SigningNames

Check = Callable[[Archive, str, str], Sequence[Message]]
"""Asked about a company and month: what lacks for it to be complete, each in a sentence."""
TAXES: Final = ("icms", "icms_st", "fcp", "ipi", "pis", "cofins", "ibs", "cbs")


class CloseOutcome(StrEnum):
    CLOSED = "closed"
    UNCHANGED = "unchanged"  # it stands closed with exactly this
    CHANGED = "changed"  # it stands closed with something else: nothing was done
    INCOMPLETE = "incomplete"  # something lacks, and it was not asked to be closed all the same: nothing was done


@dataclass(frozen=True, slots=True)
class CloseRequest:
    """Which month (`YYYY-MM`) of which company; None: of each known one that has documents in it."""

    month: str
    company: str | None = None
    names: SigningNames = field(default_factory=SigningNames)
    allow_incomplete: bool = False


@dataclass(frozen=True, slots=True)
class CloseResult:
    """What became of a company's month. `act` is the one in which it stands closed; None where it does not."""

    company: str
    month: str
    outcome: CloseOutcome
    act: ClosingAct | None
    lacks: tuple[Message, ...] = ()
    changes: int = 0

    @property
    def is_closed(self) -> bool:
        return self.outcome in (CloseOutcome.CLOSED, CloseOutcome.UNCHANGED)


@dataclass(frozen=True, slots=True)
class ClosingReport:
    """What became of the month of each company, and what that changed of the findings that hold it against its
    closing."""

    results: tuple[CloseResult, ...]
    judged: ClosingJudgement


@dataclass(frozen=True, slots=True)
class ReopeningReport:
    """The acts that opened a month again, and what they changed of its findings."""

    acts: tuple[ClosingAct, ...]
    judged: ClosingJudgement


@dataclass(frozen=True, slots=True)
class ClosePreview:
    """What closing would freeze now. `act`: the newest act on the month, if there is any."""

    company: str
    month: str
    totals: Mapping[str, int]
    act: ClosingAct | None
    lacks: tuple[Message, ...]


def lacking(opened: OpenArchive) -> Check:
    """The check that `close` asks: every line of the checklist that keeps a month from being complete."""

    def lacks(_archive: Archive, company: str, month: str) -> tuple[Message, ...]:
        checklist = check_month(opened, month, company)
        return tuple(
            line.what
            for checked in checklist.companies
            for line in checked.lines
            if line.state in (LineState.PROBLEM, LineState.NOT_CHECKED)
        )

    return lacks


def close(workspace: Workspace, wanted: CloseRequest, check: Check | None = None) -> ClosingReport:
    """Freeze what the archive holds of the month, company by company, and judge it by that, all in one transaction.

    What lacks does not stop a closing that allows it, and is kept with it. `NotInArchive` where no known company has
    documents in the month.
    """
    month = month_of(wanted.month).text
    with workspace.writing("close") as archive:
        companies = _companies(archive, wanted.company, month)
        lacks = {company: _lacks(archive, company, month, check) for company in companies}
        with archive.writing() as transaction:
            results = tuple(_close_one(transaction, company, month, wanted, lacks[company]) for company in companies)
            closed = [entry.act for entry in results if entry.outcome is CloseOutcome.CLOSED and entry.act is not None]
            return ClosingReport(results, _judged(transaction, month, closed))


def reopen(workspace: Workspace, month: str, company: str | None, reason: str) -> ReopeningReport:
    """Open closed months again, with the reason in the chain and in the audit trail, and judge the month by that.

    Without a company every closed one's of that month. `UsageFault` without a reason or where none is closed.
    """
    text = month_of(month).text
    if not reason.strip():
        raise UsageFault(message("A month is opened again for a reason."), message("Give it with --reason."))
    owner = None if company is None else company_of(company)
    with workspace.writing("close") as archive, archive.writing() as transaction:
        standing = [act for act in closings.closed_months(transaction, owner) if act.month == text]
        if not standing:
            raise NotInArchive(
                message("The month {month} is not closed.", month=text),
                message("Close it with `confere close --period {month}`.", month=text),
            )
        acts = tuple(
            closings.append(transaction, act.company, text, ClosingKind.REOPEN, reason=reason) for act in standing
        )
        return ReopeningReport(acts, _judged(transaction, text, acts))


def preview(
    opened: OpenArchive, month: str, company: str | None, check: Check | None = None
) -> tuple[ClosePreview, ...]:
    """What `close` would freeze, without freezing it."""
    text = month_of(month).text
    archive = opened.archive()
    previews = []
    for owner in _companies(archive, company, text):
        with archive.reading() as transaction:
            rows = month_rows.read(transaction, owner, text)
            act = closings.newest(transaction, owner, text)
        previews.append(ClosePreview(owner, text, filed_totals(rows), act, _lacks(archive, owner, text, check)))
    return tuple(previews)


def history(opened: OpenArchive, company: str | None = None, month: str | None = None) -> tuple[ClosingAct, ...]:
    """The acts of the chain, oldest first."""
    with opened.reading() as transaction:
        return closings.acts(transaction, company, month)


def filed_totals(rows: MonthRows) -> dict[str, int]:
    """What is filed, by name: counts, and centavos of what is in effect, `out_icms` for issued documents' vICMS.

    `events` are those of the documents, whenever they happened; not those of the month on earlier documents, which a
    package has beside them.
    """
    totals = {"documents": len(rows.documents), "events": len(rows.events), "findings": len(rows.findings)}
    totals |= {"links": len(rows.links), "in_effect": 0}
    for direction in ("out", "in"):
        totals |= {f"{direction}_documents": 0, f"{direction}_total": 0}
    for document in rows.documents:
        if document.state in month_changes.IN_EFFECT:
            totals["in_effect"] += 1
            totals[f"{document.direction}_documents"] = totals.get(f"{document.direction}_documents", 0) + 1
            name = f"{document.direction}_total"
            totals[name] = totals.get(name, 0) + (document.total or 0)
    for line in month_changes.pivot_of(rows):
        if line.in_effect:
            for tax in TAXES:
                name = f"{line.direction}_{tax}"
                totals[name] = totals.get(name, 0) + (line.amount(tax) or 0)
    return totals


def _close_one(
    transaction: Transaction, company: str, month: str, wanted: CloseRequest, lacks: tuple[Message, ...]
) -> CloseResult:
    act = closings.newest(transaction, company, month)
    if act is not None and act.is_closed:
        changes = since(transaction, act).count
        outcome = CloseOutcome.CHANGED if changes else CloseOutcome.UNCHANGED
        return CloseResult(company, month, outcome, act, lacks, changes)
    if lacks and not wanted.allow_incomplete:
        return CloseResult(company, month, CloseOutcome.INCOMPLETE, None, lacks)
    rows = month_rows.read(transaction, company, month)
    made = closings.append(
        transaction,
        company,
        month,
        ClosingKind.CLOSE,
        rows=rows,
        names=wanted.names,
        is_incomplete=bool(lacks),
        totals=filed_totals(rows),
    )
    return CloseResult(company, month, CloseOutcome.CLOSED, made, lacks)


def _judged(transaction: Transaction, month: str, acts: Sequence[ClosingAct]) -> ClosingJudgement:
    if not acts:
        return ClosingJudgement()
    return judge_month(transaction, [act.company for act in acts], month, acts[-1].at)


def _lacks(archive: Archive, company: str, month: str, check: Check | None) -> tuple[Message, ...]:
    return () if check is None else tuple(check(archive, company, month))


def _companies(archive: Archive, company: str | None, month: str) -> tuple[str, ...]:
    if company is not None:
        return (company_of(company),)
    with archive.reading() as transaction:
        companies = tuple(
            owner for owner in known_companies(archive) if month_rows.has_documents(transaction, owner, month)
        )
    if not companies:
        raise NotInArchive(
            message("None of the known companies has documents in {month}.", month=month),
            message("Name a company with --company, or choose another month."),
        )
    return companies
