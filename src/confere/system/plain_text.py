"""Text from documents, hubs and files as it may be shown: nothing in it commands a terminal, a window or a spreadsheet.

Control characters, marks that turn the direction of what follows, and the separators that fake a new line become
visible or blank; everything else stays as it was written.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import Final

_TURNING: Final = (0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))
"""Marks and overrides of the direction of writing."""
_COMMANDS: Final = (*range(0x20), *range(0x7F, 0xA0), *_TURNING, 0x2028, 0x2029, *range(0xD800, 0xE000))
_VISIBLE: Final = dict.fromkeys(_COMMANDS, "\ufffd")
_IN_LINES: Final = {number: sign for number, sign in _VISIBLE.items() if number not in (0x09, 0x0A)}
_IN_ONE: Final = _VISIBLE | dict.fromkeys((0x09, 0x0A, 0x0D, 0x2028, 0x2029), " ")
_FORMULA: Final = tuple("=+-@\uff1d\uff0b\uff0d\uff20\"'")
"""What may begin a formula: signs, their wide twins, and quotes, which a spreadsheet takes off first."""
_AMOUNT: Final = re.compile(r"[+-][0-9]+(?:[.,][0-9]+)?", re.ASCII)


def plain(text: object, *, lines: bool = False) -> str:
    """`text` with nothing in it that acts: one line, or its own lines and tabs where `lines` are wanted."""
    return str(text).translate(_IN_LINES if lines else _IN_ONE)


def plain_json(text: str) -> str:
    """JSON with the same value in which everything that could act on a terminal is escaped (`\\u202e`)."""
    return _acting().sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def cell(text: str) -> str:
    """`text` as one cell of a spreadsheet: never a formula, also where it comes from the clipboard or a CSV file."""
    clean = " ".join(plain(text).split())
    # A minus may begin an amount; what a stranger wrote into a name must not become a formula.
    return f"'{clean}" if clean.startswith(_FORMULA) and _AMOUNT.fullmatch(clean) is None else clean


def folded(text: str) -> str:
    """`text` without accents and in one case: how what people type is compared."""
    split = unicodedata.normalize("NFKD", text)
    return "".join(character for character in split if not unicodedata.combining(character)).casefold()


def folded_words(text: str) -> str:
    """As `folded`, with one blank between the words and none around them."""
    return " ".join(folded(text).split())


def ascii_letters(text: str) -> str:
    """The characters of `text` that ASCII has, without their accents."""
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()


@cache
def _acting() -> re.Pattern[str]:
    """Thousands of characters, which take longer to compile than the rest of the module: when JSON is printed."""
    return re.compile(f"[{''.join(map(chr, sorted({*_COMMANDS} - {0x09, 0x0A, 0x0D})))}]")
