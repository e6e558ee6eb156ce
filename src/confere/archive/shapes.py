"""How an account's hub wants to be asked and how it answers, as it was learned: traits by name."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from confere.archive.clock import utc_now
from confere.archive.transaction import Transaction


def read(transaction: Transaction, account_id: int) -> dict[str, str]:
    """What is known of the account's hub."""
    return dict(
        transaction.fetch("SELECT trait, value FROM hub_shape WHERE account_id = ? ORDER BY trait", (account_id,))
    )


def learn(transaction: Transaction, account_id: int, traits: Mapping[str, str]) -> None:
    """Keep these traits in place of what was known; what is known already keeps its date."""
    now = utc_now()
    transaction.execute_many(
        "INSERT INTO hub_shape (account_id, trait, value, learned_at) VALUES (?, ?, ?, ?)"
        " ON CONFLICT (account_id, trait) DO UPDATE SET value = excluded.value, learned_at = excluded.learned_at"
        " WHERE value != excluded.value",
        [(account_id, trait, value, now) for trait, value in traits.items()],
    )


def forget(transaction: Transaction, account_id: int, traits: Collection[str] | None = None) -> None:
    """Forget these traits, or all of them: they are learned anew."""
    if traits is None:
        transaction.execute("DELETE FROM hub_shape WHERE account_id = ?", (account_id,))
    else:
        transaction.execute_many(
            "DELETE FROM hub_shape WHERE account_id = ? AND trait = ?", [(account_id, trait) for trait in traits]
        )
