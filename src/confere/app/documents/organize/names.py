"""The names that people give to searches and tags: what one may be, and what to say of one that is not there."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Final

from confere.errors import Message, UsageFault, message
from confere.system.plain_text import folded_words

LONGEST: Final = 60
"""Characters of a name."""
_NEAR: Final = 3  # names that are offered in place of one
_MOST: Final = 12  # names that are listed
_PARTING: Final = ',"“”'
"""What parts or quotes values in the search language, where a tag's name has to stand."""


def compared(name: str) -> str:
    """The name as names are compared: without accents, in one case, with single blanks."""
    return folded_words(name)


def checked(name: str, *, in_searches: bool = False) -> str:
    """The name as it is kept: without needless blanks. `UsageFault` where it cannot be one."""
    kept = " ".join(unicodedata.normalize("NFC", name).split())
    if not folded_words(kept):
        raise UsageFault(
            message("The name is empty."), message("Give a name of one to {most} characters.", most=LONGEST)
        )
    if len(kept) > LONGEST:
        raise UsageFault(
            message("A name of {count} characters is too long.", count=len(kept)),
            message("Give a name of one to {most} characters.", most=LONGEST),
        )
    if not kept.isprintable():
        raise UsageFault(message("The name holds characters that cannot be shown."), message("Type it anew."))
    if in_searches and any(sign in kept for sign in _PARTING):
        raise UsageFault(
            message("The name of a tag cannot hold commas or double quotes."),
            message("In a search they part one tag from the next."),
        )
    return kept


def instead_of(name: str, known: Sequence[str], nothing: Message) -> Message:
    """What to give in place of a name that is not there: those like it, or else some that are; `nothing` for none."""
    if not known:
        return nothing
    by_plain = {folded_words(entry): entry for entry in known}
    near = get_close_matches(folded_words(name)[:LONGEST], by_plain, _NEAR, 0.5)
    if near:
        return message("Did you mean {name}?", name=", ".join(by_plain[entry] for entry in near))
    more = "…" if len(known) > _MOST else ""
    return message("There are: {known}.", known=", ".join(known[:_MOST]) + more)
