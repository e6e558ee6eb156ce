"""Links and ties as a run or a person left them: written by difference, read by order, document or account."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from confere.archive import message_encoding
from confere.archive.message_encoding import storable
from confere.archive.named_rows import NamedRow
from confere.archive.schema.schema import link, tie
from confere.archive.shared_phrases import Phrases
from confere.archive.transaction import Row, Transaction
from confere.sales.links import Link, Linked, LinkKind, Tie

Pair = tuple[str, str]
"""The hub's id of an order, and an access key."""

_COLUMNS: Final = "order_hub_id, access_key, kind, confidence, evidence"


@dataclass(frozen=True, slots=True)
class Replaced:
    """What writing the links of a run did. `rewritten` have another reason or confidence than before."""

    added: int = 0
    removed: int = 0
    rewritten: int = 0
    ties_added: int = 0
    ties_removed: int = 0

    @property
    def changed(self) -> bool:
        return any((self.added, self.removed, self.rewritten, self.ties_added, self.ties_removed))


@dataclass(frozen=True, slots=True)
class LinkCounts:
    """How many links are the program's, a person's, and how many ties there are; `kinds` by evidence."""

    automatic: int = 0
    manual: int = 0
    ambiguous: int = 0
    kinds: tuple[tuple[LinkKind, int], ...] = ()


@dataclass(frozen=True, slots=True)
class StoredTie:
    """A tie with the number by which it is called in its account."""

    number: int
    tie: Tie


def replace(transaction: Transaction, account_id: int, run_id: int, found: Linked) -> Replaced:
    """Let the account have exactly these links and ties; only what differs is written."""
    phrases = Phrases(transaction)
    before: dict[Pair, tuple[int, int, str]] = {
        (row.order_hub_id, row.access_key): (row.kind, row.confidence, row.evidence)
        for row in transaction.named(f"SELECT {_COLUMNS} FROM link WHERE account_id = ?", (account_id,))
    }
    new: list[Row] = []
    other: list[Row] = []
    for entry in found.links:
        pair = (storable(entry.order_id), storable(entry.key))
        told = (int(entry.kind), entry.confidence, phrases.kept_all(entry.evidence))
        known = before.pop(pair, None)
        if known is None:
            new.append((account_id, *pair, *told, run_id))
        elif known != told:
            other.append((*told, run_id, account_id, *pair))
    drop(transaction, account_id, before)
    transaction.execute_many(
        "UPDATE link SET kind = ?, confidence = ?, evidence = ?, run_id = ?"
        " WHERE account_id = ? AND order_hub_id = ? AND access_key = ?",
        other,
    )
    transaction.insert(link, new)
    added, removed = _replace_ties(transaction, account_id, run_id, found.ties)
    return Replaced(len(new), len(before), len(other), added, removed)


def put(transaction: Transaction, account_id: int, links: Iterable[Link]) -> None:
    """Write these links in place of whatever stands between the same orders and documents; no run made them."""
    phrases = Phrases(transaction)
    replacing = tuple(links)
    rows = [
        (
            account_id,
            storable(link.order_id),
            storable(link.key),
            int(link.kind),
            link.confidence,
            phrases.kept_all(link.evidence),
            None,
        )
        for link in replacing
    ]
    drop(transaction, account_id, [(link.order_id, link.key) for link in replacing])
    transaction.insert(link, rows)


def drop(transaction: Transaction, account_id: int, pairs: Collection[Pair]) -> None:
    """Take these links away."""
    transaction.execute_many(
        "DELETE FROM link WHERE account_id = ? AND order_hub_id = ? AND access_key = ?",
        [(account_id, storable(order_id), storable(key)) for order_id, key in pairs],
    )


def every(transaction: Transaction, account_id: int) -> tuple[Link, ...]:
    """All links of the account, by order and key."""
    rows = transaction.named(
        f"SELECT {_COLUMNS} FROM link WHERE account_id = ? ORDER BY order_hub_id, access_key", (account_id,)
    )
    phrases = Phrases(transaction)
    return tuple(_link(row, phrases) for row in rows)


