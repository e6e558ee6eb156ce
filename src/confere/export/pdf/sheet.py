"""A sheet of paper to write on from top to bottom: titles, fields in columns, tables, words; it turns pages by itself.

Text is measured and broken here, not by the library's cells, which take twenty times as long: a note of 990 items
with all their taxes is some hundred pages.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from confere.errors import PaperError, message
from confere.export.pdf import font_characters

if TYPE_CHECKING:
    from fpdf import FPDF

MARGIN: Final = 12.0  # millimetres, as all lengths here
WIDTH: Final = 210.0 - 2 * MARGIN
_TOP: Final = 16.0
_BOTTOM: Final = 297.0 - 14.0
_GAP: Final = 2.0
_POINT: Final = 0.3528  # millimetres
_LEADING: Final = 1.18
_FONT: Final = "Helvetica"
_GREY: Final = 95
_LINE: Final = 200
_SHADE: Final = 240
_USUAL_WIDTH: Final = 556.0  # of a figure
_LONGEST_TEXT: Final = 200_000  # characters of one text; beyond it is cut, and says so
_MOST_PAGES: Final = 2000  # a note of 990 items has some hundred
_CUT: Final = " […]"

Field = tuple[str, str]
"""A label and what stands under it."""


@dataclass(frozen=True, slots=True)
class PdfColumn:
    """`share` of the width; numbers stand on the `right`."""

    title: str
    share: float
    right: bool = False


class PdfSheet:
    """`title` stands at the top of every page after the first, with the number of the page.

    Whatever writes raises `PaperError` where there is no end of pages.
    """

    def __init__(self, title: str) -> None:
        from fpdf import FPDF

        self._title = font_characters.latin(title)
        self._widths: dict[str, _Widths] = {}
        self.pdf: FPDF = FPDF("P", "mm", "A4")
        self.pdf.core_fonts_encoding = font_characters.ENCODING
        self.pdf.set_margin(MARGIN)
        self.pdf.set_auto_page_break(False)
        self.pdf.alias_nb_pages("")
        self.pdf.add_page()
        self.lost = False  # whether a letter could not be shown
        self.y = MARGIN
        self._table: Sequence[PdfColumn] = ()
        self._size, self._bold, self._grey = 0.0, False, 0

    def finish(self) -> None:
        """Number the pages: once, when all is written."""
        count = self.pdf.pages_count
        for number in range(1, count + 1):
            self.pdf.page = number
            self.pdf.set_font("Courier", "", 1)  # a page is told of a font only when it changes
            self._size = 0.0
            self._style(7, grey=_GREY)
            if number > 1:
                self._put(MARGIN, 10, self._fitted(self._title, WIDTH - 20))
            place = f"{number}/{count}"
            self._put(MARGIN + WIDTH - self._long(place), 10 if number > 1 else 297 - 8, place)

    # -- parts -------------------------------------------------------------------------------------------

    def heading(self, text: str, size: float = 15) -> None:
        """The name of the whole."""
        self._paragraph(text, size, bold=True)
        self.y += 1

    def section(self, title: str) -> None:
        """A part with its title, kept with what follows it."""
        self._need(16)
        self.y += 2.5
        self._style(9, bold=True)
        self.pdf.set_draw_color(_LINE)
        self._put(MARGIN, self.y + 3, self._latin(title))
        self.pdf.line(MARGIN, self.y + 4.4, MARGIN + WIDTH, self.y + 4.4)
        self.y += 6

    def paragraph(self, text: str, *, bold: bool = False, muted: bool = False, size: float = 8.5) -> None:
        """Words as long as they are."""
        self._paragraph(text, size, bold=bold, grey=_GREY if muted else 0)

    def notice(self, sentences: Iterable[str]) -> None:
        """Sentences on a shade of grey, to be read before all else."""
        self._style(8.5)
        lines = [line for text in sentences for line in self._broken(self._latin(text), WIDTH - 6)]
        height = len(lines) * self._height(8.5) + 4
        self._need(min(height, 60))
        if self.y + height <= _BOTTOM:
            self.pdf.set_fill_color(_SHADE)
            self.pdf.rect(MARGIN, self.y, WIDTH, height, style="F")
        self.y += 2
        self._lines(lines, MARGIN + 3, 8.5)
        self.y += 3

    def fields(self, fields: Iterable[Field], columns: int = 4) -> None:
        """Labels with their values under them, in so many columns; a long one takes as many as it needs."""
        width = WIDTH / columns
        row: list[tuple[int, int, list[str], list[str]]] = []
        used = 0
        for label, value in fields:
            if not value:
                continue
            text, above = self._latin(value), self._latin(label)
            self._style(8.5)
            wanted = max(map(self._long, text.split("\n")))
            self._style(6.5)
            wanted = max(wanted, self._long(above))
            span = min(columns, max(1, -int(-(wanted + _GAP) // width)))
            if used + span > columns:
                self._row_of_fields(row, width)
                row, used = [], 0
            room = span * width - _GAP
            self._style(6.5)
            heads = self._broken(above, room)
            self._style(8.5)
            row.append((used, span, heads, self._broken(text, room)))
            used += span
        self._row_of_fields(row, width)

    @contextmanager
    def table(self, columns: Sequence[PdfColumn]) -> Iterator[None]:
        """Inside the block `row` and `under` write into a table, whose head stands on every page."""
        self._need(14)
        self._table = columns
        self._head()
        try:
            yield
        finally:
            self._table = ()
            self.y += 1

    def row(self, texts: Sequence[str], *, bold: bool = False) -> None:
        """A row of the table; a text too long for its column is broken."""
        self._style(7.5, bold=bold)
        cells = [
            self._broken(self._latin(text), width - _GAP)
            for text, (_, width, _) in zip(texts, self._places(), strict=True)
        ]
        height = self._height(7.5)
        lines = max((len(cell) for cell in cells), default=1)
        self._need(min(lines, 12) * height + 1)
        first = 0
        while first < lines:
            self._need(height)
            self._style(7.5, bold=bold)
            # A cell whole before the next one: who copies a row gets its words in their order.
            here = min(lines - first, int((_BOTTOM - self.y) / height + 0.001))
            for (left, width, right), cell in zip(self._places(), cells, strict=True):
                for number, line in enumerate(cell[first : first + here]):
                    start = left + width - _GAP - self._long(line) if right else left
                    self._put(start, self.y + (number + 0.78) * height, line)
            self.y += here * height
            first += here
        self.y += 0.6

    def under(self, text: str, indent: float = 8.0) -> None:
        """More about the row above, in smaller letters over the whole width."""
        if text:
            self._style(6.8, grey=_GREY)
            self._lines(self._broken(self._latin(text), WIDTH - indent), MARGIN + indent, 6.8, grey=_GREY)
            self.y += 0.4

    def rule(self) -> None:
        """A thin line between rows."""
        self.pdf.set_draw_color(_SHADE)
        self.pdf.line(MARGIN, self.y, MARGIN + WIDTH, self.y)
        self.y += 0.8

    def bars(self, modules: str, height: float = 12.0, width: float = 92.0) -> None:
        """A barcode: ones are bars, zeros the room between."""
        if not modules:
            return
        self._need(height + 3)
        step = min(width / len(modules), 0.4)
        self.pdf.set_fill_color(0)
        start = 0
        while (start := modules.find("1", start)) >= 0:
            end = modules.find("0", start)
            end = len(modules) if end < 0 else end
            self.pdf.rect(MARGIN + start * step, self.y, (end - start) * step, height, style="F")
            start = end
        self.y += height + 2

    # -- lines -------------------------------------------------------------------------------------------

    def _paragraph(self, text: str, size: float, *, bold: bool = False, grey: int = 0) -> None:
        self._style(size, bold=bold, grey=grey)
        self._lines(self._broken(self._latin(text), WIDTH), MARGIN, size, bold=bold, grey=grey)

    def _lines(self, lines: Iterable[str], left: float, size: float, *, bold: bool = False, grey: int = 0) -> None:
        height = self._height(size)
        for line in lines:
            self._need(height)
            self._style(size, bold=bold, grey=grey)
            self._put(left, self.y + height * 0.78, line)
            self.y += height

    def _row_of_fields(self, row: Sequence[tuple[int, int, list[str], list[str]]], width: float) -> None:
        if not row:
            return
        small, large = self._height(6.5), self._height(8.5)
        above = max(len(heads) for _, _, heads, _ in row)
        lines = max(len(values) for _, _, _, values in row)
        self._need(above * small + min(lines, 12) * large + 1)
        self._style(6.5, grey=_GREY)
        for place, _, heads, _ in row:
            for number, line in enumerate(heads):
                self._put(MARGIN + place * width, self.y + (number + 0.78) * small, line)
        self.y += above * small
        first = 0
        while first < lines:
            self._need(large)
            self._style(8.5)
            here = min(lines - first, int((_BOTTOM - self.y) / large + 0.001))
            for place, _, _, values in row:
                for number, line in enumerate(values[first : first + here]):
                    self._put(MARGIN + place * width, self.y + (number + 0.78) * large, line)
            self.y += here * large
            first += here
        self.y += 1.2

    def _head(self) -> None:
        self._style(6.5, grey=_GREY)
        small = self._height(6.5)
        heads = [
            self._broken(self._latin(column.title), width - _GAP)
            for column, (_, width, _) in zip(self._table, self._places(), strict=True)
        ]
        lines = max(map(len, heads), default=1)
        for (left, width, right), head in zip(self._places(), heads, strict=True):
            for number, line in enumerate(head):
                start = left + width - _GAP - self._long(line) if right else left
                self._put(start, self.y + (number + lines - len(head) + 0.78) * small, line)
        self.y += lines * small + 0.6
        self.pdf.set_draw_color(_LINE)
        self.pdf.line(MARGIN, self.y, MARGIN + WIDTH, self.y)
        self.y += 0.8

    def _places(self) -> Iterator[tuple[float, float, bool]]:
        """Left edge, width and whether numbers, of each column."""
        whole = sum(column.share for column in self._table) or 1
        left = MARGIN
        for column in self._table:
            width = WIDTH * column.share / whole
            yield left, width, column.right
            left += width

    def _need(self, height: float) -> None:
        """Turn the page where that much is not left of it."""
        if self.y + height <= _BOTTOM:
            return
        if self.pdf.pages_count >= _MOST_PAGES:
            raise PaperError(
                message("The paper would fill more than {count} pages; no PDF was made.", count=_MOST_PAGES),
                message("Look at its XML."),
            )
        self.pdf.add_page()
        self._size = 0.0
        self.y = _TOP
        if self._table:
            self._head()

    # -- letters -----------------------------------------------------------------------------------------

    def _latin(self, text: str) -> str:
        if len(text) > _LONGEST_TEXT:
            text = text[:_LONGEST_TEXT] + _CUT
        self.lost = self.lost or font_characters.loses(text)
        return font_characters.latin(text).replace("\r\n", "\n").replace("\r", "\n").replace("\t", " ")

    def _style(self, size: float, *, bold: bool = False, grey: int = 0) -> None:
        if (size, bold) != (self._size, self._bold) or self._size == 0:
            self.pdf.set_font(_FONT, "B" if bold else "", size)
        if self._size == 0 or grey != self._grey:
            self.pdf.set_text_color(grey)
        self._size, self._bold, self._grey = size, bold, grey

    def _height(self, size: float) -> float:
        return size * _POINT * _LEADING

    def _put(self, x: float, baseline: float, text: str) -> None:
        if text:
            self.pdf.text(x, baseline, text)

    def _long(self, text: str) -> float:
        """How long a line of text is in the style in use."""
        widths = self._of_style()
        return sum(map(widths.__getitem__, text)) * self._size * _POINT / 1000

    def _of_style(self) -> _Widths:
        style = "B" if self._bold else ""
        known = self._widths.get(style)
        if known is None:
            known = self._widths[style] = _Widths(_widths_of(_FONT.lower() + style))
        return known

    def _fitted(self, text: str, room: float) -> str:
        """`text`, cut where it does not fit into one line."""
        lines = self._broken(text, room)
        return lines[0] if lines else ""

    def _broken(self, text: str, room: float) -> list[str]:
        """The lines of `text` in the style in use: broken at spaces, a longer word anywhere."""
        widths = self._of_style()
        limit = room * 1000 / (self._size * _POINT)
        found: list[str] = []
        for line in text.split("\n"):
            found += _wrapped(line.rstrip(), widths, limit)
        while found and not found[-1]:
            found.pop()
        return found


class _Widths(dict[str, float]):
    """Widths of letters in thousandths of the size; the font has them by their byte in the code page."""

    def __missing__(self, letter: str) -> float:
        byte = letter.encode(font_characters.ENCODING, "replace").decode("latin-1")
        return self.get(byte, _USUAL_WIDTH)


def _widths_of(font: str) -> dict[str, float]:
    from fpdf.fonts import CORE_FONTS_CHARWIDTHS

    return {letter: float(width) for letter, width in CORE_FONTS_CHARWIDTHS[font].items()}


def _wrapped(line: str, widths: _Widths, limit: float) -> Iterator[str]:
    """One pass over the letters, whatever they are."""
    start, space, length, since = 0, -1, 0.0, 0.0
    for place, letter in enumerate(line):
        width = widths[letter]
        if letter == " ":
            space, since = place, 0.0
            length += width
            continue
        length += width
        since += width
        if length > limit and place > start:
            if space > start:
                yield line[start:space]
                start, length = space + 1, since
            else:
                yield line[start:place]
                start, length, since = place, width, width
            space = -1
    yield line[start:]
