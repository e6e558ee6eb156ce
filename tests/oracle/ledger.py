"""The tables of a company's month: states, CFOP, DIFAL, PIS and COFINS, revenue of the Simples, IBS and CBS."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from tests.oracle.items import AMOUNTS, Line, lines
from tests.oracle.papers import Papers, Written

DIFAL = ("difal_base", "difal_destination", "difal_origin", "fcp_destination")
REFORM = ("products", "reform_base", "ibs_state", "ibs_city", "ibs", "cbs")
SIMPLES = ("1", "2", "4")
# LC 123/2006, art. 3, § 1: what is sold and served. The last three digits of the CFOP.
_SOLD = {
    *(f"{number}" for number in (*range(101, 126), 127, 128, 129, *range(251, 259), *range(301, 308))),
    *(f"{number}" for number in (*range(351, 361), *range(401, 406), *range(651, 657), 932, 933)),
}
_FOR_EXPORT = ("5501", "5502", "6501", "6502")
_CAME_BACK = ("201", "202", "203", "204", "410", "411", "503", "504", "660", "661", "662")
_SENT_BACK = ("201", "202", "210", "410", "411", "412", "413", "503", "553", "556", "660", "661", "662")
_ICMS = {
    "substitution": ("201", "202", "203", "500", "10", "30", "60", "70", "61"),
    "exempt": ("103", "300", "400", "40", "41", "50"),
    "ordinary": ("101", "102", "00", "20", "90", "900"),
}
_CONTRIBUTIONS = {"04": "single_phase", "02": "differentiated", "03": "differentiated", "05": "substitution"}


@dataclass
class Sum:
    """Documents and items of a cell, and its amounts."""

    documents: set[str] = field(default_factory=set)
    items: int = 0
    amounts: list[int] = field(default_factory=list)

    def add(self, key: str, amounts: list[int]) -> None:
        self.documents.add(key)
        self.items += 1
        self.amounts = [a + b for a, b in zip(self.amounts or [0] * len(amounts), amounts, strict=True)]

    @property
    def values(self) -> tuple[int, int, tuple[int, ...]]:
        return len(self.documents), self.items, tuple(self.amounts)


Cells = dict[Any, Sum]


@dataclass
class Tables:
    """Sums by what stands in the first columns of each table."""

    cfops: Cells = field(default_factory=dict)  # direction, own, CFOP, CST, state
    difal: Cells = field(default_factory=dict)  # direction, own, state, CRT
    contributions: Cells = field(default_factory=dict)  # direction, own, tax, CST, rate
    simples: Cells = field(default_factory=dict)  # CRT, what, whether abroad, ICMS, PIS and COFINS
    reform: Cells = field(default_factory=dict)  # direction, own, CST, cClassTrib
    regimes: Counter[str] = field(default_factory=Counter)  # CRT of the company's own notes
    documents: int = 0
    in_effect: int = 0
    total: int = 0  # of the documents in effect

    @property
    def is_simples(self) -> bool:
        """Whether the company writes a regime of the Simples Nacional on any note of its own."""
        return any(regime in SIMPLES for regime in self.regimes)

    def of(self, name: str) -> dict[Any, tuple[int, int, tuple[int, ...]]]:
        return {cell: summed.values for cell, summed in getattr(self, name).items()}


def tables(papers: Papers, company: str, month: str) -> Tables:
    made = Tables()
    for paper in papers.of(company, month):
        made.documents += 1
        own, regime = paper.emitter == company, paper.text("emit/CRT")
        if own and paper.is_note and regime:
            made.regimes[regime] += 1
        if not papers.in_effect(paper):
            continue
        made.in_effect += 1
        made.total += paper.total
        for line in lines(paper):
            _add(made, paper, company, line)
    return made


def _add(made: Tables, paper: Written, company: str, line: Line) -> None:
    own, regime = paper.emitter == company, paper.text("emit/CRT")
    direction, uf = paper.direction(company), paper.text("dest/enderDest/UF")
    of = line.amounts

    def put(cells: Cells, cell: object, *amounts: int) -> None:
        cells.setdefault(cell, Sum()).add(paper.key, list(amounts))

    put(made.cfops, (direction, own, line.cfop, line.icms_code, uf), *(of[name] for name in AMOUNTS))
    if any(of[name] for name in DIFAL):
        put(made.difal, (direction, own, uf, regime), *(of[name] for name in DIFAL))
    for tax, written in (("pis", line.pis), ("cofins", line.cofins)):
        if written is not None:
            cell: tuple[str, bool, str, str, Decimal | None] = (direction, own, tax, *written)
            put(made.contributions, cell, of["products"], of[f"{tax}_base"], of[tax])
    if line.reform is not None:
        put(made.reform, (direction, own, *line.reform), *(of[name] for name in REFORM))
    revenue = _revenue(paper, own, direction, line)
    if revenue is not None and (not own or regime in SIMPLES):
        kind = revenue[0]
        put(made.simples, (regime if own else "", *revenue), -line.revenue if kind == "return" else line.revenue)


def _revenue(paper: Written, own: bool, direction: str, line: Line) -> tuple[str, bool, str, str] | None:
    head, rest, purpose = line.cfop[:1], line.cfop[1:], paper.text("ide/finNFe")
    is_sold = (head in "567" and rest in _SOLD) or line.cfop in _FOR_EXPORT
    if own and direction == "out" and is_sold and purpose in ("", "1", "2"):
        kind = "revenue"
    elif (own and direction == "in" and head in ("1", "2", "3") and rest in _CAME_BACK) or (
        not own and purpose == "4" and head in ("5", "6") and rest in _SENT_BACK
    ):
        kind = "return"
    else:
        return None
    abroad = head in ("3", "7") or line.cfop in _FOR_EXPORT or rest in ("503", "504")
    icms = next((name for name, codes in _ICMS.items() if line.icms_code in codes), "other")
    code = (line.pis or line.cofins or ("", None))[0]
    contributions = _CONTRIBUTIONS.get(code, "exempt" if code in ("06", "07", "08", "09") else "ordinary")
    return kind, abroad, "service" if rest == "933" else icms, contributions