def of(
    transaction: Transaction, account_id: int, *, orders: Collection[str] = (), keys: Collection[str] = ()
) -> tuple[Link, ...]:
    """The links of any of these orders or documents, each once, by order and key."""
    rows = {(row.order_hub_id, row.access_key): row for row in _rows(transaction, account_id, orders, keys)}
    phrases = Phrases(transaction)
    return tuple(_link(rows[pair], phrases) for pair in sorted(rows))


def between(transaction: Transaction, account_id: int, pairs: Collection[Pair]) -> dict[Pair, Link]:
    """The links that stand between these orders and documents."""
    wanted = set(pairs)
    found = of(transaction, account_id, orders={order_id for order_id, _ in wanted})
    return {(entry.order_id, entry.key): entry for entry in found if (entry.order_id, entry.key) in wanted}


def ties(transaction: Transaction, account_id: int) -> tuple[StoredTie, ...]:
    """What is ambiguous in the account, by number."""
    rows = transaction.named(
        "SELECT number, orders, keys, kind, reason FROM tie WHERE account_id = ? ORDER BY number", (account_id,)
    )
    return tuple(
        StoredTie(
            row.number,
            Tie(
                tuple(json.loads(row.orders)),
                tuple(json.loads(row.keys)),
                LinkKind(row.kind),
                message_encoding.read(row.reason),
            ),
        )
        for row in rows
    )


def counts(transaction: Transaction, account_id: int) -> LinkCounts:
    """How many there are of each."""
    kinds: Counter[int] = Counter(
        dict(transaction.fetch("SELECT kind, count(*) FROM link WHERE account_id = ? GROUP BY kind", (account_id,)))
    )
    manual = kinds[LinkKind.PERSON]
    ambiguous = int(transaction.scalar("SELECT count(*) FROM tie WHERE account_id = ?", (account_id,)))
    told = tuple((LinkKind(kind), number) for kind, number in sorted(kinds.items()))
    return LinkCounts(sum(kinds.values()) - manual, manual, ambiguous, told)


def kept(entry: Link) -> list[object]:
    """A link as JSON holds it, for an act that can be undone."""
    return [entry.order_id, entry.key, int(entry.kind), entry.confidence, message_encoding.kept_all(entry.evidence)]


def read(written: Sequence[Any]) -> Link:
    """The link that `kept` wrote."""
    order_id, key, kind, confidence, evidence = written
    return Link(order_id, key, LinkKind(kind), confidence, message_encoding.read_all(evidence))


def _rows(
    transaction: Transaction, account_id: int, orders: Collection[str], keys: Collection[str]
) -> Iterator[NamedRow]:
    for name, wanted in (("order_hub_id", orders), ("access_key", keys)):
        yield from transaction.named_in(
            f"SELECT {_COLUMNS} FROM link WHERE account_id = {int(account_id)} AND {name} IN {{}}",
            {storable(entry) for entry in wanted},
        )


def _link(row: NamedRow, phrases: Phrases) -> Link:
    return Link(row.order_hub_id, row.access_key, LinkKind(row.kind), row.confidence, phrases.read_all(row.evidence))


def _replace_ties(transaction: Transaction, account_id: int, run_id: int, found: Sequence[Tie]) -> tuple[int, int]:
    rows = transaction.named("SELECT number, orders, keys, kind, reason FROM tie WHERE account_id = ?", (account_id,))
    before: dict[Row, int] = {(row.orders, row.keys, row.kind, row.reason): row.number for row in rows}
    highest = max(before.values(), default=0)
    new: list[Row] = []
    for entry in found:
        told = (
            storable(json.dumps(entry.orders)),
            storable(json.dumps(entry.keys)),
            int(entry.kind),
            message_encoding.kept(entry.reason),
        )
        if before.pop(told, None) is None:
            highest += 1
            orders, keys, kind, reason = told
            new.append((account_id, highest, kind, orders, keys, reason, run_id))
    transaction.execute_many(
        "DELETE FROM tie WHERE account_id = ? AND number = ?", [(account_id, number) for number in before.values()]
    )
    transaction.insert(tie, new)
    return len(new), len(before)
