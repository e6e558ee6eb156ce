"""Settling keys after anything of theirs changed: which version is current, which copy of an event, which state.

Events and other documents arrive in any order, before or after the document that they are about; what stands at the
end is the same for every order.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from typing import Final, NamedTuple

from confere.archive import audit, happenings
from confere.archive.schema import belonging
from confere.archive.transaction import Row, Transaction
from confere.archive.verdict_letters import failed_in, is_unchecked
from confere.fiscal.direction import OWNING_ROLES, direction_for
from confere.fiscal.state import AUTHORIZED, Change, effective_state, kind_of_change, may_change
from confere.fiscal.traits import Trait
from confere.fiscal.verdict.lines import NO_GATE, Check

CURRENT_CHANGED: Final = "current content"
"""In the audit trail: another content of a key is shown from now on."""
_APART: Final = NO_GATE | {Check.ENVIRONMENT}
# An answer that is about another document says nothing of this one.
_CSTAT: Final = f"CASE WHEN instr(d.warnings, '\"{Trait.PROTOCOL_KEY_DIFFERS}\"') THEN NULL ELSE d.cstat END"
_KEYS_IN: Final = "SELECT DISTINCT access_key FROM document WHERE content_id IN {}"
# The verdict's line by its place in the content; and whether a record of this very key brought it.
_RANKED: Final = (
    "SELECT d.id, v.lines, d.cstat, d.authorized_at, EXISTS (SELECT 1 FROM download w JOIN hub_document h"
    " ON h.id = w.hub_document_id WHERE w.content_id = d.content_id AND h.access_key = d.access_key), c.digest,"
    " d.position FROM document d JOIN content c ON c.id = d.content_id"
    " LEFT JOIN verdict v ON v.content_id = d.content_id AND v.kind = 0 AND v.position = d.position"
    " WHERE d.id IN {}"
)
# Claims of the XML that may change a state; of an NF-e only a complementary one's.
_MAY_CHANGE: Final = (
    "d.is_current = 1 AND r.claims & 1 AND (r.kind IN ('complements', 'replaces', 'annuls')"
    " OR r.kind = 'references' AND d.purpose = '2')"
)


def documents(transaction: Transaction, keys: Collection[str]) -> None:
    """Make one version of each key current: the same one in whatever order they came.

    What is authentic comes before what could not be checked, and that before what failed; then what was authorized,
    what a hub's record of this key brought, the earlier answer of the authority, and at last the smaller SHA-256.
    """
    versions: dict[str, list[Row]] = defaultdict(list)
    for row in transaction.fetch_in("SELECT access_key, id, is_current FROM document WHERE access_key IN {}", keys):
        versions[row[0]].append(row[1:])
    several = [number for found in versions.values() if len(found) > 1 for number, _ in found]
    ranks = {row[0]: _rank(*row[1:]) for row in transaction.fetch_in(_RANKED, several)}
    demoted: list[int] = []
    promoted: list[int] = []
    for key, found in versions.items():
        best = found[0] if len(found) == 1 else min(found, key=lambda entry: ranks[entry[0]])
        gone = [number for number, is_current in found if is_current and number != best[0]]
        if gone and not best[1]:
            audit.write(transaction, CURRENT_CHANGED, key, _change(ranks[gone[0]], ranks[best[0]]))
        demoted += gone
        if not best[1]:
            promoted.append(best[0])
    transaction.execute_many("UPDATE document SET is_current = 0 WHERE id = ?", [(number,) for number in demoted])
    transaction.execute_many("UPDATE document SET is_current = 1 WHERE id = ?", [(number,) for number in promoted])
    transaction.execute_many(
        "DELETE FROM belonging WHERE tax_id = ? AND issued_on = ? AND document_id = ?",
        [row[:3] for row in owned_by(transaction, demoted)],
    )
    transaction.insert_or_ignore(belonging, owned_by(transaction, promoted))


def versions_in(transaction: Transaction, content_ids: Collection[int]) -> None:
    """Settle the keys in these contents that have several versions: something that ranks them has changed."""
    keys = {row[0] for row in transaction.fetch_in(_KEYS_IN, content_ids) if row[0]}
    several = {
        row[0]
        for row in transaction.fetch_in(
            "SELECT access_key FROM document WHERE access_key IN {} GROUP BY access_key HAVING count(*) > 1", keys
        )
    }
    if several:
        documents(transaction, several)
        states(transaction, several, again=True)


class _Rank(NamedTuple):
    """What decides between the versions of a key, the first that differs first; the smallest is current."""

    verdict: int  # 0 authentic, 1 could not be checked or was not yet, 2 failed
    unauthorized: bool
    unanswered: bool
    from_elsewhere: bool  # than a record of this key
    answered_at: str
    sha256: str
    position: int


def _rank(
    lines: str | None, cstat: str | None, answered_at: str | None, from_hub: int, digest: bytes, position: int
) -> _Rank:
    verdict = 1
    if lines is not None:
        failed = failed_in(lines) - _APART
        verdict = 2 if failed else int(is_unchecked(lines, _APART))
    return _Rank(
        verdict, cstat not in AUTHORIZED, cstat is None, not from_hub, answered_at or "~", digest.hex(), position
    )


def _change(before: _Rank, after: _Rank) -> str:
    """For the audit trail: from which content to which, and the first thing in which they differ."""
    why = next(
        (name for name, old, new in zip(_Rank._fields, before, after, strict=True) if old != new), _Rank._fields[-1]
    )
    return f"{before.sha256} > {after.sha256} ({why})"


def owned_by(transaction: Transaction, document_ids: Collection[int]) -> list[Row]:
    """The `belonging` rows of these documents, by their parties: whose they are, and in which direction."""
    owners: dict[int, dict[str, None]] = defaultdict(dict)
    emitters: dict[int, str | None] = {}
    papers: dict[int, Row] = {}
    for number, role, tax_id, day, way in _parties(transaction, document_ids):
        papers[number] = (day, way)
        if role == "emitter":
            emitters.setdefault(number, tax_id)
        if role in OWNING_ROLES and tax_id:
            owners[number][tax_id] = None
    return [
        (owner, papers[number][0], number, direction_for(owner, emitters.get(number), papers[number][1]))
        for number, found in owners.items()
        for owner in found
    ]


def events(transaction: Transaction, keys: Collection[str]) -> None:
    """The same event can come alone and inside its document: the registered, separate, oldest one is current."""
    versions: dict[Row, list[Row]] = defaultdict(list)
    for row in transaction.fetch_in(
        "SELECT id, access_key, code, sequence, registered, embedded, is_current FROM event WHERE access_key IN {}",
        keys,
    ):
        versions[row[1:4]].append(row)
    changed: list[Row] = []
    for found in versions.values():
        best = found[0] if len(found) == 1 else min(found, key=lambda row: (not row[4], row[5], row[0]))
        changed += [(int(row is best), row[0]) for row in found if row[6] != int(row is best)]
    transaction.execute_many("UPDATE event SET is_current = ? WHERE id = ?", changed)


def states(transaction: Transaction, keys: Collection[str], *, again: bool = False) -> None:
    """Compute the states of these keys, and of the keys that they change, from protocols, events and other papers.

    Rows come with the state that their protocol alone gives: what nothing happened to is looked at only `again`.
    """
    wanted = {*keys, *changed_by(transaction, keys)}
    happened = happenings.of(transaction, wanted)
    changes = changes_of(transaction, wanted)
    changed: list[Row] = []
    for number, key, model, environment, cstat, state in transaction.fetch_in(
        f"SELECT d.id, d.access_key, d.model, d.environment, {_CSTAT}, d.state FROM document d"
        " WHERE type NOT IN ('voiding', 'other') AND access_key IN {}",
        wanted if again else {*happened, *changes},
    ):
        standing = effective_state(
            cstat, happened.get(key, ()), model=model, environment=environment, changes=changes.get(key, ())
        )
        if standing.state.value != state:
            changed.append((standing.state.value, number))
    transaction.execute_many("UPDATE document SET state = ? WHERE id = ?", changed)


def changed_by(transaction: Transaction, keys: Collection[str]) -> set[str]:
    """The keys whose state the documents of `keys` may change."""
    rows = transaction.fetch_in(
        "SELECT r.source_key, r.target_key, r.kind, d.type, d.purpose FROM relation r"
        f" CROSS JOIN document d ON d.access_key = r.source_key WHERE {_MAY_CHANGE} AND r.source_key IN {{}}",
        keys,
    )
    return {
        target
        for source, target, kind, type, purpose in rows
        if kind_of_change(kind, type, purpose) is not None and may_change(source, target)
    }


def changes_of(transaction: Transaction, keys: Collection[str]) -> dict[str, tuple[Change, ...]]:
    """For each of these keys that something changes: by which current documents, each with its own state."""
    rows = [
        row
        for row in transaction.fetch_in(
            f"SELECT r.target_key, r.source_key, r.kind, d.type, d.purpose, d.model, d.environment, {_CSTAT}"
            " FROM relation r CROSS JOIN document d ON d.access_key = r.source_key"
            f" WHERE {_MAY_CHANGE} AND r.target_key IN {{}}",
            keys,
        )
        if may_change(row[1], row[0])
    ]
    happened = happenings.of(transaction, {row[1] for row in rows})
    found: dict[str, list[Change]] = defaultdict(list)
    for target, source, kind, type, purpose, model, environment, cstat in rows:
        change = kind_of_change(kind, type, purpose)
        if change is not None:
            own = effective_state(cstat, happened.get(source, ()), model=model, environment=environment)
            found[target].append(Change(change.value, source, own.state.value, environment))
    return {key: tuple(sorted(entries)) for key, entries in found.items()}


def _parties(transaction: Transaction, document_ids: Collection[int]) -> list[Row]:
    rows = transaction.fetch_in(
        "SELECT p.document_id, p.position, p.role, t.tax_id, d.issued_on, d.direction FROM party p"
        " JOIN taxpayer t ON t.id = p.taxpayer_id JOIN document d ON d.id = p.document_id WHERE p.document_id IN {}",
        document_ids,
    )
    return [(row[0], *row[2:]) for row in sorted(rows, key=lambda row: row[:2])]
