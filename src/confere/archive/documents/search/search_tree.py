"""What a search asks for beyond the plain filters of a list, as a tree: look-ups and filters joined by and, or, not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from confere.archive.documents.search.document_search import DocumentQuery

LookupKind = Literal["words", "number", "numbered", "code", "key", "key_part", "tax_id"]
Joint = Literal["and", "or", "not"]


class Lookup(NamedTuple):
    """What is looked up in an index of its own.

    `words`: each begins a word of the document. `number`: bare digits: a document's number, or an order, a protocol,
    a CNPJ or CPF, a part of a key, a word. `numbered`: the number of a document, with `series` where that was given.
    `code`: letters and digits: a word, an order, a CNPJ. `key`: a whole access key. `key_part`: digits of one.
    `tax_id`: whose document it is.
    """

    kind: LookupKind
    text: str
    series: int | None = None


class Group(NamedTuple):
    """Parts that all hold, of which one holds, or the one part that does not hold."""

    joint: Joint
    parts: tuple[Match, ...]


Match: TypeAlias = "Lookup | Group | DocumentQuery"
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


def wanted(match: Match | None) -> tuple[Lookup, ...]:
    """The look-ups that a document may be in the list for: all but those under a "not"."""
    if isinstance(match, Lookup):
        return (match,)
    if isinstance(match, Group) and match.joint != "not":
        return tuple(lookup for part in match.parts for lookup in wanted(part))
    return ()
