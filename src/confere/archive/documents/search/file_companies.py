"""Companies that no account names: whose documents came from files alone.

Nobody says whose files they are, so they are told by what they have in common: the fewest emitters of whose documents
all of them are. A supplier, a carrier or a buyer of such a company is in its documents, and is none itself.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Final

from confere.archive.documents.search.party_conditions import OURS
from confere.archive.transaction import Transaction

MOST_EMITTERS: Final = 1000
"""Emitters that are looked at, those with most documents first."""
_LISTED: Final = (
    "SELECT 1 FROM hub_document h JOIN account a ON a.id = h.account_id WHERE h.access_key = d.access_key"
    " AND a.removed_at IS NULL AND EXISTS (SELECT 1 FROM establishment e WHERE e.account_id = a.id)"
)
_OF_NOBODY: Final = (
    f"d.is_current = 1 AND d.emitter_id NOT IN {OURS} AND coalesce(d.recipient_id, 0) NOT IN {OURS}"
    f" AND coalesce(d.taker_id, 0) NOT IN {OURS}"
    f" AND NOT EXISTS (SELECT 1 FROM party p WHERE p.document_id = d.id AND p.taxpayer_id IN {OURS})"
    f" AND NOT EXISTS ({_LISTED})"
)
_EMITTERS: Final = (
    "SELECT t.tax_id, (SELECT count(*) FROM belonging b WHERE b.tax_id = t.tax_id) AS documents FROM"
    f" (SELECT d.emitter_id AS id, count(*) AS emitted FROM document d WHERE {_OF_NOBODY} GROUP BY 1) f"
    " JOIN taxpayer t ON t.id = f.id WHERE t.tax_id IS NOT NULL GROUP BY 1 ORDER BY sum(f.emitted) DESC, 1 LIMIT ?"
)
_ANOTHER: Final = (
    "SELECT 1 FROM belonging b CROSS JOIN document d ON d.id = b.document_id WHERE b.tax_id = :tax_id"
    f" AND {_OF_NOBODY} AND NOT EXISTS (SELECT 1 FROM party p WHERE p.document_id = d.id"
    " AND p.taxpayer_id IN (SELECT value FROM json_each(:known))) LIMIT 1"
)


def file_companies(transaction: Transaction, most: int) -> tuple[str, ...]:
    """Their tax ids, the one with most documents first, at most `most`.

    Each has a document that is of no establishment of an account in use, and of none before it.
    """
    rows = transaction.named(_EMITTERS, (MOST_EMITTERS,))
    if not rows:
        return ()
    chosen: list[str] = []
    known: set[int] = set()
    for row in sorted(rows, key=lambda row: (-row.documents, row.tax_id)):
        if len(chosen) == most:
            break
        if not known or _has_another(transaction, row.tax_id, known):
            chosen.append(row.tax_id)
            known.update(transaction.column("SELECT id FROM taxpayer WHERE tax_id = ?", (row.tax_id,)))
    return tuple(chosen)


def _has_another(transaction: Transaction, tax_id: str, known: Collection[int]) -> bool:
    """Whether a document of this taxpayer is of none of the `known`."""
    return transaction.first(_ANOTHER, {"tax_id": tax_id, "known": json.dumps(sorted(known))}) is not None
