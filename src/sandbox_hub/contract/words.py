"""A sentence of the contract in each of its languages."""

from __future__ import annotations

from typing import Any, NamedTuple

FALLBACK = "pt-BR"
LANGUAGES = (FALLBACK, "en", "es")


class Words(NamedTuple):
    """One sentence in the three languages of the contract."""

    pt: str
    en: str
    es: str

    def into(self, language: str) -> str:
        """The sentence in one of LANGUAGES."""
        return self[LANGUAGES.index(language)]


def localized(content: Any, language: str) -> Any:
    """A copy of a tree of dicts and lists in which every Words is its sentence in `language`."""
    if isinstance(content, Words):
        return content.into(language)
    if isinstance(content, dict):
        return {name: localized(value, language) for name, value in content.items()}
    if isinstance(content, list | tuple):
        return [localized(value, language) for value in content]
    return content
