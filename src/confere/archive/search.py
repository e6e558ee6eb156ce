"""Full-text search: SQLite's FTS5, kept apart because it is the part that another database would do differently.

Contentless: the words live only in the index, whose rowid is the document's id. Documents are never deleted, so
nothing has to be taken out. Keys, numbers and tax ids are not here: they are looked up in B-trees.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from confere.archive.transaction import Transaction

CREATE = (
    "CREATE VIRTUAL TABLE search USING fts5(words, content='', columnsize=0, detail='none',"
    " tokenize=\"unicode61 remove_diacritics 2\", prefix='3')"
)
TABLES = "search"  # every table of the index begins with this; migrations leave them alone
_WORD = re.compile(r"\w+")


def add(transaction: Transaction, rows: Sequence[tuple[int, str]]) -> None:
    """Index `(document id, words)` pairs, in one batch."""
    transaction.execute_many("INSERT INTO search(rowid, words) VALUES (?, ?)", rows)


def expression(words: str) -> str | None:
    """The FTS query for what a person typed: every word must begin a word of the document."""
    found = _WORD.findall(words)
    return " ".join(f'"{word}"*' for word in found) if found else None
