"""What both sides of a disagreement need of documents beside their rows: the parts of their totals, and where to."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from confere.archive.transaction import Transaction


@dataclass(frozen=True, slots=True)
class PaperParts:
    """Parts of a document's total, in centavos, and the recipient's state (UF)."""

    document_id: int
    products: int | None
    discount: int | None
    freight: int | None
    insurance: int | None
    other: int | None
    uf: str | None
    ipi: int | None = None
    icms_st: int | None = None

    @property
    def other_and_insurance(self) -> int | None:
        """vOutro and vSeg together; None where neither is told."""
        if self.other is None and self.insurance is None:
            return None
        return (self.other or 0) + (self.insurance or 0)


def parts_of(transaction: Transaction, document_ids: Collection[int]) -> dict[int, PaperParts]:
    """The parts of these documents, by their number."""
    rows = transaction.fetch_in_as(
        PaperParts,
        "SELECT d.id AS document_id, d.total_products AS products, d.total_discount AS discount,"
        " d.total_freight AS freight, d.total_insurance AS insurance, d.total_other AS other, t.uf,"
        " d.total_ipi AS ipi, d.total_icms_st AS icms_st"
        " FROM document d LEFT JOIN taxpayer t ON t.id = d.recipient_id WHERE d.id IN {}",
        document_ids,
    )
    return {parts.document_id: parts for parts in rows}


def current_of(transaction: Transaction, keys: Collection[str]) -> dict[str, int]:
    """The numbers of the current documents of these keys, by key."""
    rows = transaction.fetch_in(
        "SELECT access_key, id FROM document WHERE is_current = 1 AND access_key IN {}", set(keys)
    )
    return dict(rows)


def periods_of(transaction: Transaction, account_id: int) -> tuple[str, ...]:
    """The months in which the account has orders, or its establishments documents, newest first."""
    months = transaction.column(
        "SELECT DISTINCT substr(created_on, 1, 7) FROM sales_order WHERE account_id = ? AND created_on != ''"
        " UNION SELECT DISTINCT substr(b.issued_on, 1, 7) FROM belonging b"
        " JOIN establishment e ON e.tax_id = b.tax_id WHERE e.account_id = ? AND b.issued_on != '' ORDER BY 1 DESC",
        (account_id, account_id),
    )
    return tuple(months)


def names_of(transaction: Transaction, tax_ids: Collection[str]) -> dict[str, str]:
    """What the establishments with these tax ids are called, as an account or a paper of theirs says."""
    found: dict[str, str] = dict(
        transaction.fetch_in(
            "SELECT tax_id, max(name) FROM taxpayer WHERE name IS NOT NULL AND tax_id IN {} GROUP BY tax_id", tax_ids
        )
    )
    found |= dict(
        transaction.fetch_in(
            "SELECT tax_id, max(name) FROM establishment WHERE name IS NOT NULL AND tax_id IN {} GROUP BY tax_id",
            tax_ids,
        )
    )
    return found
