"""Which orders are asked for one by one: those that documents name and the archive lacks, and unfinished ones."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from confere.archive import message_encoding
from confere.archive.clock import utc_now
from confere.archive.hub.coverage import ORDERS, SCAN
from confere.archive.message_encoding import storable
from confere.archive.schema.schema import order_asked
from confere.archive.transaction import Transaction
from confere.errors import Message
from confere.sales.order import OrderStatus

FOUND = "found"
ABSENT = "absent"
FAILED = "failed"
_FINAL = (OrderStatus.CONCLUDED.value, OrderStatus.CANCELED.value)
# `SALE-sale-<order>-1`, `SALE_RETURN-symbolic_inbound_return-<order>-1`, or the bare number.
_NAMED = re.compile(r"(?:SALE(?:_RETURN)?-[a-z_]+-)?([0-9]{4,20})(?:-[0-9]+)?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Asked:
    """The answer to a question for one order; `reason` where it failed."""

    hub_id: str
    outcome: str  # FOUND, ABSENT, FAILED
    reason: Message | None = None


def order_named(external_id: str | None) -> str | None:
    """The hub's id of the order in a document's `external_id`, where it names one."""
    found = _NAMED.fullmatch((external_id or "").strip())
    return found[1] if found else None


def quoted_unknown(
    transaction: Transaction, account_id: int, *, absent_before: str = "", failed: bool = False
) -> tuple[str, ...]:
    """Order ids that the account's documents name, of which the archive has no order: those not asked for yet.

    Beside them those found absent before the moment `absent_before` (UTC text) and, where `failed`, those whose
    question failed.
    """
    named = {
        value: None
        for value in transaction.column(
            "SELECT DISTINCT order_id FROM hub_document WHERE account_id = ? AND order_id IS NOT NULL"
            " ORDER BY order_id",
            (account_id,),
        )
        if value.strip()
    }
    for (external_id,) in transaction.fetch(
        "SELECT external_id FROM document WHERE hub_account_id = ? AND is_current = 1 AND external_id IS NOT NULL",
        (account_id,),
    ):
        name = order_named(external_id)
        if name is not None:
            named[name] = None
    known = set(transaction.column("SELECT hub_id FROM sales_order WHERE account_id = ?", (account_id,))) | set(
        transaction.column(
            "SELECT hub_id FROM order_asked WHERE account_id = ?"
            " AND NOT (outcome = ? AND asked_at < ? OR outcome = ? AND ?)",
            (account_id, ABSENT, absent_before, FAILED, int(failed)),
        )
    )
    return tuple(name for name in named if name not in known)


def unfinished(
    transaction: Transaction,
    account_id: int,
    *,
    created_before: str,
    limit: int,
    asked_before: str = "",
    absent_before: str = "",
) -> tuple[str, ...]:
    """Orders of the hub created before a moment (UTC text) that may still move, those not seen longest first.

    Those that were asked for at `asked_before` or later are left out where that is given, and those which the hub
    did not have then at `absent_before` or later.
    """
    rows = transaction.column(
        "SELECT hub_id FROM sales_order o WHERE account_id = ? AND source = 'hub' AND created_at < ?"
        " AND (status IS NULL OR status NOT IN (?, ?)) AND (? = '' OR seen_at < ?)"
        " AND NOT EXISTS (SELECT 1 FROM order_asked q WHERE q.account_id = o.account_id AND q.hub_id = o.hub_id"
        " AND ? != '' AND q.asked_at >= CASE q.outcome WHEN ? THEN ? ELSE ? END) ORDER BY seen_at, id LIMIT ?",
        (
            account_id, created_before, *_FINAL, asked_before, asked_before,
            asked_before, ABSENT, absent_before, asked_before, limit,
        ),
    )  # fmt: skip
    return tuple(rows)


def newest_creation(transaction: Transaction, account_id: int) -> str | None:
    """When the newest order that the hub gave was created, UTC text.

    Orders that the last listing of everything did not show are left out: the hub has forgotten them.
    """
    found = transaction.scalar(
        "SELECT max(created_at) FROM sales_order WHERE account_id = ? AND source = 'hub' AND last_run_id >="
        " (SELECT coalesce(max(run_id), 0) FROM coverage WHERE account_id = ? AND axis = ? AND method = ?"
        " AND narrowed = '' AND finished_at IS NOT NULL)",
        (account_id, account_id, ORDERS, SCAN),
    )
    return None if found is None else str(found)


def seen(transaction: Transaction, run_id: int, numbers: Sequence[int]) -> None:
    """The hub's list has shown these orders (the archive's numbers) again, and nothing new of them."""
    transaction.execute_many("UPDATE sales_order SET last_run_id = ? WHERE id = ?", [(run_id, it) for it in numbers])


def mark_asked(transaction: Transaction, account_id: int, answers: Sequence[Asked]) -> None:
    """Write down the answers; the newest one of an id counts."""
    now = utc_now()
    rows = [
        (account_id, storable(entry.hub_id), now, entry.outcome, entry.reason and message_encoding.kept(entry.reason))
        for entry in answers
    ]
    names = ", ".join(column.name for column in order_asked.columns)
    transaction.execute_many(f"INSERT OR REPLACE INTO order_asked ({names}) VALUES (?, ?, ?, ?, ?)", rows)


def absent(transaction: Transaction, account_id: int) -> frozenset[str]:
    """Ids that were asked for and that the hub does not have."""
    rows = transaction.column(
        "SELECT hub_id FROM order_asked WHERE account_id = ? AND outcome = ?", (account_id, ABSENT)
    )
    return frozenset(rows)


def failures(transaction: Transaction, account_id: int) -> tuple[tuple[str, Message], ...]:
    """Ids whose question failed last time, each with why."""
    rows = transaction.fetch(
        "SELECT hub_id, reason FROM order_asked WHERE account_id = ? AND outcome = ? ORDER BY asked_at, hub_id",
        (account_id, FAILED),
    )
    return tuple((name, message_encoding.read(reason or "")) for name, reason in rows)
