"""Findings and runs as the desk shows them: with the titles of their rules, when they were found and what moved."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from confere.app.accounts.freshness import clock, moment, now_of
from confere.app.archive_session import OpenArchive
from confere.app.labels import labels
from confere.app.overview import activity
from confere.app.overview.activity import RunEntry
from confere.app.reconciliation.review.cancel_terms import cancel_terms
from confere.app.reconciliation.values import (
    Compared,
    FindingGroup,
    FindingHistoryLine,
    FindingQuery,
    FindingRow,
    RuleChange,
    RunLine,
)
from confere.archive.accounts import accounts, owning_company, runs
from confere.archive.accounts.overview import account_names
from confere.archive.accounts.runs import Run
from confere.archive.closing import closings
from confere.archive.reconciliation import decisions, finding_search, findings, reopenings
from confere.archive.reconciliation.decisions import LinkingAct
from confere.archive.reconciliation.finding_search import FindingFilter, FindingTally
from confere.archive.reconciliation.findings import StoredFinding
from confere.archive.reconciliation.reopenings import Outgrown
from confere.archive.transaction import Transaction
from confere.errors import Message, NotInArchive, message
from confere.fiscal.periods import BRASILIA
from confere.reconcile.rules.registry import BY_ID
from confere.sales.closings import ClosingAct, ClosingKind
from confere.sales.findings import AFTER_CLOSING, FindingState, Severity
from confere.system import formatting
from confere.system.messages import render

KIND: Final = "reconcile"
_DIVERGENCE: Final = "R3"
_UNTOLD: Final = (None, None)
_PLACES: Final = {rule: place for place, rule in enumerate(BY_ID)}
_HEAVIEST: Final = tuple(Severity)
_STANDING: Final = (FindingState.OPEN.value, FindingState.NOT_CHECKED.value)


def asked(transaction: Transaction, query: FindingQuery) -> tuple[int | None, FindingFilter]:
    """The id of the account that a query names (None for all), and what to look for among its findings."""
    query = replace(query, wanted=_with_titles(query.wanted))
    if not query.account:
        every = accounts.every(transaction) if query.only_new else ()
        newest = tuple(newest_run(transaction, one.id) or 0 for one in every)
        return None, replace(query.wanted, first_runs=newest) if query.only_new else query.wanted
    owner = accounts.named(transaction, query.account)
    if not query.only_new:
        return owner.id, query.wanted
    return owner.id, replace(query.wanted, first_run=newest_run(transaction, owner.id) or 0)


def _with_titles(wanted: FindingFilter) -> FindingFilter:
    """`wanted` with what rules are called, where a text is looked for: people read that too."""
    if not wanted.text.strip():
        return wanted
    return replace(wanted, titles=tuple((rule, render(title_of(rule))) for rule in BY_ID))


def newest_run(transaction: Transaction, account_id: int) -> int | None:
    """The run whose findings are new: the newest that came to its end, where another one was before it."""
    done = [entry.id for entry in runs.of_kind(transaction, KIND, account_id, 50) if entry.outcome == "done"]
    return done[0] if len(done) > 1 else None


def rows(transaction: Transaction, account_id: int, found: Iterable[StoredFinding]) -> tuple[FindingRow, ...]:
    """Findings of one account as the desk shows them."""
    every = list(found)
    name = account_names(transaction).get(account_id, "")
    newest = newest_run(transaction, account_id)
    started = {number: runs.numbered(transaction, number) for number in {entry.first_run for entry in every}}
    owner = next((entry for entry in accounts.every(transaction) if entry.id == account_id), None)
    now = clock() if owner is None else now_of(transaction, owner)
    terms = {} if owner is None else cancel_terms(transaction, owner, every, now)
    companies = owning_company.of_findings(transaction, [entry.id for entry in every])
    gone = [entry.fingerprint for entry in every if entry.state is FindingState.RESOLVED]
    linked = decisions.resolved_by_links(transaction, account_id, gone) if gone else {}
    totals, today = _totals(transaction, account_id, every), now.astimezone(BRASILIA).date().isoformat()
    return tuple(
        FindingRow(
            stored=entry,
            account=name,
            title=title_of(entry.found.rule),
            since=_found_at(entry, started[entry.first_run]),
            is_new=newest is not None and entry.first_run == newest,
            term=terms.get(entry.id),
            order_total=totals.get(entry.id, _UNTOLD)[0],
            note_total=totals.get(entry.id, _UNTOLD)[1],
            is_overdue=entry.due_on is not None and entry.due_on < today,
            companies=companies.get(entry.id, ()),
            resolved_by=_resolved_by(linked.get(entry.fingerprint)),
        )
        for entry in every
    )


def _resolved_by(act: LinkingAct | None) -> Message | None:
    if act is None:
        return None
    return message(
        "Resolved by the links that {actor} decided on {day}.",
        actor=act.actor,
        day=formatting.date(moment(act.at).date()),
    )


def _found_at(found: StoredFinding, first: Run | None) -> datetime | None:
    if found.found_at is not None:
        return moment(found.found_at)
    return None if first is None else moment(first.started_at)


def _totals(
    transaction: Transaction, account_id: int, every: Iterable[StoredFinding]
) -> dict[int, tuple[int | None, int | None]]:
    """What orders and notes of value divergences come to, by the number of the finding."""
    wanted = [entry for entry in every if entry.found.rule == _DIVERGENCE and entry.found.orders and entry.found.keys]
    orders = {name for entry in wanted for name in entry.found.orders}
    keys = {key for entry in wanted for key in entry.found.keys}
    of_order, of_key = finding_search.side_totals(transaction, account_id, orders, keys)
    return {entry.id: (_sum(of_order, entry.found.orders), _sum(of_key, entry.found.keys)) for entry in wanted}


def _sum(totals: Mapping[str, int | None], names: Iterable[str]) -> int | None:
    """What these come to; None where one does not tell."""
    known = [totals.get(name) for name in names]
    return None if None in known else sum(amount for amount in known if amount is not None)


def rows_of_any(transaction: Transaction, found: Sequence[StoredFinding]) -> tuple[FindingRow, ...]:
    """Findings of several accounts as the desk shows them, in the order given."""
    owners = {number: owner for number, (owner, _) in findings.numbered(transaction, [one.id for one in found]).items()}
    made: dict[int, FindingRow] = {}
    for account_id in sorted(set(owners.values())):
        theirs = [one for one in found if owners.get(one.id) == account_id]
        made |= {row.id: row for row in rows(transaction, account_id, theirs)}
    return tuple(made[one.id] for one in found if one.id in made)


def one(transaction: Transaction, finding_id: int) -> FindingRow:
    """One finding. `NotInArchive` where there is none."""
    found = findings.numbered(transaction, [finding_id]).get(finding_id)
    if found is None:
        raise NotInArchive(
            message("There is no finding {number} in the archive.", number=finding_id),
            message("Look at the list of findings again; another archive may stand in this place now."),
        )
    return rows(transaction, found[0], [found[1]])[0]


def groups(found: Iterable[FindingTally]) -> tuple[FindingGroup, ...]:
    """Counts by rule, in the order of the rules."""
    made: dict[str, FindingGroup] = {}
    for entry in found:
        group = made.get(entry.rule) or _group(entry.rule, Severity(entry.severity))
        changed = replace(group, **{entry.state: getattr(group, entry.state) + entry.count})
        if entry.state == FindingState.OPEN.value:
            changed = replace(changed, amount=changed.amount + entry.amount)
        made[entry.rule] = replace(changed, severity=_heavier(changed.severity, Severity(entry.severity)))
    return tuple(sorted(made.values(), key=lambda group: place_of(group.rule)))


def place_of(rule: str) -> tuple[int, str]:
    """Where a rule stands among all; a newer program's comes last."""
    return _PLACES.get(rule, len(_PLACES)), rule


