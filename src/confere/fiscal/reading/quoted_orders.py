"""Numbers of orders that people and programs write into a paper's notes: what has the form of one.

Which of them names an order is for whoever knows the orders; here only what is surely something else is left out:
access keys, tax ids, postal codes, telephones, days, amounts, NCM and laws, by their form.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterable
from typing import Final

MOST: Final = 30
"""Distinct ones of a paper."""

_LONGEST_TEXT: Final = 20_000  # characters of notes; the layout allows 5,000
_LONGEST: Final = 40
# A word from its first digit on, and the decimals behind a comma that make it an amount.
_FROM_DIGIT: Final = re.compile(r"[0-9][0-9A-Za-z./-]{3,}(,[0-9]{2}(?![0-9]))?", re.ASCII)
_BEFORE_DIGIT: Final = re.compile(r"[A-Za-z./-]*$", re.ASCII)
_FOUR_DIGITS: Final = re.compile(r"(?:[^0-9]*[0-9]){4}")
_INSIDE: Final = frozenset(string.ascii_letters + "./-")
_ABBREVIATION: Final = re.compile(r"\A[A-Za-z]{1,10}\.(?=[0-9A-Za-z])")  # `Ped.1234567`
_OTHER: Final = re.compile(
    r"[0-9A-Z]{2}\.?[0-9A-Z]{3}\.?[0-9A-Z]{3}/[0-9A-Z]{4}-?[0-9]{2}"  # CNPJ
    r"|[0-9]{3}\.[0-9]{3}\.[0-9]{3}-?[0-9]{2}"  # CPF
    r"|[0-9]{2}\.?[0-9]{3}-[0-9]{3}"  # CEP
    r"|[0-9]{4,5}-[0-9]{4}"  # telephone
    r"|[0-9]{1,2}[./-][0-9]{1,2}(?:[./-](?:[0-9]{2}){1,2}(?:T.*)?)?"  # day
    r"|(?:19|20)[0-9]{2}[./-][0-9]{1,2}[./-][0-9]{1,2}(?:T.*)?"
    r"|[0-9]{1,2}/(?:19|20)[0-9]{2}"  # month
    r"|[0-9]+\.[0-9]{1,2}|[0-9]{1,3}(?:\.[0-9]{3})+"  # amount
    r"|[0-9]{4}\.[0-9]{2}\.[0-9]{2}"  # NCM
    r"|(?:[0-9]{1,3}|[0-9]{1,2}\.?[0-9]{3})/(?:19|20)?[0-9]{2}"  # law
)


def quoted_in(texts: Iterable[str | None]) -> tuple[str, ...]:
    """Words of at least five characters with at least four digits in these notes, each once, in their order."""
    found: dict[str, None] = {}
    for text in texts:
        if not text:
            continue
        for match in _FROM_DIGIT.finditer(text, 0, _LONGEST_TEXT):
            if match[1] is not None:  # with decimals behind a comma it is an amount
                continue
            for word in _words(text, match.start(), match[0]):
                found[word] = None
            if len(found) >= MOST:
                return tuple(found)[:MOST]
    return tuple(found)


def _words(text: str, start: int, word: str) -> Iterable[str]:
    """The word that goes on from its first digit, at `start`, as `word`; and what it may be made of."""
    if start and text[start - 1] in _INSIDE:
        begun = _BEFORE_DIGIT.search(text, max(0, start - _LONGEST), start)
        word = _ABBREVIATION.sub("", (begun[0] if begun else "").lstrip("./-") + word, count=1)
    word = word.rstrip("./-")
    if not _is_one(word):
        return ()
    if "/" not in word:
        return (word,)
    # Two numbers side by side, or one with a slash in it.
    return (word, *(part for part in word.split("/") if _is_one(part)))


def _is_one(word: str) -> bool:
    if not 5 <= len(word) <= _LONGEST:
        return False
    return word.isdigit() or (_FOUR_DIGITS.match(word) is not None and _OTHER.fullmatch(word) is None)
