"""What a search that is being typed may become: numbers, orders and people that begin so. Each is a look-up of few."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from confere.archive.documents.search import full_text
from confere.archive.message_encoding import storable
from confere.archive.transaction import Transaction
from confere.system.plain_text import folded

_LONGEST_NUMBER: Final = 999_999_999  # nNF
_SAMPLE: Final = 250  # documents whose parties are looked at for a name
_IN_PREFIX_INDEX: Final = 3  # letters that the full text keeps an index of
_AFTER_ALL: Final = "\U0010ffff"
_WORD: Final = re.compile(r"[^\W_]+")
_NUMBERED: Final = "SELECT id FROM document WHERE number >= ? AND number <= ? AND +is_current = 1{series} LIMIT ?"
_NAMES: Final = (
    "SELECT DISTINCT p.name FROM document d JOIN taxpayer p ON p.id IN (d.recipient_id, d.emitter_id)"
    " WHERE d.id IN (SELECT rowid FROM search WHERE search MATCH ? LIMIT ?) AND p.name IS NOT NULL"
)


def numbers(transaction: Transaction, number: int, series: int | None, most: int) -> list[int]:
    """The ids of current documents with this number, then of those whose number begins so."""
    ids: list[int] = []
    first, last = number, number
    while number > 0 and first <= _LONGEST_NUMBER and len(ids) < most:
        question = _NUMBERED.format(series="" if series is None else " AND series = ?")
        values = (first, last, *(() if series is None else (series,)), most - len(ids))
        ids += transaction.column(question, values)
        first, last = first * 10, last * 10 + 9
    return ids


def orders(transaction: Transaction, beginning: str, most: int) -> list[str]:
    """Orders whose number begins so."""
    text = storable(beginning)
    return transaction.column(
        "SELECT DISTINCT h.order_id FROM hub_document h WHERE h.account_id IN (SELECT id FROM account)"
        " AND h.order_id >= ? AND h.order_id < ? LIMIT ?",
        (text, text + _AFTER_ALL, most),
    )


def names(transaction: Transaction, beginning: str, most: int) -> list[str]:
    """People and companies on documents with a word that begins so, each spelling once.

    The first letters are read from an index of their own, which costs nothing however many begin so; only what is
    rare among them is looked for by all letters.
    """
    spellings: dict[str, str] = {}
    for letters in dict.fromkeys((beginning[:_IN_PREFIX_INDEX], beginning)):
        expression = full_text.expression(letters)
        if expression is None:
            break
        for name in transaction.column(_NAMES, (expression, _SAMPLE)):
            if _has_word(name, beginning):
                spellings.setdefault(folded(name), name)
        if len(spellings) >= most:
            break
    return list(spellings.values())[:most]


def _has_word(name: str, beginning: str) -> bool:
    sought = folded(beginning)
    return any(word.startswith(sought) for word in _words(name))


def _words(name: str) -> Iterator[str]:
    return (match.group() for match in _WORD.finditer(folded(name)))
