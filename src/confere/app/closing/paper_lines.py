"""Lines about a company's own papers of a month: complete by what they refer to, dated, fresh in their events."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from confere.app.accounts.freshness import moment
from confere.app.closing.account_month import AccountMonth
from confere.app.closing.checklist_line import (
    MOST_NAMES,
    ChecklistLine,
    LineCode,
    LineProof,
    LineState,
    RemedyKind,
    named,
    worst,
)
from confere.app.context import EMBEDDED
from confere.app.labels.labels import month_word
from confere.archive.closing import month_papers
from confere.archive.closing.month_papers import MissingTarget, MonthPaper, SeenRecord
from confere.archive.transaction import Transaction
from confere.errors import Message, message
from confere.export.months import Month
from confere.fiscal import access_keys
from confere.fiscal.model import VOID
from confere.fiscal.references import RelationKind
from confere.system import formatting
from confere.system.processes.command_text import argument

OTHER: Final = "other"  # the type of what cannot be judged
_REFERRING: Final = tuple(
    kind.value
    for kind in (
        RelationKind.REFERENCES,
        RelationKind.ITEM_REFERENCES,
        RelationKind.PREPAYMENT,
        RelationKind.COMPLEMENTS,
        RelationKind.REPLACES,
        RelationKind.ANNULS,
        RelationKind.CARRIES,
    )
)


@dataclass(frozen=True, slots=True)
class CompanyMonth:
    """A company and month with its papers; `accounts` are those that may hold its documents."""

    company: str
    month: Month
    papers: tuple[MonthPaper, ...]
    accounts: tuple[AccountMonth, ...]

    @property
    def keys(self) -> frozenset[str]:
        """The access keys of its papers."""
        return frozenset(paper.access_key for paper in self.papers if paper.access_key)

    def command(self, options: str) -> str:
        """The command that lists what a line counts."""
        return f"confere list --company {self.company} --month {self.month.text} {options} --all"


def references(transaction: Transaction, of: CompanyMonth) -> ChecklistLine:
    """What the month's documents in effect refer to and the archive does not hold.

    What the company itself issued in a month that the archive has is missing. What is older than its first document,
    or was issued by somebody else, never had to come from its hub, and is told.
    """
    papers = {paper.access_key: paper for paper in of.papers if paper.access_key and paper.stands not in VOID}
    absent = month_papers.missing_targets(transaction, papers, _REFERRING)
    begins = month_papers.first_month(transaction, of.company) or of.month.text
    own, earlier, foreign = _parted(absent, of, papers, begins)
    counts = {"own": len(own), "before_archive": len(earlier), "of_others": len(foreign)}
    texts = {name: formatting.count(number) for name, number in counts.items()}
    if own:
        state, names = LineState.PROBLEM, own
        what = message("Documents of the company that others refer to and that are not here: {own}.", **texts)
    elif earlier or foreign:
        state, names = LineState.WARNING, [*earlier, *foreign]
        what = message(
            "Referred to and not here: {before_archive} from before the first document of the archive, {of_others}"
            " issued by others.",
            **texts,
        )
    else:
        what = message("Everything that the documents refer to is here.")
        return ChecklistLine(code=LineCode.REFERENCES, state=LineState.OK, what=what, proof=LineProof(counts=counts))
    return ChecklistLine(
        code=LineCode.REFERENCES,
        state=state,
        what=what,
        proof=named(names, f"confere relations {sorted(absent)[0].source_key}", **counts),
        remedy=message("Import their XML; it is with whoever issued them."),
        remedy_kind=RemedyKind.IMPORT,
    )


def _parted(
    absent: Sequence[MissingTarget], of: CompanyMonth, papers: dict[str, MonthPaper], begins: str
) -> tuple[list[str], list[str], list[str]]:
    own: set[str] = set()
    earlier: set[str] = set()
    foreign: set[str] = set()
    for target in absent:
        parts = access_keys.parse(target.target_key)
        if parts is None:
            own.add(target.target_key)  # no document can have such a key
        elif parts.emitter != of.company and parts.emitter != papers[target.source_key].emitter:
            foreign.add(target.target_key)
        elif parts.period < begins:
            earlier.add(target.target_key)
        else:
            own.add(target.target_key)
    return sorted(own), sorted(earlier), sorted(foreign)


def undated(transaction: Transaction, of: CompanyMonth) -> Iterator[ChecklistLine]:
    """Documents of the company that no month can claim."""
    names = month_papers.undated(transaction, of.company)
    if names:
        yield ChecklistLine(
            code=LineCode.UNDATED,
            state=LineState.PROBLEM,
            what=message(
                "Documents of the company without a date that can be read, in no month: {count}.",
                count=formatting.count(len(names)),
            ),
            proof=named(names, f"confere list --company {of.company} --all", documents=len(names)),
            remedy=message("No month's package has them: look at each."),
        )


def events_fresh(transaction: Transaction, of: CompanyMonth, days: int, now: datetime) -> ChecklistLine:
    """Whether the hub listed every document of the month again lately: an event it has since then would be here.

    Where the hub was asked for changes up to lately, an older listing is worth a word only.
    """
    keys = of.keys
    accounts = {found.account.id: found for found in of.accounts}
    seen = month_papers.seen_records(transaction, keys)
    moments: dict[str, datetime] = {}  # of few syncs each saw many documents
    oldest: datetime | None = None
    unlisted: list[str] = []
    old: list[str] = []
    states = [LineState.OK]
    for paper in of.papers:
        records = [record for record in seen.get(paper.access_key or "", ()) if record.account_id in accounts]
        if paper.kind in (OTHER, "voiding"):
            continue
        if not records:
            unlisted.append(paper.name)
            continue
        last = max(_seen(record, accounts, moments, now) for record in records)
        oldest = last if oldest is None else min(oldest, last)
        if now - last > timedelta(days=days):
            old.append(paper.name)
            changes = [accounts[record.account_id].changes_at for record in records]
            is_told = any(at is not None and now - at <= timedelta(days=days) for at in changes)
            states.append(LineState.WARNING if is_told else LineState.NOT_CHECKED)
    counts = {"documents": len(keys), "older": len(old), "not_listed": len(unlisted), "days": days}
    texts = {name: formatting.count(number) for name, number in counts.items()}
    if unlisted:
        states.append(LineState.NOT_CHECKED)
    what: Message
    if unlisted and old:
        what = message(
            "Documents that were last listed more than {days} days ago: {older}; that no hub lists: {not_listed}."
            " Later events of them may be missing.",
            **texts,
        )
    elif unlisted:
        what = message("Documents that no hub lists: {not_listed}. What happened to them later is not known.", **texts)
    elif old:
        what = message(
            "Documents that were last listed more than {days} days ago: {older}. Later events of them may be missing.",
            **texts,
        )
    elif not keys:
        what = message("There is no document in {month}.", month=month_word(of.month.text))
    else:
        what = message("The hub listed every document again in the last {days} days, with its events.", **texts)
    state = worst(states)
    first = of.accounts[0].name if of.accounts else ""
    command = f"confere sync --account {argument(first)} --month {of.month.text}" if old else ""
    return ChecklistLine(
        code=LineCode.EVENTS_FRESH,
        state=state,
        what=what,
        proof=LineProof(
            counts=counts,
            names=(*old, *unlisted)[:MOST_NAMES],
            named=len(old) + len(unlisted),
            command=command,
            since=oldest,
        ),
        remedy=message("List the days of the month again: `{command}`.", command=command) if old else None,
        remedy_kind=RemedyKind.SYNC if old else None,
    )


def _seen(
    record: SeenRecord, accounts: Mapping[int, AccountMonth], moments: dict[str, datetime], now: datetime
) -> datetime:
    """When the hub last listed it; in a demonstration, whose calendar is its own, nothing grows old."""
    if accounts[record.account_id].account.environment == EMBEDDED:
        return now
    if record.seen_at not in moments:
        moments[record.seen_at] = moment(record.seen_at)
    return moments[record.seen_at]
