"""How an account's hub wants to be asked, as it was learnt: traits by name, each with the moment it was learnt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from confere.archive.transaction import Transaction


@dataclass(frozen=True, slots=True)
class StoredTrait:
    """One trait of a hub; `learned_at` is UTC text."""

    trait: str
    value: str
    learned_at: str


def read(transaction: Transaction, account_id: int) -> tuple[StoredTrait, ...]:
    """What is known of the account's hub, by name."""
    return tuple(
        transaction.fetch_as(
            StoredTrait,
            "SELECT trait, value, learned_at FROM hub_shape WHERE account_id = ? ORDER BY trait",
            (account_id,),
        )
    )


def learn(transaction: Transaction, account_id: int, traits: Mapping[str, StoredTrait | None]) -> None:
    """Write traits down, each in the place of what was known before; None takes one away."""
    from confere.archive.schema.schema import hub_shape

    for name, found in traits.items():
        transaction.execute("DELETE FROM hub_shape WHERE account_id = ? AND trait = ?", (account_id, name))
        if found is not None:
            transaction.insert(hub_shape, [(account_id, name, found.value, found.learned_at)])


def forget(transaction: Transaction, account_id: int) -> int:
    """Forget all that was learnt of the account's hub; how many traits that were."""
    known = len(read(transaction, account_id))
    transaction.execute("DELETE FROM hub_shape WHERE account_id = ?", (account_id,))
    return known
