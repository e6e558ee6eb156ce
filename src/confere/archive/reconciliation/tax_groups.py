"""Taxes by document, CFOP and CST, read for the pivot of an account."""

from __future__ import annotations

from typing import Final

from confere.archive.accounts.accounts import Account
from confere.archive.reconciliation.input_documents import in_ledger
from confere.archive.transaction import Transaction
from confere.sales.tax_groups import TaxGroup

_AMOUNTS: Final = (
    "g.products, g.discount, g.freight, g.other, g.icms_base, g.icms, g.icms_st_base, g.icms_st, g.fcp, g.ipi, g.pis,"
    " g.cofins, g.ibs, g.cbs"
)


def of_account(transaction: Transaction, account: Account, period: str | None = None) -> tuple[TaxGroup, ...]:
    """The groups of the documents in the account's ledger, of one month (`YYYY-MM`) or of all.

    What one of its establishments emitted follows `tpNF`, as `fiscal.direction` has it; everything else came in.
    """
    own = tuple(entry.tax_id for entry in account.establishments)
    marks = ",".join("?" * len(own))
    condition, parameters = in_ledger(account.id, own)
    days = "" if period is None else " AND d.issued_on BETWEEN ? AND ?"
    return tuple(
        transaction.fetch_as(
            TaxGroup,
            "SELECT d.access_key AS key, substr(coalesce(d.issued_on, ''), 1, 7) AS period, d.state,"
            f" CASE WHEN e.tax_id IN ({marks}) AND d.direction IS NOT '0' THEN 'out' ELSE 'in' END AS direction,"
            f" g.cfop, g.cst, r.uf, {_AMOUNTS} FROM tax_group g JOIN document d ON d.id = g.document_id"
            " LEFT JOIN taxpayer e ON e.id = d.emitter_id LEFT JOIN taxpayer r ON r.id = d.recipient_id"
            f" WHERE {condition}{days} ORDER BY g.document_id, g.position",
            (*own, *parameters, *(() if period is None else (f"{period}-01", f"{period}-31"))),
        )
    )
