"""Making anew what invariants do not hold of: nothing that a person decided or a hub said is touched."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from typing import Final

from confere.archive.derived import invariants
from confere.archive.derived.invariants import Violations
from confere.archive.documents import recompute, reindex
from confere.archive.documents.recorder import CLAIMED_BY_HUB, CLAIMED_BY_XML
from confere.archive.schema.schema import belonging, finding_key, finding_order
from confere.archive.transaction import Row, Transaction
from confere.archive.vault import missing_contents
from confere.archive.vault.reader import cut_certificates


def restore(transaction: Transaction, violations: Collection[Violations]) -> None:
    """Let these hold again, those of papers without a paper's reading: what else differs is read anew elsewhere."""
    if not violations:
        return
    reindex.drop_strays(transaction)
    for entry in violations:
        mend = _MENDING.get(entry.invariant.name)
        if mend is not None:
            rows: tuple[Row, ...] = entry.rows
            while rows:
                mend(transaction, rows)
                left = () if entry.are_all else invariants.violations(transaction, entry.invariant)
                rows = left if left != rows else ()


def _one_version(transaction: Transaction, rows: Collection[Row]) -> None:
    ids = [number for _, number in rows]
    transaction.execute_many(
        "UPDATE document SET is_current = access_key IS NULL WHERE id = ? AND (access_key IS NULL"
        " OR is_current NOT IN (0, 1))",
        [(number,) for number in ids],
    )
    keys = set(transaction.column_in("SELECT access_key FROM document WHERE id IN {}", ids)) - {None}
    recompute.documents(transaction, keys)
    recompute.states(transaction, keys, again=True)


def _one_event(transaction: Transaction, rows: Collection[Row]) -> None:
    keys = {key for key, _ in rows}
    recompute.events(transaction, keys)
    recompute.states(transaction, keys, again=True)


def _belonging(transaction: Transaction, rows: Collection[Row]) -> None:
    transaction.execute_many(
        "DELETE FROM belonging WHERE tax_id = ? AND issued_on = ? AND document_id = ?",
        [(tax_id, day, number) for _, tax_id, day, number in rows],
    )
    ids = {number for *_, number in rows}
    current = list(transaction.column_in("SELECT id FROM document WHERE is_current = 1 AND id IN {}", ids))
    transaction.insert_or_ignore(belonging, recompute.owned_by(transaction, current))


def _unclaim(claim: int) -> Callable[[Transaction, Collection[Row]], None]:
    def mend(transaction: Transaction, rows: Collection[Row]) -> None:
        where = "WHERE source_key = ? AND target_key = ? AND kind = ?"
        transaction.execute_many(
            f"UPDATE relation SET claims = claims & ~{claim} {where}", [tuple(row) for row in rows]
        )
        transaction.execute("DELETE FROM relation WHERE claims = 0")

    return mend


def _verdicts(transaction: Transaction, rows: Collection[Row]) -> None:
    transaction.execute_many("DELETE FROM verdict WHERE content_id = ?", [(content_id,) for _, content_id in rows])


def _findings(transaction: Transaction, rows: Collection[Row]) -> None:
    """Let what a finding names lead to it."""
    ids = {number for _, number in rows}
    for table in ("finding_order", "finding_key"):
        transaction.execute_many(f"DELETE FROM {table} WHERE finding_id = ?", [(number,) for number in ids])
    for row in transaction.named_in("SELECT id, account_id, orders, keys FROM finding WHERE id IN {}", ids):
        orders = [(row.account_id, name, row.id) for name in dict.fromkeys(json.loads(row.orders))]
        transaction.insert_or_ignore(finding_order, orders)
        transaction.insert_or_ignore(finding_key, [(key, row.id) for key in dict.fromkeys(json.loads(row.keys))])


def _taxpayers(transaction: Transaction, rows: Collection[Row]) -> None:
    del rows
    reindex.forget_taxpayers(transaction)


def _sentences(transaction: Transaction, rows: Collection[Row]) -> None:
    named = {
        int(number)
        for whys in transaction.column("SELECT whys FROM verdict WHERE whys IS NOT NULL")
        for _, _, number in (entry.partition(":") for entry in whys.split())
        if number.isdecimal()
    }
    _delete(transaction, "why", {number for _, number in rows} - named)


def _certificates(transaction: Transaction, rows: Collection[Row]) -> None:
    cuts = transaction.column("SELECT cuts FROM content WHERE cuts IS NOT NULL")
    named = {number for of_content in cuts for number in cut_certificates(of_content)}
    _delete(transaction, "certificate", {number for _, number in rows} - named)


def _contents(transaction: Transaction, rows: Collection[Row]) -> None:
    """Of bytes that stand twice those that nothing speaks of."""
    numbers = {number for _, number in rows}
    _delete(transaction, "content", numbers - missing_contents.spoken_of(transaction, sorted(numbers)))


def _delete(transaction: Transaction, table: str, numbers: Collection[int]) -> None:
    transaction.execute_many(f"DELETE FROM {table} WHERE id = ?", [(number,) for number in numbers])


_MENDING: Final[dict[str, Callable[[Transaction, Collection[Row]], None]]] = {
    invariants.A_VERSION_IS_CURRENT.name: _one_version,
    invariants.ONE_VERSION_IS_CURRENT.name: _one_version,
    invariants.ONE_EVENT_IS_CURRENT.name: _one_event,
    invariants.BELONGING_IS_CURRENT.name: _belonging,
    invariants.RELATION_IS_CLAIMED.name: _unclaim(CLAIMED_BY_XML),
    invariants.RELATION_IS_RECORDED.name: _unclaim(CLAIMED_BY_HUB),
    invariants.VERDICT_HAS_CONTENT.name: _verdicts,
    invariants.FINDING_ORDERS.name: _findings,
    invariants.FINDING_KEYS.name: _findings,
    invariants.TAXPAYER_ONCE.name: _taxpayers,
    invariants.WHY_ONCE.name: _sentences,
    invariants.CERTIFICATE_ONCE.name: _certificates,
    invariants.CONTENT_ONCE.name: _contents,
}
