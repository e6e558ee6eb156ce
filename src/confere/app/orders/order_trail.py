"""The use case "what was sent to orders": the lines of the audit trail about invoices and moves of a hub's orders."""

from __future__ import annotations

from confere.app.accounts.freshness import moment
from confere.app.archive_session import OpenArchive
from confere.app.labels import labels
from confere.app.reconciliation.values import FindingHistoryLine
from confere.archive.accounts import accounts, audit
from confere.errors import Message, message


def history(
    opened: OpenArchive, account: str, *, order_id: str | None = None, key: str | None = None, limit: int = 100
) -> tuple[FindingHistoryLine, ...]:
    """Each request and what became of it, newest first: of an order, with a document, or all of the account.

    `note` is the request as it left, then the hub's words, the invoice's key or the move.
    """
    with opened.reading() as transaction:
        name = accounts.named(transaction, account).name
        found = audit.order_writes(transaction, name, order_id, key, limit)
    return tuple(
        FindingHistoryLine(
            at=moment(line.at),
            actor=line.actor,
            what=message(
                "Order {order}: {what}",
                order=line.subject.removeprefix(f"{name} "),
                what=Message(labels.ACTIONS.get(line.action, line.action)),
            ),
            note=line.detail,
        )
        for line in found
    )
