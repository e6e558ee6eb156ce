"""Full-text search: SQLite's FTS5, kept apart because it is the part that another database would do differently.

Contentless: the words live only in the index, whose rowid is the document's id. Documents are never deleted, so
nothing has to be taken out, and what is read again is only added to. Keys, numbers and tax ids are not here: they are
looked up in B-trees.

Beside its own words each document has one for each taxpayer whose it is, so that the index itself tells how many of a
company's documents have the words that were typed. Some taxpayers share such a word: whose a document is has to be
asked all the same.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Final, Protocol

from confere.archive.transaction import Transaction

CREATE = (
    "CREATE VIRTUAL TABLE search USING fts5(words, content='', columnsize=0, detail='none',"
    " tokenize=\"unicode61 remove_diacritics 2\", prefix='3')"
)
TABLES = "search"  # every table of the index begins with this; migrations leave them alone
VOCABULARY: Final = "CREATE VIRTUAL TABLE IF NOT EXISTS temp.search_word USING fts5vocab('main', 'search', 'instance')"
"""The words of the index, of each connection its own: it stores nothing, and is in no archive."""
_FOLDED = 500  # pages of the index written in a step
_MOST_SPELT = 32  # words that begin alike and are asked for one by one
_GATHERED = 3  # letters of the beginnings that the index has gathered (`prefix`)
_LAST_SIMPLE = "\u017f"  # of the letters whose accents are surely taken off alike here and by SQLite
_OWNER = "\ue000"  # begins the word of an owner: a sign for private use, which no word that is typed has
_OWNERS = 4093
_ROOT = re.compile(r"[0-9]{0,8}")  # of a CNPJ, or as much of it as is digits
_WORD = re.compile(r"[^\W_]+")


def add(transaction: Transaction, rows: Sequence[tuple[int, str]]) -> None:
    """Index `(document id, words)` pairs, in one batch."""
    transaction.execute_many(
        "INSERT INTO search(rowid, words) VALUES (?, ?)",
        [(number, unicodedata.normalize("NFC", words)) for number, words in rows],
    )


def owner_word(tax_id: str) -> str:
    """The word of the documents of this taxpayer, and of a few others."""
    root = _ROOT.match(tax_id)
    return f"{_OWNER}{int((root and root[0]) or 0) % _OWNERS:03x}"


def with_owners(words: str, tax_ids: Iterable[str]) -> str:
    """The words of a document with those of the taxpayers whose it is."""
    return " ".join((words, *sorted(set(map(owner_word, tax_ids)))))


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


class Spelling(Protocol):
    """The FTS query for what a person typed; None where there is no word in it."""

    def __call__(self, words: str, /) -> str | None: ...


def spelling(transaction: Transaction) -> Spelling:
    """As `expression`, where few words of the index begin so with those words themselves.

    They are read as they stand in the index, a fifth of the work: of a beginning SQLite first gathers all documents.
    """
    known: dict[str, str | None] = {}

    def spelt(words: str, /) -> str | None:
        if words not in known:
            known[words] = _expression(transaction, words)
        return known[words]

    return spelt


def _expression(transaction: Transaction, words: str) -> str | None:
    found = [known for word in _WORD.findall(unicodedata.normalize("NFC", words)) if (known := _known(word))]
    if found and not transaction.scalar("SELECT count(*) FROM sqlite_temp_master m WHERE name = 'search_word'"):
        return expression(words)
    return " AND ".join(_spelt(transaction, word) for word in found) or None


def _spelt(transaction: Transaction, word: str) -> str:
    bare = _bare(word)
    if bare is None or len(bare) == _GATHERED:
        return f'"{word}"*'
    found: list[str] = []
    after = bare
    while len(found) <= _MOST_SPELT:
        term = transaction.scalar("SELECT term FROM temp.search_word w WHERE term >= ? LIMIT 1", (after,))
        if term is None or not term.startswith(bare):
            return f"({_any_of(found)})" if found else f'"{word}"'
        found.append(term)
        after = f"{term}\x01"  # before whatever goes on after it
    return f'"{word}"*'


def _any_of(words: Sequence[str]) -> str:
    return " OR ".join(f'"{word}"' for word in words)


def _bare(word: str) -> str | None:
    """`word` as it stands in the index; None where that is not sure."""
    if max(word) > _LAST_SIMPLE:
        return None
    bare = "".join(unicodedata.normalize("NFD", letter)[0] for letter in word).lower()
    return bare if bare.isascii() and bare.isalnum() else None


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