def title_of(rule: str) -> Message:
    """What a rule is called."""
    return BY_ID[rule].title if rule in BY_ID else Message(rule)


def run_lines(transaction: Transaction, finding_id: int) -> list[FindingHistoryLine]:
    """What runs did to a finding, oldest first: found it, closed it, found it again; and closings of its month.

    One that a decision on links brought was found by that; the decision's own line is among what people did.
    """
    account_id, found = findings.numbered(transaction, [finding_id])[finding_id]
    acts = _closings(transaction, account_id, found)
    told = [(found.first_run, message("Found by run {run}.", run=found.first_run))] if found.found_at is None else []
    for back in reopenings.of_finding(transaction, account_id, found.fingerprint):
        told.append(_resolved(back.resolved))
        told.append((back.reopened, message("Came back: run {run} found it again.", run=back.reopened)))
    for grown in reopenings.outgrown(transaction, account_id, found.fingerprint):
        told.append((grown.run, _outgrown(grown)))
    by_closing = any(act.at == found.changed_at for act in acts)
    if (
        found.resolved_run is not None
        and not by_closing
        and not decisions.resolved_by_links(transaction, account_id, [found.fingerprint])
    ):
        told.append(_resolved(found.resolved_run))
    known = {number: runs.numbered(transaction, number) for number in {number for number, _ in told}}
    lines = [
        FindingHistoryLine(moment(run.started_at), None, what)
        for run, what in ((known[number], what) for number, what in told)
        if run is not None
    ]
    if found.found_at is not None and found.found.rule not in AFTER_CLOSING:
        lines.append(FindingHistoryLine(moment(found.found_at), None, message("Found when links were decided.")))
    return sorted([*lines, *map(_closing_line, acts)], key=lambda line: line.at)


