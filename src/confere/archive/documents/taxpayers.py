"""Taxpayers as written on papers: each spelling once, so that a million notes of one emitter name it once."""

from __future__ import annotations

from collections.abc import Collection

from confere.archive.named_rows import NamedRow
from confere.archive.schema.schema import taxpayer
from confere.archive.transaction import Transaction

_REMEMBERED = 50_000
_SPEAKERS = (
    # The newest alone: taxpayers and documents are numbered in the same order, and parties are many.
    ("(SELECT taxpayer_id FROM party WHERE document_id > (SELECT max(id) FROM document) - 5000)", "taxpayer_id"),
)


def numbers(transaction: Transaction, wanted: Collection[NamedRow]) -> dict[NamedRow, int]:
    """The row numbers of these taxpayers (`document_rows.taxpayer_row`), added where they are new."""
    memory = transaction.memory("taxpayers")
    if len(memory) > _REMEMBERED:
        memory.clear()
    unknown = {row for row in wanted if row not in memory}
    for row in transaction.named_in(
        "SELECT id, tax_id, name, state_registration, uf, city FROM taxpayer WHERE tax_id IN {}",
        {row.tax_id for row in unknown if row.tax_id},
    ):
        memory.setdefault(row._replace(id=None), row.id)
    new = [row for row in dict.fromkeys(wanted) if row not in memory]
    if new and not transaction.has_counted(taxpayer):  # papers may speak of one that was lost
        transaction.count_from(taxpayer, transaction.highest(_SPEAKERS))
    ids = transaction.new_ids(taxpayer, len(new))
    transaction.insert(taxpayer, [row._replace(id=number) for number, row in zip(ids, new, strict=True)])
    memory.update(zip(new, ids, strict=True))
    return {row: memory[row] for row in wanted}
