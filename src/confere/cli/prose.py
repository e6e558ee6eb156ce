"""Breaks sentences at the width of a terminal; what people copy out of them is never cut.

A command in backticks, an access key in groups and a path stay in one piece however narrow the terminal is: it folds
them itself, and what is copied has no line end in it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Final, TextIO

_USUAL_WIDTH: Final = 80
_LEAST_WIDTH: Final = 20
_MOST_INDENT: Final = 8
_PIECE: Final = re.compile(
    r"""(?: `[^`\n]*`                                           # a command, a name
    | (?<![0-9A-Z]) [0-9A-Z]{4} (?:\ [0-9A-Z]{4}){10} (?![0-9A-Z])  # an access key as it stands on paper
    | (?<!\S) confere (?:\ [a-z][a-z-]*){1,3} (?:\ --[a-z-]+)?      # a command without its options
    | (?<![^\s"'(«“]) (?:[A-Za-z]:\\ | \\\\ | ~?/)[^\s`]*           # a path, with spaces in its folders
      (?:\ (?:[^\s\\/]+\ ){0,3} [^\s\\/]+ [\\/] [^\s`]*)*
    | [^\s`] | `
    )+""",
    re.VERBOSE,
)
# Alone on its line: a command, a path, a comment between commands.
_WHOLE_LINE: Final = re.compile(r"\s*(?:confere\s|[A-Za-z]:\\|\\\\|~?/|#\s)")


def width_of(stream: TextIO) -> int:
    """The columns of the terminal behind `stream`, as `COLUMNS` or the terminal says."""
    wanted = os.environ.get("COLUMNS", "")
    if wanted.isdecimal() and int(wanted):
        return max(_LEAST_WIDTH, int(wanted))
    with suppress(OSError, ValueError):
        return max(_LEAST_WIDTH, os.get_terminal_size(stream.fileno()).columns or _USUAL_WIDTH)
    return _USUAL_WIDTH


def wrapped(text: str, width: int) -> str:
    """`text` with each of its lines broken at spaces, further ones indented as the line is."""
    return "\n".join(
        f"{indent}{line[start:end]}" for line in text.split("\n") for indent, start, end in breaks(line, width)
    )


def breaks(line: str, width: int) -> Iterator[tuple[str, int, int]]:
    """The stretches of one line that fit `width`, each with what stands before it; only spaces are left out."""
    from rich.cells import cell_len

    if cell_len(line) <= width or _WHOLE_LINE.match(line):
        yield "", 0, len(line)
        return
    indent = line[: min(len(line) - len(line.lstrip(" ")), _MOST_INDENT)]
    start, end, before = 0, 0, ""
    for piece in _PIECE.finditer(line):
        if end > start and cell_len(before) + cell_len(line[start : piece.end()]) > width and line[start:end].strip():
            yield before, start, end
            start, before = piece.start(), indent
        end = piece.end()
    yield before, start, end
