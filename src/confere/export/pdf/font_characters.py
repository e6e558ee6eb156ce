"""The letters that every PDF reader has without a font being sent along, and what stands for all others."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import Final

from confere.errors import Message, message

ENCODING: Final = "cp1252"
MISSING: Final = "?"
"""What is shown for a letter that these do not have."""

_MEANT: Final = {
    "\u2212": "-",
    "\u2010": "-",
    "\u2011": "-",
    "\u2012": "-",
    "\u2015": "—",
    "\u2192": "->",
    "\u2190": "<-",
    "\u2264": "<=",
    "\u2265": ">=",
    "\u2260": "<>",
    "\u2032": "'",
    "\u2033": '"',
    "\u2028": "\n",
    "\u2029": "\n",
    "\u0131": "i",
    "\u0142": "l",
    "\u0141": "L",
    "\u0111": "d",
    "\u0110": "D",
    "\u20bd": "RUB",
}


def latin(text: str) -> str:
    """`text` in letters of the Windows code page 1252: accents it lacks fall off, letters it lacks become `?`."""
    if text.isascii():
        return text
    try:
        text.encode(ENCODING)
    except UnicodeEncodeError:
        return "".join(map(_letter, text))
    return text


def loses(text: str) -> bool:
    """Whether `latin` cannot show all of `text`."""
    return not text.isascii() and any(_letter(letter) == MISSING and letter != MISSING for letter in text)


def told() -> Message:
    """What to say of a paper that `loses`."""
    return message("Letters that a plain PDF lacks stand in it as {missing}; the XML has them.", missing=MISSING)


@lru_cache(maxsize=4096)
def _letter(letter: str) -> str:
    if _is_there(letter):
        return letter
    if letter in _MEANT:
        return _MEANT[letter]
    if unicodedata.category(letter) in ("Cc", "Cf", "Mn", "Me"):
        return ""  # marks that say how the letters beside them look
    if letter.isspace():
        return " "
    plain = "".join(part for part in unicodedata.normalize("NFKD", letter) if _is_there(part))
    return plain or MISSING


def _is_there(letter: str) -> bool:
    try:
        letter.encode(ENCODING)
    except UnicodeEncodeError:
        return False
    return True
