"""Links between orders and documents: what the matcher says, what a person decided, and what stays a tie."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import Final

from confere.errors import N_, Message
from confere.sales.slotted_records import record

CONTRADICTED: Final = N_("other evidence contradicts it: {evidence} (order {order}, {name})")
"""The reason that a link made by a person has where what came later speaks for another pair."""


class LinkKind(IntEnum):
    """The evidence, strongest first, as the rule book numbers it; 0 is a person's word."""

    PERSON = 0
    ORDER_KEY = 1  # the order's invoice.accessKey
    DOCUMENT_ORDER = 2  # the order id in the hub's record of the document
    INVOICE_NUMBER = 3  # series, number, emitter and date of the order's invoice
    QUOTED = 4  # external_id, xPed, the order's number in infCpl
    REFERENCE = 5  # by a document that is linked: refNFe, a CT-e's carried NF-e
    SCORED = 6  # buyer, total, date, items


class PersonsWord(StrEnum):
    """What a person said about a pair."""

    LINK = "link"
    UNLINK = "unlink"
    CONFIRM = "confirm"


@dataclass(frozen=True, slots=True)
class Decision:
    """A person's word about an order (the hub's id of it) and a document (its key); the newest one counts."""

    order_id: str
    key: str
    word: PersonsWord


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

    @property
    def contradicted(self) -> bool:
        """Whether a person made it, and other evidence speaks for another pair."""
        return self.manual and any(reason.id == CONTRADICTED for reason in self.evidence)


@dataclass(frozen=True, slots=True)
class Tie:
    """Orders and documents that fit in more than one way: for a person to decide, never linked by itself."""

    orders: tuple[str, ...]
    keys: tuple[str, ...]
    kind: LinkKind
    reason: Message


@dataclass(frozen=True, slots=True)
class Suggestion:
    """An order without invoice and a sale without order that nearly fit; only a person accepts it.

    `agrees` and `differs` are what was compared, in words; what could not be compared is among `differs`.
    """

    order_id: str
    key: str
    agrees: tuple[Message, ...]
    differs: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class Linked:
    """What a ledger comes to. No pair stands in `links` twice, no order and no document in `suggestions`."""

    links: tuple[Link, ...] = ()
    ties: tuple[Tie, ...] = ()
    suggestions: tuple[Suggestion, ...] = ()
