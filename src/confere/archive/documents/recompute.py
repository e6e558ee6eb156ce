"""Settling keys after anything of theirs changed: which version is current, which copy of an event, which state.

Events and other documents arrive in any order, before or after the document that they are about; what stands at the
end is the same for every order.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from typing import Final, NamedTuple

from confere.archive.accounts import audit
from confere.archive.documents import event_history, lone_protocols, state_grounds, version_ranking
from confere.archive.documents.version_ranking import Rank
from confere.archive.named_rows import NamedRow
from confere.archive.transaction import Row, Transaction
from confere.fiscal.direction import OWNING_ROLES, direction_for
from confere.fiscal.state import LaterDocument, kind_of_change, may_change
from confere.fiscal.state_evidence import Own, standing

CURRENT_CHANGED: Final = "current content"
"""In the audit trail: another content of a key is shown from now on."""
_KEYS_IN: Final = "SELECT DISTINCT access_key FROM document WHERE content_id IN {}"
# Claims of the XML that may change a state; of an NF-e only a complementary one's.
_MAY_CHANGE: Final = (
    "d.is_current = 1 AND r.claims & 1 AND (r.kind IN ('complements', 'replaces', 'annuls')"
    " OR r.kind = 'references' AND d.purpose = '2')"
)


class SettledVersions(NamedTuple):
    """The versions of each key, as they stand; `best` is the row of the one to be shown, by key."""

    versions: dict[str, list[NamedRow]]
    best: dict[str, NamedRow]
    ranks: dict[int, Rank]


def settled_versions(transaction: Transaction, keys: Collection[str]) -> SettledVersions:
    """Which version of each key is to be current: the same one in whatever order they came.

    What is authentic comes before what could not be checked, and that before what failed; then what was issued for
    real, what was authorized,
    what a hub's record of this key brought, the earlier answer of the authority, and at last the smaller SHA-256.
    """
    versions: dict[str, list[NamedRow]] = defaultdict(list)
    for version in transaction.named_in("SELECT access_key, id, is_current FROM document WHERE access_key IN {}", keys):
        versions[version.access_key].append(version)
    several = [version.id for of_key in versions.values() if len(of_key) > 1 for version in of_key]
    ranks = version_ranking.of_documents(transaction, several)
    best = {
        key: of_key[0] if len(of_key) == 1 else min(of_key, key=lambda version: ranks[version.id])
        for key, of_key in versions.items()
    }
    return SettledVersions(versions, best, ranks)


def documents(transaction: Transaction, keys: Collection[str], written: Mapping[int, bool] | None = None) -> None:
    """Make one version of each key current, as `settled_versions` has it.

    `written` are rows just put there, each with whether it was current before: new ones never were.
    """
    from confere.archive.schema.schema import belonging

    settled = settled_versions(transaction, keys)
    before = written or {}
    demoted: list[int] = []
    promoted: list[int] = []
    for key, versions in settled.versions.items():
        best = settled.best[key]
        gone = [version.id for version in versions if version.is_current and version.id != best.id]
        left = [number for number in gone if before.get(number, True)]
        if left:
            ranks = settled.ranks
            audit.write(transaction, CURRENT_CHANGED, key, version_ranking.difference(ranks[left[0]], ranks[best.id]))
        demoted += gone
        if not best.is_current:
            promoted.append(best.id)
    transaction.execute_many("UPDATE document SET is_current = 0 WHERE id = ?", [(number,) for number in demoted])
    transaction.execute_many("UPDATE document SET is_current = 1 WHERE id = ?", [(number,) for number in promoted])
    transaction.execute_many(
        "DELETE FROM belonging WHERE tax_id = ? AND issued_on = ? AND document_id = ?",
        [(tax_id, day, number) for tax_id, day, number, _ in owned_by(transaction, demoted)],
    )
    transaction.insert_or_ignore(belonging, owned_by(transaction, promoted))


def versions_in(transaction: Transaction, content_ids: Collection[int]) -> None:
    """Settle the keys in these contents that have several versions, or copies of an event: what ranks them changed."""
    keys = set(filter(None, transaction.column_in(_KEYS_IN, content_ids)))
    several = set(
        transaction.column_in(
            "SELECT access_key FROM document WHERE access_key IN {} GROUP BY access_key HAVING count(*) > 1", keys
        )
    )
    if several:
        documents(transaction, several)
        states(transaction, several, again=True)
    copied = transaction.column_in(
        "SELECT DISTINCT e.access_key FROM event e WHERE e.content_id IN {} AND EXISTS (SELECT 1 FROM event o"
        " WHERE o.access_key = e.access_key AND o.code = e.code AND o.id != e.id)",
        content_ids,
    )
    events(transaction, set(filter(None, copied)))


def owned_by(transaction: Transaction, document_ids: Collection[int]) -> list[Row]:
    """The `belonging` rows of these documents, by their parties: whose they are, and in which direction."""
    owners: dict[int, dict[str, None]] = defaultdict(dict)
    emitters: dict[int, str | None] = {}
    papers: dict[int, NamedRow] = {}
    for row in _parties(transaction, document_ids):
        papers[row.document_id] = row
        if row.role == "emitter":
            emitters.setdefault(row.document_id, row.tax_id)
        if row.role in OWNING_ROLES and row.tax_id:
            owners[row.document_id][row.tax_id] = None
    return [
        (owner, papers[number].issued_on, number, direction_for(owner, emitters.get(number), papers[number].direction))
        for number, found in owners.items()
        for owner in found
    ]


def settled_events(transaction: Transaction, keys: Collection[str]) -> list[tuple[NamedRow, bool]]:
    """The copies of the events of these keys, as they stand, each with whether it is to be the current one.

    What does not fail comes first, then what is registered, what stands in a file of its own, and the smaller SHA-256.
    """
    copies: dict[Row, list[NamedRow]] = defaultdict(list)
    for copy in transaction.named_in(
        "SELECT access_key, code, sequence, id, is_current FROM event WHERE access_key IN {}", keys
    ):
        copies[copy.access_key, copy.code, copy.sequence].append(copy)
    several = [copy.id for of_event in copies.values() if len(of_event) > 1 for copy in of_event]
    ranks = version_ranking.of_events(transaction, several)
    settled: list[tuple[NamedRow, bool]] = []
    for of_event in copies.values():
        best = of_event[0] if len(of_event) == 1 else min(of_event, key=lambda copy: ranks[copy.id])
        settled += [(copy, copy is best) for copy in of_event]
    return settled


def events(transaction: Transaction, keys: Collection[str]) -> None:
    """Make one copy of each event current, as `settled_events` has it: it can come alone, in its document, forged."""
    changed: list[Row] = [
        (int(is_best), copy.id)
        for copy, is_best in settled_events(transaction, keys)
        if copy.is_current != int(is_best)
    ]
    transaction.execute_many("UPDATE event SET is_current = ? WHERE id = ?", changed)


class SettledState(NamedTuple):
    """What `state` and `state_ground` of the document with this number are to be, and are."""

    id: int
    settled: tuple[str, int]
    stored: tuple[str, int | None]


def settled_states(transaction: Transaction, keys: Collection[str], *, again: bool) -> Iterator[SettledState]:
    """The states of these keys from protocols, events and other papers; but `again`, of what something happened to."""
    told = event_history.told(transaction, keys)
    answers = lone_protocols.by_key(transaction, keys)
    changes = changes_of(transaction, keys)
    for row in transaction.named_in(
        f"SELECT d.id, d.access_key, d.state, d.state_ground, {lone_protocols.OWN} FROM document d"
        " WHERE type NOT IN ('voiding', 'other') AND access_key IN {}",
        keys if again else {*told, *answers, *changes},
    ):
        key = row.access_key
        stands = standing(_own(row), told.get(key, ()), answers.get(key, ()), changes.get(key, ()))
        settled = (stands.state.value, state_grounds.number_of(stands.ground))
        yield SettledState(row.id, settled, (row.state, row.state_ground))


def states(transaction: Transaction, keys: Collection[str], *, again: bool = False) -> None:
    """Compute the states of these keys, and of the keys that they change, from protocols, events and other papers.

    Rows come with the state that their protocol alone gives: what nothing happened to is looked at only `again`.
    """
    wanted = {*keys, *changed_by(transaction, keys)}
    changed: list[Row] = [
        (*state.settled, state.id)
        for state in settled_states(transaction, wanted, again=again)
        if state.settled != state.stored
    ]
    transaction.execute_many("UPDATE document SET state = ?, state_ground = ? WHERE id = ?", changed)


def owed(transaction: Transaction, limit: int) -> int:
    """Settle up to `limit` states that an older release left without a ground; how many it were."""
    unsettled = transaction.column(
        "SELECT access_key FROM document INDEXED BY ix_document_unsettled WHERE state_ground IS NULL"
        " AND access_key IS NOT NULL"
        " AND type NOT IN ('voiding', 'other') LIMIT ?",
        (limit,),
    )
    keys = set(unsettled)
    documents(transaction, keys)
    states(transaction, keys, again=True)
    return len(keys)


def changed_by(transaction: Transaction, keys: Collection[str]) -> set[str]:
    """The keys whose state the documents of `keys` may change."""
    rows = transaction.named_in(
        f"SELECT r.target_key, r.source_key, r.kind, d.type, d.purpose, {lone_protocols.OWN} FROM relation r"
        f" CROSS JOIN document d ON d.access_key = r.source_key WHERE {_MAY_CHANGE} AND r.source_key IN {{}}",
        keys,
    )
    return {
        row.target_key
        for row in rows
        if kind_of_change(row.kind, row.type, row.purpose) is not None and may_change(row.source_key, row.target_key)
    }


def changes_of(transaction: Transaction, keys: Collection[str]) -> dict[str, tuple[LaterDocument, ...]]:
    """For each of these keys that something changes: by which current documents, each with its own state."""
    rows = [
        row
        for row in transaction.named_in(
            f"SELECT r.target_key, r.source_key, r.kind, d.type, d.purpose, {lone_protocols.OWN}"
            " FROM relation r CROSS JOIN document d ON d.access_key = r.source_key"
            f" WHERE {_MAY_CHANGE} AND r.target_key IN {{}}",
            keys,
        )
        if may_change(row.source_key, row.target_key)
    ]
    sources = {row.source_key for row in rows}
    told, answers = event_history.told(transaction, sources), lone_protocols.by_key(transaction, sources)
    found: dict[str, list[LaterDocument]] = defaultdict(list)
    for row in rows:
        change = kind_of_change(row.kind, row.type, row.purpose)
        if change is not None:
            source = row.source_key
            state = standing(_own(row), told.get(source, ()), answers.get(source, ())).state
            found[row.target_key].append(LaterDocument(change.value, source, state.value, row.environment))
    return {key: tuple(sorted(entries)) for key, entries in found.items()}


def _own(row: NamedRow) -> Own:
    return Own(row.cstat, bool(row.answers_another), row.model, row.environment, row.signed_digest)


def _parties(transaction: Transaction, document_ids: Collection[int]) -> list[NamedRow]:
    rows = transaction.named_in(
        "SELECT p.document_id, p.position, p.role, t.tax_id, d.issued_on, d.direction FROM party p"
        " JOIN taxpayer t ON t.id = p.taxpayer_id JOIN document d ON d.id = p.document_id WHERE p.document_id IN {}",
        document_ids,
    )
    return sorted(rows, key=lambda row: (row.document_id, row.position))
