"""How far the reconciliation of an account reaches: its newest run, and whether anything came in since."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from confere.archive.message_encoding import storable
from confere.archive.transaction import Transaction

# Of each kind of run the figures that say it brought something which a reconciliation looks at (`a.b` is within `a`).
_BRINGING: Final[Mapping[str, tuple[str, ...]]] = {
    "sync": ("new", "updated", "downloaded"),
    "notification": ("new", "updated", "downloaded"),
    "import": ("documents", "events"),
    "orders": ("new", "changed", "returns"),
    "orders import": ("new", "changed"),
    "write_back": ("written",),
    "order_moves": ("written",),
    "catalog": ("new", "changed", "gone"),
    "feeds": ("feeds.products.changed",),  # the other feeds bring nothing that is compared
}
_SAME_COMPANY: Final = (
    "SELECT other.account_id FROM establishment mine JOIN establishment other ON other.tax_id = mine.tax_id"
    " WHERE mine.account_id = ?"
)
_PERIOD: Final = "json_extract(parameters, '$.period')"


@dataclass(frozen=True, slots=True)
class Reach:
    """A run that came to its end: when it began (UTC text), and its month (`YYYY-MM`), None for all of them."""

    run: int
    at: str
    period: str | None


def newest(transaction: Transaction, account_id: int) -> Reach | None:
    """The newest run of the account, of whatever month."""
    return _newest(transaction, account_id, "", ())


def covering(transaction: Transaction, account_id: int, period: str | None) -> Reach | None:
    """The newest run of the account that looked at all of `period`; None asks for one of every month."""
    if period is None:
        return _newest(transaction, account_id, f" AND {_PERIOD} IS NULL", ())
    return _newest(transaction, account_id, f" AND ({_PERIOD} IS NULL OR {_PERIOD} = ?)", (storable(period),))


def periods_covered(transaction: Transaction, account_id: int) -> frozenset[str] | None:
    """The months that any run of the account came to its end of; None: all of them."""
    rows = transaction.column(
        f"SELECT DISTINCT {_PERIOD} FROM run WHERE kind = 'reconcile' AND account_id = ? AND outcome = 'done'",
        (account_id,),
    )
    months = frozenset(rows)
    return None if None in months else months


def came_after(transaction: Transaction, account_id: int, run: int) -> bool:
    """Whether documents, orders or products of the account came or changed after this run.

    Files may be anybody's, and another account's hub may have documents of the same company. What was cut off, or
    goes on just now, may have brought some.
    """
    rows = transaction.fetch(
        f"SELECT kind, finished_at, counts FROM run WHERE id > ? AND kind IN ({','.join('?' * len(_BRINGING))})"
        " AND (account_id = ? OR account_id IS NULL"
        f" OR kind IN ('sync', 'notification') AND account_id IN ({_SAME_COMPANY}))",
        (run, *_BRINGING, account_id, account_id),
    )
    return any(finished_at is None or _brought(json.loads(counts), kind) for kind, finished_at, counts in rows)


def _brought(counts: Mapping[str, Any], kind: str) -> bool:
    return any(_figure(counts, name) for name in _BRINGING[kind])


def _figure(counts: Mapping[str, Any], path: str) -> Any:
    value: Any = counts
    for name in path.split("."):
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _newest(transaction: Transaction, account_id: int, narrowed: str, values: tuple[str, ...]) -> Reach | None:
    return transaction.first_as(
        Reach,
        f"SELECT id AS run, started_at AS at, {_PERIOD} AS period FROM run"
        " WHERE kind = 'reconcile' AND account_id = ? AND outcome = 'done'"
        f"{narrowed} ORDER BY id DESC LIMIT 1",
        (account_id, *values),
    )
