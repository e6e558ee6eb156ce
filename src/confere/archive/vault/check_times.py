"""When the contents were last read back, share by share."""

from __future__ import annotations

from confere.archive.clock import utc_now
from confere.archive.transaction import Transaction


def last_whole(transaction: Transaction) -> str | None:
    """When every content was last read back (UTC text): the oldest share of the newest full set; None for never."""
    return max(
        transaction.column("SELECT min(checked_at) FROM vault_check GROUP BY parts HAVING count(*) = parts"),
        default=None,
    )


def write_down(transaction: Transaction, part: int, parts: int, contents: int, damaged: int) -> None:
    """A share, the `part`th of `parts`, was read back now: how many contents it had, and how many were damaged."""
    transaction.execute(
        "INSERT OR REPLACE INTO vault_check (part, parts, checked_at, contents, damaged) VALUES (?, ?, ?, ?, ?)",
        (part, parts, utc_now(), contents, damaged),
    )
