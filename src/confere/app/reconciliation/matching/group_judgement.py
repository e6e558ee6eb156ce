"""What a decision on links changes is judged at once: its group is linked and reviewed again in the same transaction.

The group is judged as a whole run would judge it, at the newest run's "now". Where documents or orders came since
that run, everything outside the group stays as the run left it. Without a run of these rules there is nothing to go
on from: findings are marked, and the next run computes them.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Final

from confere.app.reconciliation import findings as finding_rows
from confere.archive.accounts import preferences, runs
from confere.archive.accounts.accounts import Account
from confere.archive.accounts.runs import Run
from confere.archive.clock import utc_now
from confere.archive.reconciliation import decisions, findings, input_reader, last_run, links, near_misses
from confere.archive.reconciliation.decisions import Said
from confere.archive.reconciliation.findings import FindingMove
from confere.archive.transaction import Transaction
from confere.errors import Message
from confere.reconcile import linker, run_rules
from confere.reconcile.graph.decided_group import DecidedGroup, decided_group
from confere.reconcile.rules.registry import BY_ID
from confere.sales.findings import Discrepancy, FindingState
from confere.sales.links import Linked
from confere.sales.terms import Terms
from confere.system.processes.garbage_collection import collecting_later

Pair = tuple[str, str]
GONE, NEW, CHANGED = "gone", "new", "changed"
_KINDS: Final = (GONE, NEW, CHANGED)


@dataclass(frozen=True, slots=True)
class MovedFinding:
    """A finding that a decision took away, brought, or moved; amounts in centavos, None where there is none.

    `what` is one of `gone`, `new`, `changed`; `amount_before` is None of what is new, `amount` of what is gone.
    """

    id: int
    what: str
    rule: str
    title: Message
    amount_before: int | None
    amount: int | None
    orders: tuple[str, ...]
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GroupJudgement:
    """What judging the group of a decision came to. `is_done` False: there is no run to go on from.

    `links` counts the links that came, went or changed beside those that were decided.
    """

    is_done: bool = False
    changes: tuple[MovedFinding, ...] = ()
    links: int = 0


NOT_JUDGED: Final = GroupJudgement()


def judge(
    transaction: Transaction, account: Account, pairs: Collection[Pair], act: int, *, keeps_history: bool
) -> GroupJudgement:
    """Link and review the group of these pairs anew, and write what that changes.

    Call it when the decision is written. `keeps_history`: the act's history names the findings that it moved.
    """
    run = newest_run(transaction, account.id)
    terms = preferences.get(transaction, account.id).terms
    if run is None:
        return NOT_JUDGED
    with collecting_later():
        return _judged(transaction, account, pairs, run, terms, act if keeps_history else None)


def _judged(
    transaction: Transaction, account: Account, pairs: Collection[Pair], run: Run, terms: Terms, act: int | None
) -> GroupJudgement:
    ledger = input_reader.load(transaction, account)
    after = linker.link(ledger, terms, decisions.standing(transaction, account.id))
    is_whole = same_terms(run, terms) and not last_run.came_after(transaction, account.id, run.id)
    group = DecidedGroup(frozenset(), frozenset())
    if not is_whole or run.parameters.get("period") is not None:
        before = Linked(
            links.every(transaction, account.id),
            tuple(stored.tie for stored in links.ties(transaction, account.id)),
            near_misses.suggestions(transaction, account.id),
        )
        group = decided_group(pairs, before, after)
        after = after if is_whole else group.relinked(before, after)
    review = run_rules.review_links(ledger, after, terms, datetime.fromisoformat(run.parameters["as_of"]))
    del ledger
    scope = _Scope(
        group=group,
        covered=last_run.periods_covered(transaction, account.id),
        whole=run.parameters.get("period") if is_whole else "",
    )
    replaced = links.replace(transaction, account.id, run.id, after)
    near_misses.replace_suggestions(transaction, account.id, run.id, after.suggestions)
    near_misses.replace_explained(transaction, account.id, run.id, review.explained, None, only=scope.takes)
    moves: list[FindingMove] = []
    findings.store(
        transaction, account.id, run.id, review.findings, period=None, at=utc_now(), tolerance=terms.tolerance,
        only=lambda entry: entry.rule in run_rules.OF_LINKS and scope.takes(entry), moves=moves,
    )  # fmt: skip
    if act is not None:
        decisions.say(transaction, act, account.id, _said(transaction, account.id, moves))
    return GroupJudgement(
        True, moved(transaction, account.id, moves), replaced.added + replaced.removed + replaced.rewritten
    )


@dataclass(frozen=True, slots=True)
class _Scope:
    """Which findings are written. `covered`: the months that runs looked at, None for all.

    `whole`: the month of which everything is written, since a run would find nothing else there; None for all.
    """

    group: DecidedGroup
    covered: frozenset[str] | None
    whole: str | None

    def takes(self, entry: Discrepancy) -> bool:
        if self.covered is not None and entry.period not in self.covered:
            return False
        return self.whole is None or entry.period == self.whole or self.group.holds(entry)


def same_terms(run: Run, terms: Terms) -> bool:
    """Whether the run was under these terms; it keeps them as JSON, which knows no tuples."""
    return json.dumps(run.parameters.get("terms"), sort_keys=True) == json.dumps(asdict(terms), sort_keys=True)


def newest_run(transaction: Transaction, account_id: int) -> Run | None:
    """The newest run of the account that came to its end; None where it is not of the rules as they are now."""
    reach = last_run.newest(transaction, account_id)
    run = None if reach is None else runs.numbered(transaction, reach.run)
    if run is None or run.parameters.get("matching") != linker.VERSION or not run.parameters.get("as_of"):
        return None
    versions = {name: registered.rule.version for name, registered in BY_ID.items()}
    return run if run.parameters.get("rules") == versions else None


def _said(transaction: Transaction, account_id: int, moves: Sequence[FindingMove]) -> list[Said]:
    """How the act moved findings that were there before, for the history of each."""
    known = _stored(transaction, account_id, moves)
    return [
        Said(move.before.fingerprint, move.before.state, now.state, move.before.note, now.note)
        for move in moves
        if move.before is not None and (now := known[move.before.fingerprint]).state is not move.before.state
    ]


def moved(transaction: Transaction, account_id: int, moves: Sequence[FindingMove]) -> tuple[MovedFinding, ...]:
    """The moves as people read them: what is gone, what is new, what changed; by rule, the greatest amounts first."""
    known = _stored(transaction, account_id, moves)
    changes = [_change(move, known) for move in moves]
    return tuple(
        sorted(
            changes,
            key=lambda change: (
                _KINDS.index(change.what),
                finding_rows.place_of(change.rule),
                -(change.amount or change.amount_before or 0),
                change.id,
            ),
        )
    )


def _change(move: FindingMove, known: dict[str, findings.StoredFinding]) -> MovedFinding:
    before, now = move.before, move.now
    about = move.about
    was_there = before is not None and before.state is not FindingState.RESOLVED
    return MovedFinding(
        id=known[about.fingerprint].id,
        what=GONE if now is None else CHANGED if was_there else NEW,
        rule=about.rule,
        title=finding_rows.title_of(about.rule),
        amount_before=before.found.amount if before is not None and was_there else None,
        amount=None if now is None else now.amount,
        orders=about.orders,
        keys=about.keys,
    )


def _stored(
    transaction: Transaction, account_id: int, moves: Sequence[FindingMove]
) -> dict[str, findings.StoredFinding]:
    return findings.with_fingerprints(transaction, account_id, [move.about.fingerprint for move in moves])
