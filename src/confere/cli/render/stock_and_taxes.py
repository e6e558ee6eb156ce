"""Goods at the marketplaces' warehouses and the pivot of taxes, for people."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from confere.app.labels.labels import direction_word
from confere.cli import tables
from confere.cli.output import Output
from confere.cli.render import labels
from confere.system import formatting
from confere.system.messages import ngettext, t

if TYPE_CHECKING:
    from decimal import Decimal

    from confere.app.reconciliation.queries import PivotLine, StockChain, StockLine, StockMove, StockRow
    from confere.cli.fitted_table import FittedTable


def stock(out: Output, found: Sequence[StockRow]) -> None:
    """One line an item."""
    if found:
        out.print(_stock(found))
    out.aside(ngettext("{count} item.", "{count} items.", len(found)))


def chain(out: Output, found: StockChain) -> None:
    """An item with its documents."""
    out.print(_stock([found.row]), "")
    out.print(
        tables.table(
            [t("Day"), t("Operation"), t("Number"), t("Pieces"), t("Balance"), t("Access key")],
            [
                (
                    formatting.date(move.movement.on),
                    labels.operation_word(move.operation),
                    move.number,
                    _counted(move),
                    pieces(move.movement.balance),
                    move.movement.key,
                )
                for move in found.moves
            ],
            right=(3, 4),
        )
    )


def taxes(out: Output, found: Sequence[PivotLine]) -> None:
    """The pivot with the sums that somebody has."""
    from confere.app.reconciliation.queries import TAX_AMOUNTS
    from confere.app.reconciliation.report_sheets import tax_name

    names = [name for name in TAX_AMOUNTS if any(entry.amount(name) is not None for entry in found)]
    if found:
        out.print(
            tables.table(
                [
                    *(t("Month"), t("CFOP"), t("CST"), t("In or out"), t("UF"), t("State"), t("Documents")),
                    *map(tax_name, names),
                ],
                [
                    (
                        formatting.month(entry.period),
                        entry.cfop or "",
                        entry.cst or "",
                        direction_word(entry.direction),
                        entry.uf or "",
                        t("in effect") if entry.in_effect else t("without effect"),
                        formatting.count(entry.documents),
                        *(formatting.money(entry.amount(name)) for name in names),
                    )
                    for entry in found
                ],
                right=tuple(range(6, 7 + len(names))),
            )
        )
    out.aside(ngettext("{count} line.", "{count} lines.", len(found)))


def pieces(number: Decimal) -> str:
    """Pieces without zeros that say nothing."""
    exponent = number.normalize().as_tuple().exponent
    return formatting.decimal(number, max(0, -exponent) if isinstance(exponent, int) else 0)


def _counted(move: StockMove) -> str:
    """Its pieces; in brackets where they do not count."""
    told = pieces(move.movement.quantity)
    return told if move.movement.counted else f"({told})"


def _stock(found: Sequence[StockRow]) -> FittedTable:
    """The columns of the window's table; removed and lost pieces have theirs where there are any."""
    figures: list[tuple[str, Callable[[StockLine], Decimal]]] = [
        (t("Sent"), lambda line: line.sent),
        (t("Symbolic"), lambda line: line.sent_symbolically),
        (t("Returned"), lambda line: line.returned),
        (t("Sold"), lambda line: line.sold),
    ]
    for title, of in ((t("Removed"), _removed), (t("Lost"), _lost)):
        if any(of(row.line) for row in found):
            figures.append((title, of))
    figures.append((t("Balance"), lambda line: line.balance))
    return tables.table(
        [
            *(t("Item"), t("Description"), *(title for title, _ in figures)),
            *(t("Below zero since"), t("Standing since")),
        ],
        [
            (
                row.subject,
                row.line.description or "",
                *(pieces(of(row.line)) for _, of in figures),
                formatting.date(row.negative_on),
                formatting.date(row.line.standing_since),
            )
            for row in found
        ],
        right=tuple(range(2, 2 + len(figures))),
    )


def _removed(line: StockLine) -> Decimal:
    return line.removed


def _lost(line: StockLine) -> Decimal:
    return line.lost
