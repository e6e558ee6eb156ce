"""The language of the search box: words, "phrases" and fields such as `valor>100` or `state:cancelled`.

Names of fields and of their values are understood in Portuguese, English and Spanish at once, with or without
accents. What could be either a field or a word stays a word; what is plainly a field and makes no sense is said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from confere.app.documents.search import search_values as values
from confere.app.documents.search.search_fields import BY_NAME, FIELDS, Field, ValueKind, close_to, ufs
from confere.app.documents.search.search_values import Bounds, Wrong
from confere.archive.documents.search.document_search import DocumentQuery
from confere.errors import Message, message
from confere.system.messages import render
from confere.system.plain_text import folded

_NAME = "[^\\W\\d_](?:\\w|[\u0300-\u036f]|-(?=\\w))*"  # accents may come as characters of their own
_FIELD = re.compile(rf"(?P<name>{_NAME})(?P<gap>\s*)(?P<sign>[<>]=|[<>]|[:=]\s*[<>]=?|[:=])(?P<after>\s*)")
_VALUE = re.compile(r'(?:[^\s"“”]|(?<=[Rr]\$)\s+(?=\d))*')  # a space may stand in R$ 10
_WORD = re.compile(r'[^\s"“”]+')
_QUOTED = re.compile(r'["“”](?P<text>[^"“”]*)(?P<end>["“”]?)')
_SPACE = re.compile(r"\s*")
_SPACE_IN = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class SearchProblem:
    """What is wrong from `start` to `end` (characters of the text) and what would be right."""

    start: int
    end: int
    what: Message


@dataclass(frozen=True, slots=True)
class Parsed:
    """The query of a text; what is named by `problems` has no part in it."""

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
    asked = _Asked(base)
    problems: list[SearchProblem] = []
    for clause in _clauses(text):
        if clause.problem is not None:
            problems.append(SearchProblem(clause.start, clause.end, clause.problem))
        if clause.field is None:
            if clause.value.strip():
                asked.words.append(clause.value.strip())
            continue
        try:
            asked.take(clause.field, clause.name, clause.sign, clause.value)
        except Wrong as wrong:
            problems.append(SearchProblem(clause.start, clause.end, wrong.what))
    return Parsed(asked.query(), tuple(problems))


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


class _Clause(NamedTuple):
    """A word or phrase (`field` None) or a field with its value; `start` and `end` are where a problem would be."""

    start: int
    end: int
    value: str
    field: Field | None = None
    name: str = ""
    sign: str = ""
    problem: Message | None = None


def _clauses(text: str) -> Iterator[_Clause]:
    place = _end(_SPACE, text, 0)
    while place < len(text):
        match = _FIELD.match(text, place)
        if match is not None and _is_field(match, text):
            clause = _field_clause(match, text)
        else:
            clause = _word_clause(text, place)
        yield clause
        place = _end(_SPACE, text, max(clause.end, place + 1))


def _word_clause(text: str, place: int) -> _Clause:
    quoted = _QUOTED.match(text, place)
    if quoted is None:
        end = _end(_WORD, text, place)
        return _Clause(place, end, text[place:end])
    problem = None if quoted["end"] else _open_quote()
    return _Clause(place, quoted.end(), quoted["text"], problem=problem)


def _is_field(match: re.Match[str], text: str) -> bool:
    """Whether it is plainly a field: a name we know or, unknown, close around its sign and no web address."""
    if folded(match["name"]) in BY_NAME:
        return True
    rest = text[match.end() :]
    return not match["gap"] and not match["after"] and match["sign"][0] != "=" and not rest.startswith("//")


def _field_clause(match: re.Match[str], text: str) -> _Clause:
    name, sign = match["name"], _SPACE_IN.sub("", match["sign"])
    if sign[0] in ":=":
        sign = sign[1:] or ":"
    start, end, value, problem = _value(match, text)
    field = BY_NAME.get(folded(name))
    if field is not None:
        return _Clause(start, end, value, field, name, sign, problem)
    close = close_to(name, BY_NAME)
    if close is not None:
        what = message("There is no field {name}; did you mean {close}?", name=name[:40], close=_spoken(close))
    else:
        what = message(
            "There is no field {name}. Put it in quotes to look for the words, or use one of: {known}.",
            name=name[:40],
            known=", ".join(entry.word.here for entry in FIELDS),
        )
    # Nothing is looked for: neither the name nor the value alone was meant.
    return _Clause(match.start(), end, "", problem=what)


def _value(match: re.Match[str], text: str) -> tuple[int, int, str, Message | None]:
    """Where the value begins and ends, the value, and what is wrong with its quotes; without one, the field's place."""
    place = match.end()
    quoted = _QUOTED.match(text, place)
    if quoted is not None:
        problem = None if quoted["end"] else _open_quote()
        return place, quoted.end(), quoted["text"], problem
    end = _end(_VALUE, text, place)
    following = _FIELD.match(text, place)
    if end == place or (match["after"] and following is not None and _is_field(following, text)):
        return match.start(), match.end("sign"), "", None
    return place, end, text[place:end], None


