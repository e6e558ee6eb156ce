"""How invoices describe a product: the distinct items of documents that have one of its codes or EANs."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import ColumnElement, func, or_, select

from confere.archive.list_selection import among
from confere.archive.schema.schema import item
from confere.archive.transaction import Transaction
from confere.sales.reconciliation_input import FiscalDescription, ItemQuantity


def noted(transaction: Transaction, codes: Collection[str], eans: Collection[str]) -> tuple[ItemQuantity, ...]:
    """Each way in which the archive's documents describe it, without quantities. Every item is looked at: no index
    has codes.
    """
    conditions: list[ColumnElement[bool]] = []
    if codes:
        folded = sorted({code.strip().lower() for code in codes})
        conditions.append(among(func.lower(func.trim(item.c.code)), folded))
    if eans:
        conditions.append(among(item.c.ean, sorted(eans)))
    if not conditions:
        return ()
    rows = transaction.named(
        select(item.c.code, item.c.ean, item.c.ncm, item.c.unit, item.c.origin).where(or_(*conditions)).distinct()
    )
    return tuple(
        ItemQuantity(row.code, row.ean, None, None, None, FiscalDescription(row.ncm, row.unit, row.origin))
        for row in rows
    )
