"""Brands, categories and variations of an account's hub, as they were listed last."""

from __future__ import annotations

import json
from collections.abc import Sequence

from confere.archive.message_encoding import storable
from confere.archive.orders.order_rows import text_of
from confere.archive.schema.schema import catalog_name
from confere.archive.transaction import Transaction
from confere.sales.catalog_product import CatalogName, RegisteredName


def replace(transaction: Transaction, account_id: int, kind: CatalogName, listed: Sequence[RegisteredName]) -> None:
    """What is registered of this kind is now what was listed, whole."""
    transaction.execute("DELETE FROM catalog_name WHERE account_id = ? AND kind = ?", (account_id, kind.value))
    latest = {entry.hub_id: entry for entry in listed}
    transaction.insert(
        catalog_name,
        [
            (
                account_id,
                kind.value,
                storable(hub_id),
                storable(entry.name),
                text_of(entry.partner_id),
                text_of(entry.parent_id),
                json.dumps(entry.values),
            )
            for hub_id, entry in latest.items()
        ],
    )


def every(transaction: Transaction, account_id: int, kind: CatalogName) -> tuple[RegisteredName, ...]:
    """What is registered of this kind, by name."""
    rows = transaction.named(
        "SELECT hub_id, name, partner_id, parent_id, choices FROM catalog_name WHERE account_id = ? AND kind = ?"
        " ORDER BY name, hub_id",
        (account_id, kind.value),
    )
    return tuple(
        RegisteredName(kind, row.hub_id, row.name, row.partner_id, row.parent_id, tuple(json.loads(row.choices)))
        for row in rows
    )
