"""Plain text tables: the least that a report for people needs."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence

WIDTH = 118


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Columns as wide as their widest cell; numbers to the right, and no number where it would be zero."""
    cells = [[("" if cell == 0 and not isinstance(cell, str) else str(cell)) for cell in row] for row in rows]
    widths = [max(len(row[column]) for row in (list(head), *cells)) for column in range(len(head))]
    lines = [line(head, widths, ["<", *">" * (len(head) - 1)])]
    lines.append("  ".join("-" * width for width in widths))
    return "\n".join([*lines, *(line(row, widths, ["<", *">" * (len(head) - 1)]) for row in cells)])


def line(cells: Sequence[str], widths: Sequence[int], sides: Sequence[str]) -> str:
    return "  ".join(f"{cell:{side}{width}}" for cell, width, side in zip(cells, widths, sides, strict=True)).rstrip()


def paragraph(text: str, indent: str) -> str:
    """`text` wrapped to the report's width, every line behind `indent`."""
    return textwrap.fill(
        text, WIDTH, initial_indent=indent, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def short(text: str, most: int = 60) -> str:
    """`text` with its middle left out where it is long."""
    return text if len(text) <= most else f"{text[: most - 20]} … {text[-16:]}"
