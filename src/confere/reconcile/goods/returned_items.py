"""What a note gives back of a sale: all of its lines or, of a partial refusal, those that name an item of the sale.

Source: NT 2025.002, groups B25.2 (`tpNFCredito` 06) and VC (`det/DFeReferenciado`); Ajustes SINIEF 47/2025 and 49/2025.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from confere.fiscal import credit_notes
from confere.sales.reconciliation_input import ItemQuantity, PaperEntry


def given_back(paper: PaperEntry, papers: Mapping[str, PaperEntry]) -> tuple[ItemQuantity, ...]:
    """The lines that come back by a note; one that names an item of a sale here is called as that item.

    A partial refusal whose lines name nothing gives back all of them: nothing says which.
    """
    if not _by_item(paper):
        return paper.lines
    named = {named_item.position: named_item for named_item in paper.named_items}
    returned = []
    for position, line in enumerate(paper.lines):
        named_item = named.get(position)
        if named_item is not None:
            sold = _line(papers.get(named_item.key), named_item.item)
            returned.append(line if sold is None else replace(line, code=sold.code, ean=sold.ean))
    return tuple(returned)


def value_given_back(paper: PaperEntry) -> int:
    """Centavos that a note gives back: its total, or the share of the lines that name an item where others stand by."""
    total = paper.total or 0
    whole = sum(line.total or 0 for line in paper.lines)
    if not _by_item(paper) or not whole:
        return total
    places = {named_item.position for named_item in paper.named_items}
    named = sum(line.total or 0 for position, line in enumerate(paper.lines) if position in places)
    return total * named // whole


def lines_given_back(back: Iterable[PaperEntry], papers: Mapping[str, PaperEntry]) -> list[ItemQuantity]:
    """The lines that come back by any of these notes."""
    return [line for paper in back for line in given_back(paper, papers)]


def _by_item(paper: PaperEntry) -> bool:
    return (
        paper.purpose == credit_notes.CREDIT
        and paper.credit_type == credit_notes.REFUSED_IN_PART
        and bool(paper.named_items)
    )


def _line(sale: PaperEntry | None, item: int | None) -> ItemQuantity | None:
    if sale is None or item is None or not 1 <= item <= len(sale.lines):
        return None
    return sale.lines[item - 1]
