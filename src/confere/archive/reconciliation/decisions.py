"""What a person decided: acts, each with its words about pairs and findings, taken back and done again as one.

The newest act that stands is the one to undo; of those undone since the newest one began, the oldest is the one to
do again. A new act closes what was undone. Nothing is ever deleted: the history tells it all.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from confere.archive.accounts import audit
from confere.archive.clock import utc_now
from confere.archive.message_encoding import storable
from confere.archive.named_rows import NamedRow
from confere.archive.reconciliation.reopenings import KIND as OF_RUNS
from confere.archive.schema.schema import act, decision, finding_act
from confere.archive.transaction import Transaction
from confere.sales.findings import FindingState
from confere.sales.links import Decision, PersonsWord

SETTLING: Final = ("explain", "ignore", "reopen")
"""The kinds of acts that say how a finding stands."""

LINKING: Final = ("link", "unlink", "confirm", "split", "merge")
"""The kinds of acts that say what belongs together."""

_SETTLED: Final = (FindingState.EXPLAINED.value, FindingState.IGNORED.value)
_COLUMNS: Final = "a.id, a.account_id, a.at, a.actor, a.kind, a.detail, a.undone_at"


@dataclass(frozen=True, slots=True)
class DecisionAct:
    """One thing that a person did. `at` and `undone_at` are UTC text; `detail` is what the act needs to be undone."""

    id: int
    account_id: int
    at: str
    actor: str
    kind: str  # link, unlink, confirm, split, merge, explain, ignore, reopen, note, assign, sign
    detail: Mapping[str, Any]
    undone_at: str | None


class LinkingAct(NamedTuple):
    """Who decided on links, and when, as UTC text."""

    at: str
    actor: str


@dataclass(frozen=True, slots=True)
class Said:
    """What an act said of one finding, and what it was before."""

    fingerprint: str
    from_state: FindingState
    to_state: FindingState
    from_note: str | None
    note: str | None


def begin(transaction: Transaction, account_id: int, kind: str, detail: Mapping[str, Any]) -> int:
    """Write down an act in the name of the system's user; what was undone before can no longer be done again."""
    transaction.execute(
        "UPDATE act SET is_closed = 1 WHERE account_id = ? AND undone_at IS NOT NULL AND is_closed = 0", (account_id,)
    )
    number = transaction.new_ids(act, 1)[0]
    text = storable(json.dumps(dict(detail)))
    transaction.insert(act, [(number, account_id, utc_now(), audit.actor(), kind, text, None, 0)])
    return number


def decide(transaction: Transaction, act_id: int, account_id: int, found: Sequence[Decision]) -> None:
    """What the act says of orders and documents."""
    ids = transaction.new_ids(decision, len(found))
    transaction.insert(
        decision,
        [
            (number, act_id, account_id, storable(entry.order_id), storable(entry.key), entry.word.value, 1)
            for number, entry in zip(ids, found, strict=True)
        ],
    )


def say(transaction: Transaction, act_id: int, account_id: int, found: Sequence[Said]) -> None:
    """What the act says of findings."""
    ids = transaction.new_ids(finding_act, len(found))
    transaction.insert(
        finding_act,
        [
            (
                *(number, act_id, account_id, entry.fingerprint, entry.from_state.value, entry.to_state.value),
                *(None if text is None else storable(text) for text in (entry.from_note, entry.note)),
            )
            for number, entry in zip(ids, found, strict=True)
        ],
    )


def standing(transaction: Transaction, account_id: int, key: str | None = None) -> tuple[Decision, ...]:
    """The newest standing word about each pair, in the order in which they were said; of one document, or of all."""
    mine = "" if key is None else " AND access_key = ?"
    rows = transaction.fetch(
        "SELECT order_hub_id, access_key, word FROM decision"
        f" WHERE account_id = ?{mine} AND is_standing = 1 ORDER BY id",
        (account_id,) if key is None else (account_id, storable(key)),
    )
    newest: dict[tuple[str, str], str] = {}
    for order_id, key, word in rows:
        newest.pop((order_id, key), None)
        newest[order_id, key] = word
    return tuple(Decision(order_id, key, PersonsWord(word)) for (order_id, key), word in newest.items())


