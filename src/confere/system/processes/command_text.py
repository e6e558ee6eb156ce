"""Commands as text to copy into a shell: quoted so that PowerShell, cmd and a POSIX shell take each word whole."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterable
from typing import Final

_PLAIN: Final = re.compile(r"[\w./:+-][\w./:=+-]*")
_PLAIN_ON_WINDOWS: Final = re.compile(r"[\w./:+\\-][\w./:=+\\-]*")
# What some shell reads within double quotes: variables, escapes, history, and the curly quotes that end PowerShell's.
_READ_IN_QUOTES: Final = re.compile(r'["$`\\!“”„\x00-\x1f]')
_READ_BY_POWERSHELL: Final = re.compile(r'["$`“”„]')
_SINGLE_QUOTES: Final = re.compile("['‘’‚‛]")  # each of them ends a text in PowerShell's single quotes
_LAST_BACKSLASHES: Final = re.compile(r"\\+$")


def command_text(words: Iterable[str]) -> str:
    """The words of a command as one line."""
    return " ".join(map(argument, words))


def arguments(words: Iterable[str]) -> str:
    """Words to choose one of, with commas between them."""
    return ", ".join(map(argument, words))


def argument(text: str, *, windows: bool = os.name == "nt") -> str:
    """`text` as one word of a command line.

    Plain words stand bare, and what double quotes keep whole in every shell stands in them. Of what is left a POSIX
    shell gets single quotes. On Windows PowerShell gets them for `$`, a backtick or a quote, for which no spelling
    works in cmd too; cmd puts in a variable for %NAME% whatever the quotes.
    """
    if (_PLAIN_ON_WINDOWS if windows else _PLAIN).fullmatch(text):
        return text
    if not _READ_IN_QUOTES.search(text):
        return f'"{text}"'
    if not windows:
        return shlex.quote(text)
    if _READ_BY_POWERSHELL.search(text):
        return f"'{_SINGLE_QUOTES.sub(lambda found: found[0] * 2, text)}'"
    # A program reads a backslash before the closing quote as that quote's escape, two as one backslash.
    return f'"{_LAST_BACKSLASHES.sub(lambda found: found[0] * 2, text)}"'
