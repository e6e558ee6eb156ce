"""Two contents of one access key beside each other: what of the document differs between them."""

from __future__ import annotations

from collections.abc import Iterator

from confere.app.labels import labels
from confere.app.reconciliation.values import Difference
from confere.archive.documents import details, documents
from confere.archive.documents.documents import DocumentRow
from confere.archive.transaction import Transaction
from confere.errors import Message, message
from confere.fiscal.document_parts import Item
from confere.system import formatting

RULE = "R7a"
"""The rule that finds several contents of a key."""
_SHOWN = 16  # digits of a digest


def compared_contents(transaction: Transaction, key: str) -> tuple[Difference, ...]:
    """The current content left, the other right, line by line; empty where the archive holds one alone."""
    current = documents.current(transaction, key)
    found = documents.by_ids(transaction, documents.versions(transaction, key))
    rows = sorted(found, key=lambda row: (row.id != current, row.id))
    if len(rows) < 2:
        return ()
    left, right = rows[:2]
    return tuple(_lines(left, right, details.items(transaction, left.id), details.items(transaction, right.id)))


def _lines(
    left: DocumentRow, right: DocumentRow, ours: tuple[Item, ...], others: tuple[Item, ...]
) -> Iterator[Difference]:
    yield _line(message("SHA-256"), left.sha256[:_SHOWN], right.sha256[:_SHOWN])
    yield _line(message("Date"), formatting.date(left.issued_on), formatting.date(right.issued_on))
    yield _line(message("Recipient"), left.recipient_name or "", right.recipient_name or "")
    yield _line(message("State"), labels.state_word(left.state), labels.state_word(right.state))
    yield _line(message("Protocol"), left.protocol or "", right.protocol or "")
    yield _line(message("Total"), formatting.money(left.total), formatting.money(right.total))
    for place in range(max(len(ours), len(others))):
        first, second = (items[place] if place < len(items) else None for items in (ours, others))
        name = next(
            " ".join(filter(None, (item.code, item.description))) for item in (first, second) if item is not None
        )
        yield _line(message("Item {name}", name=name), _item(first), _item(second))


def _item(item: Item | None) -> str:
    return "" if item is None else formatting.priced(item.quantity, item.total_cents)


def _line(field: Message, left: str, right: str) -> Difference:
    return Difference(field, left, right, left == right)
