"""Findings from run to run: each written once, closed when it vanishes, opened when it comes back, never twice.

A person's word about a finding stands for the amount, and for what was said with it: a run that finds it otherwise
opens it again and writes down what it was settled for. A run that finds everything as it was writes nothing.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from sqlalchemy import select

from confere.archive import message_encoding
from confere.archive.list_selection import VALUES
from confere.archive.message_encoding import storable
from confere.archive.named_rows import NamedRow
from confere.archive.reconciliation import decisions, reopenings
from confere.archive.reconciliation.reopenings import Comeback, Outgrown
from confere.archive.schema.schema import finding, finding_key, finding_order
from confere.archive.schema.table_rows import row_of
from confere.archive.transaction import Row, Transaction
from confere.sales.findings import Finding, FindingState, Severity

_COLUMNS: Final = (
    *("id", "fingerprint", "rule", "version", "period", "severity", "amount", "checked", "state", "orders", "keys"),
    *("subject", "evidence", "note", "author", "changed_at", "is_changed", "is_stale"),
    *("first_run_id", "last_run_id", "resolved_run_id", "assignee", "due_on", "found_at"),
)
FINDING: Final = finding.alias("f")
ROWS: Final = select(*(FINDING.c[name] for name in _COLUMNS))
"""Every finding as `read` takes it; `FINDING` is the table that conditions and orders speak of."""
_SETTLED: Final = frozenset({FindingState.EXPLAINED, FindingState.IGNORED})
_SAID: Final = (
    "version", "period", "severity", "amount", "checked", "state", "orders", "keys", "evidence", "changed_at",
)  # fmt: skip
_WRITTEN: Final = (*_SAID, "is_changed", "is_stale", "last_run_id", "resolved_run_id")
_LARGEST: Final = 2**63 - 1
_MONEY: Final = "R$"
_SET: Final = f"UPDATE finding SET {', '.join(f'{name} = ?' for name in _WRITTEN)} WHERE id = ?"


@dataclass(frozen=True, slots=True)
class StoredFinding:
    """A finding as it stands. `is_changed`: a person had settled it, and amount or evidence moved since: it is open.

    `is_stale`: a person decided on links of it since the run that wrote it. `last_run` is the last run that wrote it.
    `assignee` is who is to settle it, `due_on` by when (`YYYY-MM-DD`). `found_at` is UTC text: when a decision on links
    or a closing brought it; None where its first run found it.
    """

    id: int
    fingerprint: str
    found: Finding
    state: FindingState
    note: str | None
    author: str | None
    changed_at: str
    is_changed: bool
    is_stale: bool
    first_run: int
    last_run: int
    resolved_run: int | None
    assignee: str | None = None
    due_on: str | None = None
    found_at: str | None = None


@dataclass(frozen=True, slots=True)
class StoredCounts:
    """What writing the findings of a run did; `rewritten` ones moved in amount or evidence alone."""

    new: int = 0
    resolved: int = 0
    reopened: int = 0
    changed: int = 0
    rewritten: int = 0


@dataclass(frozen=True, slots=True)
class FindingMove:
    """What writing did to a finding: how it stood before, None of a new one; what it is now, None where it is gone."""

    before: StoredFinding | None
    now: Finding | None

    @property
    def about(self) -> Finding:
        """The finding, as it is now where it is not gone. `ValueError` for a move of nothing."""
        if self.now is not None:
            return self.now
        if self.before is None:
            raise ValueError("a finding that was not there and is not there")
        return self.before.found


def effective(word: FindingState | None, checked: bool) -> FindingState:
    """How a finding that is found stands, by the newest word of a person on it."""
    if word in _SETTLED:
        return word
    return FindingState.OPEN if checked else FindingState.NOT_CHECKED


def store(
    transaction: Transaction,
    account_id: int,
    run_id: int,
    found: Iterable[Finding],
    *,
    period: str | None,
    at: str,
    tolerance: int = 0,
    only: Callable[[Finding], bool] | None = None,
    moves: list[FindingMove] | None = None,
) -> StoredCounts:
    """Write what a run found in `period`, or in all of them with None. `found` is of all periods in any case.

    `at` is UTC text. A settled finding is opened again and marked as changed where its amount is more than `tolerance`
    centavos away from what it was settled for, or other things are said of it. With `only`, findings of which it says
    no are left as they stand. `moves` receives what is new, gone, back, or of another amount or state; such a list is
    asked for where a decision moved them: what is new is dated by `at`, and what comes back by it is not written down
    as found again by a run.
    """
    every = {entry.fingerprint: entry for entry in found if only is None or only(entry)}
    before = {
        entry.fingerprint: entry
        for entry in _all(transaction, account_id)
        if only is None or entry.fingerprint in every or only(entry.found)
    }
    words = decisions.states(transaction, account_id)
    amounts = decisions.amounts(transaction, account_id) if words else {}
    new: list[Finding] = []
    written: list[Row] = []
    back: list[Comeback] = []
    outgrown: list[Outgrown] = []
    counts = dict.fromkeys(("new", "resolved", "reopened", "changed", "rewritten"), 0)
    for fingerprint, entry in every.items():
        known = before.get(fingerprint)
        if period is not None and entry.period != period and (known is None or known.found.period != period):
            continue
        if known is None:
            new.append(entry)
            counts["new"] += 1
            _add_move(moves, None, entry)
            continue
        word = words.get(fingerprint)
        settled_for = amounts.get(fingerprint, known.found.amount)
        if word in _SETTLED and _moved(known.found, entry, settled_for, tolerance):
            state = effective(None, entry.checked)
            told = (settled_for, _amount(entry), known.note)
            outgrown.append(Outgrown(fingerprint, word, state, run_id, *told))
            words[fingerprint] = state
        rewritten = _rewritten(known, entry, word, words.get(fingerprint), run_id, at)
        what = None
        if rewritten is not None:
            row, what = rewritten
            written.append(row)
            counts[what] += 1
            _add_move(moves, known, entry)
        if what == "reopened" and known.resolved_run is not None and moves is None:
            state = effective(words.get(fingerprint), entry.checked)
            back.append(Comeback(fingerprint, state, known.resolved_run, run_id))
    for fingerprint, known in before.items():
        gone = fingerprint not in every and (period is None or known.found.period == period)
        if gone and known.state is not FindingState.RESOLVED:
            written.append(_resolved(known, run_id, at))
            counts["resolved"] += 1
            _add_move(moves, known, None)
    transaction.execute_many(_SET, written)
    reopenings.record(transaction, account_id, back, at)
    reopenings.record_outgrown(transaction, account_id, outgrown, at)
    _insert(transaction, account_id, run_id, at, new, words, is_decided=moves is not None)
    return StoredCounts(**counts)


def numbered(transaction: Transaction, ids: Sequence[int]) -> dict[int, tuple[int, StoredFinding]]:
    """These findings with the number of their account, by number; what is not there is left out."""
    rows = transaction.named_in(ROWS.add_columns(FINDING.c.account_id).where(FINDING.c.id.in_(VALUES)), ids)
    return {row.id: (row.account_id, read(row)) for row in rows}


def with_fingerprints(
    transaction: Transaction, account_id: int, fingerprints: Sequence[str]
) -> dict[str, StoredFinding]:
    """These findings of the account, by fingerprint."""
    named = ROWS.where(FINDING.c.account_id == account_id, FINDING.c.fingerprint.in_(VALUES))
    return {row.fingerprint: read(row) for row in transaction.named_in(named, fingerprints)}


def settle(
    transaction: Transaction,
    number: int,
    *,
    state: FindingState,
    note: str | None,
    author: str | None,
    at: str,
    is_changed: bool | None = False,
) -> None:
    """Let a finding stand so by a person's word. The mark that it changed goes; None leaves it as it is."""
    mark = None if is_changed is None else int(is_changed)
    transaction.execute(
        "UPDATE finding SET state = ?, note = ?, author = ?, changed_at = ?, is_changed = coalesce(?, is_changed)"
        " WHERE id = ?",
        (state.value, None if note is None else storable(note), author, at, mark, number),
    )


