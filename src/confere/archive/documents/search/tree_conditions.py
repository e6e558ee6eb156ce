"""The SQL of a search's tree: which part picks the documents, and how all others are tried on them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from confere.archive.documents.search import full_text, lookups
from confere.archive.documents.search.document_query import DocumentQuery, Group, Lookup, Match
from confere.archive.documents.search.full_text import Spelling
from confere.archive.documents.search.lookups import IdSelect
from confere.archive.documents.search.party_conditions import Condition

_NOTHING = IdSelect("SELECT 0 WHERE 0", ())
_WORDS = ("words",)


class Plan(NamedTuple):
    """A tree's parts that all have to hold; `picking` are the ids of what few documents meet: one part, or a total.

    `spelling` asks the full text for words.
    """

    parts: tuple[Match, ...] = ()
    picking: IdSelect | None = None
    spelling: Spelling = full_text.expression

    @property
    def reads_words(self) -> bool:
        """Whether words that many documents have are tried on each of a list."""
        return self.picking is None and any(isinstance(part, Lookup) and part.kind == "words" for part in self.parts)


def parts_of(match: Match | None) -> tuple[Match, ...]:
    """What all has to hold; words are one part, which the full text answers at once."""
    if match is None:
        return ()
    parts = match.parts if isinstance(match, Group) and match.joint == "and" else (match,)
    words = [part for part in parts if isinstance(part, Lookup) and part.kind == "words"]
    unwanted = [part for part in parts if _unwanted_words(part)] if words else []
    if len(words) + len(unwanted) < 2:
        return parts
    rest = tuple(part for part in parts if part not in words and part not in unwanted)
    without = tuple(text for part in unwanted for text in _unwanted_words(part))
    return (*rest, Lookup("words", " ".join(part.text for part in words), without=without))


def _unwanted_words(part: Match) -> tuple[str, ...]:
    """The texts of a part that says "not these words": of each of them none."""
    if not isinstance(part, Group) or part.joint != "not":
        return ()
    (inner,) = part.parts
    listed = inner.parts if isinstance(inner, Group) and inner.joint == "or" else (inner,)
    texts = tuple(one.text for one in listed if isinstance(one, Lookup) and one.kind == "words")
    return texts if len(texts) == len(listed) else ()


def planned(
    query: DocumentQuery,
    are_few: Callable[[IdSelect], bool],
    spelling: Spelling = full_text.expression,
    *,
    are_few_of_all: Callable[[IdSelect], bool] | None = None,
) -> Plan:
    """The plan of a query's tree; `are_few` is asked for what can be counted, figures before words.

    `are_few_of_all` is asked whether looking up the keys that begin so is less than reading the list of all.
    """
    parts = parts_of(query.matching)
    if parts and query.total_from is not None and query.total_from == query.total_to:
        total = IdSelect("SELECT id FROM document WHERE is_current = 1 AND total = ?", (query.total_from,))
        if are_few(total):
            return Plan(parts, total, spelling)
    ids = {place: listed for place, part in enumerate(parts) if (listed := _ids(part, spelling)) is not None}
    for place in sorted(ids, key=lambda place: _is_worded(parts[place])):
        if _are_few(parts[place], ids[place], are_few):
            return Plan((*parts[:place], *parts[place + 1 :]), ids[place], spelling)
    if query.company is not None:  # of everybody's documents many have the words, of the company's perhaps none
        for place, part in enumerate(parts):
            if isinstance(part, Lookup) and part.kind in _WORDS:
                theirs = lookups.words_of_owner(part, spelling, query.company)
                if theirs is not None and are_few(theirs):
                    return Plan((*parts[:place], *parts[place + 1 :]), theirs, spelling)
        if are_few_of_all is not None:  # keys of another company begin so: all of the list would be read for none
            for place, listed in ids.items():
                if lookups.may_begin_keys(parts[place]) and are_few_of_all(listed):
                    return Plan((*parts[:place], *parts[place + 1 :]), listed, spelling)
    return Plan(parts, None, spelling)


def conditions(plan: Plan, filters: Callable[[DocumentQuery], Condition], document_id: str = "d.id") -> list[Condition]:
    """What each part asks of a document `d`. `filters` gives the condition of a query's plain filters.

    `document_id` is the column in which its number is met first.
    """
    picking = plan.picking
    tried = _Tried(filters, plan.spelling, document_id)
    asked: list[Condition] = []
    if picking is not None:
        asked.append((f"d.id IN ({picking.sql})", picking.values))
    for part in plan.parts:
        if picking is not None and isinstance(part, Lookup) and part.kind == "words":
            asked.append(_words_of_few(part, picking, plan.spelling))
        else:
            asked.append(tried.condition(part))
    return asked


def _are_few(part: Match, ids: IdSelect, are_few: Callable[[IdSelect], bool]) -> bool:
    if isinstance(part, Lookup) and part.kind == "words" and "*" in str(ids.values) and not part.without:
        whole = lookups.whole_words(part.text)
        if whole is not None and not are_few(whole):
            return False  # told at once: words that begin so are gathered first, however many
    return are_few(ids)


class _Tried(NamedTuple):
    """How parts are tried on documents that something else picks: the plus keeps SQLite from picking by them."""

    filters: Callable[[DocumentQuery], Condition]
    spelling: Spelling
    document_id: str

    def condition(self, match: Match) -> Condition:
        """What `match` asks."""
        if isinstance(match, Lookup):
            if match.kind == "tax_id":
                own = "(SELECT id FROM taxpayer WHERE tax_id = ?)"
                return f"(d.emitter_id IN {own} OR d.recipient_id IN {own} OR d.taker_id IN {own})", (match.text,) * 3
            listed = lookups.chosen(match, self.spelling) or _NOTHING
            return f"+{self.document_id} IN ({listed.sql})", listed.values
        if not isinstance(match, Group):
            return self.filters(match)
        inner = [self.condition(part) for part in match.parts]
        values: tuple[Any, ...] = tuple(value for _, given in inner for value in given)
        if match.joint == "not":
            return f"coalesce(NOT ({inner[0][0]}), 1)", values  # of a column without a value it is unknown what it is
        return "(" + f" {match.joint.upper()} ".join(condition for condition, _ in inner) + ")", values


def _words_of_few(part: Lookup, picking: IdSelect, spelling: Spelling) -> Condition:
    """Words are read through once; only those of the few documents are put by."""
    listed = lookups.chosen(part, spelling) or _NOTHING
    return f"+d.id IN ({listed.sql} AND +rowid IN ({picking.sql}))", (*listed.values, *picking.values)


def _ids(match: Match, spelling: Spelling) -> IdSelect | None:
    """The ids of all documents that meet `match`, where they can be listed without reading every document."""
    if isinstance(match, Lookup):
        return lookups.chosen(match, spelling) or _NOTHING
    if isinstance(match, Group) and match.joint == "or":
        parts = [_ids(part, spelling) for part in match.parts]
        known = [part for part in parts if part is not None]
        if len(known) == len(parts):
            return IdSelect(
                " UNION ALL ".join(part.sql for part in known), tuple(value for part in known for value in part.values)
            )
    return None


def _is_worded(match: Match) -> bool:
    return match.kind in _WORDS if isinstance(match, Lookup) else True
