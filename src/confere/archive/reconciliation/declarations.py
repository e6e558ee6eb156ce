"""Declarations of completeness: written with their proof, revoked and never deleted."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Final

from confere.archive.accounts import audit
from confere.archive.clock import utc_now
from confere.archive.message_encoding import storable
from confere.archive.schema.schema import declaration
from confere.archive.transaction import Row, Transaction
from confere.errors import NotInArchive, UsageFault, message
from confere.sales.declarations import Declaration, Declared

_COLUMNS: Final = (
    "d.id, a.name AS account, d.what, d.month, d.marketplaces, d.file, d.sha256, d.at, d.actor, d.revoked_at,"
    " d.revoked_by"
)
_SOURCE: Final = "declaration d JOIN account a ON a.id = d.account_id"


def declare(
    transaction: Transaction,
    account_id: int,
    run_id: int,
    what: Declared,
    months: Iterable[str],
    *,
    marketplaces: Sequence[str] = (),
    file: str,
    sha256: str,
) -> tuple[Declaration, ...]:
    """Write one down for each month, in the name of the system's user; what stands already with this proof is kept."""
    names = json.dumps(sorted({storable(name) for name in marketplaces}), ensure_ascii=False)
    numbers: list[int] = []
    for month in sorted(set(months)):
        known = transaction.scalar(
            "SELECT id FROM declaration WHERE account_id = ? AND what = ? AND month = ? AND marketplaces = ?"
            " AND sha256 = ? AND revoked_at IS NULL",
            (account_id, what.value, month, names, sha256),
        )
        if known is not None:
            numbers.append(int(known))
            continue
        number = transaction.new_ids(declaration, 1)[0]
        transaction.insert(
            declaration,
            [
                (
                    *(number, account_id, what.value, month, names, storable(file), sha256, utc_now(), audit.actor()),
                    *(run_id, None, None),
                )
            ],
        )
        audit.write(transaction, "declaration", f"{what.value} {month}", f"{file} {sha256}")
        numbers.append(number)
    found = {entry.id: entry for entry in _read(transaction, "d.account_id = ?", (account_id,))}
    return tuple(found[number] for number in numbers)


def standing(transaction: Transaction, account_id: int) -> tuple[Declaration, ...]:
    """Those of an account that nobody revoked, by month."""
    return _read(transaction, "d.account_id = ? AND d.revoked_at IS NULL", (account_id,))


def every(transaction: Transaction, account_id: int | None = None) -> tuple[Declaration, ...]:
    """All of an account, or of every account in use; those that were revoked too."""
    if account_id is None:
        return _read(transaction, "a.removed_at IS NULL", ())
    return _read(transaction, "d.account_id = ?", (account_id,))


def revoke(transaction: Transaction, number: int) -> Declaration:
    """Let it stand no longer. `NotInArchive` where there is none; `UsageFault` where it was revoked before."""
    found = _read(transaction, "d.id = ?", (number,))
    if not found:
        raise NotInArchive(
            message("There is no declaration {number}.", number=number),
            message("`confere declarations list` shows which there are."),
        )
    if found[0].revoked_at is not None:
        raise UsageFault(message("The declaration {number} was revoked before.", number=number))
    transaction.execute(
        "UPDATE declaration SET revoked_at = ?, revoked_by = ? WHERE id = ?", (utc_now(), audit.actor(), number)
    )
    audit.write(transaction, "declaration revoked", f"{found[0].what.value} {found[0].month}", found[0].file)
    return _read(transaction, "d.id = ?", (number,))[0]


def _read(transaction: Transaction, condition: str, values: Row) -> tuple[Declaration, ...]:
    rows = transaction.named(
        f"SELECT {_COLUMNS} FROM {_SOURCE} WHERE {condition} ORDER BY d.month, d.what, d.id", values
    )
    return tuple(
        Declaration(
            row.id,
            row.account,
            Declared(row.what),
            row.month,
            tuple(json.loads(row.marketplaces)),
            row.file,
            row.sha256,
            row.at,
            row.actor,
            row.revoked_at,
            row.revoked_by,
        )
        for row in rows
    )
