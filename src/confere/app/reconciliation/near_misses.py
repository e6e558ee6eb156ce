"""What a run lists beside its findings: pairs that nearly fit, and differences that R3 explains itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from confere.app.archive_session import OpenArchive
from confere.app.reconciliation.values import SuggestionLine
from confere.archive.accounts import accounts
from confere.archive.documents import documents, total_parts
from confere.archive.orders import orders
from confere.archive.reconciliation import near_misses
from confere.archive.transaction import Transaction
from confere.errors import NotInArchive, message
from confere.sales.findings import ExplainedDifference


def suggestions(opened: OpenArchive, account: str, period: str | None = None) -> tuple[SuggestionLine, ...]:
    """The pairs that nearly fit and of which nobody said anything yet; of one month, where a side is of it."""
    with opened.reading() as transaction:
        owner = accounts.named(transaction, account)
        found = tuple(_suggestions(transaction, owner.id))
    return tuple(line for line in found if period is None or period in (line.created_on[:7], line.issued_on[:7]))


def suggested(
    opened: OpenArchive, account: str, order_ids: Iterable[str] = (), keys: Iterable[str] = ()
) -> tuple[tuple[str, str], ...]:
    """The suggested pairs of these orders and documents. `NotInArchive` where one of them is in none."""
    lines = suggestions(opened, account)
    found: dict[tuple[str, str], None] = {}
    for name in (*order_ids, *keys):
        pair = next(((line.order_id, line.key) for line in lines if name in (line.order_id, line.key)), None)
        if pair is None:
            raise NotInArchive(
                message("There is no suggestion of {name}.", name=name),
                message("See them all with `confere links suggestions`."),
            )
        found[pair] = None
    return tuple(found)


def explained(
    opened: OpenArchive, account: str, period: str | None = None, run: int | None = None
) -> tuple[ExplainedDifference, ...]:
    """The differences that the newest run, or this one, explained itself: the greatest amount first."""
    with opened.reading() as transaction:
        owner = accounts.named(transaction, account)
        return near_misses.explained(transaction, owner.id, period, run)


def _suggestions(transaction: Transaction, account_id: int) -> Iterator[SuggestionLine]:
    found = near_misses.suggestions(transaction, account_id)
    known = orders.named(transaction, account_id, {entry.order_id for entry in found})
    numbers = total_parts.current_of(transaction, {entry.key for entry in found})
    rows = {row.access_key: row for row in documents.by_ids(transaction, list(numbers.values()))}
    for entry in found:
        order, row = known.get(entry.order_id), rows.get(entry.key)
        yield SuggestionLine(
            entry.order_id,
            entry.key,
            entry.agrees,
            entry.differs,
            created_on="" if order is None else order.created_on,
            issued_on="" if row is None else row.issued_on or "",
            order_total=None if order is None else order.total,
            paper_total=None if row is None else row.total,
        )
