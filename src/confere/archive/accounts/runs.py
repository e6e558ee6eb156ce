"""Runs: each sync, import and export with its parameters, counts and how it ended."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from confere.archive.accounts.owning_company import MAY_HOLD
from confere.archive.clock import utc_now
from confere.archive.named_rows import NamedRow
from confere.archive.transaction import Transaction

_COLUMNS = "id, kind, account_id, started_at, finished_at, outcome, parameters, counts, problem"
_OF_COMPANY = (
    f"(account_id IS NULL OR account_id IN {MAY_HOLD})"
    " AND coalesce(json_extract(parameters, '$.company'), :company) = :company"
)
_LAST = 2**63 - 1


@dataclass(frozen=True, slots=True)
class Run:
    """`outcome`: done, partial (some failed), failed, stopped; None while it runs, or after a kill."""

    id: int
    kind: str
    account_id: int | None
    started_at: str
    finished_at: str | None
    outcome: str | None
    parameters: Mapping[str, Any]
    counts: Mapping[str, Any]
    problem: str | None


def start(
    transaction: Transaction,
    kind: str,
    account_id: int | None,
    parameters: Mapping[str, Any],
    *,
    started_at: str | None = None,
) -> int:
    """Write down that a run began, now unless it says when; its number."""
    from confere.archive.schema.schema import run

    number = transaction.new_ids(run, 1)[0]
    transaction.insert(
        run, [(number, kind, account_id, started_at or utc_now(), None, None, json.dumps(dict(parameters)), "{}", None)]
    )
    return number


def finish(
    transaction: Transaction, number: int, outcome: str, counts: Mapping[str, Any], problem: str | None = None
) -> None:
    """Write down how it ended."""
    transaction.execute(
        "UPDATE run SET finished_at = ?, outcome = ?, counts = ?, problem = ? WHERE id = ?",
        (utc_now(), outcome, json.dumps(dict(counts)), problem, number),
    )


def newest(transaction: Transaction, limit: int = 20) -> tuple[Run, ...]:
    """The newest runs first."""
    return page(transaction, limit)


def page(
    transaction: Transaction, limit: int, before: int | None = None, company: str | None = None
) -> tuple[Run, ...]:
    """The newest runs first; those older than run `before` where it is given.

    Of a `company` (CNPJ) its own, and those of an account that may hold it or of the whole archive.
    """
    wanted = "" if company is None else f" AND {_OF_COMPANY}"
    rows = transaction.named(
        f"SELECT {_COLUMNS} FROM run WHERE id < :before{wanted} ORDER BY id DESC LIMIT :limit",
        {"before": _LAST if before is None else before, "company": company, "limit": limit},
    )
    return tuple(map(_run, rows))


def numbered(transaction: Transaction, number: int) -> Run | None:
    """The run of that number, if there is one."""
    rows = transaction.named(f"SELECT {_COLUMNS} FROM run WHERE id = ?", (number,))
    return _run(rows[0]) if rows else None


def of_kind(transaction: Transaction, kind: str, account_id: int | None = None, limit: int = -1) -> tuple[Run, ...]:
    """The newest runs of a kind first, of one account or of all; `limit` -1 for all."""
    mine = "" if account_id is None else " AND account_id = ?"
    rows = transaction.named(
        f"SELECT {_COLUMNS} FROM run WHERE kind = ?{mine} ORDER BY id DESC LIMIT ?",
        (kind, limit) if account_id is None else (kind, account_id, limit),
    )
    return tuple(map(_run, rows))


def begun_since(transaction: Transaction, account_id: int, since: str) -> bool:
    """Whether a run of this account began at `since` (UTC text) or later and has not ended."""
    return (
        transaction.first(
            "SELECT 1 FROM run WHERE account_id = ? AND finished_at IS NULL AND started_at >= ?", (account_id, since)
        )
        is not None
    )


def _run(row: NamedRow) -> Run:
    return Run(
        row.id,
        row.kind,
        row.account_id,
        row.started_at,
        row.finished_at,
        row.outcome,
        json.loads(row.parameters),
        json.loads(row.counts),
        row.problem,
    )
