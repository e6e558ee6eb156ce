"""What a list of documents is asked for: plain filters, and a search's tree of look-ups and filters."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, NamedTuple, TypeAlias

LookupKind = Literal["words", "number", "numbered", "code", "key", "key_part", "two_groups", "tax_id"]
Joint = Literal["and", "or", "not"]


class Lookup(NamedTuple):
    """What is looked up in an index of its own.

    `words`: each begins a word of the document. `number`: bare digits: a document's number, or an order, a protocol,
    a CNPJ or CPF, a part of a key, a word. `numbered`: the number of a document, with `series` where that was given.
    `code`: letters and digits: a word, an order, a CNPJ. `key`: a whole access key. `key_part`: digits of one;
    `two_groups`: four digits, a blank and four more, which are such a part or two numbers.
    `tax_id`: whose document it is. `without` are, where a list is planned, words that the document must not have.
    """

    kind: LookupKind
    text: str
    series: int | None = None
    without: tuple[str, ...] = ()


class Group(NamedTuple):
    """Parts that all hold, of which one holds, or the one part that does not hold."""

    joint: Joint
    parts: tuple[Match, ...]


@dataclass(frozen=True, slots=True)
class DocumentQuery:
    """Which documents. `company` is a CNPJ or CPF that emitted, received or took it; days are `YYYY-MM-DD`.

    `matching` is what a person typed beyond these filters. `emitter` and `recipient` are a CNPJ or CPF, else words of
    the name. `uf` is the state of emitter or recipient, or of a voiding. Totals are centavos; both bounds are included.
    `ncm` is the beginning of an item's code. `direction` is `in` or `out`: as the company sees it or, without one, as
    the establishments of the accounts do.
    """

    company: str | None = None
    from_day: str | None = None
    to_day: str | None = None
    types: tuple[str, ...] = ()
    states: tuple[str, ...] = ()
    operations: tuple[str, ...] = ()
    direction: str | None = None
    marketplaces: tuple[str, ...] = ()
    subtype: str | None = None
    order_id: str | None = None
    account: str | None = None
    number: int | None = None
    series: int | None = None
    cfop: str | None = None
    ncm: str | None = None
    item_words: str | None = None
    uf: str | None = None
    emitter: str | None = None
    recipient: str | None = None
    total_from: int | None = None
    total_to: int | None = None
    with_warnings: bool | None = None  # of those that ask attention
    with_findings: bool | None = None  # open ones that name it
    gone: bool | None = None  # no longer listed by the hub
    verdict: tuple[str, ...] = ()  # ok, unchecked, failed (also altered), test, altered; none: not checked yet
    grounds: tuple[str, ...] = ()  # `fiscal.state.Ground`
    environment: str | None = None
    purposes: tuple[str, ...] = ()  # finNFe, of notes
    credit_types: tuple[str, ...] = ()  # tpNFCredito
    debit_types: tuple[str, ...] = ()  # tpNFDebito
    access_key: str | None = None
    tags: tuple[str, ...] = ()  # names; any of them
    matching: Match | None = None
    sort: str = "issued"
    descending: bool = True

    @property
    def has_no_filter(self) -> bool:
        """Whether all current documents are in the list."""
        return replace(self, sort="issued", descending=True) == DocumentQuery()


Match: TypeAlias = Lookup | Group | DocumentQuery
"""A `DocumentQuery` in a tree stands for its filters alone; its company, order and own tree are not looked at."""


def joined(joint: Joint, parts: tuple[Match, ...]) -> Match:
    """The parts as one: a single one as itself, groups of the same joint opened into it, a double "not" undone."""
    if joint == "not":
        (part,) = parts
        return part.parts[0] if isinstance(part, Group) and part.joint == "not" else Group("not", parts)
    flat: list[Match] = []
    for part in parts:
        flat += part.parts if isinstance(part, Group) and part.joint == joint else (part,)
    return flat[0] if len(flat) == 1 else Group(joint, tuple(flat))


def both(one: Match | None, other: Match | None) -> Match | None:
    """What meets both, where both are given."""
    parts = tuple(part for part in (one, other) if part is not None)
    return joined("and", parts) if parts else None


def names_days(match: Match | None) -> bool:
    """Whether any part of the tree asks for days."""
    if isinstance(match, DocumentQuery):
        return match.from_day is not None or match.to_day is not None
    return isinstance(match, Group) and any(map(names_days, match.parts))


def wanted(match: Match | None) -> tuple[Lookup, ...]:
    """The look-ups that a document may be in the list for: all but those under a "not"."""
    if isinstance(match, Lookup):
        return (match,)
    if isinstance(match, Group) and match.joint != "not":
        return tuple(lookup for part in match.parts for lookup in wanted(part))
    return ()
