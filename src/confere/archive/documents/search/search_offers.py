"""What a search that is being typed may become: numbers, orders and people that begin so. Each is a look-up of few.

Within a company or some days what begins so is looked through, newest first where there is an order, and only so far:
of more than that the list itself tells.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from confere.archive.documents.search import full_text
from confere.archive.documents.search.document_query import DocumentQuery
from confere.archive.message_encoding import storable
from confere.archive.transaction import Transaction
from confere.system.plain_text import folded

_LONGEST_NUMBER: Final = 999_999_999  # nNF
_SAMPLE: Final = 250  # documents whose parties are looked at for a name
_LOOKED_THROUGH: Final = 2_000  # documents, or records of orders, of which some of a company or of days are looked for
_IN_PREFIX_INDEX: Final = 3  # letters that the full text keeps an index of
_AFTER_ALL: Final = "\U0010ffff"
_WORD: Final = re.compile(r"[^\W_]+")
_NUMBERED: Final = (
    "SELECT d.id FROM (SELECT * FROM document WHERE number >= ? AND number <= ? AND +is_current = 1{series} LIMIT ?) d"
    "{within} LIMIT ?"
)
_NAMES: Final = (
    "SELECT DISTINCT p.name FROM document d JOIN taxpayer p ON p.id IN (d.recipient_id, d.emitter_id)"
    " WHERE d.id IN (SELECT rowid FROM search WHERE search MATCH ? ORDER BY rowid DESC LIMIT ?)"
    " AND p.name IS NOT NULL{within}"
)
_ORDERS: Final = (
    "SELECT DISTINCT h.order_id FROM (SELECT order_id, access_key FROM hub_document"
    " WHERE account_id IN (SELECT id FROM account) AND order_id >= ? AND order_id < ?{most}) h{within} LIMIT ?"
)
EVERYTHING: Final = DocumentQuery()
_OWN: Final = "(SELECT id FROM taxpayer WHERE tax_id = ?)"


def numbers(
    transaction: Transaction, number: int, series: int | None, most: int, within: DocumentQuery = EVERYTHING
) -> list[int]:
    """The ids of current documents with this number, then of those whose number begins so."""
    condition, values = _condition(within)
    ids: list[int] = []
    first, last = number, number
    while number > 0 and first <= _LONGEST_NUMBER and len(ids) < most:
        looked_at = _LOOKED_THROUGH if condition else most - len(ids)
        question = _NUMBERED.format(
            series="" if series is None else " AND series = ?", within=condition and f" WHERE {condition}"
        )
        given = (first, last, *(() if series is None else (series,)), looked_at, *values, most - len(ids))
        ids += transaction.column(question, given)
        first, last = first * 10, last * 10 + 9
    return ids


def orders(transaction: Transaction, beginning: str, most: int, within: DocumentQuery = EVERYTHING) -> list[str]:
    """Orders whose number begins so; within a company or some days, those of documents that are here."""
    text = storable(beginning)
    condition, values = _condition(within)
    paper = f" WHERE EXISTS (SELECT 1 FROM document d WHERE d.access_key = h.access_key AND {condition})"
    question = _ORDERS.format(most=f" LIMIT {_LOOKED_THROUGH}" if condition else "", within=paper if condition else "")
    return transaction.column(question, (text, text + _AFTER_ALL, *values, most))


def names(transaction: Transaction, beginning: str, most: int, within: DocumentQuery = EVERYTHING) -> list[str]:
    """People and companies on documents with a word that begins so, each spelling once.

    The first letters are read from an index of their own, which costs nothing however many begin so; only what is
    rare among them is looked for by all letters.
    """
    condition, values = _condition(within)
    question = _NAMES.format(within=condition and f" AND {condition}")
    spellings: dict[str, str] = {}
    for letters in dict.fromkeys((beginning[:_IN_PREFIX_INDEX], beginning)):
        expression = full_text.expression(letters)
        if expression is None:
            break
        looked_at = _LOOKED_THROUGH if condition else _SAMPLE
        for name in transaction.column(question, (expression, looked_at, *values)):
            if _has_word(name, beginning):
                spellings.setdefault(folded(name), name)
        if len(spellings) >= most:
            break
    return list(spellings.values())[:most]


def _condition(within: DocumentQuery) -> tuple[str, tuple[str, ...]]:
    """What the company and the days of a query ask of a document `d`; empty where it has neither."""
    asked = [
        ("d.issued_on >= ?", within.from_day, 1),
        ("d.issued_on <= ?", within.to_day, 1),
        (f"(d.emitter_id IN {_OWN} OR d.recipient_id IN {_OWN} OR d.taker_id IN {_OWN})", within.company, 3),
    ]
    given = [(condition, value, times) for condition, value, times in asked if value is not None]
    values = tuple(storable(value) for _, value, times in given for _ in range(times))
    return " AND ".join(condition for condition, _, _ in given), values


def _has_word(name: str, beginning: str) -> bool:
    sought = folded(beginning)
    return any(word.startswith(sought) for word in _words(name))


def _words(name: str) -> Iterator[str]:
    return (match.group() for match in _WORD.finditer(folded(name)))
