"""Whose personal data was erased, remembered without saying who: what the hub tells of them again comes in without it.

A person is remembered by a keyed hash of the tax id; the key is the archive's own. That hides a tax id from whoever
sees the hash alone; whoever holds the archive and tries all tax ids can find it out. Orders are remembered by the
hub's id. An order that the person places later is a new one, and is kept as any other.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from confere.archive.message_encoding import storable
from confere.archive.transaction import Transaction
from confere.fiscal.taxpayers import normalise

_KEY: Final = "erased key"
_PERSON: Final = "erased person "
_ORDER: Final = "erased order "


@dataclass(frozen=True, slots=True)
class ErasedPersons:
    """What is remembered. `persons`: UTC text of the erasure by mark; `orders`: account and the hub's id."""

    key: bytes
    persons: dict[str, str]
    orders: frozenset[str]

    def covers(self, account_id: int, hub_id: str, tax_id: str | None, created_at: str | None) -> bool:
        """Whether this order is one to come in without the person: it, or an older one of the same person, was."""
        if _order(account_id, hub_id) in self.orders:
            return True
        if not tax_id or not self.persons:
            return False
        erased_at = self.persons.get(_mark(self.key, tax_id))
        return erased_at is not None and (created_at is None or created_at <= erased_at)


def load(transaction: Transaction) -> ErasedPersons | None:
    """What is remembered; None where nobody was erased."""
    rows: dict[str, str] = dict(
        transaction.fetch("SELECT name, value FROM info WHERE name >= 'erased ' AND name < 'erased!'")
    )
    if _KEY not in rows:
        return None
    return ErasedPersons(
        bytes.fromhex(rows[_KEY]),
        {name.removeprefix(_PERSON): value for name, value in rows.items() if name.startswith(_PERSON)},
        frozenset(name.removeprefix(_ORDER) for name in rows if name.startswith(_ORDER)),
    )


def erased_at(transaction: Transaction, tax_id: str) -> str | None:
    """When this person was erased, UTC text; None where that never was."""
    found = load(transaction)
    return None if found is None else found.persons.get(_mark(found.key, tax_id))


def remember(transaction: Transaction, tax_id: str, orders: Collection[tuple[int, str]], at: str) -> None:
    """Remember the person, and these orders (account, the hub's id)."""
    found = load(transaction)
    key = secrets.token_bytes(32) if found is None else found.key
    rows = [(_KEY, key.hex()), (_PERSON + _mark(key, tax_id), at)]
    rows += [(_ORDER + _order(account_id, hub_id), at) for account_id, hub_id in orders]
    transaction.execute_many("INSERT OR REPLACE INTO info (name, value) VALUES (?, ?)", rows)


def _order(account_id: int, hub_id: str) -> str:
    return f"{account_id} {storable(hub_id)}"


def _mark(key: bytes, tax_id: str) -> str:
    return hmac.new(key, normalise(tax_id).encode(), hashlib.sha256).hexdigest()