def make_stale(transaction: Transaction, account_id: int, orders: Sequence[str], keys: Sequence[str]) -> int:
    """Mark the findings about these orders and documents: links of them were decided. How many there are."""
    wanted = set(
        transaction.column_in(
            f"SELECT finding_id FROM finding_order WHERE account_id = {int(account_id)} AND order_hub_id IN {{}}",
            {storable(entry) for entry in orders},
        )
    ) | set(
        transaction.column_in(
            "SELECT finding_id FROM finding_key WHERE access_key IN {}", {storable(entry) for entry in keys}
        )
    )
    found = list(
        transaction.column_in(
            f"SELECT id FROM finding WHERE account_id = {int(account_id)} AND state != 'resolved' AND id IN {{}}",
            wanted,
        )
    )
    transaction.execute_many("UPDATE finding SET is_stale = 1 WHERE id = ?", [(number,) for number in found])
    return len(found)


def read(row: NamedRow) -> StoredFinding:
    """The value of a row of `ROWS`."""
    return StoredFinding(
        id=row.id,
        fingerprint=row.fingerprint,
        found=Finding(
            rule=row.rule,
            version=row.version,
            period=row.period,
            severity=Severity(row.severity),
            amount=row.amount,
            orders=tuple(json.loads(row.orders)),
            keys=tuple(json.loads(row.keys)),
            evidence=message_encoding.read_all(row.evidence),
            subject=row.subject,
            checked=bool(row.checked),
        ),
        state=FindingState(row.state),
        note=row.note,
        author=row.author,
        changed_at=row.changed_at,
        is_changed=bool(row.is_changed),
        is_stale=bool(row.is_stale),
        first_run=row.first_run_id,
        last_run=row.last_run_id,
        resolved_run=row.resolved_run_id,
        assignee=row.assignee,
        due_on=row.due_on,
        found_at=row.found_at,
    )