def states(transaction: Transaction, account_id: int, *, with_runs: bool = True) -> dict[str, FindingState]:
    """How a person said each finding stands, by fingerprint; what was never said, or taken back, is left out.

    A run that found it otherwise than it was settled for has opened it since: left out without `with_runs`.
    """
    opened = f" OR a.kind = {OF_RUNS!r} AND f.from_state IN {_SETTLED!r}" if with_runs else ""
    rows = transaction.fetch(
        "SELECT f.fingerprint, f.to_state FROM finding_act f JOIN act a ON a.id = f.act_id"
        f" WHERE f.account_id = ? AND a.undone_at IS NULL AND (a.kind IN {SETTLING!r}{opened}) ORDER BY f.id",
        (account_id,),
    )
    return {fingerprint: FindingState(state) for fingerprint, state in rows}


def recent_explanations(transaction: Transaction, account_id: int, limit: int = 9) -> tuple[str, ...]:
    """What findings were explained with last, the newest first, each text once."""
    rows = transaction.column(
        "SELECT f.note FROM finding_act f JOIN act a ON a.id = f.act_id WHERE f.account_id = ? AND a.kind = 'explain'"
        " AND a.undone_at IS NULL AND f.note IS NOT NULL GROUP BY f.note"
        " ORDER BY max(a.id) DESC, max(f.id) DESC LIMIT ?",
        (account_id, limit),
    )
    return tuple(rows)


def resolved_by_links(
    transaction: Transaction, account_id: int, fingerprints: Collection[str]
) -> dict[str, LinkingAct]:
    """The standing acts on links that made these findings vanish, by fingerprint.

    Left out are those that no act made vanish, and those that a run found again since.
    """
    rows = transaction.fetch_in(
        "SELECT f.fingerprint, f.to_state, a.kind, a.at, a.actor, f.id FROM finding_act f JOIN act a ON a.id = f.act_id"
        f" WHERE f.account_id = {int(account_id)} AND a.undone_at IS NULL"
        f" AND a.kind IN {(*LINKING, OF_RUNS)!r} AND f.fingerprint IN {{}}",
        fingerprints,
    )
    newest = {row[0]: row for row in sorted(rows, key=lambda row: int(row[-1]))}
    return {
        fingerprint: LinkingAct(at, actor)
        for fingerprint, state, kind, at, actor, _ in newest.values()
        if kind in LINKING and state == FindingState.RESOLVED.value
    }


def amounts(transaction: Transaction, account_id: int) -> dict[str, int | None]:
    """For which amount (centavos) the newest standing word of a person settled each finding, by fingerprint."""
    rows = transaction.fetch(
        f"SELECT detail FROM act WHERE account_id = ? AND undone_at IS NULL AND kind IN {SETTLING!r} ORDER BY id",
        (account_id,),
    )
    found: dict[str, int | None] = {}
    for (detail,) in rows:
        found |= json.loads(detail).get("amounts", {})
    return found


def notes(
    transaction: Transaction, account_id: int, fingerprints: Collection[str]
) -> dict[str, tuple[str | None, str]]:
    """The newest standing note on each of these findings, and who wrote it, by fingerprint."""
    rows = transaction.fetch_in(
        "SELECT f.fingerprint, f.note, a.actor, f.id FROM finding_act f JOIN act a ON a.id = f.act_id"
        f" WHERE f.account_id = {int(account_id)} AND a.undone_at IS NULL AND a.kind IN {(*SETTLING, 'note')!r}"
        " AND f.fingerprint IN {}",
        fingerprints,
    )
    ordered = sorted(rows, key=lambda row: int(row[-1]))
    return {fingerprint: (note, actor) for fingerprint, note, actor, _ in ordered}


def to_undo(transaction: Transaction, account_id: int) -> DecisionAct | None:
    """The newest act that stands."""
    condition = f"a.account_id = ? AND a.undone_at IS NULL AND a.kind != {OF_RUNS!r} ORDER BY a.id DESC"
    return _one(transaction, condition, account_id)


