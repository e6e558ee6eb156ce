"""Whether anything that a reconciliation reads came or changed since a run: if not, running again gives the same."""

from __future__ import annotations

from typing import Final

from confere.archive.accounts.runs import Run
from confere.archive.documents.recompute import CURRENT_CHANGED
from confere.archive.orders import outdated_orders
from confere.archive.orders.persons import ERASED
from confere.archive.reconciliation import last_run
from confere.archive.transaction import Transaction

_RUN: Final = "reconcile"
_CHANGING: Final = (
    *("account add", "account change", "account preferences", "account remove", "account trust", "account distrust"),
    *("declaration", "declaration revoked", CURRENT_CHANGED, ERASED),
)
"""Lines of the audit trail that tell of another input, whatever they are about."""
_ORDERS: Final = ("orders", "orders import", "write_back", "order_moves")
_MAY_SHARE: Final = (
    "SELECT a.id FROM account a WHERE a.id != :account AND (a.id IN (SELECT o.account_id FROM establishment o"
    " JOIN establishment m ON m.tax_id = o.tax_id WHERE m.account_id = :account)"
    " OR a.id NOT IN (SELECT account_id FROM establishment)"
    " OR :account NOT IN (SELECT account_id FROM establishment))"
)
"""Other accounts whose documents may be this account's too."""


def came_since(transaction: Transaction, account_id: int, name: str, run: Run) -> bool:
    """Whether the account called `name` has other inputs than its newest finished run had, or may have.

    Decisions on links, and closings, are judged when they are made, and are no such inputs.
    """
    if _was_tried_again(transaction, account_id, run) or last_run.came_after(transaction, account_id, run.id):
        return True
    line = transaction.scalar("SELECT max(id) FROM audit WHERE action = ? AND subject = ?", (_RUN, name))
    if line is None:
        return True
    return (
        _has_changing_line(transaction, int(line))
        or _was_listed_or_read(transaction, account_id, run)
        or _is_waiting(transaction, account_id)
        or _moved_elsewhere(transaction, account_id, run, int(line))
    )


def _was_tried_again(transaction: Transaction, account_id: int, run: Run) -> bool:
    """A run that was stopped, or goes on, may have read orders again."""
    return bool(
        transaction.scalar(
            "SELECT 1 FROM run WHERE kind = ? AND account_id = ? AND id > ? LIMIT 1", (_RUN, account_id, run.id)
        )
    )


def _has_changing_line(transaction: Transaction, line: int) -> bool:
    marks = ",".join("?" * len(_CHANGING))
    return bool(
        transaction.scalar(f"SELECT 1 FROM audit WHERE id > ? AND action IN ({marks}) LIMIT 1", (line, *_CHANGING))
    )


def _was_listed_or_read(transaction: Transaction, account_id: int, run: Run) -> bool:
    """Whether more time of the hub was listed, or documents were judged or read by another reader."""
    return bool(
        transaction.scalar("SELECT 1 FROM coverage WHERE account_id = ? AND run_id > ? LIMIT 1", (account_id, run.id))
        or transaction.scalar(
            "SELECT 1 FROM order_asked WHERE account_id = ? AND asked_at > ? LIMIT 1", (account_id, run.started_at)
        )
        or transaction.scalar(
            "SELECT 1 FROM run WHERE id > ? AND (kind = 'reindex' OR kind = 'verify' AND"
            " (finished_at IS NULL OR coalesce(json_extract(counts, '$.judged'), 1) != 0"
            " OR coalesce(json_extract(counts, '$.events_judged'), 1) != 0)) LIMIT 1",
            (run.id,),
        )
    )


def _is_waiting(transaction: Transaction, account_id: int) -> bool:
    """Whether findings wait for the next run, or orders to be read again by it."""
    return bool(
        outdated_orders.waiting(transaction, account_id, 0, 1)
        or transaction.scalar(
            "SELECT 1 FROM finding WHERE account_id = ? AND is_stale = 1 AND state != 'resolved' LIMIT 1", (account_id,)
        )
    )


def _moved_elsewhere(transaction: Transaction, account_id: int, run: Run, line: int) -> bool:
    """Whether links or orders of accounts that may share documents moved: what has its order there is not missed."""
    others = transaction.named(f"SELECT id, name FROM account WHERE id IN ({_MAY_SHARE})", {"account": account_id})
    names = {row.name for row in others}
    numbers = ",".join(str(int(row.id)) for row in others)
    if not names:
        return False
    marks = ",".join("?" * (len(_ORDERS)))
    brought = transaction.scalar(
        f"SELECT 1 FROM run WHERE id > ? AND account_id IN ({numbers}) AND (kind IN ({marks}) OR kind = ?"
        " AND (outcome IS NOT 'done' OR json_extract(counts, '$.links.added') != 0"
        " OR json_extract(counts, '$.links.removed') != 0 OR json_extract(counts, '$.links.rewritten') != 0)) LIMIT 1",
        (run.id, *_ORDERS, _RUN),
    )
    decided = transaction.column(
        "SELECT DISTINCT subject FROM audit WHERE id > ? AND (action GLOB 'link *' OR action IN ('undo', 'redo'))",
        (line,),
    )
    return bool(brought) or not names.isdisjoint(decided)