def _add_move(moves: list[FindingMove] | None, before: StoredFinding | None, now: Finding | None) -> None:
    """Add a move to `moves`, unless nothing moved but words."""
    if moves is None:
        return
    if before is None or now is None or before.state is FindingState.RESOLVED or _is_other(before.found, now):
        moves.append(FindingMove(before, now))


def _is_other(before: Finding, now: Finding) -> bool:
    """Whether more than words moved."""
    return (before.amount, before.checked) != (_amount(now), now.checked)


def _all(transaction: Transaction, account_id: int) -> list[StoredFinding]:
    return [read(row) for row in transaction.named(ROWS.where(FINDING.c.account_id == account_id))]


def _rewritten(
    known: StoredFinding,
    entry: Finding,
    before: FindingState | None,
    word: FindingState | None,
    run_id: int,
    at: str,
) -> tuple[Row, str] | None:
    """The row of a finding that is found again, and what that is; None where it is as it was, as most are.

    `before` is the word of a person that stood until this run, `word` what stands now.
    """
    came_back = known.state is FindingState.RESOLVED
    state = effective(word, entry.checked)
    outgrown = before is not word
    mark = outgrown or known.is_changed
    if came_back:
        what = "reopened"
    elif outgrown:
        what = "changed"
    elif not _is_kept(known.found, entry) or known.state is not state or known.is_changed != mark or known.is_stale:
        what = "rewritten"
    else:
        return None
    since = at if state is not known.state else known.changed_at
    return (*_told(entry, state, since), int(mark), 0, run_id, None, known.id), what


def _resolved(known: StoredFinding, run_id: int, at: str) -> Row:
    told = _told(known.found, FindingState.RESOLVED, at)
    return (*told, int(known.is_changed), 0, run_id, run_id, known.id)


def _moved(before: Finding, now: Finding, settled_for: int | None, tolerance: int) -> bool:
    """Whether it is another disagreement to somebody who settled it: not only a day more since then, or other words.

    A newer program may say the same otherwise: what sentences name tells them apart, not how they are worded; and where
    it is another version of the rule, only the amount.
    """
    if (settled_for is None) != (now.amount is None) or before.checked != now.checked:
        return True
    if settled_for is not None and now.amount is not None and abs(settled_for - now.amount) > tolerance:
        return True
    return before.version == now.version and _facts(before) != _facts(now)


def _facts(found: Finding) -> list[tuple[list[str], list[str]]]:
    """What the sentences of a finding name, and the amounts of money that they tell where the rule is checked."""
    return [
        (sorted(entry.params), [text for text in map(str, entry.params.values()) if text.startswith(_MONEY)])
        for entry in found.evidence
    ]


def _is_kept(kept: Finding, entry: Finding) -> bool:
    """Whether `kept`, as it was read, is what `entry` would come back as; most are equal as they are."""
    return kept == entry or kept == _as_kept(entry)


def _as_kept(entry: Finding) -> Finding:
    """The finding as it comes back from its row."""
    return replace(
        entry,
        amount=_amount(entry),
        orders=tuple(storable(name) for name in entry.orders),
        keys=tuple(storable(name) for name in entry.keys),
        evidence=message_encoding.read_all(message_encoding.kept_all(entry.evidence)),
        subject=storable(entry.subject),
    )


def _told(entry: Finding, state: FindingState, since: str) -> Row:
    """The values of `_SAID`."""
    return (
        *(entry.version, entry.period, entry.severity.value, _amount(entry), int(entry.checked), state.value),
        *(_names(entry.orders), _names(entry.keys), message_encoding.kept_all(entry.evidence), since),
    )


def _amount(entry: Finding) -> int | None:
    """What SQLite can hold of it: absurd totals of several orders may come to more."""
    return None if entry.amount is None else max(-_LARGEST, min(entry.amount, _LARGEST))


def _names(found: Sequence[str]) -> str:
    return storable(json.dumps(list(found)))


def _insert(
    transaction: Transaction, account_id: int, run_id: int, at: str, found: Sequence[Finding],
    words: Mapping[str, FindingState], *, is_decided: bool,
) -> None:  # fmt: skip
    rows: list[Row] = []
    orders: list[Row] = []
    keys: list[Row] = []
    finding_row = row_of(finding)
    for number, entry in zip(transaction.new_ids(finding, len(found)), found, strict=True):
        fingerprint = entry.fingerprint
        state = effective(words.get(fingerprint), entry.checked)
        rows.append(
            finding_row(
                id=number,
                account_id=account_id,
                fingerprint=fingerprint,
                rule=entry.rule,
                subject=storable(entry.subject),
                is_changed=0,
                is_stale=0,
                first_run_id=run_id,
                last_run_id=run_id,
                found_at=at if is_decided else None,
                **dict(zip(_SAID, _told(entry, state, at), strict=True)),
            )
        )
        orders += [(account_id, storable(name), number) for name in dict.fromkeys(entry.orders)]
        keys += [(storable(key), number) for key in dict.fromkeys(entry.keys)]
    transaction.insert(finding, rows)
    transaction.insert_or_ignore(finding_order, orders)
    transaction.insert_or_ignore(finding_key, keys)
