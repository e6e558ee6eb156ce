"""Full-text search: SQLite's FTS5, kept apart because it is the part that another database would do differently.

Contentless: the words live only in the index, whose rowid is the document's id. Documents are never deleted, so
nothing has to be taken out, and what is read again is only added to. Keys, numbers and tax ids are not here: they are
looked up in B-trees.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from confere.archive.transaction import Transaction

CREATE = (
    "CREATE VIRTUAL TABLE search USING fts5(words, content='', columnsize=0, detail='none',"
    " tokenize=\"unicode61 remove_diacritics 2\", prefix='3')"
)
TABLES = "search"  # every table of the index begins with this; migrations leave them alone
_FOLDED = 500  # pages of the index written in a step
_WORD = re.compile(r"[^\W_]+")


def add(transaction: Transaction, rows: Sequence[tuple[int, str]]) -> None:
    """Index `(document id, words)` pairs, in one batch."""
    transaction.execute_many(
        "INSERT INTO search(rowid, words) VALUES (?, ?)",
        [(number, unicodedata.normalize("NFC", words)) for number, words in rows],
    )


def make_anew(transaction: Transaction) -> None:
    """An empty index in the place of the one that is there, however damaged; every document has to be added again."""
    transaction.execute("DROP TABLE IF EXISTS search")
    transaction.execute(CREATE)


def merge(transaction: Transaction, *, begin: bool) -> bool:
    """A step of folding the index into one piece; False once there is nothing left to fold.

    Words of a document that was indexed again stand in the index twice until then, which finds nothing twice.
    """
    pages = _FOLDED if not begin else -_FOLDED
    before = transaction.scalar("SELECT total_changes()")
    transaction.execute("INSERT INTO search(search, rank) VALUES ('merge', ?)", (pages,))
    # The command itself counts as one; SQLite's own way to say that it did nothing.
    return int(transaction.scalar("SELECT total_changes()")) - int(before) >= 2


def expression(words: str, *, whole: bool = False) -> str | None:
    """The FTS query for what a person typed: every word must begin a word of the document, or be a `whole` one.

    Whole words are read as they stand in the index; what begins so is gathered from all its words first.
    """
    sign = "" if whole else "*"
    found = [_known(word) for word in _WORD.findall(unicodedata.normalize("NFC", words))]
    return " ".join(f'"{word}"{sign}' for word in found if word) or None


def _known(word: str) -> str:
    """The beginning of `word` that every SQLite takes for one word.

    Each SQLite knows the characters of some Unicode and splits at newer ones; two words in one pair of quotes would
    be a phrase, which this index cannot answer. What is cut short still finds, if anything, more.
    """
    for place, character in enumerate(word):
        if not _is_old(character):
            return word[:place]
    return word


def _is_old(character: str) -> bool:
    """Whether it was a letter or number in the oldest Unicode that Python carries already."""
    return unicodedata.ucd_3_2_0.category(character)[0] in "LN"
