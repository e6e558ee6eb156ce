"""Companies that no account names: whose documents came from files alone.

Nobody says whose files they are, so they are told by what they have in common: few emitters that are a party to all of
them. A supplier, a carrier or a buyer of such a company is in its documents, and is none itself.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Final

from confere.archive.documents.search.sort_orders import OURS
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
# A carrier emits one paper for every note of a company that it carries for.
_EMITTERS: Final = (
    "SELECT t.tax_id FROM (SELECT d.emitter_id AS id, count(*) AS emitted, sum(d.type NOT IN ('cte', 'cteos', 'mdfe'))"
    f" AS sold FROM document d WHERE {_OF_NOBODY} GROUP BY 1) f JOIN taxpayer t ON t.id = f.id"
    " WHERE t.tax_id IS NOT NULL GROUP BY 1 ORDER BY sum(f.sold) DESC, sum(f.emitted) DESC, 1 LIMIT ?"
)
_ANOTHER: Final = (
    "SELECT 1 FROM belonging b CROSS JOIN document d ON d.id = b.document_id WHERE b.tax_id = :tax_id"
    f" AND {_OF_NOBODY} AND NOT EXISTS (SELECT 1 FROM party p WHERE p.document_id = d.id"
    " AND p.taxpayer_id IN (SELECT value FROM json_each(:known))) LIMIT 1"
)


def file_companies(transaction: Transaction, most: int) -> tuple[str, ...]:
    """Their tax ids, who emitted most first, at most `most`.

    Each has a document that is of no establishment of an account in use, and of none before it.
    """
    chosen: list[str] = []
    known: set[int] = set()
    for tax_id in transaction.column(_EMITTERS, (MOST_EMITTERS,)):
        if len(chosen) == most:
            break
        if not known or _has_another(transaction, tax_id, known):
            chosen.append(tax_id)
            known.update(transaction.column("SELECT id FROM taxpayer WHERE tax_id = ?", (tax_id,)))
    return tuple(chosen)


def _has_another(transaction: Transaction, tax_id: str, known: Collection[int]) -> bool:
    """Whether a document of this taxpayer is of none of the `known`."""
    return bool(transaction.column(_ANOTHER, {"tax_id": tax_id, "known": json.dumps(sorted(known))}))
