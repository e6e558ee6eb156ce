"""Taxes by document, CFOP and CST, read for the pivot of an account."""

from __future__ import annotations

from operator import attrgetter
from typing import Final

from confere.archive.accounts.accounts import Account
from confere.archive.reconciliation.input_documents import in_ledger
from confere.archive.transaction import Transaction
from confere.fiscal.document_parts import TaxSums
from confere.fiscal.tax_groups import TaxGroup

_SUMS: Final = ", ".join(f"g.{name}" for name in TaxSums._fields)
_sums_of: Final = attrgetter(*TaxSums._fields)


def of_account(transaction: Transaction, account: Account, period: str | None = None) -> tuple[TaxGroup, ...]:
    """The groups of the documents in the account's ledger, of one month (`YYYY-MM`) or of all.

    What one of its establishments emitted follows `tpNF`, as `fiscal.direction` has it; everything else came in.
    """
    own = tuple(entry.tax_id for entry in account.establishments)
    condition, parameters = in_ledger(account.id, own)
    return _read(transaction, own, period, condition, parameters)


def of_company(
    transaction: Transaction, company: str, account: Account | None = None, period: str | None = None
) -> tuple[TaxGroup, ...]:
    """As `of_account`, of the documents of one company (its tax id), and as it sees them: what another one of the
    account emitted came in. Without an `account` of those of every account and of files."""
    condition = "d.is_current = 1"
    parameters: tuple[int | str, ...] = ()
    if account is not None:
        condition, parameters = in_ledger(account.id, tuple(entry.tax_id for entry in account.establishments))
    # The company's few documents are looked up, whatever the account holds beside them.
    of_it = "d.id IN (SELECT document_id FROM belonging WHERE tax_id = ?)"
    return _read(transaction, (company,), period, f"{of_it} AND ({condition})", (company, *parameters))


def _read(
    transaction: Transaction,
    own: tuple[str, ...],
    period: str | None,
    condition: str,
    parameters: tuple[int | str, ...],
) -> tuple[TaxGroup, ...]:
    """Of the documents of a condition; `own` are those whose sales go out."""
    marks = ",".join("?" * len(own))
    days = "" if period is None else " AND d.issued_on BETWEEN ? AND ?"
    return tuple(
        TaxGroup(row.key, row.period, row.state, row.direction, row.uf, TaxSums._make(_sums_of(row)))
        for row in transaction.named(
            "SELECT d.access_key AS key, substr(coalesce(d.issued_on, ''), 1, 7) AS period, d.state,"
            f" CASE WHEN e.tax_id IN ({marks}) AND d.direction IS NOT '0' THEN 'out' ELSE 'in' END AS direction,"
            f" r.uf, {_SUMS} FROM tax_group g JOIN document d ON d.id = g.document_id"
            " LEFT JOIN taxpayer e ON e.id = d.emitter_id LEFT JOIN taxpayer r ON r.id = d.recipient_id"
            f" WHERE {condition}{days} ORDER BY g.document_id, g.position",
            (*own, *parameters, *(() if period is None else (f"{period}-01", f"{period}-31"))),
        )
    )
