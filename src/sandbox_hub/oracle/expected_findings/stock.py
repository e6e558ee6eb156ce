"""R16: what is in the marketplaces' warehouses, item by item, over time.

A remessa and a symbolic one bring goods in; a return of them and a symbolic one take them out, and so does a sale from
the warehouse that has no symbolic return. A sale with its symbolic return takes them out once.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator
from datetime import datetime

from sandbox_hub.oracle.expected_findings.case import Case, Finding, SeenSheet
from sandbox_hub.oracle.expected_findings.chains import symbolic_return
from sandbox_hub.world.documents.nfe_facts import sale_lines, warehouse_pieces
from sandbox_hub.world.scenarios import DAY, Subtype
from sandbox_hub.world.world import World

_STANDING = 90 * DAY
_SIGNS = {
    Subtype.INBOUND: 1,
    Subtype.SYMBOLIC_INBOUND: 1,
    Subtype.SYMBOLIC_INBOUND_RETURN: -1,
    Subtype.INBOUND_RETURN: -1,
}


class Stock:
    """Every movement of every item."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._moved: defaultdict[str, list[tuple[float, int, datetime]]] = defaultdict(list)

    def add(self, case: Case) -> None:
        """Take down what a story's papers move."""
        for paper in case.papers:
            if not paper.in_effect:
                continue
            sign = _SIGNS.get(paper.subtype)
            if sign is not None:
                for product, pieces in warehouse_pieces(self._world, paper.index):
                    self._move(paper, product.code, sign * pieces)
            elif paper.subtype is Subtype.SALE and paper.from_warehouse and symbolic_return(case, paper) is None:
                for line in sale_lines(self._world, paper.index):
                    self._move(paper, line.product.code, -line.quantity)

    def _move(self, paper: SeenSheet, code: str, pieces: int) -> None:
        place = self._world.place(paper.index)
        emitter = self._world.numbering.emitters[place.line.emitter].tax_id
        subject = f"{emitter}/{self._world.marketplaces[place.marketplace]}/{code}"
        self._moved[subject].append((paper.issued.timestamp(), pieces, paper.issued))

    def findings(self) -> Iterator[tuple[Finding, bool]]:
        """Below zero at some time (True), else standing for too long (False)."""
        for subject, moved in self._moved.items():
            balance = 0
            standing: deque[list[int]] = deque()  # pieces and which movement brought them
            below = ""
            moved.sort(key=lambda movement: movement[0])
            for n, (_, pieces, issued) in enumerate(moved):
                balance += pieces
                if balance < 0 and not below:
                    below = f"{issued:%Y-%m}"
                if pieces > 0:
                    standing.append([pieces, n])
                while pieces < 0 and standing:
                    taken = min(-pieces, standing[0][0])
                    pieces += taken
                    standing[0][0] -= taken
                    if not standing[0][0]:
                        standing.popleft()
            if below:
                yield Finding("R16", (), (), below, subject), True
            elif standing and moved[standing[0][1]][0] + _STANDING < self._world.now:
                yield Finding("R16", (), (), f"{moved[standing[0][1]][2]:%Y-%m}", subject), False
