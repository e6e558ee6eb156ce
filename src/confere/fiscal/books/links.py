"""Links between orders and documents: what the matcher says, what a person decided, and what stays a tie."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, StrEnum

from confere.errors import Message
from confere.fiscal.books.records import record


class LinkKind(IntEnum):
    """The evidence, strongest first, as the rule book numbers it; 0 is a person's word."""

    PERSON = 0
    ORDER_KEY = 1  # the order's invoice.accessKey
    DOCUMENT_ORDER = 2  # the order id in the hub's record of the document
    INVOICE_NUMBER = 3  # series, number, emitter and date of the order's invoice
    QUOTED = 4  # external_id, xPed, the order's number in infCpl
    REFERENCE = 5  # by a document that is linked: refNFe, a CT-e's carried NF-e
    SCORED = 6  # buyer, total, date, items


class Word(StrEnum):
    """What a person said about a pair."""

    LINK = "link"
    UNLINK = "unlink"
    CONFIRM = "confirm"


@dataclass(frozen=True, slots=True)
class Decision:
    """A person's word about an order (the hub's id of it) and a document (its key); the newest one counts."""

    order_id: str
    key: str
    word: Word


@record
class Link:
    """`order_id` is the hub's. `confidence` in percent. `evidence` are the reasons in words, strongest first."""

    order_id: str
    key: str
    kind: LinkKind
    confidence: int
    evidence: tuple[Message, ...]

    @property
    def manual(self) -> bool:
        return self.kind is LinkKind.PERSON


@dataclass(frozen=True, slots=True)
class Tie:
    """Orders and documents that fit in more than one way: for a person to decide, never linked by itself."""

    orders: tuple[str, ...]
    keys: tuple[str, ...]
    kind: LinkKind
    reason: Message


@dataclass(frozen=True, slots=True)
class Linked:
    """What a ledger comes to. No pair stands in `links` twice."""

    links: tuple[Link, ...] = ()
    ties: tuple[Tie, ...] = ()
