"""The audit trail: who did what to the archive and when; lines are only ever added."""

from __future__ import annotations

import getpass
from dataclasses import dataclass

from confere.archive.clock import utc_now
from confere.archive.message_encoding import storable
from confere.archive.transaction import Transaction


@dataclass(frozen=True, slots=True)
class AuditLine:
    """One line. `at` is UTC text."""

    at: str
    actor: str
    action: str
    subject: str
    detail: str | None
    id: int = 0


def write(transaction: Transaction, action: str, subject: str, detail: str | None = None) -> None:
    """Add a line in the name of the operating system's user."""
    transaction.execute(
        "INSERT INTO audit (at, actor, action, subject, detail) VALUES (?, ?, ?, ?, ?)",
        (utc_now(), actor(), action, storable(subject), None if detail is None else storable(detail)),
    )


def lines(transaction: Transaction, limit: int = 100) -> tuple[AuditLine, ...]:
    """The newest lines first."""
    return page(transaction, limit)


def page(transaction: Transaction, limit: int, before: int | None = None) -> tuple[AuditLine, ...]:
    """The newest lines first; those older than line `before` where it is given."""
    older = "" if before is None else " WHERE id < ?"
    return tuple(
        transaction.fetch_as(
            AuditLine,
            f"SELECT at, actor, action, subject, detail, id FROM audit{older} ORDER BY id DESC LIMIT ?",
            (limit,) if before is None else (before, limit),
        )
    )


def of_action(
    transaction: Transaction, action: str, first: str, second: str, limit: int = 100
) -> tuple[AuditLine, ...]:
    """The newest lines of this action first, whose subject is these two words; an empty one may be any."""
    return tuple(
        transaction.fetch_as(
            AuditLine,
            "SELECT at, actor, action, subject, detail, id FROM audit WHERE action = ?"
            " AND (? = '' OR substr(subject, 1, length(?) + 1) = ? || ' ')"
            " AND (? = '' OR substr(subject, -length(?) - 1) = ' ' || ?) ORDER BY id DESC LIMIT ?",
            (action, first, first, first, second, second, second, limit),
        )
    )


def count(transaction: Transaction, action: str) -> int:
    """How many lines there are of this action."""
    return int(transaction.scalar("SELECT count(*) FROM audit WHERE action = ?", (action,)))


def order_writes(
    transaction: Transaction, account: str, order_id: str | None, key: str | None, limit: int = 100
) -> tuple[AuditLine, ...]:
    """The newest lines first about what was sent to orders of this account, or to this order alone.

    With `key` only those of orders to which this document was sent.
    """
    begins = f"{account} "
    return tuple(
        transaction.fetch_as(
            AuditLine,
            "SELECT at, actor, action, subject, detail, id FROM audit"
            " WHERE (action IN ('order invoice', 'order move')"
            " OR action LIKE 'order invoice %' OR action LIKE 'order move %')"
            " AND substr(subject, 1, length(?)) = ? AND instr(substr(subject, length(?) + 1), ' ') = 0"
            " AND (? IS NULL OR subject = ?)"
            " AND (? IS NULL OR subject IN"
            " (SELECT subject FROM audit WHERE action = 'order invoice' AND instr(detail, ?) > 0))"
            " ORDER BY id DESC LIMIT ?",
            (begins, begins, begins, order_id, f"{begins}{order_id}", key, key, limit),
        )
    )


def newest_move(transaction: Transaction, account: str, order_id: str, *, only: str | None = None) -> AuditLine | None:
    """The newest line about a move of this order, its request or what became of it, or `only` of this action; None
    where it was never moved."""
    return transaction.first_as(
        AuditLine,
        "SELECT at, actor, action, subject, detail, id FROM audit"
        " WHERE (action = 'order move' OR action LIKE 'order move %') AND (? IS NULL OR action = ?) AND subject = ?"
        " ORDER BY id DESC LIMIT 1",
        (only, only, storable(f"{account} {order_id}")),
    )


def actor() -> str:
    """The operating system's user; `?` where it names none."""
    try:
        return storable(getpass.getuser())
    except (OSError, KeyError, ImportError):  # no such user in this container or service
        return "?"
