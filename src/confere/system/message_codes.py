"""The codes under which sentences are stored: a sentence may be reworded, what was stored under its code stays.

`resources/locale/codes.json` has them: `sentences` maps each code to its English text, which is its id in the
catalogues; `former` maps earlier English texts to their codes, for archives that were written with texts.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from confere.errors import Bug, message
from confere.system.files import system_words
from confere.system.resources import resource

MARK = "@"
"""Begins a code where it is stored; a text that begins so by itself is stored with two of them."""


class _Codes(NamedTuple):
    by_sentence: dict[str, str]
    sentences: dict[str, str]


def stored_id(sentence: str) -> str:
    """What is stored for the English text of a sentence: its code after `MARK`, or the text where it has none.

    Texts without a code are not sentences of ours: the words of a library, or of an older release.
    """
    code = _codes().by_sentence.get(sentence)
    if code is not None:
        return MARK + code
    return MARK + sentence if sentence.startswith(MARK) else sentence


def sentence_id(stored: str) -> str:
    """The English text for what `stored_id` gave; an unknown code, of a newer release, stands for itself."""
    if not stored.startswith(MARK):
        return stored
    rest = stored[1:]
    return rest if rest.startswith(MARK) else _codes().sentences.get(rest, rest)


def sentences() -> Mapping[str, str]:
    """The English text of the sentence of each code."""
    return _codes().sentences


@cache
def _codes() -> _Codes:
    file = resource("locale", "codes.json")
    try:
        told = json.loads(file.read_text(encoding="utf-8"))
        sentences: dict[str, str] = told["sentences"]
        return _Codes({text: code for code, text in sentences.items()} | told["former"], sentences)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise Bug(
            message(
                "The list of sentences {path} cannot be read: {reason}", path=str(file), reason=system_words.why(error)
            )
        ) from error
