"""R12: numbers of the companies' own notes that neither a document nor a voiding has."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterator

from sandbox_hub.oracle.expected_findings.case import Finding, SeenSheet
from sandbox_hub.world.scenarios import Subtype
from sandbox_hub.world.schedule import NumberLine
from sandbox_hub.world.world import World

_NO_MONTH = 0


class Numbers:
    """Every number that was seen, with the month of its document: eight bytes each."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._seen: defaultdict[NumberLine, array[int]] = defaultdict(lambda: array("q"))

    def add(self, paper: SeenSheet) -> None:
        """Count a document, or a voiding with all its numbers."""
        line = self._world.place(paper.index).line
        if line.model not in ("55", "65"):
            return
        first = self._world.numbering.number(paper.index)
        if paper.subtype is Subtype.VOIDING:
            for number in range(first, first + self._world.planted.voided_numbers(paper.index)):
                self._seen[line].append(number << 16)
        else:
            self._seen[line].append(first << 16 | paper.issued.year * 12 + paper.issued.month - 1 - _EPOCH)

    def gaps(self) -> Iterator[tuple[Finding, NumberLine, range]]:
        """Each stretch of missing numbers; its period is that of the next document."""
        for line, seen in self._seen.items():
            company = self._world.numbering.emitters[line.emitter].tax_id
            numbers = sorted(seen)
            missing: list[range] = []
            last = numbers[0] >> 16
            for entry in numbers:
                number, month = entry >> 16, entry & 0xFFFF
                if number > last + 1:
                    missing.append(range(last + 1, number))
                last = number
                if month == _NO_MONTH:
                    continue
                period = f"{(month + _EPOCH) // 12}-{(month + _EPOCH) % 12 + 1:02d}"
                for gap in missing:
                    subject = f"{company}/{line.model}/{line.series}/{gap[0]}-{gap[-1]}"
                    yield Finding("R12", (), (), period, subject), line, gap
                missing = []


_EPOCH = 2000 * 12  # months of a number's document are counted from here; none is a voiding's
