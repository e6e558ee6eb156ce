"""The sums of a month's ledger: of documents in effect alone, in integer centavos, as their XML writes them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from decimal import Decimal
from typing import Final, Generic, NamedTuple, TypeVar

from confere.export.ledger.ledger_document import LedgerDocument
from confere.fiscal.ledger import simples_revenue
from confere.fiscal.ledger.item_taxes import AMOUNTS, ItemTaxes
from confere.fiscal.ledger.simples_revenue import RevenueKind, Segregation

K = TypeVar("K", bound=Hashable)

DIFAL: Final = ("difal_base", "difal_destination", "difal_origin", "fcp_destination")
REFORM: Final = ("products", "reform_base", "ibs_state", "ibs_city", "ibs", "cbs")


class CfopCell(NamedTuple):
    """Where an item stands in the table of CFOP, CST and state. `uf` is the recipient's."""

    direction: str
    is_own: bool
    cfop: str
    icms_code: str
    uf: str


class DifalCell(NamedTuple):
    """Where the difference of rates of an item belongs. `uf` is the recipient's state, `regime` the emitter's CRT."""

    direction: str
    is_own: bool
    uf: str
    regime: str


class ContributionCell(NamedTuple):
    """PIS or COFINS of items with one CST and rate (per cent; None where they are charged by quantity or not)."""

    direction: str
    is_own: bool
    tax: str
    cst: str
    rate: Decimal | None


class SimplesCell(NamedTuple):
    """Revenue of a company of the Simples Nacional."""

    regime: str
    segregation: Segregation


class ReformCell(NamedTuple):
    """IBS and CBS of items with one class."""

    direction: str
    is_own: bool
    cst: str
    tax_class: str


class StateCell(NamedTuple):
    """Documents with one direction, type and state."""

    direction: str
    type: str
    state: str


class SummedAmounts(NamedTuple):
    """`amounts` of `documents` documents and `items` items."""

    documents: int
    items: int
    amounts: tuple[int, ...]


class SumTable(Generic[K]):
    """Sums by cell; documents are counted once in each."""

    def __init__(self) -> None:
        self._sums: dict[K, list[int]] = {}
        self._touched: set[K] = set()

    def add(self, cell: K, amounts: tuple[int, ...]) -> None:
        """An item of the document that is being read."""
        so_far = self._sums.setdefault(cell, [0] * (2 + len(amounts)))
        if cell not in self._touched:
            self._touched.add(cell)
            so_far[0] += 1
        so_far[1] += 1
        for place, amount in enumerate(amounts, 2):
            so_far[place] += amount

    def end_document(self) -> None:
        """What comes next is another document's."""
        self._touched.clear()

    def rows(self) -> list[tuple[K, SummedAmounts]]:
        """The cells in the order of their words."""
        return [
            (cell, SummedAmounts(sums[0], sums[1], tuple(sums[2:])))
            for cell, sums in sorted(self._sums.items(), key=lambda pair: _words(pair[0]))
        ]


def _words(cell: object) -> tuple[str, ...]:
    if isinstance(cell, tuple):
        return tuple(word for part in cell for word in _words(part))
    return ("",) if cell is None else (f"{cell:020.8f}",) if isinstance(cell, Decimal) else (str(cell),)


class LedgerSums:
    """All tables of sums of a month, and the numbers that the company had voided in it."""

    def __init__(self) -> None:
        self.states: SumTable[StateCell] = SumTable()
        self.cfops: SumTable[CfopCell] = SumTable()
        self.difal: SumTable[DifalCell] = SumTable()
        self.contributions: SumTable[ContributionCell] = SumTable()
        self.simples: SumTable[SimplesCell] = SumTable()
        self.reform: SumTable[ReformCell] = SumTable()
        self.voided: list[tuple[str, int, int, int]] = []  # model, series, first, last
        self.unreadable = 0
        self.documents = 0
        self.in_effect = 0
        self.regimes: Counter[str] = Counter()  # CRT that the company wrote, by documents

    def add(self, document: LedgerDocument) -> None:
        """Take in a document, whatever its state."""
        sheet, written = document.sheet, document.written
        total = written.totals.document if written is not None else None
        self.documents += 1
        self.in_effect += document.in_effect
        self.states.add(StateCell(sheet.direction, sheet.type, sheet.state), (total or 0,))
        self.states.end_document()
        if written is None:
            self.unreadable += 1
            return
        if written.voiding is not None:
            self._add_voiding(document)
            return
        if document.is_own and sheet.model in ("55", "65") and sheet.number is not None and written.regime:
            self.regimes[written.regime] += 1
        if not document.in_effect:
            return
        for item in written.items:
            self._add_item(document, item)
        for table in (self.cfops, self.difal, self.contributions, self.simples, self.reform):
            table.end_document()

    def _add_voiding(self, document: LedgerDocument) -> None:
        voiding = document.written.voiding if document.written is not None else None
        if voiding is None or voiding.first is None or document.sheet.state != "voided":
            return
        last = voiding.last if voiding.last is not None else voiding.first
        self.voided.append((voiding.model or "", voiding.series or 0, voiding.first, last))

    def _add_item(self, document: LedgerDocument, item: ItemTaxes) -> None:
        sheet, written, own = document.sheet, document.written, document.is_own
        assert written is not None
        uf, direction, amount = written.recipient_state or "", sheet.direction, item.amount
        self.cfops.add(
            CfopCell(direction, own, item.item.cfop or "", item.icms_code or "", uf), tuple(map(amount, AMOUNTS))
        )
        if any(amount(name) for name in DIFAL):
            self.difal.add(DifalCell(direction, own, uf, written.regime or ""), tuple(map(amount, DIFAL)))
        for tax, code, rate in (("pis", item.pis_code, item.pis_rate), ("cofins", item.cofins_code, item.cofins_rate)):
            if code is not None:
                self.contributions.add(
                    ContributionCell(direction, own, tax, code, rate),
                    (amount("products"), amount(f"{tax}_base"), amount(tax)),
                )
        if item.reform_code is not None or item.tax_class is not None:
            self.reform.add(
                ReformCell(direction, own, item.reform_code or "", item.tax_class or ""), tuple(map(amount, REFORM))
            )
        self._add_revenue(document, item)

    def _add_revenue(self, document: LedgerDocument, item: ItemTaxes) -> None:
        written = document.written
        assert written is not None
        place = simples_revenue.segregate(
            item, is_own=document.is_own, direction=document.sheet.direction, purpose=written.purpose
        )
        if place is None:
            return
        # Who takes goods back by the customer's note writes no CRT: the customer's stands there.
        regime = written.regime if document.is_own else ""
        if document.is_own and regime not in simples_revenue.REGIMES:
            return
        sign = -1 if place.kind is RevenueKind.RETURN else 1
        self.simples.add(SimplesCell(regime or "", place), (sign * item.revenue,))
