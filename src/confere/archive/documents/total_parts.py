"""What both sides of a disagreement need of documents beside their rows: the parts of their totals, and where to."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, fields
from typing import Final

from confere.archive.transaction import Transaction
from confere.fiscal.document_parts import Totals

_TOTALS: Final = ", ".join(
    f"d.{'total' if field.name == 'document' else f'total_{field.name}'} AS {field.name}" for field in fields(Totals)
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperParts(Totals):
    """The totals of a document of the archive, and the recipient's state (UF)."""

    document_id: int
    uf: str | None

    @property
    def other_and_insurance(self) -> int | None:
        """vOutro and vSeg together; None where neither is told."""
        if self.other is None and self.insurance is None:
            return None
        return (self.other or 0) + (self.insurance or 0)


def takers_of(transaction: Transaction, keys: Collection[str]) -> dict[str, str]:
    """Who pays the CT-e of these keys, by key; one that names no taker is left out."""
    rows = transaction.fetch_in(
        "SELECT d.access_key, t.tax_id FROM document d JOIN taxpayer t ON t.id = d.taker_id"
        " WHERE d.is_current = 1 AND d.access_key IN {}",
        set(keys),
    )
    return dict(rows)


def freight_modes_of(transaction: Transaction, keys: Collection[str]) -> dict[str, str]:
    """Who contracts the freight of the notes of these keys (modFrete), by key; one that does not tell is left out."""
    rows = transaction.fetch_in(
        "SELECT access_key, freight_mode FROM document"
        " WHERE is_current = 1 AND freight_mode IS NOT NULL AND access_key IN {}",
        set(keys),
    )
    return dict(rows)


def parts_of(transaction: Transaction, document_ids: Collection[int]) -> dict[int, PaperParts]:
    """The parts of these documents, by their number."""
    rows = transaction.named_in(
        f"SELECT d.id AS document_id, t.uf, {_TOTALS}"
        " FROM document d LEFT JOIN taxpayer t ON t.id = d.recipient_id WHERE d.id IN {}",
        document_ids,
    )
    return {row.document_id: PaperParts(**row._asdict()) for row in rows}


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