def _spoken(close: str) -> str:
    """`close`, a name without accents, as people write it."""
    return next((word for word in BY_NAME[close].word.every if folded(word) == close), close)


def _open_quote() -> Message:
    return message('This quote has no end: write another " after the last word.')


def _end(pattern: re.Pattern[str], text: str, place: int) -> int:
    match = pattern.match(text, place)
    return place if match is None else match.end()


class _Asked:
    """What the clauses have asked for so far."""

    def __init__(self, base: DocumentQuery) -> None:
        self._base = base
        self._given: dict[str, Any] = {}
        self.words: list[str] = [base.words] if base.words else []

    def query(self) -> DocumentQuery:
        changes = dict(self._given)
        for first, last in (("from_day", "to_day"), ("total_from", "total_to")):
            if not changes.keys() & {first, last}:
                continue
            # A bound of the text beside one of the base that leaves nothing between them: the text was meant.
            low, high = (changes.get(name, getattr(self._base, name)) for name in (first, last))
            if low is not None and high is not None and low > high:
                changes = {first: None, last: None} | changes
        words = " ".join(self.words)
        if self._base.company and "company" in changes and not words:
            words = changes.pop("company")  # somebody else's, within the documents of the base's company
        return replace(self._base, **changes, words=words or None)

    def take(self, field: Field, name: str, sign: str, value: str) -> None:
        """Add a clause; `Wrong` where it makes no sense."""
        if not value.strip():
            raise Wrong(message("{name} needs a value, such as {example}.", name=name, example=field.example))
        if field.kind in (ValueKind.AMOUNT, ValueKind.DAY):
            self._narrow(field.kind, name, sign, value)
            return
        if sign != ":":
            raise Wrong(message("{name} cannot be compared; write {example}.", name=name, example=field.example))
        code = field.word.code
        if code == "state" and folded(name) == "estado" and value.strip().upper() in ufs():
            code = "uf"  # a state of Brazil in Portuguese, the state of a paper in Spanish
            self._set(name, uf=value.strip().upper())
            return
        if field.kind in (ValueKind.ANY_OF, ValueKind.TEXTS):
            found = [part for part in value.split(",") if part.strip()]
            column = _SEVERAL[code]
            chosen = [
                values.choice(name, field, part) if field.kind is ValueKind.ANY_OF else part.strip() for part in found
            ]
            if not chosen:
                raise Wrong(message("{name} needs a value, such as {example}.", name=name, example=field.example))
            self._given[column] = tuple(dict.fromkeys((*self._given.get(column, ()), *chosen)))
            return
        self._set(name, **_single(field, name, value))

    def _narrow(self, kind: ValueKind, name: str, sign: str, value: str) -> None:
        found: Bounds
        if kind is ValueKind.AMOUNT:
            first, last = "total_from", "total_to"
            found = values.amounts(name, sign, value)
        else:
            first, last = "from_day", "to_day"
            found = values.days(name, sign, value)
        changes: dict[str, Any] = {}
        if found.first is not None:
            changes[first] = max(found.first, self._given.get(first, found.first))
        if found.last is not None:
            changes[last] = min(found.last, self._given.get(last, found.last))
        both = self._given | changes
        if first in both and last in both and both[first] > both[last]:
            raise Wrong(message("The range of {name} ends before it begins.", name=name))
        self._given |= changes

    def _set(self, name: str, **changes: Any) -> None:
        for column, value in changes.items():
            if self._given.get(column, value) != value:
                raise Wrong(message("{name} is given twice, and no document can have both.", name=name))
        self._given |= changes


_SEVERAL = {
    "type": "types",
    "state": "states",
    "operation": "operations",
    "marketplace": "marketplaces",
    "verdict": "verdict",
    "ground": "grounds",
    "purpose": "purposes",
    "credit": "credit_types",
    "debit": "debit_types",
    "tag": "tags",
}


def _single(field: Field, name: str, value: str) -> dict[str, Any]:
    """The columns of `DocumentQuery` that a field with one value sets."""
    code, text = field.word.code, value.strip()
    match code:
        case "number":
            series, number = values.number(name, text)
            return {"number": number} if series is None else {"series": series, "number": number}
        case "series":
            return {"series": values.number(name, text)[1]}
        case "cfop":
            return {"cfop": values.digits(name, text, 4, 4)}
        case "ncm":
            return {"ncm": values.digits(name, text, 2, 8)}
        case "key":
            return {"access_key": values.key(text)}
        case "company":
            return {"company": values.tax_id(text)}
        case "direction":
            return {"direction": values.choice(name, field, text)}
        case "uf":
            return {"uf": values.choice(name, field, text)}
        case "warning":
            return {"with_warnings": values.choice(name, field, text) == "yes"}
        case "listed":
            return {"gone": values.choice(name, field, text) == "no"}
        case "finding":
            return {"with_findings": values.choice(name, field, text) == "yes"}
    return {{"order": "order_id", "item": "item_words"}.get(code, code): text}
