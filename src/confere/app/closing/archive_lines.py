"""Lines about the archive: bytes and rows of the month's papers, files of nobody, findings, what was handed over."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from confere.app.accounts.freshness import moment
from confere.app.closing.account_month import AccountMonth
from confere.app.closing.changes import since
from confere.app.closing.checklist_line import ChecklistLine, LineCode, LineProof, LineState, RemedyKind, named, worst
from confere.app.closing.paper_lines import CompanyMonth
from confere.app.reconciliation.review import signoffs
from confere.archive.accounts import overview
from confere.archive.closing import closings, month_papers
from confere.archive.derived.due_rows import keys_in
from confere.archive.hub import completeness
from confere.archive.reconciliation import last_run, open_findings, reviews
from confere.archive.reconciliation.open_findings import WaitingFindings
from confere.archive.store import Archive
from confere.archive.transaction import Transaction
from confere.archive.vault import missing_contents
from confere.errors import ArchiveError, Message, PaperError, message
from confere.export.package.cancelled_profiles import Profile
from confere.fiscal.reading.document import read
from confere.sales.closings import ClosingAct, ClosingKind
from confere.sales.findings import FindingState, Severity, awaits_closing, is_undecided
from confere.system import formatting

_REPAIR: Final = message("Run `confere doctor --repair`.")


@dataclass(frozen=True, slots=True)
class OfficeFacts:
    """What is the same for every company: read once.

    `keys_without_rows` are keys in contents of which the archive has no row, `unreadable_files` imported files that
    cannot be read, `absent` contents that are missing or damaged; by company and month `exported` says when, `closed`
    are the closings that stand, `reopened` are the closing and the reopening of months that were closed and are open
    again.
    """

    keys_without_rows: tuple[str, ...]
    unreadable_files: int
    absent: tuple[int, ...]
    exported: dict[tuple[str, str], datetime]
    closed: dict[tuple[str, str], ClosingAct]
    reopened: dict[tuple[str, str], tuple[ClosingAct, ClosingAct]]


def office_facts(archive: Archive, transaction: Transaction) -> OfficeFacts:
    """Read them; contents without rows, of which there should be none, are read from the vault."""
    keys: list[str] = []
    for content_id in missing_contents.without_rows(transaction):
        try:
            keys += keys_in(read(archive.vault.get(transaction, content_id)))
        except (PaperError, ArchiveError):
            continue
    exported: dict[tuple[str, str], datetime] = {}
    for entry in overview.exports(transaction):
        if entry.profile != Profile.CANCELLATIONS:  # cancelled documents alone are no month
            exported.setdefault((entry.company, entry.month), moment(entry.at))
    newest: dict[tuple[str, str], dict[ClosingKind, ClosingAct]] = {}
    for act in closings.acts(transaction):
        newest.setdefault((act.company, act.month), {})[act.kind] = act
    closed: dict[tuple[str, str], ClosingAct] = {}
    reopened: dict[tuple[str, str], tuple[ClosingAct, ClosingAct]] = {}
    for name, acts in newest.items():
        close, reopen = acts[ClosingKind.CLOSE], acts.get(ClosingKind.REOPEN)
        if reopen is not None and reopen.number > close.number:
            reopened[name] = (close, reopen)
        else:
            closed[name] = close
    absent = missing_contents.broken(transaction)
    return OfficeFacts(tuple(keys), month_papers.unreadable_files(transaction), absent, exported, closed, reopened)


def of_bytes(transaction: Transaction, of: CompanyMonth, facts: OfficeFacts) -> Iterator[ChecklistLine]:
    """Papers of the month that are not whole: bytes, rows, or documents of which only events are here."""
    month = of.month
    begin = month.text[2:4] + month.text[5:7] + of.company.zfill(14)
    kinds: tuple[tuple[LineCode, Sequence[str], Message, Message], ...] = (
        (
            LineCode.DOCUMENT_OF_EVENT,
            completeness.keys_without_document(transaction, of.company, month.text),
            message("Documents of which only events are in the archive: {count}."),
            message("Sync again, or import their XML."),
        ),
        (
            LineCode.BYTES_MISSING,
            completeness.bytes_missing(transaction, of.company, month.first_day, month.last_day, absent=facts.absent),
            message("Documents whose bytes, or an event's, are missing or damaged: {count}."),
            message("Run `confere sync`, or `confere doctor --repair`."),
        ),
        (
            LineCode.NOT_BELONGING,
            completeness.not_belonging(transaction, of.company, month.first_day, month.last_day),
            message("Documents of the company that its list does not have: {count}."),
            _REPAIR,
        ),
        (
            LineCode.NOT_SHOWN,
            sorted({key for key in facts.keys_without_rows if key[2:20] == begin}),
            message("Documents whose XML is in the archive and which no list shows: {count}."),
            _REPAIR,
        ),
    )
    for code, names, what, remedy in kinds:
        if names:
            yield ChecklistLine(
                code=code,
                state=LineState.PROBLEM,
                what=Message(what.id, {"count": formatting.count(len(names))}),
                proof=named(names, "confere doctor", documents=len(names)),
                remedy=remedy,
                remedy_kind=RemedyKind.SYNC,
            )
    if facts.unreadable_files:
        yield ChecklistLine(
            code=LineCode.UNREADABLE_FILES,
            state=LineState.WARNING,
            what=message(
                "Imported files that cannot be read, of any company and month: {count}.",
                count=formatting.count(facts.unreadable_files),
            ),
            proof=LineProof(counts={"files": facts.unreadable_files}, command="confere list --unreadable"),
            remedy=message("Look at each: a document of the month may be among them."),
            remedy_kind=RemedyKind.UNREADABLE,
        )


def waiting(transaction: Transaction, accounts: Sequence[AccountMonth], month: str) -> WaitingFindings:
    """What waits for a person in these accounts, in one question."""
    return open_findings.waiting(transaction, [found.account.id for found in accounts], month)


def findings(transaction: Transaction, of: CompanyMonth, found: WaitingFindings) -> ChecklistLine:
    """Open findings of the company and month by severity, of the accounts that may hold its documents."""
    month = of.month.text
    if not of.accounts:
        return ChecklistLine(
            code=LineCode.FINDINGS,
            state=LineState.NOT_CHECKED,
            what=message("Without an account nothing is reconciled."),
        )
    counts: Counter[str] = Counter()
    never: list[str] = []
    outdated: list[str] = []
    since: list[datetime] = []
    of_none = of_closing = 0
    for one in of.accounts:
        run = last_run.covering(transaction, one.account.id, month)
        if run is None:
            never.append(one.name)
            continue
        since.append(moment(run.at))
        if last_run.came_after(transaction, one.account.id, run.run):
            outdated.append(one.name)
        of_none += found.of_none(one.account.id)
        for entry in found.of(one.account.id, of.company):
            if is_undecided(entry.rule, entry.state):
                is_open = entry.state == FindingState.OPEN.value
                counts[entry.severity if is_open else FindingState.NOT_CHECKED.value] += entry.count
            elif awaits_closing(entry.rule, entry.state):
                of_closing += entry.count
    figures = {name: counts[name] for name in (*(str(severity) for severity in Severity), "not_checked")}
    state, what = _of_findings(figures, never, outdated)
    if of_closing:
        what = message(
            "{what} Not counted: {count}, which only the closing of the month lets be checked (R20, R23).",
            what=what,
            count=formatting.count(of_closing),
        )
    names = ", ".join([*never, *outdated])
    reconciling = bool(never or outdated)
    return ChecklistLine(
        code=LineCode.FINDINGS,
        state=state,
        what=what,
        account=of.accounts[0].name if len(of.accounts) == 1 else "",
        proof=LineProof(
            counts=figures
            | ({"of_no_company": of_none} if of_none else {})
            | ({"awaiting_closing": of_closing} if of_closing else {}),
            command=f"confere findings list --company {of.company} --period {month}",
            since=min(since, default=None),
        ),
        remedy=message("Run `confere reconcile` for {accounts}.", accounts=names)
        if reconciling
        else message("Decide each: explain it, ignore it for a reason, or correct it.")
        if state is not LineState.OK
        else None,
        remedy_kind=RemedyKind.RECONCILE if reconciling else RemedyKind.FINDINGS if state is not LineState.OK else None,
    )


def _of_findings(figures: dict[str, int], never: list[str], outdated: list[str]) -> tuple[LineState, Message]:
    texts = {name: formatting.count(number) for name, number in figures.items()}
    is_open = any(figures[severity] for severity in Severity)
    states = [LineState.OK]
    if figures[Severity.HIGH]:
        states.append(LineState.PROBLEM)
    elif is_open:
        states.append(LineState.WARNING)
    if never or outdated or figures["not_checked"]:
        states.append(LineState.NOT_CHECKED)
    state = worst(states)
    if never:
        return state, message("The month was not reconciled yet: {accounts}.", accounts=", ".join(never))
    if outdated:
        return state, message(
            "Documents or orders came after the last reconciliation; it left open: {high} high, {medium} medium, {low}"
            " low; not checked: {not_checked}.",
            **texts,
        )
    if is_open or figures["not_checked"]:
        return state, message(
            "Open findings: {high} high, {medium} medium, {low} low; not checked: {not_checked}.", **texts
        )
    return state, message("No finding is open.")


def signed(transaction: Transaction, of: CompanyMonth) -> Iterator[ChecklistLine]:
    """Whether a reviewer signed the findings of the month, as they are now; no line where there are none."""
    found = reviews.findings_of(transaction, of.company, of.month.text)
    if not found.count + found.awaiting_closing:
        return
    newest = signoffs.of_month(transaction, of.company, of.month.text)
    stands = newest is not None and newest.stands
    yield ChecklistLine(
        code=LineCode.SIGNED,
        state=LineState.OK if stands else LineState.WARNING,
        what=message("Nobody signed the findings of the month.") if newest is None else signoffs.sentence(newest),
        proof=LineProof(
            counts={"findings": found.count, "open": found.undecided},
            command=f"confere findings signoffs --company {of.company} --period {of.month.text}",
            since=newest.at if newest is not None and stands else None,
        ),
        remedy=None if stands else message("Look at the findings, and sign the month."),
        remedy_kind=None if stands else RemedyKind.FINDINGS,
    )


def handed_over(transaction: Transaction, of: CompanyMonth, facts: OfficeFacts) -> Iterator[ChecklistLine]:
    """Whether the package of the month was written and the month closed, and what changed since: told, and lacking
    nothing."""
    exported = facts.exported.get((of.company, of.month.text))
    yield ChecklistLine(
        code=LineCode.EXPORTED,
        state=LineState.WARNING if exported is None else LineState.OK,
        what=message("The package of the month was not written yet.")
        if exported is None
        else message("The package of the month was written on {moment}.", moment=formatting.moment(exported)),
        proof=LineProof(since=exported),
        remedy=message("Export the month.") if exported is None else None,
        remedy_kind=RemedyKind.EXPORT if exported is None else None,
    )
    yield _closing(transaction, of, facts)


def _closing(transaction: Transaction, of: CompanyMonth, facts: OfficeFacts) -> ChecklistLine:
    company, month = of.company, of.month.text
    act = facts.closed.get((company, month))
    if act is None:
        what = _not_closed(facts.reopened.get((company, month)))
        return ChecklistLine(code=LineCode.CLOSED, state=LineState.WARNING, what=what)
    at = moment(act.at)
    try:
        changed = since(transaction, act)
    except ArchiveError as error:
        return ChecklistLine(
            code=LineCode.CLOSED,
            state=LineState.NOT_CHECKED,
            what=error.what,
            proof=LineProof(since=at),
            remedy=error.remedy,
        )
    if not changed.count:
        what = message("The month was closed on {moment}.", moment=formatting.moment(at))
        return ChecklistLine(code=LineCode.CLOSED, state=LineState.OK, what=what, proof=LineProof(since=at))
    counts = {"documents": len(changed.documents), "findings": len(changed.findings)}
    command = f"confere changes --period {month} --company {company}"
    return ChecklistLine(
        code=LineCode.CLOSED,
        state=LineState.WARNING,
        what=message(
            "The month was closed on {moment}; changed since then: documents: {documents}, findings: {findings}.",
            moment=formatting.moment(at),
            **{name: formatting.count(number) for name, number in counts.items()},
        ),
        proof=LineProof(counts=counts, command=command, since=at),
        remedy=message("Look at what changed: what was filed may have to be corrected."),
        remedy_kind=RemedyKind.CHANGES,
    )


def _not_closed(reopened: tuple[ClosingAct, ClosingAct] | None) -> Message:
    if reopened is None:
        return message("The month is not closed yet.")
    close, reopen = reopened
    return message(
        "The month was closed on {closed} and opened again on {reopened}, because: {reason}",
        closed=formatting.moment(moment(close.at)),
        reopened=formatting.moment(moment(reopen.at)),
        reason=reopen.reason or "-",
    )
