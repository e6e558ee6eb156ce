"""The words that an option takes for its values: those on the screen, in every language, beside the codes."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING, Any

from confere.system.messages import in_every_language
from confere.system.plain_text import folded

if TYPE_CHECKING:
    from confere.app.documents.search.search_fields import Word

Words = Callable[[str], tuple[str, ...]]
"""What a code is called: the word of the language in use first, then any other by which it is known."""

_PARTS = re.compile(r"[\s_,-]+")


def of_field(name: str) -> Words:
    """The words that the search's field takes for its values: `situação:cancelada`, `--state cancelada`."""
    from confere.app.documents.search.search_fields import BY_NAME

    return of_words(*BY_NAME[name].values)


def of_words(*words: Word) -> Words:
    """The words of each code, those of the language in use first; a code that has none is its own."""
    every = {word.code: word for word in words}
    return lambda code: every[code].every if code in every else (code,)


def of_labels(labels: Mapping[Any, str]) -> Words:
    """The words that lists show, by the ids of `labels`."""
    return lambda code: in_every_language(labels[code]) if code in labels else (code,)


def listed(codes: Collection[str], words: Words) -> str:
    """The codes in the words of the language in use, as help and refusals name them."""
    return ", ".join(shown(code, words) for code in codes)


def alternatives(codes: Collection[str], words: Words) -> str:
    """The codes in the words of the language in use, as they stand for an option's value in its help."""
    return "|".join(shown(code, words) for code in codes)


def shown(code: str, words: Words) -> str:
    """What a person types for the code, in the language in use."""
    return _PARTS.sub("-", words(code)[0])


def comparable(text: str) -> str:
    """`text` without accents, in one case, its parts joined in one way: `Não autêntica` is `nao-autentica`."""
    return _PARTS.sub("-", folded(text.strip()))
