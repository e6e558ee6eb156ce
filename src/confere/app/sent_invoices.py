"""The use case "what was sent to orders": the lines of the audit trail about invoices given to a hub's orders."""

from __future__ import annotations

from confere.app import words
from confere.app.desk_values import HistoryLine
from confere.app.freshness import moment
from confere.app.open_archive import OpenArchive
from confere.archive import accounts, audit
from confere.errors import Message, message


def history(
    opened: OpenArchive, account: str, *, order_id: str | None = None, key: str | None = None, limit: int = 100
) -> tuple[HistoryLine, ...]:
    """Each request and what became of it, newest first: of an order, with a document, or all of the account.

    `note` is the request as it left, then the hub's words or the invoice's key.
    """
    with opened.reading() as transaction:
        name = accounts.named(transaction, account).name
        found = audit.invoices(transaction, name, order_id, key, limit)
    return tuple(
        HistoryLine(
            at=moment(line.at),
            actor=line.actor,
            what=message(
                "Order {order}: {what}",
                order=line.subject.removeprefix(f"{name} "),
                what=Message(words.ACTIONS.get(line.action, line.action)),
            ),
            note=line.detail,
        )
        for line in found
    )
