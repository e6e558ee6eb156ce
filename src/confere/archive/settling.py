"""Settling keys after anything of theirs changed: which version is current, which copy of an event, which state.

Events and other documents arrive in any order, before or after the document that they are about; what stands at the
end is the same for every order.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from typing import Final

from confere.archive.schema import belonging
from confere.archive.transaction import Row, Transaction
from confere.fiscal.direction import OWNING_ROLES, direction_for
from confere.fiscal.state import EVENT_CODES, Change, Happening, effective_state, kind_of_change, may_change

NOT_AUTHENTIC: Final = 2
"""What `document.verdict` holds where a line of the verdict failed."""
_CODES: Final = ",".join(f"'{code}'" for code in sorted(EVENT_CODES))
# Claims of the XML that may change a state; of an NF-e only a complementary one's.
_MAY_CHANGE: Final = (
    "d.is_current = 1 AND r.claims & 1 AND (r.kind IN ('complements', 'replaces', 'annuls')"
    " OR r.kind = 'references' AND d.purpose = '2')"
)


def documents(transaction: Transaction, keys: Collection[str]) -> None:
    """Make one version of each key current: not found false, then authorized, then with protocol, then oldest."""
    versions: dict[str, list[Row]] = defaultdict(list)
    for row in transaction.fetch_in(
        "SELECT access_key, id, cstat, protocol, is_current, verdict FROM document WHERE access_key IN {}", keys
    ):
        versions[row[0]].append(row[1:])
    demoted: list[int] = []
    promoted: list[int] = []
    for found in versions.values():
        if len(found) == 1:
            best = found[0]
        else:
            best = min(found, key=_rank)
            demoted += [entry[0] for entry in found if entry[3] and entry is not best]
        if not best[3]:
            promoted.append(best[0])
    transaction.execute_many("UPDATE document SET is_current = 0 WHERE id = ?", [(number,) for number in demoted])
    transaction.execute_many("UPDATE document SET is_current = 1 WHERE id = ?", [(number,) for number in promoted])
    transaction.execute_many(
        "DELETE FROM belonging WHERE tax_id = ? AND issued_on = ? AND document_id = ?",
        [row[:3] for row in owned_by(transaction, demoted)],
    )
    transaction.insert_or_ignore(belonging, owned_by(transaction, promoted))


def _rank(version: Row) -> tuple[bool, bool, bool, int]:
    number, cstat, _, _, found = version
    return found == NOT_AUTHENTIC, cstat not in ("100", "150"), cstat is None, number


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
    happened = _happenings(transaction, wanted)
    changes = changes_of(transaction, wanted)
    changed: list[Row] = []
    for number, key, model, environment, cstat, state in transaction.fetch_in(
        "SELECT id, access_key, model, environment, cstat, state FROM document"
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
            "SELECT r.target_key, r.source_key, r.kind, d.type, d.purpose, d.model, d.environment, d.cstat"
            " FROM relation r CROSS JOIN document d ON d.access_key = r.source_key"
            f" WHERE {_MAY_CHANGE} AND r.target_key IN {{}}",
            keys,
        )
        if may_change(row[1], row[0])
    ]
    happened = _happenings(transaction, {row[1] for row in rows})
    found: dict[str, list[Change]] = defaultdict(list)
    for target, source, kind, type, purpose, model, environment, cstat in rows:
        change = kind_of_change(kind, type, purpose)
        if change is not None:
            own = effective_state(cstat, happened.get(source, ()), model=model, environment=environment)
            found[target].append(Change(change.value, source, own.state.value, environment))
    return {key: tuple(sorted(entries)) for key, entries in found.items()}


def _happenings(transaction: Transaction, keys: Collection[str]) -> dict[str, list[Happening]]:
    found: dict[str, list[Happening]] = defaultdict(list)
    for key, code, registered, cstat, environment in transaction.fetch_in(
        f"SELECT access_key, code, registered, cstat, environment FROM event WHERE code IN ({_CODES})"
        " AND access_key IN {}",
        keys,
    ):
        found[key].append(Happening(code, bool(registered), cstat, environment))
    return found


def _parties(transaction: Transaction, document_ids: Collection[int]) -> list[Row]:
    rows = transaction.fetch_in(
        "SELECT p.document_id, p.position, p.role, t.tax_id, d.issued_on, d.direction FROM party p"
        " JOIN taxpayer t ON t.id = p.taxpayer_id JOIN document d ON d.id = p.document_id WHERE p.document_id IN {}",
        document_ids,
    )
    return [(row[0], *row[2:]) for row in sorted(rows, key=lambda row: row[:2])]
