"""Goods at the marketplaces' warehouses and the pivot of taxes, for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from confere.cli import tables
from confere.cli.output import Output
from confere.cli.render import labels
from confere.system import formatting
from confere.system.messages import ngettext, t

if TYPE_CHECKING:
    from decimal import Decimal

    from confere.app.reconciliation.queries import PivotLine, StockChain, StockMove, StockRow
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
                [t("Month"), t("CFOP"), t("CST"), t("UF"), "", t("Documents"), *map(tax_name, names)],
                [
                    (
                        entry.period,
                        entry.cfop or "",
                        entry.cst or "",
                        entry.uf or "",
                        "" if entry.in_effect else t("without effect"),
                        formatting.count(entry.documents),
                        *(formatting.money(entry.amount(name)) for name in names),
                    )
                    for entry in found
                ],
                right=tuple(range(5, 6 + len(names))),
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
    return tables.table(
        [
            *(t("Item"), t("Description"), t("Sent"), t("Symbolic"), t("Sold"), t("Returned"), t("Balance")),
            *(t("Below zero since"), t("Oldest pieces of")),
        ],
        [
            (
                row.subject,
                row.line.description or "",
                pieces(row.line.sent),
                pieces(row.line.sent_symbolically),
                pieces(row.line.sold + row.line.removed + row.line.lost),
                pieces(row.line.returned),
                pieces(row.line.balance),
                formatting.date(row.negative_on),
                formatting.date(row.line.standing_since),
            )
            for row in found
        ],
        right=(2, 3, 4, 5, 6),
    )
