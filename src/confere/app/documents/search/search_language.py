"""The language of the search box: words, figures, "phrases" and fields such as `valor>100` or `state:cancelled`.

Names of fields and of their values are understood in Portuguese, English and Spanish at once, with or without
accents. What could be either a field or a word stays a word; what is plainly a field and makes no sense is said.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from confere.app.documents.search import search_grammar, search_tokens
from confere.app.documents.search import search_values as values
from confere.app.documents.search.search_fields import FIELDS, Field, ValueKind, ufs
from confere.app.documents.search.search_grammar import Joined, Misplaced, Parsing
from confere.app.documents.search.search_meaning import Clause, meaning, month_of, open_quote, words_of
from confere.app.documents.search.search_tokens import Token
from confere.app.documents.search.search_values import Bounds, Wrong
from confere.archive.documents.search.document_query import Lookup, Match, both, joined, names_days
from confere.archive.documents.search.document_search import DocumentQuery
from confere.errors import Message, message
from confere.system.messages import render
from confere.system.plain_text import folded


@dataclass(frozen=True, slots=True)
class SearchProblem:
    """What is wrong from `start` to `end` (characters of the text) and what would be right."""

    start: int
    end: int
    what: Message


@dataclass(frozen=True, slots=True)
class Parsed:
    """The query of a text; where there are problems the text has no part in it."""

    query: DocumentQuery
    problems: tuple[SearchProblem, ...] = ()


@dataclass(frozen=True, slots=True)
class FieldHelp:
    """A field for completion and help, in the language in use; `values` where only those can stand."""

    name: str
    synonyms: tuple[str, ...]
    example: str
    explanation: str
    values: tuple[str, ...] = ()


def parse(text: str, base: DocumentQuery) -> Parsed:
    """What `text` asks for within `base`; a field of the text counts more than the same of `base`. Never raises."""
    if not text.strip():
        return Parsed(base)
    try:
        search_grammar.check_length(text)
        tokens = search_tokens.tokens(text)
        problems = _of_signs(tokens, text)
        if problems:
            return Parsed(base, problems)
        read = tuple(token for token in tokens if not search_tokens.is_blank(token))
        if not read:
            return Parsed(base)
        return _understood(search_grammar.parsed(read), base)
    except Misplaced as fault:
        return Parsed(base, (SearchProblem(fault.start, fault.end, fault.what),))


def fields() -> tuple[FieldHelp, ...]:
    """Everything that can stand before a colon."""
    return tuple(
        FieldHelp(
            name=field.word.here,
            synonyms=field.word.every[1:],
            example=field.example,
            explanation=render(Message(field.explanation)),
            values=tuple(word.here for word in field.values),
        )
        for field in FIELDS
    )


def _of_signs(tokens: tuple[Token, ...], text: str) -> tuple[SearchProblem, ...]:
    """Quotes without an end; else a text of signs alone, by which nothing can be looked for."""
    quotes = [place for token in tokens if (place := open_quote(token)) is not None]
    if quotes:
        what = message('This quote has no end: write another " after the last word.')
        return tuple(SearchProblem(start, end, what) for start, end in quotes)
    if all(search_tokens.is_blank(token) for token in tokens):
        what = message("Only letters and digits can be looked for.")
        start, end = (tokens[0].start, tokens[-1].end) if tokens else (0, len(text))
        return (SearchProblem(start, end, what),)
    return ()


def _understood(parsing: Parsing, base: DocumentQuery) -> Parsed:
    asked, problems = _Asked(base), list[SearchProblem]()
    if isinstance(parsing, Token) and parsing.kind == "KIND":
        kind = _match(parsing, problems)
        asked.also(words_of(parsing) if kind is None else joined("or", (kind, words_of(parsing))))
        return Parsed(asked.query(), tuple(problems))
    if isinstance(parsing, Token) and parsing.kind == "MONTH_NAME":
        asked.also(month_of(parsing))
        return Parsed(asked.query())
    _take_all(parsing, asked, problems)
    return Parsed(base, tuple(problems)) if problems else Parsed(asked.query())


def _conjuncts(parsing: Parsing) -> tuple[Parsing, ...]:
    """What all has to hold, parentheses around it opened."""
    if isinstance(parsing, Token) or parsing.joint != "and":
        return (parsing,)
    return tuple(inner for part in parsing.parts for inner in _conjuncts(part))


def _take(token: Token, asked: _Asked, problems: list[SearchProblem]) -> None:
    """Let `token` narrow what is asked for."""
    start, end = token.start, token.end
    try:
        asks = meaning(token)
        if isinstance(asks, Clause):
            start, end = asks.place
            asked.take(asks)
        else:
            asked.also(asks)
    except Wrong as wrong:
        problems.append(SearchProblem(start, end, wrong.what))


def _take_all(parsing: Parsing, asked: _Asked, problems: list[SearchProblem]) -> None:
    """Let all that has to hold narrow what is asked for."""
    for part in _conjuncts(parsing):
        if isinstance(part, Token):
            _take(part, asked, problems)
        else:
            asked.also(_match(part, problems))


def _match(parsing: Parsing, problems: list[SearchProblem]) -> Match | None:
    """The tree of what stands under an "or" or a "not"; None where it is wrong.

    Words and fields side by side mean there what they mean in a search of their own.
    """
    if isinstance(parsing, Joined) and parsing.joint != "and":
        parts = tuple(_match(part, problems) for part in parsing.parts)
        known = tuple(part for part in parts if part is not None)
        return joined(parsing.joint, known) if len(known) == len(parts) else None
    alone = _Asked(DocumentQuery())
    _take_all(parsing, alone, problems)
    return alone.match()


class _Asked:
    """What the pieces have asked for so far."""

    def __init__(self, base: DocumentQuery) -> None:
        self._base = base
        self._given: dict[str, Any] = {}
        self._matching: Match | None = base.matching
        self._names_days = False

    def query(self) -> DocumentQuery:
        changes = dict(self._given)
        for first, last in (("from_day", "to_day"), ("total_from", "total_to")):
            if not changes.keys() & {first, last}:
                continue
            # A bound of the text beside one of the base that leaves nothing between them: the text was meant.
            low, high = (changes.get(name, getattr(self._base, name)) for name in (first, last))
            if low is not None and high is not None and low > high:
                changes = {first: None, last: None} | changes
        if self._names_days:  # a day anywhere in the text counts more than the month in use
            changes = {"from_day": None, "to_day": None} | changes
        matching = self._matching
        if self._base.company and "company" in changes:
            # somebody else's, within the documents of the base's company
            matching = both(matching, Lookup("tax_id", changes.pop("company")))
        return replace(self._base, **changes, matching=matching)

    def match(self) -> Match | None:
        """The same as a part of a tree; None where nothing was asked for."""
        query = self.query()
        company = None if query.company is None else Lookup("tax_id", query.company)
        filters = replace(query, company=None, matching=None)
        return both(both(None if filters == DocumentQuery() else filters, company), query.matching)

    def also(self, match: Match | None) -> None:
        """Whatever is listed meets `match` too. A company in it narrows as the field would."""
        self._matching = both(self._matching, match)
        self._names_days |= names_days(match)

    def take(self, clause: Clause) -> None:
        """Add a clause; `Wrong` where it makes no sense."""
        field, name, value = clause.field, clause.name, clause.value
        if not value.strip():
            raise Wrong(message("{name} needs a value, such as {example}.", name=name, example=field.example))
        if field.kind in (ValueKind.AMOUNT, ValueKind.DAY):
            self._narrow(field, name, clause.sign, value)
            return
        if clause.sign != ":":
            raise Wrong(message("{name} cannot be compared; write {example}.", name=name, example=field.example))
        if field.column == "states" and folded(name) == "estado" and value.strip().upper() in ufs():
            # a state of Brazil in Portuguese, the state of a paper in Spanish
            self._set(name, uf=value.strip().upper())
        elif field.kind in (ValueKind.ANY_OF, ValueKind.TEXTS):
            self._add(field, name, clause.codes or _several(field, name, value))
        else:
            self._set(name, **_single(field, name, value.strip()))

    def _narrow(self, field: Field, name: str, sign: str, value: str) -> None:
        bounds: Bounds
        if field.kind is ValueKind.AMOUNT:
            first, last = f"{field.column}_from", f"{field.column}_to"
            bounds = values.amounts(name, sign, value)
        else:
            first, last = f"from_{field.column}", f"to_{field.column}"
            bounds = values.days(name, sign, value)
        changes: dict[str, Any] = {}
        if bounds.first is not None:
            changes[first] = max(bounds.first, self._given.get(first, bounds.first))
        if bounds.last is not None:
            changes[last] = min(bounds.last, self._given.get(last, bounds.last))
        narrowed = self._given | changes
        if first in narrowed and last in narrowed and narrowed[first] > narrowed[last]:
            raise Wrong(message("The range of {name} ends before it begins.", name=name))
        self._given |= changes

    def _add(self, field: Field, name: str, chosen: tuple[str, ...]) -> None:
        if not chosen:
            raise Wrong(message("{name} needs a value, such as {example}.", name=name, example=field.example))
        self._given[field.column] = tuple(dict.fromkeys((*self._given.get(field.column, ()), *chosen)))

    def _set(self, name: str, **changes: Any) -> None:
        for column, value in changes.items():
            if self._given.get(column, value) != value:
                raise Wrong(message("{name} is given twice, and no document can have both.", name=name))
        self._given |= changes


def _several(field: Field, name: str, value: str) -> tuple[str, ...]:
    parts = (part for part in value.split(",") if part.strip())
    if field.kind is ValueKind.TEXTS:
        return tuple(part.strip() for part in parts)
    return tuple(values.choice(name, field, part) for part in parts)


def _single(field: Field, name: str, text: str) -> dict[str, Any]:
    """The columns of `DocumentQuery` that a field with one value sets."""
    match field.kind:
        case ValueKind.NUMBER:
            series, number = values.number(name, text)
            return {"number": number} if series is None else {"series": series, "number": number}
        case ValueKind.SERIES:
            return {field.column: values.number(name, text)[1]}
        case ValueKind.CFOP:
            return {field.column: values.digits(name, text, 4, 4)}
        case ValueKind.NCM:
            return {field.column: values.digits(name, text, 2, 8)}
        case ValueKind.KEY:
            return {field.column: values.key(text)}
        case ValueKind.TAX_ID:
            return {field.column: values.tax_id(text)}
        case ValueKind.ONE_OF:
            return {field.column: values.choice(name, field, text)}
        case ValueKind.YES_NO:
            return {field.column: values.choice(name, field, text) == "yes"}
        case ValueKind.NO_YES:
            return {field.column: values.choice(name, field, text) == "no"}
    return {field.column: text}
