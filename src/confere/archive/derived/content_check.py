"""Holding what stands beside stored bytes against them: why they cannot be read, and the numbers they are found by."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from confere.archive import message_encoding
from confere.archive.derived.difference import ValueDifference
from confere.archive.transaction import Transaction
from confere.archive.vault.content_digest import digest_head, digest_of
from confere.archive.vault.unfinished_reads import why_set_aside
from confere.errors import PaperError, message
from confere.fiscal.reading.document import read

_BLOCK: Final = 500  # rows
# Not of the bytes: what the machine had at that moment decided.
_NOT_OF_BYTES: Final = frozenset({why_set_aside().id, message("There was not enough memory to read this file.").id})
_HEADS: Final = {"certificate": "data", "why": "text"}


def is_problem_due(problem: str, data: bytes) -> bool:
    """Whether bytes that are kept unread cannot be read for this reason. Another parser may word it otherwise."""
    known = message_encoding.read(problem).id
    if known in _NOT_OF_BYTES:
        return True
    try:
        read(data)
    except PaperError as error:
        return message_encoding.read(message_encoding.kept(error.what)).id == known
    return False


def wrong_heads(transaction: Transaction) -> tuple[ValueDifference, ...]:
    """The certificates and sentences, each by its number, that are not found by what they are."""
    return tuple(difference for table in _HEADS for difference in _wrong(transaction, table))


def write_heads(transaction: Transaction) -> None:
    """Let all of them be found by what they are."""
    for table, column in _HEADS.items():
        numbers = [int(difference.key) for difference in _wrong(transaction, table)]
        rows = transaction.named_in(f"SELECT id, {column} AS data FROM {table} WHERE id IN {{}}", numbers)
        transaction.execute_many(
            f"UPDATE {table} SET digest_head = ? WHERE id = ?", [(_head(row.data), row.id) for row in rows]
        )


def _wrong(transaction: Transaction, table: str) -> Iterator[ValueDifference]:
    last = int(transaction.scalar(f"SELECT coalesce(max(id), 0) FROM {table}"))
    for first in range(1, last + 1, _BLOCK):
        for row in transaction.named(
            f"SELECT id, digest_head, {_HEADS[table]} AS data FROM {table} WHERE id BETWEEN ? AND ?",
            (first, first + _BLOCK - 1),
        ):
            if row.digest_head != _head(row.data):
                yield ValueDifference(table, str(row.id), "digest_head")


def _head(data: bytes | str) -> int:
    return digest_head(digest_of(data.encode() if isinstance(data, str) else data))
