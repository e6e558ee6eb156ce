"""Holding the search index against the words of the documents: each document is found by every word of its own.

Words that a document had before it was read again may stay in the index, which is only ever added to.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from typing import Final

from confere.archive.derived.difference import WHOLE_ROW, ValueDifference
from confere.archive.documents.search import full_text
from confere.archive.transaction import Transaction

# What every SQLite takes for one word: letters and digits of the oldest Unicode, between plain blanks and signs.
_PLAIN: Final = re.compile(
    r"(?<![^\s!-/:-@\[-`{-~])[0-9A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u017f]+(?![^\s!-/:-@\[-`{-~])"
)


def differences(
    transaction: Transaction, documents: Mapping[int, tuple[str, str, Collection[str]]]
) -> dict[int, tuple[ValueDifference, ...]]:
    """The documents that a word of theirs does not find, by number; each is given with its name, words and owners."""
    lacking: dict[str, set[int]] = defaultdict(set)
    for number, (_, words, owners) in documents.items():
        for word in _words(words, owners):
            lacking[word].add(number)
    differing: dict[int, tuple[ValueDifference, ...]] = {}
    for word, numbers in lacking.items():
        indexed = transaction.column(
            "SELECT rowid FROM search WHERE search MATCH ? AND rowid BETWEEN ? AND ?",
            (f'"{word}"', min(numbers), max(numbers)),
        )
        for number in numbers.difference(indexed):
            differing[number] = (ValueDifference(full_text.TABLES, documents[number][0], WHOLE_ROW),)
    return differing


def _words(text: str, owners: Collection[str]) -> Iterator[str]:
    yield from set(_PLAIN.findall(text))
    yield from {full_text.owner_word(owner) for owner in owners}
