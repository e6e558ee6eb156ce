"""The time stamps of closings, as authorities answered them."""

from __future__ import annotations

from dataclasses import dataclass

from confere.archive.accounts import audit
from confere.archive.clock import utc_now
from confere.archive.schema.schema import closing_stamp
from confere.archive.transaction import Transaction
from confere.sales.closings import ClosingAct

STAMPED = "closing stamped"
"""In the audit trail: the subject is company and month, the detail the authority's address."""


@dataclass(frozen=True, slots=True)
class StoredStamp:
    """An answer (DER) about the head of the closing `number`; `head` in hex, `address` the authority's."""

    number: int
    company: str
    month: str
    head: str
    address: str
    received_at: str
    response: bytes


def add(transaction: Transaction, act: ClosingAct, address: str, response: bytes) -> None:
    """Keep an answer about this act's head."""
    (number,) = transaction.new_ids(closing_stamp, 1)
    transaction.insert(closing_stamp, [(number, act.number, address, utc_now(), response)])
    audit.write(transaction, STAMPED, f"{act.company} {act.month}", address)


def every(transaction: Transaction, number: int | None = None) -> tuple[StoredStamp, ...]:
    """All answers that are kept, or those about one closing, oldest first."""
    return tuple(
        transaction.fetch_as(
            StoredStamp,
            "SELECT c.id AS number, c.company, c.month, lower(hex(c.head)) AS head, s.address, s.received_at,"
            " s.response FROM closing_stamp s JOIN closing c ON c.id = s.closing_id"
            " WHERE ? IS NULL OR c.id = ? ORDER BY s.id",
            (number, number),
        )
    )