def _closings(transaction: Transaction, account_id: int, found: StoredFinding) -> list[ClosingAct]:
    """The closings and reopenings of the month of a finding that holds it against its closing."""
    if found.found.rule not in AFTER_CLOSING:
        return []
    companies = {
        entry.tax_id
        for account in accounts.every(transaction)
        if account.id == account_id
        for entry in account.establishments
    }
    return [act for act in closings.acts(transaction, month=found.found.period) if act.company in companies]


def _closing_line(act: ClosingAct) -> FindingHistoryLine:
    company = labels.tax_id_word(act.company)
    what = message("The month of {company} was closed.", company=company)
    if act.kind is ClosingKind.REOPEN:
        what = message("The month of {company} was opened again.", company=company)
    return FindingHistoryLine(moment(act.at), act.actor, what)


def _resolved(run: int) -> tuple[int, Message]:
    return run, message("Resolved: run {run} no longer found it.", run=run)


def _outgrown(grown: Outgrown) -> Message:
    """`explained at R$ 0,02, now R$ 989,98`."""
    before, now = formatting.money(grown.before) or "-", formatting.money(grown.now) or "-"
    if grown.settled is FindingState.IGNORED:
        return message("Open again: ignored at {before}, now {now} (run {run}).", before=before, now=now, run=grown.run)
    return message("Open again: explained at {before}, now {now} (run {run}).", before=before, now=now, run=grown.run)


def run_line(transaction: Transaction, entry: RunEntry) -> RunLine:
    """A run with what moved since the one before it of the same periods."""
    tallies = list(_rules(entry.run).values())
    return RunLine(
        entry=entry,
        period=_text(entry.run.parameters.get("period")),
        as_of=_moment(entry.run.parameters.get("as_of")),
        open_findings=sum(tally.get(FindingState.OPEN.value, 0) for tally in tallies),
        not_checked=sum(tally.get(FindingState.NOT_CHECKED.value, 0) for tally in tallies),
        compared=compared(transaction, entry.run),
    )


def compared(transaction: Transaction, found: Run) -> Compared | None:
    """A run beside the one before it; None where there was none, or the run did not come to its end."""
    number = found.counts.get("previous")
    before = runs.numbered(transaction, number) if isinstance(number, int) else None
    if before is None or found.outcome != "done":
        return None
    then, now = _standing(before), _standing(found)
    return Compared(
        previous=before.id,
        new=_number(found.counts, "new"),
        resolved=_number(found.counts, "closed"),
        reopened=_number(found.counts, "reopened"),
        changed=_number(found.counts, "changed"),
        rules=tuple(
            RuleChange(rule, then.get(rule, 0), now.get(rule, 0))
            for rule in sorted(then.keys() | now.keys(), key=place_of)
            if then.get(rule, 0) != now.get(rule, 0)
        ),
    )


def run_lines_of(opened: OpenArchive, account: str | None, limit: int) -> tuple[RunLine, ...]:
    """The newest runs first."""
    with opened.reading() as transaction:
        owner = None if account is None else accounts.named(transaction, account)
        found = runs.of_kind(transaction, KIND, None if owner is None else owner.id, limit)
        entries = activity.entries(opened.archive(), transaction, found)
        return tuple(run_line(transaction, entry) for entry in entries)


def _group(rule: str, severity: Severity) -> FindingGroup:
    known = BY_ID.get(rule)
    explanation = None if known is None else known.explanation
    return FindingGroup(rule, title_of(rule), severity, explanation=explanation)


def _heavier(one: Severity, other: Severity) -> Severity:
    return min(one, other, key=_HEAVIEST.index)


def _rules(found: Run) -> Mapping[str, Mapping[str, int]]:
    rules = found.counts.get("rules")
    return rules if isinstance(rules, dict) else {}


def _standing(found: Run) -> dict[str, int]:
    return {rule: sum(states.get(name, 0) for name in _STANDING) for rule, states in _rules(found).items()}


def _number(of: Mapping[str, Any], name: str) -> int:
    value = of.get(name)
    return value if isinstance(value, int) else 0


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _moment(value: object) -> datetime | None:
    try:
        return datetime.fromisoformat(value).astimezone(BRASILIA) if isinstance(value, str) else None
    except ValueError:
        return None
