"""Taxpayers as written on papers: each spelling once, so that a million notes of one emitter name it once."""

from __future__ import annotations

from collections.abc import Collection

from confere.archive.schema.schema import taxpayer
from confere.archive.transaction import Row, Transaction

_REMEMBERED = 50_000
_SPEAKERS = (
    # The newest alone: taxpayers and documents are numbered in the same order, and parties are many.
    ("(SELECT taxpayer_id FROM party WHERE document_id > (SELECT max(id) FROM document) - 5000)", "taxpayer_id"),
)


def numbers(transaction: Transaction, wanted: Collection[Row]) -> dict[Row, int]:
    """The row numbers of these taxpayers (`rows.taxpayer_row`), added where they are new."""
    memory = transaction.memory("taxpayers")
    if len(memory) > _REMEMBERED:
        memory.clear()
    unknown = {entry for entry in wanted if entry not in memory}
    for number, *fields in transaction.fetch_in(
        "SELECT id, tax_id, name, state_registration, uf, city FROM taxpayer WHERE tax_id IN {}",
        {entry[0] for entry in unknown if entry[0]},
    ):
        memory.setdefault(tuple(fields), number)
    new = [entry for entry in dict.fromkeys(wanted) if entry not in memory]
    if new and not transaction.has_counted(taxpayer):  # papers may speak of one that was lost
        transaction.count_from(taxpayer, transaction.highest(_SPEAKERS))
    ids = transaction.new_ids(taxpayer, len(new))
    transaction.insert(taxpayer, [(number, *entry) for number, entry in zip(ids, new, strict=True)])
    memory.update(zip(new, ids, strict=True))
    return {entry: memory[entry] for entry in wanted}
