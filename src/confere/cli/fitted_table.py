"""A table that fits any terminal: texts wrap between words, columns without room go to a second line of their row.

A number, a date, an amount, a CNPJ or a key is never broken: people copy it, and half of it is another value.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING

from rich.cells import cell_len, chop_cells
from rich.text import Text

from confere.system.plain_text import plain

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult

    Cell = str | Text

_GAP = 2
_INDENT = 2
_BETWEEN_FOLDED = 3
_NARROWEST_TEXTS = (16, 14, 12)
"""How narrow a text may get before columns are folded away; the first that leaves the most columns."""
_VALUE = re.compile(
    r"-?R\$ ?-?[\d.,]+"
    r"|\d{2}/\d{2}/\d{4} \d{2}:\d{2}(?::\d{2})?|\d{4}-\d{2}-\d{2} \d{2}:\d{2}(?::\d{2})?"
    r"|[+-]?[\d.,]+ (?:%|[kMG]?B)"
    r"|(?:NF-?e|NFC-?e|CT-?e|MDF-?e) \d+/\d+"
)
"""Values with a blank in them that belong together."""
_HARD_BLANK = "\u00a0"


class FittedTable:
    """Headers and rows; rich prints it as wide as the console is. The columns `right` are figures."""

    def __init__(self, headers: Sequence[str], rows: Iterable[Sequence[Cell]], right: Sequence[int] = ()) -> None:
        self._headers = [Text(plain(header), style="bold") for header in headers]
        self._right = frozenset(right)
        self._rows = [tuple(_text(cell) for _, cell in zip_longest(headers, row, fillvalue="")) for row in rows]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if self._headers:
            yield from self._lines(options.max_width)

    def _lines(self, room: int) -> Iterator[Text]:
        widest = [self._over(place, _widest) for place in range(len(self._headers))]
        least = [self._over(place, _longest_word) for place in range(len(self._headers))]
        wishes = [
            [max(low, min(high, narrowest)) for low, high in zip(least, widest, strict=True)]
            for narrowest in _NARROWEST_TEXTS
        ]
        kept, wished = max(((_columns_within(each, room), each) for each in wishes), key=lambda pair: len(pair[0]))
        folded = [place for place in range(len(self._headers)) if place not in kept]
        widths = _shared_out([wished[place] for place in kept], [widest[place] for place in kept], room)
        yield from self._beside_each_other(self._headers, kept, widths)
        for row in self._rows:
            yield from self._beside_each_other(row, kept, widths)
            yield from self._folded(row, folded, room)

    def _over(self, place: int, measured: Callable[[Text], int]) -> int:
        return max(measured(row[place]) for row in (self._headers, *self._rows))

    def _beside_each_other(self, row: Sequence[Text], kept: Sequence[int], widths: Sequence[int]) -> Iterator[Text]:
        wrapped = [_wrapped(row[place], width) for place, width in zip(kept, widths, strict=True)]
        for parts in zip_longest(*wrapped, fillvalue=Text()):
            line = Text()
            for place, part, width in zip(kept, parts, widths, strict=True):
                space = " " * max(width - cell_len(part.plain), 0)
                line.append(space if place in self._right else "")
                line.append_text(part)
                line.append("" if place in self._right else space)
                line.append(" " * _GAP)
            line.rstrip()
            yield line

    def _folded(self, row: Sequence[Text], places: Sequence[int], room: int) -> Iterator[Text]:
        """What had no column: each value behind its header, as many on a line as fit; empty ones are left out."""
        line = Text()
        inside = max(room - _INDENT, 1)
        for place in places:
            header, cell = self._headers[place], row[place]
            if not cell.plain.strip():
                continue
            part = Text.assemble((f"{header.plain}: ", "dim") if header.plain else "", cell)
            between = _BETWEEN_FOLDED if line else 0
            if line and cell_len(line.plain) + between + cell_len(part.plain) > inside:
                yield _indented(line)
                line, between = Text(), 0
            line.append(" " * between)
            line.append_text(part)
            *whole, line = _wrapped(line, inside)
            yield from map(_indented, whole)
        if line:
            yield _indented(line)


def _columns_within(wished: Sequence[int], room: int) -> list[int]:
    """The columns that fit beside each other: the first in any case, then each that still has room."""
    kept, taken = [0], wished[0]
    for place in range(1, len(wished)):
        if taken + _GAP + wished[place] <= room:
            kept.append(place)
            taken += _GAP + wished[place]
    return kept


def _shared_out(wished: Sequence[int], widest: Sequence[int], room: int) -> list[int]:
    """The width of each column: what it wishes, and of what is over an equal share, or all that it lacks."""
    widths = list(wished)
    over = room - sum(widths) - _GAP * (len(widths) - 1)
    if over < 0:  # the first column alone is wider than the terminal
        return [max(room, 1)]
    missing = [high - low for high, low in zip(widest, widths, strict=True)]
    for after, place in enumerate(sorted(range(len(widths)), key=lambda place: missing[place])):
        # Those that lack the least come first: what they do not need of an equal share goes on to the others.
        share = min(missing[place], over // (len(widths) - after))
        widths[place] += share
        over -= share
    return widths


def _text(cell: Cell) -> Text:
    """The cell with the blanks inside its values made hard, so that no line ends there."""
    if isinstance(cell, Text):
        return cell
    return Text(_VALUE.sub(lambda match: match[0].replace(" ", _HARD_BLANK), plain(cell)))


def _widest(cell: Text) -> int:
    return cell_len(cell.plain)


def _longest_word(cell: Text) -> int:
    return max(map(cell_len, cell.plain.split(" ")))


def _wrapped(cell: Text, width: int) -> list[Text]:
    """Its lines, none longer than `width`; a word is broken only where it is longer than that by itself."""
    lines = [cell] if cell_len(cell.plain) <= width else cell.divide(_line_starts(cell.plain, width))
    made = [_with_usual_blanks(line) for line in lines]
    for line in made:
        line.rstrip()
    return made


def _line_starts(text: str, width: int) -> list[int]:
    """Where each line but the first begins. Rich's own way breaks at hard blanks too."""
    starts: list[int] = []
    taken = 0
    for match in re.finditer(r"[^ ]+ *", text):
        start, length = match.start(), cell_len(match[0].rstrip(" "))
        if taken and taken + length > width:
            starts.append(start)
            taken = 0
        if length > width:
            pieces = chop_cells(match[0].rstrip(" "), width)
            for piece in pieces[:-1]:
                start += len(piece)
                starts.append(start)
            taken = cell_len(pieces[-1]) + len(match[0]) - len(match[0].rstrip(" "))
        else:
            taken += cell_len(match[0])
    return starts


def _with_usual_blanks(line: Text) -> Text:
    """A copy; hard blanks did their work when the lines were broken, what is copied has the usual ones."""
    line = line.copy()
    if _HARD_BLANK in line.plain:
        line.plain = line.plain.replace(_HARD_BLANK, " ")
    return line


def _indented(line: Text) -> Text:
    return Text(" " * _INDENT) + line
