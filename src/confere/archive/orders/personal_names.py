"""Whether what somebody wrote, such as the name of a saved search or a tag, names a person."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Final

from confere.system.plain_text import folded_words

_DIGITS: Final = 8  # of a number that names somebody
_WORD: Final = re.compile(r"[^\W_]+")  # without the quotes of a search, a comma or a colon behind it
_MASK: Final = re.compile(r"(?<=\d)[./-](?=\d)")


def telling(names: Collection[str]) -> list[str]:
    """Of these what names one person by itself: no first name alone, no number of a house."""
    return [name for name in names if " " in name or "@" in name or sum(map(str.isdigit, name)) >= _DIGITS]


def named_in(texts: Sequence[str], names: Collection[str]) -> bool:
    """Whether one of these texts holds one of these names, tax ids or addresses of a person.

    A name is found in whatever case and without its middle parts, a tax id with any mask.
    """
    return any(_is_named(texts, name) for name in names)


def _is_named(texts: Sequence[str], name: str) -> bool:
    digits = "".join(filter(str.isdigit, name))
    if len(digits) >= _DIGITS and any(digits in _MASK.sub("", text) for text in texts):
        return True
    parts = _WORD.findall(folded_words(name))
    if "@" in name or " " not in name.strip() or len(parts) < 2:
        return any(folded_words(name) in folded_words(text) for text in texts)
    return any({parts[0], parts[-1]} <= set(_WORD.findall(folded_words(text))) for text in texts)