def to_redo(transaction: Transaction, account_id: int) -> DecisionAct | None:
    """The act that was taken back last, unless another one came after it."""
    condition = "a.account_id = ? AND a.undone_at IS NOT NULL AND a.is_closed = 0 ORDER BY a.id"
    return _one(transaction, condition, account_id)


def take_back(transaction: Transaction, act_id: int) -> None:
    """Let the act's words stand no longer."""
    transaction.execute("UPDATE act SET undone_at = ? WHERE id = ?", (utc_now(), act_id))
    transaction.execute("UPDATE decision SET is_standing = 0 WHERE act_id = ?", (act_id,))


def do_again(transaction: Transaction, act_id: int) -> None:
    """Let the act's words stand again."""
    transaction.execute("UPDATE act SET undone_at = NULL WHERE id = ?", (act_id,))
    transaction.execute("UPDATE decision SET is_standing = 1 WHERE act_id = ?", (act_id,))


def words_of(transaction: Transaction, act_id: int) -> tuple[Decision, ...]:
    """What an act said of orders and documents."""
    rows = transaction.fetch(
        "SELECT order_hub_id, access_key, word FROM decision WHERE act_id = ? ORDER BY id", (act_id,)
    )
    return tuple(Decision(order_id, key, PersonsWord(word)) for order_id, key, word in rows)


def said_in(transaction: Transaction, act_id: int) -> tuple[Said, ...]:
    """What an act said of findings."""
    rows = transaction.named(
        "SELECT fingerprint, from_state, to_state, from_note, note FROM finding_act WHERE act_id = ? ORDER BY id",
        (act_id,),
    )
    return tuple(
        Said(row.fingerprint, FindingState(row.from_state), FindingState(row.to_state), row.from_note, row.note)
        for row in rows
    )


def history(
    transaction: Transaction,
    account_id: int,
    *,
    fingerprint: str | None = None,
    orders: Sequence[str] = (),
    keys: Sequence[str] = (),
    limit: int = 100,
) -> tuple[DecisionAct, ...]:
    """The acts about a finding, orders or documents, or with none of them all acts of the account, newest first."""
    act_ids: set[int] = set()
    if fingerprint is not None:
        of_finding = transaction.column(
            "SELECT act_id FROM finding_act f JOIN act a ON a.id = f.act_id"
            f" WHERE f.account_id = ? AND f.fingerprint = ? AND a.kind != {OF_RUNS!r}",
            (account_id, fingerprint),
        )
        act_ids.update(of_finding)
    for name, wanted in (("order_hub_id", orders), ("access_key", keys)):
        sql = f"SELECT act_id FROM decision WHERE account_id = {int(account_id)} AND {name} IN {{}}"
        act_ids.update(transaction.column_in(sql, {storable(entry) for entry in wanted}))
    if fingerprint is None and not orders and not keys:
        newest = transaction.named(
            f"SELECT {_COLUMNS} FROM act a WHERE a.account_id = ? AND a.kind != {OF_RUNS!r} ORDER BY a.id DESC LIMIT ?",
            (account_id, limit),
        )
        return tuple(map(_act, newest))
    wanted_ids = sorted(act_ids, reverse=True)[:limit]
    acts = {
        row.id: _act(row)
        for row in transaction.named_in(f"SELECT {_COLUMNS} FROM act a WHERE a.id IN {{}}", wanted_ids)
    }
    return tuple(acts[number] for number in wanted_ids)


def _one(transaction: Transaction, condition: str, account_id: int) -> DecisionAct | None:
    row = transaction.first_named(f"SELECT {_COLUMNS} FROM act a WHERE {condition} LIMIT 1", (account_id,))
    return None if row is None else _act(row)


def _act(row: NamedRow) -> DecisionAct:
    return DecisionAct(row.id, row.account_id, row.at, row.actor, row.kind, json.loads(row.detail), row.undone_at)
