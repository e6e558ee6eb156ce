"""The audit trail: who did what to the archive and when; lines are only ever added, each chained to the one before."""

from __future__ import annotations

import getpass
import os
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from confere.archive.accounts import audit_chain
from confere.archive.accounts.audit_chain import AuditBreak
from confere.archive.accounts.owning_company import MAY_HOLD
from confere.archive.clock import utc_now
from confere.archive.message_encoding import storable
from confere.archive.transaction import Transaction

_SALT: Final = 16  # bytes
_MEMORY: Final = "audit head"
_LAST: Final = 2**63 - 1
_COMPANY_MONTH: Final = "? [0-9][0-9][0-9][0-9]-[0-9][0-9]"
_OF_COMPANY: Final = (
    "subject NOT IN (SELECT tax_id FROM establishment WHERE tax_id != :company)"
    f" AND (subject NOT GLOB '{'?' * 13}{_COMPANY_MONTH}' AND subject NOT GLOB '{'?' * 10}{_COMPANY_MONTH}'"
    "  OR substr(subject, 1, length(subject) - 8) = :company)"
    f" AND subject NOT IN (SELECT name FROM account WHERE id NOT IN {MAY_HOLD})"
)


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
    kept = transaction.memory(_MEMORY)
    number, previous = kept.get(_MEMORY) or audit_chain.head(transaction)
    number += 1
    at, who, subject = utc_now(), actor(), storable(subject)
    salt = digest = None
    if detail is not None:
        detail, salt = storable(detail), os.urandom(_SALT)
        digest = audit_chain.detail_digest(salt, detail)
    chained = audit_chain.line_hash(number, at, who, action, subject, digest, previous)
    transaction.execute(
        "INSERT INTO audit (id, at, actor, action, subject, detail, salt, detail_digest, prev_hash, hash)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (number, at, who, action, subject, detail, salt, digest, previous, chained),
    )
    audit_chain.set_head(transaction, number, chained)
    kept[_MEMORY] = (number, chained)


def texts_erased(transaction: Transaction, numbers: Collection[int]) -> None:
    """Say of lines whose details lost the name of a person that this was so: their chain holds on."""
    for number, digest in audit_chain.forget_texts(transaction, sorted(numbers)):
        write(transaction, audit_chain.TEXT_ERASED, str(number), digest)


def accept_losses(transaction: Transaction) -> tuple[int, ...]:
    """After lines were lost with a damaged file: say before which lines, once; the numbers of those lines."""
    number, _ = audit_chain.head(transaction)
    highest = int(transaction.scalar("SELECT coalesce(max(id), 0) FROM audit"))
    if highest > number:  # what remembered the end is older than the lines themselves
        _to_last_line(transaction)
    gaps = {
        number + 1 if line.broken is AuditBreak.END_MISSING else line.number: line.follows
        for line in audit_chain.verify(transaction).broken
        if line.broken in (AuditBreak.LINES_MISSING, AuditBreak.END_MISSING)
    }
    for gap, follows in gaps.items():
        write(transaction, audit_chain.LINES_LOST, str(gap), follows)
    return tuple(gaps)


def _to_last_line(transaction: Transaction) -> None:
    row = transaction.first_named("SELECT id, hash FROM audit ORDER BY id DESC LIMIT 1")
    transaction.memory(_MEMORY).clear()
    if row is not None and row.hash is not None:
        audit_chain.set_head(transaction, row.id, row.hash)


def lines(transaction: Transaction, limit: int = 100) -> tuple[AuditLine, ...]:
    """The newest lines first."""
    return page(transaction, limit)


def page(
    transaction: Transaction, limit: int, before: int | None = None, company: str | None = None
) -> tuple[AuditLine, ...]:
    """The newest lines first; those older than line `before` where it is given.

    Of a `company` (CNPJ) what is left out is about another company, its month, or an account of others alone.
    """
    wanted = "" if company is None else f" AND {_OF_COMPANY}"
    return tuple(
        transaction.fetch_as(
            AuditLine,
            f"SELECT at, actor, action, subject, detail, id FROM audit WHERE id < :before{wanted}"
            " ORDER BY id DESC LIMIT :limit",
            {"before": _LAST if before is None else before, "company": company, "limit": limit},
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


def came_after(transaction: Transaction, action: str, earlier: str, subject: str) -> bool:
    """Whether a line of `action` came after the newest one of the action `earlier` about `subject`."""
    return bool(
        transaction.scalar(
            "SELECT EXISTS (SELECT 1 FROM audit WHERE action = ? AND id >"
            " (SELECT max(id) FROM audit WHERE action = ? AND subject = ?))",
            (action, earlier, subject),
        )
    )


def highest_subject(transaction: Transaction, actions: Collection[str]) -> int:
    """The highest number that a line of these actions is about, whose subjects are numbers; 0 where there is none."""
    rows = transaction.fetch_in(
        "SELECT coalesce(max(CAST(subject AS INTEGER)), 0) FROM audit WHERE action IN {}", actions
    )
    return max((int(number) for (number,) in rows), default=0)


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
