"""Which lines of an indented XML fold away under which other, and the text that is left to be seen."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate

LONGEST = 40_000_000
_MOST_LINES = 500_000
_CLOSING = "</"


@dataclass(frozen=True, slots=True)
class Regions:
    """The lines of a text. `starts` are the places where they begin, and the text's end; `ends` holds for each line
    the last one that folds away under it, which is the line itself where none does.
    """

    starts: array[int]
    ends: array[int]

    @property
    def any(self) -> bool:
        """Whether there is anything to fold."""
        return any(end != line for line, end in enumerate(self.ends))

    def line_at(self, place: int) -> int:
        """The line in which a place of the text stands."""
        return min(bisect_right(self.starts, place), len(self.ends)) - 1

    def is_head(self, line: int) -> bool:
        return self.ends[line] > line

    def around(self, line: int) -> Iterator[int]:
        """The heads under which `line` folds away, itself first where it is one, then outward."""
        return (head for head in range(line, -1, -1) if self.ends[head] > head and self.ends[head] >= line)


def regions_of(text: str) -> Regions:
    """By the indentation that `indent.indented` gives: what stands deeper folds under what stands before it.

    A line that begins with no tag goes on with the text of the one before. Nothing folds in a text of more than
    `LONGEST` characters or half a million lines.
    """
    if len(text) > LONGEST or text.count("\n") > _MOST_LINES:
        return Regions(array("q", [0, len(text)]), array("q", [0]))
    lines = text.split("\n")
    starts = array("q", accumulate((len(line) + 1 for line in lines), initial=0))
    starts[-1] = len(text)
    ends = array("q", range(len(lines)))
    open_heads: list[tuple[int, int]] = []  # depth, line
    for number, line in enumerate(lines):
        plain = line.lstrip(" ")
        if not plain.startswith("<"):
            continue
        depth = len(line) - len(plain)
        while open_heads and open_heads[-1][0] >= depth:
            above, head = open_heads.pop()
            closes = above == depth and plain.startswith(_CLOSING)
            ends[head] = number if closes else number - 1
        if not plain.startswith(_CLOSING):
            open_heads.append((depth, number))
    for _, head in open_heads:
        ends[head] = _last_with_words(lines)
    return Regions(starts, ends)


def _last_with_words(lines: list[str]) -> int:
    """A line feed at the end of a file is no line to fold."""
    return len(lines) - 1 if lines[-1].strip() or len(lines) == 1 else len(lines) - 2


class Folded:
    """A text with some of its regions folded away. Places of the whole text are `whole`, of what is seen `seen`."""

    def __init__(self, text: str, regions: Regions) -> None:
        self.whole = text
        self.regions = regions
        self._marks = bytearray(len(regions.ends))
        self._look_again()

    def is_folded(self, line: int) -> bool:
        """Whether what hangs under this line of the whole text is folded away."""
        return bool(self._marks[line])

    def fold(self, line: int) -> bool:
        """Fold away what hangs under `line`; whether that changed anything."""
        return self._mark(line, 1)

    def unfold(self, line: int) -> bool:
        """Show again what hangs under `line`."""
        return self._mark(line, 0)

    def fold_all(self) -> None:
        """Fold everything but the outermost, whose parts are what one wants to see then."""
        outermost = next((line for line in range(len(self._marks)) if self.regions.is_head(line)), None)
        for line, end in enumerate(self.regions.ends):
            self._marks[line] = end > line and line != outermost
        self._look_again()

    def unfold_all(self) -> None:
        self._marks = bytearray(len(self._marks))
        self._look_again()

    def show(self, start: int, end: int) -> bool:
        """Unfold whatever hides something between these places of the whole text; whether anything did."""
        first, last = self.regions.line_at(start), self.regions.line_at(max(end - 1, start))
        hiding = [
            head for head in range(last) if self._marks[head] and self.regions.ends[head] >= first and head < last
        ]
        for head in hiding:
            self._marks[head] = 0
        if hiding:
            self._look_again()
        return bool(hiding)

    def to_whole(self, seen: int) -> int:
        """Where in the whole text stands what is seen there."""
        part = bisect_right(self._seen, seen) - 1
        return min(self._begins[part] + seen - self._seen[part], len(self.whole))

    def to_seen(self, whole: int) -> int:
        """Where it is seen; of what is folded away the end of the line that it hangs under."""
        part = bisect_right(self._begins, whole) - 1
        is_last = part + 1 == len(self._seen)
        room = (len(self.text) if is_last else self._seen[part + 1]) - self._seen[part]
        inside = whole - self._begins[part]
        if inside < room or (is_last and inside == room):
            return self._seen[part] + inside
        return self._seen[part] + max(room - 1, 0)

    def _mark(self, line: int, mark: int) -> bool:
        if not self.regions.is_head(line) or self._marks[line] == mark:
            return False
        self._marks[line] = mark
        self._look_again()
        return True

    def _look_again(self) -> None:
        starts, ends = self.regions.starts, self.regions.ends
        parts: list[str] = []
        self._begins, self._seen = [0], [0]  # of each stretch that is seen: where in the whole, and where it is seen
        self.lines: array[int] = array("q")  # of what is seen, by the number of the line
        line, length = 0, 0
        while line < len(ends):
            head = self._marks.find(1, line)
            last = len(ends) - 1 if head < 0 else head
            parts.append(self.whole[starts[line] : starts[last + 1]])
            self.lines.extend(range(line, last + 1))
            length += len(parts[-1])
            if head < 0:
                break
            line = ends[head] + 1
            if line < len(ends):
                self._begins.append(starts[line])
                self._seen.append(length)
        self.text = "".join(parts)
