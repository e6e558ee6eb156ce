"""What each column may hold beyond its type: the shape of its JSON, the words it knows, the range of its numbers.

Looked at where something went wrong over an archive: a value outside of these was written by nobody, whoever put it
there. It may be stricter than what a reader of rows takes, never stricter than what is written.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from datetime import date, datetime
from enum import Enum
from typing import Any, Final

from sqlalchemy import BigInteger, Column, Integer, LargeBinary, Table, Text

from confere.archive.schema.schema import metadata
from confere.archive.vault.vault import Family
from confere.fiscal.model import DocumentType, State
from confere.fiscal.operations import Operation
from confere.sales.findings import FindingState, Severity
from confere.sales.links import LinkKind

Check = Callable[[Any], bool]
"""Whether a value that is not NULL, with text as its bytes, may stand in a column."""

_LARGEST: Final = 1 << 48  # of ids and counts: none is near, and sums of them stay whole numbers of SQLite
_DEAREST: Final = 10**16  # centavos
_DEEPEST: Final = 60  # levels of JSON


def _is_object(value: Any) -> bool:
    return isinstance(value, dict)


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(part, str) for part in value)


def _is_pairs(value: Any) -> bool:
    return isinstance(value, list) and all(_is_texts(part) and len(part) == 2 for part in value)


def _is_phrase(value: Any) -> bool:
    return _is_texts(value) and bool(value)


def _is_phrases(value: Any) -> bool:
    """Phrases by their numbers with what fills their blanks (`shared_phrases`)."""
    return isinstance(value, list) and all(
        isinstance(part, list) and bool(part) and isinstance(part[0], int) and part[0] > 0 for part in value
    )


def _is_sentence(value: Any) -> bool:
    if not isinstance(value, dict):
        return isinstance(value, str)
    return isinstance(value.get("id"), str) and isinstance(value.get("params"), dict)


def _is_sentences(value: Any) -> bool:
    return isinstance(value, list) and all(_is_sentence(part) for part in value)


_JSON: Final[dict[tuple[str, str], Check]] = {
    ("account", "facts"): _is_object,
    ("account", "preferences"): _is_object,
    ("act", "detail"): _is_object,
    ("catalog_name", "choices"): _is_texts,
    ("catalog_sku", "variations"): _is_pairs,
    ("declaration", "marketplaces"): _is_texts,
    ("document", "warnings"): _is_pairs,
    ("event", "warnings"): _is_pairs,
    ("explained_difference", "evidence"): _is_sentences,
    ("explained_difference", "keys"): _is_texts,
    ("explained_difference", "orders"): _is_texts,
    ("finding", "evidence"): _is_sentences,
    ("finding", "keys"): _is_texts,
    ("finding", "orders"): _is_texts,
    ("link", "evidence"): _is_phrases,
    ("phrase", "text"): _is_phrase,
    ("run", "counts"): _is_object,
    ("run", "parameters"): _is_object,
    ("saved_search", "filters"): _is_object,
    ("suggestion", "agrees"): _is_sentences,
    ("suggestion", "differs"): _is_sentences,
    ("tie", "keys"): _is_texts,
    ("tie", "orders"): _is_texts,
}
_EMPTY_TOO: Final = {("document", "warnings"), ("event", "warnings"), ("run", "counts"), ("account", "preferences")}
_WORDS: Final[dict[tuple[str, str], type[Enum]]] = {
    ("document", "type"): DocumentType,
    ("document", "state"): State,
    ("content", "family"): Family,
    ("finding", "state"): FindingState,
    ("finding", "severity"): Severity,
    ("finding_act", "from_state"): FindingState,
    ("finding_act", "to_state"): FindingState,
    ("link", "kind"): LinkKind,
}
_FURTHER: Final[dict[tuple[str, str], Collection[str | int]]] = {
    ("document", "operation"): {word.value for word in Operation} | {"voiding", "other"},
    ("belonging", "direction"): {"in", "out", ""},
}
_OURS: Final = {  # their moments nobody else wrote
    "account", "account_root", "act", "audit", "catalog_push", "closing", "coverage", "declaration", "document_tag",
    "finding", "finding_act", "hub_record", "order_version", "run", "saved_search", "signoff", "tag", "vault_check",
    "vault_damage",
}  # fmt: skip
_DIGESTS: Final = {"digest_head"}  # any 64 bits
_MONTHS: Final = {("closing", "month"), ("declaration", "month"), ("signoff", "month")}


def checks_of(table: str) -> tuple[Check, ...]:
    """For each column of a table, in order, what tells a value that may be there from one that nobody wrote."""
    return tuple(_check_of(metadata.tables[table], column) for column in metadata.tables[table].columns)


def _check_of(table: Table, column: Column[Any]) -> Check:
    place = (table.name, column.name)
    if place in _JSON:
        return _json_of(_JSON[place], may_be_empty=place in _EMPTY_TOO)
    if place in _WORDS:
        return _one_of({member.value for member in _WORDS[place]})
    if place in _FURTHER:
        return _one_of(_FURTHER[place])
    if isinstance(column.type, Integer):
        return _number_of(column)
    if isinstance(column.type, LargeBinary):
        return lambda value: isinstance(value, bytes)
    if isinstance(column.type, Text):
        if place in _MONTHS:
            return _is_month
        if table.name in _OURS and (column.name == "at" or column.name.endswith("_at")):
            return _is_moment
        return _is_text
    return lambda _: True


def _number_of(column: Column[Any]) -> Check:
    if column.name in _DIGESTS:
        return lambda value: isinstance(value, int)
    if isinstance(column.type, BigInteger):
        return lambda value: isinstance(value, int) and abs(value) <= _DEAREST
    if column.name == "id" or column.name.endswith("_id"):
        return lambda value: isinstance(value, int) and 0 <= value <= _LARGEST
    if column.name.startswith("is_"):
        return lambda value: value in (0, 1)
    return lambda value: isinstance(value, int) and abs(value) <= _LARGEST


def _one_of(words: Collection[str | int]) -> Check:
    known = {word.encode() if isinstance(word, str) else word for word in words}
    return known.__contains__


def _json_of(has_shape: Check, *, may_be_empty: bool) -> Check:
    def is_sound(value: Any) -> bool:
        if value == b"":
            return may_be_empty
        try:
            read = json.loads(value)
        except (ValueError, TypeError, RecursionError):
            return False
        return has_shape(read) and not _is_deep(value)

    return is_sound


def _is_text(value: Any) -> bool:
    if not isinstance(value, bytes):
        return False
    try:
        value.decode()
    except UnicodeDecodeError:
        return False
    return not _is_deep(value)


def _is_deep(text: bytes) -> bool:
    """Whether it is brackets within brackets beyond any JSON that is written: readers of JSON end at some depth."""
    if text[:1] not in (b"[", b"{"):
        return False
    return min(text.count(b"[") + text.count(b"{"), text.count(b"]") + text.count(b"}")) > _DEEPEST and _depth(text)


def _depth(text: bytes) -> bool:
    depth = 0
    for byte in text:
        depth += (byte in b"[{") - (byte in b"]}")
        if depth > _DEEPEST:
            return True
    return False


def _is_moment(value: Any) -> bool:
    try:
        datetime.fromisoformat(value.decode())
    except (ValueError, AttributeError):
        return bool(value == b"")
    return True


def _is_month(value: Any) -> bool:
    try:
        date.fromisoformat(f"{value.decode()}-01")
    except (ValueError, AttributeError):
        return False
    return True
