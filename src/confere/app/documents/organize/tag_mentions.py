"""Saved searches that name a tag, in words or filters: which they are, and the tag called otherwise in them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from confere.app.documents.organize.names import compared
from confere.app.documents.organize.spelling import quoted
from confere.app.documents.search import search_tokens
from confere.app.documents.search.search_fields import BY_NAME
from confere.app.documents.search.search_tokens import Token
from confere.archive.documents.search import saved_searches
from confere.archive.documents.search.saved_searches import SavedSearch
from confere.archive.transaction import Transaction
from confere.system.plain_text import folded

_TAG: Final = "tag"
_TAGS: Final = "tags"
_QUOTES: Final = '"“”'


def naming(transaction: Transaction, name: str) -> tuple[SavedSearch, ...]:
    """The saved searches that name this tag, in whatever case and with or without accents."""
    return tuple(
        saved
        for saved in saved_searches.every(transaction)
        if any(_is(part, name) for token in _tag_fields(saved.words) for part in _values(token))
        or any(_is(part, name) for part in _of_filters(saved.filters))
    )


def rename(transaction: Transaction, old: str, new: str) -> tuple[str, ...]:
    """Write `new` in place of `old` in every saved search; the names of those that changed."""
    changed = naming(transaction, old)
    for saved in changed:
        filters = dict(saved.filters)
        if _of_filters(filters):
            filters[_TAGS] = [new if _is(part, old) else part for part in _of_filters(filters)]
        saved_searches.change(transaction, saved, _renamed(saved.words, old, new), filters)
    return tuple(saved.name for saved in changed)


def _renamed(words: str, old: str, new: str) -> str:
    for token in reversed(_tag_fields(words)):
        values = _values(token)
        if not any(_is(part, old) for part in values):
            continue
        text = quoted(",".join(new if _is(part, old) else part for part in values))
        words = f"{words[: token.value_start]}{text}{words[token.end :]}"
    return words


def _tag_fields(words: str) -> list[Token]:
    """The pieces of the words that ask for tags."""
    return [token for token in search_tokens.tokens(words) if token.kind == "FIELD" and token.value and _is_tag(token)]


def _is_tag(token: Token) -> bool:
    field = BY_NAME.get(folded(token.name))
    return field is not None and field.word.code == _TAG


def _values(token: Token) -> list[str]:
    return [part.strip() for part in token.value.strip(_QUOTES).split(",") if part.strip()]


def _of_filters(filters: Mapping[str, Any]) -> list[str]:
    found = filters.get(_TAGS)
    return [part for part in found if isinstance(part, str)] if isinstance(found, list) else []


def _is(part: str, name: str) -> bool:
    return compared(part) == compared(name)
