"""The SQL of a search's tree: which part picks the documents, and how all others are tried on them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from confere.archive.documents.search import lookups
from confere.archive.documents.search.document_query import DocumentQuery, Group, Lookup, Match
from confere.archive.documents.search.lookups import IdSelect
from confere.archive.documents.search.party_conditions import Condition

_NOTHING = IdSelect("SELECT 0 WHERE 0", ())
_WORDS = ("words",)


class Plan(NamedTuple):
    """A tree's parts that all have to hold; `picking` are the ids of what few documents meet: one part, or a total."""

    parts: tuple[Match, ...] = ()
    picking: IdSelect | None = None


def parts_of(match: Match | None) -> tuple[Match, ...]:
    """What all has to hold; words are one part, which the full text answers at once."""
    if match is None:
        return ()
    parts = match.parts if isinstance(match, Group) and match.joint == "and" else (match,)
    words = [part for part in parts if isinstance(part, Lookup) and part.kind == "words"]
    if len(words) < 2:
        return parts
    rest = tuple(part for part in parts if part not in words)
    return (*rest, Lookup("words", " ".join(part.text for part in words)))


def planned(query: DocumentQuery, are_few: Callable[[IdSelect], bool]) -> Plan:
    """The plan of a query's tree; `are_few` is asked for what can be counted, figures before words."""
    parts = parts_of(query.matching)
    if parts and query.total_from is not None and query.total_from == query.total_to:
        total = IdSelect("SELECT id FROM document WHERE is_current = 1 AND total = ?", (query.total_from,))
        if are_few(total):
            return Plan(parts, total)
    ids = {place: listed for place, part in enumerate(parts) if (listed := _ids(part)) is not None}
    for place in sorted(ids, key=lambda place: _is_worded(parts[place])):
        if _are_few(parts[place], ids[place], are_few):
            return Plan((*parts[:place], *parts[place + 1 :]), ids[place])
    return Plan(parts)


def conditions(plan: Plan, filters: Callable[[DocumentQuery], Condition]) -> list[Condition]:
    """What each part asks of a document `d`. `filters` gives the condition of a query's plain filters."""
    picking = plan.picking
    asked: list[Condition] = []
    if picking is not None:
        asked.append((f"d.id IN ({picking.sql})", picking.values))
    for part in plan.parts:
        if picking is not None and isinstance(part, Lookup) and part.kind == "words":
            asked.append(_words_of_few(part, picking))
        else:
            asked.append(_condition(part, filters))
    return asked


def _are_few(part: Match, ids: IdSelect, are_few: Callable[[IdSelect], bool]) -> bool:
    if isinstance(part, Lookup) and part.kind == "words":
        whole = lookups.whole_words(part.text)
        if whole is not None and not are_few(whole):
            return False  # told at once: words that begin so are gathered first, however many
    return are_few(ids)


def _condition(match: Match, filters: Callable[[DocumentQuery], Condition]) -> Condition:
    """What is asked of a document that something else picks: the plus keeps SQLite from picking by it."""
    if isinstance(match, Lookup):
        if match.kind == "tax_id":
            own = "(SELECT id FROM taxpayer WHERE tax_id = ?)"
            return f"(d.emitter_id IN {own} OR d.recipient_id IN {own} OR d.taker_id IN {own})", (match.text,) * 3
        listed = lookups.chosen(match) or _NOTHING
        return f"+d.id IN ({listed.sql})", listed.values
    if not isinstance(match, Group):
        return filters(match)
    inner = [_condition(part, filters) for part in match.parts]
    values: tuple[Any, ...] = tuple(value for _, given in inner for value in given)
    if match.joint == "not":
        return f"coalesce(NOT ({inner[0][0]}), 1)", values  # of a column without a value it is unknown what it is not
    return "(" + f" {match.joint.upper()} ".join(condition for condition, _ in inner) + ")", values


def _words_of_few(part: Lookup, picking: IdSelect) -> Condition:
    """Words are read through once; only those of the few documents are put by."""
    listed = lookups.chosen(part) or _NOTHING
    return f"+d.id IN ({listed.sql} AND +rowid IN ({picking.sql}))", (*listed.values, *picking.values)


def _ids(match: Match) -> IdSelect | None:
    """The ids of all documents that meet `match`, where they can be listed without reading every document."""
    if isinstance(match, Lookup):
        return lookups.chosen(match) or _NOTHING
    if isinstance(match, Group) and match.joint == "or":
        parts = [_ids(part) for part in match.parts]
        known = [part for part in parts if part is not None]
        if len(known) == len(parts):
            return IdSelect(
                " UNION ALL ".join(part.sql for part in known), tuple(value for part in known for value in part.values)
            )
    return None


def _is_worded(match: Match) -> bool:
    return match.kind in _WORDS if isinstance(match, Lookup) else True
